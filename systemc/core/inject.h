// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_inject.sv: puts acks, RETRY answers and LOCAL's packets behind
// the crossbar, ahead of data, one at a time.
#pragma once

#include "core/ack.h"

namespace rdt::core {

class Inject {
public:
    enum State : uint32_t { Idle, Want, Ack, Loc };
    struct In {
        bool snd_v = false;
        AckNote snd;
        uint32_t retry = 0;     // inputs whose multicast has waited too long, and got no entry now
        uint32_t ent_tag = 0;   // of the lowest of them
        uint32_t loc_want = 0;  // of LOCAL, one bit an MBP
        stream_t loc_x = 0;
        uint32_t gnt = 0;  // by output
    };
    struct Regs {
        uint32_t st = Idle;
        AckNote ack;
        uint32_t idx = 0;
        uint32_t cool = 0;
        bool begun = false;  // the first flit of LOCAL's packet has passed
    };

    explicit Inject(flit_t lanes = OneLane) : m_lanes(lanes) {}

    void reset() { m_q = Regs{}; }
    const Regs& q() const { return m_q; }

    bool snd_take(bool snd_v) const { return takes() && snd_v; }
    uint32_t retry_ack(bool snd_v, uint32_t retry) const {
        return takes() && !snd_v ? retry & -retry : 0;
    }

    uint32_t want(const In& in) const {
        if (m_q.st == Want) return 1u << m_q.ack.port;
        return serves_local(in) ? in.loc_want << PortM0 : 0;
    }
    uint32_t loc_gnt(const In& in) const {
        return serves_local(in) ? in.gnt >> PortM0 & in.loc_want : 0;
    }

    stream_t x(stream_t loc_x) const {
        if (m_q.st == Loc) return loc_x;
        if (m_q.st != Ack) return 0;
        return make_stream(code_of(m_q.idx, 2, VcVc0),
                           make_flit(m_q.idx == 0 ? h0() : 0, m_q.idx) * m_lanes);
    }

    void clock(const In& in) {
        const bool takes_ack = snd_take(in.snd_v);
        const uint32_t retried = retry_ack(in.snd_v, in.retry);
        const uint32_t loc = loc_gnt(in);
        if (m_q.cool != 0) --m_q.cool;
        switch (m_q.st) {
        case Idle:
            if (takes_ack) {
                m_q.ack = in.snd;
                m_q.st = Want;
            } else if (retried != 0) {
                m_q.ack = {uint32_t(__builtin_ctz(retried)), in.ent_tag, 1u << AckRetry};
                m_q.st = Want;
            } else if (loc != 0) {
                m_q.st = Loc;
                m_q.begun = false;
            }
            break;
        case Want:
            if (in.gnt >> m_q.ack.port & 1) {
                m_q.st = Ack;
                m_q.idx = 0;
                m_q.cool = AckGap - 1;
            }
            break;
        case Ack:
            if (m_q.idx == 2) m_q.st = Idle;
            ++m_q.idx;
            break;
        default:
            if (m_q.begun && stream_code(in.loc_x) == CodeLast) m_q.st = Idle;
            m_q.begun = true;
            break;
        }
    }

private:
    bool takes() const { return m_q.st == Idle && m_q.cool == 0; }
    bool serves_local(const In& in) const {
        return m_q.st == Idle && !(takes() && (in.snd_v || in.retry != 0));
    }

    uint32_t h0() const {
        uint32_t h = with(0, H0Type, int(TypeAck));
        h = with(h, H0Len, 2);
        h = with(h, H0Tag, int(m_q.ack.tag));
        return with(h, H0Status, int(m_q.ack.status));
    }

    flit_t m_lanes;
    Regs m_q;
};

}  // namespace rdt::core
