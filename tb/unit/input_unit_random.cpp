// SPDX-License-Identifier: MIT
// Random traffic into the input unit. What must come out is known from
// unit/input_unit_traffic.h; RTL and twin are compared in every clock as well.
#include <optional>

#include "unit/input_unit_bench.h"
#include "unit/input_unit_traffic.h"

namespace rdt::tb {

using input_unit_random = BlockTest;

template <typename Bench>
class Harness {
public:
    Harness(const TestRun& run, uint32_t num_vc, uint32_t in_port)
        : b(run),
          m_rng(run.seed),
          m_traffic{m_rng, in_port},
          m_num_vc(num_vc),
          m_waiting(3),
          m_free_at(3) {}

    Bench b;
    uint64_t arrived = 0, dropped = 0, done = 0, passes = 0, copied = 0, errors = 0, frames = 0,
             bodies = 0, timeouts = 0, acks = 0, entries = 0, retries = 0;

    void clock() {
        if (m_rng.chance(1)) change_phase();
        if (m_rng.chance(10)) {
            uint32_t bits = 0;
            for (uint32_t i = 0; i < 31; ++i) bits |= uint32_t(m_rng.chance(m_credits)) << i;
            b.credit = bits;
        }
        const bool first = drive_flit();
        b.tick_in = m_rng.chance(3);
        b.to_ack = b.to_pend() && m_rng.chance(30);
        b.gnt = m_rng.chance(m_grants) ? some_of(b.want()) : 0;
        b.ack_take = b.ack_v() && m_rng.chance(50);
        answer_entry();
        b.settle();
        const bool lands = first && m_arriving->is_ack;
        const bool over = lands ? b.ack_v() && !b.ack_take() : first && m_drop;
        EXPECT_EQ(b.ev_over() != 0, over) << "clock " << b.clock();
        frames += b.ev_frame();
        bodies += b.ev_body();
        timeouts += b.to_ack();
        check_read();
        check_grant();
        const bool ack_left = b.ack_v() && !b.ack_take();
        b.tick();
        EXPECT_EQ(b.ack_v() != 0, lands || ack_left) << "clock " << b.clock();
        if (lands) {
            EXPECT_EQ(b.ack_tag() << 7 | b.ack_st(), m_arriving->flits[0] & 0x3BF);
            ++acks;
        }
        after_edge();
    }

private:
    void change_phase() {
        m_credits = m_rng.pick({0, 10, 60, 100});
        m_grants = m_rng.pick({3, 50, 100});
        m_load = m_rng.pick({5, 50, 100});
        m_entries = m_rng.pick({1, 30, 100});
        // Packets in the unit were routed for the place they are in.
        if (m_arriving || m_reading || m_waiting[0] || m_waiting[1] || m_waiting[2]) return;
        b.rank = m_place.rank = m_rng.below(6);
        b.xfer = m_place.xfer = m_rng.bits(4);
        b.dateline = m_place.dateline = m_rng.bits(8);
        b.mask = m_rng.chance(50) ? 0 : m_rng.bits(8);
    }

    uint32_t some_of(uint32_t outputs) {
        const uint32_t some = outputs & m_rng.bits(11);
        return some != 0 ? some : outputs;
    }

    // A packet on a VC whose buffer is free, or (to be dropped) on one that is taken or missing;
    // an ack on any.
    void choose() {
        const uint32_t vc = m_rng.below(3);
        const bool exists = vc < m_num_vc;
        const bool taken = exists && m_waiting[vc].has_value();
        m_drop = !exists || taken;
        if (m_drop ? !m_rng.chance(10) : b.clock() < m_free_at[vc]) return;
        m_arriving = m_traffic.make(vc, m_place, b.mask());
        m_k = 0;
        if (!m_arriving->is_ack) ++(m_drop ? dropped : arrived);
    }

    // Returns whether this is the first flit of a packet.
    bool drive_flit() {
        if (!m_arriving && m_rng.chance(m_load)) choose();
        b.rx_valid = m_arriving.has_value();
        b.rx_d = m_arriving ? m_arriving->flits[m_k] : m_rng.bits(18);
        b.rx_first = m_arriving && m_k == 0;
        b.rx_last = m_arriving && m_k + 1 == m_arriving->flits.size();
        if (m_arriving) b.rx_vc = m_arriving->vc;
        return m_arriving && m_k == 0;
    }

