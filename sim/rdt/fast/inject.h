// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_inject.sv: puts acks, RETRY answers and LOCAL's packets behind
// the crossbar, ahead of data, one at a time.
//
// An ack that its link does not accept is dropped, so a failed link blocks no other ack. The
// waiting multicast has a time-out.
#pragma once

#include <rdt/fast/ack.h>

namespace rdt::fast {

class Inject {
public:
    enum State : uint32_t { Idle, Want, Ack, Loc };
    struct In {
        bool snd_v = false;  // for a port that is not busy()
        AckNote snd;
        uint32_t retry = 0;  // inputs whose multicast has waited too long, and got no entry now
        std::array<uint32_t, NumPorts> ent_tag{};  // its tag
        uint32_t loc_want = 0;                     // of LOCAL, one bit an MBP
        stream_t loc_x = 0;
        uint32_t gnt = 0;  // by output

        bool is_something() const { return snd_v || (retry | loc_want) != 0; }
    };
    struct Regs {
        uint32_t st = Idle;
        AckNote ack;
        uint32_t second = 0;  // payload of the flit after its H0
        uint32_t idx = 0;
        uint32_t wait = 0;            // cycles the ack has waited for its line
        uint32_t m0 = 0;              // ports that had an ack in this round of `cool`
        uint32_t m1 = 0;              // ... and in the last
        uint32_t cool = 0;            // counts while there are any
        uint32_t rty = NumPorts - 1;  // port that was last answered RETRY
        bool begun = false;           // the first flit of LOCAL's packet has passed
    };

    explicit Inject(flit_t lanes = OneLane, uint32_t entries = NumEntries)
        : m_lanes(lanes), m_sends_two(has_banks(entries)) {}

    void reset() { m_q = Regs{}; }
    const Regs& q() const { return m_q; }

    // clock() would change nothing unless it is given something.
    bool at_rest() const { return is_idle() && recent() == 0; }
    bool is_idle() const { return m_q.st == Idle; }
    // So many cycles in which it is given nothing, if nothing is in flight. An ack that waits for
    // its line still waits afterwards.
    void skip(uint64_t clocks) {
        if (m_q.st == Want) m_q.wait += uint32_t(clocks);
        while (clocks != 0 && recent() != 0) {
            const uint64_t left = AckGap - m_q.cool;  // in this round
            const uint64_t step = clocks < left ? clocks : left;
            m_q.cool += uint32_t(step);
            clocks -= step;
            if (m_q.cool == AckGap) end_round();
        }
    }

    // Ports to which another ack would come too soon, or all but that of the ack that is sent, if
    // another may go with it.
    uint32_t busy() const { return takes_second() ? AllPorts & ~(1u << m_q.ack.port) : recent(); }

    bool snd_take(bool snd_v) const { return (m_q.st == Idle || takes_second()) && snd_v; }
    uint32_t retry_ack(bool snd_v, uint32_t retry) const {
        const uint32_t open = retry & ~recent();
        return m_q.st == Idle && !snd_v && open != 0 ? 1u << next_after(m_q.rty, open) : 0;
    }
    // The ack was not accepted.
    bool ev_lost(const In& in) const { return m_q.st == Want && !ack_gnt(in) && is_late(); }

    uint32_t want(const In& in) const {
        if (m_q.st == Want) return 1u << m_q.ack.port & AllPorts;
        return serves_local(in) ? in.loc_want << PortM0 : 0;
    }
    uint32_t loc_gnt(const In& in) const {
        return serves_local(in) ? in.gnt >> PortM0 & in.loc_want : 0;
    }

    stream_t x(stream_t loc_x) const {
        if (m_q.st == Loc) return loc_x;
        if (m_q.st != Ack) return 0;
        const flit_t flit = m_q.idx == 0 ? core::head_of(m_q.ack) : make_flit(m_q.second);
        return make_stream(code_of(m_q.idx, 2, VcVc0), flit * m_lanes);
    }

    void clock(const In& in) {
        const uint32_t used = m_q.st == Want && ack_gnt(in) ? 1u << m_q.ack.port : 0;
        switch (m_q.st) {
        case Idle: idle(in); break;
        case Want:
            if (ack_gnt(in)) {
                m_q.st = Ack;
                m_q.idx = 0;
            } else if (is_late()) {
                m_q.st = Idle;
            } else {
                ++m_q.wait;
            }
            break;
        case Ack:
            m_q.second =
                takes_second() && in.snd_v ? core::second_payload(in.snd.tag, in.snd.status) : 0;
            if (m_q.idx == 2) m_q.st = Idle;
            ++m_q.idx;
            break;
        default:
            if (m_q.begun && stream_code(in.loc_x) == CodeLast) m_q.st = Idle;
            m_q.begun = true;
            break;
        }
        cool_down(used);  // last: busy() of this cycle counts above
    }

private:
    static constexpr uint32_t AllPorts = (1u << NumPorts) - 1;

    // Ports that had an ack a moment ago.
    uint32_t recent() const { return m_q.m0 | m_q.m1; }
    bool takes_second() const {
        return m_sends_two && m_q.st == Ack && m_q.idx == 0 && is_network(m_q.ack.port);
    }
    bool serves_local(const In& in) const {
        return m_q.st == Idle && !in.snd_v && retry_ack(false, in.retry) == 0;
    }
    // An entry that was put back may name a port that does not exist: it is never granted.
    bool ack_gnt(const In& in) const { return (in.gnt & AllPorts) >> m_q.ack.port & 1; }
    bool is_late() const { return m_q.wait == AckWait - 1; }

    void idle(const In& in) {
        const uint32_t retried = retry_ack(in.snd_v, in.retry);
        const uint32_t loc = loc_gnt(in);
        if (in.snd_v) {
            m_q.ack = in.snd;
        } else if (retried != 0) {
            m_q.rty = uint32_t(__builtin_ctz(retried));
            m_q.ack = {m_q.rty, in.ent_tag[m_q.rty], 1u << AckRetry};
        } else if (loc != 0) {
            m_q.st = Loc;
            m_q.begun = false;
            return;
        } else {
            return;
        }
        m_q.st = Want;
        m_q.wait = 0;
    }

    // A port is busy to the end of the round after the one in which it had an ack: 16 to 31 cycles.
    // One counter serves all ports.
    void cool_down(uint32_t used) {
        m_q.m0 |= used;
        if (recent() == 0) return;
        ++m_q.cool;
        if (m_q.cool == AckGap) end_round();
    }
    void end_round() {
        m_q.m1 = m_q.m0;
        m_q.m0 = 0;
        m_q.cool = 0;
    }

    flit_t m_lanes;
    bool m_sends_two;
    Regs m_q;
};

}  // namespace rdt::fast
