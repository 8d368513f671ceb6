// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_ports_pkg.sv: vectors with an element for each port as words with a bit for each,
// the lowest of several ports and the next one round-robin; and whether registers have changed.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <rdt/block.h>

namespace rdt {

// Bit i is what port i shows.
inline uint32_t word_of(const ins<1>& ports) {
    uint32_t word = 0;
    for (unsigned i = 0; i < ports.size(); ++i) word |= uint32_t(ports[i].read()) << i;
    return word;
}
inline void write_word(outs<1>& ports, uint32_t word) {
    for (unsigned i = 0; i < ports.size(); ++i) ports[i].write((word >> i & 1) != 0);
}

// The number of the lowest bit that is set, 0 if there is none.
inline uint32_t lowest(uint32_t word) { return word != 0 ? uint32_t(__builtin_ctz(word)) : 0; }

// Round robin: the lowest bit above number last that is set, else the lowest of all.
inline uint32_t next_in_turn(uint32_t word, uint32_t last) {
    const uint32_t above = word >> (last + 1) << (last + 1);
    return lowest(above != 0 ? above : word);
}

// Outputs that follow registers alone need not be written again while this is false.
template <typename Regs>
bool changed(const Regs& before, const Regs& q) {
    static_assert(std::is_trivially_copyable_v<Regs>);
    return std::memcmp(&before, &q, sizeof(Regs)) != 0;
}

}  // namespace rdt
