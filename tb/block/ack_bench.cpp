// SPDX-License-Identifier: MIT
#include "block/ack_bench.h"

namespace rdt::tb {

template class BlockBench<Vrdt_ack, rdt::ack>;

AckBench::AckBench(const TestRun& run) : BlockBench(run, "ack") {
    tick(2);
    rst_n = 1;
    settle();
}
AckBench::~AckBench() = default;

}  // namespace rdt::tb
