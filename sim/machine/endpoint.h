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
#include <optional>
#include <vector>

#include "core/router.h"

namespace rdt::machine {

using Flits = std::vector<uint32_t>;  // of a packet, one slice

class Endpoint {
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

    // `port` is the port of the chip this is the other end of.
    explicit Endpoint(uint32_t port)
        : m_num_vc(vcs_of(port)),
          m_link({m_num_vc, !has_priority(port), true}),
          m_out(PortLocal, m_num_vc) {}

    // How many clocks a received packet's buffer is kept before its credit goes
    // back; asked once a packet. Without it: none.
    std::function<uint64_t()> hold;
    // Whether packets may be started in this clock. Without it: always.
    std::function<bool()> may_start;
    // Called when a packet's first flit is about to go out, with the clock of H0 on the pins.
    std::function<void(const Sent&, uint64_t)> on_start;
    std::function<void(const Received&)> on_receive;  // all but acks
    std::function<void(const core::AckNote&)> on_ack;

    void send(uint32_t vc, Flits flits) { m_queue[vc].push_back(std::move(flits)); }
    // Ahead of all others, on VC 0.
    void send_first(Flits flits) { m_first.push_back(std::move(flits)); }
    // Nothing is started but what goes ahead of all others.
    bool hold_back = false;
    // Acks go ahead of packets, need no credit, and keep the distance they have to.
    void send_ack(uint32_t tag, uint32_t status) { m_acks.push_back({0, tag, status}); }
    size_t acks_queued() const {
        return m_acks.size() + (m_inject.q().st == core::Inject::Idle ? 0 : 1);
    }
    size_t queued() const {
        return m_first.size() + m_queue[0].size() + m_queue[1].size() + m_queue[2].size();
    }
    bool sending() const { return m_out.q().tx || m_out.q().oe; }
    bool receiving() const { return m_link.q().rx_valid || !m_taking.empty(); }
    size_t held() const { return m_held.size(); }

    // The link starts anew; what is queued stays.
    void reset() {
        m_link.reset();
        m_out.reset();
        m_inject.reset();
        m_taking.clear();
        m_held.clear();
        m_forfeited = 0;
    }
    // A credit in hand counts as used until it comes again.
    void forfeit(uint32_t vc) { m_forfeited |= 1u << vc; }

    bool has_credit(uint32_t vc) const { return (m_out.q().credit & ~m_forfeited) >> vc & 1; }

    core::LinkPinsOut pins() const {
        return {m_out.q().d, m_out.q().oe, m_out.q().req, m_link.q().cred};
    }

    // One clock; `chip` holds the chip's pins in this clock.
    void clock(const core::LinkPinsOut& chip, uint64_t now) {
        const uint32_t own_req = m_out.q().req;
        const bool line_gnt = m_link.line_gnt(own_req, chip.req);
        core::OutputUnit::In out;
        out.link_en = true;
        out.line_gnt = line_gnt;
        out.line_void = m_link.line_void();
        out.cred = chip.cred;
        if (chip.cred != 0) m_forfeited &= ~(1u << (chip.cred - 1));
        out.x = next_flit();
        core::Inject::In ack;
        ack.snd_v = !m_acks.empty();
        if (ack.snd_v) ack.snd = m_acks.front();
        out.loc_want = m_inject.want(ack) != 0;
        out.loc_x = m_inject.x(0);
        ack.gnt = core::OutputUnit::loc_gnt(line_gnt, out.loc_want);
        if (m_inject.snd_take(ack.snd_v)) m_acks.pop_front();
        m_inject.clock(ack);
        const std::optional<uint32_t> vc = ready_vc();
        out.cand_any = vc.has_value();
        out.gnt = line_gnt && !out.loc_want && vc.has_value();
        if (out.gnt) begin(*vc, now);

        take(now);
        core::LinkIo::In link;
        link.d = chip.oe ? chip.d : 0;
        link.req = chip.req;
        link.own_req = own_req;
        link.own_oe = m_out.q().oe;
        link.room = (1u << m_num_vc) - 1;
        if (!m_held.empty() && m_held.front().until <= now) {
            link.cred_ret = true;
            link.cred_vc = m_held.front().vc;
            m_held.pop_front();
        }
        m_link.clock(link);
        m_out.clock(out);
    }

private:
    struct Held {
        uint64_t until;
        uint32_t vc;
    };

    std::optional<uint32_t> ready_vc() const {
        if (!m_first.empty() || hold_back)
            return m_first.empty() || !has_credit(0) ? std::nullopt : std::optional<uint32_t>(0);
        if (may_start && !may_start()) return std::nullopt;
        for (uint32_t n = 1; n <= m_num_vc; ++n) {
            const uint32_t vc = (m_last_vc + n) % m_num_vc;
            if (!m_queue[vc].empty() && has_credit(vc)) return vc;
        }
        return std::nullopt;
    }

    void begin(uint32_t vc, uint64_t now) {
        std::deque<Flits>& queue = m_first.empty() ? m_queue[vc] : m_first;
        m_next = {vc, std::move(queue.front())};
        queue.pop_front();
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
        const core::LinkIo::Regs rx = m_link.q();
        if (!rx.rx_valid) return;
        if (rx.rx_first) m_first_clock = now - 1;
        m_taking.push_back(uint32_t(rx.rx_d));
        if (!rx.rx_last) return;
        const Received packet{rx.rx_vc, m_first_clock, std::move(m_taking)};
        m_taking.clear();
        if (get(packet.flits[0], H0Type) == int(TypeAck)) {
            if (on_ack)
                on_ack({0, uint32_t(get(packet.flits[0], H0Tag)),
                        uint32_t(get(packet.flits[0], H0Status))});
            return;
        }
        m_held.push_back({now + (hold ? hold() : 0), rx.rx_vc});
        if (on_receive) on_receive(packet);
    }

    uint32_t m_num_vc;
    core::LinkIo m_link;
    core::OutputUnit m_out;
    core::Inject m_inject;
    std::deque<core::AckNote> m_acks;
    std::array<std::deque<Flits>, 3> m_queue;
    std::deque<Flits> m_first;
    uint32_t m_forfeited = 0;
    Sent m_next{};
    Sent m_current{};
    bool m_begun = false;
    uint32_t m_sent = 0;
    uint32_t m_last_vc = 0;
    Flits m_taking;
    uint64_t m_first_clock = 0;
    std::deque<Held> m_held;
};

}  // namespace rdt::machine
