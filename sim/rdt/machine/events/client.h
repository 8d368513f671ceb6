// SPDX-License-Identifier: MIT
// Functions that the event-driven engine calls, and the state that a cycle-based engine takes over.
#pragma once

#include <functional>
#include <vector>

#include <rdt/fast/image.h>
#include <rdt/machine/events/packets.h>

namespace rdt::machine::events {

// Sender and receiver. MBPs are counted two per node. Bodies are the client's: a number that goes
// with each packet. Calls for nodes of different lanes may come from different threads; in each
// lane, deliveries come in the order of MBPs.
class Client {
public:
    virtual ~Client() = default;
    // A lane, which has these nodes, begins a cycle; the client may send from them.
    virtual void begin_cycle(uint32_t lane, uint32_t first, uint32_t end) = 0;
    // H0 will be on the pins in this cycle.
    virtual void started(uint32_t mbp, uint32_t body, uint64_t clock) = 0;
    virtual void delivered(uint32_t mbp, const Record& packet, uint64_t clock) = 0;
    virtual void acked(uint32_t mbp, uint32_t h0) = 0;
    // A multicast has so many copies more, or less; a unicast is one.
    virtual void counted(uint32_t body, int copies) = 0;
    virtual flit_t flit(uint32_t body, uint32_t k) const = 0;
    // Returns the outputs for copies of a multicast that are not pruned; at least one.
    virtual uint32_t pruned(uint32_t /*node*/, uint32_t /*input*/, const Record& /*packet*/,
                            uint32_t outputs) {
        return outputs;
    }
};

// State of an MBP: its link, the packets it sends and receives, and its queue.
struct MbpImage {
    struct Waiting {
        std::array<uint32_t, 3> header;
        uint32_t body;
    };
    fast::LinkIo::Regs link;
    fast::OutputRegs out;
    std::vector<flit_t> sending;   // the packet in flight,
    uint32_t sent = 0;             // ... so many flits of which are gone
    std::vector<flit_t> received;  // of a packet that comes
    uint64_t head = 0;             // clock of its H0 on the pins
    uint64_t ack_from = 0;
    std::vector<uint32_t> acks;  // H0
    std::vector<Waiting> packets;
};

// All registers that the next cycle sees, of chips and MBPs.
struct Registers {
    std::vector<fast::ChipImage> chips;
    std::vector<MbpImage> mbps;
    uint32_t links = 0;  // ports that have one, by bit
};
using OfChip = std::function<void(uint32_t node, const fast::ChipImage&)>;
using OfMbp = std::function<void(uint32_t mbp, const MbpImage&)>;
// Makes a body of the flits of a packet.
using Adopt = std::function<uint32_t(std::vector<flit_t> flits)>;

}  // namespace rdt::machine::events
