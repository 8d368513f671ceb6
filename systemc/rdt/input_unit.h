// SPDX-License-Identifier: MIT
// The input unit of one port, twin of rtl/rdt_input_unit.sv: buffers the packets of one link, one
// per VC, and streams them to the crossbar outputs that the bit-map generator finds for them. With
// its slots it is the multicast controller of its port: a multicast is read once for each set of
// outputs granted at a time, until all have a copy. For a shoot-down LOCAL looks at a buffer, has
// its packet read to MBP 0 (dump_i) and later puts it back (put_*). An MBP takes its own packet
// back by an ack with tag 0. Ports and inner blocks are in input_unit_wiring.h.
//
// clock() has the registers of the unit and its inner blocks, evaluate() all other values, in the
// order in which they depend on each other. An empty unit sleeps.
#pragma once

#include <rdt/input_unit_wiring.h>

namespace rdt {

class input_unit : public input_unit_wiring {
public:
    input_unit(sc_core::sc_module_name name, uint32_t vcs, uint32_t port,
               uint32_t entries = NumEntries)
        : input_unit_wiring(name, vcs, port, entries) {
        RDT_CLOCKED(clock);
        wake_up(rst_ni, Edge::Falling);
        for (in<1>* input : {&rx_valid_i, &put_we_i, &put_set_i, &tick_i})
            wake_up(*input, Edge::Rising);
        wake_up(gnt_i);
        RDT_METHOD(evaluate);
        sensitive << m_clocked << rx_valid_i << rx_first_i << rx_last_i << rx_vc_i << rx_d_i
                  << credit_i << gnt_i << ent_gnt_i << retry_ack_i << ack_take_i << to_ack_i;
        RDT_METHOD(control);
        sensitive << halt_i << dump_i << keep_i << free_i << raw_i << run_i << drop_i << look_i
                  << up_i << rank_i << xfer_i << dateline_i << mask_i << ranks_i;
        RDT_METHOD(put);
        sensitive << put_we_i << put_set_i << put_addr_i << put_d_i << put_ctx_i;
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("pkt_q", num_vc, q.pkt);
        visit("rsv_q", num_vc, q.rsv);
        visit("sel_q", 2, q.sel);
        visit("want_q", 11, q.want);
        visit("flit_q", DataW, m_flit);
        if (has_second_acks()) visit("half_q", 1, q.half);
    }

private:
    struct Regs {
        uint32_t pkt = 0;   // VCs that hold a packet
        uint32_t rsv = 0;   // VCs that are empty, but promised to the packet that was dumped
        uint32_t sel = 0;   // the VC that is presented
        uint32_t want = 0;  // for these outputs
        bool half = false;  // H0 of an ack has come, and H1 has the second one
        bool operator!=(const Regs& o) const {
            return pkt != o.pkt || rsv != o.rsv || sel != o.sel || want != o.want || half != o.half;
        }
    };

    // The line as evaluate() has seen it.
    struct Line {
        bool valid = false;
        bool first = false;
        bool last = false;
        uint64_t vc = 0;
        flit_t d = 0;
        bool operator!=(const Line& o) const {
            return valid != o.valid || first != o.first || last != o.last || vc != o.vc || d != o.d;
        }
    };

    // Answers of the arbiter, the ack table and LOCAL.
    struct Answers {
        uint64_t gnt = 0;
        bool ent_gnt = false;
        bool retry_ack = false;
        bool ack_take = false;
        bool to_ack = false;
        bool operator!=(const Answers& o) const {
            return gnt != o.gnt || ent_gnt != o.ent_gnt || retry_ack != o.retry_ack ||
                   ack_take != o.ack_take || to_ack != o.to_ack;
        }
    };

    // With banks of entries acks come by twos from other routers.
    bool has_second_acks() const { return is_banked() && is_network(in_port); }
    uint32_t all_vcs() const { return (1u << num_vc) - 1; }
    uint32_t room() const { return ~(q.pkt | q.rsv) & all_vcs(); }
    uint32_t looked_at() const { return look_i.read() & all_vcs(); }

