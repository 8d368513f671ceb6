// SPDX-License-Identifier: MIT
// Messages between homes and caches. Every message is one packet.
#pragma once

#include <cstdint>

#include <rdt/dsm/line.h>
#include <rdt/machine/words.h>

namespace rdt::dsm {

enum class Kind : uint8_t {
    // From a node to the home of a line.
    Read,          // requests a copy
    ReadForLease,  // ... and a lease: LoadReserved after a refused store
    Acquire,       // requests ownership
    AcquireIf,     // ... if the line still has this version and no owner
    Write,         // bytes of a word, to be merged by the home
    WriteIf,       // ... if the line still has this version
    Atomic,        // an atomic operation, to be done by the home
    WriteBack,     // the line as its former owner has written it
    NotOwner,      // answer to a recall of a line that the node does not own
    Ack,           // answer to an Update or Invalidate that was sent to this node alone
    // From a home to a node.
    Data,          // a copy
    Own,           // the only copy: may be written
    Done,          // the write is complete
    OldValue,      // the atomic operation is complete
    Refused,       // AcquireIf or WriteIf: the version has changed; nothing was written
    Recall,        // return the line and drop it
    RecallShared,  // return the line and keep a copy
    // From a home to all nodes that may have a copy.
    Update,       // new bytes; not readable until Release
    UpdateAlone,  // new bytes for the only copy; readable at once
    Release,      // all copies have this version: it is readable
    Invalidate,
};
constexpr uint32_t NumKinds = uint32_t(Kind::Invalidate) + 1;

struct Message {
    Kind kind = Kind::Read;
    Op op = Op::Load;
    uint8_t word = 0;   // word of the line
    uint8_t mask = 0;   // bytes of the word
    uint32_t node = 0;  // sender
    uint32_t line = 0;
    uint32_t number = 0;   // transaction number, counted by the node that began it
    uint64_t version = 0;  // version of the line; every write creates a new one
    uint64_t value = 0;    // value of the word
    Bytes bytes{};         // contents of the line
};

// Largest values that fit, exclusive.
constexpr uint32_t MaxNodes = 1u << 13;
constexpr uint32_t MaxLines = 1u << 24;
constexpr uint32_t MaxNumber = 1u << 26;

// As payloads of body flits, only the fields that the kind needs, and back.
machine::Words encode(const Message& message);
// Throws std::invalid_argument for words that are no message.
Message decode(const machine::Words& words);

}  // namespace rdt::dsm
