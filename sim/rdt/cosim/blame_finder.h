// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <rdt/cosim/pin_record.h>

namespace rdt::machine {

// blame() of blame.h, where it is linked; `wave` is the waveform that it writes.
using BlameFinder = std::string (*)(PinRecord& record, uint32_t chip, const std::string& wave);
BlameFinder& blame_finder();

}  // namespace rdt::machine
