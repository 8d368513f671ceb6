// SPDX-License-Identifier: MIT
// A program without a machine: all harts on one flat memory, one by one. The reference for what a
// program prints, and for instructions.
#pragma once

#include <deque>
#include <memory>

#include <rdt/dsm/zero_array.h>
#include <rdt/exec/console.h>
#include <rdt/exec/image.h>

namespace rdt::exec {

class FlatRun {
public:
    // Code may be written, too.
    FlatRun(Elf elf, uint32_t harts, const std::string& arguments, Console::Write console);

    // At most so many instructions of each hart. Returns whether the program has ended.
    bool run(uint64_t instructions);
    int exit_code() const { return m_exit_code; }
    const std::string& error() const { return m_error; }
    uint64_t instructions() const;
    hart::Hart& hart(uint32_t h) { return m_harts[h]; }
    const Elf& elf() const { return m_elf; }
    // nullptr outside RAM.
    uint8_t* memory(uint64_t address, uint64_t count) {
        return m_window.has(address, count) ? m_window.at(address) : nullptr;
    }

private:
    static constexpr uint64_t Turn = 100;  // instructions of a hart before the next one's
    hart::Window code_window();
    void load(uint32_t harts, const std::string& arguments);
    void turn(uint32_t h, uint64_t instructions);
    void access(uint32_t h);

    Elf m_elf;
    dsm::ZeroArray<uint8_t> m_ram;
    hart::Window m_window;
    hart::Text m_text;
    Console m_console;
    std::deque<hart::Hart> m_harts;
    std::vector<bool> m_is_halted;
    uint64_t m_to_host = 0;  // address that ends a program of riscv-tests; 0: none
    bool m_has_ended = false;
    int m_exit_code = 0;
    std::string m_error;
};

}  // namespace rdt::exec
