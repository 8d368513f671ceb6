// SPDX-License-Identifier: MIT
// The waveform of the inside of a chip: the SystemC design and the RTL beside it, read back from
// the file by a parser that knows nothing of what wrote it.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <unordered_map>

#include "common/dice.h"
#include <rdt/cosim/module_tree.h>
#include <rdt/machine/engines/systemc_routers.h>
#include <rdt/machine/measure/recorder.h>
#include <rdt/machine/transport.h>

namespace rdt::tb {
namespace {

using machine::Recorder;
using machine::SystemcMachine;

// A VCD: the values of every variable, cycle by cycle.
class Vcd {
public:
    explicit Vcd(const std::string& text) {
        std::istringstream in(text);
        std::string word;
        std::vector<std::string> scopes;
        while (in >> word && word != "$enddefinitions") {
            if (word == "$scope") {
                std::string kind, name;
                in >> kind >> name;
                scopes.push_back(name);
            } else if (word == "$upscope") {
                scopes.pop_back();
            } else if (word == "$var") {
                std::string kind, width, id, name;
                in >> kind >> width >> id >> name;
                std::string scope;
                for (const std::string& s : scopes) scope += s + ".";
                variables[scope + name] = id;
                m_columns.emplace(id, m_columns.size());
            }
        }
        std::vector<size_t> now(m_columns.size(), intern("?"));
        for (bool is_first = true; in >> word;) {
            if (word[0] == '#') {
                if (!is_first) m_clocks.push_back(now);
                is_first = false;
            } else if (word[0] == 'b') {
                std::string id;
                in >> id;
                now[m_columns.at(id)] = intern(word.substr(1));
            } else if (word[0] != '$') {
                now[m_columns.at(word.substr(1))] = intern(word.substr(0, 1));
            }
        }
    }

    size_t clocks() const { return m_clocks.size(); }
    // Equal numbers are equal values.
    size_t number(size_t clock, const std::string& name) const {
        return m_clocks.at(clock)[m_columns.at(variables.at(name))];
    }
    // Without the zeros on the left.
    const std::string& value(size_t clock, const std::string& name) const {
        return m_values[number(clock, name)];
    }

    std::map<std::string, std::string> variables;  // identifier, by name with scopes

private:
    size_t intern(const std::string& bits) {
        const size_t one = bits.find_first_not_of('0');
        const std::string value = one == std::string::npos ? "0" : bits.substr(one);
        const auto [at, is_new] = m_numbers.emplace(value, m_values.size());
        if (is_new) m_values.push_back(value);
        return at->second;
    }

