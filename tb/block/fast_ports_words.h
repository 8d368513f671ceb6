// SPDX-License-Identifier: MIT
// The ten ports of a chip in words: line machines and outputs of the fast engine, with streams to
// send, buffers that are emptied, and links that are switched off and on, by chance.
#pragma once

#include <array>
#include <random>
#include <vector>

#include <rdt/fast/lines.h>
#include <rdt/fast/outputs.h>

namespace rdt::tb {

using fast::bit;
using fast::each;
using fast::Ports;
using AllLines = fast::Lines<fast::PortBits>;
using AllOutputs = fast::Outputs<fast::PortBits>;
constexpr Ports All = (1u << NumPorts) - 1;

// Inputs of the ports from the rest of a router in a cycle, in words.
struct Rest {
    Ports link_en = All;
    Ports bad = 0;
    bool slow = false;
    bool tick = false;
    bool sink = false;
    uint32_t rank = 0;
    uint32_t gen = 0;
    Ports raw = 0;
    Ports cand_any = 0;
    Ports loc_want = 0;
    stream_t loc_x = 0;
    std::array<stream_t, NumPorts> x{};
    AllLines::Back back;
};

// The packet sent through one output.
struct Stream {
    std::vector<flit_t> flits;
    uint32_t vc = 0;
    uint32_t sent = 0;
    bool in_words = false;  // bodies go the short way

    uint32_t left() const { return uint32_t(flits.size()) - 1 - sent; }
    stream_t now() const {
        if (sent >= flits.size()) return 0;
        return make_stream(code_of(sent, uint32_t(flits.size()) - 1, vc + 1), flits[sent]);
    }
};

// The ports of one end in words, and all that they are given.
class PortWords {
public:
    PortWords(uint64_t seed, bool far) : m_random(seed), m_lines(lines(far)), m_out(outputs()) {}

    void reset() {
        m_lines.reset();
        m_out.reset();
        m_rest = Rest{};
        m_rest.rank = pick(5);
        for (Stream& s : m_streams) s = Stream{};
        m_local = NumPorts;
        m_full.fill(0);
    }

    const AllLines& lines() const { return m_lines; }
    const AllOutputs& out() const { return m_out; }
    const Rest& rest() const { return m_rest; }
    const AllLines::Next& next() const { return m_next; }
    Ports gnt() const { return m_gnt; }
    Ports offer() const { return m_offer; }

    // Chooses what the chip does, once it is known what the other end shows.
    void look(const fast::TwoBits& req, const fast::TwoBits& cred) {
        m_cred = cred;
        choose();
        AllLines::In in;
        in.link_en = m_rest.link_en;
        in.req = req;
        in.cred = cred;
        in.own_req = m_out.q().req;
        in.own_oe = m_out.q().oe;
        in.tx = m_out.q().tx;
        in.late = m_out.late(m_lines.up());
        in.bad = m_rest.bad;
        in.slow = m_rest.slow ? All : 0;
        m_next = m_lines.look(in);
        m_offer = m_out.offer(m_next.gnt, m_rest.sink ? All : 0);
        m_gnt = 0;
        for (const uint32_t p : each(m_offer & ~m_rest.loc_want & m_rest.cand_any))
            if (pick(8) != 0) m_gnt |= bit(p);
    }

    void clock(const std::array<flit_t, NumPorts>& d) {
        AllOutputs::In out;
        out.gnt = m_gnt;
        out.cand_any = m_rest.cand_any;
        out.offer = m_offer;
        out.line_void = m_next.voided;
        out.hush = m_next.hush;
        out.ask = m_next.ask;
        out.call = m_next.call;
        out.down = m_next.down;
        out.up = m_lines.up();
        out.ann = m_lines.announces();
        out.loc_want = m_rest.loc_want;
        out.raw = m_rest.raw;
        out.cred = m_cred;
        out.tick = m_rest.tick ? All : 0;
        out.slow = m_rest.slow ? All : 0;
        out.sink = m_rest.sink ? All : 0;
        out.rank[0] = uint8_t(m_rest.rank);
        out.gen[0] = m_rest.gen;
        out.loc_x[0] = m_rest.loc_x;
        const Ports tx = m_out.q().tx;
        for (const uint32_t p : each(tx & ~m_out.q().txloc))
            if (m_streams[p].in_words && m_streams[p].sent >= 3) out.body |= bit(p);
        m_out.clock(
            out, [this](uint32_t p) { return m_rest.x[p]; },
            [this, &out](auto&& drive) {
                AllOutputs::Ends ends;
                for (const uint32_t p : each(out.body)) {
                    drive(p, m_streams[p].flits[m_streams[p].sent]);
                    if (m_streams[p].left() < 2) ends.last_two |= bit(p);
                    if (m_streams[p].left() == 0) ends.last |= bit(p);
                }
                return ends;
            },
            [](uint32_t, flit_t) {});
        m_lines.clock(m_next, m_rest.back, [&d](uint32_t p) { return d[p]; });
        for (const uint32_t p : each(tx)) ++m_streams[p].sent;
        for (const uint32_t p : each(m_gnt | (m_offer & m_rest.loc_want))) begin(p);
        if (m_local < NumPorts && (m_out.q().tx >> m_local & 1) == 0) m_local = NumPorts;
        if (m_local == NumPorts && (m_offer & m_rest.loc_want) != 0)
            m_local = uint32_t(__builtin_ctzll(m_offer & m_rest.loc_want));
    }

