// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_ack.sv: acknowledge combining. One entry for each multicast whose copies have not
// all been answered. The tag of an entry goes out with the copies and comes back with their acks;
// when the last one is in, a single ack with the statuses of all goes to the parent, up the tree on
// which the multicast came down. Specification 4.9.
//
// Ports that land acks, ports that request entries, and entries to be answered are served
// round-robin. LOCAL may look at an entry or put one back; nothing lands and nothing is sent in
// that cycle.
//
// With banks of entries a tag has five bits, and a router sends two acks in a packet, which land
// together. Specification 4.10b.
#pragma once

#include <rdt/core/entry_class.h>
#include <rdt/ack_entry.h>
#include <rdt/ack_ports.h>

namespace rdt {

class ack : public ack_ports {
public:
    const uint32_t Entries;
    // Element e is entry e + 1. Without banks that is its tag, too.
    sc_core::sc_vector<ack_entry> u_entry{"u_entry"};

    explicit ack(sc_core::sc_module_name name, uint32_t entries = NumEntries)
        : ack_ports(name, entries), Entries(entries) {
        q.snd_last = tag_of_entry(Entries);
        u_entry.init(Entries, [](const char* entry, size_t e) {
            return new ack_entry(entry, e + 1 == LaneTag);
        });
        for (uint32_t e = 0; e < Entries; ++e) connect(e);
        RDT_CLOCKED(clock);
        wake_up(rst_ni, Edge::Falling);
        wake_up(put_i, Edge::Rising);
        for (auto& valid : ack_v_i) wake_up(valid, Edge::Rising);
        for (auto& req : ent_req_i) wake_up(req, Edge::Rising);
        RDT_METHOD(land);
        sensitive << m_clocked << look_i << put_i << put_h2_i << ack_gen_i[0] << ack_gen_i[1];
        for (int i = 0; i < NumPorts; ++i) sensitive << ack_v_i[i] << ack_tag_i[i] << ack_st_i[i];
        for (uint32_t e = 0; e < Entries; ++e) sensitive << free[e] << pend[e] << gen[e];
        RDT_METHOD(allocate);
        sensitive << m_clocked << look_tag_i << put_i << put_h1_i << put_h2_i;
        for (int i = 0; i < NumPorts; ++i)
            sensitive << ent_req_i[i] << ent_set_i[i] << ent_tag_i[i] << ent_old_i[i];
        sensitive << ent_vct_i[0] << ent_vct_i[1];
        for (uint32_t e = 0; e < Entries; ++e) sensitive << free[e];
        RDT_METHOD(send);
        sensitive << m_clocked << look_i << snd_take_i << busy_i;
        for (uint32_t e = 0; e < Entries; ++e)
            sensitive << full[e] << par_port[e] << par_tag[e] << status[e];
        RDT_METHOD(look);
        sensitive << look_i << look_tag_i;
        for (uint32_t e = 0; e < Entries; ++e)
            sensitive << free[e] << quar[e] << par_port[e] << par_tag[e] << pend[e] << status[e]
                      << gen[e];
        RDT_METHOD(gens);
        for (uint32_t e = 0; e < Entries; ++e) sensitive << gen[e];
        RDT_METHOD(events);
        for (uint32_t e = 0; e < Entries; ++e) sensitive << late[e];
        RDT_METHOD(hold);
        sensitive << held_i;
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("last_q", 4, q.last);
        visit("ent_last_q", 4, q.ent_last);
        visit("snd_last_q", bits_of(TagW), q.snd_last);
    }

private:
    // Who had the last turn.
    struct Regs {
        uint32_t last = 9;      // last of the ports whose acks land
        uint32_t ent_last = 9;  // last of the ports that request an entry
        uint32_t snd_last = 0;  // last of the entries answered, by tag
    };

    void connect(uint32_t e) {
        ack_entry& u = u_entry[e];
        u.clk_i(clk_i);
        u.rst_ni(rst_ni);
        u.tick_i(tick_i);
        u.end_i(end_i);
        u.new_i(ent_new[e]);
        u.put_i(ent_put[e]);
        u.quar_i(new_quar);
        u.port_i(new_port);
        u.tag_i(new_tag);
        u.set_i(new_set);
        u.empty_i(new_empty);
        u.gen_i(put_gen);
        u.land_i(ent_land[e]);
        u.ack_oh_i(ack_oh);
        u.st_i(is_banked() ? ent_st[e] : ack_st);
        u.more_i(more[e]);
        u.sent_i(ent_sent[e]);
        u.full_o(full[e]);
        u.port_o(par_port[e]);
        u.tag_o(par_tag[e]);
        u.status_o(status[e]);
        u.held_i(held[e]);
        u.free_o(free[e]);
        u.quar_o(quar[e]);
        u.late_o(late[e]);
        u.pend_o(pend[e]);
        u.gen_o(gen[e]);
    }

