// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_link_io.sv: one port of Lines.
#pragma once

#include "core/lines.h"

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

    explicit LinkIo(Params params) : m_lines(lines_of(params)) {}

    void reset() { m_lines.reset(); }
    Regs q() const { return regs_of(m_lines.q(), 0); }
    bool line_gnt(uint32_t own, uint32_t peer_pins) const {
        return m_lines.line_gnt(pair(own), pair(peer_pins)) != 0;
    }
    bool line_void() const { return m_lines.line_void() != 0; }
    bool ev_line(uint32_t peer_pins, bool own_oe) const {
        return m_lines.ev_line(pair(peer_pins), own_oe) != 0;
    }
    bool quiet(uint32_t own, uint32_t peer_pins) const {
        return m_lines.quiet(pair(own), pair(peer_pins), 0);
    }

    void clock(const In& in) {
        Lines::In lines;
        lines.link_en = in.link_en;
        lines.req = pair(in.req);
        lines.own_req = pair(in.own_req);
        lines.cred_ret = in.cred_ret;
        lines.cred_vc = pair(in.cred_vc);
        lines.cred_add = per_vc(in.cred_add);
        lines.room = per_vc(in.room);
        m_lines.clock(lines, [&in](uint32_t) { return in.d; });
        m_lines.watch(0, in.d);
    }

    // One port of many.
    static Regs regs_of(const Lines::Regs& q, uint32_t p) {
        const auto bit = [p](Ports ports) { return (ports >> p & 1) != 0; };
        return {q.st.of(p),
                bit(q.mine),
                bit(q.tail),
                bit(q.ann),
                uint32_t(bit(q.pend[0])) | uint32_t(bit(q.pend[1])) << 1 |
                    uint32_t(bit(q.pend[2])) << 2,
                bit(q.rx_valid),
                bit(q.rx_first),
                bit(q.rx_last),
                q.rx_vc[p],
                q.rx_d[p],
                q.cred.of(p)};
    }

private:
    static TwoBits pair(uint32_t value) { return {value & 1, value >> 1 & 1}; }
    static Lines::PerVc per_vc(uint32_t vcs) { return {vcs & 1, vcs >> 1 & 1, vcs >> 2 & 1}; }
    static Lines::Params lines_of(Params p) {
        return {per_vc((1u << p.num_vc) - 1), p.prio, p.always_on};
    }

    Lines m_lines;
};

}  // namespace rdt::core
