// SPDX-License-Identifier: MIT
// The synthesized netlist of the chip beside the RTL it was made from: the same
// inputs go to both, every output pin is compared in every clock.
//
//     netlist FILE [CLOCKS [SEED]]
//
// Sixty-four copies of the netlist run at once. Eight are as synthesized and have
// to be equal to the RTL; their flip-flops start with random values, so what is
// used before it is written shows as a difference too. In each of the others one
// gate has been replaced, to show that the comparison would see it.
// Built and run by scripts/synth.py. Prints `name value` lines; exit code 1 on the
// first difference, or if too little happened.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

#include "Vrtl.h"
#include "common/mc_packet.h"
#include "common/setup.h"
#include "core/flit.h"
#include "netlist/gates.h"
#include "netlist/peer.h"

namespace rdt::tb {
namespace {

constexpr unsigned Copies = 64;
constexpr unsigned Sound = 8;  // the copies without a planted mistake come first
constexpr Lanes SoundLanes = (Lanes(1) << Sound) - 1;

// H0 has even parity, whatever the packet was made with.
Flits as_sent(Flits flits) {
    flits[0] = (flits[0] & 0x1FFFF) | uint32_t(is_odd(flits[0] & 0x1FFFF)) << 17;
    return flits;
}

Flits shot(uint32_t what, uint32_t run = 0) {
    return as_sent({uint32_t(TypeShot) << 14 | 2 << 10 | run << 2 | what, 1u << 17, 1u << 17});
}

struct Inputs {
    std::array<PinsIn, NumPorts> link{};
    bool rst_n = false;
    bool shoot = false;
    bool slice = false;
};

class RtlChip {
public:
    explicit RtlChip(uint64_t seed) {
        m_context.randReset(2);
        m_context.randSeed(int(seed % 0x7FFFFFFF) + 1);
        m_model = std::make_unique<Vrtl>(&m_context, "chip");
        m_model->eval();  // with the clock low, so that the first edge is one
    }
    ~RtlChip() { m_model->final(); }

    void clock(const Inputs& in) {
        m_model->req_i = m_model->cred_i = 0;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            for (uint32_t b = 18 * p; b < 18 * p + 18; ++b) {
                m_model->d_i[b / 32] &= ~(1u << b % 32);
                m_model->d_i[b / 32] |= (in.link[p].d >> (b - 18 * p) & 1) << b % 32;
            }
            m_model->req_i |= in.link[p].req << 2 * p;
            m_model->cred_i |= in.link[p].cred << 2 * p;
        }
        m_model->shoot_i = in.shoot;
        m_model->slice_i = in.slice;
        m_model->rst_ni = in.rst_n;
        m_model->clk_i = 1;
        m_model->eval();
        m_model->clk_i = 0;
        m_model->eval();
    }

    PinsOut pins(uint32_t p) const {
        uint32_t d = 0;
        for (uint32_t b = 18 * p; b < 18 * p + 18; ++b)
            d |= (m_model->d_o[b / 32] >> b % 32 & 1) << (b - 18 * p);
        return {d, (m_model->d_oe_o >> p & 1) != 0, m_model->req_o >> 2 * p & 3,
                m_model->cred_o >> 2 * p & 3};
    }
    bool err() const { return m_model->err_o; }
    bool slice() const { return m_model->slice_o; }

private:
    VerilatedContext m_context;
    std::unique_ptr<Vrtl> m_model;
};

class Comparison {
public:
    Comparison(const std::string& file, uint64_t seed)
        : m_random(seed), m_rtl(seed), m_gates(file) {
        m_gates.scramble(m_random);
        for (unsigned copy = Sound; copy < Copies; ++copy) {
            const size_t gate = m_random.below(uint32_t(m_gates.gates()));
            m_planted[copy] = m_gates.plant(gate, copy);
        }
        restart();
    }

    // False after the first difference.
    bool run(uint64_t cycles) {
        fill_buffers();
        while (equal() && m_clock < cycles) {
            traffic(6000);
            noise(500);
            restart();
        }
        return equal();
    }

