// SPDX-License-Identifier: MIT
// The control side of the chips of a word: LOCAL, the ack table, the injector, time-outs. Most
// packets pass without it, so it is evaluated only in routers marked in Activity::control.
//
// In a cycle: hear(), collect(), inject(), then clock(), each after what it depends on.
#pragma once

#include <array>

#include <rdt/fast/activity.h>

namespace rdt::fast {

// Orders of the control side to inputs, lines and outputs in this cycle; none in routers where it
// is idle.
struct Orders {
    Ports control = 0;     // chips where it has
    Ports local_busy = 0;  // all bits of chips whose LOCAL does not rest
    Ports halted = 0;      // all bits of chips that are shot down
    Ports tick = 0;        // of time-outs, all bits
    Ports slow = 0;        // ... for credits that are away; in chips at rest too
    Ports reports = 0;     // all bits of chips whose LOCAL takes note of a time-out
    Ports no_local = 0;    // LOCAL takes no packet
    Ports dumping = 0;     // outputs to which a packet goes as it stands in the buffer
    Ports put = 0;         // inputs into which a dumped packet is put back
    Ports to_ack = 0;      // inputs whose time-out is taken note of
    Ports ack_take = 0;    // inputs whose landed ack is taken
    Ports ent_gnt = 0;     // inputs that get an entry of the ack table
    Ports retry_ack = 0;   // inputs whose multicast is answered RETRY
    Ports recall = 0;      // inputs whose MBP takes its packet back
    Ports drop = 0;        // all bits of chips whose packets are consumed when they time out

    // Inputs that may lose a packet to one of these.
    Ports consumers() const { return recall | (to_ack & drop); }
};

// Reports to LOCAL, by port.
struct Events {
    Ports body = 0;
    Ports frame = 0;
    Ports over = 0;
    Ports cred = 0;
    Ports owed = 0;
    Ports sync = 0;
    Ports sunk = 0;
    Ports any() const { return body | frame | over | cred | owed | sync | sunk; }
    void note(uint32_t i, const InputUnit::Events& e) {
        body |= Ports(e.body) << i;
        frame |= Ports(e.frame) << i;
        over |= Ports(e.over) << i;
    }
};

template <uint32_t NumChips>
class Control {
public:
    using W = Word<NumChips>;
    using AllBlocks = Blocks<NumChips>;
    using Active = Activity<NumChips>;

    // LOCAL's access to an input's buffers.
    const InputUnit::Shot& shot_of(uint32_t i, const Orders& orders) const {
        static const InputUnit::Shot run;
        return (orders.halted >> i & 1) != 0 ? m_shot[i] : run;
    }
    // Effect of the control side of a router in Orders::control on a waiting packet.
    uint32_t new_entry(uint32_t c) const { return m_sees[c].ack.ent_new; }
    bool tick_ent(uint32_t c) const { return m_sees[c].tick_ent; }

    // Inputs of LOCAL and its accesses to the buffers.
    void hear(Orders& orders, Ports shoot, Ports other_slice, AllBlocks& b, const Active& act) {
        for (const uint32_t first : each(orders.control)) {
            const uint32_t c = chip_of(first);
            Local& local = b.local[c];
            wake(c, b, act);
            Local::In& in = m_sees[c].local;
            in.shoot = (shoot >> first & 1) != 0;
            in.own_slice = b.arbiter[c].slice_after(b.now - act.arbiter_at[c]);
            in.slice = (other_slice >> first & 1) != 0;
            if (local.tick()) orders.tick |= all_bits(bit(first));
            if (local.drop()) orders.drop |= all_bits(bit(first));
            m_sees[c].tick_ent = local.tick_ent();
            if (local.at_rest()) continue;
            orders.local_busy |= all_bits(bit(first));
            if (local.dumping()) orders.dumping |= bit(first + PortM0);
            const bool halted = local.halt();
            if (local.receives()) read_for_local(c, in, b);
            if (halted || local.receives()) look(c, in, b);
            if (!halted) continue;
            orders.halted |= all_bits(bit(first));
            orders.put |= steer(c, in, b);
        }
    }

    // Reports of the inputs to LOCAL and the ack table, and their effects.
    void collect(Orders& orders, AllBlocks& b, const Active& act) {
        for (const uint32_t first : each(orders.control)) {
            const uint32_t c = chip_of(first);
            const bool halted = (orders.halted >> first & 1) != 0;
            Sees& s = m_sees[c];
            AckTable::In in;
            for (const uint32_t p : each(of_chip(act.needs_control, c)))
                collect(p, b.in[first + p], halted, in, s);
            if (!b.local[c].at_rest() || !b.ack[c].quiet(in.ack_v, in.ent_req))
                combine(c, in, s, b, act);
            const uint32_t retry_ack =
                s.inject.retry != 0 ? b.inject[c].retry_ack(s.inject.snd_v, s.inject.retry) : 0;
            s.local.ev_table = s.local.ev_table || retry_ack != 0;
            const uint32_t to_ack = b.local[c].to_ack(s.local.to_pend);
            orders.retry_ack |= at_chip(retry_ack, c);
            orders.ack_take |= at_chip(s.ack.ack_take, c);
            orders.ent_gnt |= at_chip(s.ack.ent_gnt, c);
            orders.to_ack |= at_chip(to_ack, c);
            if (to_ack != 0) orders.reports |= all_bits(bit(first));
            if (!b.local[c].x_gnt(s.local.to_pend)) orders.no_local |= bit(first + PortLocal);
        }
    }

