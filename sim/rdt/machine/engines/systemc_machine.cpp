// SPDX-License-Identifier: MIT
#include <rdt/machine/engines/systemc_machine.h>

#include <fmt/core.h>

#include <algorithm>

namespace rdt::machine {

namespace {

const EngineKind kind{Engine::SystemC, [](const Config& config) -> std::unique_ptr<Machine> {
                          return std::make_unique<SystemcMachine>(config);
                      }};

}  // namespace

std::ostream& operator<<(std::ostream& out, const Wire& wire) {
    return out << fmt::format("d={:05x} oe={} req={} cred={}", wire.d, int(wire.oe), wire.req,
                              wire.cred);
}

void sc_trace(sc_core::sc_trace_file* file, const Wire& wire, const std::string& name) {
    sc_core::sc_trace(file, wire.d, name + ".d");
    sc_core::sc_trace(file, wire.oe, name + ".oe");
    sc_core::sc_trace(file, wire.req, name + ".req");
    sc_core::sc_trace(file, wire.cred, name + ".cred");
}

SystemcMachine::Chip::Chip(sc_core::sc_module_name name, const SystemcMachine& machine,
                           uint32_t node)
    : sc_module(name), m_machine(machine), m_node(node) {
    RDT_HAS_PROCESS(Chip);
    SC_METHOD(clock);
    sensitive << clk_i.pos();
    dont_initialize();
}

void SystemcMachine::Chip::clock() {
    for (uint32_t p = 0; p < NumPorts; ++p)
        m_in.link[p] = m_machine.seen(m_node, p, link_i[p].read());
    m_in.slice = m_machine.m_slices[m_node];
    edge(m_in, rst_ni.read());
    for (uint32_t p = 0; p < NumPorts; ++p) link_o[p].write(pins(p));
}

SystemcMachine::MakeRtlChip& SystemcMachine::rtl_chips() {
    static MakeRtlChip make = nullptr;
    return make;
}

class SystemcMachine::CoreChip : public Chip {
public:
    using Chip::Chip;
    const fast::ChipState* state() const override { return &m_core; }
    Face face() override { return model_face("systemc", m_core); }
    bool err() const override { return m_core.err(); }
    size_t bytes() const override { return sizeof *this; }

protected:
    void edge(const core::PinsIn& in, bool rst_n) override {
        if (rst_n) m_core.clock(in);
        else m_core.reset();
    }
    core::LinkPinsOut pins(uint32_t port) const override { return m_core.pins(port); }

private:
    fast::Router m_core;
};

class SystemcMachine::Mbp : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk_i{"clk_i"};
    sc_core::sc_in<bool> rst_ni{"rst_ni"};
    sc_core::sc_in<Wire> link_i{"link_i"};
    sc_core::sc_out<Wire> link_o{"link_o"};

    Mbp(sc_core::sc_module_name name, SystemcMachine& machine, uint32_t node, uint32_t m)
        : sc_module(name), m_machine(machine), m_node(node), m_m(m), m_end(machine.mbp(node, m)) {
        RDT_HAS_PROCESS(Mbp);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
    }

private:
    void clock() {
        if (!rst_ni.read()) return;
        m_end.clock(m_machine.seen_by_mbp(m_node, m_m, link_i.read()), m_machine.now());
        link_o.write(m_end.pins());
    }

    const SystemcMachine& m_machine;
    uint32_t m_node;
    uint32_t m_m;
    Endpoint& m_end;
};

SystemcMachine::SystemcMachine(const Config& config)
    : Machine(config),
      m_clk("clk"),
      m_rst_n("rst_n"),
      m_wires("wire", size_t(nodes()) * NumPorts * 2),
      m_slices(nodes()) {
    if (!config.rtl_nodes.empty() && rtl_chips() == nullptr)
        throw std::invalid_argument("RTL nodes are not in this build: they need Verilator");
    for (uint32_t n = 0; n < nodes(); ++n) {
        const std::string name = fmt::format("n{}", n);
        const auto& verilated = config.rtl_nodes;
        if (std::find(verilated.begin(), verilated.end(), n) == verilated.end()) {
            m_chips.push_back(std::make_unique<CoreChip>(name.c_str(), *this, n));
        } else {
            m_chips.push_back(rtl_chips()(name.c_str(), *this, n));
            m_verilated.push_back(m_chips.back().get());
        }
        Chip& chip = *m_chips.back();
        chip.clk_i(m_clk);
        chip.rst_ni(m_rst_n);
        for (uint32_t p = 0; p < NumPorts; ++p) {
            chip.link_o[p](driven(n, p));
            if (is_network(p)) chip.link_i[p](driven(geometry().neighbour(n, p), opposite(p)));
        }
        for (uint32_t m = 0; m < 2; ++m) {
            m_mbps.push_back(
                std::make_unique<Mbp>(fmt::format("n{}_m{}", n, m).c_str(), *this, n, m));
            Mbp& end = *m_mbps.back();
            end.clk_i(m_clk);
            end.rst_ni(m_rst_n);
            end.link_i(driven(n, PortM0 + m));
            end.link_o(returned(n, m));
            chip.link_i[PortM0 + m](returned(n, m));
        }
    }
}

SystemcMachine::~SystemcMachine() = default;

void SystemcMachine::step(bool rst_n) {
    m_rst_n.write(rst_n);
    m_clk.write(true);
    sc_core::sc_start(1, sc_core::SC_NS);
    m_clk.write(false);
    sc_core::sc_start(1, sc_core::SC_NS);
    for (const Chip* chip : m_verilated)
        if (chip->failed()) throw MachineError("assertion in the RTL");
}

core::LinkPinsOut SystemcMachine::pins(uint32_t node, uint32_t port) const {
    return m_wires[(node * NumPorts + port) * 2].read();
}
bool SystemcMachine::err(uint32_t node) const { return m_chips[node]->err(); }
const fast::ChipState* SystemcMachine::state(uint32_t node) const { return m_chips[node]->state(); }
std::vector<Face> SystemcMachine::faces(uint32_t node) { return {m_chips[node]->face()}; }
const core::PinsIn& SystemcMachine::inputs(uint32_t node) const { return m_chips[node]->inputs(); }
size_t SystemcMachine::bytes() const {
    size_t sum = m_wires.size() * sizeof(sc_core::sc_signal<Wire>);
    for (const auto& chip : m_chips) sum += chip->bytes();
    return sum + 2 * nodes() * (sizeof(Mbp) + sizeof(Endpoint));
}

}  // namespace rdt::machine
