// SPDX-License-Identifier: MIT
// Programs take the same cycles on every engine, and under comparison of the engines.
#include <gtest/gtest.h>

#include "exec/program_run.h"

namespace rdt::tb {
namespace {

using machine::Engine;

struct Case {
    const char* name;
    const char* program;
    const char* arguments;
    uint32_t harts;
    bool is_torus;
    dsm::Protocol protocol;
};

class Engines : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    programs, Engines,
    ::testing::Values(
        Case{"ocean", "ocean", "16 1", 16, false, dsm::Protocol::Invalidate},
        Case{"barrier_network", "barrier", "3 4", 64, false, dsm::Protocol::Invalidate},
        Case{"barrier_tree", "barrier", "1 1", 12, false, dsm::Protocol::Update},
        Case{"barrier_dissemination", "barrier", "2 1", 8, true, dsm::Protocol::Invalidate}),
    [](const auto& p) { return std::string(p.param.name); });

TEST_P(Engines, all_figures_of_a_program_are_the_same) {
    const Case& c = GetParam();
    exec::Options o = options(c.harts);
    o.arguments = c.arguments;
    o.memory.protocol = c.protocol;
    if (c.is_torus) o.memory.directory = dsm::DirectoryKind::Exact;
    machine::Config config;
    config.upper_rank = !c.is_torus;
    const ProgramRun fast(c.program, config, o);
    EXPECT_EQ(fast.error, "");
    EXPECT_TRUE(fast.has_ended);
    config.engine = Engine::SystemC;
    const ProgramRun systemc(c.program, config, o);
    EXPECT_EQ(systemc.figures, fast.figures);
    config.engine = Engine::Rtl;
    const ProgramRun rtl(c.program, config, o);
    EXPECT_EQ(rtl.figures, fast.figures);
    config.check = {Engine::SystemC};
    const ProgramRun checked(c.program, config, o);
    EXPECT_EQ(checked.error, "");
    EXPECT_EQ(checked.figures, fast.figures);
}

}  // namespace
}  // namespace rdt::tb
