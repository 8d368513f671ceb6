// SPDX-License-Identifier: MIT
// Barriers of all nodes, one after the other. MBP 1 of each node runs a process that computes for a
// random time and then waits at the barrier. The root of each 64 nodes sends a multicast of the
// lane (the arm), which every process answers when it has arrived; the combined answer means that
// all have. The next arm releases them. Roots of larger machines notify the first root by unicasts,
// which notifies them when all territories have arrived.
//
// An all-reduce is the same with an operand in each answer. The root sends the next arm after the
// answer, with the result in its body. Roots of larger machines combine their results in software.
//
// Other traffic, if any, is MBP 0's. A timer detects losses after a fault, and the same barrier is
// armed again.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <rdt/machine/traffic/all_reduce.h>
#include <rdt/machine/traffic/synthetic.h>
#include <rdt/support/histogram.h>

namespace rdt::machine {

class BarrierTraffic : public Workload {
public:
    static constexpr const char* Name = "barrier";
    static constexpr const char* About = "processes of all nodes wait for each other (--jitter)";
    static constexpr const char* AllReduceName = "all-reduce";
    static constexpr const char* AboutAllReduce =
        "barriers whose answers carry operands; every result is checked (--reduce-width)";
    static bool is_name(const std::string& pattern) {
        return pattern == Name || pattern == AllReduceName;
    }

    // Throws std::invalid_argument for a machine without the upper rank, or for an all-reduce
    // without reductions, or options that do not fit.
    BarrierTraffic(const Machine& machine, const SyntheticOptions& options);

    void clock(Transport& transport) override;
    void delivered(Transport& transport, const Packet& packet, const Delivery& delivery) override;
    void acked(Transport& transport, const Packet& packet, uint32_t status) override;
    void done(Transport& transport, const Packet& packet) override;
    uint64_t idle_cycles() const override;
    void skip(uint64_t cycles) override;
    void measure(bool on) override { m_is_measured = on; }
    bool finished() const override { return m_finished; }
    void stop() override;
    uint64_t refused() const override { return m_background ? m_background->refused() : 0; }
    void add_figures(nlohmann::ordered_json& json) const override;
    std::string table() const override;
    std::string error() const override;

    uint64_t barriers() const { return m_completed; }
    uint64_t recoveries() const { return m_recoveries; }
    // From the last arrival to the last release.
    Latency latency() const { return m_latency.summary(); }

private:
    struct Process {
        uint32_t released = 0;  // the last barrier that it was armed for,
        uint32_t arrived = 0;   // ... and that it has reached
        uint32_t armed = 0;     // barrier that `arm` is of
        Delivery arm{};
    };
    struct Root {
        uint32_t node = 0;
        std::vector<uint32_t> territory;
        uint32_t armed = 0;     // barrier
        uint32_t acked = 0;     // ... that all of its territory have reached,
        uint32_t known = 0;     // ... and of which the first root knows
        core::Operand sum{};    // of all-reduces: what the routers of its territory have combined
        uint64_t ready_at = 0;  // not 0: a fault is being recovered from until then
    };

    void answer(Transport& transport, uint32_t node, const Delivery& arm);
    void check_result(const Delivery& arm);
    void combine();
    void reduced(const Packet& packet, const core::Operand& sum);
    void arm(Transport& transport, Root& root, uint32_t barrier);
    void tell(Transport& transport, const Root& from, const Root& to);
    void arrive(Transport& transport, uint32_t node);
    void release(uint32_t node, const Delivery& arm);
    void note_arrived(Transport& transport, Root& root);
    void start_next(Transport& transport);
    void recover(Transport& transport, Root& root);
    void check_timers(Transport& transport);
    uint64_t next_event() const;

    const SyntheticOptions m_options;
    const uint64_t m_timeout;
    const uint64_t m_recovery;  // cycles until no late answer can come any more
    // The root arms the next barrier when its own process has arrived. The arm waits in its router
    // for the entry, which is free when all have. Not where faults occur or several roots report.
    bool m_arms_early = false;
    const uint32_t m_ctrl;
    const bool m_has_faults;
    std::unique_ptr<Synthetic> m_background;
    std::optional<AllReduce> m_all_reduce;  // none: barriers alone
    std::vector<uint32_t> m_nodes;          // all
    uint32_t m_sum = 0;                     // combined operands of the barrier before
    uint32_t m_expected = 0;                // result of the barrier before
    uint64_t m_results = 0;                 // received by processes,
    uint64_t m_wrong = 0;                   // ... of which not the expected one
    uint64_t m_invalid = 0;                 // answers marked as invalid after a fault
    Random m_random;
    std::vector<Process> m_processes;
    std::vector<Root> m_roots;
    std::vector<uint32_t> m_root_of;  // by node
    std::multimap<uint64_t, uint32_t> m_arrivals;
    Maps m_maps;
    uint64_t m_now = 0;
    uint32_t m_barrier = 0;  // current
    uint32_t m_num_arrived = 0;
    uint32_t m_num_released = 0;
    uint64_t m_last_arrival = 0;
    uint64_t m_released_from = 0;  // the last arrival at the barrier before
    uint64_t m_deadline = 0;
    uint64_t m_completed = 0;
    uint64_t m_early = 0;
    uint64_t m_recoveries = 0;
    Histogram m_latency;
    Histogram m_answers;  // from the last arrival until the first root knows of it
    bool m_is_measured = true;
    bool m_stopped = false;
    bool m_finished = false;
};

// Gives TEnt and TAck of a machine that has none values that suit the traffic. Without faults no
// wait for an entry or an ack has to be ended. After a fault a barrier is armed again when seven
// periods of TAck have passed, so those of barriers are short.
void set_ack_periods(Config& config, const SyntheticOptions& traffic);

}  // namespace rdt::machine
