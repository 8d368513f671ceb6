// SPDX-License-Identifier: MIT
// Router chips, up to four of them side by side: twin of rtl/rdt_router.sv. One clock() is one
// clock of all blocks, evaluated from what arrives to what leaves.
//
// Ports where nothing happens cost nothing, and what is done for all ports of a word at once costs
// four chips no more than one. The chips of a word know nothing of each other.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "fast/arbiter.h"
#include "fast/chip_state.h"
#include "fast/crossbar.h"
#include "fast/output_unit.h"

namespace rdt::fast {

template <uint32_t NumChips>
class Chips {
public:
    static constexpr uint32_t Slots = NumChips * PortBits;  // bits of a word that are in use

    // One chip, or with TwoLanes a node of two slices as one unit.
    explicit Chips(flit_t lanes = OneLane)
        : m_lines({{ports_with(0), ports_with(1), ports_with(2)},
                   all_ports([](uint32_t p) { return has_priority(p); }),
                   all_ports([](uint32_t p) { return !is_network(p); }),
                   lanes}),
          m_out(outputs(lanes)),
          m_lanes(lanes),
          m_local(filled<Local, NumChips>([lanes](size_t) { return Local(lanes); })),
          m_inject(filled<Inject, NumChips>([lanes](size_t) { return Inject(lanes); })),
          m_in(filled<InputUnit, Slots>([lanes](size_t i) {
              const uint32_t p = port_of(uint32_t(i));
              return InputUnit(vcs_of(p), p, lanes);
          })) {
        reset();
    }

    void reset() {
        m_lines.reset();
        m_out.reset();
        m_act = Activity{};
        for (uint32_t c = 0; c < NumChips; ++c) {
            m_arbiter[c].reset();
            m_local[c].reset();
            m_ack[c].reset();
            m_inject[c].reset();
            note_chip(c);
        }
        for (InputUnit& i : m_in) i.reset();
    }

    // Pins as registered by the last clock(), of all ports at once.
    const TwoBits& req() const { return m_out.q().req; }
    const TwoBits& cred() const { return m_lines.q().cred; }
    Ports oe() const { return m_out.q().oe; }
    flit_t d(uint32_t p) const { return m_out.q().d[p]; }
    LinkPinsOut pins(uint32_t p) const {
        return {d(p), (oe() >> p & 1) != 0, req().of(p), cred().of(p)};
    }
    bool err(uint32_t chip) const { return m_local[chip].err(); }
    bool slice(uint32_t chip) const {
        return m_arbiter[chip].slice_after(m_now - m_act.granted[chip]);
    }

    LinkIo::Regs link(uint32_t p) const { return LinkIo::regs_of(m_lines.q(), p); }
    const InputUnit& input(uint32_t p) const { return m_in[p]; }
    uint32_t credits(uint32_t chip) const { return m_out.q().credit[chip]; }
    const Local& local(uint32_t chip) const { return m_local[chip]; }
    const AckTable& ack(uint32_t chip) const { return m_ack[chip]; }
    const Inject& inject(uint32_t chip) const { return m_inject[chip]; }

    // Nothing is held, under way or owed: as long as no pin changes, skip() may stand for any
    // number of clocks. A link that is off, or whose other end is, calls all the time and is quiet.
    template <typename Pins>
    bool quiet(const Pins& pins) const {
        return (m_act.restless | m_act.reading | m_act.waiting | m_act.dirty | m_act.wanted) == 0 &&
               m_act.next_tick == Never && m_out.quiet(m_lines.up()) &&
               m_lines.quiet(seen_by_lines(pins));
    }
    void skip(uint64_t clocks) { m_now += clocks; }

