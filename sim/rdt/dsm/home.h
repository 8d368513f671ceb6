// SPDX-License-Identifier: MIT
// The home of a node's part of the memory: the directory, and the order of operations on a line.
//
// Operations on a line are done one after the other; others wait in a queue. A multicast may also
// reach nodes without a copy; they only answer. It carries the version it is about, so that it may
// be repeated, or come late, without harm. A request is known by its sender's number: a repeated
// one is answered again, and done once.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include <rdt/dsm/cache.h>
#include <rdt/dsm/directory.h>
#include <rdt/dsm/leases.h>

namespace rdt::dsm {

// A line of memory at its home.
struct MemoryLine {
    Bytes bytes;
    uint64_t version;
    uint32_t owner;         // node + 1; then version and bytes are old
    uint32_t owner_number;  // of the transaction that made it owner
    uint32_t first;         // transactions + 1 at the home: the current one ...
    uint32_t last;          // ... and the last that waits
    bool is_lost;           // abandoned: no request is answered any more
    bool is_shared;         // copies were given out
    uint32_t shares;        // how often one was given out
};

class Home {
public:
    // `maps` is for a multicast directory.
    Home(uint32_t node, const Context& context, const machine::Machine& machine,
         const MapTable* maps, ZeroArray<MemoryLine>& lines);

    // A message has arrived; it is handled when the home is free.
    void receive(const Message& message);
    void handle(const Message& message);
    // A multicast about this line has come to a node that has it.
    void is_held_by(uint32_t line, uint32_t node);
    // The combined ack of a multicast about this line.
    void answered(uint32_t line, uint32_t status);
    void timer_ends(const Timer& timer);

    // No operation in flight or waiting.
    bool idle() const { return m_active == 0; }
    // Directory entries that have been needed.
    uint64_t entries() const { return m_entries; }

private:
    // Its directory entry serves all its lines.
    struct Page {
        Directory sharers;
        uint32_t shared;  // lines
        bool is_used;
    };
    struct Transaction {
        Message request;
        uint64_t old_value = 0;
        uint64_t new_value = 0;          // value of the word
        uint32_t next = 0;               // transaction + 1 that waits for the same line
        uint32_t attempts = 0;           // of the current request
        uint32_t repeats = 0;            // repetitions of its multicast
        bool is_told = false;            // copies are locked: they wait for a release
        std::vector<uint64_t> awaited;   // nodes whose answers are missing, of an exact directory
        std::vector<uint64_t> released;  // nodes that wait for a release
        std::vector<uint32_t> holders;   // nodes with the line that its multicast has come to
        Bytes snapshot{};                // InjectedBug::NonAtomic
    };
    // The newest request of a slot of a node, and the reply to it.
    struct Client {
        uint64_t version;
        uint64_t value;
        uint32_t number;
        bool is_known;
        bool is_answered;
        Kind reply;
    };

    // Pages of this home are numbered from 0.
    uint32_t page_index(uint32_t line) const { return line / m_options.page / m_context.nodes; }
    Page& page_of(uint32_t line) { return m_pages[page_index(line)]; }
    uint64_t* exact_of(uint32_t line) { return &m_exact[size_t(page_index(line)) * m_words]; }
    Transaction& current_of(const MemoryLine& line) { return m_transactions[line.first - 1]; }
    uint32_t client_index(const Message& request) const {
        return m_context.client(request.node, m_context.slot_of(request.number));
    }
    Client& client_of(const Message& request) { return m_clients[client_index(request)]; }

    void repeat(const Message& request, const Client& client, MemoryLine& line);
    void enqueue(const Message& request, MemoryLine& line);
    void enqueue_read(Message request, MemoryLine& line);
    void begin(uint32_t at, MemoryLine& line);
    bool is_refused(uint32_t at, const MemoryLine& line);
    void next_lease(uint32_t at, MemoryLine& line);
    void share(uint32_t at, MemoryLine& line, uint32_t node);
    void unshare(uint32_t at, MemoryLine& line);
    void write(uint32_t at, MemoryLine& line);
    void tell_sharers(uint32_t at, MemoryLine& line);
    void tell_by_multicast(uint32_t at, MemoryLine& line);
    void tell_each(uint32_t at, MemoryLine& line);
    void send_to_awaited(uint32_t at, MemoryLine& line);
    void sharer_answers(const Message& ack, MemoryLine& line);
    uint64_t pruning_key(uint32_t at, const MemoryLine& line) const;
    void learn_holders(uint32_t at, const MemoryLine& line);
    void tell_early(const MemoryLine& line);
    void release(uint32_t at, MemoryLine& line);
    void grant(uint32_t at, MemoryLine& line);
    void recall(uint32_t at, MemoryLine& line);
    void returned(const Message& message, MemoryLine& line);
    void ask_to_multicast(uint32_t at);
    void multicast();
    Message message_of(Kind kind, uint32_t at, const MemoryLine& line);
    Message reply_of(Kind kind, const MemoryLine& line);
    void finish(MemoryLine& line, Kind kind);
    bool ends_lease(uint32_t at, const MemoryLine& line, Kind kind);
    void lose(MemoryLine& line);

    const uint32_t m_node;
    const Context m_context;
    const Options& m_options;
    const Geometry& m_geometry;
    const MapTable* const m_maps;
    PruningCaches* const m_pruning;  // pruning caches of all routers, or nullptr
    Random m_random;
    ZeroArray<MemoryLine>& m_lines;  // lines of all homes
    ZeroArray<Page> m_pages;
    const uint32_t m_words;  // words of an exact entry
    ZeroArray<uint64_t> m_exact;
    ZeroArray<Client> m_clients;
    std::deque<Transaction> m_transactions;
    std::vector<uint32_t> m_free;
    std::deque<uint32_t> m_to_multicast;  // lines
    Leases m_leases;
    uint32_t m_multicasting = 0;
    uint64_t m_active = 0;  // operations
    uint64_t m_entries = 0;
    const uint64_t m_lease_cycles;
    MbpTime m_mbp;
};

}  // namespace rdt::dsm
