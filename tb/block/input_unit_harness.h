// SPDX-License-Identifier: MIT
// Random traffic into an input unit, and what must come out of it by
// block/input_unit_traffic.h. From time to time the chip is halted, and packets
// are dumped and put back as LOCAL does it.
#pragma once

#include <optional>

#include "block/input_unit_bench.h"
#include "block/input_unit_traffic.h"

namespace rdt::tb {

template <typename Bench>
class Harness {
public:
    Harness(const TestRun& run, uint32_t num_vc, uint32_t in_port)
        : b(run), m_rng(run.seed), m_traffic{m_rng, in_port}, m_num_vc(num_vc) {}

    Bench b;
    uint64_t arrived = 0, dropped = 0, spoilt = 0, done = 0, passes = 0, copied = 0, errors = 0,
             frames = 0, bodies = 0, timeouts = 0, acks = 0, entries = 0, retries = 0, dumped = 0,
             put = 0, clashes = 0, given_back = 0;

    void clock() {
        if (m_rng.chance(1)) change_phase();
        if (m_rng.chance(10)) {
            uint32_t bits = 0;
            for (uint32_t i = 0; i < 31; ++i) bits |= uint32_t(m_rng.chance(m_credits)) << i;
            b.credit = bits;
        }
        b.up = m_rng.chance(80);
        const bool first = drive_flit();
        keep_or_put();
        b.tick_in = !b.halt() && m_rng.chance(3);
        b.to_ack = b.to_pend() && m_rng.chance(30);
        b.gnt = m_rng.chance(m_grants) ? some_of(b.want()) : 0;
        b.ack_take = b.ack_v() && m_rng.chance(50);
        answer_entry();
        b.settle();
        const bool lands = first && m_arriving->is_ack;
        const bool over = lands ? b.ack_v() && !b.ack_take() : first && m_drop;
        EXPECT_EQ(b.ev_over() != 0, over) << "cycle " << b.clock();
        EXPECT_EQ(b.bad() != 0, (over && !lands) || spoils()) << "cycle " << b.clock();
        frames += b.ev_frame();
        bodies += b.ev_body();
        timeouts += b.to_ack();
        check_state();
        check_read();
        check_grant();
        const bool ack_left = b.ack_v() && !b.ack_take();
        b.tick();
        EXPECT_EQ(b.ack_v() != 0, lands || ack_left) << "cycle " << b.clock();
        if (lands) {
            const uint32_t h0 = uint32_t(m_arriving->flits[0]);
            EXPECT_EQ(b.ack_tag() << 7 | b.ack_st(), h0 & 0x3BF);
            EXPECT_EQ(b.ack_gen(), m_traffic.in_port >= PortM0 ? h0 >> 10 & 15 : 0);
            ++acks;
        }
        after_edge();
    }

private:
    // A packet that was dumped, as LOCAL and MBP 0 have it.
    struct Dumped {
        Arrival packet;
        uint32_t context = 0;
        Flits flits;  // as read
    };

    bool is_empty() const {
        for (uint32_t v = 0; v < 3; ++v)
            if (m_waiting[v] || m_dumped[v]) return false;
        return !m_arriving && !m_reading;
    }
    void change_phase() {
        m_credits = m_rng.pick({0, 10, 60, 100});
        m_grants = m_rng.pick({3, 50, 100});
        m_load = m_rng.pick({5, 50, 100});
        m_entries = m_rng.pick({1, 30, 100});
        if (!is_empty()) return;  // packets in the unit were routed for the place they are in
        b.rank = m_place.rank = m_rng.below(6);
        b.xfer = m_place.xfer = m_rng.bits(4);
        b.dateline = m_place.dateline = m_rng.bits(8);
        b.mask = m_rng.chance(50) ? 0 : m_rng.bits(8);
        b.ranks = m_rng.chance(50) ? 0xF : m_rng.bits(4);
    }

    uint32_t some_of(uint32_t outputs) {
        const uint32_t some = outputs & m_rng.bits(11);
        return some != 0 ? some : outputs;
    }