    // `pins` has req and cred of the other ends of all links, d(port), and shoot and slice, one
    // bit a chip; driven(port, flit) tells what is on D afterwards.
    template <typename Pins>
    void clock(const Pins& pins) {
        Round round;
        round.restless = m_act.restless | pins.shoot;
        if (m_now >= m_act.next_tick) find_ticks(round);
        if (m_now >= m_act.next_slow) round.slow = find_slow();
        if (round.restless != 0) hear_local(round, pins.shoot, pins.slice);

        const typename AllLines::Regs& lines = m_lines.q();

        // What arrives, and what the inputs ask for.
        const Ports body =
            lines.rx_valid & ~lines.rx_first & ~lines.rx_last & m_act.stores & ~round.halted;
        const Ports heads = lines.rx_valid & ~body;
        Ports fresh = 0;
        Ports eventful = 0;
        Ports bad = 0;  // links that have to start anew
        for (const uint32_t i : each(heads)) {
            const Ports found = m_in[i].look_at(rx_of(i), route_of(i), shot_of(i, round));
            fresh |= (found & InputUnit::Fresh) << i;
            eventful |= (found >> 1 & 1) << i;
            bad |= (found >> 2) << i;
        }
        static_assert(InputUnit::Fresh == 1 && InputUnit::Eventful == 2 && InputUnit::Bad == 4);
        const Ports dirty =
            ((m_act.dirty | round.busy) & m_act.waiting) | fresh | round.put | look_for_credits();
        Ports cand_any = m_act.wanted;
        if (dirty != 0) cand_any = present(dirty, round);

        // Acks: what has landed, who gets an entry, what is to be sent.
        if (round.restless != 0) collect(round);
        Events events;
        for (const uint32_t i : each(eventful))
            note(events, i, m_in[i].events((round.ack_take >> i & 1) != 0));

        // Lines and crossbar, in the same clock.
        typename AllLines::In line = seen_by_lines(pins);
        line.bad = bad;
        line.slow = round.slow;
        const typename AllLines::Next next = m_lines.look(line);
        events.sync = next.ev_sync;
        typename Outs::In out;
        tell_outputs(next, out);
        if (round.restless != 0) inject(round, out);
        const Ports xb_gnt =
            OutputUnit::xb_gnt(out.offer, out.loc_want) | (LocalPorts & ~round.no_local);
        Ports granted = 0;  // inputs
        Ports gnt = 0;      // outputs and LOCAL
        if ((xb_gnt & m_act.wanted) != 0) granted = grant(xb_gnt, gnt);

        // Outputs, with what the selected inputs read.
        out.gnt = gnt & AllPorts;
        out.cand_any = cand_any & AllPorts;
        out.body = m_act.body_out;
        out.cred = pins.cred;
        out.rank = m_act.rank;
        out.gen = m_act.gen;
        out.tick = round.tick & AllPorts;
        out.slow = round.slow & AllPorts;
        out.sink = m_act.sink;
        out.raw = round.dumping;
        const auto x_of = [this](uint32_t o) { return crossbar(o); };
        const Ports reading = m_act.reading & ~m_act.body;
        Ports opened = 0;
        m_out.clock(
            out, x_of, [this, &opened](auto&& drive) { return move(drive, opened); },
            [&pins](uint32_t o, flit_t flit) { pins.driven(o, flit); });
        events.cred = m_out.events().cred;
        events.owed = m_out.events().owed;
        events.sunk = m_out.events().sunk;
        if (granted != 0) clock_arbiters(granted);

        // Inputs, after all that depends on what they held.
        for (const uint32_t i : each(reading)) {
            m_in[i].read_on();
            follow_pass(i);
            opened |= Ports(m_in[i].opens()) << i;
        }
        if (body != 0) events.body |= store(body);
        clock_lines(pins, next, granted, round);
        Ports acting =
            fresh | granted | m_act.special | round.put |
            ((round.halted | round.tick | round.told) & (m_act.waiting | m_act.reading | dirty));
        for (const uint32_t i : each(heads & ~acting)) {
            if (!m_in[i].is_plain()) {
                acting |= bit(i);
                continue;
            }
            m_in[i].take();
            set_bit(m_act.stores, i, m_in[i].stores());
        }
        const Ports clocked = round.restless | chips_with((gnt & LocalPorts) | events.any());
        if (clocked != 0) clock_local(clocked, gnt, events, round);
        ++m_now;
        m_act.dirty = opened;
        if ((dirty | acting) != 0) act(dirty, acting, granted, round);
        for (const uint32_t p : each(clocked)) note_chip(chip_of(p));
        // LOCAL may put an entry back, in a chip that runs too.
        for (const uint32_t p : each(chips_with(round.ent_gnt) | (round.busy & AllChips)))
            m_act.gen[chip_of(p)] = m_ack[chip_of(p)].gens();
    }

private:
    using AllLines = Lines<Slots>;
    using Outs = Outputs<Slots>;
    static constexpr uint64_t Never = ~uint64_t(0);
    // Sets of chips have the bit of each chip's port 0.
    static constexpr Ports AllChips = 0x0001000100010001 & ((Ports(1) << (Slots - 1)) * 2 - 1);
    static constexpr Ports all_bits(Ports chips) { return chips * AllOfChip; }
    static constexpr Ports AllPorts = AllChips * ((1u << NumPorts) - 1);
    static constexpr Ports LocalPorts = AllChips << PortLocal;