    // Names of what has to have happened and did not.
    std::string missing() const {
        std::string text;
        for (uint32_t p = 0; p < NumPorts; ++p)
            if (m_delivered[p] == 0) text += std::string(" packets-at-") + to_string(Port(p));
        if (m_errors == 0) text += " error-reports";
        if (m_timeouts == 0) text += " time-out-reports";
        if (m_answers == 0) text += " register-answers";
        if (m_copies == 0) text += " multicast-copies";
        if (m_acks == 0) text += " acks";
        if (m_dumped == 0) text += " dumped-packets";
        if (m_entries == 0) text += " dumped-entries";
        if (m_restarts == 0) text += " restarts";
        // Not all: a mistake in a redundant gate changes nothing.
        if (4 * planted_seen() < 3 * (Copies - Sound)) text += " planted-mistakes-seen";
        return text;
    }

    void report() const {
        uint64_t packets = 0;
        for (uint64_t n : m_delivered) packets += n;
        std::printf("clocks %" PRIu64 "\npackets %" PRIu64 "\nerror_reports %" PRIu64
                    "\ntimeout_reports %" PRIu64 "\nregister_answers %" PRIu64
                    "\nmulticast_copies %" PRIu64 "\nacks %" PRIu64 "\ndumped_packets %" PRIu64
                    "\ndumped_entries %" PRIu64 "\nrestarts %" PRIu64 "\n",
                    m_clock, packets, m_errors, m_timeouts, m_answers, m_copies, m_acks, m_dumped,
                    m_entries, m_restarts);
        std::printf("gates %zu\nflipflops %zu\nplanted %u\nplanted_seen %u\n", m_gates.gates(),
                    m_gates.flops(), Copies - Sound, planted_seen());
        for (unsigned copy = Sound; copy < Copies; ++copy)
            if ((m_differ >> copy & 1) == 0)
                std::fprintf(stderr, "not seen: %s\n", m_planted[copy].c_str());
    }

private:
    bool equal() const { return (m_differ & SoundLanes) == 0; }
    unsigned planted_seen() const { return unsigned(__builtin_popcountll(m_differ & ~SoundLanes)); }

    void restart() {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            Peer& end = m_ends[p].emplace(p);
            end.hold = [this, p] { return m_hold[p] == 0 ? 0 : m_random.below(m_hold[p]); };
            end.may_start = [this, p] { return m_random.chance(m_eager[p]); };
            end.on_receive = [this, p](const Flits& flits) { received(p, flits); };
        }
        m_eager.fill(100);
        m_hold.fill(0);
        m_load.fill(0);
        m_in = {};
        m_calm = 0;
        m_halted = m_follows = false;
        m_kept.clear();
        m_gates.heal(m_differ);  // what follows is faster the more copies agree
        for (int n = 0; n < 3; ++n) clock();
        m_in.rst_n = true;
    }

    void received(uint32_t port, const Flits& flits) {
        ++m_delivered[port];
        const uint32_t type = flits[0] >> 14 & 7;
        if (type == TypeAck) {
            ++m_acks;
        } else if (m_follows && port == PortM0) {  // the packet of the slot told of before
            m_follows = false;
            m_kept.back().second = flits;
            ++m_dumped;
        } else if (type == TypeShot && port == PortM0) {
            shot_down(flits);
        } else if (type >= TypeMcSm && type <= TypeMcLarp) {
            ++m_copies;
            const uint32_t tag = flits[0] >> 7 & 7;
            if (tag != 0 && m_random.chance(97))
                m_ends[port]->send_ack(
                    as_sent({uint32_t(TypeAck) << 14 | 2 << 10 | tag << 7 | m_random.bits(6),
                             1u << 17, 1u << 17}));
        } else if (type == TypeErr) {
            ++((flits[0] & 15) == ErrTimeout ? m_timeouts : m_errors);
        } else if (type == TypeSetup && port >= PortM0 && flits.size() == 5) {
            ++m_answers;
        }
    }

    // What MBP 0 does: it keeps what it is handed and puts all of it back, its own slot last.
    void shot_down(const Flits& flits) {
        if (!m_halted) m_ends[PortM0]->forget();
        m_halted = true;
        const uint32_t what = flits[0] & 3;
        if (what == WhatSlot) {
            m_follows = true;
            m_kept.push_back({flits, {}});
        } else if (what == WhatEntry) {
            ++m_entries;
        } else if (what == WhatEnd) {
            bool runs = false;
            for (const bool own : {false, true})
                for (auto& [context, packet] : m_kept) {
                    if (((context[1] >> 13 & 15) == PortM0) != own || packet.empty()) continue;
                    if (own) context[0] |= 4;
                    runs = own;
                    m_ends[PortM0]->send(0, as_sent(context));
                    m_ends[PortM0]->send(0, packet);
                }
            if (!runs) m_ends[PortM0]->send(0, shot(WhatRun));
            m_kept.clear();
            m_halted = false;
            m_calm = 0;
            ++m_restarts;
        }
    }

