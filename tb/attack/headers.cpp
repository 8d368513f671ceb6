// SPDX-License-Identifier: MIT
// Packets with random headers from the MBPs of 64 nodes: any type, length, tag, vectors, maps, also
// wrong parity. Each is delivered or reported, none circulates, and the machine then works as
// before.
//
// Only what an MBP 0 may do to its own chip is left out: SETUP packets that stay there, and SHOT.
// RDT_PACKETS are sent, selected by RDT_SEED.
#include <gtest/gtest.h>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "attack/random_packet.h"
#include "common/engines.h"
#include "common/run_options.h"
#include "common/watched_load.h"
#include <rdt/machine/packets.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::tb {
namespace {

using machine::Endpoint;

constexpr uint32_t Tick = 500;
// A packet alone is through in 100 cycles, and a link that dropped one is up again in 50. A credit
// that went away with it is late after two slow ticks.
constexpr uint64_t Ends = 2 * SlowTick + 100 + 800;
constexpr uint32_t TAck = 2500;
// A copy that is refused on its way is not answered. Its entries time out after two ticks of T_ack
// and are in quarantine for six more.
constexpr uint64_t Forgotten = 8 * (TAck + 1) + Ends;
// A crowd waits in the MBPs, so many packets in each at most; the machine takes one of these (their
// multicasts have 20 receivers) in four cycles at least.
constexpr size_t MaxQueued = 8;
constexpr uint64_t CrowdDrains = 4 * 128 * MaxQueued;

class Headers {
public:
    Headers(uint64_t seed, Models models) : m_random(seed) {
        machine::Config config;
        use(models, config);
        config.timeout = Tick;
        config.sink = true;
        config.t_ent = 400;
        config.t_ack = TAck;
        m_machine = machine::make_machine(config);
        for (uint32_t at = 0; at < 128; ++at) attach(at);
        m_machine->bring_up();
    }

    machine::Machine& machine() { return *m_machine; }
    // Since the last time: packets and copies that came, reports, and effects of acks.
    uint64_t came = 0;
    uint64_t reports = 0;

    // Draws the next sender.
    bool draw_sender() {
        m_next = m_random.below(128);
        return m_machine->mbp(m_next / 2, m_next % 2).queued() < MaxQueued;
    }
    std::string send() {
        const uint32_t at = m_next;
        const machine::Flits flits = random_packet(m_random, m_machine->geometry(), at);
        m_machine->mbp(at / 2, at % 2).send(0, flits);
        return fmt::format("MBP {} sends {:05x}", at, fmt::join(flits, " "));
    }
    // An ack out of the blue.
    void send_stray() {
        const uint32_t at = m_random.below(128);
        m_machine->mbp(at / 2, at % 2)
            .send_ack(m_random.bits(3), m_random.bits(6), m_random.bits(4));
    }
    bool settle(uint64_t limit) {
        for (uint64_t n = 0; n < limit; ++n) {
            m_machine->clock();
            if (n % 8 == 7 && m_machine->idle()) return true;
        }
        return false;
    }
    // MBP 0 has no notice of its own link, but Status and LinkErr show that it was refused there.
    bool was_dropped_at_mbp_0() const {
        const core::Config& registers = m_machine->state(m_next / 2)->local().q().cfg;
        return m_next % 2 == 0 && (registers.status >> StatusSync & 1) != 0 &&
               registers.link_err == 1u << PortM0;
    }
    bool any_error_pin() const {
        for (uint32_t n = 0; n < 64; ++n)
            if (m_machine->err(n)) return true;
        return false;
    }
    void clear_error_pins() {
        for (uint32_t n = 0; n < 64; ++n)
            if (m_machine->err(n))
                m_machine->mbp(n, 0).send_first(
                    machine::setup_packet({{RegStatus, 0xFFFF}, {RegLinkErr, 0xFFFF}}));
        settle(Ends);
    }
    bool chance(uint32_t percent) { return m_random.chance(percent); }
    // Entries of the lane have no time-out: a multicast with the lane's tag that not all answer
    // waits until it is ended.
    void end_lanes() {
        const uint32_t ctrl = m_machine->config().ctrl() | core::Config::CtrlEndLane;
        for (uint32_t n = 0; n < 64; ++n)
            m_machine->mbp(n, 0).send_first(machine::setup_packet({{RegCtrl, ctrl}}));
    }

private:
    void attach(uint32_t at) {
        Endpoint& end = m_machine->mbp(at / 2, at % 2);
        end.on_receive = [this, &end](const Endpoint::Received& r) {
            const flit_t h0 = r.flits[0];
            if (get(h0, H0Type) == int(TypeErr)) ++reports;
            else ++came;
            if (is_multicast(h0) && get(h0, H0Tag) != 0)
                end.send_ack(uint32_t(get(h0, H0Tag)), 0, Endpoint::generation_of(r.flits));
        };
    }

