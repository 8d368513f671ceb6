// SPDX-License-Identifier: MIT
// Activity of the routers of a word, so that a cycle skips all idle parts. Idle ports cost nothing,
// a flit in the middle of a packet is only moved, and cycle counters are computed when read.
//
// It is derived from the registers of the blocks. The note_...() functions update it, each after a
// change of its inputs.
#pragma once

#include <array>
#include <utility>

#include <rdt/fast/blocks.h>

namespace rdt::fast {

template <uint32_t NumChips>
struct Activity {
    using W = Word<NumChips>;
    using AllBlocks = Blocks<NumChips>;
    static constexpr uint64_t Never = ~uint64_t(0);

    // Inputs.
    Ports reading = 0;        // a packet leaves by them
    Ports reading_body = 0;   // ... behind its header
    Ports storing_body = 0;   // the next flit on the line is one of a body
    Ports waiting = 0;        // they hold a packet
    Ports stale = 0;          // the packet they present may have changed: present() again
    Ports needs_control = 0;  // a packet there needs more than credits: the ack table, LOCAL
    Ports reserved = 0;       // they keep a buffer for a packet that was dumped
    // Outputs.
    Ports body_out = 0;  // receive the flits of reading_body
    Ports wanted = 0;    // are requested, LOCAL's among them
    // Chips.
    Ports control = 0;  // the control side (control.h) has something to do
    Ports link_en = 0;  // by port
    Ports sink = 0;     // all bits of those whose dead outputs consume packets
    std::array<uint32_t, NumChips> local_credit{};
    std::array<uint8_t, NumChips> rank{};
    std::array<uint64_t, NumChips> gen{};  // generations of the ack entries, AckTable::gens()
    std::array<Arbiter::Wants, NumChips> wants{};
    // By port.
    std::array<uint16_t, W::Slots> pass{};        // outputs that each input's packet leaves by
    std::array<uint16_t, W::Slots> pend{};        // ... and that its packets wait for
    std::array<uint16_t, W::Slots> waited_for{};  // the other way round: inputs, by output

    // Cycles in which something happens by itself,
    uint64_t next_tick = Never;
    uint64_t next_slow = Never;
    std::array<uint64_t, NumChips> tick_at{};
    std::array<uint64_t, NumChips> slow_at{};
    // ... and up to which has been counted: by the arbiter, of an MBP's packet that waits, and by
    // LOCAL and the injector.
    std::array<uint64_t, NumChips> arbiter_at{};
    std::array<std::array<uint64_t, 2>, NumChips> mbp_held_at{};
    std::array<uint64_t, NumChips> control_at{};

    // No packet, credit or ack is held, in flight or pending here.
    bool rests() const {
        return (control | reading | waiting | stale | wanted) == 0 && next_tick == Never;
    }

    // After anything that LOCAL, the ack table or the injector did.
    void note_chip(uint32_t c, const AllBlocks& b) {
        const Local& local = b.local[c];
        const Config& cfg = local.config();
        replace_chip(link_en, c, cfg.link | 3u << PortM0);
        const bool calm = of_chip(needs_control, c) == 0 && local.at_rest() &&
                          b.inject[c].is_idle() && b.ack[c].quiet(0, 0);
        replace_chip(control, c, calm ? 0 : 1);
        replace_chip(sink, c, local.sink() ? AllOfChip : 0);
        local_credit[c] = local.takes_any() ? InputUnit::LocalCredit : 0;
        stale |= at_chip(AllOfChip, c);
        rank[c] = uint8_t(cfg.route.rank);
        control_at[c] = b.now;
        tick_at[c] = cfg.timeout != 0 ? b.now + local.q().cnt.left : Never;
        next_tick = earliest(tick_at);
        slow_at[c] = local.halt() ? Never : b.now + local.q().cnt_slow.left;
        next_slow = earliest(slow_at);
    }

