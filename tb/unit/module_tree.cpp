// SPDX-License-Identifier: MIT
// The SystemC design and the RTL are made of the same modules: same instances, same ports, same
// widths, in both directions.
#include "machine/module_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace rdt::machine {
namespace {

std::map<std::string, Module> by_path(const std::vector<Module>& tree) {
    std::map<std::string, Module> found;
    for (const Module& m : tree) EXPECT_TRUE(found.emplace(m.path, m).second) << m.path << " twice";
    return found;
}

// The RTL with the names of the SystemC design.
std::vector<Module> expected() {
    std::vector<Module> tree = rtl_tree();
    for (Module& m : tree) {
        m.path = systemc_path(m.path);
        EXPECT_EQ(m.kind.rfind("rdt_", 0), 0u) << m.kind;
        m.kind = m.kind.substr(4);
    }
    return tree;
}

TEST(module_tree, systemc_design_has_the_instances_of_the_rtl_and_no_others) {
    const auto systemc = by_path(systemc_tree());
    const auto rtl = by_path(expected());
    for (const auto& [path, m] : rtl) {
        const auto found = systemc.find(path);
        ASSERT_NE(found, systemc.end()) << path << " is missing";
        EXPECT_EQ(found->second.kind, m.kind) << path;
    }
    for (const auto& entry : systemc)
        EXPECT_EQ(rtl.count(entry.first), 1u) << entry.first << " is not in the RTL";
}

TEST(module_tree, ports_have_the_names_directions_and_widths_of_the_rtl) {
    const auto systemc = by_path(systemc_tree());
    for (const Module& m : expected()) {
        std::map<std::string, ModulePort> ports;
        for (const ModulePort& p : systemc.at(m.path).ports) ports[p.name] = p;
        for (const ModulePort& p : m.ports) {
            ASSERT_EQ(ports.count(p.name), 1u) << m.path << " has no " << p.name;
            EXPECT_EQ(ports[p.name].direction, p.direction) << m.path << "." << p.name;
            EXPECT_EQ(ports[p.name].width, p.width) << m.path << "." << p.name;
        }
        EXPECT_EQ(ports.size(), m.ports.size()) << m.path;
    }
}

TEST(module_tree, names_of_the_paper_are_there) {
    const auto systemc = by_path(systemc_tree());
    for (const char* path : {"router.u_crossbar", "router.u_arbiter", "router.u_ack",
                             "router.u_input_unit_0.u_bitmap_gen", "router.u_link_io_9",
                             "router.u_input_unit_0.u_ram_2", "router.u_input_unit_8.u_slot_0"})
        EXPECT_EQ(systemc.count(path), 1u) << path;
    EXPECT_EQ(systemc_path("rdt_router.gen_port[3].u_input_unit.gen_vc[1].u_ram"),
              "router.u_input_unit_3.u_ram_1");
}

}  // namespace
}  // namespace rdt::machine
