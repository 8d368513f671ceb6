// SPDX-License-Identifier: MIT
// The gates of the RTL, 64 routers in a word, against the Verilated RTL and the fast engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "common/run_options.h"
#include <rdt/cosim/inside.h>
#include <rdt/cosim/module_tree.h>
#include <rdt/cosim/rtl_beside.h>
#include <rdt/machine/engines/event_machine.h>
#include <rdt/machine/engines/fast_machine.h>
#include <rdt/machine/engines/gate_machine.h>
#include <rdt/machine/traffic/synthetic.h>
#include <rdt/support/random.h>

namespace {

using namespace rdt;
using namespace rdt::machine;

// A machine under traffic.
struct Loaded {
    Loaded(std::unique_ptr<Machine> m, const SyntheticOptions& options)
        : machine(brought_up(std::move(m))), workload(*machine, options), transport(*machine) {
        transport.on_done = [this](const Packet& p) { workload.done(transport, p); };
    }
    static std::unique_ptr<Machine> brought_up(std::unique_ptr<Machine> machine) {
        machine->bring_up();
        return machine;
    }
    void clock() {
        workload.clock(transport);
        transport.clock();
    }
    std::unique_ptr<Machine> machine;
    Synthetic workload;
    Transport transport;
};

SyntheticOptions mixed_traffic() {
    SyntheticOptions options;
    options.load = 0.4;
    options.queue = 4;
    options.multicasts = 0.05;
    options.density = 0.3;
    options.acks = true;
    return options;
}

void expect_same_pins(const Machine& a, const Machine& b) {
    for (uint32_t n = 0; n < a.nodes(); ++n)
        for (uint32_t p = 0; p < NumPorts; ++p)
            ASSERT_EQ(a.pins(n, p), b.pins(n, p))
                << "node " << n << " port " << p << " cycle " << a.now();
}

TEST(gates, a_machine_has_the_pins_of_the_fast_engine_in_every_cycle) {
    Config config;
    config.t_ent = 400;
    Loaded a(std::make_unique<GateMachine>(config), mixed_traffic());
    Loaded b(std::make_unique<FastMachine>(config), mixed_traffic());
    ASSERT_EQ(a.machine->now(), b.machine->now());
    const uint64_t cycles = tb::from_environment("RDT_CYCLES", 3000);
    for (uint64_t t = 0; t < cycles && !HasFatalFailure(); ++t) {
        a.clock();
        b.clock();
        expect_same_pins(*a.machine, *b.machine);
    }
    for (uint32_t n = 0; n < a.machine->nodes(); ++n)
        for (uint32_t end = 0; end < NumPorts + 2; ++end)
            EXPECT_EQ(a.machine->flits_sent(n, end), b.machine->flits_sent(n, end));
}

// Inverted pins of routers and MBPs, a link that is cut and a pin that is stuck.
TEST(gates, faults_have_the_same_effect_as_in_the_fast_engine) {
    Config config;
    config.faults = true;
    config.t_ent = 400;
    Loaded a(std::make_unique<GateMachine>(config), mixed_traffic());
    Loaded b(std::make_unique<FastMachine>(config), mixed_traffic());
    const uint64_t cycles = tb::from_environment("RDT_CYCLES", 3000);
    Random random(7);
    for (uint64_t t = 0; t < cycles && !HasFatalFailure(); ++t) {
        Flip flip{random.below(64), random.below(NumPorts + 2), {}};
        const uint32_t pin = random.below(FlitW + 4);
        if (pin < FlitW) flip.bits.d = flit_t(1) << pin;
        else if (pin < FlitW + 2) flip.bits.req = 1u << (pin - FlitW);
        else flip.bits.cred = 1u << (pin - FlitW - 2);
        const bool flips = random.below(10) == 0;
        for (Loaded* side : {&a, &b}) {
            if (t == 500) side->machine->cut(9, PortE0);
            if (t == 1000) side->machine->stick(20, PortN0, {1, 0, 0}, true);
            if (flips) side->machine->flip(flip);
            side->clock();
        }
        expect_same_pins(*a.machine, *b.machine);
    }
}

// Registers that Verilator and Yosys keep under the same name, by path.
struct SameRegister {
    size_t signal;  // signal of the Verilated router
    unsigned bit;
    const GateRegister* gate;
};

std::vector<SameRegister> same_registers(const Inside& inside) {
    std::map<std::string, size_t> by_path;
    for (size_t i = 0; i < inside.signals.size(); ++i) by_path[inside.signals[i].path()] = i;
    std::vector<SameRegister> found;
    for (size_t i = 0; i < router_gates.num_registers; ++i) {
        const GateRegister& gate = router_gates.registers[i];
        // The number of a word of a RAM belongs to the name.
        const std::string name = std::string("rdt_router.") + gate.name;
        const size_t end = name.back() == ']' ? name.rfind('[') : name.size();
        const std::string path = systemc_path(name.substr(0, end)) + name.substr(end);
        const auto at = by_path.find(path.substr(path.find('.') + 1));
        if (at != by_path.end() && gate.bit < inside.signals[at->second].width)
            found.push_back({at->second, gate.bit, &gate});
    }
    return found;
}

// Router k of the word and the Verilated chip see the same random pins.
TEST(gates, registers_are_those_of_the_verilated_chip_in_every_cycle) {
    const auto rtl = RtlBeside::maker()();
    InsideValues values(rtl->inside());
    const std::vector<SameRegister> registers = same_registers(values.inside());
    EXPECT_GT(registers.size(), router_gates.num_registers * 98 / 100);
    GateRouters gates(64);
    Config config;
    Loaded traffic(std::make_unique<FastMachine>(config), mixed_traffic());
    const uint64_t cycles = tb::from_environment("RDT_CYCLES", 3000);
    Random random(5);
    std::vector<core::PinsIn> in(64);
    constexpr uint32_t Node = 27;
    for (uint64_t t = 0; t < cycles; ++t) {
        traffic.clock();
        for (uint32_t n = 0; n < 64; ++n) {
            in[n] = traffic.machine->inputs(n);
            // A pin is wrong now and then.
            if (random.below(50) == 0)
                in[n].link[random.below(NumPorts)].d ^= 1u << random.below(18);
        }
        const bool rst_n = t > 4 && t % 1000 != 999;
        gates.settle(in, rst_n);
        rtl->settle(in[Node], rst_n);
        gates.edge();
        rtl->edge();
        ASSERT_EQ(gates.pins(Node), rtl->pins()) << "cycle " << t;
        if (t < 4) continue;
        values.read();
        for (const SameRegister& r : registers)
            ASSERT_EQ(gates.read(Node, *r.gate), values.bits(r.signal, r.bit, 1) != 0)
                << r.gate->name << " bit " << r.bit << " cycle " << t;
    }
    ASSERT_FALSE(rtl->failed());
}

// The comparison fails when one of 64 routers differs in one flip-flop.
TEST(gates, an_inverted_flip_flop_is_detected) {
    GateRouters gates(64);
    Config config;
    Loaded traffic(std::make_unique<FastMachine>(config), mixed_traffic());
    GateRouters injected(64);
    std::vector<core::PinsIn> in(64);
    constexpr uint32_t Node = 27;
    const auto* const bit = std::find_if(
        router_gates.registers, router_gates.registers + router_gates.num_registers,
        [](const GateRegister& r) { return std::string(r.name) == "u_arbiter.sig_q"; });
    ASSERT_NE(bit, router_gates.registers + router_gates.num_registers);
    uint32_t differs_at = 0;
    for (uint32_t t = 0; t < 300 && differs_at == 0; ++t) {
        traffic.clock();
        for (uint32_t n = 0; n < 64; ++n) in[n] = traffic.machine->inputs(n);
        for (GateRouters* routers : {&gates, &injected}) {
            routers->settle(in, t > 4);
            routers->edge();
        }
        if (t == 200) injected.word(Node, *bit) ^= uint64_t(1) << Node % 64;
        for (uint32_t n = 0; n < 64; ++n)
            if (!(gates.pins(n) == injected.pins(n))) {
                EXPECT_EQ(n, Node);
                differs_at = t;
            }
    }
    EXPECT_GT(differs_at, 199u);
    EXPECT_LT(differs_at, 206u);
}

}  // namespace