    // Logic behind the crossbar.
    void inject(const Orders& orders, typename AllBlocks::AllOutputs::In& out, AllBlocks& b,
                const Active& act) {
        for (const uint32_t first : each(orders.control)) {
            const uint32_t c = chip_of(first);
            Sees& s = m_sees[c];
            if (!b.local[c].at_rest()) {
                const uint32_t credit = b.out.credit(c, act.sink);
                s.local.m_credit = (credit >> 3 * PortM0 & 1) | (credit >> 3 * PortM1 & 1) << 1;
                s.local.up = of_chip(b.lines.up(), c);
                s.inject.loc_want = b.local[c].loc_want(s.local.m_credit);
                s.inject.loc_x = b.local[c].loc_x(s.local.ctx, s.local.up);
            }
            s.injects = !b.inject[c].is_idle() || s.inject.is_something();
            if (!s.injects) continue;
            const uint32_t want = b.inject[c].want(s.inject);
            out.loc_want |= at_chip(want, c);
            out.loc_x[c] = b.inject[c].x(s.inject.loc_x);
            s.inject.gnt = of_chip(out.offer, c) & want;
            s.local.loc_gnt = b.inject[c].loc_gnt(s.inject);
            s.local.ev_lost = b.inject[c].ev_lost(s.inject);
            if (b.has_reduce) send_result(c, out, b);
        }
    }

    // `gnt` are the crossbar's outputs.
    void clock(Ports chips, Ports gnt, const Events& events, const Orders& orders, AllBlocks& b,
               const Active& act) {
        for (const uint32_t first : each(chips)) {
            const uint32_t c = chip_of(first);
            if ((orders.control >> first & 1) == 0) wake(c, b, act);
            Sees& s = m_sees[c];
            if (s.injects) b.inject[c].clock(s.inject);
            else b.inject[c].skip(1);
            Local::In& in = s.local;
            in.gnt = (gnt >> (first + PortLocal) & 1) != 0;
            in.gnt_mbp0 = (gnt >> (first + PortM0) & 1) != 0;
            in.ev_body = of_chip(events.body, c);
            in.ev_frame = of_chip(events.frame, c);
            in.ev_over = of_chip(events.over, c);
            in.ev_cred = of_chip(events.cred, c);
            in.ev_owed = of_chip(events.owed, c);
            in.ev_sync = of_chip(events.sync, c);
            in.ev_sunk = of_chip(events.sunk, c);
            if (in.to_pend != 0)
                in.to_vc = b.in[first + uint32_t(__builtin_ctz(in.to_pend))].timed_out();
            b.local[c].clock(in);
        }
    }

private:
    // The ack that the injector sends, or that is granted or dropped.
    void send_result(uint32_t c, typename AllBlocks::AllOutputs::In& out, AllBlocks& b) {
        const Sees& s = m_sees[c];
        Reduce& reduce = b.reduce[c];
        out.loc_x[c] ^= reduce.flip(b.now) * b.lanes;
        if (b.inject[c].q().st != Inject::Want) return;
        if (s.inject.gnt != 0) reduce.grant(b.now);
        else if (s.local.ev_lost) reduce.drop();
    }

    // Inputs of the control side blocks of one router in this cycle.
    struct Sees {
        Local::In local;
        Inject::In inject;
        AckTable::Out ack;
        bool injects = false;
        bool tick_ent = false;
    };

    void wake(uint32_t c, AllBlocks& b, const Active& act) {
        act.catch_up_control(c, b);
        m_sees[c] = Sees{};
    }

    // The flit on LOCAL's column of the crossbar and its input.
    static void read_for_local(uint32_t c, Local::In& in, const AllBlocks& b) {
        in.sel_port = uint32_t(__builtin_ctz(b.arbiter[c].q().xsel[PortLocal]));
        in.x = b.crossbar(c * PortBits + PortLocal);
        const InputUnit& unit = b.in[c * PortBits + in.sel_port];
        in.rd_err = unit.rd_err();
        in.rd_vc = unit.q().rd_vc;
    }

    // The buffer or ack table entry that LOCAL reads.
    static void look(uint32_t c, Local::In& in, const AllBlocks& b) {
        const SlotName slot = b.local[c].look();
        if (slot.exists()) {
            const uint32_t at = c * PortBits + slot.port;
            in.ctx = b.in[at].context(slot.vc);
            in.vacant = b.in[at].vacant(slot.vc, (b.lines.up() >> at & 1) != 0);
        }
        in.ent = b.ack[c].look(b.local[c].ent_tag());
    }

