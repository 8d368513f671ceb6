// SPDX-License-Identifier: MIT
// How much a run has compared, in words that the report (scripts/report/runs.py) reads.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>

namespace rdt::tb {

inline void report_lockstep(uint64_t signals, uint64_t clocks) {
    const std::string compared =
        std::to_string(signals) + " signals x " + std::to_string(clocks) + " cycles";
    std::printf("lockstep: %s\n", compared.c_str());
    ::testing::Test::RecordProperty("lockstep", compared);
}

}  // namespace rdt::tb
