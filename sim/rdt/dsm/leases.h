// SPDX-License-Identifier: MIT
// Leases of contended lines of one home. A processor whose conditional store was refused requests
// a lease with its next LoadReserved of that line. The home grants one lease per line at a time,
// and refuses the conditional stores of all other processors meanwhile.
//
// A lease ends with the decision about the processor's store, with any other write of the line, or
// after some cycles. After a lease without a store, no store on the same version is refused for a
// lease: one of several contenders always succeeds, however long its messages take.
#pragma once

#include <deque>
#include <map>
#include <optional>

#include <rdt/dsm/message.h>

namespace rdt::dsm {

class Leases {
public:
    // No line is contended.
    bool idle() const { return m_lines.empty(); }

    // A request waits for a lease.
    void wait(const Message& request);
    // The next request that is granted a lease, unless a lease of the line is in force.
    std::optional<Message> begin(uint32_t line);
    // The request of this client is answered with this version. Returns the number of the lease.
    uint64_t answer(uint32_t line, uint32_t client, uint64_t version);
    // Is a conditional store on this version refused for the lease of another client?
    bool refuses(uint32_t line, uint32_t client, uint64_t version) const;
    // A write or a conditional store of a client has ended. Returns whether the lease has.
    bool ended(uint32_t line, uint32_t client, bool has_written);
    // The time of a lease is over. Returns whether the lease was still in force.
    bool expired(uint32_t line, uint64_t lease);
    // A waiting request has arrived again. Returns whether that was for the last of so many times;
    // then it waits no more.
    bool repeated(const Message& request, uint32_t times);
    // The line is abandoned. Returns the number of requests that waited.
    uint32_t clear(uint32_t line);

private:
    struct Waiting {
        Message request;
        uint32_t repeats;
    };
    struct Line {
        std::deque<Waiting> waiting;
        bool has_lease = false;
        uint64_t lease = 0;   // its number, when it has been answered
        uint32_t client = 0;  // that has it
        uint64_t version = 0;
        bool has_expired = false;
        uint64_t expired = 0;  // version of a lease that ended without a store
    };
    std::map<uint32_t, Line> m_lines;
    uint64_t m_leases = 0;
};

}  // namespace rdt::dsm