    // LOCAL's access to the buffers; returns the written port as a bit.
    Ports steer(uint32_t c, Local::In& in, const AllBlocks& b) {
        const Local& local = b.local[c];
        for (uint32_t p = 0; p < NumPorts; ++p) {
            InputUnit::Shot& s = m_shot[c * PortBits + p];
            s = {};
            s.halt = true;
        }
        InputUnit::Shot& mbp = m_shot[c * PortBits + PortM0];
        mbp.raw = local.raw();
        mbp.keep = local.keep();
        const SlotName slot = local.look();
        if (!slot.exists()) return 0;
        const uint32_t at = c * PortBits + slot.port;
        InputUnit::Shot& s = m_shot[at];
        s.look = 1u << slot.vc;
        s.dump = local.dump();
        if (local.q().st != Local::PutRx) return 0;
        s.put_we = local.put_we(in.rd_err);
        in.clash = b.in[at].clash(s, (b.lines.q().rx_valid >> at & 1) != 0);
        s.put_we = s.put_we && !in.clash;
        s.put_set = local.put_set(in.x, in.clash);
        mbp.free = local.give(in.x, in.clash);
        s.put_addr = local.q().ridx;
        s.put_d = stream_flit(in.x);
        s.put_ctx = local.put_ctx();
        return bit(at);
    }

    static void collect(uint32_t p, const InputUnit& unit, bool halted, AckTable::In& in, Sees& s) {
        if (unit.timed_out() != InputUnit::MaxVc) s.local.to_pend |= 1u << p;
        const InputUnit::Regs& q = unit.q();
        if (q.ack_v) {
            in.ack_v |= 1u << p;
            in.note[p] = q.ack;
            in.second[p] = q.second;
        }
        const uint32_t v = halted ? InputUnit::MaxVc : unit.without_entry();
        if (v == InputUnit::MaxVc) return;
        in.ent_req |= 1u << p;
        in.ent_set[p] = q.slot[v].pend & ~(1u << PortLocal);  // no ack comes from LOCAL
        in.ent_tag[p] = q.slot[v].tag;
        in.ent_class[p] = entry_class(p, v == TransferVc, in.ent_set[p]);
        if (unit.entry_aged()) in.ent_old |= 1u << p;
        if (unit.retry()) s.inject.retry |= 1u << p;
    }

    static void combine(uint32_t c, AckTable::In& in, Sees& s, AllBlocks& b, const Active& act) {
        const Local& local = b.local[c];
        AckTable& table = b.ack[c];
        in.put = local.ent_put(s.local.x);
        if (!in.put && table.quiet(in.ack_v, in.ent_req)) return;
        in.tick = local.tick_ack();
        in.end = local.ends_lane(s.local.x);
        if (in.tick)
            for (const uint32_t p : each(of_chip(act.waiting, c)))
                in.held |= b.in[c * PortBits + p].held();
        in.busy = b.inject[c].busy();
        in.look = local.ent_look(s.local.x);
        in.look_tag = local.ent_tag();
        in.put_h1 = local.ent_h1();
        in.put_h2 = Local::ent_h2(s.local.x);
        in.put_bank = local.ent_bank(s.local.x);
        s.ack = table.comb(in);
        Inject::In& inject = s.inject;
        inject.snd_v = s.ack.snd_v;
        inject.snd = s.ack.snd;
        inject.retry &= ~s.ack.ent_gnt;
        if (inject.retry != 0) inject.ent_tag = in.ent_tag;
        in.snd_take = b.inject[c].snd_take(s.ack.snd_v);
        s.local.ev_table = table.ev_table(in);
        s.local.stray = s.ack.stray;
        s.local.stray_port = s.ack.stray_port;
        s.local.stray_tag = s.ack.stray_tag;
        if (b.has_reduce) note_reduction(in, s.ack, b.now, b.reduce[c]);
        table.clock(in, s.ack);
    }

    // Before the table is clocked.
    static void note_reduction(const AckTable::In& in, const AckTable::Out& out, uint64_t now,
                               Reduce& reduce) {
        if (out.ack_take != 0 && !out.stray) {
            const auto port = uint32_t(__builtin_ctz(out.ack_take));
            if (in.note[port].tag == LaneTag) reduce.land(now, port);
        }
        if (in.snd_take && out.snd.tag == LaneTag) reduce.send(now);
        if (out.ent_gnt != 0 && out.ent_new == LaneTag) reduce.begin(now);
        if (in.put && in.look_tag == LaneTag) reduce.put_back(now);
    }

    std::array<Sees, NumChips> m_sees;             // inputs of routers in Orders::control
    std::array<InputUnit::Shot, W::Slots> m_shot;  // of halted chips
};

}  // namespace rdt::fast
