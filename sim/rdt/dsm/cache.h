// SPDX-License-Identifier: MIT
// The cache of a node and the processor in front of it, which does one operation at a time; those
// that are issued meanwhile wait. It holds all lines that the node uses: nothing is replaced.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <unordered_map>

#include <rdt/dsm/checker.h>
#include <rdt/dsm/fabric.h>
#include <rdt/dsm/options.h>
#include <rdt/dsm/pattern.h>

namespace rdt::dsm {

class Cache {
public:
    // It issues so many operations itself, each when the last one has ended.
    Cache(uint32_t node, uint32_t nodes, const Options& options, uint64_t operations,
          Fabric& fabric, Checker& checker, Statistics& statistics);

    // One more operation of the pattern.
    void issue();
    // One from outside. At its end `ended` gets the version that was read or written, Failed if
    // nobody answered.
    struct Request {
        Operation operation;
        std::function<void(uint64_t version)> ended;
    };
    static constexpr uint64_t Failed = ~uint64_t(0);
    void request(Request request);
    // Begins the next operation if the last one has ended.
    void clock();
    void receive(const Message& message);
    // A copy of a multicast.
    void receive_multicast(const Message& message);

    void stop() {
        m_left = 0;
        m_waiting.clear();
        m_requests.clear();
    }
    bool idle() const { return m_left == 0 && m_waiting.empty() && !m_pending; }
    // clock() would begin an operation.
    bool may_begin() const { return !m_pending && (m_left > 0 || !m_waiting.empty()); }
    uint64_t last_end() const { return m_last_end; }

    struct Copy {
        uint64_t version;
        uint64_t value;
        bool is_owned;
        uint64_t number;  // of the operation that made it owned
    };
    const std::unordered_map<uint32_t, Copy>& copies() const { return m_copies; }

private:
    struct Pending {
        Message request;
        uint32_t attempts;
        // What multicasts said about the line meanwhile. A reply may have been overtaken by them.
        std::optional<uint64_t> invalidated;  // this version and older ones are not to be kept
        std::optional<Message> updated;
        std::optional<Kind> recalled;  // before the grant came
    };

    void read(uint32_t line);
    void write(uint32_t line);
    void ask(Kind kind, uint32_t line, uint64_t value);
    void resend(uint64_t number);
    void read_ends(const Message& data);
    void write_ends(uint32_t line, uint64_t version, uint64_t value);
    void operation_ends(uint64_t version);
    void recalled(const Message& recall);
    void give_up_line(uint32_t line, Kind recall);
    void keep(uint32_t line, const Copy& copy);
    void drop(uint32_t line);

    const uint32_t m_node;
    const uint32_t m_nodes;
    const Options& m_options;
    Fabric& m_fabric;
    Checker& m_checker;
    Statistics& m_statistics;
    Pattern m_pattern;
    Random m_random;
    uint64_t m_left;                 // operations to issue itself
    std::deque<uint64_t> m_waiting;  // clocks in which those to begin were issued
    std::deque<Request> m_requests;  // from outside, of those
    std::function<void(uint64_t)> m_ended;
    uint64_t m_issued = 0;  // clock, of the operation that was begun last
    uint64_t m_begun = 0;
    uint64_t m_number = 0;
    uint64_t m_last_end = 0;
    std::optional<Pending> m_pending;
    std::unordered_map<uint32_t, Copy> m_copies;
    // The last thing written back of a line, in case it was lost on the way.
    std::unordered_map<uint32_t, Message> m_written_back;
};

}  // namespace rdt::dsm
