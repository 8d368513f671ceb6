// SPDX-License-Identifier: MIT
// The far end of one link of a router under test: a neighbor or an MBP that sends given packets and
// accepts incoming ones at a configurable rate.
//
// The line machine and the credits are the chip's own (fast::LinkIo and fast::OutputUnit). As in a
// chip, what is no packet is dropped and the link starts again.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include <rdt/core/reduction.h>
#include <rdt/fast/ack.h>
#include <rdt/fast/chip_state.h>
#include <rdt/fast/link_io.h>
#include <rdt/fast/output_unit.h>
#include <rdt/machine/carrier.h>

namespace rdt::machine {

class alignas(64) Endpoint {
public:
    struct Received {
        uint32_t vc;
        uint64_t clock;  // cycle of H0 on the pins
        Flits flits;
    };
    struct Sent {
        uint32_t vc;
        Flits flits;
    };

private:
    // Results at the end of a cycle.
    enum class Phase : uint8_t { Busy, Quiet, Sends, Receives };
    struct Held {
        uint64_t until;
        uint32_t vc;
    };

    // These come first, since they count in every cycle.
    Phase m_phase = Phase::Busy;
    bool m_wants_changed = false;  // since that was found: there is more to send
    bool m_begun = false;
    bool m_spoilt = false;  // incoming packets are not accepted
    uint32_t m_sent = 0;
    Sent m_current{};
    fast::LinkIo m_link;
    Received m_received{};
    fast::OutputUnit m_out;
    uint32_t m_num_vc;
    uint32_t m_filled = 0;  // queues that are not empty
    uint32_t m_forfeited = 0;
    std::vector<Held> m_held;

public:
    // `port` is the port of the chip this is the other end of.
    explicit Endpoint(uint32_t port)
        : m_link({vcs_of(port), !has_priority(port), true}),
          m_out(PortLocal, vcs_of(port)),
          m_num_vc(vcs_of(port)) {}

    // Cycles that a packet's buffer is kept before its credit goes back. Without it: none.
    std::function<uint64_t()> hold;
    std::function<bool()> may_start;  // packets, in this cycle; without it: always
    // Called when a packet's first flit is about to go out, with the cycle of H0 on the pins.
    std::function<void(const Sent&, uint64_t)> on_start;
    std::function<void(const Received&)> on_receive;  // all but acks
    std::function<void(const core::Ack&)> on_ack;
    std::function<void()> on_sync;  // events that a router reports as LinkSync

    void send(uint32_t vc, Flits flits) { enqueue(vc, std::move(flits)); }
    // Ahead of all others, on VC 0.
    void send_first(Flits flits) { enqueue(First, std::move(flits)); }
    // Nothing is started but what goes ahead of all others.
    bool hold_back = false;
    // Acks go ahead of packets, need no credit, keep their distance, and have the copy's
    // generation. One with the tag of barriers may have an operand.
    void send_ack(uint32_t tag, uint32_t status, uint32_t generation = core::AckNote::OfRouter,
                  const core::Operand& operand = {}) {
        if (m_carrier != nullptr) {
            m_carrier->carry_ack(*this, {0, tag, status, generation});
            return;
        }
        m_acks.push_back({{0, tag, status, generation}, operand});
        m_phase = Phase::Busy;
        wake();
    }
    // MBP only: recalls the packet that its router holds, so that another can be sent. The credit
    // comes back unless the packet has just left or the chip is shot down.
    void recall() { send_ack(0, 0, 0); }
    // Generation and tag of a copy that an MBP received.
    static uint32_t generation_of(const Flits& flits) {
        const auto h0 = uint32_t(flits[0]);
        const bool has_one = is_multicast(h0) && get(h0, H0Tag) != 0;
        return has_one ? uint32_t(get(uint32_t(flits[2]), H2Gen)) : 0;
    }
    size_t acks_queued() const { return m_acks.size(); }
    size_t queued() const { return m_queued; }
    bool sending() const { return m_out.q().tx || m_out.q().oe; }
    bool receiving() const { return m_link.q().rx_valid || !m_received.flits.empty(); }
    size_t held() const { return m_held.size(); }
    bool up() const { return m_link.q().up(); }
    // Number of times this end found that the link had lost synchronization, or lost a sent packet.
    uint64_t troubles() const { return m_troubles; }
    // The router holds no sent packet.
    bool has_all_credits() const { return m_out.q().credit == all_vcs(); }