    uint32_t pick(uint32_t n) { return uint32_t(m_random() % n); }

private:
    static AllLines::Params lines(bool far) {
        AllLines::Params params;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            for (uint32_t v = 0; v < vcs_of(p); ++v) params.vcs[v] |= bit(p);
            if (has_priority(p) != far) params.prio |= bit(p);
            if (far || is_mbp(p)) params.always_on |= bit(p);
        }
        return params;
    }
    static AllOutputs::Params outputs() {
        AllOutputs::Params params;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            params.port[p] = uint8_t(p);
            params.num_vc[p] = uint8_t(vcs_of(p));
        }
        return params;
    }

    void choose() {
        Rest& r = m_rest;
        r.slow = pick(100) == 0;
        r.tick = pick(150) == 0;
        if (pick(3000) == 0) r.sink = !r.sink;
        if (pick(64) == 0) r.gen = uint32_t(m_random()) & ((1u << 4 * NumEntries) - 1);
        r.bad = 0;
        if (pick(200) == 0) r.bad = m_lines.q().rx_valid & bit(pick(NumPorts));
        // Links go off for a while.
        const uint32_t any = pick(NumPorts);
        if ((r.link_en >> any & 1) == 0 ? pick(100) == 0 : pick(2000) == 0) r.link_en ^= bit(any);
        if (m_out.q().tx == 0 || pick(100) == 0) r.raw = pick(4) == 0 ? bit(PortM0) : 0;
        for (const uint32_t p : each(m_out.q().tx)) r.x[p] = m_streams[p].now();
        if (m_local < NumPorts) r.loc_x = m_streams[m_local].now();
        // Packets for which there is a credit, or seldom is none.
        r.cand_any = 0;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const bool credit = (m_out.q().credit[0] >> 3 * p & 7) != 0;
            if ((credit ? m_eager >> p & 1 : 0) != 0 || pick(400) == 0) r.cand_any |= bit(p);
        }
        if (pick(30) == 0) m_eager = uint32_t(m_random()) | uint32_t(m_random());
        r.loc_want = m_local == NumPorts && pick(20) == 0 ? bit(pick(NumPorts)) : 0;
        give_back();
    }

    // Buffers are emptied some time after a packet has come.
    void give_back() {
        AllLines::Back& back = m_rest.back;
        back = {};
        const auto& q = m_lines.q();
        for (const uint32_t p : each(q.rx_valid & q.rx_last)) m_full[p] |= 1u << q.rx_vc.of(p);
        for (uint32_t p = 0; p < NumPorts; ++p) {
            m_full[p] &= (1u << vcs_of(p)) - 1;
            const uint32_t vc = pick(vcs_of(p));
            if ((m_full[p] >> vc & 1) != 0 && pick(20) == 0) {
                m_full[p] &= ~(1u << vc);
                if (pick(4) != 0) {
                    back.cred_ret |= bit(p);
                    back.cred_vc.set(p, vc);
                } else {
                    back.cred_add[vc] |= bit(p);
                }
            }
            for (uint32_t v = 0; v < vcs_of(p); ++v)
                if ((m_full[p] >> v & 1) == 0) back.room[v] |= bit(p);
        }
    }

    // A packet of any type, on a VC with a credit if there is one.
    void begin(uint32_t p) {
        Stream& s = m_streams[p];
        const uint32_t credit = m_out.q().credit[0] >> 3 * p & 7;
        s.vc = pick(vcs_of(p));
        for (uint32_t n = 0; n < vcs_of(p) && (credit >> s.vc & 1) == 0; ++n)
            s.vc = (s.vc + 1) % vcs_of(p);
        s.sent = 0;
        s.in_words = pick(2) != 0;
        const uint32_t len = 2 + pick(14);
        s.flits = {make_head(with(uint32_t(m_random()) & PayloadMask, H0Len, int(len)))};
        while (s.flits.size() <= len)
            s.flits.push_back(make_flit(uint32_t(m_random()) & PayloadMask));
    }

    std::mt19937_64 m_random;
    AllLines m_lines;
    AllOutputs m_out;
    AllLines::Next m_next;
    Rest m_rest;
    fast::TwoBits m_cred;
    Ports m_offer = 0;
    Ports m_gnt = 0;
    std::array<Stream, NumPorts> m_streams;
    uint32_t m_local = NumPorts;  // the port that LOCAL's stream goes to
    uint32_t m_eager = 0;
    std::array<uint32_t, NumPorts> m_full{};
};

}  // namespace rdt::tb
