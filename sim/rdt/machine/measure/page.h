// SPDX-License-Identifier: MIT
// A run on one page that needs nothing else: its table, the heat map, latencies and what happened
// when, as HTML with the pictures in it.
#pragma once

#include <string>
#include <vector>

#include <rdt/machine/measure/run.h>
#include <rdt/machine/measure/timeline.h>

namespace rdt::machine {

// The command is in config.rerun.
std::string draw_page(const Machine& machine, const RunResult& result, const Config& config,
                      const std::vector<Stretch>& stretches);

}  // namespace rdt::machine