    // The link starts again; what is queued stays.
    void reset() {
        m_link.reset();
        m_out.reset();
        m_ack_from = 0;
        m_begun = false;
        m_spoilt = false;
        m_current.flits.clear();
        m_sent = 0;
        m_received.flits.clear();
        m_held.clear();
        m_forfeited = 0;
        m_phase = Phase::Busy;
    }
    struct Image;            // endpoint_image.h
    bool has_image() const;  // all that counts is in one
    Image image() const;
    void load(Image image);
    void unload();  // another component holds all of it
    // A credit in hand counts as used until it comes again.
    void forfeit(uint32_t vc) { m_forfeited |= 1u << vc; }

    bool has_credit(uint32_t vc) const { return (m_out.q().credit & ~m_forfeited) >> vc & 1; }

    core::LinkPinsOut pins() const {
        return {m_out.q().d, m_out.q().oe, m_out.q().req, m_link.q().cred};
    }

    // Nothing in flight, kept, or ready: as long as the chip's pins show nothing, clock() would
    // change nothing; but in a slow clock, unless it has_all_credits().
    bool quiet() const { return m_phase == Phase::Quiet; }
    // From now on nothing is sent by cycles; nothing is queued.
    void carried_by(Carrier* carrier) { m_carrier = carrier; }
    // This bit is set from now on whenever there is something new to send.
    void wakes(uint64_t& word, uint64_t bit) {
        m_awake = &word;
        m_own_bit = bit;
    }

    // Ticks of the wait for credits that do not come.
    static bool is_slow(uint64_t clock) { return clock % SlowTick == SlowTick - 1; }

    // In the middle of a packet there is nothing to decide: as long as no credit comes and, when
    // receiving, the router's REQ signals more flits, the fast send_on() or receive_on() is a
    // cycle.
    bool sends_on() const { return m_phase == Phase::Sends && m_sent + 2 < m_current.flits.size(); }
    bool receives_on() const {
        return m_phase == Phase::Receives && !m_wants_changed && m_link.watches();
    }

    // Returns what is on D afterwards.
    flit_t send_on() {
        const flit_t flit = m_current.flits[m_sent++];
        m_out.pass(flit);
        return flit;
    }
    void receive_on(flit_t d) {
        m_received.flits.push_back(m_link.q().rx_d);
        m_link.watch(d);
    }

    // One cycle; `chip` holds the chip's pins in this cycle.
    void clock(const core::LinkPinsOut& chip, uint64_t now) {
        const bool plain = chip.cred == 0 && !is_slow(now);
        if (plain && chip.req <= ReqWant && sends_on()) {
            send_on();
        } else if (plain && chip.req == ReqMore && receives_on()) {
            receive_on(chip.oe ? chip.d : 0);
        } else {
            clock_all(chip, now);
            m_phase = phase();
            m_wants_changed = false;
        }
    }

private:
    static constexpr size_t MaxFlits = 16;
    static constexpr size_t HeaderFlits = 3;
    static constexpr uint32_t First = 3;  // the queue ahead of those of the VCs

    void enqueue(uint32_t queue, Flits flits) {
        if (m_carrier != nullptr) {
            m_carrier->carry(*this, queue == First, std::move(flits));
            return;
        }
        m_queue[queue].push_back(std::move(flits));
        m_filled |= 1u << queue;
        ++m_queued;
        if (m_phase == Phase::Quiet) m_phase = Phase::Busy;
        m_wants_changed = true;
        wake();
    }
    void wake() {
        if (m_awake != nullptr) *m_awake |= m_own_bit;
    }

    uint32_t all_vcs() const { return (1u << m_num_vc) - 1; }

