// SPDX-License-Identifier: MIT
// docs/tutorials/block.md and examples/own_block, built and run: a custom arbiter in the router, in
// SystemC and in RTL.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "Vown_arbiter.h"
#include "common/chip_traffic.h"
#include "common/run_options.h"
#include "own_arbiter.h"
#include <rdt/cosim/chip.h>
#include <rdt/cosim/twins.h>
#include <rdt/machine/engines/systemc_routers.h>
#include <rdt/machine/measure/recorder.h>
#include <rdt/machine/transport.h>
#include <rdt/rtl_block.h>

namespace rdt::tb {
namespace {

// The chip with the arbiter in SystemC.
blocks with_own_arbiter() {
    rdt::blocks parts;
    parts.arbiter = [](const char* name) { return std::make_unique<own_arbiter>(name); };
    return parts;
}
// The same, in RTL.
blocks with_own_rtl_arbiter(VerilatedContext* context) {
    rdt::blocks parts;
    parts.arbiter = [context](const char* name) {
        return std::make_unique<rdt::rtl_block<rdt::arbiter_ports, Vown_arbiter>>(name, context);
    };
    return parts;
}
// In SystemC, with the RTL beside it.
blocks with_own_twin(machine::Twins& twins, blocks parts = with_own_arbiter()) {
    parts.arbiter = [made = parts.arbiter, &twins](const char* name) {
        auto block = made(name);
        twins.add(rdt::machine::make_twin<rdt::arbiter_ports, Vown_arbiter>("arbiter", *block,
                                                                            &twins.context()));
        return block;
    };
    return parts;
}

// A chip with endpoints at all ports.
class OwnChip : public WiredChips {
public:
    explicit OwnChip(const blocks& parts) : WiredChips(1), m_chip("chip", m_clk, parts) {}

    const fast::ChipState& state(uint32_t) const override {
        throw std::logic_error("a custom block has no fast model");
    }

protected:
    // Pins are there for the coming edge; all has settled for it; the edge is over.
    virtual void show(const core::PinsIn&, bool) {}
    virtual void settled() {}
    virtual void clocked() {}

    machine::Kernel m_kernel;
    sc_core::sc_signal<bool> m_clk{"clk"};

private:
    void clock_chips(bool rst_n) override {
        m_chip.drive(chip(0).in, rst_n);
        show(chip(0).in, rst_n);
        m_clk.write(false);
        sc_core::sc_start(1, sc_core::SC_NS);
        settled();
        m_clk.write(true);
        sc_core::sc_start(1, sc_core::SC_NS);
        chip(0).out = m_chip.pins();
        if (rst_n) clocked();
    }
    bool is_chip_idle(uint32_t) const override {
        const router& r = m_chip.module();
        const auto any = [](const auto& all) {
            return std::any_of(all.begin(), all.end(), [](const auto& s) { return s.read() != 0; });
        };
        return !any(r.rx_valid) && !any(r.pkt) && !any(r.want) && !any(r.tx) && !any(r.ack_v) &&
               !any(r.inj_want) && !any(r.d_oe_o) && !r.snd_v.read() && r.busy.read() == 0 &&
               r.loc_want.read() == 0 && r.ready.read();
    }

    machine::ModuleChip<router> m_chip;
};

// With the other one beside it on the same pins.
class OwnChips : public OwnChip {
public:
    OwnChips() : OwnChip(with_own_arbiter()) {}

private:
    void show(const core::PinsIn& in, bool rst_n) override { m_rtl.drive(in, rst_n); }
    void clocked() override {
        if (!(m_rtl.pins() == chip(0).out)) fail(fmt::format("pins differ at cycle {}", now()));
    }

    VerilatedContext m_context;
    machine::ModuleChip<router> m_rtl{"rtl", m_clk, with_own_rtl_arbiter(&m_context)};
};

TEST(own_block, in_systemc_and_in_rtl_are_one_chip_and_lose_no_packet) {
    const uint64_t seed = seed_or(1);
    const uint64_t cycles = cycles_or(100000);
    const std::string rerun = rerun_line("chip_own_block", "*one_chip*", seed, cycles);
    OwnChips net;
    ChipTraffic traffic(net, seed);
    traffic.run(cycles);
    ASSERT_EQ(traffic.verdict(), "") << "seed=" << seed << "\nrerun: " << rerun;
    EXPECT_GT(traffic.packets(), cycles / 50);
    EXPECT_GT(traffic.multicasts(), cycles / 200);
    EXPECT_GT(traffic.acks(), cycles / 500);
}

// It grants the wrong one of two requesting inputs.
class wrong_arbiter : public own_arbiter {
public:
    using own_arbiter::own_arbiter;

private:
    uint32_t winner(uint32_t o) const override {
        const uint32_t first = own_arbiter::winner(o);
        for (uint32_t i = NumPorts - 1; i > first && first < NumPorts; --i)
            if ((uint32_t(want_i[i].read()) >> o & 1) != 0) return i;
        return first;
    }
};

// With the RTL of the arbiter beside the arbiter.
class OwnTwins : public OwnChip {
public:
    OwnTwins(machine::Twins& twins, const blocks& parts)
        : OwnChip(with_own_twin(twins, parts)), m_twins(twins) {}
    std::optional<machine::BlockDifference> difference;  // the first

private:
    void settled() override {
        m_twins.settle();
        m_twins.edge();
    }
    void clocked() override {
        m_twins.settle();
        if (!difference) difference = m_twins.difference();
    }

