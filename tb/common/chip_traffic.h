// SPDX-License-Identifier: MIT
// One chip with endpoints at all ten ports under random load: unicasts, multicasts
// whose receivers answer, and SETUP reads; what has to come out, where, and in what
// shape is worked out by packet.h and mc_packet.h.
#pragma once

#include <algorithm>
#include <random>

#include "common/answer.h"
#include "common/mc_packet.h"
#include "common/scoreboard.h"
#include "common/setup.h"
#include "common/wired_chips.h"

namespace rdt::tb {

class ChipTraffic {
public:
    // Attaches the endpoints of a net of one chip.
    ChipTraffic(WiredChips& net, uint64_t seed) : m_random(seed), m_net(net) {
        for (uint32_t p = 0; p < NumPorts; ++p) attach(p);
        m_net.reset();
    }

    uint32_t load = 100;  // percent of the capacity of the ports
    // Packets for MBP 0 that are not part of the load.
    std::function<bool(const Flits&)> intercept;

    // A new place in the network; the chip must be drained.
    void configure() {
        m_place = {pick(5), pick(16), pick(256)};
        m_mask = chance(50) ? 0 : pick(256);
        m_net.endpoint(0, PortM0).send(0, setup_write({{RegRank, m_place.rank},
                                                       {RegXfer, m_place.xfer},
                                                       {RegDateline, m_place.dateline},
                                                       {RegMask, m_mask},
                                                       {RegRanks, 0xF},
                                                       {RegLink, 0xFF}}));
        m_eager.fill(100);
        m_net.drain(5000);
        change_mood();
    }

    // One cycle under load.
    void clock() {
        if (m_net.now() % 512 == 0) change_mood();
        offer();
        m_net.clock();
    }

    // Until all that was offered has arrived.
    void settle() {
        m_eager.fill(100);
        m_hold.fill(0);
        m_net.drain(20000);
    }

    // Up to that cycle, with other settings from time to time, and nothing in flight in the end.
    void run(uint64_t cycles) {
        constexpr uint64_t Epoch = 20000;
        while (m_net.now() < cycles && ok()) {
            configure();
            const uint64_t end = std::min<uint64_t>(m_net.now() + Epoch, cycles);
            while (m_net.now() < end && ok()) clock();
            settle();
        }
    }

    bool ok() const { return m_error.empty() && m_net.error().empty(); }
    // The error; empty if everything has arrived as it should.
    std::string verdict() const {
        if (!m_error.empty()) return m_error;
        if (!m_net.error().empty()) return m_net.error();
        if (!m_board.empty()) return m_board.missing();
        if (!m_acks.empty() || !m_open.empty()) return "acks are missing: " + m_acks.missing();
        return {};
    }

    uint64_t packets() const { return m_board.received(); }
    uint64_t multicasts() const { return m_multicasts; }
    uint64_t acks() const { return m_acks.received(); }

private:
    uint32_t pick(uint32_t n) { return uint32_t(m_random() % n); }
    bool chance(uint32_t percent) { return pick(100) < percent; }

    void attach(uint32_t port) {
        Endpoint& end = m_net.attach(0, port);
        end.hold = [this, port] { return m_hold[port] == 0 ? 0 : pick(m_hold[port]); };
        end.may_start = [this, port] { return chance(m_eager[port]); };
        end.on_receive = [this, port](const Endpoint::Received& r) {
            if (port == PortM0 && intercept && intercept(r.flits)) return;
            const uint32_t type = r.flits[0] >> 14 & 7;
            const bool multicast = type >= TypeMcSm && type <= TypeMcLarp;
            if (auto wrong =
                    m_board.receive(port, r.vc, multicast ? without_tag(r.flits, port) : r.flits))
                fail(*wrong);
            if (multicast) answer(port, r.flits);
        };
        end.on_ack = [this, port](const core::AckNote& ack) {
            if (auto wrong = m_acks.receive(port, 0, {ack.tag, ack.status})) fail(*wrong);
        };
    }

    void fail(const std::string& what) {
        if (m_error.empty()) m_error = what + " at cycle " + std::to_string(m_net.now());
    }

    // The chip's own tag, and at an MBP the generation that comes with it, are none of the
    // sender's.
    static Flits without_tag(Flits flits, uint32_t port) {
        const uint32_t generation = port >= PortM0 && asks_for_ack(flits) ? flits[2] & 15 : 0;
        if (is_good(flits[0], 0)) flits[0] = as_head(flits[0] & 0x1FFFF & ~(7u << 7));
        if (is_good(flits[2], 2)) flits[2] = with_parity((flits[2] & 0x1FFFF) ^ generation);
        return flits;
    }

    // A receiver of a copy answers with a status of its own; when the last one has, the sender of
    // the multicast is to get all of them in one ack.
    void answer(uint32_t port, const Flits& flits) {
        if (!asks_for_ack(flits)) return;
        const auto it = m_open.find(flits[3] & 0x1FFFF);
        if (it == m_open.end()) return fail("copy of an unknown multicast");
        const uint32_t status = chance(70) ? 0 : pick(64);
        answer_copy(m_net.endpoint(0, port), port, flits, status);
        it->second.status |= status;
        if (--it->second.copies != 0) return;
        m_acks.expect(it->second.port, 0, {it->second.tag, it->second.status});
        m_open.erase(it);
    }

