// SPDX-License-Identifier: MIT
// The synthesized netlist of the router beside its RTL, with equal inputs; every output pin is
// compared in every cycle.
//
//     netlist FILE [CYCLES [SEED [MOST [GATE...]]]]
//
// Sixty-four copies of the netlist run at once. Four are unchanged, with random initial flip-flops;
// in each of the others one gate is replaced, except the given harmless GATEs. The run continues up
// to MOST cycles until all are detected. Prints `name value` lines, and on stderr the injected
// bugs; rtl/flow/synth/simulate.py checks the undetected ones. Exit code 1 on a difference or a run
// without activity.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "netlist/counts.h"
#include "netlist/packets.h"
#include "netlist/peer.h"
#include "netlist/injected_gates.h"
#include "netlist/rtl_chip.h"

namespace rdt::tb {
namespace {

constexpr Lanes SoundLanes = InjectedGates::SoundLanes;

class Comparison {
public:
    Comparison(const std::string& file, uint64_t seed, const std::vector<size_t>& harmless)
        : m_random(seed), m_rtl(seed), m_gates(file), m_injected_gates(m_gates, seed, harmless) {
        m_gates.scramble(m_random);
        m_gates.copy_first(~SoundLanes);  // so that these differ by their mistakes alone
        restart();
    }

    // False after the first difference.
    bool run(uint64_t cycles, uint64_t most) {
        fill_buffers();
        const auto goes_on = [&] {
            const uint64_t busy = m_clock - m_waited;
            return busy < cycles || (busy < most && !InjectedGates::all_seen(m_differ));
        };
        for (uint32_t n = 0; equal() && goes_on(); ++n) {
            m_packets.multicasts = n % 3 == 2 ? 80 : 35;
            traffic(6000);
            noise(500);
            restart();
            if (n % 3 != 2) continue;
            patience(9 + n / 3 * 3 % 7);
            restart();
        }
        return equal();
    }

    // Names of required events that did not happen.
    std::string missing() const { return m_counts.missing(); }

    void report() const {
        std::printf("cycles %" PRIu64 "\n", m_clock);
        m_counts.print();
        std::printf("gates %zu\nflipflops %zu\ninjected %u\ninjected_seen %u\n", m_gates.gates(),
                    m_gates.flops(), InjectedGates::Number, InjectedGates::seen(m_differ));
        m_injected_gates.tell(m_differ);
    }

private:
    bool equal() const { return (m_differ & SoundLanes) == 0; }

    void restart() {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            if (m_ends[p]) m_counts.syncs += m_ends[p]->syncs();
            Peer& end = m_ends[p].emplace(p);
            end.hold = [this, p] { return m_hold[p] == 0 ? 0 : m_random.below(m_hold[p]); };
            end.may_start = [this, p] { return m_random.chance(m_eager[p]); };
            end.on_receive = [this, p](const Flits& flits) { received(p, flits); };
        }
        m_eager.fill(100);
        m_hold.fill(0);
        m_load.fill(0);
        m_burst.fill(0);
        m_in = {};
        m_calm = m_silent = m_flips = m_spoilt = 0;
        m_halted = m_follows = m_puts_back = false;
        m_answers = 97;
        m_kept.clear();
        m_gates.heal(m_differ);  // the following code is faster the more copies agree
        for (int n = 0; n < 3; ++n) clock();
        m_in.rst_n = true;
    }

    void received(uint32_t port, const Flits& flits) {
        ++m_counts.delivered[port];
        const uint32_t type = flits[0] >> 14 & 7;
        if (port == PortM0) m_silent = 0;
        if (type == TypeAck) {
            ++m_counts.acks;
        } else if (m_follows && port == PortM0 &&
                   type != TypeShot) {  // the packet of the slot reported before
            m_follows = false;
            m_kept.back().second = flits;
            ++m_counts.dumped;
        } else if (type == TypeShot && port == PortM0) {
            shot_down(flits);
        } else if (type >= TypeMcSm && type <= TypeMcLarp) {
            ++m_counts.copies;
            const uint32_t tag = flits[0] >> 7 & 7;
            const auto generation = uint32_t(flits[2] & 15) ^ uint32_t(m_random.chance(5));
            if (tag != 0 && m_random.chance(m_answers))
                m_ends[port]->send_ack(ack(tag, m_random.bits(6), port >= PortM0 ? generation : 2));
        } else if (type == TypeErr) {
            ++m_counts.reports[flits[0] & 15];
        } else if (type == TypeSetup && port >= PortM0 && flits.size() == 5) {
            ++m_counts.answers;
        }
    }

