// SPDX-License-Identifier: MIT
// Four chips that share their words do what four chips do alone, on every pin and in every
// buffer, whatever comes in: packets of all kinds, time-outs, shoot-downs, and pins that lie.
#include <rdt/fast/chips.h>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "common/packet.h"
#include "common/run_options.h"
#include "common/setup.h"
#include <rdt/fast/router.h>
#include <rdt/machine/endpoint.h>

namespace rdt::tb {

using fast::Ports;
using machine::Endpoint;

constexpr uint32_t Together = 4;
constexpr uint64_t Life = 5000;  // cycles from reset to reset

// One chip with endpoints at all ports, and what its pins show it in the coming clock.
class Lonely {
public:
    Lonely(uint64_t seed, uint32_t noise) : m_random(seed), m_noise(noise) {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            m_ends.push_back(std::make_unique<Endpoint>(p));
            Endpoint& end = *m_ends.back();
            end.hold = [this] { return pick(20); };
            end.on_receive = [this, &end](const Endpoint::Received& r) {
                const uint32_t tag = r.flits[0] >> 7 & 7;
                if (is_multicast(uint32_t(r.flits[0])) && tag != 0 && pick(10) != 0)
                    end.send_ack(tag, pick(64), uint32_t(get(r.flits[2], H2Gen)));
                ++m_received;
            };
        }
    }

    // A life ends with a shoot-down at the latest.
    void begin() {
        m_chip.reset();
        for (auto& end : m_ends) end->reset();
        m_ends[PortM0]->send_first(setup_write({{RegRank, pick(3)},
                                                {RegXfer, pick(16)},
                                                {RegDateline, pick(256)},
                                                {RegLink, 0xFF},
                                                {RegTimeout, 100 + pick(400)}}));
        m_ends[PortM0]->send_first(
            setup_write({{RegTEnt, 20 + pick(100)}, {RegTAck, 50 + pick(300)}, {RegRanks, 0xF}}));
    }

    const fast::Router& chip() const { return m_chip; }
    const core::PinsIn& pins() const { return m_pins; }
    uint64_t received() const { return m_received; }

    // The pins before any router is clocked.
    void look(uint64_t now) {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            Endpoint& end = *m_ends[p];
            const core::LinkPinsOut far = end.pins();
            m_pins.link[p] = {far.oe ? far.d : 0, far.req, far.cred};
            if (end.queued() < 3 && pick(30) == 0) end.send(pick(vcs_of(p)), packet());
            end.clock(m_chip.pins(p), now);
        }
        m_pins.shoot = m_noise != 0 && pick(5000) == 0;
        m_pins.slice = m_chip.slice();
        if (m_noise == 0 || pick(m_noise) != 0) return;
        core::LinkPinsIn& link = m_pins.link[pick(NumPorts)];
        switch (pick(3)) {
        case 0: link.d ^= 1u << pick(FlitW); break;
        case 1: link.req ^= 1 + pick(3); break;
        default: link.cred ^= 1 + pick(3); break;
        }
    }
    void clock() { m_chip.clock(m_pins); }

private:
    uint32_t pick(uint32_t n) { return uint32_t(m_random() % n); }

    Flits packet() {
        Flits flits = encode(leaving_by(Port(pick(4) == 0 ? PortM0 + pick(2) : pick(4))));
        if (pick(4) != 0) return flits;
        const uint32_t len = 2 + pick(14);
        uint32_t h0 = with(pick(64), H0Type, int(TypeMcSm) + int(pick(3)));
        h0 = with(with(h0, H0Len, int(len)), H0Tag, int(pick(8)));
        flits = {make_head(h0)};
        while (flits.size() <= len) flits.push_back(make_flit(pick(1u << 17)));
        return flits;
    }

    std::mt19937_64 m_random;
    uint32_t m_noise;
    fast::Router m_chip;
    core::PinsIn m_pins;
    std::vector<std::unique_ptr<Endpoint>> m_ends;
    uint64_t m_received = 0;
};

