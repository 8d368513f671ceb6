// SPDX-License-Identifier: MIT
// How much every link carried, on a picture of the machine (SVG). A number shows where one points.
#pragma once

#include <string>

#include <rdt/machine/measure/run.h>

namespace rdt::machine {

// Each direction of a link has its own color; links across the edge are stubs. Beyond 32 x 32
// nodes each is a cell with the mean of its links. Buffers that wait at the end (waits.h) are
// arrows from the chip to where the packet has to go.
std::string draw_heatmap(const Machine& machine, const RunResult& result);

}  // namespace rdt::machine