    // How willing each port is to send, and how slow to take.
    void change_mood() {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            m_eager[p] = chance(50) ? 100 : 1 + pick(100);
            m_hold[p] = chance(50) ? 0 : 1 + pick(60);
            m_load[p] = chance(30) ? 100 : pick(100);
        }
    }

    void offer() {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            Endpoint& end = m_net.endpoint(0, p);
            if (end.queued() >= 6 || !chance(m_load[p]) || !chance(load)) continue;
            const uint32_t vc = pick(vcs_of(p));
            if (chance(25)) {
                offer_multicast(p, vc);
                continue;
            }
            if (chance(5)) {
                offer_setup(p, vc);
                continue;
            }
            const PacketSpec packet = random_packet();
            const Expected out = expect(packet, p, vc, m_place);
            end.send(vc, encode(packet));
            m_board.expect(out.port, out.vc, encode(out.packet));
        }
    }

    // A register is read; the answer goes to the MBP that is named.
    void offer_setup(uint32_t port, uint32_t vc) {
        const std::array<std::pair<uint32_t, uint32_t>, 3> known{
            {{RegId, 0x5244}, {RegRank, m_place.rank}, {RegDateline, m_place.dateline}}};
        const auto [reg, value] = known[pick(3)];
        PacketSpec p;
        p.tag = pick(8);
        p.mbp = pick(2);
        m_net.endpoint(0, port).send(vc, setup_read(reg, p));
        m_board.expect(
            PortM0 + p.mbp, 0,
            good_flits({TypeSetup << 14 | 4u << 10 | p.tag << 7 | p.mbp << 6, 0, 0, reg, value}));
    }

    void offer_multicast(uint32_t port, uint32_t vc) {
        McSpec mc;
        mc.type = TypeMcSm + pick(3);
        mc.tag = chance(50) ? 0 : pick(8);
        mc.mbp = pick(2);
        for (uint32_t& map : mc.map) map = chance(40) ? 0 : chance(20) ? 0xFF : pick(256);
        if (chance(60))  // the own level or level 0, rather than a transfer
            for (size_t level = m_place.rank + 1; level < 5; ++level) mc.map[level] = 0;
        mc.body.resize(1 + pick(13));
        for (uint32_t& payload : mc.body) payload = uint32_t(m_random()) & 0x1FFFF;
        mc.body[0] = m_serial++ & 0x1FFFF;
        const McPlace place{m_place.rank, m_place.xfer, m_mask};
        if (cannot_have_come(mc, port, vc, place)) return;
        const auto copies = expect_copies(mc, port, place);
        if (copies.empty()) return;
        m_net.endpoint(0, port).send(vc, encode(mc));
        if (mc.tag != 0) m_open[mc.body[0]] = {port, mc.tag, 0, copies.size()};
        for (const McCopy& copy : copies)
            m_board.expect(copy.port, copy.vc, without_tag(encode(copy.packet), copy.port));
        ++m_multicasts;
    }

    // Any legal header; mostly with a chosen way out, so that all outputs are busy.
    PacketSpec random_packet() {
        PacketSpec p;
        p.tag = pick(8);
        p.mbp = pick(2);
        p.hop = 1 + pick(63);
        const uint32_t aim = pick(12);
        for (size_t rank = 0; rank < 5; ++rank) {
            if (aim < 10 && rank > (aim < 4 || aim >= 8 ? 0 : m_place.rank)) continue;
            if (aim == 8 || aim == 9) continue;
            p.v[rank].x = component(rank);
            p.v[rank].y = component(rank);
        }
        if (aim < 8) {
            auto& v = p.v[aim < 4 ? 0 : m_place.rank];
            const int size = 1 + int(pick(2));
            if (aim % 4 < 2) v = {aim % 2 == 0 ? size : -size, 0};
            else v.y = aim % 2 == 0 ? size : -size;
        }
        p.body.resize(pick(14));
        for (uint32_t& payload : p.body) payload = uint32_t(m_random()) & 0x1FFFF;
        return p;
    }

    int component(size_t rank) {
        const int reach = rank == 0 ? 6 : 2;
        return chance(50) ? 0 : int(pick(uint32_t(2 * reach + 1))) - reach;
    }

    std::mt19937_64 m_random;
    WiredChips& m_net;
    Scoreboard m_board;
    // Multicasts that request an ack and lack answers, by their first body flit.
    struct Open {
        uint32_t port;
        uint32_t tag;
        uint32_t status;
        size_t copies;
    };
    std::map<uint32_t, Open> m_open;
    Scoreboard m_acks;
    uint64_t m_multicasts = 0;
    uint32_t m_serial = 0;
    uint32_t m_mask = 0;
    Place m_place;
    std::array<uint32_t, NumPorts> m_eager{};
    std::array<uint32_t, NumPorts> m_hold{};
    std::array<uint32_t, NumPorts> m_load{};
    std::string m_error;
};

}  // namespace rdt::tb
