// SPDX-License-Identifier: MIT
// Random traffic into the input unit. block/input_unit_traffic.h gives the expected output; RTL and
// twin are compared in every cycle as well.
#include "block/input_unit_harness.h"

namespace rdt::tb {

using input_unit_random = BlockTest;

template <typename Bench>
void random_traffic(uint32_t num_vc, uint32_t in_port) {
    const TestRun run(100000);
    Harness<Bench> h(run, num_vc, in_port);
    while (h.b.clock() < run.cycles && !::testing::Test::HasFailure()) h.clock();
    EXPECT_GT(h.done, run.cycles / 100);
    EXPECT_GT(h.passes, h.done);
    EXPECT_LE(h.arrived - h.done, num_vc + 1);  // the rest is still there
    EXPECT_GT(h.copied, run.cycles / 200);
    for (uint64_t seen : {h.dropped, h.spoilt, h.errors, h.frames, h.bodies, h.timeouts, h.acks,
                          h.entries, h.dumped})
        EXPECT_GT(seen, run.cycles / 2000);
    EXPECT_GT(h.retries, 0u);
    if (in_port == PortM0) return;  // a packet restored there has come in through it
    for (uint64_t seen : {h.put, h.clashes, h.given_back}) EXPECT_GT(seen, run.cycles / 5000);
}

TEST_F(input_unit_random, packets_from_e0_leave_as_specified) { random_traffic<FromE0>(3, PortE0); }
TEST_F(input_unit_random, packets_from_n1_leave_as_specified) { random_traffic<FromN1>(2, PortN1); }
TEST_F(input_unit_random, packets_from_m0_leave_as_specified) { random_traffic<FromM0>(1, PortM0); }

// LOCAL, which keeps its rules: halts, dumps, puts back.
template <typename Bench>
class Shots {
public:
    Shots(Bench& bench, Dice& rng, uint32_t num_vc, uint32_t in_port)
        : b(bench), m_rng(rng), m_num_vc(num_vc), m_in_port(in_port) {}

    uint64_t dumped = 0, put = 0, kept = 0;

    // `arrives`: some flits of a packet have come, and others will.
    void drive(bool arrives) {
        b.put_we = b.put_set = 0;
        b.put_ctx = m_rng.bits(20);
        b.up = m_rng.chance(80);
        if (!b.rst_n()) {  // LOCAL is reset too
            b.halt = b.dump = 0;
            m_flits.clear();
            return;
        }
        if (b.dump()) return;
        if (m_in_port == PortM0) {
            b.raw = b.halt() && m_rng.chance(30);
            b.keep = b.halt() && m_rng.chance(20);
            b.free = b.halt() && m_rng.chance(2);
        }
        if (!m_flits.empty()) {
            put_on(arrives);
            return;
        }
        b.look = m_rng.chance(30) ? 0 : 1u << m_rng.below(m_num_vc);
        b.settle();
        const bool halted = b.halt() != 0;
        if (m_rng.below(1000) < (halted ? 20 : 3)) b.halt = !halted;
        if (!halted || !b.halt() || b.look() == 0 || m_rng.chance(70)) return;
        if (b.ctx() >> 20 != 0 && m_rng.chance(20)) {  // one came in where another comes back
            b.put_we = 1;
            b.put_addr = m_rng.bits(4);
            b.put_d = m_rng.bits(18);
        } else if (b.ctx() != 0 && (b.ctx() >> (9 + PortLocal) & 1) == 0) {
            b.dump = 1;
        } else if (b.vacant() && !arrives) {
            const Arrival a = Traffic{m_rng, PortE0}.make(0, {b.rank(), 0, 0}, 0, 0xF);
            if (a.is_ack || a.flits.size() > 16 || (a.flits[0] >> 10 & 15) + 1 != a.flits.size())
                return;
            m_flits = a.flits;
            m_k = 0;
        }
    }
    // After the clock: a dump that is granted is over.
    void clocked() {
        kept += b.keep() && b.gnt() != 0;
        if (!b.dump() || (b.gnt() >> PortM0 & 1) == 0) return;
        b.dump = 0;
        ++dumped;
    }

private:
    void put_on(bool arrives) {
        if (arrives || b.rx_valid()) {  // breaks it off
            b.put_we = 1;
            m_flits.clear();
            return;
        }
        b.put_we = 1;
        b.put_addr = m_k;
        b.put_d = m_flits[m_k];
        if (++m_k != m_flits.size()) return;
        const uint32_t type = uint32_t(m_flits[0]) >> 14 & 7;
        const bool mc = type >= TypeMcSm && type <= TypeMcLarp;
        const uint32_t tag = m_rng.bits(3);
        const uint32_t out = m_rng.below(10);
        const uint32_t vc = m_rng.below(out < 2 ? 3 : out < 8 ? 2 : 1);
        const uint32_t pend = mc ? (m_rng.bits(10) & m_rng.bits(10)) | 1u << out : 1u << out;
        b.put_ctx = pend << 9 | uint32_t(mc) << 8 | (mc ? m_rng.bits(4) : vc) << 4 | tag << 1 |
                    uint32_t(mc && tag != 0 && m_rng.chance(50));
        b.put_set = 1;
        m_flits.clear();
        ++put;
    }

