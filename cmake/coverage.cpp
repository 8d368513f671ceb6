// SPDX-License-Identifier: MIT
// Writes what Verilated models have counted (RDT_COVERAGE), into the folder RDT_COVERAGE_DIR, a file
// for each VerilatedContext.
#include <unistd.h>
#include <verilated.h>
#include <verilated_cov.h>

#include <atomic>
#include <cstdlib>
#include <string>

// The first model of a context that is destroyed writes the counts of all: the others are still
// there, and are not counted twice.
void rdt_keep_coverage(VerilatedContext& context) {
    static std::atomic<int> files;
    if (const char* folder = std::getenv("RDT_COVERAGE_DIR")) {
        const std::string name = std::string(folder) + "/" + std::to_string(getpid()) + "." +
                                 std::to_string(++files) + ".dat";
        context.coveragep()->write(name.c_str());
    }
    context.coveragep()->clear();
}
