// SPDX-License-Identifier: MIT
// Two ends of one link: line machine and output unit of the RTL, each beside its twin, and in place
// of the input unit a plain shelf of buffers. The wires between them can be disturbed.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <utility>

#include "common/dice.h"
#include "block/link_io_bench.h"
#include "block/link_scoreboard.h"
#include "block/output_unit_bench.h"

namespace rdt::tb {

// Only the receiving part of section 4.4 of the specification.
class Shelf {
public:
    struct Came {
        uint32_t vc;
        Flits flits;
    };
    struct Rx {
        bool valid, first, last;
        uint32_t vc, d;
    };

    // In this cycle: a malformed header, or a packet without a free buffer.
    bool bad(const Rx& rx) const {
        if (!rx.valid) return false;
        if (rx.first) return full(rx.vc) || is_odd(rx.d) || payload_of(rx.d) == 0;
        return !m_drop && m_flits.size() < 3 && !is_odd(rx.d);
    }
    // The clock edge. A packet that is complete, or cut behind its header.
    std::optional<Came> clock(const Rx& rx) {
        if (!rx.valid) return std::nullopt;
        const bool spoilt = bad(rx);
        if (rx.first) {
            m_flits.clear();
            m_drop = false;
        }
        m_drop = m_drop || spoilt;
        if (m_drop) return std::nullopt;
        m_flits.push_back(rx.d);
        if (m_flits.size() == 3) m_full |= 1u << rx.vc;
        if (!rx.last || m_flits.size() < 3) return std::nullopt;
        return Came{rx.vc, m_flits};
    }
    bool full(uint32_t vc) const { return (m_full >> vc & 1) != 0; }
    uint32_t room() const { return 7 & ~m_full; }
    void empty(uint32_t vc) { m_full &= ~(1u << vc); }

private:
    uint32_t m_full = 0;
    bool m_drop = true;
    Flits m_flits;
};

// Faults on the pins that an end sees of the other.
struct Fault {
    uint32_t flip_req = 0, flip_cred = 0, flip_d = 0;
    uint32_t set_req = 0, set_cred = 0, clear_req = 0, clear_cred = 0;
    uint32_t req(uint32_t v) const { return ((v ^ flip_req) | set_req) & ~clear_req; }
    uint32_t cred(uint32_t v) const { return ((v ^ flip_cred) | set_cred) & ~clear_cred; }
    uint32_t d(uint32_t v) const { return v ^ flip_d; }
};

// One end: how it behaves, and what happened at it.
class PairEnd {
public:
    struct Pins {
        uint32_t d, req, cred;
        bool oe;
    };

    virtual ~PairEnd() = default;

    bool powered = true;
    bool on = true;
    bool slow = false;  // a slow tick in this cycle
    // Per cent in a cycle: a packet comes up to be sent, a full buffer is emptied, a grant goes
    // unused.
    uint32_t offers = 10;
    uint32_t drains = 20;
    uint32_t gives_up = 5;
    uint64_t told_of() const { return troubles + missed + owed; }
    // Counted until set to 0: events, packets that left and that came.
    uint64_t troubles = 0;
    uint64_t missed = 0;  // link-stays-down events
    uint64_t owed = 0;
    uint64_t bad_credits = 0;
    uint64_t sent = 0;
    uint64_t received = 0;

    virtual Pins pins() const = 0;
    virtual bool up() const = 0;
    virtual bool ann() const = 0;
    virtual uint32_t credit() const = 0;
    virtual void clock(const Pins& seen, uint64_t now, Dice& rng) = 0;

    bool waits() const { return !queue[0].empty() || !queue[1].empty() || !queue[2].empty(); }
    // In the last cycle.
    const std::optional<Shelf::Came>& came() const { return m_came; }
    bool told() const { return m_told; }

    LinkScoreboard book;  // packets this end sends
    Shelf shelf;
    std::array<std::deque<Flits>, 3> queue;

protected:
    std::optional<Shelf::Came> m_came;
    bool m_told = false;
};

template <typename Link, typename Out>
class ModelledEnd : public PairEnd {
public:
    explicit ModelledEnd(const TestRun& run) : m_link(run), m_out(run) {}
    void reset() {
        m_link.reset();
        m_out.reset();
    }

