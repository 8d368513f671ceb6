// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_input_unit.sv: the buffers of one port, what is known about
// the packet in each, the one packet presented to the arbiter and the one being read.
//
// In a clock: present() first, then grants are made from want() and the streams
// are pulled with stream(), then clock(). present() and stream() change no register.
#pragma once

#include <array>

#include "core/buffer_ram.h"
#include "core/route.h"

namespace rdt::core {

class InputUnit {
public:
    static constexpr uint32_t MaxVc = 3;
    static constexpr uint32_t LocalCredit = 1u << 30;

    struct Rx {
        bool valid = false;
        bool first = false;
        bool last = false;
        uint32_t vc = 0;
        flit_t d = 0;
    };
    struct In {
        Rx rx;
        bool gnt = false;
        bool tick = false;
        bool to_ack = false;
    };
    struct Events {
        bool body = false;
        bool frame = false;
        bool over = false;
    };
    // What is known of the packet in one buffer once its header has been routed.
    struct Slot {
        bool pkt = false;  // waits to be granted
        uint32_t dst = 0;
        uint32_t aux = 0;  // error code if dst is LOCAL, else output VC
        uint32_t age = 0;
        bool pois = false;
    };
    struct Regs {
        uint32_t wr_idx = 0;
        bool drop = false;
        flit_t hdr0 = 0;
        flit_t hdr1 = 0;
        bool cur_err = false;
        std::array<Slot, MaxVc> slot{};
        uint32_t sel = 0;
        uint32_t want = 0;
        bool rd_busy = false;
        uint32_t rd_vc = 0;
        uint32_t rd_idx = 0;
        uint32_t rd_len = 0;
        uint32_t rd_aux = 0;
        bool rd_loc = false;
        bool rd_pois = false;
    };

    InputUnit(uint32_t num_vc, uint32_t in_port) : m_num_vc(num_vc), m_in_port(in_port) {}

    void reset() { m_q = Regs{}; }
    const Regs& q() const { return m_q; }
    uint32_t want() const { return m_q.want; }
    uint32_t pkt_mask() const {
        return uint32_t(m_q.slot[0].pkt) | uint32_t(m_q.slot[1].pkt) << 1 |
               uint32_t(m_q.slot[2].pkt) << 2;
    }

    // Nothing arrives, waits or is being read: clock() would change nothing.
    bool quiet(bool rx_valid) const {
        return !rx_valid && !m_q.rd_busy && m_q.want == 0 && pkt_mask() == 0;
    }

    // Looks at the arriving flit and picks the packet to present; returns the
    // output it asks for, one-hot (cand_o). Bit 3*o + v of credit: output o can
    // take a packet on VC v; bit 30: LOCAL is free.
    uint32_t present(const Rx& rx, const RouteConfig& cfg, uint32_t credit) {
        look_at(rx, cfg);
        m_sel = m_q.sel;
        m_cand = 0;
        const uint32_t last = m_q.rd_busy ? read_len() : 0;
        const bool open = !m_q.rd_busy || (m_q.rd_idx != 0 && m_q.rd_idx + 1 >= last);
        uint32_t v = m_q.sel;
        for (uint32_t n = 0; n < m_num_vc; ++n) {
            const uint32_t dst = destination_if_eligible(v, rx.vc, credit);
            if (dst != NoOutput) {
                m_sel = v;
                m_cand = open ? 1u << dst : 0;
                break;
            }
            v = next_vc(v);
        }
        return m_cand;
    }

    stream_t stream() const {
        if (!m_q.rd_busy) return 0;
        flit_t flit = m_ram[m_q.rd_vc].read(m_q.rd_idx);
        if (m_q.rd_pois && m_q.rd_idx >= 3) flit = 0;
        const uint32_t vc_code = m_q.rd_loc ? 1 : (m_q.rd_aux & 3) + 1;
        return make_stream(code_of(m_q.rd_idx, read_len(), vc_code & 3), flit);
    }
    uint32_t rd_err() const { return m_q.rd_loc ? m_q.rd_aux : 0; }

    // Lowest VC whose packet has timed out and was not reported yet, or MaxVc.
    uint32_t timed_out() const {
        for (uint32_t v = 0; v < m_num_vc; ++v)
            if (m_q.slot[v].pkt && m_q.slot[v].age == 2) return v;
        return MaxVc;
    }

    // Valid between present() and clock().
    Events events() const { return m_events; }
    uint32_t cred_vc() const { return m_q.sel; }