    Phase phase() const {
        const fast::OutputUnit::Regs& out = m_out.q();
        const bool receives = m_link.q().rx_valid;
        Phase found = Phase::Busy;
        if (out.tx) {
            const bool in_body = m_sent >= HeaderFlits;
            if (in_body && out.req == ReqMore && !receives && m_link.mid_packet())
                found = Phase::Sends;
        } else if (receives) {
            const uint32_t asks = ready() != 0 ? ReqWant : ReqIdle;
            const bool in_body = m_received.flits.size() >= HeaderFlits;
            if (in_body && !out.oe && out.req == asks && m_link.mid_packet())
                found = Phase::Receives;
        } else if (!out.oe && out.req == ReqIdle) {
            const bool waits = m_filled == 0 || (!hold_back && ready() == 0);
            if (waits && m_link.q().up() && m_link.quiet({})) found = Phase::Quiet;
        }
        const bool decides = m_begun || may_start || !m_held.empty() || !m_acks.empty() ||
                             !m_out.hears_nothing() || m_out.late(true);
        return decides ? Phase::Busy : found;
    }

    void clock_all(const core::LinkPinsOut& chip, uint64_t now) {
        fast::LinkIo::In link;
        link.d = chip.oe ? chip.d : 0;
        link.req = chip.req;
        link.cred = chip.cred;
        link.own_req = m_out.q().req;
        link.own_oe = m_out.q().oe;
        link.tx = m_out.q().tx;
        link.late = m_out.late(m_link.q().up());
        link.slow = is_slow(now);
        link.bad = take(now);
        give_back(link, now);
        const bool waits = m_queued + m_acks.size() != 0;
        if (!is_plain(link) || !m_out.quiet(waits, chip.cred, link.slow)) clock_output(link, now);
        m_link.clock(link);
    }

    // Nothing that could bring the link down or back.
    bool is_plain(const fast::LinkIo::In& link) const {
        const fast::LinkIo::Regs& q = m_link.q();
        const bool more = link.req == ReqMore && q.st == LineXfer && !q.mine && m_link.watches();
        return q.up() && (link.req <= ReqWant || more) && !link.bad && !link.late;
    }

    // Buffers for the chip's packets: what is kept is not free.
    void give_back(fast::LinkIo::In& link, uint64_t now) {
        if (!m_held.empty() && m_held.front().until <= now) {
            link.cred_ret = true;
            link.cred_vc = m_held.front().vc;
            m_held.erase(m_held.begin());
        }
        link.room = all_vcs();
        for (const Held& held : m_held) link.room &= ~(1u << held.vc);
    }

    void clock_output(const fast::LinkIo::In& link, uint64_t now) {
        const fast::LinkIo::Out line = m_link.out(link);
        fast::OutputUnit::In out;
        out.cred = link.cred;
        out.slow = link.slow;
        out.line_gnt = line.line_gnt;
        out.line_void = line.line_void;
        out.hush = line.hush;
        out.ask = line.ask;
        out.call = line.call;
        out.down = line.down;
        out.up = m_link.q().up();
        out.ann = m_link.q().ann();
        out.x = next_flit();
        if (out.up || out.ann)
            if (const uint32_t code = m_out.confirms(link.cred)) m_forfeited &= ~(1u << (code - 1));
        choose(out, now);
        if (line.ev_sync || (out.ann && m_out.events(out).owed)) ++m_troubles;
        m_out.clock(out);
        if ((line.ev_sync || m_out.was_owed()) && on_sync) on_sync();
    }

    // Requests and, if the line is free, starts a packet.
    void choose(fast::OutputUnit::In& out, uint64_t now) {
        const bool acks = !m_acks.empty() && now >= m_ack_from;
        uint32_t vcs = ready();
        if (vcs != 0 && !is_held_back() && may_start && !may_start()) vcs = 0;
        out.cand_any = acks || vcs != 0;
        out.gnt = out.line_gnt && out.cand_any;
        if (!out.gnt) return;
        if (acks) begin_ack(now);
        else begin(next_of(vcs), now);
    }

    bool is_held_back() const { return (m_filled >> First & 1) != 0 || hold_back; }

    // VCs of which a packet may be started.
    uint32_t ready() const {
        const uint32_t credit = m_out.q().credit & ~m_forfeited;
        return is_held_back() ? m_filled >> First & credit & 1 : m_filled & credit;
    }
    // Round-robin.
    uint32_t next_of(uint32_t vcs) const {
        const uint32_t later = vcs & ~((2u << m_last_vc) - 1);
        return uint32_t(__builtin_ctz(later != 0 ? later : vcs));
    }

