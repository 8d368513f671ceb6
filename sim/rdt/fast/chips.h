// SPDX-License-Identifier: MIT
// The fast engine: router chips, up to four of them side by side, compared with rtl/rdt_router.sv
// and the SystemC design. One clock() is one cycle of all blocks, evaluated from what arrives to
// what leaves.
//
// It is fast for two reasons, each with a file of its own: what all ports do is done in words
// (words.h), and what cannot happen in a cycle is left out (activity.h). blocks.h has the blocks,
// control.h all that most packets pass by; here is the way of packets.
#pragma once

#include <array>

#include <rdt/fast/activity.h>
#include <rdt/fast/control.h>
#include <rdt/fast/image.h>
#include <rdt/fast/late_pins.h>

namespace rdt::fast {

template <uint32_t NumChips>
class Chips {
    using W = Word<NumChips>;

public:
    static constexpr uint32_t Slots = W::Slots;

    explicit Chips(const ChipOptions& options = {})
        : m_blocks(options), m_late(options.reg_req ? W::AllPorts : 0) {
        reset();
    }

    void reset() {
        m_blocks.reset();
        m_act = {};
        for (uint32_t c = 0; c < NumChips; ++c) m_act.note_chip(c, m_blocks);
        m_late.reset();
    }

    // Pins as registered by the last clock(), of all ports at once.
    const TwoBits& req() const { return m_blocks.out.q().req; }
    const TwoBits& cred() const { return m_blocks.lines.q().cred; }
    Ports oe() const { return m_blocks.out.q().oe; }
    flit_t d(uint32_t p) const { return m_blocks.out.q().d[p]; }
    LinkPinsOut pins(uint32_t p) const {
        return {d(p), (oe() >> p & 1) != 0, req().of(p), cred().of(p)};
    }
    bool err(uint32_t chip) const { return m_blocks.local[chip].err(); }
    bool slice(uint32_t chip) const {
        return m_blocks.arbiter[chip].slice_after(m_blocks.now - m_act.arbiter_at[chip]);
    }

    LinkIo::Regs link(uint32_t p) const { return LinkIo::regs_of(m_blocks.lines.q(), p); }
    const InputUnit& input(uint32_t p) const { return m_blocks.in[p]; }
    uint32_t credits(uint32_t chip) const { return m_blocks.out.q().credit[chip]; }
    const Local& local(uint32_t chip) const { return m_blocks.local[chip]; }
    // After so many cycles in which nothing happens (chips_image.h).
    Local local_after(uint32_t chip, uint64_t clocks) const;
    const AckTable& ack(uint32_t chip) const { return m_blocks.ack[chip]; }
    const Inject& inject(uint32_t chip) const { return m_blocks.inject[chip]; }

    // All of a chip but LOCAL, the same.
    ChipImage image(uint32_t chip) const;
    // The router continues from the image with its LOCAL, the last inputs of LOCAL and these bits
    // of Status.
    void load(uint32_t chip, const ChipImage& image, const Local::In* last, uint32_t status);

    // Idle: as long as no pin changes, skip() may replace any number of cycles. A link that is off,
    // or whose other end is, calls all the time and is quiet.
    template <typename Pins>
    bool quiet(const Pins& pins) const {
        return m_late.same(pins, req(), oe()) && m_act.rests() &&
               m_blocks.out.quiet(m_blocks.lines.up()) && m_blocks.lines.quiet(seen_by_lines(pins));
    }
    void skip(uint64_t clocks) { m_blocks.now += clocks; }

    // `pins` has req and cred of the other ends of all links, d(port), and shoot and slice by chip.
    template <typename Pins>
    void clock(const Pins& pins) {
        if (!m_late.on()) return step(pins);
        m_late.take(pins, req(), oe());
        step(m_late.seen(pins));
        m_late.edge();
    }

private:
    using AllBlocks = Blocks<NumChips>;
    using AllLines = typename AllBlocks::AllLines;
    using AllOutputs = typename AllBlocks::AllOutputs;

