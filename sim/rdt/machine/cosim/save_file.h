// SPDX-License-Identifier: MIT
// The GTKWave save file that goes with a recorded waveform: a group a port, the models one above
// the other, names instead of numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rdt::machine {

struct SaveGroup {
    uint32_t node;
    uint32_t port;
    std::vector<std::string> sides;  // scopes: rtl, systemc, fast
};

// The groups to show, the first few of them open, and the clock to show first. Writes FILE.gtkw
// beside FILE.fst, and the name filters beside both; returns the save file's path.
std::string write_save_file(const std::string& wave, const std::vector<SaveGroup>& groups,
                            uint64_t first_clock);

}  // namespace rdt::machine
