// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_inject.sv: puts acks and LOCAL's packets behind the crossbar,
// ahead of data, one at a time.
#pragma once

#include "core/ack.h"

namespace rdt::core {

class Inject {
public:
    enum State : uint32_t { Idle, Want, Ack, Loc };
    struct In {
        bool snd_v = false;
        AckNote snd;
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

    void reset() { m_q = Regs{}; }
    const Regs& q() const { return m_q; }

    bool snd_take(bool snd_v) const { return m_q.st == Idle && snd_v && m_q.cool == 0; }

    uint32_t want(bool snd_v, uint32_t loc_want) const {
        if (m_q.st == Want) return 1u << m_q.ack.port;
        return m_q.st == Idle && !snd_take(snd_v) ? loc_want << PortM0 : 0;
    }

    uint32_t loc_gnt(bool snd_v, uint32_t loc_want, uint32_t gnt) const {
        return m_q.st == Idle && !snd_take(snd_v) ? gnt >> PortM0 & loc_want : 0;
    }

    stream_t x(stream_t loc_x) const {
        if (m_q.st == Loc) return loc_x;
        if (m_q.st != Ack) return 0;
        return make_stream(code_of(m_q.idx, 2, VcVc0), make_flit(m_q.idx == 0 ? h0() : 0));
    }

    void clock(const In& in) {
        const bool takes_ack = snd_take(in.snd_v);
        const uint32_t loc = loc_gnt(in.snd_v, in.loc_want, in.gnt);
        if (m_q.cool != 0) --m_q.cool;
        switch (m_q.st) {
        case Idle:
            if (takes_ack) {
                m_q.ack = in.snd;
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
    uint32_t h0() const {
        flit_t h = with(0, H0Type, int(TypeAck));
        h = with(h, H0Len, 2);
        h = with(h, H0Tag, int(m_q.ack.tag));
        return with(h, H0Status, int(m_q.ack.status));
    }

    Regs m_q;
};

}  // namespace rdt::core