    template <typename Pins>
    void step(const Pins& pins) {
        AllBlocks& b = m_blocks;
        Orders orders;
        orders.control = m_act.control | pins.shoot;
        if (b.now >= m_act.next_tick) orders.control |= m_act.find_ticks(b.now);
        if (b.now >= m_act.next_slow) orders.slow = m_act.find_slow(b.now);
        if (orders.control != 0) m_control.hear(orders, pins.shoot, pins.slice, b, m_act);

        // Arriving flits, and the requests of the inputs.
        if (b.has_reduce) land_operands();
        const Arrivals arrivals = look_at_arrivals(orders);
        if (arrivals.recall != 0) orders.recall = from_running(arrivals.recall);
        const Ports stale = ((m_act.stale | orders.local_busy) & m_act.waiting) | arrivals.fresh |
                            orders.put | waits_for_changed_credits();
        Ports asked = m_act.wanted;  // as it will be after this cycle
        if (stale != 0) asked = present(stale, orders);

        // Acks: landed acks, allocation of entries, acks to send.
        if (orders.control != 0) m_control.collect(orders, b, m_act);
        Events events;
        for (const uint32_t i : each(arrivals.eventful))
            events.note(i, b.in[i].events((orders.ack_take >> i & 1) != 0));

        // Lines and crossbar, in the same cycle.
        typename AllLines::In line = seen_by_lines(pins);
        line.bad = arrivals.bad;
        line.slow = orders.slow;
        const typename AllLines::Next next = b.lines.look(line);
        events.sync = next.ev_sync;
        typename AllOutputs::In out;
        tell_outputs(next, out);
        if (orders.control != 0) m_control.inject(orders, out, b, m_act);
        // A line that was given to this end is used by LOCAL first.
        const Ports free = (out.offer & ~out.loc_want) | (W::LocalPorts & ~orders.no_local);
        Ports granted = 0;  // inputs
        Ports gnt = 0;      // outputs and LOCAL
        if ((free & m_act.wanted) != 0) granted = grant(free, gnt);

        // Outputs, with the flits of the selected inputs.
        out.gnt = gnt & W::AllPorts;
        out.cand_any = asked & W::AllPorts;
        const Ports reading_header = m_act.reading & ~m_act.reading_body;
        Ports opened = 0;  // inputs that may present the next packet
        clock_outputs(pins, orders, out, opened);
        events.cred = b.out.events().cred;
        events.owed = b.out.events().owed;
        events.sunk = b.out.events().sunk;
        if (granted != 0) clock_arbiters(granted);

        // Inputs, after all that depends on what they held.
        for (const uint32_t i : each(reading_header)) {
            b.in[i].read_on();
            m_act.note_pass(i, b.in[i]);
            opened |= Ports(b.in[i].opens()) << i;
        }
        if (arrivals.body != 0) events.body |= store(arrivals.body);
        for (const uint32_t i : each(orders.consumers())) m_consumed[i] = consumed_at(i, orders);
        clock_lines(pins, next, granted, orders);
        Ports updated = arrivals.fresh | granted | m_act.needs_control | orders.put |
                        orders.recall |
                        ((orders.halted | orders.tick | orders.reports) &
                         (m_act.waiting | m_act.reading | stale));
        updated |= fill_buffers(arrivals.heads & ~updated);
        const Ports controlled = orders.control | chips_with((gnt & W::LocalPorts) | events.any());
        if (controlled != 0) m_control.clock(controlled, gnt, events, orders, b, m_act);
        ++b.now;
        m_act.stale = opened;
        if ((stale | updated) != 0) update_inputs(stale, updated, granted, orders);
        for (const uint32_t p : each(controlled)) m_act.note_chip(chip_of(p), b);
        // LOCAL may put an entry back, in a chip that runs too.
        for (const uint32_t p :
             each(chips_with(orders.ent_gnt) | (orders.local_busy & W::AllChips)))
            m_act.gen[chip_of(p)] = b.ack[chip_of(p)].gens();
    }

