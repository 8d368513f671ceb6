// SPDX-License-Identifier: MIT
// The SystemC design and the RTL are made of the same modules: same instances, same ports, same
// widths, in both directions.
#include <rdt/cosim/module_tree.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include <rdt/cosim/kernel.h>
#include <rdt/ack.h>
#include <rdt/arbiter.h>
#include <rdt/inject.h>
#include <rdt/input_unit.h>
#include <rdt/link_io.h>
#include <rdt/local.h>
#include <rdt/output_unit.h>
#include <rdt/router.h>

namespace rdt::machine {
namespace {

std::map<std::string, Module> by_path(const std::vector<Module>& tree) {
    std::map<std::string, Module> found;
    for (const Module& m : tree) EXPECT_TRUE(found.emplace(m.path, m).second) << m.path << " twice";
    return found;
}

// Words with a bit for each VC have three in the SystemC modules, whatever their number of VCs: a
// width is part of a type there, and the modules are no templates.
const std::set<std::string> WordsOverVcs{
    "ack_port.ent_oh_o", "ack_port.wait_i",  "bitmap_gen.ent_gnt_i", "bitmap_gen.fresh_i",
    "bitmap_gen.look_i", "bitmap_gen.put_i", "bitmap_gen.rd_i",      "read_pass.next_oh_o",
    "read_pass.oh_o",    "vc_select.dump_i", "vc_select.fresh_i",    "vc_select.val_i"};
constexpr uint32_t MaxVcs = 3;

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
            const bool is_over_vcs = WordsOverVcs.count(m.kind + "." + p.name) != 0;
            EXPECT_EQ(ports[p.name].width, is_over_vcs ? MaxVcs : uint32_t(p.width))
                << m.path << "." << p.name;
        }
        EXPECT_EQ(ports.size(), m.ports.size()) << m.path;
    }
}

// Every register can be looked at, under the name that it has in the RTL.
struct Registers {
    std::set<std::string> kinds;
    uint64_t bits = 0;

    template <typename Kind>
    void add(const sc_core::sc_object& object, const char* kind) {
        const auto* module = dynamic_cast<const Kind*>(&object);
        if (module == nullptr) return;
        kinds.insert(kind);
        module->registers([this, &object](const std::string& name, unsigned width, auto value) {
            EXPECT_NE(name.find("_q"), std::string::npos) << object.name() << "." << name;
            EXPECT_EQ(uint64_t(value) >> width, 0u) << object.name() << "." << name;
            bits += width;
        });
    }
    void walk(const sc_core::sc_object& object) {
        add<ack_entry>(object, "ack_entry");
        add<ack_port>(object, "ack_port");
        add<ack>(object, "ack");
        add<arbiter>(object, "arbiter");
        add<arrival>(object, "arrival");
        add<bitmap_gen>(object, "bitmap_gen");
        add<inject>(object, "inject");
        add<input_unit>(object, "input_unit");
        add<link_io>(object, "link_io");
        add<local>(object, "local");
        add<local_fsm>(object, "local_fsm");
        add<mc_copy>(object, "mc_copy");
        add<notice>(object, "notice");
        add<output_unit>(object, "output_unit");
        add<plan>(object, "plan");
        add<read_pass>(object, "read_pass");
        add<regs>(object, "regs");
        add<rdt::setup>(object, "setup");
        add<shot>(object, "shot");
        add<slot>(object, "slot");
        add<tick<16>>(object, "tick");
        for (const sc_core::sc_object* child : object.get_child_objects()) walk(*child);
    }
};

TEST(module_tree, every_module_with_registers_shows_them) {
    const Kernel kernel;
    const auto chip = std::make_unique<router>("router");
    Registers all;
    all.walk(*chip);
    EXPECT_EQ(all.kinds.size(), 21u);
    EXPECT_GT(all.bits, 1500u);
    RecordProperty("register_bits", int(all.bits));
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
