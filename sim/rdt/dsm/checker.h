// SPDX-License-Identifier: MIT
// Checks a shared memory from outside: begin and end of operations, versions of writes, returned
// values and the nodes with copies, without knowledge of the protocol. It executes all writes of a
// line itself, in the order of their versions.
// - Every line is linearizable: a read returns no version older than one that an operation saw
//   which ended before the read began. Linearizability is a local property, so all lines together
//   are sequentially consistent if processors do one operation after the other.
// - A read returns the bytes of its version, an atomic operation the value before it; a conditional
//   store succeeds only on the reserved version. Every write takes effect once.
// - While a node owns a line no other has a copy. At the end all copies equal the memory, and no
//   completed write is missing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <rdt/dsm/access.h>
#include <rdt/dsm/zero_array.h>

namespace rdt::dsm {

class Checker {
public:
    // Operations of one client do not overlap.
    Checker(uint32_t clients, uint32_t lines);

    // A read that begins and ends at this moment.
    void reads(uint32_t client, uint32_t line, uint64_t version, const Bytes& bytes) {
        Line& l = m_lines[line];
        if (version != l.newest || version < l.seen || !is_equal(l.bytes, bytes))
            return reads_other(client, line, version, bytes);
        l.seen = version;
    }
    // ... and reserves the line.
    void reserves(uint32_t client, uint32_t line, uint64_t version, const Bytes& bytes);
    // A store that begins, takes effect as this version and ends at this moment.
    void writes(uint32_t client, const Access& access, uint64_t version) {
        Line& l = m_lines[access.line()];
        // Nothing else can return the version before: it is replaced.
        if (l.open != 0 || l.older != 0 || l.seen != l.newest || version != l.newest + 1)
            return writes_beside(client, access, version);
        access.apply(l.bytes);
        l.newest = l.seen = version;
    }
    void begins(uint32_t client, uint32_t number, const Access& access);
    // The client's write takes effect as this version.
    void orders(uint32_t client, uint32_t number, uint32_t line, uint64_t version);
    void read_ends(uint32_t client, uint64_t version, const Bytes& bytes);
    void write_ends(uint32_t client, uint64_t version, uint64_t old_value);
    // A conditional store that wrote nothing.
    void refused(uint32_t client);
    // The operation ended with an error: whether it was done remains open.
    void fails(uint32_t client);

    void copy_comes(uint32_t line) { ++m_lines[line].holders; }
    void copy_goes(uint32_t line) { --m_lines[line].holders; }
    // The node has a copy.
    void owner_comes(uint32_t node, uint32_t line);
    void owner_goes(uint32_t line) { m_lines[line].owner = 0; }

    // Bytes that are there without a write, before operations on the line.
    void presets(uint32_t line, const Bytes& bytes);

    // At the end.
    void memory_is(uint32_t line, uint64_t version, const Bytes& bytes);
    void copy_is(uint32_t node, uint32_t line, uint64_t version, const Bytes& bytes);

    uint64_t violations() const { return m_violations; }
    // The first one, in a line; empty if there is none.
    const std::string& first() const { return m_first; }

private:
    struct alignas(64) Line {
        uint64_t newest;   // version
        uint64_t seen;     // newest version of an operation that has ended
        Bytes bytes;       // of the newest version
        uint32_t older;    // versions before it, in m_older; 0: none, or no longer kept
        uint32_t open;     // operations that have begun
        uint32_t holders;  // nodes with a copy
        uint32_t owner;    // node + 1
    };
    static_assert(sizeof(Line) == 64);
    struct VersionBytes {
        Bytes bytes;
        uint32_t older;
    };
    struct Client {
        Access access;
        uint32_t number = 0;
        bool is_open = false;
        bool is_failed = false;
        uint64_t floor = 0;    // version that was seen when the operation began
        uint64_t ordered = 0;  // version that it got
        uint64_t old_value = 0;
        uint32_t reserved_line = ~0u;
        uint64_t reserved = 0;  // version
    };
    struct Failed {
        uint32_t client;
        uint32_t number;
        Access access;
        Bytes bytes;  // bytes of a store
    };

    // nullptr: not known.
    const Bytes* bytes_of(const Line& line, uint64_t version) const;
    // Not the newest version, or wrong.
    void reads_other(uint32_t client, uint32_t line, uint64_t version, const Bytes& bytes);
    void compare(uint32_t line, uint32_t client, uint64_t version, const Bytes& bytes);
    void writes_beside(uint32_t client, const Access& access, uint64_t version);
    void prune(Line& line);
    void close(Client& client, uint64_t version);
    void violated(std::string what);

    ZeroArray<Line> m_lines;
    std::vector<Client> m_clients;
    std::vector<VersionBytes> m_older;
    std::vector<uint32_t> m_free;
    std::vector<Failed> m_failed;  // writes that may still take effect
    uint64_t m_violations = 0;
    std::string m_first;
};

}  // namespace rdt::dsm
