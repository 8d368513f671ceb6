// SPDX-License-Identifier: MIT
#pragma once

#include <rdt/paper/report.h>

namespace rdt::paper {

// Nodes and links of star-connected cycles that look alike.
void add_scc_edges(Report& r, const Options& options);

}  // namespace rdt::paper