    // Behavior of MBP 0: it stores the dumped state and restores all of it, its own slot last.
    void shot_down(const Flits& flits) {
        if (!m_halted) m_ends[PortM0]->forget();
        m_halted = true;
        const uint32_t what = flits[0] & 3;
        if (what == WhatSlot) {
            m_follows = true;
            m_kept.push_back({flits, {}});
        } else if (what == WhatEntry) {
            ++m_counts.entries;
        } else if (what == WhatEnd) {
            bool runs = false;
            for (const bool own : {false, true})
                for (auto& [context, packet] : m_kept) {
                    if (((context[1] >> 13 & 15) == PortM0) != own || packet.empty()) continue;
                    if (own) context[0] ^= 4u | 1u << 17;
                    runs = own;
                    if (m_random.chance(10)) context = m_packets.turned(context);
                    else if (m_random.chance(50)) m_packets.replace(context, packet);
                    m_ends[PortM0]->send(0, context);
                    m_ends[PortM0]->send(0, packet);
                }
            if (!runs) m_ends[PortM0]->send(0, shot(WhatRun));
            m_kept.clear();
            m_halted = false;
            m_puts_back = true;
            m_calm = 0;
            ++m_counts.restarts;
        }
    }

    void clock() {
        if (!equal()) return;
        m_rtl.drive(m_in);
        for (uint32_t p = 0; p < NumPorts; ++p) {
            drive("d_i", 18, p, m_in.link[p].d);
            drive("req_i", 2, p, m_in.link[p].req);
            drive("cred_i", 2, p, m_in.link[p].cred);
        }
        drive("shoot_i", 1, 0, m_in.shoot);
        drive("slice_i", 1, 0, m_in.slice);
        drive("rst_ni", 1, 0, m_in.rst_n);
        if (!m_in.rst_n) {  // off without an edge
            m_gates.settle();
            for (uint32_t p = 0; p < NumPorts; ++p) compare("d_oe_o", 1, p, m_rtl.pins(p).oe);
        }
        m_rtl.clock();
        m_gates.clock();
        ++m_clock;
        m_gates.note_others(~m_differ);
        if (!m_in.rst_n) return;  // nothing else is known before the first edge
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const PinsOut out = m_rtl.pins(p);
            compare("d_o", 18, p, out.d);
            compare("d_oe_o", 1, p, out.oe);
            compare("req_o", 2, p, out.req);
            compare("cred_o", 2, p, out.cred);
        }
        compare("err_o", 1, 0, m_rtl.err());
        compare("slice_o", 1, 0, m_rtl.slice());
    }

    void drive(const char* pins, uint32_t width, uint32_t port, uint32_t value) {
        const std::vector<uint32_t>& nets = m_gates.nets_of(pins);
        for (uint32_t b = 0; b < width; ++b)
            m_gates.drive(nets[width * port + b], (value >> b & 1) != 0);
    }

    void compare(const char* pins, uint32_t width, uint32_t port, uint32_t rtl) {
        const bool was_equal = equal();
        const std::vector<uint32_t>& nets = m_gates.nets_of(pins);
        for (uint32_t b = 0; b < width; ++b)
            m_differ |=
                m_gates.value(nets[width * port + b]) ^ ((rtl >> b & 1) != 0 ? ~Lanes(0) : 0);
        if (was_equal && !equal())
            std::printf("difference cycle %" PRIu64 ", %s of %s: the RTL has %x\n", m_clock, pins,
                        to_string(Port(port)), rtl);
    }

