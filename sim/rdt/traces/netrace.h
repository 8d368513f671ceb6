// SPDX-License-Identifier: MIT
// Netrace 1.0 (Hestness, Grot, Keckler, 2010): messages between caches and memory controllers of a
// 64-core processor, each with the messages that wait for it. Little endian, often bzip2:
//   header, 72 bytes      u32 magic 0x484A5455, f32 version, char benchmark[30], u8 nodes, 1 byte,
//                         u64 cycles, u64 packets, u32 length of notes, u32 regions, 8 bytes
//   notes
//   regions, 24 bytes     u64 offset, u64 cycles, u64 packets
//   packets, 21 bytes     u64 cycle, u32 id, u32 address, u8 type, u8 source, u8 destination,
//                         u8 kinds of both nodes, u8 count; then `count` u32: ids of packets that
//                         wait until this one has arrived
// Ids ascend, and cycles do not go back.
#pragma once

#include <optional>

#include <rdt/traces/packed_file.h>
#include <rdt/traces/trace_text.h>

namespace rdt::traces {

struct NetraceHeader {
    struct Region {
        uint64_t clocks = 0;
        uint64_t packets = 0;
    };
    std::string benchmark;
    uint32_t nodes = 0;
    uint64_t clocks = 0;
    uint64_t packets = 0;
    std::vector<Region> regions;
};

struct NetracePacket {
    uint64_t clock = 0;
    uint32_t id = 0;
    uint32_t source = 0;
    uint32_t destination = 0;
    uint32_t bytes = 0;  // by its type: with a cache line or without
    std::vector<uint32_t> waiting;
};

// One packet after the other. All of this throws ImportError.
class NetraceReader {
public:
    explicit NetraceReader(const std::string& path);

    const NetraceHeader& header() const { return m_header; }
    std::optional<NetracePacket> next();
    const std::string& path() const { return m_file.path(); }

private:
    void read_header();
    [[noreturn]] void fail(const std::string& what) const;

    PackedFile m_file;
    NetraceHeader m_header;
    uint64_t m_read = 0;
    uint64_t m_clock = 0;
    uint32_t m_id = 0;
};

struct NetraceOptions {
    uint32_t nodes = 64;             // nodes of the machine
    std::optional<uint32_t> region;  // only this one
    uint64_t packets = ~uint64_t(0);
    uint64_t delay = 0;  // cycles between what a packet waits for and itself
};

struct NetraceFigures {
    uint64_t messages = 0;  // netrace's packets
    uint64_t packets = 0;   // the machine's: one of a cache line takes two
    uint64_t waits = 0;     // of a message for another
    uint64_t beyond = 0;    // messages that wait for these and are not among them
};

// Line by line. In memory are messages whose waiting ones have not come.
NetraceFigures convert(NetraceReader& reader, const NetraceOptions& options,
                       const WriteLine& write);

}  // namespace rdt::traces
