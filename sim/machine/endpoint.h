// SPDX-License-Identifier: MIT
// The far end of one link of a chip under test: a neighbour or an MBP that
// sends what it is given and takes what comes, as slowly as it is told to.
//
// The line machine and the credits are the chip's own (core::LinkIo and
// core::OutputUnit); LinkChecker watches the pins without either.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "core/router.h"

namespace rdt::machine {

using Flits = std::vector<flit_t>;  // of a packet

class alignas(64) Endpoint {
public:
    struct Received {
        uint32_t vc;
        uint64_t clock;  // of H0 on the pins
        Flits flits;
    };
    struct Sent {
        uint32_t vc;
        Flits flits;
    };

private:
    // What was found at the end of a clock.
    enum class Phase : uint8_t { Busy, Quiet, Sends, Receives };
    struct Held {
        uint64_t until;
        uint32_t vc;
    };

    // These come first, since they count in every clock.
    Phase m_phase = Phase::Busy;
    bool m_wants_changed = false;  // since that was found: there is more to send
    bool m_begun = false;
    bool m_has_acks = false;  // queued, or one is under way
    uint32_t m_sent = 0;
    Sent m_current{};
    core::LinkIo m_link;
    Received m_received{};
    core::OutputUnit m_out;
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

    // How many clocks a received packet's buffer is kept before its credit goes
    // back; asked once a packet. Without it: none.
    std::function<uint64_t()> hold;
    // Whether packets may be started in this clock. Without it: always.
    std::function<bool()> may_start;
    // Called when a packet's first flit is about to go out, with the clock of H0 on the pins.
    std::function<void(const Sent&, uint64_t)> on_start;
    std::function<void(const Received&)> on_receive;  // all but acks
    std::function<void(const core::AckNote&)> on_ack;

    void send(uint32_t vc, Flits flits) { enqueue(vc, std::move(flits)); }
    // Ahead of all others, on VC 0.
    void send_first(Flits flits) { enqueue(First, std::move(flits)); }
    // Nothing is started but what goes ahead of all others.
    bool hold_back = false;
    // Acks go ahead of packets, need no credit, and keep the distance they have to.
    void send_ack(uint32_t tag, uint32_t status, uint32_t generation = core::AckNote::OfRouter) {
        m_acks.push_back({0, tag, status, generation});
        m_has_acks = true;
        m_phase = Phase::Busy;
        wake();
    }
    size_t acks_queued() const {
        return m_acks.size() + (m_inject.q().st == core::Inject::Idle ? 0 : 1);
    }
    size_t queued() const { return m_queued; }
    bool sending() const { return m_out.q().tx || m_out.q().oe; }
    bool receiving() const { return m_link.q().rx_valid || !m_received.flits.empty(); }
    size_t held() const { return m_held.size(); }

    // The link starts anew; what is queued stays.
    void reset() {
        m_link.reset();
        m_out.reset();
        m_inject.reset();
        m_has_acks = !m_acks.empty();
        m_received.flits.clear();
        m_held.clear();
        m_forfeited = 0;
        m_phase = Phase::Busy;
    }
    // A credit in hand counts as used until it comes again.
    void forfeit(uint32_t vc) { m_forfeited |= 1u << vc; }

    bool has_credit(uint32_t vc) const { return (m_out.q().credit & ~m_forfeited) >> vc & 1; }

    core::LinkPinsOut pins() const {
        return {m_out.q().d, m_out.q().oe, m_out.q().req, m_link.q().cred};
    }

    // Nothing under way, kept, or ready to be sent: as long as the chip's pins show nothing,
    // clock() would change nothing.
    bool quiet() const { return m_phase == Phase::Quiet; }
    // This bit is set whenever there is something new to send.
    void wakes(core::Ports& ports, core::Ports own) {
        m_awake = &ports;
        m_own_bit = own;
    }

    // In the middle of a packet there is nothing to decide: as long as no credit comes, or none
    // and the chip's REQ says that more follows, send_on() or receive_on() is a clock.
    bool sends_on() const { return m_phase == Phase::Sends && m_sent + 2 < m_current.flits.size(); }
    bool receives_on() const { return m_phase == Phase::Receives && !m_wants_changed; }

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

    // One clock; `chip` holds the chip's pins in this clock.
    void clock(const core::LinkPinsOut& chip, uint64_t now) {
        if (chip.cred == 0 && sends_on()) {
            send_on();
        } else if (chip.cred == 0 && chip.req == ReqMore && receives_on()) {
            receive_on(chip.oe ? chip.d : 0);
        } else {
            clock_all(chip, now);
            m_phase = phase();
            m_wants_changed = false;
        }
    }

private:
    static constexpr size_t MaxFlits = 16;
    static constexpr uint32_t First = 3;  // the queue ahead of those of the VCs

