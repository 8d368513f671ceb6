// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_link_io.sv: one port of Lines.
//
// One line alone has so few states that what Lines does in each of them is looked up; only clocks
// in which a buffer is given back are left to Lines itself.
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
        uint8_t st = LineIdle;
        bool mine = false;
        bool tail = false;
        bool ann = false;
        uint8_t pend = 0;
        bool rx_valid = false;
        bool rx_first = false;
        bool rx_last = false;
        uint8_t rx_vc = 0;
        uint8_t cred = 0;
        flit_t rx_d = 0;
    };

    explicit LinkIo(Params params)
        : m_num_vc(uint8_t(params.num_vc)), m_prio(params.prio), m_always_on(params.always_on) {
        reset();
    }

    void reset() { m_q = regs_of(Lines<1>(lines_of(params())).q(), 0); }
    const Regs& q() const { return m_q; }
    bool line_gnt(uint32_t own, uint32_t peer_pins) const { return step(own, peer_pins).gnt; }
    bool line_void() const { return m_q.st == LineGnt && m_q.mine; }
    bool ev_line(uint32_t peer_pins, bool own_oe) const {
        return lines().ev_line(pair(peer_pins), own_oe) != 0;
    }
    bool quiet(uint32_t own, uint32_t peer_pins) const {
        return lines().quiet(pair(own), pair(peer_pins), 0);
    }
    // In the middle of a packet: as long as its owner says that more comes and no buffer is given
    // back, watch() is a clock.
    bool mid_packet() const {
        return m_q.st == LineXfer && m_q.ann && m_q.rx_valid != m_q.mine && !m_q.tail &&
               !m_q.rx_first && !m_q.rx_last && (m_q.cred | m_q.pend) == 0;
    }
    void watch(flit_t d) { m_q.rx_d = d; }

    void clock(const In& in) {
        const bool switched_on = (in.link_en || m_always_on) && !m_q.ann;
        if ((m_q.pend | m_q.cred | in.cred_add) != 0 || in.cred_ret || switched_on) {
            clock_lines(in);
        } else {
            const Step& next = step(in.own_req, in.req);
            m_q.st = next.st;
            m_q.mine = next.mine;
            m_q.rx_valid = next.rx_valid;
            m_q.rx_first = next.rx_first;
            m_q.rx_last = m_q.tail;
            m_q.tail = next.tail;
            if (next.rx_first) m_q.rx_vc = uint8_t(in.req - 1);
        }
        m_q.rx_d = in.d;
    }

    // One port of many.
    template <typename LinesRegs>
    static Regs regs_of(const LinesRegs& q, uint32_t p) {
        const auto bit = [p](Ports ports) { return (ports >> p & 1) != 0; };
        return {uint8_t(q.st.of(p)),
                bit(q.mine),
                bit(q.tail),
                bit(q.ann),
                uint8_t(uint32_t(bit(q.pend[0])) | uint32_t(bit(q.pend[1])) << 1 |
                        uint32_t(bit(q.pend[2])) << 2),
                bit(q.rx_valid),
                bit(q.rx_first),
                bit(q.rx_last),
                uint8_t(q.rx_vc.of(p)),
                uint8_t(q.cred.of(p)),
                q.rx_d[p]};
    }

private:
    // What follows from a state of the line and both ends' REQ.
    struct Step {
        uint8_t st = 0;
        bool mine = false;
        bool tail = false;
        bool rx_valid = false;
        bool rx_first = false;
        bool gnt = false;
    };
    static constexpr uint32_t Steps = 512;

    static const std::array<Step, Steps> Table;
    static std::array<Step, Steps> make_steps() {
        std::array<Step, Steps> steps;
        for (uint32_t n = 0; n < Steps; ++n) {
            Regs q;
            q.st = n & 3;
            q.mine = (n >> 2 & 1) != 0;
            q.tail = (n >> 3 & 1) != 0;
            q.ann = true;
            Lines<1> lines(lines_of({1, (n >> 8 & 1) != 0, true}), words_of(q));
            Lines<1>::In in;
            in.own_req = pair(n >> 4 & 3);
            in.req = pair(n >> 6 & 3);
            const bool gnt = lines.line_gnt(in.own_req, in.req) != 0;
            lines.clock(in, [](uint32_t) { return 0; });
            const Regs next = regs_of(lines.q(), 0);
            steps[n] = {next.st, next.mine, next.tail, next.rx_valid, next.rx_first, gnt};
        }
        return steps;
    }
    const Step& step(uint32_t own, uint32_t peer_pins) const {
        const uint32_t peer = m_q.ann ? peer_pins : 0;
        return Table[m_q.st | uint32_t(m_q.mine) << 2 | uint32_t(m_q.tail) << 3 | own << 4 |
                     peer << 6 | uint32_t(m_prio) << 8];
    }

    void clock_lines(const In& in) {
        Lines<1>::In all;
        all.link_en = in.link_en;
        all.req = pair(in.req);
        all.own_req = pair(in.own_req);
        all.cred_ret = in.cred_ret;
        all.cred_vc = pair(in.cred_vc);
        all.cred_add = per_vc(in.cred_add);
        all.room = per_vc(in.room);
        Lines<1> one = lines();
        one.clock(all, [](uint32_t) { return 0; });
        m_q = regs_of(one.q(), 0);
    }
    Lines<1> lines() const { return Lines<1>(lines_of(params()), words_of(m_q)); }

    static TwoBits pair(uint32_t value) { return {value & 1u, value >> 1 & 1u}; }
    static Lines<1>::PerVc per_vc(uint32_t vcs) { return {vcs & 1u, vcs >> 1 & 1u, vcs >> 2 & 1u}; }
    static Lines<1>::Params lines_of(Params p) {
        return {per_vc((1u << p.num_vc) - 1), p.prio, p.always_on};
    }
    static Lines<1>::Regs words_of(const Regs& q) {
        return {pair(q.st), q.mine,    q.tail,       q.ann,         per_vc(q.pend), q.rx_valid,
                q.rx_first, q.rx_last, pair(q.cred), pair(q.rx_vc), {q.rx_d}};
    }

    Params params() const { return {m_num_vc, m_prio, m_always_on}; }

    uint8_t m_num_vc;
    bool m_prio;
    bool m_always_on;
    Regs m_q;
};
inline const std::array<LinkIo::Step, LinkIo::Steps> LinkIo::Table = LinkIo::make_steps();

}  // namespace rdt::core
