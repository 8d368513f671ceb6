// SPDX-License-Identifier: MIT
// The short way between Transport and an engine that moves headers and no flits: a packet is its
// header and a number, by which whoever sent it knows the rest.
#pragma once

#include <rdt/core/ack_note.h>
#include <rdt/core/route.h>

namespace rdt::machine {

// MBPs are counted two a node; bodies have 31 bits.
class Express {
public:
    class Client {
    public:
        virtual ~Client() = default;
        // H0 will be on the pins in this clock.
        virtual void started(uint32_t mbp, uint32_t body, uint64_t clock) = 0;
        // H0 was on the pins in that clock.
        virtual void delivered(uint32_t mbp, const Header& header, uint32_t body,
                               uint64_t clock) = 0;
        virtual void acked(uint32_t mbp, const core::AckNote& ack) = 0;
        // Of a packet under way, behind its header.
        virtual flit_t flit(uint32_t body, uint32_t k) const = 0;
        // The key of a packet in flight; 0: it is not pruned.
        virtual uint64_t pruning_key(uint32_t /*body*/) const { return 0; }
        // A multicast has so many copies more, or less. Only where routers have pruning caches.
        virtual void counted(uint32_t /*body*/, int /*copies*/) {}
        // There is no such way any more: MBPs have all that was sent and not delivered.
        virtual void express_ends() = 0;
        // There is one from now on. What MBPs have been given still comes by them.
        virtual void express_begins(Express& way) = 0;
    };

    virtual ~Express() = default;
    virtual void send(uint32_t mbp, const Header& header, uint32_t body) = 0;
    virtual void send_ack(uint32_t mbp, const core::AckNote& ack) = 0;
};

}  // namespace rdt::machine
