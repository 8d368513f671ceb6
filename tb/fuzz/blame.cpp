// SPDX-License-Identifier: MIT
// A difference on the pins of a chip is traced to the block that is wrong.
//
// RDT_SEED is the first seed, RDT_SEEDS how many of them are tried and RDT_CYCLES the length of
// each.
#include <rdt/cosim/blame.h>

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "Vrdt_router.h"
#include "common/run_options.h"
#include "fuzz/lone_chip.h"
#include "fuzz/spoilt_block.h"
#include "fuzz/volumes.h"
#include <rdt/cosim/chip.h>
#include <rdt/cosim/block_kinds.h>
#include <rdt/cosim/rtl_signals.h>
#include <rdt/router.h>

namespace rdt::tb::fuzz {
namespace {

// A chip of SystemC blocks and the RTL on the same pins. The difference and the faulty block, or
// empty. With `always` the blocks are checked even if nothing differs.
std::string difference(uint64_t seed, uint64_t cycles, const blocks& parts, bool always = false) {
    machine::PinRecord record(1);
    std::string found;
    {
        const machine::Kernel kernel;
        VerilatedContext context;
        context.fatalOnError(false);
        sc_core::sc_signal<bool> clk("clk");
        machine::RtlChip<Vrdt_router> rtl(&context, "rtl");
        machine::ModuleChip<router> systemc("systemc", clk, parts);
        machine::SignalView of_rtl = machine::pins_signal_view("rtl", rtl);
        machine::SignalView of_systemc = machine::pins_signal_view("systemc", systemc);
        Totals totals;
        LoneChip around(seed, totals);
        for (; around.now() < cycles && found.empty(); around.next()) {
            const core::PinsIn& in = around.drive(rtl.pins());
            const bool rst_n = around.rst_n();
            record.add(in, rst_n);
            rtl.drive(in, rst_n);
            systemc.drive(in, rst_n);
            clk.write(false);
            sc_core::sc_start(1, sc_core::SC_NS);
            rtl.edge();
            clk.write(true);
            sc_core::sc_start(1, sc_core::SC_NS);
            of_rtl.read();
            of_systemc.read();
            if (const auto signal = machine::first_difference(of_rtl, of_systemc))
                found = fmt::format("difference in cycle {}: {} rtl={:#x} systemc={:#x}\n  seed={}",
                                    around.now(), machine::chip_signals()[*signal].name,
                                    of_rtl.value(*signal), of_systemc.value(*signal), seed);
        }
    }
    return found.empty() && !always ? found : found + machine::blame(record, 0, parts);
}

TEST(blame, systemc_blocks_are_as_those_of_the_rtl) {
    const uint64_t seeds = from_environment("RDT_SEEDS", 1);
    for (uint64_t seed = seed_or(1); seed < seed_or(1) + seeds; ++seed) {
        const std::string found = difference(seed, cycles_or(LoneCycles), {});
        if (!found.empty()) FAIL() << found;
    }
}

TEST(blame, unchanged_router_has_no_faulty_block) {
    for (uint64_t seed = seed_or(1); seed < seed_or(1) + BlameSeeds; ++seed) {
        const std::string report = difference(seed, BlameOfSeed, {}, true);
        EXPECT_EQ(report.find("\n  block: none; run again by itself for"), 0u) << report;
    }
}

// One output of every kind of block is wrong in the SystemC chip.
class Spoilt : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(blame, Spoilt, ::testing::ValuesIn(machine::block_kinds()),
                         [](const auto& p) { return p.param; });

template <typename Ports>
void spoil(blocks::one<Ports>& place, unsigned output) {
    place = [made = place, output](const char* name) {
        return std::make_unique<spoilt_block<Ports>>(name, output, made);
    };
}
template <typename Ports>
void spoil(blocks::ten<Ports>& place, uint32_t at, unsigned output) {
    place = [made = place, at, output](const char* name, uint32_t port) -> std::unique_ptr<Ports> {
        if (port != at) return made(name, port);
        return std::make_unique<spoilt_block<Ports>>(
            name, output, [made, port](const char* inner) { return made(inner, port); });
    };
}

TEST_P(Spoilt, block_is_named) {
    const std::string& kind = GetParam();
    unsigned caught = 0;
    for (unsigned output = 0; output < 8; ++output) {
        blocks parts;
        std::string name = "u_" + kind;
        const uint32_t port = output * 3 % NumPorts;
        if (kind == "link_io") spoil(parts.link_io, port, output);
        else if (kind == "input_unit") spoil(parts.input_unit, port, output);
        else if (kind == "output_unit") spoil(parts.output_unit, port, output);
        else if (kind == "arbiter") spoil(parts.arbiter, output * 7);
        else if (kind == "crossbar") spoil(parts.crossbar, output);
        else if (kind == "local") spoil(parts.local, output * 3);
        else if (kind == "ack") spoil(parts.ack, output);
        else spoil(parts.inject, output * 5);
        if (kind.find("_") != std::string::npos) name += "_" + std::to_string(port);
        // Another seed may detect bugs that one seed misses.
        std::string report;
        for (uint64_t seed = seed_or(1); seed < seed_or(1) + 3 && report.empty(); ++seed)
            report = difference(seed, 3000, parts);
        if (report.empty()) continue;
        ++caught;
        EXPECT_NE(report.find("block: " + name + " (" + kind + ")"), std::string::npos) << report;
    }
    EXPECT_GE(caught, 2u);
}

}  // namespace
}  // namespace rdt::tb::fuzz
