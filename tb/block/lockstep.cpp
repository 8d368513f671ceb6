// SPDX-License-Identifier: MIT
// The comparator and the block bench find mistakes that are put in on purpose.
#include <rdt/cosim/lockstep.h>

#include <filesystem>

#include "Vrdt_buffer_ram.h"
#include <rdt/buffer_ram.h>
#include "common/block_bench.h"
#include "common/dice.h"
#include "common/reported_wave.h"
#include "common/own_folder.h"
#include "common/single_block.h"

namespace rdt::tb {

using lockstep = BlockTest;

void expect_text(const std::string& report, const std::string& text) {
    EXPECT_NE(report.find(text), std::string::npos) << "'" << text << "' is missing in:\n"
                                                    << report;
}

TEST_F(lockstep, equal_sides_give_no_report) {
    uint32_t count = 0;
    Lockstep checker("lockstep_equal", 1, "none");
    checker.add(
        "count", 32, [&] { return count; }, [&] { return count; });
    for (; count < 1000; ++count) ASSERT_FALSE(checker.compare());
    EXPECT_EQ(checker.clock(), 1000u);
    EXPECT_EQ(checker.signals(), 1u);
}

TEST_F(lockstep, report_names_cycle_signal_values_seed_and_rerun_line) {
    const OwnFolder folder;
    for (const uint64_t wrong_at : {uint64_t(0), uint64_t(7), uint64_t(1234)}) {
        uint64_t t = 0;
        Lockstep checker("lockstep_injected", 42, "RDT_SEED=42 run me");
        checker.add(
            "fine_o", 8, [&] { return t & 0xFF; }, [&] { return t & 0xFF; });
        checker.add(
            "d_o", 18, [&] { return 0x100 + (t & 0xF); },
            [&] { return 0x100 + (t & 0xF) + (t >= wrong_at ? 0x20 : 0); });
        checker.note("x_i", 4, [&] { return t & 0xF; });
        std::optional<std::string> report;
        for (; !report && t < 2000; ++t) report = checker.compare();
        ASSERT_TRUE(report);
        expect_text(*report, "cycle " + std::to_string(wrong_at) + ":");
        char values[64];
        std::snprintf(values, sizeof values, "d_o rtl=%#x systemc=%#x",
                      unsigned(0x100 + (wrong_at & 0xF)), unsigned(0x120 + (wrong_at & 0xF)));
        expect_text(*report, values);
        expect_text(*report, "seed=42");
        expect_text(*report, "rerun: RDT_SEED=42 run me");
        // It opens on the 20 cycles before the difference, where the marker is.
        std::ifstream in(told(*report, "show: gtkwave "));
        const std::string save{std::istreambuf_iterator<char>(in), {}};
        expect_text(save, fmt::format("[timestart] {}\n", wrong_at < 20 ? 0 : wrong_at - 20));
        expect_text(save, fmt::format("\n*-2.3 {}\n", wrong_at));
        expect_text(save, "\n+{d_o rtl} rtl.d_o[17:0]\n");
        expect_text(save, "\n+{d_o systemc} systemc.d_o[17:0]\n");
        expect_wave(*report, 5, wrong_at + 1);
    }
}

// A buffer whose bit 9 is stuck at 0 from cycle 500 on.
class broken_ram : public single_block<rdt::buffer_ram> {
public:
    rdt::out<18> wrong_o{"wrong_o"};

    explicit broken_ram(sc_core::sc_module_name name) : single_block(name) {
        rdata_o(m_right);
        RDT_HAS_PROCESS(broken_ram);
        SC_METHOD(count);
        sensitive << clk_i.pos();
        dont_initialize();
        SC_METHOD(damage);
        sensitive << m_right;
    }

private:
    void count() { ++m_clocks; }
    void damage() {
        const uint32_t right = m_right.read();
        wrong_o.write(m_clocks >= 500 ? right & ~(1u << 9) : right);
    }

    rdt::sig<18> m_right{"right"};
    uint32_t m_clocks = 0;
};

TEST_F(lockstep, block_bench_finds_a_bit_that_sticks) {
    const OwnFolder folder;
    struct Bench : BlockBench<Vrdt_buffer_ram, broken_ram> {
        explicit Bench(const TestRun& run) : BlockBench(run, "broken") {}
        bool clocked = has_clock(rtl().clk_i, model().clk_i);
        Input we = in("we_i", 1, rtl().we_i, model().we_i);
        Input waddr = in("waddr_i", 4, rtl().waddr_i, model().waddr_i);
        Input wdata = in("wdata_i", 18, rtl().wdata_i, model().wdata_i);
        Input raddr = in("raddr_i", 4, rtl().raddr_i, model().raddr_i);
        Output rdata = out("rdata_o", 18, rtl().rdata_o, model().wrong_o);
    };
    const TestRun run(2000);
    Bench b(run);
    Dice rng(run.seed);
    std::string report;
    try {
        while (b.clock() < run.cycles) {
            b.we = 1;
            b.waddr = rng.bits(4);
            b.wdata = rng.bits(18);
            b.raddr = rng.bits(4);
            b.tick();
        }
    } catch (const Difference& difference) {
        report = difference.what();
    }
    EXPECT_GE(b.clock(), 500u);
    EXPECT_LT(b.clock(), 520u);
    expect_text(report, "cycle " + std::to_string(b.clock()) + ": rdata_o rtl=");
    expect_text(report, "seed=" + std::to_string(run.seed));
    expect_text(report, "rerun: " + run.rerun);
    expect_text(run.rerun,
                "block_lockstep --gtest_filter='lockstep.block_bench_finds_a_bit_that_sticks'");
    expect_wave(report, 2 + 4, b.clock() + 1);
}

}  // namespace rdt::tb