    // What the ack table does with the lowest VC that waits for an entry.
    void answer_entry() {
        b.ent_gnt = b.retry_ack = 0;
        b.tick_ent = m_rng.chance(5);
        m_asks = 0;
        while (m_asks < 3 && !(m_waiting[m_asks] && m_waiting[m_asks]->entry)) ++m_asks;
        EXPECT_EQ(b.ent_req() != 0, m_asks < 3) << "clock " << b.clock();
        if (m_asks == 3) return;
        const Arrival& a = *m_waiting[m_asks];
        EXPECT_EQ(b.ent_set(), a.pend);
        EXPECT_EQ(b.ent_tag(), a.above.tag);
        b.ent_new = m_rng.between(1, 7);
        if (m_rng.chance(m_entries)) b.ent_gnt = 1;
        else if (b.retry() && !still_arriving(m_asks)) b.retry_ack = m_rng.chance(20);
    }
    bool still_arriving(uint32_t vc) const { return m_arriving && !m_drop && m_arriving->vc == vc; }

    void check_grant() {
        EXPECT_EQ(b.cred_add(), b.retry_ack() ? 1u << m_asks : 0);
        if (b.want() == 0) return;
        const uint32_t vc = b.cred_vc();
        if (!m_waiting[vc]) throw std::logic_error("a packet is presented that is not there");
        const Arrival& a = *m_waiting[vc];
        EXPECT_FALSE(a.entry);
        EXPECT_EQ(b.want() & ~a.pend, 0u) << "clock " << b.clock();
        EXPECT_TRUE((b.want() & 0xF0) == 0 || (b.want() & ~0xF0u) == 0) << "clock " << b.clock();
        EXPECT_EQ(b.cred_ret() != 0, b.gnt() == a.pend) << "clock " << b.clock();
    }

    void check_read() {
        if (!m_reading) {
            EXPECT_EQ(b.rd_x(), 0u) << "clock " << b.clock();
            return;
        }
        const Arrival& a = *m_reading;
        EXPECT_EQ(b.rd_x() >> 18, stream_code_of(m_read, a.out_flits, a.pass_vc(m_up)))
            << "clock " << b.clock();
        if (m_read < a.exact) {
            EXPECT_EQ(b.rd_x() & 0x3FFFF, m_pass[m_read]) << "clock " << b.clock();
        }
        if (m_read < 3) {  // later the next packet may have been routed into the buffer
            EXPECT_EQ(b.rd_err(), a.error);
        }
        EXPECT_EQ(b.rd_vc(), a.vc);
        if (++m_read < a.out_flits) return;
        ++passes;
        copied += a.mc;
        errors += a.error != ErrNone;
        m_reading.reset();
    }

    void after_edge() {
        if (b.ent_gnt()) {
            m_waiting[m_asks]->enter(b.ent_new());
            ++entries;
        }
        if (b.retry_ack()) {
            m_waiting[m_asks].reset();
            m_free_at[m_asks] = b.clock() + 4;
            ++retries;
            ++done;
        }
        if (b.gnt()) begin_pass(b.rd_vc());  // after the edge of a grant rd_vc_o names the VC
        if (!m_arriving) return;
        ++m_k;
        if (m_k == 3 && !m_drop && !m_arriving->is_ack) m_waiting[m_arriving->vc] = m_arriving;
        if (m_k == m_arriving->flits.size()) m_arriving.reset();
    }

    void begin_pass(uint32_t vc) {
        if (!m_waiting[vc]) throw std::logic_error("a packet was granted that is not there");
        EXPECT_FALSE(m_reading);
        m_reading = m_waiting[vc];
        m_up = (b.gnt() & 0xF0) != 0;
        m_pass = m_reading->pass(m_up);
        m_read = 0;
        m_waiting[vc]->pend &= ~b.gnt();
        if (m_waiting[vc]->pend != 0) return;
        m_waiting[vc].reset();
        m_free_at[vc] = b.clock() + 4;
        ++done;
    }

