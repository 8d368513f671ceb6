// SPDX-License-Identifier: MIT
// One cycle of the buffers, 64 channels per word, one word or a pack of words at a time.
#pragma once

#include <rdt/lab/simulator_words.h>

namespace rdt::lab {

// Output buffers, from which `sent` leave; returns those that became full or are no longer full.
struct OutputBuffers {
    const uint64_t* other_is_ready;
    uint64_t* full;
    uint64_t* count;
    uint64_t* changed;
    const ConstantRef depth;

    OutputBuffers(Channels& c, PassResults& found, bool usual)
        : other_is_ready(&c.sides.other_is_ready[c.words]),
          full(c.out.full.data()),
          count(c.out.count.data()),
          changed(found.changed.data() + c.words),
          depth(usual ? ConstantRef(c.out_depth, 2) : c.out_depth) {}

    template <typename W>
    RDT_PART_OF_PASS W filled(size_t w) const {
        Slices<OutPlanes, W> flits;
        flits.load(count + w * OutPlanes);
        return flits.any();
    }
    template <typename W>
    RDT_PART_OF_PASS W clock(size_t w, const W& sent) const {
        const W was_full = load<W>(full + w);
        Slices<OutPlanes, W> flits;
        flits.load(count + w * OutPlanes);
        flits.count(load<W>(other_is_ready + w) & ~was_full, sent);
        flits.store(count + w * OutPlanes);
        const W now_full = flits.reached(depth);
        store(full + w, now_full);
        store(changed + w, now_full ^ was_full);
        return now_full ^ was_full;
    }
};

// Input buffers, in which `arrived` come: in `tails` those that a packet has left, in `headers`
// those that have got a header together. Returns connected buffers that became empty or are no
// longer empty.
template <uint32_t InPlanes, uint32_t LeftPlanes>
struct InputBuffers {
    uint64_t* connected;
    const uint64_t* other_is_ready;
    uint64_t* state;
    uint64_t* tails;
    uint64_t* headers;
    uint64_t* changed;
    const ConstantRef depth, header, flits;

    InputBuffers(Channels& c, PassResults& found, bool usual)
        : connected(c.in.connected.data()),
          other_is_ready(c.sides.other_is_ready.data()),
          state(c.in.state.data()),
          tails(found.tails.data()),
          headers(found.headers.data()),
          changed(found.changed.data()),
          depth(usual ? ConstantRef(c.in_depth, 1u << (InPlanes - 1)) : c.in_depth),
          header(usual ? ConstantRef(c.header, 2) : c.header),
          flits(usual ? ConstantRef(c.last_flit, (1u << LeftPlanes) - 1) : c.last_flit) {}

    RDT_PART_OF_PASS uint64_t* state_of(size_t w) const {
        return state + w * (InputState::Count + InPlanes + LeftPlanes);
    }
    template <typename W>
    RDT_PART_OF_PASS W full(size_t w) const {
        return load<W>(state_of(w) + InputState::Full * words_in<W>);
    }
    template <typename W>
    RDT_PART_OF_PASS void clock(size_t w, const W& arrived, const W& place,
                                InputMarks<W>& marks) const {
        constexpr uint32_t Step = words_in<W>;
        uint64_t* const own = state_of(w);
        const W was_filled = load<W>(own + InputState::Filled * Step);
        const W was_connected = load<W>(connected + w);
        const W sent = was_connected & was_filled & load<W>(other_is_ready + w);

        Slices<LeftPlanes, W> left;
        left.load(own + (InputState::Count + InPlanes) * Step);
        const W tail = left.count_down(sent, flits);
        left.store(own + (InputState::Count + InPlanes) * Step);
        const W still_connected = was_connected & ~tail;
        store(connected + w, still_connected);

        Slices<InPlanes, W> count;
        count.load(own + InputState::Count * Step);
        count.count(arrived, sent);
        count.store(own + InputState::Count * Step);
        const W now_filled = count.any();
        store(own + InputState::Filled * Step, now_filled);
        store(own + InputState::Full * Step, count.reached(depth));

        const W idle = load<W>(own + InputState::Idle * Step) | tail;
        const W complete = idle & count.at_least(header);
        store(own + InputState::Idle * Step, idle & ~complete);

        const W now_changed = (now_filled ^ was_filled) & still_connected;
        store(tails + w, tail);
        store(headers + w, complete);
        store(changed + w, now_changed);
        marks.tails.note(place, tail);
        marks.headers.note(place, complete);
        marks.changed.note(place, now_changed);
    }
};

}  // namespace rdt::lab