    void clock(const In& in) {
        age(in);
        if (m_q.rd_busy) {
            m_q.rd_len = read_len();
            if (m_q.rd_idx != 0 && m_q.rd_idx == m_q.rd_len) m_q.rd_busy = false;
            else ++m_q.rd_idx;
        }
        const uint32_t presented = m_q.sel;
        const bool short_begun =
            m_short && !(m_fresh || (m_q.slot[in.rx.vc].pkt && !(in.gnt && presented == in.rx.vc)));
        if (in.gnt) start_reading();
        if (short_begun) m_q.rd_pois = true;
        take(in.rx, short_begun);
        m_q.want = in.gnt ? 0 : m_cand;
        m_q.sel = in.gnt ? next_vc(presented) : m_sel;
    }

private:
    static constexpr uint32_t NoOutput = 31;

    uint32_t next_vc(uint32_t v) const { return v + 1 == m_num_vc ? 0 : v + 1; }

    // Index of the last flit of the packet being read. A packet with an error
    // is read for its header only: its length cannot be trusted.
    uint32_t read_len() const {
        if (m_q.rd_idx != 0) return m_q.rd_len;
        if (m_q.rd_loc && m_q.rd_aux != 0) return 2;
        return uint32_t(get(m_ram[m_q.rd_vc].read(0), H0Len));
    }

    void look_at(const Rx& rx, const RouteConfig& cfg) {
        m_events = Events{};
        m_fresh = false;
        m_short = false;
        if (!rx.valid) return;
        m_idx = rx.first ? 0 : m_q.wr_idx;
        m_drop = rx.first ? rx.vc >= m_num_vc || m_q.slot[rx.vc].pkt : m_q.drop;
        m_events.over = rx.first && m_drop;
        if (m_drop) return;
        m_events.body = m_idx >= 3 && m_idx < 16 && !odd(rx.d);
        m_fresh = m_idx == 2;
        if (m_fresh) m_route = route({m_q.hdr0, m_q.hdr1, rx.d}, m_in_port, rx.vc, cfg);
        const bool bad = m_fresh ? m_route.err != ErrNone : m_q.cur_err;
        if (!rx.last || bad) return;
        const uint32_t len = uint32_t(get(m_q.hdr0, H0Len));
        m_events.frame = m_idx != len;
        m_short = m_idx < len;
    }

    uint32_t destination_if_eligible(uint32_t v, uint32_t rx_vc, uint32_t credit) const {
        uint32_t dst = m_q.slot[v].dst;
        uint32_t ovc = m_q.slot[v].aux & 3;
        if (m_fresh && rx_vc == v) {
            dst = m_route.dst;
            ovc = m_route.ovc;
        } else if (!m_q.slot[v].pkt) {
            return NoOutput;
        }
        const uint32_t need = dst == PortLocal ? LocalCredit : 1u << (3 * dst + ovc);
        return (credit & need) != 0 ? dst : NoOutput;
    }

    void age(const In& in) {
        if (!in.tick && !in.to_ack) return;
        const uint32_t reported = in.to_ack ? timed_out() : MaxVc;
        for (uint32_t v = 0; v < m_num_vc; ++v) {
            Slot& s = m_q.slot[v];
            if (v == reported) s.age = 3;
            else if (in.tick && s.pkt && s.age < 2) ++s.age;
        }
    }

    void start_reading() {
        Slot& s = m_q.slot[m_q.sel];
        m_q.rd_busy = true;
        m_q.rd_vc = m_q.sel;
        m_q.rd_idx = 0;
        m_q.rd_aux = s.aux;
        m_q.rd_loc = s.dst == PortLocal;
        m_q.rd_pois = s.pois;
        s.pkt = false;
        s.age = 0;
    }

    void take(const Rx& rx, bool short_begun) {
        if (!rx.valid) return;
        if (!m_drop && m_idx < 16) m_ram[rx.vc].write(m_idx, rx.d);
        m_q.wr_idx = m_idx < 16 ? m_idx + 1 : 16;
        m_q.drop = m_drop;
        if (m_idx == 0) m_q.hdr0 = rx.d;
        if (m_idx == 1) m_q.hdr1 = rx.d;
        if (m_fresh) {
            const uint32_t aux = m_route.dst == PortLocal ? m_route.err : m_route.ovc;
            m_q.slot[rx.vc] = Slot{true, m_route.dst, aux, 0, false};
            m_q.cur_err = m_route.err != ErrNone;
        }
        if (m_short && !short_begun) m_q.slot[rx.vc].pois = true;
    }

    uint32_t m_num_vc;
    uint32_t m_in_port;
    Regs m_q;
    std::array<BufferRam, MaxVc> m_ram;

    // This clock's findings, made by present() for clock().
    Events m_events;
    Route m_route{};
    uint32_t m_idx = 0;
    uint32_t m_sel = 0;
    uint32_t m_cand = 0;
    bool m_drop = false;
    bool m_fresh = false;
    bool m_short = false;
};

}  // namespace rdt::core