    void land_operands() {
        const typename AllLines::Regs& lines = m_blocks.lines.q();
        for (const uint32_t i : each(lines.rx_valid))
            m_blocks.reduce[chip_of(i)].arrive(
                m_blocks.now, port_of(i), (lines.rx_first >> i & 1) != 0, slice0(lines.rx_d[i]));
    }

    // Inputs to which a flit has come in the last cycle.
    struct Arrivals {
        Ports body = 0;   // between header and last: it is stored and nothing else
        Ports heads = 0;  // the others
        Ports fresh = 0;  // ... of which a packet's header is now complete
        Ports eventful = 0;
        Ports bad = 0;     // links that have to start again
        Ports recall = 0;  // MBPs that take their packet back
    };
    Arrivals look_at_arrivals(const Orders& orders) {
        const typename AllLines::Regs& lines = m_blocks.lines.q();
        Arrivals a;
        a.body =
            lines.rx_valid & ~lines.rx_first & ~lines.rx_last & m_act.storing_body & ~orders.halted;
        a.heads = lines.rx_valid & ~a.body;
        for (const uint32_t i : each(a.heads)) {
            const Ports found = m_blocks.in[i].look_at(m_blocks.rx_of(i), m_blocks.route_of(i),
                                                       m_control.shot_of(i, orders));
            a.fresh |= (found & InputUnit::Fresh) << i;
            a.eventful |= (found >> 1 & 1) << i;
            a.bad |= (found >> 2 & 1) << i;
            a.recall |= (found >> 3) << i;
        }
        static_assert(InputUnit::Fresh == 1 && InputUnit::Eventful == 2 && InputUnit::Bad == 4 &&
                      InputUnit::Recall == 8);
        return a;
    }

    // Those of chips that are not shot down.
    Ports from_running(Ports inputs) const {
        Ports found = 0;
        for (const uint32_t i : each(inputs))
            found |= Ports(m_blocks.local[chip_of(i)].runs()) << i;
        return found;
    }
    // VCs of an input whose packet is recalled or dropped; read before the lines are clocked.
    uint32_t consumed_at(uint32_t i, const Orders& orders) const {
        if ((orders.ent_gnt >> i & 1) != 0) return 0;
        return m_blocks.in[i].consumed((orders.recall >> i & 1) != 0,
                                       ((orders.to_ack & orders.drop) >> i & 1) != 0,
                                       m_blocks.rx_of(i));
    }

    // Inputs that wait for an output whose credits have changed.
    Ports waits_for_changed_credits() const {
        Ports found = 0;
        for (const uint32_t o : each(m_blocks.out.touched()))
            found |= at_chip(m_act.waited_for[o], chip_of(o));
        return found;
    }

    // Inputs whose packets, or credits for them, have changed; returns all requests.
    Ports present(Ports inputs, const Orders& orders) {
        Ports changed = 0;
        for (const uint32_t i : each(inputs)) {
            const uint32_t c = chip_of(i);
            uint32_t credit = m_blocks.out.credit(c, m_act.sink) | m_act.local_credit[c];
            if ((orders.local_busy >> i & 1) != 0 && port_of(i) == PortM0 &&
                m_blocks.local[c].only_mbp0())
                credit |= InputUnit::LocalCredit;
            const uint32_t cand = m_blocks.in[i].present(credit, m_control.shot_of(i, orders));
            changed |= Ports(cand != m_act.wants[c][port_of(i)]) << i;
        }
        Ports asked = m_act.wanted;
        for (const uint32_t first : each(chips_with(changed))) {
            const uint32_t c = chip_of(first);
            Arbiter::Wants cands = m_act.wants[c];
            for (const uint32_t p : each(of_chip(changed, c)))
                cands[p] = uint16_t(m_blocks.in[first + p].cand());
            replace_chip(asked, c, Arbiter::any(cands));
        }
        return asked;
    }

