// SPDX-License-Identifier: MIT
// Two machines with the same traffic, the event engine one of them: what happens in each cycle, and
// the first pin or register in which they differ.
#pragma once

#include <fmt/core.h>

#include <memory>
#include <string>

#include <rdt/machine/engines/chip_values.h>
#include <rdt/machine/engines/event_machine.h>
#include <rdt/machine/traffic/synthetic.h>

namespace rdt::tb {

using machine::ChipValues;
using machine::Config;
using machine::Machine;
using machine::SyntheticOptions;

// How the fast engine simulates.
enum class By { Cycles, Events };

struct Case {
    Config config;
    SyntheticOptions traffic;
    uint64_t clocks = 1000;
    uint64_t drain = 0;
};

inline std::string to_string(const Case& c) {
    const SyntheticOptions& t = c.traffic;
    return fmt::format(
        "size {} torus {} t_ent {} t_ack {} {} load {} flits {}-{} multicasts {} density "
        "{} acks {} outstanding {} queue {} seed {}",
        c.config.side, !c.config.upper_rank, c.config.t_ent, c.config.t_ack, t.pattern, t.load,
        t.flits_min, t.flits_max, t.multicasts, t.density, t.acks, t.outstanding, t.queue, t.seed);
}

// A machine, its traffic, and what happened in this cycle.
struct Subject {
    Subject(Config config, By by, const SyntheticOptions& traffic) {
        config.event_driven = by == By::Events;
        machine = machine::make_machine(config);
        machine->bring_up();
        workload = std::make_unique<machine::Synthetic>(*machine, traffic);
        transport = std::make_unique<machine::Transport>(*machine);
        transport->on_delivery = [this](const machine::Packet& p, const machine::Delivery& d) {
            happened += fmt::format(" {} to {}.{} in {}-{} over {}, {}{}", p.number, d.node, d.mbp,
                                    d.head, d.tail, d.hops, d.intact, d.sound);
            ++delivered;
        };
        transport->on_ack = [this](const machine::Packet& p, uint32_t status) {
            happened += fmt::format(" {} acked {}", p.number, status);
            ++acks;
            retries += status >> AckRetry & 1;
        };
        transport->on_done = [this](const machine::Packet& p) { workload->done(*transport, p); };
        transport->on_stray = [this](uint32_t node, const machine::Flits&) {
            happened += fmt::format(" stray at {}", node);
        };
    }
    void clock() {
        happened.clear();
        workload->clock(*transport);
        transport->clock();
    }

    std::unique_ptr<Machine> machine;
    std::unique_ptr<machine::Synthetic> workload;
    std::unique_ptr<machine::Transport> transport;
    std::string happened;
    uint64_t delivered = 0;
    uint64_t acks = 0;
    uint64_t retries = 0;
    uint64_t calls = 0;  // links that resynchronize
};

// The first pin that differs, or nothing.
inline std::string difference(const Machine& a, const Machine& b, uint64_t& calls) {
    for (uint32_t n = 0; n < a.nodes(); ++n)
        for (uint32_t p = 0; p < NumPorts + 2; ++p) {
            if (p < NumPorts && !a.has_link(p)) continue;
            const bool is_chip = p < NumPorts;
            const core::LinkPinsOut x = is_chip ? a.pins(n, p) : a.mbp_pins(n, p - NumPorts);
            const core::LinkPinsOut y = is_chip ? b.pins(n, p) : b.mbp_pins(n, p - NumPorts);
            calls += x.req == ReqCall ? 1 : 0;
            if (x.oe == y.oe && x.req == y.req && x.cred == y.cred && (!x.oe || x.d == y.d))
                continue;
            return fmt::format(
                "end {} of node {} in cycle {}: OE {} {} REQ {} {} CRED {} {} D "
                "{:x} {:x}",
                p, n, a.now(), x.oe, y.oe, x.req, y.req, x.cred, y.cred, x.d, y.d);
        }
    return "";
}

// The first register that differs, or nothing. One machine is clocked by the fast engine; the
// registers of the other are made from its events.
inline std::string register_difference(const Machine& clocked, const Machine& events) {
    const auto& fast = dynamic_cast<const machine::FastMachine&>(clocked);
    std::string found;
    dynamic_cast<const machine::EventMachine&>(events).images([&](uint32_t node,
                                                                  const fast::ChipImage& image) {
        if (!found.empty()) return;
        found =
            ChipValues(fast.image(node), fast.links()).difference(ChipValues(image, fast.links()));
        if (!found.empty())
            found = fmt::format("node {} in cycle {}: {}", node, events.now(), found);
    });
    return found;
}

inline Case case_of(int side, double load, uint64_t clocks) {
    Case c;
    c.config.side = side;
    c.traffic.load = load;
    c.traffic.flits_min = machine::MinFlits;
    c.traffic.queue = 4;
    c.clocks = clocks;
    return c;
}
inline Case with_acks(Case c, double share, double density) {
    c.traffic.multicasts = share;
    c.traffic.density = density;
    c.traffic.acks = true;
    c.config.t_ent = 60;
    c.config.t_ack = 4000;
    return c;
}

}  // namespace rdt::tb