    Pins pins() const override {
        return {m_out.d(), m_out.req(), m_link.cred(), m_out.d_oe() != 0};
    }
    bool up() const override { return m_link.up() != 0; }
    bool ann() const override { return m_link.ann() != 0; }
    uint32_t credit() const override { return m_out.credit(); }

    void clock(const Pins& seen, uint64_t now, Dice& rng) override {
        const Shelf::Rx rx{m_link.rx_valid() != 0, m_link.rx_first() != 0, m_link.rx_last() != 0,
                           m_link.rx_vc(), m_link.rx_d()};
        m_link.rst_n = m_out.rst_n = powered;
        m_link.link_en = on;
        m_link.slow = m_out.slow = slow;
        m_link.d = seen.d;
        m_link.req = seen.req;
        m_link.cred_in = m_out.cred = seen.cred;
        m_link.own_req = m_out.req();
        m_link.own_oe = m_out.d_oe();
        m_link.tx = m_out.tx();
        m_link.bad = shelf.bad(rx);
        m_link.room = shelf.room();
        const uint32_t emptied = rng.below(3);
        m_link.cred_ret = shelf.full(emptied) && rng.chance(drains);
        m_link.cred_vc = emptied;
        m_out.up = m_link.up();
        m_out.ann = m_link.ann();
        m_out.settle();
        m_link.late = m_out.late();
        m_link.settle();
        offer(rng);
        const uint32_t candidates = candidate_vcs();
        m_out.cand_any = candidates != 0;
        m_out.line_gnt = m_link.line_gnt();
        m_out.line_void = m_link.line_void();
        m_out.hush = m_link.hush();
        m_out.ask = m_link.ask();
        m_out.call = m_link.call();
        m_out.down = m_link.down();
        m_out.x = m_k < m_now.size() ? stream_of(m_now, m_k++, m_vc) : 0;
        m_out.gnt = m_link.line_gnt() && candidates != 0 && !rng.chance(gives_up);
        m_out.settle();
        m_told = m_link.ev_sync() || m_out.ev_owed();
        (up() || (ann() && !slow) ? troubles : missed) += m_link.ev_sync();
        owed += m_out.ev_owed();
        bad_credits += m_out.ev_cred();
        m_link.tick();
        m_out.tick();
        if (m_out.gnt()) start(candidates, now, rng);
        if (m_link.cred_ret()) shelf.empty(emptied);
        m_came = shelf.clock(rx);
        received += m_came.has_value();
        if (!powered) forget();
    }

private:
    uint32_t candidate_vcs() const {
        uint32_t vcs = 0;
        for (uint32_t v = 0; v < 3; ++v)
            if (!queue[v].empty() && (m_out.credit() >> v & 1)) vcs |= 1u << v;
        return vcs;
    }
    // No two packets of a run have the same header.
    void offer(Dice& rng) {
        const uint32_t vc = rng.below(3);
        if (!rng.chance(offers) || queue[vc].size() >= 2) return;
        ++m_id;
        const uint32_t n = rng.chance(50) ? 3 : rng.between(3, 16);
        std::vector<uint32_t> payloads{TypeErr << 14 | (n - 1) << 10 | rng.bits(10), rng.bits(17),
                                       m_id & 0x1FFFF};
        while (payloads.size() < n) payloads.push_back(rng.bits(17));
        queue[vc].push_back(good_flits(payloads));
    }
    void start(uint32_t candidates, uint64_t now, Dice& rng) {
        EXPECT_EQ(m_k, m_now.size()) << "granted in the middle of a stream";
        do m_vc = rng.below(3);
        while ((candidates >> m_vc & 1) == 0);
        m_now = queue[m_vc].front();
        queue[m_vc].pop_front();
        m_k = 0;
        ++sent;
        book.sent(now, m_vc, m_now);
    }
    void forget() {
        shelf = {};
        m_now.clear();
        m_k = 0;
        for (auto& q : queue) q.clear();
    }

