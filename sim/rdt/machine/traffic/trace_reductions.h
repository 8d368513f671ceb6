// SPDX-License-Identifier: MIT
// Reductions of a trace in flight: the nodes with the arm, the answers that are due, and a check of
// the result.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <rdt/machine/traffic/all_reduce.h>
#include <rdt/machine/transport.h>

namespace rdt::machine {

class TraceReductions {
public:
    TraceReductions(Transport& transport, uint32_t width);

    // A multicast with this number is sent to these nodes, which all answer it.
    void open(uint64_t number, const std::vector<uint32_t>& nodes);
    // The node's answer, a line of the trace, is due. True if it is given now, because the arm has
    // arrived; otherwise it is given by deliver().
    bool answer(uint64_t number, uint32_t node, uint64_t line);
    // The arm arrives. Returns the line of the answer if it waited for that.
    std::optional<uint64_t> deliver(uint64_t number, const Delivery& arm);

    uint64_t results() const { return m_results; }
    std::string error() const;

private:
    struct Open {
        std::vector<uint32_t> nodes;
        std::unordered_map<uint32_t, Delivery> arms;   // by node: arrived and not answered
        std::unordered_map<uint32_t, uint64_t> lines;  // by node: answers that are due
    };

    void give(uint64_t number, const Delivery& arm);
    void check(uint64_t number, const core::Operand& sum);

    Transport& m_transport;
    AllReduce m_all_reduce;
    std::unordered_map<uint64_t, Open> m_open;
    uint64_t m_results = 0;
    uint64_t m_wrong = 0;
};

}  // namespace rdt::machine