    // The entry waits for an ack of this port. An MBP answers when it likes, and has to name the
    // generation of the entry.
    bool expects(uint32_t entry, uint32_t port) const {
        if (entry == 0) return false;
        const uint32_t e = entry - 1;
        if (free[e].read() || (pend[e].read() >> port & 1) == 0) return false;
        if (port < PortM0) return true;
        const uint32_t gen_mask = is_banked() ? 3 : 15;
        return ((ack_gen_i[port - PortM0].read() ^ gen[e].read()) & gen_mask) == 0;
    }

    // The acks of one port are taken per cycle, whether entries wait for them or not. One, or with
    // banks two; the second has a tag, or is none.
    void land() {
        const uint32_t valid = word_of(ack_v_i);
        const bool lands = valid != 0 && !look_i.read();
        const uint32_t port = next_in_turn(valid, q.last);
        const uint32_t oh = valid != 0 ? 1u << port : 0;
        const uint32_t tags = lands ? uint32_t(ack_tag_i[port].read()) : 0;
        const uint32_t tag = tags & 31, tag2 = tags >> 5;
        const uint32_t entry = entry_of_tag(tag, Entries), entry2 = entry_of_tag(tag2, Entries);
        const bool expected = expects(entry, port);
        const bool expected2 = entry2 != entry && expects(entry2, port);
        const bool is_second = (tag2 & 7) != 0;
        write_word(ack_take_o, lands ? oh : 0);
        taken.write(lands);
        ack_port.write(port);
        ack_oh.write(oh);
        for (uint32_t e = 0; e < Entries; ++e) {
            more[e].write((pend[e].read() & ~oh) != 0);
            ent_land[e].write((expected && entry == e + 1) || (expected2 && entry2 == e + 1));
        }
        stray_o.write(lands && (!expected || (is_second && !expected2)));
        stray_port_o.write(lands ? port : 0);
        stray_tag_o.write((expected && is_second ? tag2 : tag) & 7);
        const uint32_t st = valid != 0 ? uint32_t(ack_st_i[port].read()) : 0;
        const uint32_t put_st = uint32_t(put_h2_i.read() >> (h2_gen() + 4)) & 0x3F;
        ack_st.write(put_i.read() ? put_st : st & 0x3F);
        for (uint32_t e = 0; e < ent_st.size(); ++e) {
            const bool is_its = expected2 && entry2 == e + 1;
            ent_st[e].write(put_i.read() ? put_st : is_its ? st >> 6 : st & 0x3F);
        }
    }
    // Where the generation is in put_h2_i and look_h2_o.
    uint32_t h2_gen() const { return is_banked() ? 2 : 0; }

    // The free entries that a port may have; bit e: entry e + 1.
    uint32_t may_have(uint32_t port) const {
        const bool is_transfer = port < PortN0 && ent_vct_i[port].read();
        const EntryClass c = entry_class(port, is_transfer, uint32_t(ent_set_i[port].read()));
        const uint32_t tag = uint32_t(ent_tag_i[port].read());
        const uint32_t tags = tags_for(c, tag, Entries);
        uint32_t may = 0;
        for (uint32_t e = 0; e < Entries; ++e)
            if (free[e].read()) may |= (tags >> tag_of_entry(e + 1) & 1) << e;
        return may;
    }

    // Allocates the highest free entry of its class to the next port round-robin; or LOCAL restores
    // one. Ports that may have none are passed over, and old requests go first.
    void allocate() {
        const bool put = put_i.read();
        uint32_t req = put ? 0 : word_of(ent_req_i);
        for (uint32_t left = req, p = 0; left != 0; left >>= 1, ++p)
            if ((left & 1) != 0 && may_have(p) == 0) req &= ~(1u << p);
        if ((req & word_of(ent_old_i)) != 0) req &= word_of(ent_old_i);
        const uint32_t port = next_in_turn(req, q.ent_last);
        uint32_t entry = 0;
        if (req != 0)
            for (uint32_t may = may_have(port); may != 0; may >>= 1) ++entry;
        const uint32_t h1 = put_h1_i.read(), h2 = put_h2_i.read();
        const uint32_t bank = is_banked() ? h2 & 3 : 0;  // bank of the parent tag
        const uint32_t set = put ? h1 & 0x3FF : uint32_t(ent_set_i[port].read());
        gives.write(entry != 0);
        write_word(ent_gnt_o, entry != 0 ? 1u << port : 0);
        ent_new_o.write(tag_of_entry(entry));
        for (uint32_t e = 0; e < Entries; ++e) {
            const bool putting = put && look_tag_i.read() == tag_of_entry(e + 1);
            ent_put[e].write(putting);
            ent_new[e].write(putting || entry == e + 1);
        }
        new_port.write(put ? h1 >> 13 : port);
        new_tag.write(put ? bank << 3 | (h1 >> 10 & 7) : uint32_t(ent_tag_i[port].read()));
        new_set.write(set);
        new_empty.write(set == 0);
        new_quar.write(put && (h2 >> (h2_gen() + 10) & 1) != 0);
        put_gen.write(h2 >> h2_gen() & 15);
    }