    Bench& b;
    Dice& m_rng;
    uint32_t m_num_vc;
    uint32_t m_in_port;
    Flits m_flits;  // flits of the restored packet
    uint32_t m_k = 0;
};

// A neighbor that keeps no rule: packets without credits, restarts, gaps, any bits. The line
// promises flits without gaps (proven in rtl/rdt_link_io.svh), of which a header needs its own.
template <typename Bench>
void wild_neighbor(uint32_t num_vc, uint32_t in_port) {
    const TestRun run(100000);
    Bench b(run);
    Dice rng(run.seed);
    uint64_t grants = 0, entries = 0, retries = 0, acks = 0;
    uint32_t k = 0;
    uint32_t n = 0;
    Flits flits;
    Shots<Bench> shots(b, rng, num_vc, in_port);
    uint32_t percent_granted = 60;
    uint32_t load = 100;
    while (b.clock() < run.cycles) {
        if (rng.chance(1)) percent_granted = rng.pick({2, 60, 100});
        if (!b.rst_n()) b.rank = rng.bits(3);  // while no packet is there that was routed for it
        b.rst_n = !rng.chance(rng.chance(1) ? 20 : 0);
        if (rng.chance(1)) b.dateline = rng.bits(8);
        if (rng.chance(1)) b.mask = rng.bits(8);
        if (!b.rst_n()) b.ranks = rng.chance(50) ? 0xF : rng.bits(4);
        if (!b.rst_n()) k = n;  // the line is reset with the unit, so no packet continues behind it
        if (rng.chance(1)) load = rng.pick({3, 30, 100});
        if (k == n ? rng.chance(load) : rng.chance(2)) {
            flits = Traffic{rng, PortE0}.make(0, {b.rank(), 0, 0}, 0, b.ranks()).flits;
            n = rng.chance(70) ? uint32_t(flits.size()) : rng.between(3, 20);
            flits.resize(n, rng.bits(18));
            if (rng.chance(20)) flits[rng.below(3)] = rng.bits(18);
            b.rx_vc = rng.below(3);
            k = 0;
        }
        const bool in_header = k == 1 || k == 2;
        b.rx_valid = b.rst_n() && k != n && (in_header || rng.chance(90));
        b.rx_first = b.rx_valid() && k == 0;
        b.rx_last = b.rx_valid() && k + 1 == n;
        b.rx_d = k == n ? rng.bits(18) : flits[k];
        k += b.rx_valid();
        shots.drive(k != 0 && k != n);
        b.credit = rng.chance(50) ? 0x7FFFFFFF : rng.bits(31);
        b.settle();
        b.gnt = b.rst_n() && rng.chance(percent_granted) ? b.want() & rng.bits(11) : 0;
        b.tick_in = rng.chance(5);
        b.to_ack = b.to_pend() && rng.chance(50);
        b.tick_ent = rng.chance(20);
        b.slow = rng.chance(20);
        b.running = !rng.chance(5);
        b.drop = rng.chance(30);
        b.ack_take = rng.chance(10);
        b.ent_gnt = b.ent_req() && rng.chance(5);
        b.ent_new = rng.bits(3);
        b.retry_ack = b.retry() && !b.ent_gnt() && rng.chance(60);
        b.tick();
        shots.clocked();
        grants += b.gnt() != 0;
        entries += b.ent_gnt();
        retries += b.retry_ack();
        acks += b.ack_v();
    }
    EXPECT_GT(grants, run.cycles / 100);
    for (uint64_t seen : {entries, retries, acks}) EXPECT_GT(seen, run.cycles / 2000);
    for (uint64_t seen : {shots.dumped, shots.put}) EXPECT_GT(seen, run.cycles / 5000);
    EXPECT_EQ(shots.kept != 0, in_port == PortM0);
}

TEST_F(input_unit_random, models_match_with_random_pins_at_e0) { wild_neighbor<FromE0>(3, PortE0); }
TEST_F(input_unit_random, models_match_with_random_pins_at_n1) { wild_neighbor<FromN1>(2, PortN1); }
TEST_F(input_unit_random, models_match_with_random_pins_at_m0) { wild_neighbor<FromM0>(1, PortM0); }

}  // namespace rdt::tb
