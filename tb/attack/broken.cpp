// SPDX-License-Identifier: MIT
// Permanent faults, one per run: a stuck pin, a cut link, a router without outputs, an MBP that
// accepts nothing. With Sink on, traffic between nodes whose way does not lead through it continues
// as before, and nothing is lost without a report.
//
// RDT_CASES runs of each kind, selected by RDT_SEED.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <set>

#include "common/engines.h"
#include "common/run_options.h"
#include "common/watched_load.h"
#include <rdt/machine/packets.h>

namespace rdt::tb {
namespace {

constexpr uint64_t Slice = WatchedLoad::Slice;
constexpr uint32_t Tick = 500;
// A link whose CRED is broken shows it when a credit is late, after two slow ticks, and then cannot
// come up again. A link that is down counts as dead after two ticks. The links of a dead chip are
// found so one after the other, from the first packet on that uses each. The backlog has to drain
// at a load of a third of the saturation rate. Counted from the first packets that are late.
constexpr uint64_t FirstUse = 2000;
constexpr uint64_t Settles = 2 * SlowTick + 100 + 2 * Tick + 1000 + FirstUse;
constexpr uint64_t Measured = 6 * Slice;
// From a packet's start; sinks, and then all queues behind them, may take some ticks one by one.
constexpr uint64_t Deadline = 12000;
constexpr double Keeps = 0.95;

enum class Kind { StuckPin, CutLink, DeadChip, DeadMbp };
constexpr const char* Names[] = {"stuck_pin", "cut_link", "dead_chip", "dead_mbp"};

class BrokenRun {
public:
    BrokenRun(uint64_t seed, Models models, uint64_t deadline = Deadline)
        : m_random(seed), m_deadline(deadline) {
        machine::Config config;
        use(models, config);
        config.event_driven = false;  // MBPs hold packets back
        config.timeout = Tick;
        config.sink = true;
        m_machine = machine::make_machine(config);
        m_machine->bring_up();
        LoadOptions options;
        options.seed = seed;
        options.deadline = deadline;
        m_load = std::make_unique<WatchedLoad>(*m_machine, options);
        m_load->clocks(2 * Slice - m_machine->now() % Slice);
    }
    ~BrokenRun() { m_load.reset(); }

    void strike(Kind kind) {
        const uint32_t node = m_random.below(64);
        if (kind == Kind::DeadChip) {
            for (uint32_t p = 0; p < NumPorts; ++p) break_off(node, p);
            for (uint32_t p = 0; p < NumPorts; ++p) m_machine->cut(node, p);
            m_what = fmt::format("chip {}", node);
        } else if (kind == Kind::DeadMbp) {
            const uint32_t m = m_random.bits(1);
            break_off(node, PortM0 + m);
            m_machine->mbp(node, m).hold = [] { return uint64_t(1) << 40; };
            m_what = fmt::format("MBP {} of node {}", m, node);
        } else {
            // A pin that a chip reads, or an MBP.
            const uint32_t reads = m_random.below(kind == Kind::CutLink ? NumPorts : NumPorts + 2);
            const uint32_t port =
                reads < machine::MbpReads ? reads : reads - machine::MbpReads + PortM0;
            break_off(node, port);
            if (kind == Kind::CutLink) m_machine->cut(node, port);
            else stick(node, reads);
            m_what += fmt::format(" node {} {}{}", node, to_string(Port(port)),
                                  reads == port ? "" : ", read by the MBP");
        }
        tell();
    }

    // The same with a harmful pin: REQ always signals more flits.
    void stick_req() {
        break_off(27, PortE0);
        core::LinkPinsIn bits;
        bits.req = ReqMore;
        m_machine->stick(27, PortE0, bits, true);
        m_what = "REQ of node 27 E0";
        tell();
    }