// Inputs of four routers, in words.
struct Words {
    fast::TwoBits req;
    fast::TwoBits cred;
    Ports shoot = 0;
    Ports slice = 0;
    std::array<flit_t, Together * fast::PortBits> d_in{};
    flit_t d(uint32_t p) const { return d_in[p]; }
    void driven(uint32_t, flit_t) const {}

    void show(uint32_t chip, const core::PinsIn& pins) {
        for (uint32_t port = 0; port < NumPorts; ++port) {
            const uint32_t p = chip * fast::PortBits + port;
            d_in[p] = pins.link[port].d;
            req.set(p, pins.link[port].req);
            cred.set(p, pins.link[port].cred);
        }
        fast::set_bit(shoot, chip * fast::PortBits, pins.shoot);
        fast::set_bit(slice, chip * fast::PortBits, pins.slice);
    }
};

std::string difference(const fast::Chips<Together>& word, uint32_t chip,
                       const fast::Router& alone) {
    if (word.err(chip) != alone.err()) return "err";
    if (word.slice(chip) != alone.slice()) return "slice";
    for (uint32_t port = 0; port < NumPorts; ++port) {
        const uint32_t p = chip * fast::PortBits + port;
        const core::LinkPinsOut a = word.pins(p);
        const core::LinkPinsOut b = alone.pins(port);
        if (a.d != b.d || a.oe != b.oe || a.req != b.req || a.cred != b.cred)
            return fmt::format("pins of {}", to_string(Port(port)));
        const auto line = word.link(p);
        const auto line_alone = alone.link(port);
        if (line.st != line_alone.st || line.mine != line_alone.mine ||
            line.rx_valid != line_alone.rx_valid || line.pend != line_alone.pend)
            return fmt::format("line of {}", to_string(Port(port)));
        const auto& q = word.input(p).q();
        const auto& q_alone = alone.input(port).q();
        if (q.want != q_alone.want || q.sel != q_alone.sel || q.wr_idx != q_alone.wr_idx ||
            q.rd_busy != q_alone.rd_busy || q.rd_idx != q_alone.rd_idx ||
            q.ack_v != q_alone.ack_v || q.ewait != q_alone.ewait)
            return fmt::format("input of {}", to_string(Port(port)));
        for (uint32_t v = 0; v < fast::InputUnit::MaxVc; ++v)
            if (q.slot[v].pkt != q_alone.slot[v].pkt || q.slot[v].pend != q_alone.slot[v].pend ||
                q.slot[v].age != q_alone.slot[v].age || q.slot[v].ent != q_alone.slot[v].ent)
                return fmt::format("buffer {} of {}", v, to_string(Port(port)));
    }
    if (word.local(chip).q().st != alone.local().q().st) return "LOCAL";
    if (word.local(chip).config().status != alone.local().config().status) return "status";
    return {};
}

void run(const std::string& name, uint32_t noise) {
    const uint64_t seed = seed_or(1);
    const uint64_t cycles = cycles_or(100000);
    std::vector<std::unique_ptr<Lonely>> alone;
    for (uint32_t c = 0; c < Together; ++c)
        alone.push_back(std::make_unique<Lonely>(seed * Together + c, noise));
    fast::Chips<Together> word;
    Words pins;
    for (uint64_t now = 0; now < cycles; ++now) {
        if (now % Life == 0) {
            for (auto& one : alone) one->begin();
            word.reset();
        }
        for (uint32_t c = 0; c < Together; ++c) {
            alone[c]->look(now);
            pins.show(c, alone[c]->pins());
            alone[c]->clock();
        }
        word.clock(pins);
        for (uint32_t c = 0; c < Together; ++c)
            ASSERT_EQ(difference(word, c, alone[c]->chip()), "")
                << "chip " << c << " after cycle " << now
                << "\nrerun: " << rerun_line("chip_chips", "chips." + name, seed, cycles);
    }
    for (const auto& one : alone) EXPECT_GT(one->received(), cycles / 100);
}

TEST(chips, four_in_a_word_do_what_each_does_alone) {
    run("four_in_a_word_do_what_each_does_alone", 0);
}

TEST(chips, four_in_a_word_match_single_routers_on_faulty_links) {
    run("four_in_a_word_match_single_routers_on_faulty_links", 500);
}

}  // namespace rdt::tb