    std::unordered_map<std::string, size_t> m_columns;  // by identifier
    std::unordered_map<std::string, size_t> m_numbers;
    std::vector<std::string> m_values;
    std::vector<std::vector<size_t>> m_clocks;
};

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

constexpr uint32_t Clocks = 400;

// Mixed traffic, node 9 recorded; after(machine, clock) may put a mistake into it. Returns what the
// recorder has found.
template <typename After>
std::string record(const std::string& path, std::set<std::string> rtl_blocks, uint32_t clocks,
                   After&& after) {
    machine::Config config;
    config.engine = machine::Engine::SystemC;
    config.rtl_blocks = std::move(rtl_blocks);
    config.t_ent = 400;
    SystemcMachine machine(config);
    Recorder recorder(machine, {path, {9}});
    machine.bring_up();
    machine::Transport transport(machine);
    Dice random(1);
    for (uint32_t n = 0; n < clocks; ++n) {
        for (uint32_t node = 0; node < machine.nodes(); ++node) {
            if (!random.chance(3)) continue;
            machine::Message m;
            m.source = node;
            m.source_mbp = random.bits(1);
            m.mbp = random.bits(1);
            m.flits = random.between(machine::MinFlits, machine::MaxFlits);
            m.destination = random.chance(30) ? 9 : random.below(machine.nodes());
            if (random.chance(10)) {
                m.maps = map_byte(0, 1 + random.below(255)) | map_byte(1, random.bits(8));
                m.wants_ack = random.chance(50);
            }
            transport.send(m);
        }
        transport.clock();
        recorder.clock();
        after(machine, n);
    }
    EXPECT_NE(recorder.finish(), "");
    return recorder.difference();
}

constexpr auto Nothing = [](SystemcMachine&, uint32_t) {};

// Signals that may differ while they are not valid (cosim/meanings.h), and signals that depend on
// them; without instance numbers. The recorder, which knows when it counts, has to find it equal.
bool is_meaningless(const std::string& path) {
    static const std::regex names(
        "(u_ack|u_local\\.u_shot)?\\.?(look|ent)_(used|h1|h2)(_[io])?|u_local\\.ent_(used|h1|h2)_i|"
        "u_ack\\.u_entry\\.done_q|u_inject\\.(wait|idx)_q|"
        "u_local\\.(flit_err|note_code|shot_flit|u_fsm\\.err_i|u_notice\\.code_o|u_setup\\.err_o|"
        "u_shot\\.flit_o|u_tx\\.shot_i)|"
        "u_input_unit\\.(rt_set|rt_rdy|rt_bad|load_pend|u_slot\\.pend_i|u_vc_select\\.rdy_i|u_"
        "ram\\.(waddr|wdata)_i|"
        "u_read_pass\\.rd_left_q|u_arrival\\.err_i|u_ack_port\\.land_(tag|st|gen)_i|"
        "u_bitmap_gen\\.(h[01]_we_i|set_o|rdy_o|load_plan|bad_o|rt_\\w+|bm_\\w+|u_plan\\.plan_i|"
        "u_mc_copy\\.(relay|expl|exp0)_i|u_(route|bitmap)\\.\\w+))");
    static const std::regex number("_[0-9]+(?=\\.)");
    return std::regex_match(std::regex_replace(path, number, ""), names);
}

struct Difference {
    std::string path;
    size_t clock;  // one of the recorded cycles
    std::string systemc;
    std::string rtl;
    std::string text() const {
        return fmt::format("{} in cycle {}: systemc {} rtl {}", path, clock, systemc, rtl);
    }
};

// Signals that are not the same on both sides, each with the first cycle in which it is not.
std::vector<Difference> differences(const Vcd& vcd, size_t& compared) {
    const std::string systemc = "n9.systemc.";
    const std::string rtl = "n9.rtl.";
    std::vector<Difference> found;
    for (const auto& variable : vcd.variables) {
        const std::string& name = variable.first;
        if (name.compare(0, systemc.size(), systemc) != 0) continue;
        const std::string path = name.substr(systemc.size());
        if (vcd.variables.count(rtl + path) == 0) continue;
        for (size_t clock = 0; clock < vcd.clocks(); ++clock) {
            ++compared;
            if (vcd.number(clock, name) == vcd.number(clock, rtl + path)) continue;
            found.push_back({path, clock, vcd.value(clock, name), vcd.value(clock, rtl + path)});
            break;
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.clock < b.clock; });
    return found;
}

// Modules of the design that have a cycle, by their path below the chip.
std::vector<machine::Module> clocked_modules() {
    std::vector<machine::Module> found;
    for (machine::Module m : machine::systemc_tree()) {
        const auto is_clock = [](const auto& port) { return port.name == "clk_i"; };
        if (std::none_of(m.ports.begin(), m.ports.end(), is_clock)) continue;
        const std::string chip = "router";
        m.path = m.path == chip ? "" : m.path.substr(chip.size() + 1) + ".";
        found.push_back(std::move(m));
    }
    return found;
}

TEST(inside, has_every_clocked_module_with_the_same_ports_on_both_sides) {
    record("inside_ports.vcd", {}, 5, Nothing);
    const Vcd vcd(text_of("inside_ports.vcd"));
    size_t modules = 0;
    for (const machine::Module& m : clocked_modules()) {
        ++modules;
        for (const machine::ModulePort& port : m.ports)
            for (const char* side : {"n9.systemc.", "n9.rtl."})
                EXPECT_EQ(vcd.variables.count(side + m.path + port.name), 1u)
                    << side << m.path << port.name;
    }
    EXPECT_GT(modules, 100u);
    // And the signals between them and in them.
    for (const char* name : {"want", "u_input_unit_0.next_idx", "u_arbiter.xsel_q",
                             "u_ack.u_entry_0.pend_q", "u_input_unit_0.u_ram_2.mem_q[15]"})
        for (const char* side : {"n9.systemc.", "n9.rtl."})
            EXPECT_EQ(vcd.variables.count(std::string(side) + name), 1u) << side << name;
}

TEST(inside, has_the_same_values_on_both_sides) {
    EXPECT_EQ(record("inside.vcd", {}, Clocks, Nothing), "");
    const Vcd vcd(text_of("inside.vcd"));
    EXPECT_EQ(vcd.clocks(), Clocks);
    size_t compared = 0;
    for (const Difference& d : differences(vcd, compared))
        if (!is_meaningless(d.path)) ADD_FAILURE() << d.text();
    EXPECT_GT(compared, Clocks * 2000);
    for (size_t clock = 0; clock < vcd.clocks(); ++clock)
        EXPECT_EQ(vcd.value(clock, "n9.differ"), "0") << clock;
    // Something has happened: packets went through, and a wide signal has had bits above 64.
    std::set<std::string> grants;
    for (size_t clock = 0; clock < vcd.clocks(); ++clock)
        grants.insert(vcd.value(clock, "n9.systemc.u_arbiter.gnt_o"));
    EXPECT_GT(grants.size(), 20u);
    EXPECT_TRUE(
        std::any_of(grants.begin(), grants.end(), [](const auto& g) { return g.size() > 64; }));
}

TEST(inside, shows_a_register_of_the_rtl_that_was_flipped) {
    constexpr uint32_t At = 150;
    const std::string difference =
        record("inside_flip.vcd", {}, Clocks, [](SystemcMachine& machine, uint32_t clock) {
            if (clock == At) machine.array().rtl_beside(9).flip("u_arbiter.sig_q", 1);
        });
    EXPECT_NE(difference.find("n9.u_arbiter.sig_q"), std::string::npos) << difference;
    const Vcd vcd(text_of("inside_flip.vcd"));
    size_t compared = 0;
    const std::vector<Difference> found = differences(vcd, compared);
    const auto first = std::find_if(found.begin(), found.end(),
                                    [](const Difference& d) { return !is_meaningless(d.path); });
    ASSERT_NE(first, found.end());
    EXPECT_EQ(first->path, "u_arbiter.sig_q") << first->text();
    EXPECT_NE(vcd.value(size_t(first->clock), "n9.differ"), "0");
    EXPECT_EQ(vcd.value(size_t(first->clock) - 1, "n9.differ"), "0");
}

// The comparison of this test finds a value that was changed in the file.
TEST(inside, a_value_that_was_changed_in_the_file_is_found) {
    record("inside_text.vcd", {}, 50, Nothing);
    std::string text = text_of("inside_text.vcd");
    const Vcd vcd(text);
    const std::string id = vcd.variables.at("n9.rtl.u_crossbar.x_o");
    const size_t at = text.find(" " + id + "\n", text.find("$enddefinitions"));
    ASSERT_NE(at, std::string::npos);
    text[at - 1] = text[at - 1] == '0' ? '1' : '0';
    size_t compared = 0;
    const std::vector<Difference> found = differences(Vcd(text), compared);
    EXPECT_TRUE(std::any_of(found.begin(), found.end(),
                            [](const Difference& d) { return d.path == "u_crossbar.x_o"; }));
}

TEST(inside, blocks_that_are_rtl_show_their_ports) {
    EXPECT_EQ(record("inside_rtl.vcd", {"arbiter", "link_io"}, Clocks, Nothing), "");
    const Vcd vcd(text_of("inside_rtl.vcd"));
    for (const machine::Module& m : clocked_modules()) {
        if (m.kind != "arbiter" && m.kind != "link_io") continue;
        for (const machine::ModulePort& port : m.ports)
            EXPECT_EQ(vcd.variables.count("n9.systemc." + m.path + port.name), 1u) << port.name;
    }
    EXPECT_EQ(vcd.variables.count("n9.systemc.u_arbiter.sig_q"), 0u);
    size_t compared = 0;
    for (const Difference& d : differences(vcd, compared))
        if (!is_meaningless(d.path)) ADD_FAILURE() << d.text();
}

TEST(inside, save_file_shows_the_way_of_a_packet_block_by_block) {
    record("inside_save.fst", {}, 50, Nothing);
    const std::string save = text_of("inside_save.gtkw");
    size_t at = 0;
    for (const char* block :
         {": u_link_io_", ": u_input_unit_", ": u_arbiter", ": u_crossbar", ": u_output_unit_"}) {
        const size_t next = save.find(block, at);
        ASSERT_NE(next, std::string::npos) << block;
        at = next;
    }
    const size_t systemc = save.find("{rx_valid_o systemc}");
    const size_t rtl = save.find("{rx_valid_o rtl}");
    ASSERT_NE(systemc, std::string::npos);
    ASSERT_NE(rtl, std::string::npos);
    EXPECT_LT(systemc, rtl);
    EXPECT_NE(save.find("-node 9 port S1"), std::string::npos);
}

TEST(inside, is_recorded_from_reset_on_or_not_at_all) {
    machine::Config config;
    config.engine = machine::Engine::SystemC;
    SystemcMachine machine(config);
    machine.bring_up();
    EXPECT_THROW(Recorder(machine, {"inside_late.vcd", {9}}), std::logic_error);
}

}  // namespace
}  // namespace rdt::tb
