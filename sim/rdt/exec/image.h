// SPDX-License-Identifier: MIT
// A program as it lies in memory: code and constants, which every node has a copy of, and shared
// data. The addresses are those of QEMU's machine `virt`, where the same file runs.
//
//   0x0010_0000  end of the program: 0x5555, or exit code << 16 | 0x3333
//   0x0300_0000  registers of the node (Register)
//   0x1000_0000  serial port
//   0x8000_0000  code and constants, then shared data
//   0x8800_0000  private memory, StackBytes per node
#pragma once

#include <optional>
#include <string>

#include <rdt/exec/elf.h>
#include <rdt/hart/hart.h>

namespace rdt::exec {

constexpr uint64_t EndDevice = 0x00100000;
constexpr uint64_t NodeRegisters = 0x03000000;
constexpr uint64_t SerialPort = 0x10000000;
constexpr uint64_t StackBytes = 256 * 1024;
constexpr uint32_t MaxHarts = 256;
// Shared data begin with a page of this size; protocols and homes are given by page.
constexpr uint64_t PageBytes = 4096;

// Registers of 8 bytes each, from NodeRegisters on.
enum class Register : uint64_t {
    Interest,  // written: 1 begins the region of interest, 0 ends it
    Barrier,   // written: the node arrives, with three bits; read: waits, and has the OR of all
    Side,      // read: nodes on a side of the machine
};

// Values for the run-time in these symbols, if the program has them.
struct Facts {
    uint32_t harts = 1;               // rdt_nodes_
    uint32_t machine = 0;             // rdt_machine_: 0 no machine, 1 one, 3 with a barrier
    uint32_t homes = 1;               // rdt_homes_: nodes that hold memory
    uint32_t page_bytes = PageBytes;  // rdt_page_bytes_
    std::string arguments;            // rdt_arguments_
};

class Image {
public:
    // Throws std::invalid_argument for a program whose data cannot be shared, or whose arguments
    // are too long or not requested.
    Image(Elf elf, const Facts& facts);

    const Elf& elf() const { return m_elf; }
    hart::Window code();       // executable
    hart::Window constants();  // not writable, code included
    uint64_t shared_base() const { return m_shared_base; }
    const std::vector<uint8_t>& shared() const { return m_shared; }
    // The addresses between two symbols; nothing without them.
    struct Range {
        uint64_t begin = 0;
        uint64_t end = 0;
    };
    Range between(const std::string& begin, const std::string& end) const;

private:
    void load();
    uint8_t* at(uint64_t address, uint64_t count);
    void set(const std::string& name, uint32_t value);
    void set_arguments(const std::string& arguments);

    Elf m_elf;
    uint64_t m_constants_base = 0;
    std::vector<uint8_t> m_constants;
    uint64_t m_code_begin = 0;
    uint64_t m_code_end = 0;
    uint64_t m_shared_base = 0;
    std::vector<uint8_t> m_shared;
};

}  // namespace rdt::exec
