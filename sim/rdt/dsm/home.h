// SPDX-License-Identifier: MIT
// The home of a node's part of the memory: the directory, and the order of operations on a line.
//
// Operations on a line are done one after the other; others wait in a queue. A multicast may also
// reach nodes without a copy; they just answer. It carries the version it is about, so that it may
// be repeated, or come late, without harm. A request is known by its sender's number: one that
// comes again is answered again, and done once.
#pragma once

#include <deque>
#include <optional>
#include <unordered_map>

#include <rdt/dsm/directory.h>
#include <rdt/dsm/fabric.h>
#include <rdt/dsm/options.h>
#include <rdt/support/random.h>

namespace rdt::dsm {

class Home {
public:
    Home(uint32_t node, const Options& options, Fabric& fabric, const Geometry& geometry,
         const MapTable& maps, Statistics& statistics);

    void receive(const Message& message);
    // The combined ack of a multicast about this line.
    void answered(uint32_t line, uint32_t status);

    // No operation under way or waiting.
    bool idle() const { return m_active == 0; }

    struct Line {
        uint64_t version = 0;
        uint64_t value = 0;
        std::optional<uint32_t> owner;  // then version and value are old
        bool is_lost = false;           // given up: nobody gets an answer any more
        bool is_shared = false;         // copies were given out

        uint64_t owner_number = 0;  // of the operation that made it owner
        std::deque<Message> waiting;
        std::optional<Message> current;
        uint32_t attempts = 0;  // of what is being waited for
    };
    const std::unordered_map<uint32_t, Line>& lines() const { return m_lines; }
    // Directory entries that have been needed.
    uint64_t entries() const { return m_pages.size(); }

private:
    // Its directory entry serves all its lines.
    struct Page {
        Directory sharers;
        uint32_t shared = 0;  // lines
    };
    Page& page_of(uint32_t line) { return m_pages[line / m_options.page]; }
    void share(uint32_t at, Line& line, uint32_t node);
    // The newest request of a node, and the reply to it.
    struct Client {
        uint64_t number = 0;
        std::optional<Message> reply;
    };

    void next(uint32_t at, Line& line);
    void begin(uint32_t at, Line& line);
    void write(uint32_t at, Line& line);
    void grant(Line& line);
    void recall(uint32_t at, Line& line);
    void returned(const Message& message, Line& line);
    void ask_to_multicast(uint32_t at);
    void multicast();
    Message reply_of(const Line& line, Kind kind) const;
    void finish(Line& line, Kind kind);
    void lose(Line& line);

    const uint32_t m_node;
    const Options& m_options;
    Fabric& m_fabric;
    const Geometry& m_geometry;
    const MapTable& m_maps;
    Statistics& m_statistics;
    Random m_random;
    std::unordered_map<uint32_t, Line> m_lines;
    std::unordered_map<uint32_t, Page> m_pages;
    std::unordered_map<uint32_t, Client> m_clients;
    std::deque<uint32_t> m_to_multicast;  // lines
    uint32_t m_multicasting = 0;
    uint64_t m_active = 0;  // operations
};

}  // namespace rdt::dsm