    void begin(uint32_t vc, uint64_t now) {
        const uint32_t from = (m_filled >> First & 1) != 0 ? First : vc;
        std::deque<Flits>& queue = m_queue[from];
        m_next = {vc, std::move(queue.front())};
        queue.pop_front();
        if (queue.empty()) m_filled &= ~(1u << from);
        --m_queued;
        m_last_vc = vc;
        m_begun = true;
        if (on_start) on_start(m_next, now + 2);
    }
    void begin_ack(uint64_t now) {
        const core::Ack& ack = m_acks.front();
        m_next = {
            0, {core::head_of(ack), core::flit_of(ack.operand, 1), core::flit_of(ack.operand, 2)}};
        m_acks.pop_front();
        m_begun = true;
        m_ack_from = now + AckGap;
    }

    // The stream of the packet granted in an earlier cycle.
    stream_t next_flit() {
        if (m_begun) {
            m_current = std::move(m_next);
            m_sent = 0;
            m_begun = false;
        }
        if (m_sent == m_current.flits.size()) return 0;
        const uint32_t k = m_sent++;
        return make_stream(code_of(k, uint32_t(m_current.flits.size()) - 1, m_current.vc + 1),
                           m_current.flits[k]);
    }

    // Inputs of the cycle before. Returns whether it is no packet.
    bool take(uint64_t now) {
        const fast::LinkIo::Regs& rx = m_link.q();
        if (!rx.rx_valid) return false;
        Flits& flits = m_received.flits;
        if (rx.rx_first) {
            m_received.vc = rx.rx_vc;
            m_received.clock = now - 1;
            flits.clear();
            flits.reserve(MaxFlits);
            m_spoilt = false;
        }
        const bool bad = !m_spoilt && !is_sound(rx.rx_d);
        m_spoilt = m_spoilt || bad;
        flits.push_back(rx.rx_d);
        if (rx.rx_last) {
            // One that is cut off before its H2 never was a packet.
            if (!m_spoilt && flits.size() >= HeaderFlits) deliver(now);
            flits.clear();
        }
        return bad;
    }
    // The next flit is one of the packet that it seems to be.
    bool is_sound(flit_t flit) const {
        const size_t k = m_received.flits.size();
        if (k >= HeaderFlits) return true;
        if (k != 0) return is_good_header_flit(flit) || is_result(m_received.flits[0]);
        return is_good_head(flit) && flit != 0 && (is_ack(flit) || !is_kept(m_received.vc));
    }
    static bool is_ack(flit_t h0) { return get(uint32_t(h0), H0Type) == int(TypeAck); }
    // Its other flits have the wrong parity if the result of a reduction is invalid.
    static bool is_result(flit_t h0) {
        return is_ack(h0) && get(uint32_t(h0), H0Tag) == int(LaneTag);
    }
    bool is_kept(uint32_t vc) const {
        for (const Held& held : m_held)
            if (held.vc == vc) return true;
        return false;
    }

    void deliver(uint64_t now) {
        const flit_t h0 = m_received.flits[0];
        if (is_ack(h0)) {
            const core::AckNote note{0, uint32_t(get(h0, H0Tag)), uint32_t(get(h0, H0Status))};
            if (on_ack)
                on_ack({note, core::operand_of(uint32_t(m_received.flits[1]),
                                               uint32_t(m_received.flits[2]))});
            return;
        }
        m_held.push_back({now + (hold ? hold() : 0), m_received.vc});
        if (on_receive) on_receive(m_received);
    }

    uint32_t m_last_vc = 0;
    size_t m_queued = 0;      // in all queues
    uint64_t m_ack_from = 0;  // clock from which another ack may be sent
    uint64_t m_troubles = 0;
    Sent m_next{};
    std::deque<core::Ack> m_acks;
    std::array<std::deque<Flits>, First + 1> m_queue;
    Carrier* m_carrier = nullptr;
    uint64_t* m_awake = nullptr;
    uint64_t m_own_bit = 0;
};

}  // namespace rdt::machine
