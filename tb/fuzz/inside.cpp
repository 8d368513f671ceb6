// SPDX-License-Identifier: MIT
// Every register of the RTL is that of the SystemC design with the same name, in every clock,
// whatever comes in at the pins: what shows at no pin for a long time (an error bit that nobody
// reads, a buffer that is not sent yet) is compared where it is. scripts/mutate.py counts on this:
// a mistake that changes a register is seen here.
//
// RDT_SEED is the first seed and RDT_CYCLES the length of the whole run, in seeds of 5,000 clocks.
#include <rdt/machine/cosim/inside.h>

#include <gtest/gtest.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "common/run_options.h"
#include "fuzz/seed_run.h"
#include <rdt/machine/cosim/chip.h>
#include <rdt/machine/cosim/module_tree.h>
#include <rdt/machine/cosim/rtl_beside.h>
#include <rdt/machine/cosim/systemc_inside.h>
#include <rdt/router.h>

namespace rdt::tb::fuzz {
namespace {

bool is_register(const machine::InsideSignal& s) {
    const size_t end = std::min(s.name.find('['), s.name.size());
    return end > 2 && s.name.compare(end - 2, 2, "_q") == 0;
}

// Of the modules, by their path below the chip.
std::map<std::string, std::string> kinds() {
    const std::string chip = "router";
    const std::string prefix = "rdt_";
    std::map<std::string, std::string> found;
    for (const machine::Module& module : machine::rtl_tree()) {
        const std::string path = machine::systemc_path(module.path);
        found[path == chip ? "" : path.substr(chip.size() + 1)] = module.kind.substr(prefix.size());
    }
    return found;
}

// One chip of SystemC blocks beside the RTL, which shows everything in it.
class Insides {
public:
    static constexpr uint32_t Together = 1;
    using PinsIn = std::array<const core::PinsIn*, Together>;

    Insides()
        : m_clk("clk"),
          m_blocks("router", m_clk),
          m_rtl(machine::RtlBeside::maker()()),
          m_systemc_values(machine::systemc_inside(m_blocks.module())),
          m_rtl_values(m_rtl->inside()),
          m_pair(m_systemc_values, m_rtl_values, kinds()) {
        for (const machine::InsidePair::Both& both : m_pair.both())
            if (is_register(m_rtl_values.signals()[both.rtl])) m_compared.insert(both.rtl);
    }

    void clock(const PinsIn& in, bool rst_n) {
        m_blocks.drive(*in[0], rst_n);
        m_clk.write(false);
        sc_core::sc_start(1, sc_core::SC_NS);
        m_rtl->settle(*in[0], rst_n);
        if (flip_at == m_now) m_rtl->flip("u_local.u_regs.linkerr_q", 4);
        if (m_had_reset) look();
        m_clk.write(true);
        sc_core::sc_start(1, sc_core::SC_NS);
        m_rtl->edge();
        // What the fuzz asks about the chip's state.
        if (rst_n) m_core.clock(*in[0]);
        else m_core.reset();
        m_pins = m_blocks.pins();
        m_had_reset |= !rst_n;
        ++m_now;
    }

    const machine::ChipPins& pins(uint32_t) const { return m_pins; }
    const fast::Router& state(uint32_t) const { return m_core; }
    std::string difference() const {
        return m_rtl->failed() && m_found.empty() ? "an assertion of the RTL failed" : m_found;
    }

    size_t compared() const { return m_compared.size(); }
    size_t bits() const {
        size_t all = 0;
        for (size_t i : m_compared) all += m_rtl_values.signals()[i].width;
        return all;
    }
    // Registers of the RTL that nothing is held against, without the numbers of their instances.
    std::set<std::string> alone() const {
        std::set<std::string> names;
        for (size_t i = 0; i < m_rtl_values.signals().size(); ++i)
            if (is_register(m_rtl_values.signals()[i]) && m_compared.count(i) == 0)
                names.insert(m_rtl_values.signals()[i].path());
        return names;
    }

    static inline uint64_t flip_at = ~uint64_t(0);

private:
    void look() {
        m_systemc_values.read();
        m_rtl_values.read();
        for (const machine::InsidePair::Both& both : m_pair.differences()) {
            if (m_compared.count(both.rtl) == 0 || !m_found.empty()) continue;
            m_found = fmt::format("{}: rtl {}, systemc {}", m_rtl_values.signals()[both.rtl].path(),
                                  m_rtl_values.text(both.rtl), m_systemc_values.text(both.systemc));
        }
    }

    machine::Kernel m_kernel;
    sc_core::sc_signal<bool> m_clk;
    machine::ModuleChip<router> m_blocks;
    std::unique_ptr<machine::RtlBeside> m_rtl;
    machine::InsideValues m_systemc_values;
    machine::InsideValues m_rtl_values;
    machine::InsidePair m_pair;
    std::set<size_t> m_compared;
    fast::Router m_core;
    machine::ChipPins m_pins;
    uint64_t m_now = 0;
    bool m_had_reset = false;
    std::string m_found;
};

std::string run(uint64_t first, uint64_t cycles) {
    constexpr uint64_t Longest = 5000;
    Totals totals;
    for (uint64_t seed = first; totals.clocks < cycles; ++seed) {
        SeedRun<Insides> run(seed, ~0u, totals);
        while (run.now() < Longest && totals.clocks < cycles)
            if (const std::string found = run.clock(); !found.empty())
                return fmt::format("{} in clock {} of seed {}", found, run.now() - 1, seed);
    }
    return {};
}

TEST(inside, every_register_has_its_twin) {
    const Insides chip;
    RecordProperty("bits", std::to_string(chip.bits()));
    EXPECT_EQ(fmt::format("{}", fmt::join(chip.alone(), " ")), "");
    EXPECT_GT(chip.bits(), 9000u);
}

TEST(inside, registers_are_equal_whatever_comes) {
    EXPECT_EQ(run(seed_or(1), cycles_or(20000)), "");
}

TEST(inside, a_bit_that_differs_in_a_register_is_found) {
    Insides::flip_at = 600;
    EXPECT_EQ(run(seed_or(1), 5000).find("u_local.u_regs.linkerr_q: rtl "), 0u);
    Insides::flip_at = ~uint64_t(0);
}

}  // namespace
}  // namespace rdt::tb::fuzz