    // A packet on a VC whose buffer is free, or (to be dropped) on one that is taken, promised or
    // missing; an ack on any.
    void choose() {
        const uint32_t vc = m_rng.below(3);
        const bool exists = vc < m_num_vc;
        m_drop = !exists || m_waiting[vc] || m_rsv[vc];
        if (m_drop ? !m_rng.chance(10) : b.clock() < m_free_at[vc]) return;
        m_arriving = m_traffic.make(vc, m_place, b.mask(), b.ranks());
        m_k = 0;
        if (m_arriving->is_ack) return;
        ++(m_drop ? dropped : m_arriving->is_spoilt() ? spoilt : arrived);
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
    bool spoils() const { return m_arriving && !m_drop && m_k == m_arriving->spoilt_at; }

    // LOCAL's part: halts, dumps what waits, puts it back, continues.
    void keep_or_put() {
        b.put_we = b.put_set = 0;
        b.put_addr = m_rng.bits(4);
        b.put_d = m_rng.bits(18);
        if (b.dump()) return;  // until it is granted
        if (!b.halt()) {
            b.look = m_rng.chance(50) ? 0 : 1u << m_rng.below(m_num_vc);
            b.halt = m_rng.below(1000) < 3;
            return;
        }
        if (m_putting) {
            put_on();
            return;
        }
        const uint32_t vc = m_rng.below(m_num_vc);
        b.look = 1u << vc;
        if (m_rng.chance(90)) return;
        if (m_rng.chance(10)) {
            b.halt = 0;
        } else if (m_dumped[vc] && !m_waiting[vc] && !(m_reading && m_reading->vc == vc)) {
            m_putting = vc;
            m_put_k = 0;
        } else if (m_waiting[vc] && !(m_waiting[vc]->pend >> PortLocal & 1)) {
            b.dump = 1;
        }
    }
    // The next flit of the packet that comes back. One that comes in on the line breaks it off.
    void put_on() {
        const Dumped& d = *m_dumped[*m_putting];
        b.put_we = 1;
        b.put_addr = m_put_k;
        b.put_d = d.flits[m_put_k];
        b.put_ctx = d.context & 0xFFFFF;
        ++m_put_k;
        b.put_set = m_put_k == d.flits.size() && !b.rx_valid();
        if (b.rx_valid()) ++clashes;
    }

    // Behavior of the ack table for the requesting VC: the first from m_turn.
    void answer_entry() {
        b.ent_gnt = b.retry_ack = 0;
        b.tick_ent = !b.halt() && m_rng.chance(5);
        b.slow = !b.halt() && m_rng.chance(5);
        m_asks = 3;
        for (uint32_t i = m_num_vc; i != 0; --i) {
            const uint32_t v = (m_turn + i - 1) % m_num_vc;
            if (m_waiting[v] && m_waiting[v]->entry) m_asks = v;
        }
        b.settle();
        EXPECT_EQ(b.ent_req() != 0, m_asks < 3 && !b.halt()) << "cycle " << b.clock();
        if (m_asks == 3) {
            m_waited = 0;
            return;
        }
        EXPECT_EQ(b.ent_old() != 0, !b.halt() && m_asks == m_counted && m_waited != 0);
        EXPECT_EQ(b.retry() != 0, !b.halt() && m_asks == m_counted && m_waited == 3);
        EXPECT_EQ(b.ent_vct() != 0, m_asks == 2);
        m_turn = (m_asks + 1) % m_num_vc;
        const Arrival& a = *m_waiting[m_asks];
        EXPECT_EQ(b.ent_set(), a.pend);
        EXPECT_EQ(b.ent_tag(), a.tag());
        if (b.halt()) return;
        b.ent_new = m_rng.between(1, 7);
        if (m_rng.chance(m_entries)) b.ent_gnt = 1;
        else if (b.retry() && !still_arriving(m_asks)) b.retry_ack = m_rng.chance(20);
    }
    // How long the VC that is counted has waited: a slow tick, then two of its own.
    void count_wait() {
        if (m_asks == 3) return;
        if (!m_waiting[m_counted] || !m_waiting[m_counted]->entry) m_counted = m_asks;
        const bool answered = (b.ent_gnt() || b.retry_ack()) && m_asks == m_counted;
        if (b.halt() || answered) m_waited = 0;
        else if (m_waited == 0) m_waited = b.slow() ? 1 : 0;
        else if (b.tick_ent() && m_waited < 3) ++m_waited;
    }
    bool still_arriving(uint32_t vc) const { return m_arriving && !m_drop && m_arriving->vc == vc; }

    void check_state() {
        uint32_t room = 0, held = 0, promised = 0;
        bool any = false;
        for (uint32_t v = 0; v < m_num_vc; ++v) {
            const auto& a = m_waiting[v];
            room |= uint32_t(!a && !m_rsv[v]) << v;
            promised |= uint32_t(m_rsv[v]) << v;
            any = any || a;
            if (a && a->mc && !a->entry && a->tag() != 0) held |= 1u << (a->tag() - 1);
        }
        EXPECT_EQ(b.room(), room) << "cycle " << b.clock();
        EXPECT_EQ(b.pkt() != 0, any) << "cycle " << b.clock();
        EXPECT_EQ(b.held(), held) << "cycle " << b.clock();
        EXPECT_EQ(b.cred_add(), (b.retry_ack() ? 1u << m_asks : 0) | (b.halt() ? 0 : promised));
        EXPECT_EQ(b.clash() != 0, b.put_we() && b.rx_valid());
        if (b.look() == 0) return;
        const auto v = uint32_t(__builtin_ctz(b.look()));
        const bool nobodys = m_rsv[v] || m_traffic.in_port >= PortM0 || !b.up();
        EXPECT_EQ(b.vacant() != 0, !m_waiting[v] && nobodys) << "cycle " << b.clock();
        EXPECT_EQ(b.ctx() >> 20 != 0, m_waiting[v].has_value()) << "cycle " << b.clock();
        if (!m_waiting[v]) return;
        const Arrival& a = *m_waiting[v];
        EXPECT_EQ(b.ctx() & ~(15u << 4),
                  1u << 20 | a.pend << 9 | uint32_t(a.mc) << 8 | a.tag() << 1 | a.entry);
    }

    // A dump has requested MBP 0 in the previous cycle, and still does.
    bool is_dump(uint32_t vc) const {
        return b.halt() && b.dump() && (b.look() >> vc & 1) != 0 && b.want() == 1u << PortM0;
    }
    void check_grant() {
        m_dumps = false;
        if (b.want() == 0) return;
        const uint32_t vc = b.cred_vc();
        if (!m_waiting[vc]) throw std::logic_error("a packet is presented that is not there");
        const Arrival& a = *m_waiting[vc];
        m_dumps = is_dump(vc);
        if (m_dumps) m_context = b.ctx();
        EXPECT_TRUE(!a.entry || m_dumps);
        const uint32_t may = m_dumps ? 1u << PortM0 : m_halted ? a.pend & 1u << PortLocal : a.pend;
        EXPECT_EQ(b.want() & ~may, 0u) << "cycle " << b.clock();
        EXPECT_TRUE((b.want() & 0xF0) == 0 || (b.want() & ~0xF0u) == 0) << "cycle " << b.clock();
        const bool back = m_dumps ? b.gnt() != 0 && m_traffic.in_port == PortM0 : b.gnt() == a.pend;
        EXPECT_EQ(b.cred_ret() != 0, back) << "cycle " << b.clock();
    }

    void check_read() {
        if (!m_reading) {
            EXPECT_EQ(b.rd_x(), 0u) << "cycle " << b.clock();
            return;
        }
        const Arrival& a = *m_reading;
        EXPECT_EQ(b.rd_x() >> 18, stream_code_of(m_read, a.out_flits, m_pass_vc))
            << "cycle " << b.clock();
        if (m_read < a.exact) {
            EXPECT_EQ(b.rd_x() & 0x3FFFF, m_pass[m_read]) << "cycle " << b.clock();
        }
        // Later the next packet may have been routed into the buffer; and a dump has no errors.
        if (m_read < 3 && !m_raw) {
            EXPECT_EQ(b.rd_err(), a.error);
        }
        EXPECT_EQ(b.rd_vc(), a.vc);
        if (m_raw && m_dumped[a.vc]) m_dumped[a.vc]->flits.push_back(b.rd_x() & 0x3FFFF);
        if (++m_read < a.out_flits) return;
        ++passes;
        copied += a.mc;
        errors += a.error != ErrNone;
        m_reading.reset();
    }

    void after_edge() {
        count_wait();
        if (b.ent_gnt()) {
            m_waiting[m_asks]->enter(b.ent_new());
            ++entries;
        }
        if (b.retry_ack()) {
            leave(m_asks);
            ++retries;
            ++done;
        }
        if (b.gnt()) begin_pass(b.rd_vc());  // after the edge of a grant rd_vc_o names the VC
        if (!b.halt()) give_back();
        if (b.put_set()) come_back(*m_putting);
        if (m_putting && (b.put_set() || (b.put_we() && b.rx_valid()))) m_putting.reset();
        m_halted = b.halt();
        if (!m_arriving) return;
        ++m_k;
        const bool is_packet = !m_drop && !m_arriving->is_ack && !m_arriving->is_spoilt();
        if (m_k == 3 && is_packet) m_waiting[m_arriving->vc] = m_arriving;
        if (m_k == m_arriving->flits.size()) m_arriving.reset();
    }

    void leave(uint32_t vc) {
        m_waiting[vc].reset();
        m_free_at[vc] = b.clock() + 4;
    }

    void begin_pass(uint32_t vc) {
        if (!m_waiting[vc]) throw std::logic_error("a packet was granted that is not there");
        EXPECT_FALSE(m_reading);
        m_reading = m_waiting[vc];
        m_read = 0;
        m_raw = m_dumps;
        if (m_dumps) {
            begin_dump(vc);
            return;
        }
        const bool up = (b.gnt() & 0xF0) != 0;
        m_pass = m_reading->pass(up);
        m_pass_vc = m_reading->pass_vc(up);
        m_waiting[vc]->pend &= ~b.gnt();
        if (m_waiting[vc]->pend != 0) return;
        leave(vc);
        ++done;
    }
    // Its buffer is promised to it, but for that of MBP 0, which needs its own to continue.
    void begin_dump(uint32_t vc) {
        m_pass = m_reading->flits;
        m_pass_vc = 0;
        ++dumped;
        const bool of_mbp_0 = m_traffic.in_port == PortM0;
        if (of_mbp_0) ++done;
        else m_dumped[vc] = Dumped{*m_waiting[vc], m_context, {}};
        m_rsv[vc] = !of_mbp_0;
        leave(vc);
        b.dump = 0;
    }
    void come_back(uint32_t vc) {
        m_waiting[vc] = m_dumped[vc]->packet;
        m_waiting[vc]->flits = m_dumped[vc]->flits;
        m_waiting[vc]->exact = m_waiting[vc]->out_flits;
        m_dumped[vc].reset();
        m_rsv[vc] = false;
        ++put;
    }
    void give_back() {
        for (uint32_t v = 0; v < 3; ++v) {
            if (!m_rsv[v]) continue;
            m_rsv[v] = false;
            m_dumped[v].reset();
            m_free_at[v] = b.clock() + 4;
            ++given_back;
            ++done;
        }
    }

    Dice m_rng;
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
    std::array<std::optional<Arrival>, 3> m_waiting;  // by VC
    std::array<uint64_t, 3> m_free_at{};  // by VC: cycle from which a sender has the credit
    uint32_t m_asks = 3;                  // VC that requests an entry
    uint32_t m_turn = 0;
    uint32_t m_counted = 0;  // VC whose wait for an entry is counted,
    uint32_t m_waited = 0;   // ... in ticks
    bool m_halted = false;   // in the cycle before
    std::array<std::optional<Dumped>, 3> m_dumped;
    std::array<bool, 3> m_rsv{};
    std::optional<uint32_t> m_putting;
    uint32_t m_put_k = 0;
    bool m_dumps = false;    // the grant of this cycle is for a dump
    uint32_t m_context = 0;  // of that packet
    std::optional<Arrival> m_reading;
    Flits m_pass;
    uint32_t m_pass_vc = 0;
    bool m_raw = false;
    uint32_t m_read = 0;
};

}  // namespace rdt::tb
