// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_ack.sv: collects the acks of all copies of a multicast and
// answers its sender with one.
//
// An entry is never given to a new multicast while an ack of the last may still come: it stays in
// quarantine, and the answer of an MBP names the generation it belongs to.
#pragma once

#include <array>

#include <rdt/core/ack_note.h>
#include <rdt/core/entry_class.h>
#include <rdt/fast/round_robin.h>
#include <rdt/fast/shot.h>

namespace rdt::fast {

using core::AckNote;

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
        uint32_t gen = 0;  // generation of the multicasts with this entry
    };
    struct Regs {
        std::array<Entry, 32> entry{};  // by tag; those of tags without an entry stay free
        uint32_t last = NumPorts - 1;   // port whose ack was taken
        uint32_t ent_last = NumPorts - 1;
        uint32_t snd_last = 0;
    };
    // Outputs of the ten input units. `note` holds the landed acks.
    struct In {
        bool tick = false;
        bool end = false;  // the wait of the lane's entry
        uint32_t ack_v = 0;
        std::array<AckNote, NumPorts> note{};
        std::array<AckNote, NumPorts> second{};  // in the same packet, with banks; tag 0: none
        uint32_t held = 0;  // bit t-1: a copy with tag t waits in a buffer; counts with a tick
        uint32_t busy = 0;  // ports that had an ack a moment ago
        uint32_t ent_req = 0;
        std::array<uint32_t, NumPorts> ent_set{};
        std::array<uint32_t, NumPorts> ent_tag{};
        std::array<EntryClass, NumPorts> ent_class{};
        uint32_t ent_old = 0;  // requests that have waited long and go first
        bool snd_take = false;
        bool look = false;  // LOCAL reads or writes the entry of look_tag
        uint32_t look_tag = 0;
        bool put = false;
        uint32_t put_h1 = 0;
        uint32_t put_h2 = 0;
        uint32_t put_bank = 0;  // bank of the parent's tag
    };
    struct Out {
        uint32_t ack_take = 0;
        uint32_t ent_gnt = 0;
        uint32_t ent_new = 0;
        bool snd_v = false;
        AckNote snd;
        bool stray = false;  // taken, and no entry waits for it
        uint32_t stray_port = 0;
        uint32_t stray_tag = 0;
    };

    AckTable() : AckTable(NumEntries) {}
    explicit AckTable(uint32_t entries) : m_entries(entries) { reset(); }

    void reset() {
        m_q = Regs{};
        m_q.snd_last = tag_of_entry(m_entries);
        m_free = all();
        m_done = m_quar = 0;
    }
    const Regs& q() const { return m_q; }
    // Field of the copies of the multicast with this entry, for an MBP; 0 for a tag without an
    // entry.
    uint32_t gen(uint32_t tag) const { return m_q.entry[tag].gen; }
    // All of them, four bits each from tag 1 on; with banks two bits each, by entry.
    uint64_t gens() const {
        uint64_t all = 0;
        if (is_banked()) {
            for (uint32_t n = 1; n <= m_entries; ++n)
                all |= uint64_t(gen(tag_of_entry(n)) & 3) << 2 * (n - 1);
        } else {
            for (uint32_t t = 1; t <= m_entries; ++t) all |= uint64_t(gen(t)) << 4 * (t - 1);
        }
        return all;
    }

    // No ack landed, requested or in flight: clock() would change nothing.
    bool quiet(uint32_t ack_v, uint32_t ent_req) const {
        return (ack_v | ent_req) == 0 && m_free == all();
    }
    bool has_free() const { return m_free != 0; }
    // Some entry waits for its parent's port alone.
    bool has_to_send() const { return m_done != 0; }

    // Does not depend on snd_take, so the pending ack may be read first.
    Out comb(const In& in) const {
        Out out;
        const uint32_t p = landing(in);
        if (p < NumPorts) {
            const bool is_first = expected(p, in.note[p]);
            out.ack_take = 1u << p;
            out.stray = !is_first || (is_ack(in.second[p]) && !second_expected(p, in));
            out.stray_port = p;
            out.stray_tag = tag_in_bank(is_first ? in.second[p].tag : in.note[p].tag);
        }
        if (in.ent_req != 0 && !in.put) give_entry(in, out);
        if (const uint32_t t = to_send(in)) {
            out.snd_v = true;
            out.snd = {m_q.entry[t].port, m_q.entry[t].tag, m_q.entry[t].status};
        }
        return out;
    }

    // An entry becomes Late.
    bool ev_table(const In& in) const {
        if (!in.tick && !in.end) return false;
        const uint32_t sent = in.snd_take ? to_send(in) : 0;
        for (uint32_t left = all(); left != 0; left &= left - 1)
            if (expires(uint32_t(__builtin_ctz(left)), in, sent)) return true;
        return false;
    }

    EntryLook look(uint32_t t) const {
        const Entry& e = m_q.entry[t];
        return {e.st != Free, e.port << 13 | tag_in_bank(e.tag) << 10 | e.pend,
                uint32_t(e.st == Quar) << 10 | e.status << 4 | e.gen, bank_of(e.tag)};
    }

    void clock(const In& in, const Out& out) {
        const uint32_t sent = in.snd_take ? to_send(in) : 0;
        const uint32_t p = landing(in);
        if (p < NumPorts) {
            const bool has_second = second_expected(p, in);
            land(p, in.note[p]);
            if (has_second) land(p, in.second[p]);
        }
        if (sent != 0) m_q.snd_last = sent;
        // Without a tick the others stay as they are.
        for (uint32_t left = in.tick || in.end ? all() : m_quar | 1u << sent; left > 1;) {
            const uint32_t t = 31 - uint32_t(__builtin_clz(left));
            left &= ~(1u << t);
            age(t, in, t == sent);
            note_state(t);
        }
        if (out.ent_gnt != 0) {
            const uint32_t i = uint32_t(__builtin_ctz(out.ent_gnt));
            Entry& e = m_q.entry[out.ent_new];
            e = {Wait, i, in.ent_tag[i], in.ent_set[i], 0, 0, (e.gen + 1) & 15};
            m_q.ent_last = i;
            note_state(out.ent_new);
        }
        if (in.put) {
            put(m_q.entry[in.look_tag], in.put_h1, in.put_h2, in.put_bank);
            note_state(in.look_tag);
        }
    }