    // Where something is under way, so that all else costs nothing. All of it follows from the
    // registers of the blocks.
    struct Activity {
        Ports reading = 0;   // inputs that a packet leaves
        Ports body = 0;      // ... behind its header
        Ports body_out = 0;  // outputs to which that goes
        Ports waiting = 0;   // inputs that hold one
        Ports special = 0;   // ... where it may do more than wait for credits and pass on
        Ports reserved = 0;  // ... that keep a buffer for one that was dumped
        Ports stores = 0;    // inputs to which the body of one comes
        Ports dirty = 0;     // ... that may present something else than they did
        Ports wanted = 0;    // outputs
        Ports link_en = 0;
        Ports sink = 0;      // all bits of chips whose dead outputs consume packets
        Ports restless = 0;  // chips that do more than let packets pass
        uint64_t next_tick = Never;
        uint64_t next_slow = Never;
        std::array<uint32_t, NumChips> local_credit{};
        std::array<uint8_t, NumChips> rank{};
        std::array<uint32_t, NumChips> gen{};                  // of the ack entries, 4 bits each
        std::array<uint64_t, NumChips> granted{};              // clocks that the arbiter has seen
        std::array<std::array<uint64_t, 2>, NumChips> held{};  // ... of an MBP's packet that waits
        std::array<uint64_t, NumChips> rested{};               // ... and LOCAL and the injector
        std::array<uint64_t, NumChips> tick_at{};
        std::array<uint64_t, NumChips> slow_at{};
        std::array<Arbiter::Wants, NumChips> wants{};
        std::array<uint16_t, Slots> pass{};        // outputs that each input's packet leaves by
        std::array<uint16_t, Slots> pend{};        // ... and that its packets wait for
        std::array<uint16_t, Slots> waited_for{};  // the other way round: inputs, by output
    };
    // By port.
    struct Events {
        Ports body = 0;
        Ports frame = 0;
        Ports over = 0;
        Ports cred = 0;
        Ports owed = 0;
        Ports sync = 0;
        Ports sunk = 0;
        Ports any() const { return body | frame | over | cred | owed | sync | sunk; }
    };
    // What LOCAL, acks and time-outs add to a clock.
    struct Round {
        Ports restless = 0;  // chips where there is any of it
        Ports busy = 0;      // all bits of chips whose LOCAL does not rest
        Ports halted = 0;
        Ports tick = 0;
        Ports slow = 0;      // ... for credits that are away; in chips at rest too
        Ports told = 0;      // ... whose LOCAL takes note of a time-out
        Ports no_local = 0;  // LOCAL takes no packet
        Ports dumping = 0;
        Ports put = 0;
        Ports to_ack = 0;
        Ports ack_take = 0;
        Ports ent_gnt = 0;
        Ports retry_ack = 0;
    };
    // The same of one chip.
    struct Extra {
        Local::In local;
        Inject::In inject;
        AckTable::Out ack;
        bool injects = false;
        bool tick_ent = false;
    };

    template <typename Block, size_t Number, typename Make, size_t... I>
    static std::array<Block, Number> filled(Make&& make, std::index_sequence<I...>) {
        return {make(I)...};
    }
    template <typename Block, size_t Number, typename Make>
    static std::array<Block, Number> filled(Make&& make) {
        return filled<Block, Number>(make, std::make_index_sequence<Number>{});
    }
    template <typename Is>
    static Ports all_ports(Is&& is) {
        Ports ports = 0;
        for (uint32_t p = 0; p < NumPorts; ++p) ports |= Ports(is(p)) << p;
        return ports * AllChips;
    }
    static Ports ports_with(uint32_t vc) {
        return all_ports([vc](uint32_t p) { return vcs_of(p) > vc; });
    }
    static typename Outs::Params outputs(flit_t lanes) {
        typename Outs::Params params;
        params.lanes = lanes;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            params.port[p] = uint8_t(p);
            params.num_vc[p] = uint8_t(vcs_of(p));
        }
        return params;
    }
    static Ports chips_with(Ports ports) {
        Ports chips = 0;
        for (; ports != 0; ports &= ~all_bits(chips))
            chips |= bit(uint32_t(__builtin_ctzll(ports)) & ~(PortBits - 1));
        return chips;
    }

