// SPDX-License-Identifier: MIT
// The GTKWave save file that goes with a recorded waveform: a group a port, RTL
// above SystemC, names instead of numbers.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace rdt::machine {

// Node and port of each group to show, and the clock to show first. Writes FILE.gtkw
// beside FILE.fst, and the name filters beside both; returns the save file's path.
std::string write_save_file(const std::string& wave,
                            const std::vector<std::pair<uint32_t, uint32_t>>& groups,
                            uint64_t first_clock);

}  // namespace rdt::machine