    // One cycle with the endpoints at the pins.
    void step() {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            PinsOut chip = m_rtl.pins(p);
            const PinsOut end = m_ends[p]->pins();
            const uint32_t wins = chip.oe && end.oe ? m_random.bits(18) : 0x3FFFF;
            const uint32_t line = chip.oe ? (chip.d & wins) | (end.d & ~wins) : end.oe ? end.d : 0;
            m_in.link[p] = {line, end.req, end.cred};
            if (m_random.below(10000) < flips_of(p))
                m_burst[p] = m_random.chance(70) ? 1 : m_random.between(2, 8);
            if (m_burst[p] > 0) {
                --m_burst[p];
                flip(m_random, m_in.link[p], chip);
                ++m_counts.flipped;
            }
            if (end.cred != 0 && p != PortM0 && m_random.chance(m_spoilt))
                m_in.link[p].cred ^= m_random.pick({1, 2});
            m_ends[p]->clock(chip, m_in.link[p].d);
        }
        m_in.slice = m_rtl.slice() != m_random.chance(m_slips ? 5 : 0);
        clock();
    }
    // A credit that MBP 0 loses stops the chip's reports for long, and a packet that it
    // loses while it puts things back stops everything: there is less else to be seen then.
    uint32_t flips_of(uint32_t port) const {
        if (port != PortM0) return m_flips;
        return m_halted || m_puts_back ? m_flips / 50 : m_flips / 10;
    }

    void steps(uint64_t n) {
        while (n-- > 0 && equal()) step();
    }

    void configure(bool compare = false) {
        const auto write = [this](const RegisterValues& values) {
            m_ends[PortM0]->send(0, setup_write(values));
        };
        write({{RegRank, m_random.below(5)},
               {RegXfer, m_random.bits(4)},
               {RegDateline, m_random.bits(8)},
               {RegLink, 0xFF},
               {RegTimeout, m_random.pick({0, 20, 100})},
               {RegRanks, m_random.chance(70) ? 15 : m_random.bits(4)}});
        write(
            {{RegX, m_random.bits(8)},
             {RegMask, m_random.bits(8) & m_random.bits(8)},
             {RegTEnt, m_random.pick({20, 60})},
             {RegTAck, m_random.pick({40, 150})},
             {RegCtrl, uint32_t(compare) | uint32_t(m_random.chance(10)) << 1 |
                           uint32_t(m_random.chance(20)) << 3 | uint32_t(m_random.chance(50)) << 4},
             {RegStatus, 0x1FFF}});
    }

    // A longest packet into every buffer, so that no word of a RAM is unknown later on.
    void fill_buffers() {
        configure();
        steps(200);
        for (uint32_t p = 0; p < NumPorts; ++p)
            for (uint32_t vc = 0; vc < vcs_of(p); ++vc) {
                PacketSpec packet;
                packet.body.resize(13, m_random.bits(17));
                m_ends[p]->send(vc, encode(packet));
            }
        steps(2000);
    }

    void traffic(uint64_t clocks) {
        for (uint64_t n = 0; n < clocks && equal(); ++n) {
            // The slices are compared in the end only: a difference stops the chip.
            if (n % 1500 == 0 && !m_halted) configure(n >= 4500);
            if (n % 300 == 0) change_mood(n >= 4500);
            // Shot down once in a while. MBP 0 stops sending before: it has one buffer at the
            // router, and a packet in it stays there.
            if (n % 1500 == 700) m_calm = 100;
            if (m_ends[PortM0]->queued() == 0) m_puts_back = false;
            m_in.shoot = m_calm == 1;
            if (m_calm > 1) --m_calm;
            if (m_halted && ++m_silent == 1500) go_on();
            for (uint32_t p = 0; p < NumPorts; ++p) {
                if (p == PortM0 && (m_calm > 0 || m_halted)) continue;
                if (m_ends[p]->queued() >= 6 || !m_random.chance(m_load[p])) continue;
                m_ends[p]->send(m_random.below(vcs_of(p)), m_packets.any(m_bad));
            }
            if (m_random.chance(m_bad) && m_random.chance(3))  // no entry waits for it
                m_ends[m_random.below(NumPorts)]->send_ack(
                    ack(m_random.bits(3), m_random.bits(6), m_random.bits(4)));
            if (n % 32 == 0 && m_ends[PortM1]->queued() < 9)
                m_ends[PortM1]->send(0, m_packets.question());
            step();
        }
    }

    // The rest of a dump is lost: a pin of MBP 0 was disturbed.
    void go_on() {
        m_ends[PortM0]->send(0, shot(WhatRun));
        m_kept.clear();
        m_halted = m_follows = false;
        m_calm = m_silent = 0;
    }

    void change_mood(bool compare) {
        m_slips = compare && m_random.chance(30);
        if (compare)  // whichever of the two gets through to the chip that has stopped
            for (const uint32_t p : {PortM0, PortM1})
                m_ends[p]->send(0, setup_write({{RegStatus, 0x1FFF}}));
        m_bad = m_random.chance(50) ? 0 : m_random.chance(20) ? 60 : m_random.below(30);
        m_spoilt = m_random.chance(25) ? 3 : 0;
        m_flips = m_spoilt > 0 || m_random.chance(50) ? 0 : m_random.pick({1, 10, 50});
        for (uint32_t p = 0; p < NumPorts; ++p) {
            m_eager[p] = m_random.chance(50) ? 100 : m_random.between(1, 100);
            m_hold[p] = m_random.chance(50) ? 0 : m_random.pick({10, 60, 400});
            m_load[p] = m_random.chance(30) ? 100 : m_random.below(100);
            // Some links stay off for long, so that other blocks see it.
            m_ends[p]->on = m_ends[p]->on ? !m_random.chance(p == PortM0 ? 1 : 5)
                                          : m_random.chance(p == PortM0 ? 70 : 30);
        }
        m_hold[PortM0] = 0;  // otherwise most of the time would go into dumps
    }

    // Periods of many cycles, too long for the traffic above: no end answers or returns a credit,
    // and the router waits until it reports this. Little else happens, so cycles are cheap.
    void patience(uint32_t bits) {
        configure();
        const uint64_t from = m_clock;
        const auto period = [this, bits] { return 1u << bits | m_random.bits(bits - 2); };
        const uint32_t ent = period(), ack = period(), timeout = period();
        m_ends[PortM0]->send(0,
                             setup_write({{RegTEnt, ent}, {RegTAck, ack}, {RegTimeout, timeout}}));
        steps(400);
        m_answers = 0;
        for (uint32_t p = 0; p < NumPorts; ++p) m_hold[p] = p == PortM0 ? 0 : 8u << bits;
        for (int n = 0; n < 12; ++n)
            for (uint32_t p = 0; p < NumPorts; ++p)
                if (p != PortM0) m_ends[p]->send(m_random.below(vcs_of(p)), m_packets.any(0));
        steps(uint64_t(3) << bits);  // two periods of each
        m_waited += m_clock - from;
    }

    // Pins that follow no protocol at all.
    void noise(uint64_t clocks) {
        for (uint64_t n = 0; n < clocks && equal(); ++n) {
            for (auto& link : m_in.link) {
                if (m_random.chance(80)) link.d = m_random.bits(18);
                if (m_random.chance(40)) link.req = m_random.bits(2);
                if (m_random.chance(40)) link.cred = m_random.bits(2);
            }
            m_in.shoot = m_random.chance(10);
            m_in.slice = m_random.chance(50);
            clock();
        }
    }

    Dice m_random;
    Packets m_packets{m_random};
    RtlChip m_rtl;
    Gates m_gates;
    Lanes m_differ = 0;  // copies that have differed from the RTL
    InjectedGates m_injected_gates;
    Inputs m_in;
    std::array<std::optional<Peer>, NumPorts> m_ends;
    std::array<uint32_t, NumPorts> m_eager{}, m_hold{}, m_load{};  // percent, cycles, percent
    std::array<uint32_t, NumPorts> m_burst{};  // cycles with a flip still to come
    uint32_t m_bad = 0;                        // percent of packets with something wrong
    bool m_slips = false;                      // the other slice disagrees now and then
    uint64_t m_clock = 0;
    uint64_t m_waited = 0;  // cycles with little other traffic
    Counts m_counts;
    uint32_t m_answers = 0;  // percent of copies that are answered
    uint32_t m_flips = 0;    // of a link, in 10,000 cycles
    uint32_t m_spoilt = 0;   // percent of cycles with a credit for the chip
    uint32_t m_silent = 0;   // cycles of a dump without a word of it
    uint32_t m_calm = 0;     // MBP 0 is silent; 1: now the chip is shot down
    bool m_halted = false;   // MBP 0 knows of a shoot-down
    bool m_follows = false;
    bool m_puts_back = false;
    std::vector<std::pair<Flits, Flits>> m_kept;  // context and packet
};

}  // namespace
}  // namespace rdt::tb

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: netlist FILE [CYCLES [SEED [MOST [GATE...]]]]\n");
        return 2;
    }
    const auto number = [=](int n, uint64_t otherwise) {
        return argc > n ? std::strtoull(argv[n], nullptr, 0) : otherwise;
    };
    const uint64_t cycles = number(2, 120000), seed = number(3, 1), most = number(4, cycles);
    std::vector<size_t> harmless;
    for (int n = 5; n < argc; ++n) harmless.push_back(number(n, 0));
    rdt::tb::Comparison comparison(argv[1], seed, harmless);
    const bool equal = comparison.run(cycles, most);
    comparison.report();
    if (!equal) return 1;
    const std::string missing = comparison.missing();
    if (missing.empty()) return 0;
    std::printf("difference none, but this did not happen:%s\n", missing.c_str());
    return 1;
}
