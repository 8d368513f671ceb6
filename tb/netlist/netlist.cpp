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
#include "common/setup.h"
#include "machine/endpoint.h"
#include "netlist/gates.h"

namespace rdt::tb {
namespace {

using machine::Endpoint;

constexpr unsigned Copies = 64;
constexpr unsigned Sound = 8;  // the copies without a planted mistake come first
constexpr Lanes SoundLanes = (Lanes(1) << Sound) - 1;

struct Inputs {
    std::array<core::LinkPinsIn, NumPorts> link{};
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

    core::LinkPinsOut pins(uint32_t p) const {
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
        // Not all: a mistake in a redundant gate changes nothing.
        if (4 * planted_seen() < 3 * (Copies - Sound)) text += " planted-mistakes-seen";
        return text;
    }

    void report() const {
        uint64_t packets = 0;
        for (uint64_t n : m_delivered) packets += n;
        std::printf("clocks %" PRIu64 "\npackets %" PRIu64 "\nerror_reports %" PRIu64
                    "\ntimeout_reports %" PRIu64 "\nregister_answers %" PRIu64 "\n",
                    m_clock, packets, m_errors, m_timeouts, m_answers);
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
            Endpoint& end = m_ends[p].emplace(p);
            end.hold = [this, p] { return m_hold[p] == 0 ? 0 : m_random.below(m_hold[p]); };
            end.may_start = [this, p] { return m_random.chance(m_eager[p]); };
            end.on_receive = [this, p](const Endpoint::Received& r) { received(p, r.flits); };
        }
        m_eager.fill(100);
        m_hold.fill(0);
        m_load.fill(0);
        m_in = {};
        m_gates.heal(m_differ);  // what follows is faster the more copies agree
        for (int n = 0; n < 3; ++n) clock();
        m_in.rst_n = true;
    }

    void received(uint32_t port, const Flits& flits) {
        ++m_delivered[port];
        const uint32_t type = flits[0] >> 14 & 7;
        if (type == TypeErr) ++((flits[0] & 15) == ErrTimeout ? m_timeouts : m_errors);
        if (type == TypeSetup && port >= PortM0 && flits.size() == 5) ++m_answers;
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
            const core::LinkPinsOut out = m_rtl.pins(p);
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
            const core::LinkPinsOut chip = m_rtl.pins(p);
            const core::LinkPinsOut end = m_ends[p]->pins();
            m_in.link[p] = {chip.oe ? chip.d : end.oe ? end.d : 0, end.req, end.cred};
            m_ends[p]->clock(chip, m_clock);
        }
        m_in.slice = m_rtl.slice() != m_random.chance(m_slips ? 5 : 0);
        clock();
    }
    void steps(uint64_t n) {
        while (n-- > 0 && equal()) step();
    }

    void configure() {
        m_ends[PortM0]->send(0, setup_write({{RegRank, m_random.below(5)},
                                             {RegXfer, m_random.bits(4)},
                                             {RegDateline, m_random.bits(8)},
                                             {RegLink, 0xFF},
                                             {RegTimeout, m_random.pick({0, 20, 100})},
                                             {RegCtrl, m_random.bits(1)}}));
        m_ends[PortM0]->send(0, setup_write({{RegX, m_random.bits(8)}, {RegY, m_random.bits(8)}}));
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
            if (n % 1500 == 0) configure();
            if (n % 300 == 0) change_mood();
            if (m_random.below(1000) == 0) m_in.shoot = !m_in.shoot;
            for (uint32_t p = 0; p < NumPorts; ++p) {
                if (m_ends[p]->queued() >= 6 || !m_random.chance(m_load[p])) continue;
                m_ends[p]->send(m_random.below(vcs_of(p)), random_packet());
            }
            step();
        }
    }

    void change_mood() {
        m_slips = m_random.chance(30);
        m_bad = m_random.chance(50) ? 0 : m_random.below(30);
        m_in.shoot = false;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            m_eager[p] = m_random.chance(50) ? 100 : m_random.between(1, 100);
            m_hold[p] = m_random.chance(50) ? 0 : m_random.pick({10, 60, 400});
            m_load[p] = m_random.chance(30) ? 100 : m_random.below(100);
        }
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
            const uint32_t address = m_random.below(RegBodyCnt + 3);
            if (m_random.chance(60)) return setup_read(address, p);
            const bool stops_traffic = address >= RegRank && address <= RegLink;
            return setup_write({{stops_traffic ? uint32_t(RegX) : address, m_random.bits(17)}}, p);
        }
        if (m_random.chance(m_bad)) p.type = m_random.bits(3);
        p.body.resize(m_random.below(14));
        for (uint32_t& payload : p.body) payload = m_random.bits(17);
        Flits flits = encode(p);
        if (m_random.chance(m_bad))
            flits[m_random.below(uint32_t(flits.size()))] ^= 1u << m_random.below(18);
        if (m_random.chance(m_bad)) flits.resize(m_random.between(3, 20), with_parity(0));
        return flits;
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
    std::array<std::optional<Endpoint>, NumPorts> m_ends;
    std::array<uint32_t, NumPorts> m_eager{}, m_hold{}, m_load{};  // percent, clocks, percent
    uint32_t m_bad = 0;    // percent of packets with something wrong
    bool m_slips = false;  // the other slice disagrees now and then
    uint64_t m_clock = 0;
    std::array<uint64_t, NumPorts> m_delivered{};
    uint64_t m_errors = 0, m_timeouts = 0, m_answers = 0;
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
