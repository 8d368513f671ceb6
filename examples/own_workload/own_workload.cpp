// SPDX-License-Identifier: MIT
// A workload that `rdt run` starts:
//
//   rdt --plugin b/libown_workload.so run --traffic ring --cycles 5000
//
// A token circulates on the ring of all nodes: each node forwards it to the next number.
#include <nlohmann/json.hpp>

#include <rdt/machine/traffic/synthetic.h>
#include <rdt/machine/traffic/workload.h>

namespace {

using namespace rdt::machine;

class Ring : public Workload {
public:
    Ring(const Machine& machine, uint32_t flits) : m_nodes(machine.nodes()), m_flits(flits) {}

    void clock(Transport& transport) override {
        if (!m_begun) pass_on(transport, 0);
        m_begun = true;
    }
    void delivered(Transport& transport, const Packet&, const Delivery& delivery) override {
        ++m_hops;
        if (!m_stopped) pass_on(transport, delivery.node);
    }
    void stop() override { m_stopped = true; }
    bool finished() const override { return m_stopped; }
    void add_figures(nlohmann::ordered_json& json) const override {
        json["pattern"] = "ring";
        json["rounds"] = double(m_hops) / m_nodes;
    }
    std::string table() const override {
        return table_row("ring", std::to_string(m_hops) + " times passed on");
    }

private:
    void pass_on(Transport& transport, uint32_t node) {
        Message message;
        message.source = node;
        message.destination = (node + 1) % m_nodes;
        message.flits = m_flits;
        transport.send(message);
    }

    const uint32_t m_nodes;
    const uint32_t m_flits;
    bool m_begun = false;
    bool m_stopped = false;
    uint64_t m_hops = 0;
};

const WorkloadKind kind{
    "ring", "a token that goes round all nodes",
    [](const Machine& machine, const SyntheticOptions& options) -> std::unique_ptr<Workload> {
        return std::make_unique<Ring>(machine, options.flits_max);
    }};

}  // namespace
