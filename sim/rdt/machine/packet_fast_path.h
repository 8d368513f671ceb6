// SPDX-License-Identifier: MIT
// The fast path between Transport and an engine that moves headers without flits: a packet is its
// header and a number, which identifies the rest for the sender.
#pragma once

#include <rdt/core/ack_note.h>
#include <rdt/core/route.h>

namespace rdt::machine {

// MBPs are counted two per node; bodies have 31 bits.
class PacketFastPath {
public:
    class Client {
    public:
        virtual ~Client() = default;
        // A partition, which has these nodes, begins a cycle: packets may be sent from them.
        virtual void begin_cycle(uint32_t /*lane*/, uint32_t /*first*/, uint32_t /*end*/) {}
        // H0 will be on the pins in this cycle.
        virtual void started(uint32_t mbp, uint32_t body, uint64_t clock) = 0;
        // H0 was on the pins in that cycle.
        virtual void delivered(uint32_t mbp, const Header& header, uint32_t body,
                               uint64_t clock) = 0;
        virtual void acked(uint32_t mbp, const core::AckNote& ack) = 0;
        // Number of a packet in flight, stored behind its header.
        virtual flit_t flit(uint32_t body, uint32_t k) const = 0;
        // Pruning data of a packet in flight; 0: it is not pruned.
        virtual uint64_t pruning_key(uint32_t /*body*/) const { return 0; }
        // A multicast has so many copies more, or less. Only where routers have pruning caches.
        virtual void counted(uint32_t /*body*/, int /*copies*/) {}
        // There is no such way any more: MBPs have all that was sent and not delivered.
        virtual void fast_path_ends() = 0;
        // There is one from now on. Packets already passed to MBPs still leave through them.
        virtual void fast_path_begins(PacketFastPath& way) = 0;
    };

    virtual ~PacketFastPath() = default;
    virtual void send(uint32_t mbp, const Header& header, uint32_t body) = 0;
    virtual void send_ack(uint32_t mbp, const core::AckNote& ack) = 0;
};

}  // namespace rdt::machine