    // The packet granted is being dumped. It leaves whatever outputs it still has to go to.
    bool is_dumped() const {
        return halt_i.read() && dump_i.read() && (looked_at() >> q.sel & 1) != 0 &&
               (gnt_i.read() >> PortM0 & 1) != 0;
    }
    // The VC whose last pass is granted.
    uint32_t ended() const {
        const uint32_t granted = gnt_i.read();
        if (granted == 0) return 0;
        return (pend[q.sel].read() & ~granted) == 0 || is_dumped() ? 1u << q.sel : 0;
    }
    // VCs whose packet is taken back by its MBP, or dropped because it has timed out.
    uint32_t consumed() const {
        const bool recalled = recall.read() && run_i.read() && !ent_gnt_i.read();
        return (recalled ? q.pkt & 1 : 0) | uint32_t(drop_oh.read());
    }
    // The buffer of a dumped packet is promised to it until it is put back, so the credit stays
    // away; but MBP 0 has to talk to the chip.
    bool holds() const { return keep_i.read() || (is_dumped() && in_port != PortM0); }
    bool unholds() const { return !halt_i.read() || free_i.read(); }

    // A flit comes or is read, an ack or an entry is awaited, or LOCAL acts.
    bool is_active() const {
        return !rst_ni.read() || rx_valid_i.read() || put_we_i.read() || put_set_i.read() ||
               tick_i.read() || !u_read_pass.is_idle() || !u_ack_port.is_idle();
    }
    // Slots and plans change at the edge.
    bool stores() const {
        return fresh_oh != 0 || put_oh != 0 || gnt || is_short || tick_i.read() ||
               ent_gnt_i.read() || to_ack_i.read();
    }

    void started() override { show(); }

    // Registers keep their values while the unit is not active, no input has changed and none of
    // them has changed at the last edge. An empty unit then sleeps.
    void clock() {
        const bool acts = m_is_answered || is_active();
        if (!acts && !m_follows && !m_selects) {
            if (q.pkt == 0 && q.rsv == 0) sleep();
            return;
        }
        const Regs d = next();
        const bool turns = d != q;
        bool are_others = false;
        if (acts || m_follows) are_others = clock_blocks();
        m_is_answered = m_selects = false;
        m_follows = acts || turns || are_others;
        if (!m_follows) return;
        m_has_moved = m_has_moved || d.pkt != q.pkt || d.rsv != q.rsv;
        m_is_kept = m_is_kept && !turns;
        q = d;
        show();
        m_is_clocked = true;
        m_clocked.notify();
    }
    // Whether a slot, or the flit or the plan that is read, is another one.
    bool clock_blocks() {
        const flit_t d = next_flit();
        const bool is_other = d != m_flit;
        m_flit = d;
        u_arrival.clock();
        u_ack_port.clock();
        u_read_pass.clock();
        const bool is_stored = stores();
        if (is_stored) {
            for (auto& u : u_slot) u.clock();
            u_bitmap_gen.clock_plans();
            m_is_kept = false;
        }
        for (auto& u : u_ram) u.clock();
        return u_bitmap_gen.clock() || is_other || is_stored;
    }

    Regs next() const {
        if (!rst_ni.read()) return {};
        Regs d = q;
        keep_packets(d, ended());
        const bool granted = gnt_i.read() != 0;
        d.want = !granted && consumed() == 0 ? uint32_t(cand_o.read()) : 0;
        d.sel = granted ? sel_next : sel;
        if (rx_valid_i.read()) d.half = has_second_acks() && land.read();
        return d;
    }

    void keep_packets(Regs& d, uint32_t end) const {
        const uint32_t put = put_oh.read();
        d.pkt &= ~end;
        if (retry_ack_i.read()) d.pkt &= ~uint32_t(ent_oh.read());
        d.pkt &= ~consumed();
        d.pkt |= uint32_t(fresh_oh.read()) | put;
        d.rsv &= unholds() ? 0 : ~put;
        if (holds()) d.rsv |= end;
    }

    // Outputs that are registers.
    void show() {
        want_o.write(q.want);
        room_o.write(room());
        pkt_o.write(q.pkt != 0);
        cred_vc_o.write(q.sel);
    }

    // The lines carry flits of the other direction, too; they and credits mean nothing to an empty
    // unit.
    void evaluate() {
        const bool arrives = takes_flit();
        const bool is_answered = takes_answers();
        const bool is_clocked = m_is_clocked;
        m_is_clocked = false;
        if (is_clocked) {
            if (!m_is_kept) keep();
            transmit();
        }
        if (arrives || m_has_moved) arrive();
        m_has_moved = false;
        if (arrives || is_answered) m_is_answered = true;
        if (arrives || is_answered || is_clocked) {
            answer();
            if (looked_at() != 0 || m_is_looked_at) look();
        } else if (q.pkt == 0) {
            return;
        }
        u_vc_select.comb();
        m_selects = true;
    }
    bool takes_answers() {
        const Answers now{gnt_i.read(), ent_gnt_i.read(), retry_ack_i.read(), ack_take_i.read(),
                          to_ack_i.read()};
        const Answers before = m_answers;
        m_answers = now;
        return now != before;
    }
    // Whether arrive() has a new flit, the end of one, or a header, to which credits matter.
    bool takes_flit() {
        const Line now{rx_valid_i.read(), rx_first_i.read(), rx_last_i.read(), rx_vc_i.read(),
                       rx_d_i.read()};
        const Line before = m_line;
        m_line = now;
        if (!now.valid) return before.valid;
        return m_is_clocked || fresh_oh != 0 || now != before;
    }

