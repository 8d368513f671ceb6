// SPDX-License-Identifier: MIT
// Every register of the RTL, but those of free_registers.h, is that of the SystemC design with the
// same name, in every cycle, for any input pins: state that reaches no pin for a long time (an
// unread error bit, a buffer that is not sent yet) is compared directly. tb/mutate relies
// on this: a bug that changes a register is detected here.
//
// RDT_SEED is the first seed and RDT_CYCLES the length of the whole run.
#include <rdt/cosim/inside.h>

#include <gtest/gtest.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "common/run_options.h"
#include "fuzz/free_registers.h"
#include "fuzz/seed_run.h"
#include "fuzz/volumes.h"
#include <rdt/cosim/chip.h>
#include <rdt/cosim/meanings.h>
#include <rdt/cosim/module_tree.h>
#include <rdt/cosim/rtl_beside.h>
#include <rdt/cosim/systemc_inside.h>
#include <rdt/router.h>

namespace rdt::tb::fuzz {
namespace {

// Without the number of an element. Names that begin with f_ are of assertions.
std::string name_of(const machine::InsideSignal& s) { return s.name.substr(0, s.name.find('[')); }
bool is_register(const machine::InsideSignal& s) {
    const std::string name = name_of(s);
    return name.size() > 2 && name.compare(name.size() - 2, 2, "_q") == 0 &&
           name.rfind("f_", 0) != 0;
}

// Registers and their valid signals; the model has many more signals.
machine::Inside registers_of(machine::Inside inside) {
    std::set<std::string> strobes;
    for (const machine::Meaning& m : machine::meanings())
        if (std::strlen(m.output) > 2 &&
            std::strcmp(m.output + std::strlen(m.output) - 2, "_q") == 0)
            strobes.insert(m.strobe);
    auto& all = inside.signals;
    all.erase(std::remove_if(
                  all.begin(), all.end(),
                  [&](const auto& s) { return !is_register(s) && strobes.count(s.name) == 0; }),
              all.end());
    return inside;
}

// Registers of the modules, by their path below the router.
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
          m_systemc_values(registers_of(machine::systemc_inside(m_blocks.module()))),
          m_rtl_values(registers_of(m_rtl->inside())),
          m_pair(m_systemc_values, m_rtl_values, m_kinds) {
        const std::set<std::string> free(std::begin(AtTimesOfNoMeaning),
                                         std::end(AtTimesOfNoMeaning));
        for (const machine::InsidePair::Both& both : m_pair.both()) {
            const machine::InsideSignal& s = m_rtl_values.signals()[both.rtl];
            if (!is_register(s)) continue;
            m_twins.insert(both.rtl);
            if (free.count(kind_and_name(s)) == 0) m_compared.insert(both.rtl);
        }
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
        // State of the router that the fuzz run reads.
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
    // Registers of the RTL that the SystemC design does not have.
    std::set<std::string> alone() const {
        std::set<std::string> names;
        for (size_t i = 0; i < m_rtl_values.signals().size(); ++i)
            if (is_register(m_rtl_values.signals()[i]) && m_twins.count(i) == 0)
                names.insert(kind_and_name(m_rtl_values.signals()[i]));
        return names;
    }

    static inline uint64_t flip_at = ~uint64_t(0);

private:
    // An iteration of a generate loop or a branch is not a module.
    std::string kind_and_name(const machine::InsideSignal& s) const {
        std::string path = s.module;
        while (m_kinds.count(path) == 0) path = path.substr(0, path.rfind('.'));
        return m_kinds.at(path) + "." + name_of(s);
    }
    void look() {
        m_systemc_values.read();
        m_rtl_values.read();
        for (const machine::InsidePair::Both& both : m_pair.differences()) {
            if (m_compared.count(both.rtl) == 0 || !m_found.empty()) continue;
            m_found = fmt::format("{}: rtl {}, systemc {}", m_rtl_values.signals()[both.rtl].path(),
                                  m_rtl_values.text(both.rtl), m_systemc_values.text(both.systemc));
        }
    }

    const std::map<std::string, std::string> m_kinds = kinds();
    machine::Kernel m_kernel;
    sc_core::sc_signal<bool> m_clk;
    machine::ModuleChip<router> m_blocks;
    std::unique_ptr<machine::RtlBeside> m_rtl;
    machine::InsideValues m_systemc_values;
    machine::InsideValues m_rtl_values;
    machine::InsidePair m_pair;
    std::set<size_t> m_twins;     // registers of the RTL that are in both
    std::set<size_t> m_compared;  // of these
    fast::Router m_core;
    machine::ChipPins m_pins;
    uint64_t m_now = 0;
    bool m_had_reset = false;
    std::string m_found;
};

std::string run(uint64_t first, uint64_t cycles) {
    Totals totals;
    for (uint64_t seed = first; totals.clocks < cycles; ++seed) {
        SeedRun<Insides> run(seed, ~0u, totals);
        while (run.now() < InsideOfSeed && totals.clocks < cycles)
            if (const std::string found = run.clock(); !found.empty())
                return fmt::format("{} in cycle {} of seed {}", found, run.now() - 1, seed);
    }
    return {};
}

TEST(inside, every_register_has_its_twin_or_is_in_the_list) {
    const Insides chip;
    RecordProperty("bits", std::to_string(chip.bits()));
    const std::set<std::string> expected(std::begin(OfRtlAlone), std::end(OfRtlAlone));
    EXPECT_EQ(fmt::format("{}", fmt::join(chip.alone(), " ")),
              fmt::format("{}", fmt::join(expected, " ")));
    EXPECT_GT(chip.bits(), 7000u);
}

TEST(inside, registers_are_equal_whatever_comes) {
    EXPECT_EQ(run(seed_or(1), cycles_or(InsideSeeds * InsideOfSeed)), "");
}

TEST(inside, a_bit_that_differs_in_a_register_is_found) {
    Insides::flip_at = 600;
    EXPECT_EQ(run(seed_or(1), 5000).find("u_local.u_regs.linkerr_q: rtl "), 0u);
    Insides::flip_at = ~uint64_t(0);
}

}  // namespace
}  // namespace rdt::tb::fuzz
