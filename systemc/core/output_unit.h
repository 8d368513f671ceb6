// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_output_unit.sv: takes a stream from the crossbar or from
// LOCAL, rewrites its header, drives D and REQ, and keeps the credits of the link.
#pragma once

#include <array>

#include "core/bitmap.h"

namespace rdt::core {

class OutputUnit {
public:
    static constexpr uint32_t MaxVc = 3;
    // What has become of a credit that was used.
    enum Owed : uint8_t { Nothing, Used, Ticked, Overdue };
    struct In {
        bool link_en = false;
        bool raw = false;  // a packet is dumped as it stands in the buffer
        bool tick = false;
        uint32_t rank = 0;
        stream_t x = 0;
        bool gnt = false;
        bool cand_any = false;
        bool line_gnt = false;
        bool line_void = false;
        uint32_t cred = 0;
        bool loc_want = false;
        stream_t loc_x = 0;
    };
    struct Regs {
        bool tx = false;
        uint32_t hidx = 0;
        bool txloc = false;
        bool rw = false;        // unicast: the header is rewritten
        bool mc = false;        // multicast: the used-up map byte is cleared
        bool transfer = false;  // ... unless nothing was used up
        flit_t d = 0;
        bool oe = false;
        uint32_t req = 0;
        uint32_t credit = 0;
        std::array<Owed, MaxVc> owed{};
    };

    OutputUnit(uint32_t out_port, uint32_t num_vc, flit_t lanes = OneLane)
        : m_out_port(out_port), m_num_vc(num_vc), m_lanes(lanes) {}

    void reset() { m_q = Regs{}; }
    const Regs& q() const { return m_q; }

    uint32_t credit(bool link_en) const { return link_en ? m_q.credit : 0; }

    // Nothing to send and nothing under way: clock() would change nothing, unless a
    // tick finds a credit that is owed.
    bool quiet(bool asked_for, uint32_t cred, bool tick) const {
        return !asked_for && cred == 0 && !m_q.tx && !m_q.oe && m_q.req == 0 && !tick;
    }

    // Who uses a line that was given to this end, LOCAL or the crossbar. One bit a
    // port, so that the chip asks for all its outputs at once.
    static uint32_t xb_gnt(uint32_t line_gnt, uint32_t loc_want) { return line_gnt & ~loc_want; }
    static uint32_t loc_gnt(uint32_t line_gnt, uint32_t loc_want) { return line_gnt & loc_want; }

    bool ev_cred(uint32_t cred) const {
        return cred > m_num_vc || (cred != 0 && (m_q.credit >> (cred - 1) & 1) != 0);
    }

    // A credit becomes overdue: the packet it was used for was lost, or its buffer is stuck.
    bool ev_owed(const In& in) const {
        if (!in.tick) return false;
        const uint32_t used = credit_used(in);
        for (uint32_t v = 0; v < m_num_vc; ++v)
            if (m_q.owed[v] == Ticked && in.cred != v + 1 && used != v + 1) return true;
        return false;
    }

    void clock(const In& in) {
        const bool from_local = loc_gnt(in.line_gnt, in.loc_want) != 0;
        const bool start = in.gnt || from_local;
        const stream_t x = stream(in);
        const bool first = m_q.tx && m_q.hidx == 0;
        const uint32_t code = code_of_stream(in);

        if (first) {
            m_q.req = code;
        } else if (m_q.tx && code == CodeMore) {
            m_q.req = ReqMore;
        } else if (in.line_void && !m_q.tx) {
            m_q.req = ReqIdle;
        } else {
            m_q.req = in.cand_any || in.loc_want ? ReqWant : ReqIdle;
        }
        account(in);

        m_q.oe = m_q.tx;
        if (m_q.tx) {
            if (first) {
                m_q.rw = is_rewritten(stream_flit(x));
                m_q.mc = is_multicast(stream_flit(x));
                m_q.transfer = code == VcVcT && m_out_port <= PortW0;
            }
            m_q.d = in.raw ? stream_flit(x) : outgoing(stream_flit(x), in.rank);
        }
        if (start) {
            m_q.tx = true;
            m_q.hidx = 0;
            m_q.txloc = from_local;
        } else if (m_q.tx) {
            if (m_q.hidx != 0 && code == CodeLast) m_q.tx = false;
            if (m_q.hidx < 3) ++m_q.hidx;
        }
    }

private:
    stream_t stream(const In& in) const { return m_q.txloc ? in.loc_x : in.x; }
    uint32_t code_of_stream(const In& in) const {
        // An MBP has one VC, whatever VC the other copies of the pass take.
        const bool first = m_q.tx && m_q.hidx == 0;
        return first && is_mbp(m_out_port) ? uint32_t(VcVc0) : stream_code(stream(in));
    }

    // VC code of the credit that this clock's flit uses up, 0 if none. An ack needs none.
    uint32_t credit_used(const In& in) const {
        if (!m_q.tx || m_q.hidx != 0) return 0;
        if (get(stream_flit(stream(in)), H0Type) == int(TypeAck)) return 0;
        return code_of_stream(in);
    }

    void account(const In& in) {
        if (in.tick) {
            for (Owed& o : m_q.owed)
                if (o == Used || o == Ticked) o = Owed(o + 1);
        }
        if (const uint32_t used = credit_used(in)) {
            m_q.credit &= ~(1u << (used - 1));
            m_q.owed[used - 1] = Used;
        }
        if (in.cred != 0 && in.cred <= m_num_vc) {
            m_q.credit |= 1u << (in.cred - 1);
            m_q.owed[in.cred - 1] = Nothing;
        }
    }

    flit_t outgoing(flit_t flit, uint32_t rank) const {
        if (m_q.txloc || m_q.hidx == 3) return flit;
        if (m_q.mc) return leave_through(flit, m_q.hidx, m_out_port, rank, m_q.transfer, m_lanes);
        if (!m_q.rw || !is_network(m_out_port)) return flit;
        return rewrite(flit, m_q.hidx, m_out_port, rank, m_lanes);
    }

    uint32_t m_out_port;
    uint32_t m_num_vc;
    flit_t m_lanes;
    Regs m_q;
};

}  // namespace rdt::core