    // Configuration and shoot-down: everything may be different.
    void control() {
        m_is_clocked = m_has_moved = m_is_answered = m_is_looked_at = true;
        m_is_kept = false;
        m_clocked.notify();
    }
    void put() {
        const bool puts = put_we_i.read() || put_set_i.read();
        if (puts || m_puts) control();
        m_puts = puts;
    }

    // The packets that are stored.
    void keep() {
        m_is_kept = true;
        val.write(q.pkt);
        sel_now.write(q.sel);
        for (uint32_t v = 0; v < num_vc; ++v) {
            sel_oh[v].write(q.sel == v);
            u_slot[v].comb();
        }
        u_bitmap_gen.keep();
    }

    // The flit that is read. The RAM is read a cycle ahead.
    void transmit() {
        u_read_pass.show();
        for (auto& u : u_ram) u.comb();
        const flit_t d = rd_on ? m_flit : 0;
        flit.write(d);
        rd_len.write(uint32_t(get(slice0(d), H0Len)));
        u_bitmap_gen.copy();
        u_read_pass.send_code();
        rd_x_o.write(wires_of(uint32_t(code), copy));
        rd_err_o.write(rd_loc ? uint32_t(rd_err) : 0);
    }
    flit_t next_flit() const {
        flit_t d = 0;
        for (uint32_t v = 0; v < num_vc; ++v)
            if ((next_oh >> v & 1) != 0) d = ram_d[v];
        return d;
    }

    // The flit that arrives, its header and its length.
    void arrive() {
        has_room.write((room() >> rx_vc_i.read() & 1) != 0);
        u_arrival.receive();
        receive();
        fill();
        u_bitmap_gen.load();
        if (fresh_oh != 0) load_pend.write(rt_set);
        u_arrival.length();
        shorten();
    }

    // Writing: flits into the buffers, acks to their port, headers to the bit-map generator.
    void receive() {
        const bool valid = rx_valid_i.read();
        const flit_t data = rx_d_i.read();
        const uint32_t d = slice0(data);
        const uint32_t to = 1u << rx_vc_i.read() & all_vcs();
        const uint32_t new_packet = fresh.read() ? to : 0;
        const uint32_t put = !valid && put_we_i.read() ? looked_at() & ~q.pkt : 0;
        const uint32_t we = ram_we.read() ? to : put;
        for (uint32_t v = 0; v < num_vc; ++v) we_oh[v].write((we >> v & 1) != 0);
        ram_waddr.write(valid ? uint32_t(idx.read()) & 15 : uint32_t(put_addr_i.read()));
        ram_wdata.write(valid ? data : flit_t(put_d_i.read()));
        h0_we.write(valid && idx.read() == 0);
        h1_we.write(valid && idx.read() == 1);
        fresh_oh.write(new_packet);
        const bool recalls = land.read() && in_port >= PortM0 && get(d, H0Tag) == 0;
        recall.write(recalls);
        const bool is_second = valid && q.half && !rx_first_i.read();
        land_ack.write((is_second ? 2 : 0) | uint32_t(land.read() && !recalls));
        if (land.read()) {
            land_tag.write(bank_of(d, H0Ackbank, num_entries()) | uint32_t(get(d, H0Tag)));
            land_st.write(uint32_t(get(d, H0Status)));
            land_gen.write(uint32_t(get(d, H0Gen)) & (is_banked() ? 3 : 15));
        } else if (is_second) {
            const bool good = is_good_header_flit(data, DataLanes);
            land_tag.write(good ? uint32_t(get(d, H1Acktag)) : 0);
            land_st.write(uint32_t(get(d, H1Ackstatus)));
        }
    }

