// SPDX-License-Identifier: MIT
// A message from every node of RCC-FULL to another, all at once, by the paper's three algorithms.
// The numbered steps of an algorithm follow each other: none begins before all messages have done
// the one before. Within one, messages are stored and forwarded; the message with the lowest source
// gets the link first.
#pragma once

#include <rdt/algo/step_machine.h>
#include <rdt/net/families/rcc.h>

namespace rdt::algo {

struct Permutation {
    uint64_t steps = 0;
    bool delivered = false;     // every message once, where it belongs
    uint32_t dropped = 0;       // in phase 1 of Algorithm 3
    uint32_t largest_acks = 0;  // over one transpose link of the topmost level, in phase 2
    uint32_t largest_late = 0;  // in phase 3
};

// to[v] is the destination of node v's message; algorithm 1, 2 or 3; level at least 1.
Permutation permute(const Rcc& network, const std::vector<NodeId>& to, int algorithm);

}  // namespace rdt::algo