    machine::Twins& m_twins;
};

std::optional<machine::BlockDifference> first_difference(const blocks& parts, uint64_t clocks) {
    VerilatedContext context;
    machine::Twins twins(context);
    OwnTwins net(twins, parts);
    ChipTraffic traffic(net, 1);
    traffic.configure();
    while (net.now() < clocks && traffic.ok() && !net.difference) traffic.clock();
    EXPECT_TRUE(traffic.ok()) << traffic.verdict();
    return net.difference;
}

TEST(own_block, block_that_differs_from_its_rtl_is_named_with_the_signal) {
    EXPECT_FALSE(first_difference(with_own_arbiter(), 5000));
    blocks parts;
    parts.arbiter = [](const char* name) { return std::make_unique<wrong_arbiter>(name); };
    const auto found = first_difference(parts, 5000);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->block, "u_arbiter");
    EXPECT_EQ(found->signal.substr(0, 5), "gnt_o") << found->signal;
    EXPECT_FALSE(found->inputs.empty());
}

TEST(own_block, is_in_the_waveform_beside_the_rtl_of_the_chip) {
    rdt::machine::Config config;
    config.engine = rdt::machine::Engine::SystemC;
    rdt::machine::SystemcMachine machine(config, with_own_arbiter());
    rdt::machine::Recorder recorder(machine, {"own_arbiter.fst", {0}});
    machine.bring_up();
    rdt::machine::Transport transport(machine);
    transport.send({});  // from node 0 to itself
    for (int clock = 0; clock < 60; ++clock) {
        transport.clock();
        recorder.clock();
    }
    EXPECT_EQ(recorder.finish(), "own_arbiter.gtkw");
    EXPECT_EQ(transport.open(), 0u);
}

std::string text_of(const std::string& path) {
    std::ifstream file(std::string(RDT_SOURCE_DIR) + "/" + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The lines of a text, without what stands before them.
std::string unindented(const std::string& text) {
    std::istringstream in(text);
    std::string lines;
    for (std::string line; std::getline(in, line);) {
        line.erase(0, line.find_first_not_of(' '));
        if (!line.empty()) lines += line + "\n";
    }
    return lines;
}

// Code blocks in these languages that are not in any of the files.
std::vector<std::string> strangers(const std::string& page, const std::vector<std::string>& files,
                                   size_t& count) {
    std::string all;
    for (const std::string& file : files) all += unindented(text_of(file));
    std::vector<std::string> found;
    for (const std::string language : {"cpp", "systemverilog", "cmake"}) {
        const std::string fence = "```" + language + "\n";
        for (size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
            at += fence.size();
            const std::string code = unindented(page.substr(at, page.find("```", at) - at));
            if (all.find(code) == std::string::npos) found.push_back(code);
            ++count;
        }
    }
    return found;
}

TEST(own_block, code_on_the_page_is_the_code_that_runs) {
    const std::vector<std::string> files{
        "examples/own_block/own_arbiter.h", "examples/own_block/own_arbiter.sv",
        "examples/own_block/main.cpp",      "tb/chip/own_block.cpp",
        "tb/chip/CMakeLists.txt",           "rtl/CMakeLists.txt"};
    std::string page = text_of("docs/tutorials/block.md");
    size_t count = 0;
    for (const std::string& code : strangers(page, files, count)) ADD_FAILURE() << code;
    EXPECT_GT(count, 3u);
    const size_t at = page.find("line_gnt_i[o].read()");
    ASSERT_NE(at, std::string::npos);
    page.replace(at, 4, "pine");
    EXPECT_EQ(strangers(page, files, count).size(), 1u);
}

}  // namespace
}  // namespace rdt::tb
