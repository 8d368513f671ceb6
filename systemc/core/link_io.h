// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_link_io.sv: who may drive the line, what arrives on it, and
// which buffers are given back to the other end.
//
// Both ends of a link run this machine over the same two REQ values, so they
// agree on the owner without a grant wire.
#pragma once

#include "core/flit.h"

namespace rdt::core {

class LinkIo {
public:
    struct Params {
        uint32_t num_vc;
        bool prio;       // wins the first tie after reset
        bool always_on;  // MBP links need no switching on
    };
    struct In {
        bool link_en = false;
        flit_t d = 0;
        uint32_t req = 0;      // peer's REQ pins
        uint32_t own_req = 0;  // own REQ pins
        bool own_oe = false;
        bool cred_ret = false;
        uint32_t cred_vc = 0;
        uint32_t cred_add = 0;  // VCs whose credit goes back when there is room
        uint32_t room = 0;      // VCs whose buffer holds no packet
    };
    struct Regs {
        uint32_t st = LineIdle;
        bool mine = false;
        bool tail = false;
        bool ann = false;
        uint32_t pend = 0;
        bool rx_valid = false;
        bool rx_first = false;
        bool rx_last = false;
        uint32_t rx_vc = 0;
        flit_t rx_d = 0;
        uint32_t cred = 0;
    };

    explicit LinkIo(Params params) : m_params(params) { reset(); }

    void reset() {
        m_q = Regs{};
        m_q.mine = first_owner();
    }

    const Regs& q() const { return m_q; }

    // The line is given to this end in this clock; its first flit is on the
    // pins two clocks later.
    bool line_gnt(uint32_t own, uint32_t peer_pins) const {
        if (own == 0) return false;
        const uint32_t peer = m_q.ann ? peer_pins : 0;
        switch (m_q.st) {
        case LineIdle: return peer == 0 || !m_q.mine;
        case LineStart: return !m_q.mine && peer == 0;
        case LineXfer: return m_q.mine && own == ReqWant && peer == 0;
        default: return false;
        }
    }

    bool line_void() const { return m_q.st == LineGnt && m_q.mine; }

    // The ends do not agree on who owns the line. Cannot happen on a sound link.
    bool ev_line(uint32_t peer_pins, bool own_oe) const {
        const uint32_t peer = m_q.ann ? peer_pins : 0;
        return (own_oe && receives(peer)) || (m_q.st == LineXfer && m_q.mine && (peer & 2) != 0);
    }

    // Nothing under way and nothing asked for: clock() would change rx_d only, and
    // there is no event.
    bool quiet(uint32_t own, uint32_t peer_pins, bool link_en) const {
        return (own | peer_pins | m_q.st | m_q.cred | m_q.pend) == 0 && !m_q.rx_valid &&
               !m_q.tail && m_q.mine == first_owner() &&
               (m_q.ann || !(link_en || m_params.always_on));
    }

    void clock(const In& in) {
        const uint32_t peer = m_q.ann ? in.req : 0;
        m_q.rx_valid = receives(peer);
        m_q.rx_first = begins(peer);
        m_q.rx_last = m_q.tail;
        if (m_q.rx_first) m_q.rx_vc = peer - 1;
        m_q.rx_d = in.d;
        m_q.tail = in_transfer() && (peer & 2) == 0;
        advance(in.own_req, peer);
        give_back(in);
    }

private:
    bool first_owner() const { return !m_params.prio; }

    // A packet of the other end: its first flit, those up to the last but one, all of it.
    bool begins(uint32_t peer) const { return m_q.st == LineStart && !m_q.mine && peer != 0; }
    bool in_transfer() const { return m_q.st == LineXfer && !m_q.mine; }
    bool receives(uint32_t peer) const { return begins(peer) || in_transfer() || m_q.tail; }

    void advance(uint32_t own, uint32_t peer) {
        const uint32_t owner = m_q.mine ? own : peer;
        const uint32_t other = m_q.mine ? peer : own;
        switch (m_q.st) {
        case LineIdle:
            if (own != 0 && (peer == 0 || !m_q.mine)) {
                m_q.mine = true;
                m_q.st = LineGnt;
            } else if (peer != 0) {
                m_q.mine = false;
                m_q.st = LineGnt;
            } else {
                m_q.mine = first_owner();
            }
            break;
        case LineGnt: m_q.st = LineStart; break;
        case LineStart:
            if (owner != 0) {
                m_q.st = LineXfer;
            } else if (other != 0) {
                m_q.mine = !m_q.mine;
                m_q.st = LineGnt;
            } else {
                m_q.st = LineIdle;
            }
            break;
        default:
            if ((owner & 2) == 0) m_q.st = owner == ReqWant && other == 0 ? LineGnt : LineIdle;
            break;
        }
    }

    void give_back(const In& in) {
        if (in.cred_ret) {
            m_q.cred = in.cred_vc + 1;
        } else if (m_q.pend != 0) {
            m_q.cred = uint32_t(__builtin_ctz(m_q.pend)) + 1;
            m_q.pend &= m_q.pend - 1;
        } else {
            m_q.cred = 0;
        }
        m_q.pend |= in.cred_add;
        if (!m_q.ann && (m_params.always_on || in.link_en)) {
            m_q.ann = true;
            m_q.pend |= in.room & ((1u << m_params.num_vc) - 1);
        }
    }

    Params m_params;
    Regs m_q;
};

}  // namespace rdt::core