private:
    // Ticks that a tag stays in quarantine: no router answers later than that.
    static constexpr uint32_t QuarTicks = 5;

    // Bit t: the entry of tag t.
    uint32_t all() const { return m_all; }
    bool is_banked() const { return has_banks(m_entries); }
    void note_state(uint32_t t) {
        const Entry& e = m_q.entry[t];
        const uint32_t tag = 1u << t;
        const bool is_done = (e.st == Wait && e.pend == 0) || e.st == Late;
        m_free = e.st == Free ? m_free | tag : m_free & ~tag;
        m_done = is_done ? m_done | tag : m_done & ~tag;
        m_quar = e.st == Quar ? m_quar | tag : m_quar & ~tag;
    }

    // The highest free entry that its class may have, for the port selected round-robin. Ports
    // whose class has no free entry are passed over.
    void give_entry(const In& in, Out& out) const {
        const auto may_have = [&](uint32_t p) {
            return m_free & tags_for(in.ent_class[p], in.ent_tag[p], m_entries);
        };
        uint32_t ports = 0;
        for (uint32_t left = in.ent_req; left != 0; left &= left - 1) {
            const uint32_t p = uint32_t(__builtin_ctz(left));
            ports |= uint32_t(may_have(p) != 0) << p;
        }
        if (ports == 0) return;
        if ((ports & in.ent_old) != 0) ports &= in.ent_old;
        const uint32_t p = next_after(m_q.ent_last, ports);
        out.ent_gnt = 1u << p;
        out.ent_new = 31 - uint32_t(__builtin_clz(may_have(p)));
    }

    // Tag of the entry to be answered in this cycle, 0 if there is none.
    uint32_t to_send(const In& in) const {
        if (in.look) return 0;
        uint32_t tags = 0;
        for (uint32_t left = m_done; left != 0; left &= left - 1) {
            const auto t = uint32_t(__builtin_ctz(left));
            tags |= (~in.busy >> m_q.entry[t].port & 1) << t;
        }
        return tags == 0 ? 0 : next_after(m_q.snd_last, tags);
    }

    bool expected(uint32_t port, const AckNote& note) const {
        const Entry& e = m_q.entry[note.tag];
        return e.st != Free && (e.pend >> port & 1) != 0 &&
               (!is_mbp(port) || note.gen == shown_gen(e));
    }
    // As MBPs return it.
    uint32_t shown_gen(const Entry& e) const { return is_banked() ? e.gen & 3 : e.gen; }
    static bool is_ack(const AckNote& second) { return tag_in_bank(second.tag) != 0; }
    // An entry waits for one ack from a port.
    bool second_expected(uint32_t p, const In& in) const {
        return is_ack(in.second[p]) && expected(p, in.second[p]) &&
               (in.second[p].tag != in.note[p].tag || !expected(p, in.note[p]));
    }

    // The port whose ack is taken in this cycle, NumPorts if none is. Whether it is expected or
    // not: acks always sink.
    uint32_t landing(const In& in) const {
        if (in.ack_v == 0 || in.look) return NumPorts;
        return next_after(m_q.last, in.ack_v);
    }

    // Awaited ports of an entry after this cycle's landing.
    uint32_t pend_after(uint32_t t, const In& in) const {
        const uint32_t p = landing(in);
        const bool here = p < NumPorts && ((in.note[p].tag == t && expected(p, in.note[p])) ||
                                           (in.second[p].tag == t && second_expected(p, in)));
        return m_q.entry[t].pend & ~(here ? 1u << p : 0);
    }

    bool expires(uint32_t t, const In& in, uint32_t sent) const {
        const Entry& e = m_q.entry[t];
        if (in.put && t == in.look_tag) return false;
        const bool is_over = is_lane(t) ? in.end : in.tick && e.age == 1;
        return t != sent && e.st == Wait && is_over && pend_after(t, in) != 0;
    }

    void land(uint32_t p, const AckNote& note) {
        m_q.last = p;
        if (!expected(p, note)) return;
        Entry& e = m_q.entry[note.tag];
        e.pend &= ~(1u << p);
        if (e.st == Wait) e.status |= note.status;
        note_state(note.tag);
    }

    static void put(Entry& e, uint32_t h1, uint32_t h2, uint32_t bank) {
        e = {h2 >> 10 != 0 ? Quar : Wait,
             h1 >> 13,
             bank << 3 | (h1 >> 10 & 7),
             h1 & 0x3FF,
             h2 >> 4 & 0x3F,
             0,
             h2 & 15};
    }

    // A process may take any time until it reaches a barrier: the lane waits until it is ended.
    bool is_lane(uint32_t t) const { return t == LaneTag && m_entries >= LaneTag; }

    // After landing: what is sent, what has waited too long, what may be used again.
    void age(uint32_t t, const In& in, bool is_sent) {
        Entry& e = m_q.entry[t];
        const bool tick = in.tick;
        // A copy of it is still here, and its answer cannot have come yet.
        const bool held = (in.held >> (t - 1) & 1) != 0;
        if (is_sent) {
            e.st = e.st == Late && e.pend != 0 ? Quar : Free;
            e.age = 0;
        } else if (e.st == Wait && (is_lane(t) ? in.end : tick) && e.pend != 0) {
            if (is_lane(t) || e.age == 1) {
                e.st = Late;
                e.status |= 1u << AckTimeout;
            } else {
                ++e.age;
            }
        } else if (e.st == Quar) {
            if (e.pend == 0 || (tick && !held && e.age == QuarTicks)) e.st = Free;
            else if (tick) e.age = held ? 0 : e.age + 1;
        }
    }

    uint32_t m_entries;
    uint32_t m_all = tags_of_entries(m_entries);
    Regs m_q;
    // Tags of entries by state.
    uint32_t m_free = 0;
    uint32_t m_done = 0;  // to be answered
    uint32_t m_quar = 0;
};

}  // namespace rdt::fast
