// SPDX-License-Identifier: MIT
// The other end of one link of the chip, from section 1 of the specification and
// without anything of the C++ core: a neighbour or an MBP that sends what it is
// given, takes what comes, as slowly as it is told to, and answers multicasts.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace rdt::tb {

struct PinsIn {  // of the chip
    uint32_t d = 0, req = 0, cred = 0;
};
struct PinsOut {
    uint32_t d = 0;
    bool oe = false;
    uint32_t req = 0, cred = 0;
};

class Peer {
public:
    using Flits = std::vector<uint64_t>;

    explicit Peer(uint32_t port)
        : m_num_vc(port < 2   ? 3
                   : port < 8 ? 2
                              : 1),
          m_home(port >= 8 || port % 2 == 0),
          m_mine(m_home) {
        for (uint32_t vc = 0; vc < m_num_vc; ++vc) m_held.push_back({0, vc});
    }

    std::function<uint64_t()> hold;  // clocks for which the buffer of a packet is kept
    std::function<bool()> may_start;
    std::function<void(const Flits&)> on_receive;

    void send(uint32_t vc, Flits flits) { m_queue[vc].push_back(std::move(flits)); }
    void send_ack(Flits flits) { m_acks.push_back(std::move(flits)); }
    size_t queued() const { return m_queue[0].size() + m_queue[1].size() + m_queue[2].size(); }
    void forget() {
        for (auto& queue : m_queue) queue.clear();
    }
    const PinsOut& pins() const { return m_pins; }

    void clock(const PinsOut& chip) {
        ++m_clock;
        const uint32_t own = m_pins.req, owner = m_mine ? own : chip.req;
        const uint32_t other = m_mine ? chip.req : own;
        take(chip);
        if (chip.cred != 0 && chip.cred <= m_num_vc) m_credit[chip.cred - 1] = true;
        m_pins.cred = 0;
        if (!m_held.empty() && m_held.front().until <= m_clock) {
            m_pins.cred = m_held.front().vc + 1;
            m_held.pop_front();
        }

        bool to_me = false, to_chip = false;
        if (m_state == Idle) {
            to_me = own != 0 && (chip.req == 0 || !m_mine);
            to_chip = !to_me && chip.req != 0;
        } else if (m_state == Start && owner == 0 && other != 0) {
            (m_mine ? to_chip : to_me) = true;
        } else if (m_state == Xfer && owner == 1 && other == 0) {
            (m_mine ? to_me : to_chip) = true;
        }

        const int vc = next();  // may start in this clock
        drive(vc >= 0);
        if (to_me && vc >= 0) begin(uint32_t(vc));

        m_tail = m_state == Xfer && !m_mine && (chip.req & 2) == 0;
        if (to_me || to_chip) {
            m_state = Gnt;
            m_mine = to_me;
        } else if (m_state == Idle) {
            m_mine = m_home;
        } else if (m_state == Gnt) {
            m_state = Start;
        } else {
            m_state = m_state == Start   ? (owner != 0 ? Xfer : Idle)
                      : (owner & 2) != 0 ? Xfer
                                         : Idle;
        }
    }

private:
    enum State { Idle, Gnt, Start, Xfer };
    static constexpr int AckVc = 3;  // stands for an ack, which needs no credit
    static constexpr uint64_t AckGap = 16;
    struct Held {
        uint64_t until;
        uint32_t vc;
    };

    void take(const PinsOut& chip) {
        const bool first = m_state == Start && !m_mine && chip.req != 0;
        if (!first && !(m_state == Xfer && !m_mine) && !m_tail) return;
        if (first) {
            m_in.clear();
            m_in_vc = chip.req - 1;
        }
        m_in.push_back(chip.oe ? chip.d : 0);
        if (!m_tail) return;
        if ((m_in[0] >> 14 & 7) != 4) m_held.push_back({m_clock + (hold ? hold() : 0), m_in_vc});
        if (on_receive) on_receive(m_in);
    }

    int next() const {
        if (!m_acks.empty() && m_clock >= m_next_ack) return AckVc;
        if (may_start && !may_start()) return -1;
        for (uint32_t n = 1; n <= m_num_vc; ++n) {
            const uint32_t vc = (m_last_vc + n) % m_num_vc;
            if (m_credit[vc] && !m_queue[vc].empty()) return int(vc);
        }
        return -1;
    }

    void drive(bool want) {
        const size_t n = m_out.size();
        const bool sends = m_sent < n;
        m_pins.oe = sends;
        if (sends) m_pins.d = m_out[m_sent];
        if (sends && m_sent == 0) m_pins.req = m_out_vc + 1;
        else if (sends && m_sent + 2 < n) m_pins.req = 2;
        else if (m_state == Gnt && m_mine && !sends) m_pins.req = 0;
        else m_pins.req = want ? 1 : 0;
        if (sends) ++m_sent;
    }

    void begin(uint32_t vc) {
        std::deque<Flits>& from = vc == AckVc ? m_acks : m_queue[vc];
        m_out = std::move(from.front());
        from.pop_front();
        m_sent = 0;
        m_out_vc = vc == AckVc ? 0 : vc;
        if (vc == AckVc) {
            m_next_ack = m_clock + AckGap;
        } else {
            m_credit[vc] = false;
            m_last_vc = vc;
        }
    }

    uint32_t m_num_vc;
    bool m_home;  // the line is this end's when nobody has asked for long
    bool m_mine;
    State m_state = Idle;
    bool m_tail = false;
    PinsOut m_pins;
    uint64_t m_clock = 0, m_next_ack = 0;
    std::array<bool, 3> m_credit{};
    std::array<std::deque<Flits>, 3> m_queue;
    std::deque<Flits> m_acks;
    std::deque<Held> m_held;
    Flits m_out, m_in;
    size_t m_sent = 0;
    uint32_t m_out_vc = 0, m_last_vc = 0, m_in_vc = 0;
};

}  // namespace rdt::tb