    // After anything that LOCAL, the ack table or the injector did.
    void note_chip(uint32_t c) {
        const Local& local = m_local[c];
        const Config& cfg = local.config();
        const auto replace = [c](Ports& ports, Ports value) {
            ports = (ports & ~at_chip(AllOfChip, c)) | at_chip(value, c);
        };
        replace(m_act.link_en, cfg.link | 3u << PortM0);
        const bool calm = of_chip(m_act.special, c) == 0 && local.at_rest() &&
                          m_inject[c].is_idle() && m_ack[c].quiet(0, 0);
        replace(m_act.restless, calm ? 0 : 1);
        replace(m_act.sink, local.sink() ? AllOfChip : 0);
        m_act.local_credit[c] = local.takes_any() ? InputUnit::LocalCredit : 0;
        m_act.dirty |= at_chip(AllOfChip, c);
        m_act.rank[c] = uint8_t(cfg.route.rank);
        m_act.rested[c] = m_now;
        m_act.tick_at[c] = cfg.timeout != 0 ? m_now + local.q().cnt.left : Never;
        m_act.next_tick = earliest(m_act.tick_at);
        m_act.slow_at[c] = local.halt() ? Never : m_now + local.q().cnt_slow.left;
        m_act.next_slow = earliest(m_act.slow_at);
    }
    static uint64_t earliest(const std::array<uint64_t, NumChips>& times) {
        uint64_t first = Never;
        for (const uint64_t at : times)
            if (at < first) first = at;
        return first;
    }

    InputUnit::Rx rx_of(uint32_t i) const {
        const auto& q = m_lines.q();
        return {(q.rx_valid >> i & 1) != 0, (q.rx_first >> i & 1) != 0, (q.rx_last >> i & 1) != 0,
                q.rx_vc.of(i), q.rx_d[i]};
    }
    const RouteConfig& route_of(uint32_t i) const { return m_local[chip_of(i)].config().route; }
    const InputUnit::Shot& shot_of(uint32_t i, const Round& round) const {
        static const InputUnit::Shot run;
        return (round.halted >> i & 1) != 0 ? m_shot[i] : run;
    }

    // LOCAL.

    void find_ticks(Round& round) const {
        for (uint32_t c = 0; c < NumChips; ++c)
            if (m_now >= m_act.tick_at[c]) round.restless |= at_chip(1, c);
    }
    // Those of the wait for credits do not wake LOCAL, and pass unseen while all is quiet.
    Ports find_slow() {
        Ports ticks = 0;
        for (uint32_t c = 0; c < NumChips; ++c) {
            uint64_t& at = m_act.slow_at[c];
            if (at > m_now) continue;
            if ((m_now - at) % SlowTick == 0) ticks |= at_chip(AllOfChip, c);
            at += ((m_now - at) / SlowTick + 1) * SlowTick;
        }
        m_act.next_slow = earliest(m_act.slow_at);
        return ticks;
    }

    // What has been missed while nothing happened.
    void wake_local(uint32_t c) {
        m_local[c].skip(m_now - m_act.rested[c]);
        m_inject[c].skip(m_now - m_act.rested[c]);
        m_extra[c] = Extra{};
    }

    // What LOCAL sees and what it does to the buffers.
    void hear_local(Round& round, Ports shoot, Ports other_slice) {
        for (const uint32_t first : each(round.restless)) {
            const uint32_t c = chip_of(first);
            Local& local = m_local[c];
            wake_local(c);
            Local::In& in = m_extra[c].local;
            in.shoot = (shoot >> first & 1) != 0;
            in.own_slice = slice(c);
            in.slice = (other_slice >> first & 1) != 0;
            if (local.tick()) round.tick |= all_bits(bit(first));
            m_extra[c].tick_ent = local.tick_ent();
            if (local.at_rest()) continue;
            round.busy |= all_bits(bit(first));
            if (local.dumping()) round.dumping |= bit(first + PortM0);
            const bool halted = local.halt();
            if (local.receives()) read_for_local(c, in);
            if (halted || local.receives()) look(c, in);
            if (!halted) continue;
            round.halted |= all_bits(bit(first));
            round.put |= steer(c, in);
        }
    }

    // The flit on LOCAL's column of the crossbar and who sends it.
    void read_for_local(uint32_t c, Local::In& in) const {
        in.sel_port = uint32_t(__builtin_ctz(m_arbiter[c].q().xsel[PortLocal]));
        in.x = crossbar(c * PortBits + PortLocal);
        const InputUnit& unit = m_in[c * PortBits + in.sel_port];
        in.rd_err = unit.rd_err();
        in.rd_vc = unit.q().rd_vc;
    }

    // What LOCAL looks at: a buffer, an entry of the ack table.
    void look(uint32_t c, Local::In& in) const {
        const SlotName slot = m_local[c].look();
        if (slot.exists()) {
            const uint32_t at = c * PortBits + slot.port;
            in.ctx = m_in[at].context(slot.vc);
            in.vacant = m_in[at].vacant(slot.vc, (m_lines.up() >> at & 1) != 0);
        }
        in.ent = m_ack[c].look(m_local[c].ent_tag());
    }

