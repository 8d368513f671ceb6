// SPDX-License-Identifier: MIT
// Machines whose MBPs send by themselves, and disturbances without events.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <vector>

#include "common/dice.h"
#include "common/shot_keeper.h"
#include "machine/event_bench.h"
#include <rdt/machine/packets.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::tb {

// A machine whose MBPs send by themselves, without Transport: unicasts, and multicasts that are
// answered, with packets of all lengths.
class Mbps {
public:
    // `per_mille`: packets of an MBP in so many cycles.
    Mbps(Config config, By by, uint64_t seed, uint32_t per_mille = 25)
        : m_random(seed), m_per_mille(per_mille) {
        config.event_driven = by == By::Events;
        machine = machine::make_machine(config);
        machine->bring_up();
        m_tags.resize(2 * machine->nodes());
        for (uint32_t at = 0; at < m_tags.size(); ++at) attach(at);
    }

    void clock() {
        happened.clear();
        for (uint32_t at = 0; at < m_tags.size(); ++at)
            if (m_random.below(1000) < m_per_mille) send(at);
        machine->clock();
        if (m_keeper) resume();
    }
    // The state of a router is transferred to its MBP 0, and restored when that has all of it.
    void shoot(uint32_t node) {
        m_shot = node;
        m_keeper = std::make_unique<ShotKeeper>(machine->mbp(node, 0));
        machine->mbp(node, 0).send(0, machine::setup_packet({{RegCtrl, core::Config::CtrlShoot}}));
    }
    bool is_shot() const { return m_keeper != nullptr; }

    std::unique_ptr<Machine> machine;
    std::string happened;

private:
    void attach(uint32_t at) {
        machine::Endpoint& end = machine->mbp(at / 2, at % 2);
        end.on_receive = [this, at, &end](const machine::Endpoint::Received& r) {
            happened += fmt::format(" {} got {:x} from {}", at, fmt::join(r.flits, ","), r.clock);
            if (m_keeper && at == 2 * m_shot && m_keeper->take({r.flits.begin(), r.flits.end()}))
                return;
            const auto h0 = uint32_t(r.flits[0]);
            if (is_multicast(h0) && get(h0, H0Tag) != 0)
                end.send_ack(uint32_t(get(h0, H0Tag)), 0,
                             machine::Endpoint::generation_of(r.flits));
        };
        end.on_ack = [this, at](const core::AckNote& ack) {
            happened += fmt::format(" {} acked {} {}", at, ack.tag, ack.status);
            m_tags[at] &= ~(1u << ack.tag);
        };
    }
    void send(uint32_t at) {
        const uint32_t body = m_random.below(14);
        machine::Flits flits;
        const uint32_t free = ~m_tags[at] & 0x7E;
        if (free != 0 && m_random.chance(15)) {
            const auto tag = uint32_t(__builtin_ctz(free));
            const Maps maps = map_byte(0, 1 + m_random.below(255)) | map_byte(1, m_random.bits(8));
            m_tags[at] |= 1u << tag;
            flits = machine::flits_of(
                multicast_header(maps, int(m_random.bits(1)), TypeMcSm, 2 + int(body), int(tag)));
        } else {
            flits = machine::flits_of(
                machine->geometry().make_header(at / 2, m_random.below(machine->nodes()),
                                                int(m_random.bits(1)), TypeUni, 2 + int(body)));
        }
        for (uint32_t k = 0; k < body; ++k) flits.push_back(make_flit(m_random.bits(17)));
        machine->mbp(at / 2, at % 2).send(0, flits);
    }

    void resume() {
        if (!m_puts_back && m_keeper->ended()) {
            m_keeper->put_back(true);
            m_puts_back = true;
        }
        if (!m_puts_back || !m_keeper->settled()) return;
        m_keeper->run();
        m_keeper.reset();
        m_puts_back = false;
    }

    Dice m_random;
    uint32_t m_per_mille;
    std::vector<uint32_t> m_tags;  // in use, by MBP
    std::unique_ptr<ShotKeeper> m_keeper;
    uint32_t m_shot = 0;
    bool m_puts_back = false;
};

// Both machines, cycle by cycle, until they differ; registers in the first cycles and at times.
template <typename Kind>
std::string run_together(Kind& fast, Kind& events, uint64_t clocks, uint64_t every,
                         uint64_t first = 3) {
    uint64_t calls = 0;
    for (uint64_t n = 0; n < clocks; ++n) {
        fast.clock();
        events.clock();
        if (fast.happened != events.happened)
            return fmt::format("cycle {}:{} but{}", fast.machine->now(), fast.happened,
                               events.happened);
        std::string found = difference(*fast.machine, *events.machine, calls);
        if (found.empty() && (n < first || (n != 0 && n % every == 0)))
            found = register_difference(*fast.machine, *events.machine);
        if (!found.empty()) return found;
    }
    return "";
}

// Things that have no events.
enum class Irregular { Watched, Cut, Flip, Stuck, Setup, Shoot, BadPacket, StrayAck };
constexpr uint32_t NumIrregular = 8;

inline void disturb(Machine& machine, Irregular what, Dice dice) {
    const uint32_t node = dice.below(machine.nodes());
    const uint32_t port = dice.below(NumPorts);
    core::LinkPinsIn bits;
    const uint32_t pins = dice.below(3);
    if (pins == 0) bits.d = 1u << dice.below(FlitW);
    (pins == 1 ? bits.req : bits.cred) = pins == 0 ? 0 : 1u << dice.below(2);
    machine::Endpoint& mbp = machine.mbp(node, 0);
    switch (what) {
    case Irregular::Watched: (void)machine.signal_views(node); break;
    case Irregular::Cut: machine.cut(node, port); break;
    case Irregular::Flip: machine.flip({node, port, bits}); break;
    case Irregular::Stuck: machine.stick(node, port, bits, dice.chance(50)); break;
    case Irregular::Setup: mbp.send(0, machine::setup_packet({{RegTEnt, 77}})); break;
    case Irregular::Shoot:
        mbp.send(0, machine::setup_packet({{RegCtrl, core::Config::CtrlShoot}}));
        break;
    case Irregular::BadPacket: {
        machine::Flits flits = machine::flits_of(
            machine.geometry().make_header(node, dice.below(machine.nodes()), 0, TypeUni, 4));
        flits[2] = make_flit(with(uint32_t(flits[2]), H2Hop, 0) & PayloadMask);
        for (uint32_t k = 3; k < 5; ++k) flits.push_back(make_flit(dice.bits(17)));
        mbp.send(0, flits);
        break;
    }
    case Irregular::StrayAck: mbp.send_ack(1 + dice.below(NumEntries), 0, dice.bits(4)); break;
    }
}

}  // namespace rdt::tb
