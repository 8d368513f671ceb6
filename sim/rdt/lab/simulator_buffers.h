// SPDX-License-Identifier: MIT
// One cycle of the buffers, a pack of words at a time. Each function has the planes of its pack.
#pragma once

#include <rdt/lab/simulator_words.h>

namespace rdt::lab {

RDT_PART_OF_PASS Bits load_plane(const uint64_t* pack, uint32_t plane) {
    return load<Bits>(pack + plane * Pack);
}
RDT_PART_OF_PASS void store_plane(uint64_t* pack, uint32_t plane, const Bits& bits) {
    store(pack + plane * Pack, bits);
}

// Flits of a packet, less 1.
template <uint32_t LeftPlanes>
RDT_PART_OF_PASS ConstantRef flits_of(const Channels& c, bool is_usual) {
    return is_usual ? ConstantRef(c.last_flit, (1u << LeftPlanes) - 1) : c.last_flit;
}

struct OutputBuffers {
    const ConstantRef depth;
    const bool usual;

    OutputBuffers(const Channels& c, bool is_usual)
        : depth(is_usual ? ConstantRef(c.out_depth, 2) : c.out_depth), usual(is_usual) {}

    RDT_PART_OF_PASS static Bits filled(const uint64_t* pack) {
        Slices<OutPlanes, Bits> flits;
        flits.load(pack + Plane::OutputCount * Pack);
        return flits.any();
    }
    // `sent` leave; returns those that became full or are no longer full.
    RDT_PART_OF_PASS Bits clock(uint64_t* pack, const Bits& sent) const {
        Slices<OutPlanes, Bits> flits;
        flits.load(pack + Plane::OutputCount * Pack);
        const Bits was_full = usual ? flits.plane[1] : load_plane(pack, Plane::OutputFull);
        flits.count(load_plane(pack, Plane::InputIsReady) & ~was_full, sent);
        flits.store(pack + Plane::OutputCount * Pack);
        const Bits now_full = flits.reached(depth);
        if (!usual) store_plane(pack, Plane::OutputFull, now_full);
        return now_full ^ was_full;
    }
};

template <uint32_t InPlanes, uint32_t LeftPlanes>
struct InputBuffers {
    static constexpr uint32_t Left = Plane::Count + InPlanes;
    const ConstantRef depth, header, flits;
    const bool usual;

    InputBuffers(const Channels& c, bool is_usual)
        : depth(is_usual ? ConstantRef(c.in_depth, 1u << (InPlanes - 1)) : c.in_depth),
          header(is_usual ? ConstantRef(c.header, 2) : c.header),
          flits(flits_of<LeftPlanes>(c, is_usual)),
          usual(is_usual) {}

    RDT_PART_OF_PASS Bits full(const uint64_t* pack) const {
        return load_plane(pack, usual ? Plane::Count + InPlanes - 1 : Plane::Full);
    }
    RDT_PART_OF_PASS static Bits filled(const uint64_t* pack) {
        return load_plane(pack, Plane::Filled);
    }
    // `arrived` come in. Returns all single channels that it has found: those that a packet has
    // left, those that have got a header together, connected ones that became empty or are no
    // longer empty, and those whose output buffers have changed.
    RDT_PART_OF_PASS Bits clock(uint64_t* pack, const Bits& arrived,
                                const Bits& out_changed) const {
        const Bits was_filled = filled(pack);
        const Bits was_connected = load_plane(pack, Plane::Connected);
        const Bits sent = was_connected & was_filled & load_plane(pack, Plane::OutputIsReady);
        const Bits was_idle = load_plane(pack, Plane::Idle);

        Slices<InPlanes, Bits> count;
        count.load(pack + Plane::Count * Pack);
        Slices<LeftPlanes, Bits> left;
        left.load(pack + Left * Pack);
        count.count(arrived, sent);
        const Bits tails = left.count_down(sent, flits);
        const Bits still_connected = was_connected & ~tails;
        const Bits now_filled = count.any();
        const Bits idle = was_idle | tails;
        const Bits headers = idle & count.at_least(header);
        const Bits changed = (now_filled ^ was_filled) & still_connected;
        // In the order of the planes, so that two can be stored at a time.
        if (!usual) store_plane(pack, Plane::Full, count.reached(depth));
        store_plane(pack, Plane::Connected, still_connected);
        store_plane(pack, Plane::Filled, now_filled);
        store_plane(pack, Plane::Idle, idle & ~headers);
        store_plane(pack, Plane::Tails, tails);
        store_plane(pack, Plane::Headers, headers);
        store_plane(pack, Plane::InChanged, changed);
        store_plane(pack, Plane::OutChanged, out_changed);
        count.store(pack + Plane::Count * Pack);
        left.store(pack + Left * Pack);
        return tails | headers | changed | out_changed;
    }
};

}  // namespace rdt::lab
