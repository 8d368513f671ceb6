// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_ack.sv: collects the acks of all copies of a multicast and
// answers its sender with one.
#pragma once

#include <array>

#include "core/flit.h"

namespace rdt::core {

// An ack: of whom, for which tag, with what result.
struct AckNote {
    uint32_t port = 0;
    uint32_t tag = 0;
    uint32_t status = 0;
};

class AckTable {
public:
    enum State : uint32_t { Free, Wait, Late, Quar };
    struct Entry {
        uint32_t st = Free;
        uint32_t port = 0;  // parent
        uint32_t tag = 0;   // parent's
        uint32_t pend = 0;
        uint32_t status = 0;
        uint32_t age = 0;
    };
    struct Regs {
        std::array<Entry, NumEntries + 1> entry{};  // by tag; 0 is not used
        uint32_t last = NumPorts - 1;
        bool bad = false;
        uint32_t bad_port = 0;
        uint32_t bad_tag = 0;
    };
    // What the ten input units show. `note` holds tag and status of the landed acks.
    struct In {
        bool tick = false;
        uint32_t ack_v = 0;
        std::array<AckNote, NumPorts> note{};
        uint32_t ent_req = 0;
        std::array<uint32_t, NumPorts> ent_set{};
        std::array<uint32_t, NumPorts> ent_tag{};
        uint32_t retry = 0;
        bool snd_take = false;
        bool bad_take = false;
    };
    struct Out {
        uint32_t ack_take = 0;
        uint32_t ent_gnt = 0;
        uint32_t ent_new = 0;
        uint32_t retry_ack = 0;
        bool snd_v = false;
        AckNote snd;
        bool ev_table = false;
    };

    void reset() { m_q = Regs{}; }
    const Regs& q() const { return m_q; }

    // Nothing landed, asked for or under way: clock() would change nothing.
    bool quiet(uint32_t ack_v, uint32_t ent_req) const {
        if ((ack_v | ent_req) != 0 || m_q.bad) return false;
        for (uint32_t t = 1; t <= NumEntries; ++t)
            if (m_q.entry[t].st != Free) return false;
        return true;
    }

    // What there is to send does not depend on whether it is taken, so that may be asked first.
    Out comb(const In& in) const {
        Out out;
        const uint32_t p = landing(in);
        if (p < NumPorts) out.ack_take = 1u << p;
        const uint32_t fresh = lowest([](const Entry& e) { return e.st == Free; });
        if (fresh != 0 && in.ent_req != 0) {
            out.ent_gnt = in.ent_req & -in.ent_req;
            out.ent_new = fresh;
        }
        const uint32_t t = to_send();
        const uint32_t retry = in.retry & ~out.ent_gnt;
        if (t != 0) {
            out.snd_v = true;
            out.snd = {m_q.entry[t].port, m_q.entry[t].tag, m_q.entry[t].status};
        } else if (retry != 0) {
            const uint32_t i = uint32_t(__builtin_ctz(retry));
            out.snd_v = true;
            out.snd = {i, in.ent_tag[i], 1u << AckRetry};
            if (in.snd_take) out.retry_ack = 1u << i;
        }
        out.ev_table = out.retry_ack != 0;
        if (in.tick)
            for (uint32_t u = 1; u <= NumEntries; ++u)
                if (expires(u, in, t)) out.ev_table = true;
        return out;
    }

    void clock(const In& in, const Out& out) {
        const uint32_t sent = in.snd_take ? to_send() : 0;
        const uint32_t p = landing(in);
        if (in.bad_take) m_q.bad = false;
        if (p < NumPorts) land(p, in.note[p]);
        for (uint32_t t = 1; t <= NumEntries; ++t) age(m_q.entry[t], t == sent, in.tick);
        if (out.ent_gnt != 0) {
            const uint32_t i = uint32_t(__builtin_ctz(out.ent_gnt));
            m_q.entry[out.ent_new] = {Wait, i, in.ent_tag[i], in.ent_set[i], 0, 0};
        }
    }

private:
    template <typename Test>
    uint32_t lowest(Test&& test) const {
        for (uint32_t t = 1; t <= NumEntries; ++t)
            if (test(m_q.entry[t])) return t;
        return 0;
    }

    uint32_t to_send() const {
        return lowest([](const Entry& e) { return (e.st == Wait && e.pend == 0) || e.st == Late; });
    }

    bool expected(uint32_t port, uint32_t tag) const {
        return tag != 0 && m_q.entry[tag].st != Free && (m_q.entry[tag].pend >> port & 1) != 0;
    }

    // The port whose ack is taken in this clock, NumPorts if none is.
    uint32_t landing(const In& in) const {
        if (in.ack_v == 0) return NumPorts;
        const uint32_t after = in.ack_v & ~((2u << m_q.last) - 1);
        const uint32_t p = uint32_t(__builtin_ctz(after != 0 ? after : in.ack_v));
        if (!expected(p, in.note[p].tag) && m_q.bad && !in.bad_take) return NumPorts;
        return p;
    }

    // Awaited ports of an entry after this clock's landing.
    uint32_t pend_after(uint32_t t, const In& in) const {
        const uint32_t p = landing(in);
        const bool here = p < NumPorts && in.note[p].tag == t;
        return m_q.entry[t].pend & ~(here ? 1u << p : 0);
    }

    bool expires(uint32_t t, const In& in, uint32_t to_be_sent) const {
        const Entry& e = m_q.entry[t];
        const bool is_sent = in.snd_take && t == to_be_sent;
        return !is_sent && e.st == Wait && e.age == 1 && pend_after(t, in) != 0;
    }

    void land(uint32_t p, const AckNote& note) {
        m_q.last = p;
        if (!expected(p, note.tag)) {
            m_q.bad = true;
            m_q.bad_port = p;
            m_q.bad_tag = note.tag;
            return;
        }
        Entry& e = m_q.entry[note.tag];
        e.pend &= ~(1u << p);
        if (e.st == Wait) e.status |= note.status;
    }

    // After landing: what is sent, what has waited too long, what may be used again.
    static void age(Entry& e, bool is_sent, bool tick) {
        if (is_sent) {
            e.st = e.st == Late && e.pend != 0 ? Quar : Free;
            e.age = 0;
        } else if (e.st == Wait && tick && e.pend != 0) {
            if (e.age == 1) {
                e.st = Late;
                e.status |= 1u << AckTimeout;
            } else {
                ++e.age;
            }
        } else if (e.st == Quar) {
            if (e.pend == 0 || (tick && e.age == 1)) e.st = Free;
            else if (tick) ++e.age;
        }
    }

    Regs m_q;
};

}  // namespace rdt::core
