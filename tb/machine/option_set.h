// SPDX-License-Identifier: MIT
// A random set of options of `rdt run`, with faults at random cycles. Machines are small and runs
// short, so that thousands take minutes.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/dice.h"
#include <rdt/dsm/memory.h>
#include <rdt/dsm/pattern.h>
#include <rdt/machine/measure/run.h>
#include <rdt/machine/traffic/scheme_names.h>
#include <rdt/machine/traffic/synthetic.h>

namespace rdt::tb {

// A fault of a link, in a cycle of the run; 0: before the links come up.
struct LinkFault {
    enum class Kind { Flip, Cut, Stuck };
    Kind kind = Kind::Flip;
    uint64_t cycle = 0;
    uint32_t node = 0;
    uint32_t port = 0;
    core::LinkPinsIn pins{};
    bool value = false;  // value of stuck pins
};

struct OptionSet {
    enum class Source { Synthetic, Trace, Memory };

    machine::Config config;
    machine::RunOptions run;
    Source source = Source::Synthetic;
    machine::SyntheticOptions traffic;
    dsm::Options memory;
    std::string trace;  // text
    std::vector<LinkFault> faults;
    bool logs_packets = false;
    uint64_t interval = 0;  // interval of the timeline; 0: none
};

constexpr uint32_t SetNodes = 64;

inline Type draw_scheme(Dice& dice) {
    constexpr Type Schemes[] = {TypeMcSm, TypeMcLpra, TypeMcLarp};
    return Schemes[dice.below(3)];
}

inline core::LinkPinsIn draw_pins(Dice& dice) {
    core::LinkPinsIn pins{};
    const uint32_t kind = dice.below(3);
    if (kind == 0) pins.d = flit_t(1) << dice.below(FlitW);
    else (kind == 1 ? pins.req : pins.cred) = 1u << dice.below(2);
    return pins;
}

inline void draw_machine(Dice& dice, OptionSet& o) {
    o.config.upper_rank = !dice.chance(10);
    o.config.guard = !dice.chance(10);
    if (dice.chance(50)) o.config.t_ent = dice.chance(30) ? dice.between(1, 30) : 60;
    if (dice.chance(50)) o.config.t_ack = dice.between(20, 2000);
    if (dice.chance(15)) o.config.timeout = dice.between(20, 600);
    o.config.sink = o.config.timeout != 0 && dice.chance(50);
}

inline void draw_synthetic(Dice& dice, OptionSet& o) {
    machine::SyntheticOptions& t = o.traffic;
    const auto& patterns = Traffic::patterns();
    t.pattern = patterns[dice.below(uint32_t(patterns.size()))].name;
    t.load = 0.01 * dice.between(1, dice.chance(20) ? 120 : 60);
    t.flits_min = dice.between(machine::MinFlits, machine::MaxFlits);
    t.flits_max = dice.between(t.flits_min, machine::MaxFlits);
    t.queue = dice.chance(50) ? dice.between(1, 8) : 0;
    if (dice.chance(70)) t.multicasts = dice.chance(20) ? 1 : 0.01 * dice.between(1, 40);
    t.density = 0.05 * dice.between(1, 20);
    t.scheme = draw_scheme(dice);
    t.acks = t.multicasts > 0 && dice.chance(50);
    if (dice.chance(10)) t.outstanding = dice.between(1, 4);
    // As the program does.
    if (t.acks && o.config.t_ent == 0) o.config.t_ent = 60;
    if (t.acks && o.config.t_ack == 0) o.config.t_ack = dsm::DefaultTAck;
    o.run.warmup = dice.chance(50) ? dice.below(100) : 0;
    o.run.cycles = dice.between(1, 250);
    o.run.drain = dice.chance(40) ? 1200 : 0;
}

// Packets of all kinds with gaps of all lengths between them.
inline void draw_trace(Dice& dice, OptionSet& o) {
    o.source = OptionSet::Source::Trace;
    const Geometry geometry(o.config.side);
    const uint32_t levels = o.config.upper_rank ? geometry.top_rank() + 1 : 1;
    uint64_t cycle = 0;
    const uint32_t packets = dice.between(1, 40);
    for (uint32_t n = 0; n < packets; ++n) {
        if (dice.chance(60)) cycle += dice.below(dice.chance(10) ? 1500 : 20);
        o.trace += fmt::format("{} {} ", cycle, dice.below(SetNodes));
        const bool multicast = dice.chance(40);
        if (multicast) {
            const Type scheme = draw_scheme(dice);
            Maps maps = 0;
            std::string text;
            do {
                maps = 0;
                text.clear();
                for (uint32_t level = dice.between(1, levels); level-- != 0;) {
                    const uint32_t map = dice.below(256);
                    maps = maps << 8 | map;
                    text += fmt::format(":{:02x}", map);
                }
            } while (maps == 0 || machine::receivers_of(geometry, scheme, maps) == 0);
            o.trace += machine::scheme_name(scheme) + text;
        } else {
            o.trace += fmt::format("{}", dice.below(SetNodes));
        }
        if (dice.chance(70))
            o.trace += fmt::format(" {}", dice.between(machine::MinFlits, machine::MaxFlits));
        if (multicast && dice.chance(50)) o.trace += " ack";
        if (n > 0 && dice.chance(15))
            o.trace += fmt::format(" after:{}+{}", dice.below(n), dice.below(100));
        o.trace += "\n";
    }
    o.run.warmup = 0;
    o.run.cycles = 5000;
    o.run.drain = 1200;
}

inline void draw_memory(Dice& dice, OptionSet& o) {
    o.source = OptionSet::Source::Memory;
    o.config.upper_rank = true;
    if (o.config.t_ent == 0) o.config.t_ent = dsm::DefaultTEnt;
    if (o.config.t_ack == 0) o.config.t_ack = dsm::DefaultTAck;
    dsm::Options& m = o.memory;
    const auto& patterns = dsm::Pattern::patterns();
    m.pattern = patterns[dice.below(uint32_t(patterns.size()))].name;
    m.protocol = dice.chance(50) ? dsm::Protocol::Update : dsm::Protocol::Invalidate;
    m.scheme = draw_scheme(dice);
    m.lines = 64 * dice.between(1, 4);
    m.page = dice.pick({1, 1, 2, 4});
    m.operations = dice.between(1, 150);
    m.reads = 0.1 * dice.below(11);
    m.rate = dice.chance(50) ? 0.0005 * dice.between(1, 40) : 0;
    m.resend = dice.between(500, 2000);
    m.attempts = dice.between(1, 4);
    if (dice.chance(30)) m.directory = dsm::DirectoryKind::Exact;
    m.is_mixed = dice.chance(20);
    m.atomics = dice.chance(50) ? 0.1 * dice.below(11) : 0;
    m.processors = dice.pick({1, 1, 2, 4});
    m.store_buffer = dice.pick({0, 0, 1, 4});
    m.cache_lines = dice.pick({0, 0, 4, 16});
    m.home_cycles = dice.chance(30) ? dice.below(20) : 0;
    m.memory_cycles = dice.chance(30) ? dice.below(60) : 0;
    o.run.warmup = dice.chance(20) ? dice.below(100) : 0;
    o.run.cycles = 1500;
    o.run.drain = 1000;
}

inline void draw_faults(Dice& dice, OptionSet& o) {
    const uint64_t last =
        std::max<uint64_t>(1, o.run.warmup + std::min<uint64_t>(o.run.cycles, 500));
    if (dice.chance(25)) o.run.flips = 0.001 * dice.between(1, dice.chance(20) ? 300 : 20);
    while (dice.chance(25)) {
        LinkFault f;
        f.kind = LinkFault::Kind(dice.below(3));
        f.node = dice.below(SetNodes);
        const bool any_port = o.config.upper_rank || f.kind != LinkFault::Kind::Cut;
        f.port = dice.below(any_port ? uint32_t(NumPorts) : uint32_t(PortE1));
        if (!o.config.upper_rank && f.port >= PortE1 && f.port < PortM0) continue;
        if (f.kind != LinkFault::Kind::Cut && dice.chance(10))
            f.port = machine::MbpReads + dice.below(2);
        f.pins = draw_pins(dice);
        f.value = dice.chance(50);
        f.cycle = 1 + dice.below(uint32_t(last));
        if (f.kind == LinkFault::Kind::Cut && f.port < PortM0 && dice.chance(50)) f.cycle = 0;
        o.faults.push_back(f);
    }
    // The program configures the machine beforehand; users of the library need not.
    const bool any_cut = std::any_of(o.faults.begin(), o.faults.end(),
                                     [](const LinkFault& f) { return f.cycle == 0; });
    o.config.faults = any_cut || (o.run.flips > 0 && !dice.chance(30));
}

inline OptionSet draw_options(Dice& dice, uint64_t seed) {
    OptionSet o;
    o.config.seed = o.run.seed = o.traffic.seed = o.memory.seed = seed;
    draw_machine(dice, o);
    const uint32_t source = dice.below(100);
    if (source < 70) draw_synthetic(dice, o);
    else if (source < 90) draw_trace(dice, o);
    else draw_memory(dice, o);
    draw_faults(dice, o);
    o.logs_packets = dice.chance(30);
    if (dice.chance(30)) o.interval = dice.between(1, 200);
    return o;
}

// As options of `rdt run`, as far as there are any.
inline std::string to_string(const OptionSet& o) {
    const machine::Config& c = o.config;
    std::string text = fmt::format("rdt run --seed {} --warmup {} --cycles {} --flips {}", c.seed,
                                   o.run.warmup, o.run.cycles, o.run.flips);
    if (!c.upper_rank) text += " --torus";
    if (!c.guard) text += " --no-guard";
    if (c.sink) text += " --sink";
    text += fmt::format(" --t-ent {} --t-ack {} --timeout {}", c.t_ent, c.t_ack, c.timeout);
    if (o.source == OptionSet::Source::Synthetic) {
        const machine::SyntheticOptions& t = o.traffic;
        text += fmt::format(
            " --traffic {} --load {} --flits {}-{} --multicast {} --density {} --scheme {} "
            "--outstanding {} --queue {}{}",
            t.pattern, t.load, t.flits_min, t.flits_max, t.multicasts, t.density,
            machine::scheme_name(t.scheme), t.outstanding, t.queue, t.acks ? " --acks" : "");
    } else if (o.source == OptionSet::Source::Memory) {
        const dsm::Options& m = o.memory;
        text += fmt::format(
            " --traffic dsm-{} --protocol {} --scheme {} --lines {} --page {} --operations {} "
            "--reads {} --rate {} --directory {} --atomics {} --processors {} --store-buffer {} "
            "--cache-lines {} --home-cycles {} --memory-cycles {}, mixed {} resend {} attempts {}",
            m.pattern, dsm::to_string(m.protocol), machine::scheme_name(m.scheme), m.lines, m.page,
            m.operations, m.reads, m.rate, dsm::to_string(m.directory), m.atomics, m.processors,
            m.store_buffer, m.cache_lines, m.home_cycles, m.memory_cycles, m.is_mixed, m.resend,
            m.attempts);
    }
    for (const LinkFault& f : o.faults) {
        constexpr const char* Kinds[] = {"flip", "cut", "stuck"};
        text += fmt::format(", {} {}.{} pins {:x}/{}/{} = {} in cycle {}", Kinds[int(f.kind)],
                            f.node, f.port, f.pins.d, f.pins.req, f.pins.cred, f.value, f.cycle);
    }
    text += fmt::format(", drain {} faults {} packet log {} interval {}", o.run.drain, c.faults,
                        o.logs_packets, o.interval);
    if (o.source == OptionSet::Source::Trace) text += ", trace:\n" + o.trace;
    return text;
}

}  // namespace rdt::tb
