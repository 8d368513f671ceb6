// SPDX-License-Identifier: MIT
#pragma once

#include <rdt/paper/report.h>

namespace rdt::paper {

// Cost of a directory by SM, LPRA and LARP; the paper refers to others for it.
Report schemes(const Options& options);

}  // namespace rdt::paper
