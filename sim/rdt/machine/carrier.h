// SPDX-License-Identifier: MIT
// What takes the packets of MBPs that are not clocked.
#pragma once

#include <vector>

#include <rdt/core/ack_note.h>

namespace rdt::machine {

using Flits = std::vector<flit_t>;  // flits of a packet

class Endpoint;

// An engine that needs no pins of its MBPs: it takes what they would send, and calls on_start,
// on_receive and on_ack itself.
class Carrier {
public:
    virtual ~Carrier() = default;
    virtual void carry(Endpoint& from, bool ahead_of_others, Flits flits) = 0;
    virtual void carry_ack(Endpoint& from, const core::AckNote& ack) = 0;
};

}  // namespace rdt::machine
