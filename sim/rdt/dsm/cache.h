// SPDX-License-Identifier: MIT
// The cache of a node. Each of its slots does one operation at a time: a processor has a slot for
// its operations and, with a store buffer, one for the stores that leave the buffer. The cache
// holds all lines, or is set-associative and replaces the least recently used line of a set.
#pragma once

#include <algorithm>
#include <vector>

#include <rdt/dsm/checker.h>
#include <rdt/dsm/fabric.h>
#include <rdt/dsm/options.h>
#include <rdt/support/random.h>

namespace rdt::dsm {

// State shared by all parts of a memory.
struct Context {
    const Options& options;
    const uint32_t nodes;
    const uint32_t slots;  // per node
    Fabric& fabric;
    Checker* checker;  // nullptr: no checks
    Statistics& statistics;
    ZeroArray<Protocol>& protocols;  // by page

    uint32_t home_of(uint32_t line) const { return options.home_of(line, nodes); }
    bool is_update(uint32_t line) const {
        return protocols[line / options.page] == Protocol::Update;
    }
    uint32_t client(uint32_t node, uint32_t slot) const { return node * slots + slot; }
    // Numbers of a node's transactions have the slot in them.
    uint32_t slot_of(uint32_t number) const { return number % slots; }
};

// An MBP that handles one message after the other.
class MbpTime {
public:
    // Cycles from now until a message is handled that takes so many.
    uint64_t delay(uint64_t now, uint64_t cycles) {
        m_free_at = std::max(m_free_at, now) + cycles;
        return m_free_at - now;
    }

private:
    uint64_t m_free_at = 0;
};

class Cache {
public:
    class Client {
    public:
        virtual ~Client() = default;
        virtual void ended(uint32_t node, uint32_t slot, const Result& result) = 0;
    };

    Cache(uint32_t node, const Context& context, Client& client);

    // Begins an operation of a free slot. Returns whether it has ended, with `result`; otherwise
    // Client::ended() is called later.
    bool begin(uint32_t slot, const Access& access, Result& result);
    // A message has arrived; it is handled when the MBP has the time.
    void receive(const Message& message);
    void handle(const Message& message);
    // A copy of a multicast. Returns whether the node has the line or waits for it.
    bool receive_multicast(const Message& message);
    void timer_ends(const Timer& timer);

    struct alignas(64) Copy {
        uint64_t version = 0;
        uint64_t used = 0;    // counts accesses of the cache
        uint32_t number = 0;  // of the transaction that made it owned
        bool is_owned = false;
        bool is_locked = false;  // updated, and not released yet
        Bytes bytes{};
        uint64_t batch = 0;  // for the user of readable()
    };
    // Hits that the user of the cache executes itself on its only slot: loads of copies that are
    // readable, stores to those that are owned. It commits them before anything else happens to
    // the line. A cache of limited size does not see when these lines were used.
    Copy* readable(uint32_t line) {
        Copy* copy = m_copies.find(line);
        return copy == nullptr || copy->is_locked ? nullptr : copy;
    }
    // A store whose bytes are in the copy. Before commit_loads().
    void commit_store(Copy& copy, const Access& access) {
        ++copy.version;
        if (m_context.checker != nullptr)
            m_context.checker->writes(m_context.client(m_node, 0), access, copy.version);
    }
    // All loads of a line.
    void commit_loads(uint32_t line, const Copy& copy) {
        if (m_context.checker != nullptr)
            m_context.checker->reads(m_context.client(m_node, 0), line, copy.version, copy.bytes);
    }
    // Counts them.
    void commit(uint64_t loads, uint64_t stores);
    const Copy* copy_of(uint32_t line) const { return m_copies.find(line); }
    const LineTable<Copy>& copies() const { return m_copies; }
    // The returned data of a line that this transaction made owned; nullptr: none.
    struct WrittenBack {
        uint32_t number = 0;
        uint64_t version = 0;
        Bytes bytes{};
    };
    const WrittenBack* returned(uint32_t line, uint32_t number) const {
        const WrittenBack* back = m_written_back.find(line);
        return back != nullptr && back->number == number ? back : nullptr;
    }
    // Changes bytes of a copy, if there is one, without a write.
    void preset(uint32_t line, const Bytes& bytes);

private:
    enum class State : uint8_t {
        Free,
        WaitsForLine,     // another slot has a transaction about the line
        WaitsForRelease,  // of the copy
        Asked,            // the home
    };
    struct Slot {
        Access access;
        Message request;
        State state = State::Free;
        uint32_t attempts = 0;
        uint64_t begun = 0;  // cycle
        uint64_t sequence = 0;
        // Multicasts that overtook the reply: older versions are not to be kept.
        uint64_t least = 0;
        bool is_recalled = false;  // before the grant came
        Kind recall = Kind::Recall;
        bool has_snapshot = false;  // InjectedBug::NonAtomic
        uint64_t snapshot = 0;
        // Reservation of LoadReserved.
        uint32_t reserved_line = ~0u;
        uint64_t reserved = 0;
        uint32_t refused_line = ~0u;  // line of the last conditional store that failed
    };

    bool attempt(uint32_t slot, Result& result);
    bool attempt_load(uint32_t slot, Result& result);
    bool attempt_write(uint32_t slot, Result& result);
    bool is_busy(uint32_t line, uint32_t slot) const;
    void next_number(uint32_t slot);
    void ask(uint32_t slot, Kind kind);
    void send_request(uint32_t slot);
    void begin_check(uint32_t slot);
    uint64_t write_copy(uint32_t slot, uint32_t line, Copy& copy, Result& result);
    void load_ends(uint32_t slot, uint64_t version, const Bytes& bytes);
    void end(uint32_t slot, const Result& result);
    void wake();
    void data_comes(uint32_t slot, const Message& data);
    void ownership_comes(uint32_t slot, const Message& own);
    void write_is_done(uint32_t slot, const Message& done);
    void recalled(const Message& recall);
    bool sharer_receives(const Message& message);
    void update_comes(const Message& update, Copy* copy);
    void unlocked(uint32_t line, const Copy& copy);
    void give_up_line(uint32_t line, Kind recall);
    Copy& keep(uint32_t line);
    void make_room(uint32_t line);
    bool must_replace(uint32_t line) const;
    // Cycles until the MBP has handled a message from or to that node.
    uint64_t mbp_delay(const HandlerCycles& handler, uint32_t other, uint64_t more = 0) {
        const uint64_t cycles = handler.hardware + (other == m_node ? 0 : handler.software + more);
        return cycles == 0 ? 0 : m_mbp.delay(m_context.fabric.now(), cycles);
    }
    void drop(uint32_t line);

    const uint32_t m_node;
    const Context m_context;
    const Options& m_options;
    Client& m_client;
    Random m_random;
    std::vector<Slot> m_slots;
    uint32_t m_waiting = 0;  // slots that wait for a line
    LineTable<Copy> m_copies;
    uint64_t m_uses = 0;
    MbpTime m_mbp;
    uint32_t m_sets = 0;
    std::vector<uint32_t> m_ways;  // by set: line + 1
    // What was returned last of a line, in case it was lost on the way.
    LineTable<WrittenBack> m_written_back;
};

}  // namespace rdt::dsm