    Random m_rng;
    Traffic m_traffic;
    uint32_t m_num_vc;
    Place m_place;
    uint32_t m_credits = 60;
    uint32_t m_grants = 50;
    uint32_t m_load = 50;
    uint32_t m_entries = 30;
    std::optional<Arrival> m_arriving;
    bool m_drop = false;
    uint32_t m_k = 0;
    std::vector<std::optional<Arrival>> m_waiting;  // by VC
    std::vector<uint64_t> m_free_at;  // by VC: clock from which a sender has the credit
    uint32_t m_asks = 3;              // VC that asks for an entry
    std::optional<Arrival> m_reading;
    Flits m_pass;
    bool m_up = false;
    uint32_t m_read = 0;
};

template <typename Bench>
void random_traffic(uint32_t num_vc, uint32_t in_port) {
    const TestRun run(100000);
    Harness<Bench> h(run, num_vc, in_port);
    while (h.b.clock() < run.cycles && !::testing::Test::HasFailure()) h.clock();
    EXPECT_GT(h.done, run.cycles / 100);
    EXPECT_GT(h.passes, h.done);
    EXPECT_LE(h.arrived - h.done, num_vc + 1);
    EXPECT_GT(h.copied, run.cycles / 200);
    for (uint64_t seen : {h.dropped, h.errors, h.frames, h.bodies, h.timeouts, h.acks, h.entries})
        EXPECT_GT(seen, run.cycles / 2000);
    EXPECT_GT(h.retries, 0u);
}

TEST_F(input_unit_random, what_arrives_on_e0_comes_out_right) { random_traffic<FromE0>(3, PortE0); }
TEST_F(input_unit_random, what_arrives_on_n1_comes_out_right) { random_traffic<FromN1>(2, PortN1); }
TEST_F(input_unit_random, what_arrives_on_m0_comes_out_right) { random_traffic<FromM0>(1, PortM0); }

// A neighbour that keeps no rule: packets without credits, restarts, gaps, any bits.
template <typename Bench>
void wild_neighbour() {
    const TestRun run(100000);
    Bench b(run);
    Random rng(run.seed);
    uint64_t grants = 0, entries = 0, retries = 0, acks = 0;
    uint32_t k = 0;
    uint32_t n = 0;
    Flits flits;
    uint32_t percent_granted = 60;
    while (b.clock() < run.cycles) {
        if (rng.chance(1)) percent_granted = rng.pick({2, 60, 100});
        if (!b.rst_n()) b.rank = rng.bits(3);  // while no packet is there that was routed for it
        b.rst_n = !rng.chance(rng.chance(1) ? 20 : 0);
        if (rng.chance(1)) b.dateline = rng.bits(8);
        if (rng.chance(1)) b.mask = rng.bits(8);
        if (!b.rst_n()) k = n;  // the line is reset with the unit, so no packet goes on behind it
        if (k == n || rng.chance(2)) {
            flits = Traffic{rng, PortE0}.make(0, {b.rank(), 0, 0}, 0).flits;
            n = rng.chance(70) ? uint32_t(flits.size()) : rng.between(3, 20);
            flits.resize(n, rng.bits(18));
            if (rng.chance(20)) flits[rng.below(3)] = rng.bits(18);
            b.rx_vc = rng.below(3);
            k = 0;
        }
        b.rx_valid = b.rst_n() && rng.chance(90);
        b.rx_first = b.rx_valid() && k == 0;
        b.rx_last = b.rx_valid() && k + 1 == n;
        b.rx_d = flits[k];
        k += b.rx_valid();
        b.credit = rng.chance(50) ? 0x7FFFFFFF : rng.bits(31);
        b.gnt = b.rst_n() && rng.chance(percent_granted) ? b.want() & rng.bits(11) : 0;
        b.tick_in = rng.chance(5);
        b.to_ack = b.to_pend() && rng.chance(50);
        b.tick_ent = rng.chance(20);
        b.ack_take = rng.chance(10);
        b.ent_gnt = b.ent_req() && rng.chance(10);
        b.ent_new = rng.bits(3);
        b.retry_ack = b.retry() && !b.ent_gnt() && rng.chance(30);
        b.tick();
        grants += b.gnt() != 0;
        entries += b.ent_gnt();
        retries += b.retry_ack();
        acks += b.ack_v();
    }
    EXPECT_GT(grants, run.cycles / 100);
    for (uint64_t seen : {entries, retries, acks}) EXPECT_GT(seen, run.cycles / 2000);
}

TEST_F(input_unit_random, wild_neighbour_lockstep_e0) { wild_neighbour<FromE0>(); }
TEST_F(input_unit_random, wild_neighbour_lockstep_n1) { wild_neighbour<FromN1>(); }
TEST_F(input_unit_random, wild_neighbour_lockstep_m0) { wild_neighbour<FromM0>(); }

}  // namespace rdt::tb