    // Returns the inputs that are granted something.
    Ports grant(Ports lines, Ports& outs) {
        Ports granted = 0;
        for (const uint32_t first : each(chips_with(lines & m_act.wanted))) {
            const uint32_t c = chip_of(first);
            m_act.catch_up_arbiter(c, m_blocks);
            m_grants[c] = m_blocks.arbiter[c].grant(m_act.wants[c], of_chip(m_act.wanted, c),
                                                    of_chip(lines, c));
            outs |= at_chip(m_grants[c].out, c);
            granted |= at_chip(m_grants[c].in, c);
        }
        return granted;
    }
    uint32_t granted_to(uint32_t i) const { return m_grants[chip_of(i)].outs[port_of(i)]; }

    void clock_arbiters(Ports granted) {
        for (const uint32_t first : each(chips_with(granted))) {
            const uint32_t c = chip_of(first);
            m_blocks.arbiter[c].clock(of_chip(m_act.waiting, c) >> PortM0, m_grants[c]);
            m_act.note_grants(c, m_blocks.now);
        }
    }

    // Flits of packets that come in, all but the header and the last. Returns ports with a
    // malformed flit.
    Ports store(Ports inputs) {
        const auto& lines = m_blocks.lines.q();
        const flit_t lanes = m_blocks.lanes;
        Ports bad = 0;
        Ports stop = 0;
        for (const uint32_t i : each(inputs)) {
            const flit_t d = lines.rx_d[i];
            const uint32_t k = m_blocks.in[i].store(d);
            bad |= Ports(!is_good_flit(d, lanes)) << i;
            stop |= Ports(!InputUnit::is_body(k + 1)) << i;
        }
        m_act.storing_body &= ~stop;
        return bad;
    }
    // Flits of headers, and last ones, where that is all; returns where it is not.
    Ports fill_buffers(Ports inputs) {
        Ports others = 0;
        for (const uint32_t i : each(inputs)) {
            InputUnit& unit = m_blocks.in[i];
            if (!unit.only_fills_buffer()) {
                others |= bit(i);
                continue;
            }
            unit.fill_buffer();
            set_bit(m_act.storing_body, i, unit.stores());
        }
        return others;
    }

