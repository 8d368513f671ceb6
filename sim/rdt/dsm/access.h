// SPDX-License-Identifier: MIT
// One memory operation of a processor, and how it ended: the interface between the shared memory
// and RISC-V harts, TLM sockets, sharing patterns and tests.
#pragma once

#include <rdt/dsm/line.h>

namespace rdt::dsm {

struct Access {
    uint64_t address = 0;  // byte: address % LineBytes in line address / LineBytes
    Op op = Op::Load;
    // Load: 1 to 32 bytes within a line. Store: 1 to 8 bytes within an aligned 8-byte word, or with
    // `bytes`, in a page of protocol invalidate, 1 to 32 bytes within a line. Atomic operation,
    // LoadReserved and StoreConditional: 4 or 8 bytes, aligned.
    uint32_t size = WordBytes;
    uint64_t value = 0;              // stored, or the operand of an atomic operation
    uint32_t enables = ~0u;          // bit i: byte i of a Store is written
    const uint8_t* bytes = nullptr;  // stored instead of `value`; valid until the operation ends

    uint32_t line() const { return uint32_t(address / LineBytes); }
    uint32_t offset() const { return uint32_t(address % LineBytes); }
    uint32_t mask() const { return enables & (size >= 32 ? ~0u : (1u << size) - 1); }
    // The bytes of a line after this write, and the value before it.
    uint64_t apply(Bytes& line) const {
        if (bytes != nullptr) {
            for (uint32_t i = 0; i < size; ++i)
                if ((mask() >> i & 1) != 0) line[offset() + i] = bytes[i];
            return 0;
        }
        if (size == WordBytes && offset() % WordBytes == 0 && enables == ~0u) {
            const uint64_t old = word_of(line, offset() / WordBytes);
            set_word(line, offset() / WordBytes, combined(op, size, old, value));
            return old;
        }
        const uint64_t old = load(line, offset(), size);
        store(line, offset(), mask(), combined(op, size, old, value));
        return old;
    }
};

struct Result {
    bool is_failed = false;  // the home did not answer; whether a write was done remains open
    bool is_success = true;  // of a StoreConditional
    uint64_t value = 0;      // loaded, or the old value of an atomic operation; zero-extended
    uint64_t version = 0;    // of the line: the one read, or the one that the write created
    Bytes line{};            // of a load: the whole line
};

// Why the size or the alignment is not allowed; nullptr if it is. The protocol is of the page.
inline const char* error_of(const Access& a, bool is_update_page) {
    if (a.op == Op::Fence) return nullptr;
    if (a.size == 0 || a.offset() + a.size > LineBytes) return "must lie within a line";
    if (is_load(a.op) && a.op != Op::LoadReserved) return nullptr;
    if (a.op == Op::Store) {
        if (a.bytes != nullptr && !is_update_page) return nullptr;
        if (a.bytes != nullptr || a.offset() % WordBytes + a.size > WordBytes)
            return "a store must lie within an aligned 8-byte word";
        return nullptr;
    }
    if ((a.size != 4 && a.size != 8) || a.offset() % a.size != 0)
        return "an atomic operation has 4 or 8 aligned bytes";
    return nullptr;
}

}  // namespace rdt::dsm