    // What LOCAL does to the buffers; returns the port that is written to, as a bit.
    Ports steer(uint32_t c, Local::In& in) {
        const Local& local = m_local[c];
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
        in.clash = InputUnit::clash(s, (m_lines.q().rx_valid >> at & 1) != 0);
        s.put_set = local.put_set(in.x, in.clash);
        mbp.free = local.give(in.x, in.clash);
        s.put_addr = local.q().ridx;
        s.put_d = stream_flit(in.x);
        s.put_ctx = local.put_ctx();
        return bit(at);
    }

    // What the inputs tell LOCAL and the ack table, and what becomes of it.
    void collect(Round& round) {
        for (const uint32_t first : each(round.restless)) {
            const uint32_t c = chip_of(first);
            const bool halted = (round.halted >> first & 1) != 0;
            Extra& e = m_extra[c];
            AckTable::In in;
            for (const uint32_t p : each(of_chip(m_act.special, c)))
                collect(p, m_in[first + p], halted, in, e);
            if (!m_local[c].at_rest() || !m_ack[c].quiet(in.ack_v, in.ent_req)) combine(c, in, e);
            const uint32_t retry_ack =
                e.inject.retry != 0 ? m_inject[c].retry_ack(e.inject.snd_v, e.inject.retry) : 0;
            e.local.ev_table = e.local.ev_table || retry_ack != 0;
            const uint32_t to_ack = m_local[c].to_ack(e.local.to_pend);
            round.retry_ack |= at_chip(retry_ack, c);
            round.ack_take |= at_chip(e.ack.ack_take, c);
            round.ent_gnt |= at_chip(e.ack.ent_gnt, c);
            round.to_ack |= at_chip(to_ack, c);
            if (to_ack != 0) round.told |= all_bits(bit(first));
            if (!m_local[c].x_gnt(e.local.to_pend)) round.no_local |= bit(first + PortLocal);
        }
    }
    static void collect(uint32_t p, const InputUnit& unit, bool halted, AckTable::In& in,
                        Extra& e) {
        if (unit.timed_out() != InputUnit::MaxVc) e.local.to_pend |= 1u << p;
        const InputUnit::Regs& q = unit.q();
        if (q.ack_v) {
            in.ack_v |= 1u << p;
            in.note[p] = q.ack;
        }
        const uint32_t v = halted ? InputUnit::MaxVc : unit.without_entry();
        if (v == InputUnit::MaxVc) return;
        in.ent_req |= 1u << p;
        in.ent_set[p] = q.slot[v].pend & ~(1u << PortLocal);  // no ack comes from LOCAL
        in.ent_tag[p] = q.slot[v].tag;
        if (unit.retry()) e.inject.retry |= 1u << p;
    }

    void combine(uint32_t c, AckTable::In& in, Extra& e) {
        const Local& local = m_local[c];
        AckTable& table = m_ack[c];
        in.put = local.ent_put(e.local.x);
        if (!in.put && table.quiet(in.ack_v, in.ent_req)) return;
        in.tick = local.tick_ack();
        if (in.tick)
            for (const uint32_t p : each(of_chip(m_act.waiting, c)))
                in.held |= m_in[c * PortBits + p].held();
        in.busy = m_inject[c].busy();
        in.look = local.ent_look(e.local.x);
        in.look_tag = local.ent_tag();
        in.put_h1 = local.ent_h1();
        in.put_h2 = Local::ent_h2(e.local.x);
        e.ack = table.comb(in);
        Inject::In& inject = e.inject;
        inject.snd_v = e.ack.snd_v;
        inject.snd = e.ack.snd;
        inject.retry &= ~e.ack.ent_gnt;
        if (inject.retry != 0) inject.ent_tag = in.ent_tag;
        in.snd_take = m_inject[c].snd_take(e.ack.snd_v);
        e.local.ev_table = table.ev_table(in);
        e.local.stray = e.ack.stray;
        e.local.stray_port = e.ack.stray_port;
        e.local.stray_tag = e.ack.stray_tag;
        table.clock(in, e.ack);
    }

