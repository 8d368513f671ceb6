// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_ack.sv: collects the acks of all copies of a multicast and
// answers its sender with one.
#pragma once

#include <array>

#include "core/shot.h"

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
    };
    // What the ten input units show. `note` holds tag and status of the landed acks.
    struct In {
        bool tick = false;
        uint32_t ack_v = 0;
        std::array<AckNote, NumPorts> note{};
        uint32_t ent_req = 0;
        std::array<uint32_t, NumPorts> ent_set{};
        std::array<uint32_t, NumPorts> ent_tag{};
        bool snd_take = false;
        bool stray_ok = false;  // LOCAL can keep an ack that nobody waits for
        bool look = false;      // LOCAL reads or writes the entry of look_tag
        uint32_t look_tag = 0;
        bool put = false;
        uint32_t put_h1 = 0;
        uint32_t put_h2 = 0;
    };
    struct Out {
        uint32_t ack_take = 0;
        uint32_t ent_gnt = 0;
        uint32_t ent_new = 0;
        bool snd_v = false;
        AckNote snd;
        bool stray = false;  // taken, and nobody waits for it
        uint32_t stray_port = 0;
        uint32_t stray_tag = 0;
    };

    void reset() { m_q = Regs{}; }
    const Regs& q() const { return m_q; }

    // Nothing landed, asked for or under way: clock() would change nothing.
    bool quiet(uint32_t ack_v, uint32_t ent_req) const {
        if ((ack_v | ent_req) != 0) return false;
        for (uint32_t t = 1; t <= NumEntries; ++t)
            if (m_q.entry[t].st != Free) return false;
        return true;
    }

    // Does not depend on snd_take, so that what there is to send may be asked first.
    Out comb(const In& in) const {
        Out out;
        const uint32_t p = landing(in);
        if (p < NumPorts) {
            out.ack_take = 1u << p;
            out.stray = !expected(p, in.note[p].tag);
            out.stray_port = p;
            out.stray_tag = in.note[p].tag;
        }
        const uint32_t fresh = lowest([](const Entry& e) { return e.st == Free; });
        if (fresh != 0 && in.ent_req != 0 && !in.put) {
            out.ent_gnt = in.ent_req & -in.ent_req;
            out.ent_new = fresh;
        }
        if (const uint32_t t = in.look ? 0 : to_send()) {
            out.snd_v = true;
            out.snd = {m_q.entry[t].port, m_q.entry[t].tag, m_q.entry[t].status};
        }
        return out;
    }

    // An entry becomes Late.
    bool ev_table(const In& in) const {
        if (!in.tick) return false;
        const uint32_t sent = in.snd_take ? to_send() : 0;
        for (uint32_t t = 1; t <= NumEntries; ++t)
            if (expires(t, in, sent)) return true;
        return false;
    }

    EntryLook look(uint32_t t) const {
        const Entry& e = m_q.entry[t];
        return {e.st != Free, e.port << 13 | e.tag << 10 | e.pend,
                uint32_t(e.st == Quar) << 6 | e.status};
    }

    void clock(const In& in, const Out& out) {
        const uint32_t sent = in.snd_take ? to_send() : 0;
        const uint32_t p = landing(in);
        if (p < NumPorts) land(p, in.note[p]);
        for (uint32_t t = 1; t <= NumEntries; ++t) age(m_q.entry[t], t == sent, in.tick);
        if (out.ent_gnt != 0) {
            const uint32_t i = uint32_t(__builtin_ctz(out.ent_gnt));
            m_q.entry[out.ent_new] = {Wait, i, in.ent_tag[i], in.ent_set[i], 0, 0};
        }
        if (in.put) put(m_q.entry[in.look_tag], in.put_h1, in.put_h2);
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
        if (in.ack_v == 0 || in.look) return NumPorts;
        const uint32_t after = in.ack_v & ~((2u << m_q.last) - 1);
        const uint32_t p = uint32_t(__builtin_ctz(after != 0 ? after : in.ack_v));
        return in.stray_ok || expected(p, in.note[p].tag) ? p : uint32_t(NumPorts);
    }

    // Awaited ports of an entry after this clock's landing.
    uint32_t pend_after(uint32_t t, const In& in) const {
        const uint32_t p = landing(in);
        const bool here = p < NumPorts && in.note[p].tag == t;
        return m_q.entry[t].pend & ~(here ? 1u << p : 0);
    }

    bool expires(uint32_t t, const In& in, uint32_t sent) const {
        const Entry& e = m_q.entry[t];
        if (in.put && t == in.look_tag) return false;
        return t != sent && e.st == Wait && e.age == 1 && pend_after(t, in) != 0;
    }

    void land(uint32_t p, const AckNote& note) {
        m_q.last = p;
        if (!expected(p, note.tag)) return;
        Entry& e = m_q.entry[note.tag];
        e.pend &= ~(1u << p);
        if (e.st == Wait) e.status |= note.status;
    }

    static void put(Entry& e, uint32_t h1, uint32_t h2) {
        e = {h2 >> 6 != 0 ? Quar : Wait, h1 >> 13, h1 >> 10 & 7, h1 & 0x3FF, h2 & 0x3F, 0};
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