    // The answer to the parent, if its link may take one.
    void send() {
        const uint32_t busy = busy_i.read();
        uint32_t may = 0;  // bit t: the entry of tag t
        for (uint32_t e = 0; e < Entries; ++e)
            if (full[e].read() && (busy >> par_port[e].read() & 1) == 0)
                may |= 1u << tag_of_entry(e + 1);
        if (look_i.read()) may = 0;
        const uint32_t tag = next_in_turn(may, q.snd_last);
        const uint32_t entry = entry_of_tag(tag, Entries);
        snd_v_o.write(may != 0);
        snd_ent.write(tag);
        snd_port_o.write(may != 0 ? par_port[entry - 1].read() : 0);
        snd_tag_o.write(may != 0 ? par_tag[entry - 1].read() : 0);
        snd_st_o.write(may != 0 ? status[entry - 1].read() : 0);
        for (uint32_t e = 0; e < Entries; ++e)
            ent_sent[e].write(snd_take_i.read() && entry == e + 1);
    }

    void look() {
        const uint32_t tag = look_i.read() ? uint32_t(look_tag_i.read()) : 0;
        bool used = false;
        uint32_t h1 = 0, h2 = 0;
        if (const uint32_t entry = entry_of_tag(tag, Entries)) {
            const uint32_t e = entry - 1;
            const uint32_t parent = par_tag[e].read();
            used = !free[e].read();
            h1 = par_port[e].read() << 13 | (parent & 7) << 10 | pend[e].read();
            h2 = quar[e].read() << 10 | status[e].read() << 4 | gen[e].read();
            if (is_banked()) h2 = h2 << 2 | parent >> 3;
        }
        look_used_o.write(used);
        look_h1_o.write(h1);
        look_h2_o.write(h2);
    }

    void gens() {
        const uint32_t each = is_banked() ? 2 : 4;
        uint64_t all = 0;
        for (uint32_t e = 0; e < Entries; ++e)
            all |= (gen[e].read() & ((1u << each) - 1)) << each * e;
        gen_o.write(all);
    }

    void events() {
        bool any = false;
        for (const auto& l : late) any = any || l.read();
        ev_table_o.write(any);
    }

    void hold() {
        const uint32_t all = held_i.read();
        for (uint32_t e = 0; e < Entries; ++e) held[e].write((all >> e & 1) != 0);
    }

    // All entries are free, and none is requested.
    bool is_idle() const {
        for (const ack_entry& u : u_entry)
            if (!u.is_free()) return false;
        return !put_i.read() && word_of(ack_v_i) == 0 && word_of(ent_req_i) == 0;
    }

    void clock() {
        if (rst_ni.read() && is_idle()) return sleep();
        for (ack_entry& u : u_entry) u.clock();
        const Regs before = q;
        if (!rst_ni.read()) {
            q = Regs{};
            q.snd_last = tag_of_entry(Entries);
        } else {
            if (taken.read()) q.last = ack_port.read();
            if (gives.read()) q.ent_last = new_port.read();
            if (snd_take_i.read()) q.snd_last = snd_ent.read();
        }
        if (changed(before, q)) m_clocked.notify();
    }

    // Ports of each entry.
    nets<1> ent_new{"ent_new", Entries}, ent_put{"ent_put", Entries};
    nets<1> ent_land{"ent_land", Entries}, ent_sent{"ent_sent", Entries};
    nets<1> held{"held", Entries}, more{"more", Entries};
    nets<1> free{"free", Entries}, quar{"quar", Entries}, full{"full", Entries};
    nets<1> late{"late", Entries};
    nets<10> pend{"pend", Entries};
    nets<4> par_port{"par_port", Entries};
    nets<TagW> par_tag{"par_tag", Entries};
    nets<6> status{"status", Entries};
    nets<4> gen{"gen", Entries};
    // Landing.
    net<1> taken{"taken"};
    net<4> ack_port{"ack_port"};
    net<10> ack_oh{"ack_oh"};
    net<6> ack_st{"ack_st"};
    nets<6> ent_st{"ent_st", is_banked() ? Entries : 0};  // status that lands, by entry
    // Allocation.
    net<1> gives{"gives"}, new_empty{"new_empty"}, new_quar{"new_quar"};
    net<4> new_port{"new_port"}, put_gen{"put_gen"};
    net<TagW> new_tag{"new_tag"};
    net<10> new_set{"new_set"};
    // Sending: the tag of the entry.
    net<TagW> snd_ent{"snd_ent"};

    Regs q;
    delta_event m_clocked;
};

}  // namespace rdt
