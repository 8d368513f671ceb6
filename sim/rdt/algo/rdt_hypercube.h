// SPDX-License-Identifier: MIT
// A hypercube on an RDT of as many nodes (the paper's section IV-C): every node exchanges a value
// with its neighbor across one dimension, all at the same time and without conflict.
#pragma once

#include <rdt/algo/step_machine.h>

namespace rdt::algo {

// A value that moves out of a node through a port in a step, counted from 0.
struct Hop {
    NodeId from;
    uint32_t port;
    uint32_t step;
};

// The hops of the value that each node sends to the node with dimension `d` of the index inverted.
struct ExchangePlan {
    uint32_t steps = 0;
    uint32_t longest = 0;                // hops of a value
    std::vector<std::vector<Hop>> ways;  // by node
};

// A plan with few steps in which no link carries two values in a step. Values get their paths one
// after the other over links and steps that are still free; steps are added until all have a path.
// A node may keep any number of values. Throws NetworkError unless the network is rdt:... or
// prdt:... with a power of two of nodes.
class ExchangePlanner {
public:
    explicit ExchangePlanner(const Network& network);
    ~ExchangePlanner();
    uint32_t dimensions() const;
    ExchangePlan plan(uint32_t dimension) const;

private:
    class Search;
    std::unique_ptr<Search> m_search;
};

}  // namespace rdt::algo
