// SPDX-License-Identifier: MIT
// GTKWave's name filters (sim/waves), which are in the program, so that it needs no file of its
// own where it is installed.
#pragma once

#include <string>
#include <vector>

namespace rdt::machine {

// The text of sim/waves/NAME. Throws std::logic_error if there is none.
std::string wave_filter(const std::string& name);

// The names of all that can lie beside a waveform.
std::vector<std::string> wave_filter_names();

}  // namespace rdt::machine