    void clock() {
        if (!equal()) return;
        m_rtl.clock(m_in);
        for (uint32_t p = 0; p < NumPorts; ++p) {
            drive("d_i", 18, p, m_in.link[p].d);
            drive("req_i", 2, p, m_in.link[p].req);
            drive("cred_i", 2, p, m_in.link[p].cred);
        }
        drive("shoot_i", 1, 0, m_in.shoot);
        drive("slice_i", 1, 0, m_in.slice);
        drive("rst_ni", 1, 0, m_in.rst_n);
        m_gates.clock();
        ++m_clock;
        if (!m_in.rst_n) return;  // nothing is known before the first edge with reset
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
        for (uint32_t b = 0; b < width; ++b)
            m_gates.input(pins, width * port + b, (value >> b & 1) != 0);
    }

    void compare(const char* pins, uint32_t width, uint32_t port, uint32_t rtl) {
        const bool was_equal = equal();
        for (uint32_t b = 0; b < width; ++b)
            m_differ |=
                m_gates.output(pins, width * port + b) ^ ((rtl >> b & 1) != 0 ? ~Lanes(0) : 0);
        if (was_equal && !equal())
            std::printf("difference clock %" PRIu64 ", %s of %s: the RTL has %x\n", m_clock, pins,
                        to_string(Port(port)), rtl);
    }

