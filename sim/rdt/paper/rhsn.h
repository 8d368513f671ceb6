// SPDX-License-Identifier: MIT
// Parts of the report on recursive hierarchical swapped networks.
#pragma once

#include <rdt/paper/report.h>

namespace rdt::paper {

// Nuclei of any size, computation steps, outputs in any order, DNS multiplication, variants.
void add_rhsn_further(Report& r, const Options& options);
// Statements about large networks, as series.
void add_rhsn_limits(Report& r);

}  // namespace rdt::paper
