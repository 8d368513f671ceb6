// SPDX-License-Identifier: MIT
// What homes and caches say to each other. Every message is one packet.
#pragma once

#include <cstdint>
#include <vector>

namespace rdt::dsm {

enum class Kind : uint32_t {
    // A node to the home of a line.
    Read,       // wants a copy
    Write,      // wants to write; the value goes along
    WriteBack,  // what the owner has written
    Nothing,    // asked for a line that it does not own
    // A home to a node.
    Data,          // a copy
    Own,           // the only copy: may be written
    Done,          // the write is complete
    Recall,        // give the line up
    RecallShared,  // give the line back, and keep a copy
    // A home to all that may have a copy, by multicast.
    Update,
    Invalidate,
};

struct Message {
    Kind kind = Kind::Read;
    uint32_t node = 0;  // that sends it
    uint32_t line = 0;
    uint64_t number = 0;   // of the operation it belongs to, counted by the node that began it
    uint64_t version = 0;  // of the line; every write makes a new one
    uint64_t value = 0;    // of the line
};

// Largest values that fit, exclusive.
constexpr uint32_t MaxNodes = 1u << 13;
constexpr uint32_t MaxLines = 1u << 17;

// As payloads of body flits, only what the kind needs, and back.
std::vector<uint32_t> encode(const Message& message);
// Throws std::invalid_argument if it cannot be one.
Message decode(const std::vector<uint32_t>& words);

}  // namespace rdt::dsm