    // What goes behind the crossbar.
    void inject(const Round& round, typename Outs::In& out) {
        for (const uint32_t first : each(round.restless)) {
            const uint32_t c = chip_of(first);
            Extra& e = m_extra[c];
            if (!m_local[c].at_rest()) {
                const uint32_t credit = m_out.credit(c, m_act.sink);
                e.local.m_credit = (credit >> 3 * PortM0 & 1) | (credit >> 3 * PortM1 & 1) << 1;
                e.local.up = of_chip(m_lines.up(), c);
                e.inject.loc_want = m_local[c].loc_want(e.local.m_credit);
                e.inject.loc_x = m_local[c].loc_x(e.local.ctx, e.local.up);
            }
            e.injects = !m_inject[c].is_idle() || e.inject.is_something();
            if (!e.injects) continue;
            const uint32_t want = m_inject[c].want(e.inject);
            out.loc_want |= at_chip(want, c);
            out.loc_x[c] = m_inject[c].x(e.inject.loc_x);
            e.inject.gnt = uint32_t(OutputUnit::loc_gnt(of_chip(out.offer, c), want));
            e.local.loc_gnt = m_inject[c].loc_gnt(e.inject);
            e.local.ev_lost = m_inject[c].ev_lost(e.inject);
        }
    }

    void clock_local(Ports chips, Ports gnt, const Events& events, const Round& round) {
        for (const uint32_t first : each(chips)) {
            const uint32_t c = chip_of(first);
            if ((round.restless >> first & 1) == 0) wake_local(c);
            Extra& e = m_extra[c];
            if (e.injects) m_inject[c].clock(e.inject);
            else m_inject[c].skip(1);
            Local::In& in = e.local;
            in.gnt = (gnt >> (first + PortLocal) & 1) != 0;
            in.gnt8 = (gnt >> (first + PortM0) & 1) != 0;
            in.ev_body = of_chip(events.body, c);
            in.ev_frame = of_chip(events.frame, c);
            in.ev_over = of_chip(events.over, c);
            in.ev_cred = of_chip(events.cred, c);
            in.ev_owed = of_chip(events.owed, c);
            in.ev_sync = of_chip(events.sync, c);
            in.ev_sunk = of_chip(events.sunk, c);
            if (in.to_pend != 0)
                in.to_vc = m_in[first + uint32_t(__builtin_ctz(in.to_pend))].timed_out();
            m_local[c].clock(in);
        }
    }

    // The way of packets.

    // Inputs that wait for an output whose credits have changed.
    Ports look_for_credits() const {
        Ports found = 0;
        for (const uint32_t o : each(m_out.touched()))
            found |= at_chip(m_act.waited_for[o], chip_of(o));
        return found;
    }
    uint32_t credit_of(uint32_t c) const {
        return m_out.credit(c, m_act.sink) | m_act.local_credit[c];
    }

    // Inputs whose packets, or credits for them, have changed; returns what all ask for.
    Ports present(Ports inputs, const Round& round) {
        Ports changed = 0;
        for (const uint32_t i : each(inputs)) {
            const uint32_t c = chip_of(i);
            uint32_t credit = credit_of(c);
            if ((round.busy >> i & 1) != 0 && port_of(i) == PortM0 && m_local[c].only8())
                credit |= InputUnit::LocalCredit;
            const uint32_t cand = m_in[i].present(credit, shot_of(i, round));
            changed |= Ports(cand != m_act.wants[c][port_of(i)]) << i;
        }
        Ports cand_any = m_act.wanted;
        for (const uint32_t first : each(chips_with(changed))) {
            const uint32_t c = chip_of(first);
            Arbiter::Wants cands = m_act.wants[c];
            for (const uint32_t p : each(of_chip(changed, c)))
                cands[p] = uint16_t(m_in[first + p].cand());
            cand_any = (cand_any & ~at_chip(AllOfChip, c)) | at_chip(Arbiter::any(cands), c);
        }
        return cand_any;
    }

    static void note(Events& events, uint32_t i, const InputUnit::Events& e) {
        events.body |= Ports(e.body) << i;
        events.frame |= Ports(e.frame) << i;
        events.over |= Ports(e.over) << i;
    }

    // Returns the inputs that are granted something.
    Ports grant(Ports lines, Ports& outs) {
        Ports granted = 0;
        for (const uint32_t first : each(chips_with(lines & m_act.wanted))) {
            const uint32_t c = chip_of(first);
            wake_arbiter(c);
            m_grants[c] =
                m_arbiter[c].grant(m_act.wants[c], of_chip(m_act.wanted, c), of_chip(lines, c));
            outs |= at_chip(m_grants[c].out, c);
            granted |= at_chip(m_grants[c].in, c);
        }
        return granted;
    }
    uint32_t granted_to(uint32_t i) const { return m_grants[chip_of(i)].outs[port_of(i)]; }