    // A packet that is short marks its slot as corrupt for later passes, and the pass that begins
    // now. Otherwise the running pass reads it, unless it still needs an entry: then a RETRY has
    // consumed it.
    void shorten() {
        const uint32_t vc = rx_vc_i.read();
        const bool is_read = (rd_oh.read() >> vc & 1) != 0;
        const bool waits = is_short.read() && (fresh.read() || (q.pkt >> vc & 1) != 0);
        const bool gone = is_short.read() && !waits;
        for (uint32_t v = 0; v < num_vc; ++v) short_oh[v].write(waits && vc == v);
        const bool asks = vc < num_vc && ent[vc].read();
        short_now.write(gone && !asks);
        short_dump.write(gone && is_read);
        short_more.write(waits && !fresh && is_read);
    }

    // A packet that is new or put back into its slot.
    void fill() {
        const uint32_t fresh = uint32_t(fresh_oh);
        const uint32_t put = put_set_i.read() ? looked_at() : 0;
        put_oh.write(put);
        for (uint32_t v = 0; v < num_vc; ++v) load[v].write(((fresh | put) >> v & 1) != 0);
        if (fresh == 0 && put != 0) {
            const unsigned plan = bits_of(PlanW);
            load_pend.write(put_ctx_i.read() >> plan);
            put_plan.write(put_ctx_i.read() & ((1u << plan) - 1));
        }
    }

    void answer() {
        hold();
        u_ack_port.landing();
        u_ack_port.entry();
        ev_over_o.write(over || ev_land);
        leave();
        u_bitmap_gen.entries();
    }

    // Grants and answers, and the credits that go back with them.
    void leave() {
        gnt.write(gnt_i.read() != 0);
        dumped.write(is_dumped());
        fin.write(ended() != 0);
        rd_pois.write(pois[q.sel] || short_oh[q.sel]);
        cred_ret_o.write(ended() != 0 && !holds());
        const uint32_t asks = ent_oh.read();
        ent_gnt.write(ent_gnt_i.read() ? asks : 0);
        cred_add_o.write((retry_ack_i.read() ? asks : 0) | (unholds() ? q.rsv : 0) |
                         (consumed() & ~ended()));
    }

    // Resources that the stored packets wait for.
    void hold() {
        uint32_t without_entry = 0;
        uint32_t held = 0;  // bit n: a copy with the tag of entry n
        uint32_t late = num_vc;
        for (uint32_t v = num_vc; v-- != 0;) {
            if ((q.pkt >> v & 1) == 0) continue;
            if (ent[v].read()) without_entry |= 1u << v;
            else if (mc[v].read())
                held |= 1u << entry_of_tag(uint32_t(tag[v].read()), num_entries());
            if (old[v].read()) late = v;
        }
        wait_ent.write(without_entry);
        held_o.write(held >> 1);
        to_pend_o.write(late != num_vc);
        to_vc_o.write(late != num_vc ? late : 0);
        const bool drops = to_ack_i.read() && drop_i.read();
        const bool arrives = rx_valid_i.read() && rx_vc_i.read() == late;
        for (uint32_t v = 0; v < num_vc; ++v)
            to_oh[v].write(to_ack_i.read() && !drops && late == v);
        drop_oh.write(drops && late != num_vc && !arrives && !ent_gnt_i.read() ? 1u << late : 0);
    }

    // LOCAL looks at a buffer.
    void look() {
        const uint32_t vcs = looked_at();
        const unsigned plan = bits_of(PlanW);
        m_is_looked_at = vcs != 0;
        uint32_t ctx = vcs != 0 ? uint32_t(look_plan.read()) : 0;
        for (uint32_t v = 0; v < num_vc; ++v)
            if ((vcs >> v & 1) != 0)
                ctx |= (q.pkt >> v & 1) << (11 + plan) | pend[v].read() << plan;
        const bool nobodys = in_port >= PortM0 || !up_i.read();
        ctx_o.write(ctx);
        dump_oh.write(dump_i.read() ? vcs : 0);
        vacant_o.write((vcs & ~q.pkt & (nobodys ? ~0u : q.rsv)) != 0);
        clash_o.write(put_we_i.read() && (vcs & (rx_valid_i.read() ? ~0u : q.pkt)) != 0);
    }

    Regs q;
    flit_t m_flit = 0;  // the flit that was read
    Line m_line;        // as evaluate() has seen them
    Answers m_answers;
    bool m_is_clocked = false;  // registers have changed since evaluate(),
    bool m_has_moved = false;   // or the stored packets
    bool m_is_kept = false;     // keep() has been called for the slots and plans as they are
    bool m_is_looked_at = true;
    bool m_is_answered = false;  // inputs have changed since the last edge,
    bool m_selects = false;      // or the outputs to be requested
    bool m_follows = true;       // registers have changed at the last edge
    bool m_puts = true;          // a packet was put back when put() was called last
    delta_event m_clocked;
};

}  // namespace rdt