    // Flits behind headers go to the outputs. `opened`: inputs that come to the end.
    template <typename Drive>
    typename AllOutputs::Ends move_bodies(Drive&& drive, Ports& opened) {
        typename AllOutputs::Ends ends;
        Ports done = 0;
        for (const uint32_t i : each(m_act.reading_body)) {
            InputUnit& unit = m_blocks.in[i];
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
        m_act.reading_body &= ~done;
        m_act.reading &= ~done;
        m_act.body_out &= ~ends.last;
        return ends;
    }

    template <typename Pins>
    void clock_outputs(const Pins& pins, const Orders& orders, typename AllOutputs::In& out,
                       Ports& opened) {
        out.body = m_act.body_out;
        out.cred = pins.cred;
        out.rank = m_act.rank;
        out.gen = m_act.gen;
        out.tick = orders.tick & W::AllPorts;
        out.slow = orders.slow & W::AllPorts;
        out.sink = m_act.sink;
        out.raw = orders.dumping;
        m_blocks.out.clock(
            out, [this](uint32_t o) { return m_blocks.crossbar(o); },
            [this, &opened](auto&& drive) { return move_bodies(drive, opened); },
            [&pins](uint32_t o, flit_t flit) { pins.driven(o, flit); });
    }

    // Inputs of the lines from the other ends and from the outputs.
    template <typename Pins>
    typename AllLines::In seen_by_lines(const Pins& pins) const {
        typename AllLines::In in;
        in.link_en = m_act.link_en;
        in.req = pins.req;
        in.cred = pins.cred;
        in.own_req = m_late.on() ? m_late.own_req(req()) : req();
        in.own_oe = m_late.on() ? m_late.own_oe(oe()) : oe();
        in.tx = m_blocks.out.q().tx;
        in.late = m_blocks.out.late(m_blocks.lines.up());
        return in;
    }
    // ... and the outputs of the lines.
    void tell_outputs(const typename AllLines::Next& next, typename AllOutputs::In& out) const {
        out.offer = m_blocks.out.offer(next.gnt, m_act.sink & W::AllPorts);
        out.line_void = next.voided;
        out.hush = next.hush;
        out.ask = next.ask;
        out.call = next.call;
        out.down = next.down;
        out.up = m_blocks.lines.up();
        out.ann = m_blocks.lines.announces();
    }

    template <typename Pins>
    void clock_lines(const Pins& pins, const typename AllLines::Next& next, Ports granted,
                     const Orders& orders) {
        typename AllLines::Back back;
        for (const uint32_t i : each(granted)) {
            const InputUnit& unit = m_blocks.in[i];
            if (!unit.cred_ret(granted_to(i), m_control.shot_of(i, orders))) continue;
            back.cred_ret |= bit(i);
            back.cred_vc.set(i, unit.cred_vc());
        }
        const Ports consumed = orders.consumers();
        for (const uint32_t i : each(orders.retry_ack | m_act.reserved | consumed)) {
            const InputUnit::Shot& shot = m_control.shot_of(i, orders);
            const bool retried = (orders.retry_ack >> i & 1) != 0;
            uint32_t vcs = m_blocks.in[i].cred_add(retried, shot.free, shot.halt);
            if ((consumed >> i & 1) != 0) {
                const uint32_t gnt = (granted >> i & 1) != 0 ? granted_to(i) : 0;
                vcs |= m_consumed[i] & ~m_blocks.in[i].ended(gnt, shot);
            }
            for (const uint32_t v : each(vcs)) back.cred_add[v] |= bit(i);
        }
        for (const uint32_t i : each(next.room_counts))
            for (const uint32_t v : each(m_blocks.in[i].room())) back.room[v] |= bit(i);
        m_blocks.lines.clock(next, back, [&pins](uint32_t p) { return pins.d(p); });
    }

    // The registers of inputs: of those that are only `stale` the packet that is presented, of
    // those in `updated`, to which a packet comes, or something is granted or ordered, all.
    void update_inputs(Ports stale, Ports updated, Ports granted, const Orders& orders) {
        Ports changed = 0;
        for (const uint32_t i : each(stale & ~updated)) {
            m_blocks.in[i].latch_presented();
            changed |= Ports(m_act.note_want(i, m_blocks.in[i]) != 0) << i;
        }
        const Ports consumed = orders.consumers();
        for (const uint32_t i : each(updated)) {
            const uint32_t c = chip_of(i);
            InputUnit::In in;
            in.gnt = (granted >> i & 1) != 0 ? granted_to(i) : 0;
            if ((consumed >> i & 1) != 0) {
                in.drop = (orders.drop >> i & 1) != 0;
                in.consumed = m_consumed[i];
                m_act.stale |= bit(i);
            }
            if ((orders.control >> c * PortBits & 1) != 0) {
                in.tick = (orders.tick >> i & 1) != 0;
                in.to_ack = (orders.to_ack >> i & 1) != 0;
                in.ack_take = (orders.ack_take >> i & 1) != 0;
                in.ent_gnt = (orders.ent_gnt >> i & 1) != 0;
                in.ent_new = m_control.new_entry(c);
                in.retry_ack = (orders.retry_ack >> i & 1) != 0;
                in.slow = (orders.slow >> i & 1) != 0;
                in.tick_ent = m_control.tick_ent(c);
                m_act.stale |= bit(i);
            }
            m_blocks.in[i].update(in, m_control.shot_of(i, orders));
            if (in.gnt != 0) m_act.pass[i] = uint16_t(in.gnt);
            m_act.note_input(i, m_blocks);
            changed |= Ports(m_act.note_want(i, m_blocks.in[i]) != 0) << i;
        }
        m_act.stale |= granted;
        m_act.note_wanted(changed);
    }

    AllBlocks m_blocks;
    LatePins m_late;
    Activity<NumChips> m_act;
    Control<NumChips> m_control;
    std::array<Arbiter::Grants, NumChips> m_grants;  // grants of this cycle
    std::array<uint32_t, Slots> m_consumed{};        // VCs, of inputs in Orders::consumers()
};

}  // namespace rdt::fast