    // Empty: all is well.
    std::string verdict(uint64_t settles = Settles, uint64_t measured = Measured) {
        const uint64_t struck = m_machine->now();
        share = share_after(struck + settles, measured);
        // A pin may be needed long after it broke. Until then nothing is late.
        const uint64_t shows = first_late_slice(struck);
        if (share < Keeps && shows > struck + Slice) share = share_after(shows + settles, measured);
        m_load->clocks(m_deadline, false);  // all is judged
        m_load->close();
        std::string text = m_load->wrong();
        if (share < Keeps) text += fmt::format("only {:.3f} of the others came in time", share);
        return text.empty() ? text : m_what + ": " + text;
    }
    double share = 0;

private:
    double share_after(uint64_t from, uint64_t measured) {
        m_load->clocks(from + measured + Slice - m_machine->now());
        return m_load->share(from, from + measured);
    }
    uint64_t first_late_slice(uint64_t since) const {
        uint64_t from = since;
        while (from + Slice < m_machine->now() && m_load->share(from, from + Slice) >= Keeps)
            from += Slice;
        return from;
    }
    // Both ends of the link: who reports, and what ways must not use.
    void break_off(uint32_t node, uint32_t port) {
        m_load->disturb(node, port, true);
        if (!is_network(port)) {
            m_dead.insert(2 * node + port - PortM0);
            return;
        }
        const uint32_t far = m_machine->geometry().neighbor(node, port);
        m_links.insert({node, port});
        m_links.insert({far, opposite(port)});
    }
    void stick(uint32_t node, uint32_t port) {
        core::LinkPinsIn bits;
        const uint32_t what = m_random.below(3);
        if (what == 0) bits.d = 1u << m_random.below(FlitW);
        else (what == 1 ? bits.req : bits.cred) = 1u << m_random.bits(1);
        const bool value = m_random.bits(1) != 0;
        m_machine->stick(node, port, bits, value);
        m_what = fmt::format("d {:05x} req {} cred {} at {}", bits.d, bits.req, bits.cred, value);
    }
    void tell() {
        m_load->is_dead = [this](uint32_t mbp) { return m_dead.count(mbp) != 0; };
        m_whole.assign(64 * 64, true);
        for (uint32_t from = 0; from < 64; ++from)
            for (uint32_t to = 0; to < 64; ++to) {
                for (const Hop& hop : m_machine->geometry().walk(from, to).hops)
                    if (m_links.count({hop.node, hop.port}) != 0) m_whole[from * 64 + to] = false;
                for (const uint32_t mbp : m_dead)
                    if (mbp / 2 == from || mbp / 2 == to) m_whole[from * 64 + to] = false;
            }
        m_load->counts = [this](uint32_t from, uint32_t to) { return m_whole[from * 64 + to]; };
    }

    Dice m_random;
    uint64_t m_deadline;
    std::unique_ptr<machine::Machine> m_machine;
    std::unique_ptr<WatchedLoad> m_load;
    std::set<std::pair<uint32_t, uint32_t>> m_links;
    std::set<uint32_t> m_dead;  // MBPs
    std::vector<bool> m_whole;
    std::string m_what;
};

class Broken : public ::testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(broken, Broken,
                         ::testing::Values(Kind::StuckPin, Kind::CutLink, Kind::DeadChip,
                                           Kind::DeadMbp),
                         [](const auto& p) { return Names[int(p.param)]; });

TEST_P(Broken, part_leaves_the_rest_its_throughput) {
    const uint64_t cases = from_environment("RDT_CASES", 16);
    double least = 1;
    uint64_t bad = 0;
    std::string told;
    constexpr uint64_t Shown = 5;
    for (uint64_t n = 0; n < cases; ++n) {
        BrokenRun run(seed_or(1) * 1000000 + n, Models::Fast);
        run.strike(GetParam());
        const std::string wrong = run.verdict();
        least = std::min(least, run.share);
        if (wrong.empty()) continue;
        ++bad;
        if (bad <= Shown) told += fmt::format("seed={} case {}: {}\n", seed_or(1), n, wrong);
    }
    EXPECT_EQ(bad, 0u) << "of " << cases << " cases, such as\n" << told;
    RecordProperty("least_share", std::to_string(least));
    fmt::print("           {} cases, {:.4f} of the others' packets in time in the worst\n", cases,
               least);
}

TEST_P(Broken, part_of_both_models) {
    BrokenRun run(seed_or(1), Models::Checked, 4000);
    if (GetParam() == Kind::StuckPin) run.stick_req();
    else run.strike(GetParam());
    EXPECT_EQ(run.verdict(Settles, 2 * Slice), "");
}

}  // namespace
}  // namespace rdt::tb