    // One clock with the endpoints at the pins.
    void step() {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const PinsOut chip = m_rtl.pins(p);
            const PinsOut end = m_ends[p]->pins();
            m_in.link[p] = {chip.oe ? chip.d : end.oe ? end.d : 0, end.req, end.cred};
            m_ends[p]->clock(chip);
        }
        m_in.slice = m_rtl.slice() != m_random.chance(m_slips ? 5 : 0);
        clock();
    }
    void steps(uint64_t n) {
        while (n-- > 0 && equal()) step();
    }

    void configure(bool compare = false) {
        const auto write = [this](const RegisterValues& values) {
            m_ends[PortM0]->send(0, as_sent(setup_write(values)));
        };
        write({{RegRank, m_random.below(5)},
               {RegXfer, m_random.bits(4)},
               {RegDateline, m_random.bits(8)},
               {RegLink, 0xFF},
               {RegTimeout, m_random.pick({0, 20, 100})},
               {RegMask, m_random.bits(8) & m_random.bits(8)}});
        write({{RegX, m_random.bits(8)},
               {RegY, m_random.bits(8)},
               {RegTEnt, m_random.pick({20, 60})},
               {RegTAck, m_random.pick({40, 150})},
               {RegCtrl, uint32_t(compare) | uint32_t(m_random.chance(10)) << 1},
               {RegStatus, 0x3FF}});
    }

    // A longest packet into every buffer, so that no word of a RAM is unknown later on.
    void fill_buffers() {
        configure();
        steps(200);
        for (uint32_t p = 0; p < NumPorts; ++p)
            for (uint32_t vc = 0; vc < vcs_of(p); ++vc) {
                PacketSpec packet;
                packet.body.resize(13, m_random.bits(17));
                m_ends[p]->send(vc, as_sent(encode(packet)));
            }
        steps(2000);
    }

    void traffic(uint64_t clocks) {
        for (uint64_t n = 0; n < clocks && equal(); ++n) {
            // The slices are compared in the end only: a difference stops the chip.
            if (n % 1500 == 0 && !m_halted) configure(n >= 4500);
            if (n % 300 == 0) change_mood(n >= 4500);
            // Shot down once in a while. MBP 0 falls silent before: it has one buffer to talk to
            // the chip, and a packet in it stays there.
            if (n % 1500 == 700) m_calm = 100;
            m_in.shoot = m_calm == 1;
            if (m_calm > 1) --m_calm;
            for (uint32_t p = 0; p < NumPorts; ++p) {
                if (p == PortM0 && (m_calm > 0 || m_halted)) continue;
                if (m_ends[p]->queued() >= 6 || !m_random.chance(m_load[p])) continue;
                m_ends[p]->send(m_random.below(vcs_of(p)), random_packet());
            }
            step();
        }
    }

    void change_mood(bool compare) {
        m_slips = compare && m_random.chance(30);
        m_bad = m_random.chance(50) ? 0 : m_random.below(30);
        for (uint32_t p = 0; p < NumPorts; ++p) {
            m_eager[p] = m_random.chance(50) ? 100 : m_random.between(1, 100);
            m_hold[p] = m_random.chance(50) ? 0 : m_random.pick({10, 60, 400});
            m_load[p] = m_random.chance(30) ? 100 : m_random.below(100);
        }
        m_hold[PortM0] = 0;  // otherwise most of the time would go into dumps
    }

    Flits random_packet() {
        PacketSpec p;
        p.tag = m_random.bits(3);
        p.mbp = m_random.bits(1);
        p.hop = m_random.chance(m_bad) ? 0 : m_random.between(1, 63);
        const bool setup = m_random.chance(10);
        for (size_t rank = 0; rank < 5; ++rank)
            if (m_random.chance(setup ? 10 : 35))
                p.v[rank] = {int(m_random.bits(4)) - 8, int(m_random.bits(4)) - 8};
        if (setup) {
            const uint32_t address = m_random.below(RegShot + 3);
            if (m_random.chance(60)) return as_sent(setup_read(address, p));
            const bool stops_traffic = (address >= RegRank && address <= RegLink) ||
                                       address == RegCtrl || address >= RegTEnt;
            return as_sent(
                setup_write({{stops_traffic ? uint32_t(RegX) : address, m_random.bits(17)}}, p));
        }
        if (m_random.chance(12)) return random_multicast();
        if (m_random.chance(m_bad)) p.type = m_random.pick({TypeUni, TypeSetup, TypeErr});
        p.body.resize(m_random.below(14));
        for (uint32_t& payload : p.body) payload = m_random.bits(17);
        Flits flits = as_sent(encode(p));
        if (m_random.chance(m_bad))
            flits[m_random.below(uint32_t(flits.size()))] ^= 1u << m_random.below(18);
        if (m_random.chance(m_bad)) flits.resize(m_random.between(3, 20), with_parity(0));
        return flits;
    }

    Flits random_multicast() {
        McSpec p;
        p.type = m_random.between(TypeMcSm, TypeMcLarp);
        p.tag = m_random.bits(3);
        p.mbp = m_random.bits(1);
        for (uint32_t& map : p.map)
            if (m_random.chance(30)) map = m_random.bits(8) & m_random.bits(8);
        p.body.resize(m_random.below(14));
        for (uint32_t& payload : p.body) payload = m_random.bits(17);
        return as_sent(encode(p));
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

    Random m_random;
    RtlChip m_rtl;
    Gates m_gates;
    Lanes m_differ = 0;  // copies that have differed from the RTL
    std::array<std::string, Copies> m_planted;
    Inputs m_in;
    std::array<std::optional<Peer>, NumPorts> m_ends;
    std::array<uint32_t, NumPorts> m_eager{}, m_hold{}, m_load{};  // percent, clocks, percent
    uint32_t m_bad = 0;    // percent of packets with something wrong
    bool m_slips = false;  // the other slice disagrees now and then
    uint64_t m_clock = 0;
    std::array<uint64_t, NumPorts> m_delivered{};
    uint64_t m_errors = 0, m_timeouts = 0, m_answers = 0;
    uint64_t m_copies = 0, m_acks = 0, m_dumped = 0, m_entries = 0, m_restarts = 0;
    uint32_t m_calm = 0;    // MBP 0 is silent; 1: now the chip is shot down
    bool m_halted = false;  // MBP 0 knows of a shoot-down
    bool m_follows = false;
    std::vector<std::pair<Flits, Flits>> m_kept;  // context and packet
};

}  // namespace
}  // namespace rdt::tb

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: netlist FILE [CLOCKS [SEED]]\n");
        return 2;
    }
    const uint64_t cycles = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 60000;
    const uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 0) : 1;
    rdt::tb::Comparison comparison(argv[1], seed);
    const bool equal = comparison.run(cycles);
    comparison.report();
    if (!equal) return 1;
    const std::string missing = comparison.missing();
    if (missing.empty()) return 0;
    std::printf("difference none, but this did not happen:%s\n", missing.c_str());
    return 1;
}
