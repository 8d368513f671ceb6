// SPDX-License-Identifier: MIT
#include "block/inject_bench.h"

namespace rdt::tb {

template class BlockBench<Vrdt_inject, rdt::inject>;

InjectBench::InjectBench(const TestRun& run) : BlockBench(run, "inject") { restart(); }
InjectBench::~InjectBench() = default;

}  // namespace rdt::tb
