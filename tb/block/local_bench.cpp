// SPDX-License-Identifier: MIT
#include "block/local_bench.h"

namespace rdt::tb {

template class BlockBench<Vrdt_local, rdt::local>;

LocalBench::LocalBench(const TestRun& run) : BlockBench(run, "local") {
    settle();
    edge();  // Ranks resets to 1111, and is undefined before the reset
    tick();
    rst_n = 1;
    m_credit = 3;
    up = 0x3FF;
}
LocalBench::~LocalBench() = default;

}  // namespace rdt::tb