    void clock_arbiters(Ports granted) {
        for (const uint32_t first : each(chips_with(granted))) {
            const uint32_t c = chip_of(first);
            m_arbiter[c].clock(of_chip(m_act.waiting, c) >> PortM0, m_grants[c]);
            m_act.granted[c] = m_now + 1;
            m_act.held[c] = {m_now + 1, m_now + 1};
        }
    }
    // What the arbiter has missed while nothing was granted.
    void wake_arbiter(uint32_t c) {
        m_arbiter[c].skip(m_now - m_act.granted[c]);
        m_act.granted[c] = m_now;
        for (uint32_t k = 0; k < 2; ++k)
            if ((of_chip(m_act.waiting, c) >> (PortM0 + k) & 1) != 0) wait(c, k);
    }
    void wait(uint32_t c, uint32_t k) {
        m_arbiter[c].wait(k, m_now - m_act.held[c][k]);
        m_act.held[c][k] = m_now;
    }

    // Flits of packets that come in, all but the header and the last. Returns where one is bad.
    Ports store(Ports inputs) {
        const auto& lines = m_lines.q();
        const flit_t lanes = m_lanes;
        Ports bad = 0;
        Ports stop = 0;
        for (const uint32_t i : each(inputs)) {
            const flit_t d = lines.rx_d[i];
            const uint32_t k = m_in[i].store(d);
            bad |= Ports(!is_good_flit(d, lanes)) << i;
            stop |= Ports(!InputUnit::is_body(k + 1)) << i;
        }
        m_act.stores &= ~stop;
        return bad;
    }

    // Flits behind headers go to the outputs. `opened`: inputs that come to the end.
    template <typename Drive>
    typename Outs::Ends move(Drive&& drive, Ports& opened) {
        typename Outs::Ends ends;
        Ports done = 0;
        for (const uint32_t i : each(m_act.body)) {
            InputUnit& unit = m_in[i];
            const flit_t flit = unit.flit();
            const uint32_t left = unit.flits_left();
            const uint32_t first = i & ~(PortBits - 1);
            uint32_t outs = m_act.pass[i];
            if (left <= 2) {
                opened |= Ports(left == 2) << i;
                done |= Ports(left == 0) << i;
                ends.last_two |= Ports(left < 2 ? outs : 0) << first;
                ends.last |= Ports(left == 0 ? outs : 0) << first;
            }
            unit.read_on_body();
            do {  // most often once
                drive(first + uint32_t(__builtin_ctz(outs)), flit);
                outs &= outs - 1;
            } while (outs != 0);
        }
        m_act.body &= ~done;
        m_act.reading &= ~done;
        m_act.body_out &= ~ends.last;
        return ends;
    }
    // Without branches: nobody could foretell them.
    void follow_pass(uint32_t i) {
        const Ports outs = at_chip(m_act.pass[i], chip_of(i));
        const bool is_in = m_in[i].in_body() & ((m_act.pass[i] >> PortLocal & 1) == 0);
        const bool was_in = (m_act.body >> i & 1) != 0;
        set_bit(m_act.body, i, is_in);
        m_act.body_out = (m_act.body_out & ~(was_in ? outs : 0)) | (is_in ? outs : 0);
        set_bit(m_act.reading, i, m_in[i].q().rd_busy);
    }

    // What the lines see of the other ends and of the outputs.
    template <typename Pins>
    typename AllLines::In seen_by_lines(const Pins& pins) const {
        typename AllLines::In in;
        in.link_en = m_act.link_en;
        in.req = pins.req;
        in.cred = pins.cred;
        in.own_req = req();
        in.own_oe = oe();
        in.tx = m_out.q().tx;
        in.late = m_out.late(m_lines.up());
        return in;
    }
    // ... and the outputs of the lines.
    void tell_outputs(const typename AllLines::Next& next, typename Outs::In& out) const {
        out.offer = m_out.offer(next.gnt, m_act.sink & AllPorts);
        out.line_void = next.voided;
        out.hush = next.hush;
        out.ask = next.ask;
        out.call = next.call;
        out.down = next.down;
        out.up = m_lines.up();
        out.ann = m_lines.announces();
    }

    template <typename Pins>
    void clock_lines(const Pins& pins, const typename AllLines::Next& next, Ports granted,
                     const Round& round) {
        typename AllLines::Back back;
        for (const uint32_t i : each(granted)) {
            if (!m_in[i].cred_ret(granted_to(i), shot_of(i, round))) continue;
            back.cred_ret |= bit(i);
            back.cred_vc.set(i, m_in[i].cred_vc());
        }
        for (const uint32_t i : each(round.retry_ack | m_act.reserved)) {
            const InputUnit::Shot& shot = shot_of(i, round);
            const bool retried = (round.retry_ack >> i & 1) != 0;
            const uint32_t vcs = m_in[i].cred_add(retried, shot.free, shot.halt);
            for (const uint32_t v : each(vcs)) back.cred_add[v] |= bit(i);
        }
        for (const uint32_t i : each(next.room_counts))
            for (const uint32_t v : each(m_in[i].room())) back.room[v] |= bit(i);
        m_lines.clock(next, back, [&pins](uint32_t p) { return pins.d(p); });
    }