    void enqueue(uint32_t queue, Flits flits) {
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

    Phase phase() const {
        const core::OutputUnit::Regs& out = m_out.q();
        const bool receives = m_link.q().rx_valid;
        Phase found = Phase::Busy;
        if (out.tx) {
            if (out.req == ReqMore && !receives && m_link.mid_packet()) found = Phase::Sends;
        } else if (receives) {
            const uint32_t asks = ready() != 0 ? ReqWant : ReqIdle;
            if (!out.oe && out.req == asks && m_link.mid_packet()) found = Phase::Receives;
        } else if (!out.oe && out.req == ReqIdle) {
            const bool waits = m_filled == 0 || (!hold_back && ready() == 0);
            if (waits && m_link.quiet(0, 0)) found = Phase::Quiet;
        }
        if (found != Phase::Busy && (m_begun || may_start || !m_held.empty() || m_has_acks))
            found = Phase::Busy;
        return found;
    }

    void clock_all(const core::LinkPinsOut& chip, uint64_t now) {
        const uint32_t own_req = m_out.q().req;
        const bool own_oe = m_out.q().oe;
        core::OutputUnit::In out;
        out.cred = chip.cred;
        if (chip.cred != 0) m_forfeited &= ~(1u << (chip.cred - 1));
        const bool sends = !m_out.quiet(m_queued != 0 || m_has_acks, chip.cred, false);
        if (sends) {
            out.link_en = true;
            out.line_gnt = m_link.line_gnt(own_req, chip.req);
            out.line_void = m_link.line_void();
            out.x = next_flit();
            if (m_has_acks) clock_inject(out);
            if (m_queued != 0) clock_queues(out, now);
        }

        take(now);
        core::LinkIo::In link;
        link.d = chip.oe ? chip.d : 0;
        link.req = chip.req;
        link.own_req = own_req;
        link.own_oe = own_oe;
        link.room = (1u << m_num_vc) - 1;
        if (!m_held.empty() && m_held.front().until <= now) {
            link.cred_ret = true;
            link.cred_vc = m_held.front().vc;
            m_held.erase(m_held.begin());
        }
        m_link.clock(link);
        if (sends) m_out.clock(out);
    }

    void clock_queues(core::OutputUnit::In& out, uint64_t now) {
        uint32_t vcs = ready();
        if (!is_held_back() && may_start && !may_start()) vcs = 0;
        out.cand_any = vcs != 0;
        out.gnt = out.line_gnt && !out.loc_want && vcs != 0;
        if (out.gnt) begin(next_of(vcs), now);
    }

    void clock_inject(core::OutputUnit::In& out) {
        core::Inject::In ack;
        ack.snd_v = !m_acks.empty() && m_inject.busy() == 0;
        if (ack.snd_v) ack.snd = m_acks.front();
        out.loc_want = m_inject.want(ack) != 0;
        out.loc_x = m_inject.x(0);
        ack.gnt = core::OutputUnit::loc_gnt(out.line_gnt, out.loc_want);
        if (m_inject.snd_take(ack.snd_v)) m_acks.pop_front();
        m_inject.clock(ack);
        m_has_acks = !m_acks.empty() || !m_inject.at_rest();
    }

    bool is_held_back() const { return (m_filled >> First & 1) != 0 || hold_back; }

    // VCs of which a packet may be started.
    uint32_t ready() const {
        const uint32_t credit = m_out.q().credit & ~m_forfeited;
        return is_held_back() ? m_filled >> First & credit & 1 : m_filled & credit;
    }
    // In turn.
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

    // The stream of the packet granted in an earlier clock.
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

    void take(uint64_t now) {
        const core::LinkIo::Regs& rx = m_link.q();
        if (!rx.rx_valid) return;
        Flits& flits = m_received.flits;
        if (rx.rx_first) {
            m_received.vc = rx.rx_vc;
            m_received.clock = now - 1;
            flits.reserve(MaxFlits);
        }
        flits.push_back(rx.rx_d);
        if (rx.rx_last) {
            deliver(now);
            flits.clear();
        }
    }

    void deliver(uint64_t now) {
        const flit_t h0 = m_received.flits[0];
        if (get(h0, H0Type) == int(TypeAck)) {
            if (on_ack) on_ack({0, uint32_t(get(h0, H0Tag)), uint32_t(get(h0, H0Status))});
            return;
        }
        m_held.push_back({now + (hold ? hold() : 0), m_received.vc});
        if (on_receive) on_receive(m_received);
    }

    uint32_t m_last_vc = 0;
    size_t m_queued = 0;  // in all queues
    core::Inject m_inject;
    Sent m_next{};
    std::deque<core::AckNote> m_acks;
    std::array<std::deque<Flits>, First + 1> m_queue;
    core::Ports* m_awake = nullptr;
    core::Ports m_own_bit = 0;
};

}  // namespace rdt::machine