    Dice m_random;
    uint32_t m_next = 0;  // MBP that sends
    std::unique_ptr<machine::Machine> m_machine;
};

struct Case {
    Models models;
    uint64_t packets;
};

class RandomHeader : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(headers, RandomHeader,
                         ::testing::Values(Case{Models::Fast, 20000}, Case{Models::Checked, 20}),
                         [](const auto& p) { return to_string(p.param.models); });

// One at a time, so that what comes of it is known.
TEST_P(RandomHeader, alone_is_delivered_or_reported) {
    const bool fast = GetParam().models == Models::Fast;
    const uint64_t packets =
        fast ? from_environment("RDT_PACKETS", GetParam().packets) : GetParam().packets;
    Headers run(seed_or(1), GetParam().models);
    uint64_t delivered = 0;
    for (uint64_t n = 0; n < packets; ++n) {
        run.came = run.reports = 0;
        run.draw_sender();
        const std::string what = run.send();
        ASSERT_TRUE(run.settle(Ends))
            << "stuck or circulating; seed=" << seed_or(1) << " packet " << n << "\n"
            << what;
        ASSERT_TRUE(run.came + run.reports > 0 || run.was_dropped_at_mbp_0())
            << "silence; seed=" << seed_or(1) << " packet " << n << "\n"
            << what;
        delivered += run.came != 0;
        if (run.any_error_pin()) run.clear_error_pins();
    }
    EXPECT_GT(delivered, packets / 10);
    fmt::print("           {} packets, {} of them delivered\n", packets, delivered);
}

// All nodes at once, with stray acks among them; afterwards all is as before.
TEST_P(RandomHeader, crowd_leaves_a_machine_that_works) {
    const bool fast = GetParam().models == Models::Fast;
    const uint64_t packets =
        fast ? from_environment("RDT_PACKETS", GetParam().packets) : 10 * GetParam().packets;
    Headers run(seed_or(2), GetParam().models);
    for (uint64_t n = 0; n < packets;) {
        if (run.draw_sender()) {
            run.send();
            ++n;
        }
        if (run.chance(5)) run.send_stray();
        run.machine().clock();
        if (run.chance(50)) run.machine().clock();
    }
    run.settle(CrowdDrains);
    run.end_lanes();
    ASSERT_TRUE(run.settle(CrowdDrains + Forgotten)) << "stuck or circulating; seed=" << seed_or(2);
    EXPECT_GT(run.came, packets / 10);
    EXPECT_GT(run.reports, packets / 100);
    run.clear_error_pins();
    LoadOptions options;
    options.seed = seed_or(2);
    WatchedLoad load(run.machine(), options);
    const uint64_t from = run.machine().now();
    load.clocks(fast ? 5000 : 2000);
    EXPECT_GE(load.share(from + 500, run.machine().now() - 500), 0.99);
    EXPECT_TRUE(load.drain(5000));
    load.close();
    EXPECT_EQ(load.wrong(), "");
    fmt::print("           {} packets, {} copies and answers came, {} reports\n", packets, run.came,
               run.reports);
}

}  // namespace
}  // namespace rdt::tb