    // After anything an input did but the passing of flits.
    void note_input(uint32_t i, AllBlocks& b) {
        const InputUnit& unit = b.in[i];
        note_waiting(i, unit.pkt_mask() != 0, b);
        set_bit(needs_control, i, unit.needs_control());
        set_bit(reserved, i, unit.q().rsv != 0);
        set_bit(storing_body, i, unit.stores());
        if (unit.needs_control()) control |= at_chip(1, chip_of(i));
        note_pend(i, unit.pend());
        note_pass(i, unit);
    }
    // After a flit of a packet has been read. Branch-free, because the branches are unpredictable.
    void note_pass(uint32_t i, const InputUnit& unit) {
        const Ports outs = at_chip(pass[i], chip_of(i));
        const bool is_in = unit.in_body() & ((pass[i] >> PortLocal & 1) == 0);
        const bool was_in = (reading_body >> i & 1) != 0;
        set_bit(reading_body, i, is_in);
        body_out = (body_out & ~(was_in ? outs : 0)) | (is_in ? outs : 0);
        set_bit(reading, i, unit.q().rd_busy);
    }
    // Outputs an input requests; returns the changes.
    uint32_t note_want(uint32_t i, const InputUnit& unit) {
        uint16_t& want = wants[chip_of(i)][port_of(i)];
        const uint32_t before = std::exchange(want, uint16_t(unit.want()));
        return want ^ before;
    }
    // After all note_want() of a cycle; `inputs` are those whose requests changed.
    void note_wanted(Ports inputs) {
        for (const uint32_t first : each(chips_with(inputs)))
            replace_chip(wanted, chip_of(first), Arbiter::any(wants[chip_of(first)]));
    }

    // Chips whose time-outs tick in this cycle.
    Ports find_ticks(uint64_t now) const {
        Ports chips = 0;
        for (uint32_t c = 0; c < NumChips; ++c)
            if (now >= tick_at[c]) chips |= at_chip(1, c);
        return chips;
    }
    // Ports where the wait for credits ticks. This does not wake LOCAL, and has no effect while the
    // router is idle.
    Ports find_slow(uint64_t now) {
        Ports ticks = 0;
        for (uint32_t c = 0; c < NumChips; ++c) {
            uint64_t& at = slow_at[c];
            if (at > now) continue;
            if ((now - at) % SlowTick == 0) ticks |= at_chip(AllOfChip, c);
            at += ((now - at) / SlowTick + 1) * SlowTick;
        }
        next_slow = earliest(slow_at);
        return ticks;
    }

    // Cycles skipped while idle: by LOCAL and the injector,
    void catch_up_control(uint32_t c, AllBlocks& b) const {
        b.local[c].skip(b.now - control_at[c]);
        b.inject[c].skip(b.now - control_at[c]);
    }
    // ... and by the arbiter while nothing was granted.
    void catch_up_arbiter(uint32_t c, AllBlocks& b) {
        b.arbiter[c].skip(b.now - arbiter_at[c]);
        arbiter_at[c] = b.now;
        for (uint32_t k = 0; k < 2; ++k)
            if ((of_chip(waiting, c) >> (PortM0 + k) & 1) != 0) age_mbp(c, k, b);
    }
    void note_grants(uint32_t c, uint64_t now) {
        arbiter_at[c] = now + 1;
        mbp_held_at[c] = {now + 1, now + 1};
    }

private:
    static uint64_t earliest(const std::array<uint64_t, NumChips>& times) {
        uint64_t first = Never;
        for (const uint64_t at : times)
            if (at < first) first = at;
        return first;
    }

    // The age of an MBP's packet is updated in the arbiter only when it affects a grant.
    void age_mbp(uint32_t c, uint32_t k, AllBlocks& b) {
        b.arbiter[c].wait(k, b.now - mbp_held_at[c][k]);
        mbp_held_at[c][k] = b.now;
    }
    void note_waiting(uint32_t i, bool waits, AllBlocks& b) {
        const bool waited = (waiting >> i & 1) != 0;
        if (waits != waited && is_mbp(port_of(i))) {
            const uint32_t k = port_of(i) - PortM0;
            if (waited) age_mbp(chip_of(i), k, b);
            else mbp_held_at[chip_of(i)][k] = b.now;
        }
        set_bit(waiting, i, waits);
    }

    void note_pend(uint32_t i, uint32_t outs) {
        const uint32_t first = i & ~(PortBits - 1);
        const uint32_t changed = outs ^ std::exchange(pend[i], uint16_t(outs));
        for (const uint32_t o : each(changed)) waited_for[first + o] ^= uint16_t(1u << port_of(i));
    }
};

}  // namespace rdt::fast
