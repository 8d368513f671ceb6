// SPDX-License-Identifier: MIT
// Reads programs: ELF files of RV64, statically linked, with addresses in the RAM of QEMU's machine
// `virt`. Malformed files are refused.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rdt::exec {

// Where RAM begins, and the stacks of the nodes in it.
constexpr uint64_t RamBase = 0x80000000;
constexpr uint64_t StackBase = 0x88000000;
constexpr uint64_t MaxSharedBytes = uint64_t(64) << 20;

struct Segment {
    uint64_t address = 0;
    uint64_t size = 0;           // in memory
    std::vector<uint8_t> bytes;  // of the file; zeros follow
    bool is_writable = false;
    bool is_executable = false;
    uint64_t end() const { return address + size; }
};

struct Symbol {
    std::string name;
    uint64_t address = 0;
    uint64_t size = 0;
    bool is_function = false;
};

struct Elf {
    uint64_t entry = 0;
    std::vector<Segment> segments;  // by address
    std::vector<Symbol> symbols;    // by address

    const Symbol* find(const std::string& name) const;
    // The symbol that holds this address, functions or data; nullptr: none.
    const Symbol* at(uint64_t address, bool is_function) const;
    // As work+0x10; the address alone if no symbol is there.
    std::string name_of(uint64_t address, bool is_function) const;
};

// Both throw std::invalid_argument, with the name of the file.
Elf read_elf(const std::string& path);
Elf elf_of(std::vector<uint8_t> bytes, const std::string& name);

}  // namespace rdt::exec