    Link m_link;
    Out m_out;
    Flits m_now;  // the stream
    uint32_t m_vc = 0;
    uint32_t m_k = 0;
    uint32_t m_id = 0;
};

// East on the left, west on the right.
class LinkPair {
public:
    static constexpr uint32_t SlowTick = 128;  // shorter than the chip's 1,024

    explicit LinkPair(const TestRun& run) : rng(run.seed), m_east(run), m_west(run) {
        m_east.reset();
        m_west.reset();
    }
    // Both ends come out of reset, and nothing has happened yet.
    void restart() {
        for (uint32_t i = 0; i < 2; ++i) {
            PairEnd& e = end(i);
            fault[i] = {};
            e.powered = false;
            e.on = true;
            e.book.close();
        }
        run(2);
        for (uint32_t i = 0; i < 2; ++i) {
            PairEnd& e = end(i);
            e.powered = true;
            e.troubles = e.missed = e.owed = e.sent = e.received = 0;
            e.book = {};
        }
    }

    Dice rng;
    std::array<Fault, 2> fault;  // in what end 0, 1 sees
    bool deaf = false;           // no event is recorded: an injected bug for the scoreboard

    PairEnd& end(uint32_t i) { return i == 0 ? static_cast<PairEnd&>(m_east) : m_west; }
    uint64_t now() const { return m_now; }
    bool both_up() { return end(0).up() && end(1).up(); }
    // The first rule of the books that was broken.
    std::string complaint() { return end(0).book.complaint() + end(1).book.complaint(); }

    void clock() {
        const PairEnd::Pins pins[2] = {end(0).pins(), end(1).pins()};
        // Two drivers: anything may be read.
        const uint32_t mix = rng.bits(18);
        const uint32_t line = (pins[0].oe ? pins[0].d & (pins[1].oe ? mix : ~0u) : 0) |
                              (pins[1].oe ? pins[1].d & (pins[0].oe ? ~mix : ~0u) : 0);
        m_both_drive += pins[0].oe && pins[1].oe;
        for (uint32_t i = 0; i < 2; ++i) {
            const PairEnd::Pins& peer = pins[1 - i];
            end(i).slow = (m_now + 50 * i) % SlowTick == 0;
            end(i).clock(
                {fault[i].d(line), fault[i].req(peer.req), fault[i].cred(peer.cred), false}, m_now,
                rng);
        }
        for (uint32_t i = 0; i < 2; ++i) {
            if (end(i).came()) end(1 - i).book.arrived(end(i).came()->vc, end(i).came()->flits);
            if (!end(i).told() || deaf) continue;
            end(0).book.told(m_now);
            end(1).book.told(m_now);
        }
        ++m_now;
    }
    void run(uint64_t clocks) {
        for (; clocks != 0; --clocks) clock();
    }
    // No more offers, buffers are emptied; until nothing is left and every credit is in hand.
    // Stops after this many cycles.
    bool drain(uint64_t clocks) {
        uint32_t offers[2];
        for (uint32_t i = 0; i < 2; ++i) {
            offers[i] = end(i).offers;
            end(i).offers = 0;
        }
        // A flit needs a cycle or two to be seen at the other end.
        uint32_t rest = 0;
        for (; clocks != 0 && rest < 4; --clocks) {
            clock();
            rest = at_rest() ? rest + 1 : 0;
        }
        for (uint32_t i = 0; i < 2; ++i) end(i).offers = offers[i];
        return rest == 4;
    }
    uint64_t take_both_drive() { return std::exchange(m_both_drive, 0); }

private:
    bool at_rest() {
        for (uint32_t i = 0; i < 2; ++i) {
            PairEnd& e = end(i);
            if (e.waits() || e.shelf.room() != 7 || !e.up() || e.credit() != 7 || e.pins().oe)
                return false;
        }
        return true;
    }

    ModelledEnd<EastEnd, EastOutput> m_east;
    ModelledEnd<WestEnd, WestOutput> m_west;
    uint64_t m_now = 0;
    uint64_t m_both_drive = 0;
};

}  // namespace rdt::tb
