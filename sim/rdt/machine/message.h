// SPDX-License-Identifier: MIT
// What the nodes of a machine send each other.
#pragma once

#include <vector>

#include <rdt/core/bitmap.h>
#include <rdt/machine/words.h>

namespace rdt::machine {

// Flits of a packet that Transport sends: a header, two flits for its number, and data.
constexpr uint32_t MinFlits = 5;
constexpr uint32_t MaxFlits = 16;
// A multicast of the lane may be a header alone: its receivers know it by its tag.
constexpr uint32_t LaneFlits = 3;

// Values of the user bits of an ack.
constexpr uint32_t MaxUserBits = 7;

struct Message {
    uint32_t source = 0;
    uint32_t destination = 0;  // unicast only
    uint32_t flits = MaxFlits;
    uint32_t source_mbp = 0;
    uint32_t mbp = 0;        // MBP of the receivers
    Maps maps = 0;           // not 0: a multicast
    Type type = TypeMcSm;    // multicast only
    bool wants_ack = false;  // multicast only: one combined answer of all receivers
    // For a multicast that requests an ack: use the entry of barriers. Receivers answer when they
    // like, by Transport::answer(). One at a time among those whose trees share a router; with TEnt
    // = 0 the next one of the same MBP may be sent before, and waits in its router for the entry.
    bool lane = false;
    uint64_t user = 0;  // the workload's own, not sent
    // Of a multicast: what pruning caches know it by; 0: it is not pruned.
    uint64_t pruning_key = 0;
    // Payloads of the body flits after the number, 34 bits each; then `flits` follows from it.
    // Without it: a pattern.
    Words data;
};

struct Packet {
    static constexpr uint64_t Never = ~uint64_t(0);

    uint64_t number = 0;  // in the order of send(), from 0
    Message message;
    uint64_t born = 0;         // clock of send()
    uint64_t started = Never;  // first flit on the pins of the source's MBP
    uint32_t receivers = 1;
    uint32_t received = 0;
    bool is_multicast() const { return message.maps != 0; }
};

// A packet to one node, of a workload that keeps nothing else about it.
struct Unicast {
    uint32_t source = 0;
    uint32_t destination = 0;
    uint8_t flits = MaxFlits;
    uint8_t source_mbp = 0;
    uint8_t mbp = 0;

    Message message() const {
        Message m;
        m.source = source;
        m.destination = destination;
        m.flits = flits;
        m.source_mbp = source_mbp;
        m.mbp = mbp;
        return m;
    }
};

// Unicasts that do not depend on what is delivered.
class UnicastStream {
public:
    virtual ~UnicastStream() = default;
    // Those of a cycle, ordered by source, until the next call. Cycles do not go back.
    virtual const std::vector<Unicast>& unicasts(uint64_t clock) = 0;
    // Draws those of a cycle beforehand, while the last ones are in use.
    virtual void prepare(uint64_t clock) = 0;
};

struct DeliveredUnicast {
    uint32_t source;
    uint32_t destination;
    uint32_t flits;
    uint32_t hops;
    uint64_t born;     // clock of send()
    uint64_t started;  // first flit on the pins of the source's MBP
    uint64_t tail;     // last flit on the pins of the receiver's MBP
};

// Called by the threads of the partitions, for nodes of their own: the source of a sent packet, the
// destination of a delivered one.
class UnicastObserver {
public:
    virtual ~UnicastObserver() = default;
    virtual void sent(unsigned lane, const Unicast& unicast) = 0;
    virtual void delivered(unsigned lane, const DeliveredUnicast& unicast) = 0;
};

}  // namespace rdt::machine
