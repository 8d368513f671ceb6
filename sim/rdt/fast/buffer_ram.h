// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_buffer_ram.sv: one longest packet, read and written in the same cycle.
#pragma once

#include <array>

#include <rdt/core/flit.h>

namespace rdt::fast {

class BufferRam {
public:
    flit_t read(uint32_t addr) const { return m_mem[addr]; }
    const std::array<flit_t, 16>& all() const { return m_mem; }
    void write(uint32_t addr, flit_t flit) { m_mem[addr] = flit; }

private:
    std::array<flit_t, 16> m_mem{};
};

}  // namespace rdt::fast
