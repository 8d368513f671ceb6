// SPDX-License-Identifier: MIT
// The life of every packet, hop by hop, as seen on the pins. One line a packet, when it is done:
//
//   17 0.M0 to 37.M1, 16 flits: generated 120; 0.M0@123 0.E0/0@130 1.N1/1@137 37.M1@144; delivered
//   160
//
// Each step is node.port/VC@cycle of the first flit on the pins of that port; the first one is the
// sender's MBP, the last one the port to the receiver's. The steps of a multicast are all its
// copies', in the order in which they were sent.
#pragma once

#include <map>
#include <string>

#include <rdt/support/output.h>
#include <rdt/machine/measure/follower.h>
#include <rdt/machine/transport.h>

namespace rdt::machine {

class PacketLog {
public:
    PacketLog(const Machine& machine, const std::string& path);

    // After every cycle of the machine.
    void clock(const Transport& transport);
    void done(const Packet& packet, uint64_t now);
    // Writes what is still open, and the file is there.
    void finish();

private:
    struct Sender {
        Follower follower;
        uint64_t started = 0;
        flit_t number = 0;  // first flit of it
    };
    struct Life {
        std::string head;
        std::string steps;
    };

    void follow(const Transport& transport, uint32_t node, uint32_t port, bool from_mbp,
                const core::LinkPinsOut& pins);
    static std::string head_of(const Packet& packet);

    const Machine& m_machine;
    OutputFile m_file;
    std::vector<Sender> m_senders;  // ten ports of every node, and its two MBPs
    std::map<uint64_t, Life> m_open;
};

}  // namespace rdt::machine
