// SPDX-License-Identifier: MIT
// The event engine has the registers of the clocked one, and hands them over at any clock: what
// comes after is the same on every pin and in every register as without a change.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "common/dice.h"
#include "common/run_options.h"
#include "machine/event_bench.h"
#include <rdt/machine/packets.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::tb {
namespace {

// A machine whose MBPs send by themselves, without Transport: unicasts, and multicasts that are
// answered, with packets of all lengths.
class Mbps {
public:
    Mbps(Config config, Engine engine, uint64_t seed) : m_random(seed) {
        config.engine = engine;
        machine = machine::make_machine(config);
        machine->bring_up();
        m_tags.resize(2 * machine->nodes());
        for (uint32_t at = 0; at < m_tags.size(); ++at) attach(at);
    }

    void clock() {
        happened.clear();
        for (uint32_t at = 0; at < m_tags.size(); ++at)
            if (m_random.below(1000) < 25) send(at);
        machine->clock();
    }

    std::unique_ptr<Machine> machine;
    std::string happened;

private:
    void attach(uint32_t at) {
        machine::Endpoint& end = machine->mbp(at / 2, at % 2);
        end.on_receive = [this, at, &end](const machine::Endpoint::Received& r) {
            happened += fmt::format(" {} got {:x} from {}", at, fmt::join(r.flits, ","), r.clock);
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
        const uint32_t body = 1 + m_random.below(13);
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

    Dice m_random;
    std::vector<uint32_t> m_tags;  // in use, by MBP
};

// Both machines, clock by clock, until they differ; registers in the first clocks and at times.
template <typename Kind>
std::string run_together(Kind& fast, Kind& events, uint64_t clocks, uint64_t every) {
    uint64_t calls = 0;
    for (uint64_t n = 0; n < clocks; ++n) {
        fast.clock();
        events.clock();
        if (fast.happened != events.happened)
            return fmt::format("clock {}:{} but{}", fast.machine->now(), fast.happened,
                               events.happened);
        std::string found = difference(*fast.machine, *events.machine, calls);
        if (found.empty() && (n < 3 || n % every == 0))
            found = register_difference(*fast.machine, *events.machine);
        if (!found.empty()) return found;
    }
    return "";
}

std::vector<Case> cases(uint64_t seed) {
    std::vector<Case> all{case_of(8, 0.3, 300), case_of(8, 1.0, 300),
                          with_acks(case_of(8, 0.3, 300), 0.5, 0.5), case_of(16, 0.6, 60),
                          with_acks(case_of(16, 0.3, 60), 0.1, 0.3)};
    for (Case& c : all) c.traffic.seed = seed++;
    return all;
}

TEST(events_switch, registers_are_the_same_in_every_clock) {
    for (const Case& c : cases(seed_or(1))) {
        Subject fast(c.config, Engine::Fast, c.traffic);
        Subject events(c.config, Engine::Events, c.traffic);
        EXPECT_EQ(run_together(fast, events, cycles_or(c.clocks), 1), "") << to_string(c);
    }
}

// Links that find back have registers of their own.
TEST(events_switch, registers_are_the_same_while_links_find_back) {
    Case c = case_of(8, 0.5, 0);
    c.traffic.pattern = "hotspot";
    c.traffic.seed = seed_or(6);
    Subject fast(c.config, Engine::Fast, c.traffic);
    Subject events(c.config, Engine::Events, c.traffic);
    uint64_t down = 0;
    for (uint64_t n = 0; n < 4500; ++n) {
        fast.clock();
        events.clock();
        const bool finds_back = events.machine->links_down() != 0;
        down += finds_back ? 1 : 0;
        if (!finds_back || down > cycles_or(150)) continue;
        ASSERT_EQ(register_difference(*fast.machine, *events.machine), "") << "after " << n;
    }
    EXPECT_GT(down, 50u);
}

// Things that have no events.
enum class Irregular { Watched, Cut, Flip, Stuck, Setup, Shoot, BadPacket, StrayAck };
constexpr uint32_t NumIrregular = 8;

void disturb(Machine& machine, Irregular what, Dice dice) {
    const uint32_t node = dice.below(machine.nodes());
    const uint32_t port = dice.below(NumPorts);
    core::LinkPinsIn bits;
    const uint32_t pins = dice.below(3);
    if (pins == 0) bits.d = 1u << dice.below(FlitW);
    (pins == 1 ? bits.req : bits.cred) = pins == 0 ? 0 : 1u << dice.below(2);
    machine::Endpoint& mbp = machine.mbp(node, 0);
    switch (what) {
    case Irregular::Watched: (void)machine.faces(node); break;
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

// Every thing at a random clock, to both machines; then they go on.
template <typename Kind>
void disturb_and_compare(Kind& fast, Kind& events, Irregular what, Dice& dice) {
    const uint64_t at = 1 + dice.below(500);
    for (uint64_t k = 0; k < at; ++k) {
        fast.clock();
        events.clock();
    }
    ASSERT_EQ(fast.happened, events.happened);
    const Dice place = dice;
    dice.bits(32);
    disturb(*fast.machine, what, place);
    disturb(*events.machine, what, place);
    EXPECT_EQ(run_together(fast, events, 1, 1), "") << "thing " << int(what) << " after " << at;
    // What comes by an MBP may still wait there.
    EXPECT_TRUE(events.machine->state(0) != nullptr || what >= Irregular::BadPacket) << int(what);
    EXPECT_EQ(run_together(fast, events, 120, 40), "") << "thing " << int(what) << " after " << at;
}

TEST(events_switch, goes_on_by_clocks_at_any_clock) {
    const uint64_t seed = seed_or(2);
    Dice dice(seed);
    for (uint64_t n = 0; n < cycles_or(8); ++n) {
        const Case c = cases(seed + n)[n % 3];
        Subject fast(c.config, Engine::Fast, c.traffic);
        Subject events(c.config, Engine::Events, c.traffic);
        disturb_and_compare(fast, events, Irregular(n % uint32_t(Irregular::Setup)), dice);
        ASSERT_FALSE(HasFailure()) << "seed=" << seed << " " << to_string(c);
    }
}

TEST(events_switch, mbps_go_on_by_clocks_at_any_clock) {
    const uint64_t seed = seed_or(3);
    Dice dice(seed);
    Config config;
    config.t_ent = 60;
    config.t_ack = 2000;
    for (uint64_t n = 0; n < cycles_or(16); ++n) {
        Mbps fast(config, Engine::Fast, seed + n);
        Mbps events(config, Engine::Events, seed + n);
        disturb_and_compare(fast, events, Irregular(n % NumIrregular), dice);
        ASSERT_FALSE(HasFailure()) << "seed=" << seed << " of " << n;
    }
}

// A pin that is disturbed without any effect makes the machine go on by clocks; some clocks later
// it goes on by events.
template <typename Kind>
uint64_t change_often(Kind& fast, Kind& events, uint64_t changes, Dice& dice) {
    uint64_t changed = 0;
    uint64_t calls = 0;
    const auto& machine = dynamic_cast<const machine::EventMachine&>(*events.machine);
    for (uint64_t n = 0; n < 400 * changes && changed < changes; ++n) {
        const bool by_events = machine.goes_by_events();
        if (by_events && dice.chance(3)) events.machine->flip({dice.below(64), 0, {}});
        fast.clock();
        events.clock();
        changed += by_events != machine.goes_by_events() ? 1 : 0;
        std::string found = fast.happened == events.happened
                                ? difference(*fast.machine, *events.machine, calls)
                                : fmt::format("clock {}:{} but{}", fast.machine->now(),
                                              fast.happened, events.happened);
        if (found.empty() && (by_events != machine.goes_by_events() || dice.chance(1)))
            found = register_difference(*fast.machine, *events.machine);
        EXPECT_EQ(found, "") << "after " << changed << " changes";
        if (!found.empty()) break;
    }
    return changed;
}

TEST(events_switch, back_and_forth_at_any_clock) {
    const uint64_t seed = seed_or(4);
    Dice dice(seed);
    const uint64_t changes = cycles_or(20);
    for (const uint64_t n : {0u, 1u}) {
        const Case c = cases(seed)[n];
        Subject fast(c.config, Engine::Fast, c.traffic);
        Subject events(c.config, Engine::Events, c.traffic);
        EXPECT_EQ(change_often(fast, events, changes, dice), changes)
            << "seed=" << seed << " " << to_string(c);
    }
}

// What is compared is not the same whatever happens.
TEST(events_switch, a_register_that_differs_is_found) {
    const Case c = with_acks(case_of(8, 0.5, 0), 0.3, 0.5);
    Subject events(c.config, Engine::Events, c.traffic);
    for (int n = 0; n < 300; ++n) events.clock();
    uint32_t tried = 0;
    dynamic_cast<const machine::EventMachine&>(*events.machine)
        .images([&](uint32_t, const fast::ChipImage& image) {
            for (uint32_t p = 0; p < NumPorts; ++p) {
                fast::ChipImage line = image;
                line.link[p].st ^= 1;
                fast::ChipImage output = image;
                output.out[p].owed[0] ^= 1;
                fast::ChipImage input = image;
                input.in[p].q.sel ^= 1;
                for (const fast::ChipImage* other : {&line, &output, &input}) {
                    EXPECT_NE(ChipValues(image).difference(ChipValues(*other)), "");
                    ++tried;
                }
            }
        });
    EXPECT_EQ(tried, 64u * NumPorts * 3);
}

}  // namespace
}  // namespace rdt::tb