    // Packets come, are granted something, or are presented anew.
    void act(Ports dirty, Ports acting, Ports granted, const Round& round) {
        Ports changed = 0;
        for (const uint32_t i : each(dirty & ~acting)) {
            m_in[i].settle();
            changed |= Ports(set_want(i) != 0) << i;
        }
        for (const uint32_t i : each(acting)) {
            const uint32_t c = chip_of(i);
            InputUnit::In in;
            in.gnt = (granted >> i & 1) != 0 ? granted_to(i) : 0;
            if ((round.restless >> c * PortBits & 1) != 0) {
                in.tick = (round.tick >> i & 1) != 0;
                in.to_ack = (round.to_ack >> i & 1) != 0;
                in.ack_take = (round.ack_take >> i & 1) != 0;
                in.ent_gnt = (round.ent_gnt >> i & 1) != 0;
                in.ent_new = m_extra[c].ack.ent_new;
                in.retry_ack = (round.retry_ack >> i & 1) != 0;
                in.tick_ent = m_extra[c].tick_ent;
                m_act.dirty |= bit(i);
            }
            m_in[i].act(in, shot_of(i, round));
            if (in.gnt != 0) m_act.pass[i] = uint16_t(in.gnt);
            note_input(i);
            changed |= Ports(set_want(i) != 0) << i;
        }
        m_act.dirty |= granted;
        for (const uint32_t first : each(chips_with(changed))) {
            const uint32_t c = chip_of(first);
            m_act.wanted =
                (m_act.wanted & ~at_chip(AllOfChip, c)) | at_chip(Arbiter::any(m_act.wants[c]), c);
        }
    }
    // Returns what has changed.
    uint32_t set_want(uint32_t i) {
        const uint32_t c = chip_of(i);
        const uint32_t p = port_of(i);
        const uint32_t before = std::exchange(m_act.wants[c][p], uint16_t(m_in[i].want()));
        return m_act.wants[c][p] ^ before;
    }

    // After anything but the passing of flits.
    void note_input(uint32_t i) {
        const InputUnit& unit = m_in[i];
        set_waiting(i, unit.pkt_mask() != 0);
        set_bit(m_act.special, i, unit.is_special());
        set_bit(m_act.reserved, i, unit.q().rsv != 0);
        set_bit(m_act.stores, i, unit.stores());
        if (unit.is_special()) m_act.restless |= at_chip(1, chip_of(i));
        note_pend(i, unit.pend());
        follow_pass(i);
    }

    // An MBP's packet grows old while it waits; the arbiter hears of it when that counts.
    void set_waiting(uint32_t i, bool waits) {
        const bool waited = (m_act.waiting >> i & 1) != 0;
        if (waits != waited && is_mbp(port_of(i))) {
            const uint32_t k = port_of(i) - PortM0;
            if (waited) wait(chip_of(i), k);
            else m_act.held[chip_of(i)][k] = m_now;
        }
        set_bit(m_act.waiting, i, waits);
    }

    void note_pend(uint32_t i, uint32_t pend) {
        const uint32_t first = i & ~(PortBits - 1);
        const uint32_t changed = pend ^ std::exchange(m_act.pend[i], uint16_t(pend));
        for (const uint32_t o : each(changed))
            m_act.waited_for[first + o] ^= uint16_t(1u << port_of(i));
    }

    // One column of the crossbar: the stream of the input that was granted.
    stream_t crossbar(uint32_t o) const {
        const uint32_t c = chip_of(o);
        return crossbar_column(m_arbiter[c].q().xsel[port_of(o)], [this, c](uint32_t i) {
            return m_in[c * PortBits + i].stream(m_local[c].config().route);
        });
    }

    AllLines m_lines;
    Activity m_act;
    Outs m_out;
    std::array<Arbiter, NumChips> m_arbiter;
    flit_t m_lanes;
    uint64_t m_now = 0;
    std::array<Local, NumChips> m_local;
    std::array<Inject, NumChips> m_inject;
    std::array<AckTable, NumChips> m_ack;
    std::array<InputUnit, Slots> m_in;
    // Of this clock.
    std::array<Arbiter::Grants, NumChips> m_grants;
    std::array<Extra, NumChips> m_extra;        // of chips in Round::restless
    std::array<InputUnit::Shot, Slots> m_shot;  // of halted chips
};

}  // namespace rdt::fast
