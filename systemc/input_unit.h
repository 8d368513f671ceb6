// SPDX-License-Identifier: MIT
// The input unit of one port, twin of rtl/rdt_input_unit.sv: buffers the packets of one link, one
// per VC, and streams them to the crossbar outputs that the bit-map generator finds for them. With
// its slots it is the multicast controller of its port: a multicast is read once for each set of
// outputs granted at a time, until all have a copy. For a shoot-down LOCAL looks at a buffer, has
// its packet read to MBP 0 (dump_i) and later puts it back (put_*). Ports and inner blocks are in
// input_unit_wiring.h.
// Outputs that depend on registers alone are written at the edge, and processes whose inputs mean
// nothing sleep, so that an empty unit costs nothing.
#pragma once

#include "arrival.h"
#include "input_unit_wiring.h"

namespace rdt {

class input_unit : public input_unit_wiring {
public:
    input_unit(sc_core::sc_module_name name, uint32_t vcs, uint32_t port)
        : input_unit_wiring(name, vcs, port) {
        SC_HAS_PROCESS(input_unit);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
        SC_METHOD(receive);
        sensitive << m_written << m_packets << m_put << rx_valid_i << rx_first_i << rx_vc_i
                  << rx_d_i << ev_land;
        SC_METHOD(length);
        sensitive << m_written << m_packets << rx_valid_i << rx_first_i << rx_last_i << rx_vc_i
                  << rx_d_i << rt_bad << len << gnt_i << sel_now << halt_i << dump_i << look_i;
        watch(last);
        SC_METHOD(put);
        sensitive << put_we_i << put_addr_i << put_d_i << look_i;
        SC_METHOD(fill);
        sensitive << fresh_oh << rt_set << put_set_i << look_i << put_ctx_i;
        SC_METHOD(leave);
        sensitive << m_packets << gnt_i << sel_now << halt_i << dump_i << look_i << keep_i << free_i
                  << ent_oh << ent_gnt_i << retry_ack_i;
        watch(last);
        SC_METHOD(hold);
        sensitive << m_packets << to_ack_i;
        watch(ent), watch(mc), watch(tag), watch(old);
        SC_METHOD(look);
        sensitive << m_packets << look_i << dump_i << look_plan << up_i << put_we_i << rx_valid_i;
        watch(pend);
        SC_METHOD(pick);
        sensitive << rd_on;
        watch(ram_d);
        SC_METHOD(stream);
        sensitive << m_read << copy << rd_ovc << rd_err;
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("wr_idx_q", 5, q.wr_idx);
        visit("drop_q", 1, q.drop);
        visit("cur_err_q", 1, q.cur_err);
        visit("pkt_q", num_vc, q.pkt);
        visit("rsv_q", num_vc, q.rsv);
        visit("sel_q", 2, q.sel);
        visit("want_q", 11, q.want);
        visit("rd_busy_q", 1, q.rd_busy);
        visit("rd_vc_q", 2, q.rd_vc);
        visit("rd_idx_q", 4, q.rd_idx);
        visit("rd_left_q", 4, q.rd_left);
        visit("rd_loc_q", 1, q.rd_loc);
        visit("rd_raw_q", 1, q.rd_raw);
        visit("rd_up_q", 1, q.rd_up);
        visit("rd_fin_q", 1, q.rd_fin);
        visit("rd_pois_q", 1, q.rd_pois);
    }

private:
    struct Regs {
        uint32_t wr_idx = 0;   // of the flit that comes next
        bool drop = false;     // what comes in is not written; also set for acks
        bool cur_err = false;  // its header has an error
        uint32_t pkt = 0;      // VCs that hold a packet
        uint32_t rsv = 0;      // VCs that are empty, but promised to the packet that was dumped
        uint32_t sel = 0;      // the VC that is presented
        uint32_t want = 0;     // for these outputs
        // the pass that is read
        bool rd_busy = false;
        uint32_t rd_vc = 0;
        uint32_t rd_idx = 0;
        uint32_t rd_left = 0;  // flits still to be read behind this one
        bool rd_loc = false;   // to LOCAL, or dumped
        bool rd_raw = false;   // dumped
        bool rd_up = false;    // to upper ports
        bool rd_fin = false;   // the last over this packet
        bool rd_pois = false;
    };

    Arrival arrival() const {
        Arrival a;
        a.valid = rx_valid_i.read();
        if (!a.valid) return a;
        const uint32_t d = rx_d_i.read();
        a.vc = rx_vc_i.read();
        a.idx = q.wr_idx;
        a.drop = q.drop;
        if (rx_first_i.read()) a.first(d, (room() >> a.vc & 1) != 0);
        a.judge(d);
        return a;
    }

    uint32_t all_vcs() const { return (1u << num_vc) - 1; }
    uint32_t room() const { return ~(q.pkt | q.rsv) & all_vcs(); }
    uint32_t looked_at() const { return look_i.read() & all_vcs(); }

    // The end of a packet whose length can be trusted.
    bool ends(const Arrival& a) const {
        return (a.fresh || a.body) && rx_last_i.read() && !(a.fresh ? rt_bad.read() : q.cur_err);
    }
    bool is_short(const Arrival& a) const { return ends(a) && a.idx < len.read(); }
    // The packet that comes in has passes yet to begin.
    bool waits(const Arrival& a, uint32_t ended) const {
        return a.fresh || ((q.pkt & ~ended) >> a.vc & 1) != 0;
    }

    // The packet granted is being dumped. It leaves whatever outputs it still has to go to.
    bool dumped() const {
        return halt_i.read() && dump_i.read() && (looked_at() >> q.sel & 1) != 0 &&
               (gnt_i.read() >> PortM0 & 1) != 0;
    }
    // The VC whose last pass is granted.
    uint32_t ended() const {
        if (gnt_i.read() == 0) return 0;
        return last[q.sel].read() || dumped() ? 1u << q.sel : 0;
    }
    // The buffer of a dumped packet is promised to it until it is put back, so the credit stays
    // away; but MBP 0 has to talk to the chip.
    bool holds() const { return keep_i.read() || (dumped() && in_port != PortM0); }
    bool unholds() const { return !halt_i.read() || free_i.read(); }

    // No pass is shorter than three flits, so at its first flit rd_left need not be known yet.
    enum Place { None, First, More, Prev, Last };
    Place place() const {
        if (!q.rd_busy) return None;
        if (q.rd_idx == 0) return First;
        return q.rd_left == 0 ? Last : q.rd_left == 1 ? Prev : More;
    }

    bool is_idle() const {
        return q.pkt == 0 && q.rsv == 0 && q.want == 0 && !q.rd_busy && !rx_valid_i.read() &&
               !put_set_i.read();
    }

    void start_of_simulation() override { show(); }
    void end_of_elaboration() override {
        m_wake |= rst_ni.negedge_event();
        m_wake |= rx_valid_i.posedge_event();
        m_wake |= put_set_i.posedge_event();
    }

    void clock() {
        if (!clk_i.posedge()) return;
        if (!rst_ni.read()) {
            q = Regs{};
            show();
            return;
        }
        if (is_idle()) {
            next_trigger(m_wake);
            return;
        }
        const Arrival a = arrival();
        const uint32_t end = ended();
        Regs d = q;
        write_on(d, a);
        read_on(d);
        if (gnt_i.read() != 0) begin_pass(d, end);
        if (is_short(a) && poisons_pass(a, end)) d.rd_pois = true;
        keep_packets(d, a, end);
        d.want = gnt_i.read() != 0 ? 0 : uint32_t(cand_o.read());
        d.sel = gnt_i.read() != 0 ? sel_next.read() : sel.read();
        const Place was = place();
        const bool written = d.wr_idx != q.wr_idx || d.drop != q.drop || d.cur_err != q.cur_err;
        const bool moved = d.pkt != q.pkt || d.rsv != q.rsv;
        const bool turned = d.sel != q.sel;
        q = d;
        want_o.write(q.want);
        if (written) m_written.notify(sc_core::SC_ZERO_TIME);
        if (moved) show_packets();
        if (turned) show_turn();
        if (was != None || q.rd_busy) show_pass(was);
    }

    void write_on(Regs& d, const Arrival& a) const {
        if (!a.valid) return;
        d.wr_idx = a.idx < 16 ? a.idx + 1 : 16;
        d.drop = a.drop || a.spoilt;
        if (a.fresh) d.cur_err = rt_bad.read();
    }

    void read_on(Regs& d) const {
        if (!q.rd_busy) return;
        // A packet with an error is reported with its three flits, whatever length it claims.
        const bool odd_local = q.rd_loc && !q.rd_raw && rd_odd.read();
        const uint32_t length = odd_local ? 2 : uint32_t(get(uint32_t(flit.read()), H0Len));
        d.rd_left = ((place() == First ? length : q.rd_left) - 1) & 15;
        if (place() == Last) d.rd_busy = false;
        else d.rd_idx = (q.rd_idx + 1) & 15;
    }

    void begin_pass(Regs& d, uint32_t end) const {
        const uint32_t granted = gnt_i.read();
        d.rd_busy = true;
        d.rd_vc = q.sel;
        d.rd_idx = 0;
        d.rd_loc = (granted >> PortLocal & 1) != 0 || dumped();
        d.rd_raw = dumped();
        d.rd_up = (granted >> PortE1 & 0xF) != 0;
        d.rd_fin = end != 0;
        d.rd_pois = pois[q.sel].read();
    }

    // A short packet poisons its slot for the passes yet to begin, and the pass under way or
    // beginning now, if it is of this packet. With the want of an entry still set it was consumed
    // by a retry and is read by nobody, unless it is dumped.
    bool poisons_pass(const Arrival& a, uint32_t end) const {
        const bool under_way = q.rd_busy && q.rd_vc == a.vc;
        if (waits(a, end))
            return (!a.fresh && under_way && !q.rd_fin) || (gnt_i.read() != 0 && q.sel == a.vc);
        return !ent[a.vc].read() || (under_way && q.rd_raw) || (end >> a.vc & 1) != 0;
    }

    void keep_packets(Regs& d, const Arrival& a, uint32_t end) const {
        const uint32_t put = put_oh.read();
        d.pkt &= ~end;
        if (retry_ack_i.read()) d.pkt &= ~uint32_t(ent_oh.read());
        if (a.fresh) d.pkt |= 1u << a.vc;
        d.pkt |= put;
        d.rsv &= unholds() ? 0 : ~put;
        if (holds()) d.rsv |= end;
    }

    // What the registers alone decide.
    void show() {
        want_o.write(q.want);
        m_written.notify(sc_core::SC_ZERO_TIME);
        show_packets();
        show_turn();
        show_pass(None);
    }
    void show_packets() {
        room_o.write(room());
        pkt_o.write(q.pkt != 0);
        m_packets.notify(sc_core::SC_ZERO_TIME);
    }
    void show_turn() {
        cred_vc_o.write(q.sel);
        sel_now.write(q.sel);
        for (uint32_t v = 0; v < num_vc; ++v) sel_oh[v].write(q.sel == v);
    }
    void show_pass(Place was) {
        const Place now = place();
        ram_raddr[q.rd_vc].write(q.rd_idx);
        rd_on.write(q.rd_busy && !(q.rd_pois && q.rd_idx > 2) ? 1u << q.rd_vc : 0);
        head.write(q.rd_busy && !q.rd_raw && q.rd_idx < 3 ? 1u << q.rd_idx : 0);
        open.write(now == None || now == Prev || now == Last);
        if (now == was && now != None) return;
        rd_vc_o.write(q.rd_vc);
        rd_oh.write(1u << q.rd_vc);
        rd_up.write(q.rd_up);
        m_read.notify(sc_core::SC_ZERO_TIME);
    }

    // Writing: flits into the buffers, acks to their port, headers to the bit-map generator.
    void receive() {
        const Arrival a = arrival();
        const uint32_t d = rx_d_i.read();
        uint32_t we = 0;
        if (a.take && a.idx < 16) we = 1u << a.vc;
        else if (!a.valid && put_we_i.read()) we = looked_at() & ~q.pkt;
        for (uint32_t v = 0; v < num_vc; ++v) ram_we[v].write((we >> v & 1) != 0);
        ram_waddr.write(a.valid ? a.idx & 15 : uint32_t(put_addr_i.read()));
        ram_wdata.write(a.valid ? d : uint32_t(put_d_i.read()));
        h0_we.write(a.valid && a.idx == 0);
        h1_we.write(a.valid && a.idx == 1);
        fresh_oh.write(a.fresh ? 1u << a.vc : 0);
        val.write(q.pkt | (a.fresh ? 1u << a.vc : 0));
        land.write(a.lands);
        if (a.lands) {
            land_tag.write(uint32_t(get(d, H0Tag)));
            land_st.write(uint32_t(get(d, H0Status)));
            land_gen.write(uint32_t(get(d, H0Gen)));
        }
        ev_body_o.write(a.body && a.idx < 16 && !a.odd);
        ev_over_o.write(a.over || ev_land.read());
        bad_o.write(a.over || a.spoilt);
    }

    // At the last flit: whether the packet is as long as it says.
    void length() {
        const Arrival a = arrival();
        ev_frame_o.write(ends(a) && a.idx != len.read());
        const bool marks = is_short(a) && waits(a, ended());
        for (uint32_t v = 0; v < num_vc; ++v) short_oh[v].write(marks && a.vc == v);
        if (!rx_last_i.read()) next_trigger(rx_last_i.posedge_event());
    }

    // Flits that are put back go the way of those that come in.
    void put() {
        m_put.notify(sc_core::SC_ZERO_TIME);
        if (!put_we_i.read()) next_trigger(put_we_i.posedge_event());
    }

    // A packet that is new or put back into its slot.
    void fill() {
        const uint32_t fresh = fresh_oh.read();
        const uint32_t put = put_set_i.read() ? looked_at() : 0;
        put_oh.write(put);
        for (uint32_t v = 0; v < num_vc; ++v) load[v].write(((fresh | put) >> v & 1) != 0);
        if (fresh != 0) {
            load_pend.write(rt_set.read());
        } else if (put != 0) {
            load_pend.write(put_ctx_i.read() >> 9);
            put_plan.write(put_ctx_i.read() & 0x1FF);
        }
    }

    // Grants and answers, and the credits that go back with them.
    void leave() {
        gnt.write(gnt_i.read() != 0);
        cred_ret_o.write(ended() != 0 && !holds());
        const uint32_t asks = ent_oh.read();
        ent_gnt.write(ent_gnt_i.read() ? asks : 0);
        cred_add_o.write((retry_ack_i.read() ? asks : 0) | (unholds() ? q.rsv : 0));
    }

    // What the packets that are here wait for.
    void hold() {
        uint32_t without_entry = 0;
        uint32_t tags = 0;
        uint32_t late = num_vc;
        for (uint32_t v = num_vc; v-- != 0;) {
            if ((q.pkt >> v & 1) == 0) continue;
            if (ent[v].read()) without_entry |= 1u << v;
            else if (mc[v].read()) tags |= 1u << tag[v].read();
            if (old[v].read()) late = v;
        }
        wait_ent.write(without_entry);
        held_o.write(tags >> 1 & ((1u << NumEntries) - 1));
        to_pend_o.write(late != num_vc);
        to_vc_o.write(late != num_vc ? late : 0);
        for (uint32_t v = 0; v < num_vc; ++v) to_oh[v].write(to_ack_i.read() && late == v);
    }

    // LOCAL looks at a buffer.
    void look() {
        const uint32_t vcs = looked_at();
        uint32_t ctx = vcs != 0 ? uint32_t(look_plan.read()) : 0;
        for (uint32_t v = 0; v < num_vc; ++v)
            if ((vcs >> v & 1) != 0) ctx |= (q.pkt >> v & 1) << 20 | pend[v].read() << 9;
        const bool nobodys = in_port >= PortM0 || !up_i.read();
        ctx_o.write(ctx);
        dump_oh.write(dump_i.read() ? vcs : 0);
        vacant_o.write((vcs & ~q.pkt & (nobodys ? ~0u : q.rsv)) != 0);
        clash_o.write(put_we_i.read() && (vcs & (rx_valid_i.read() ? ~0u : q.pkt)) != 0);
        if (vcs == 0) next_trigger(look_i.default_event());
    }

    // Reading
    void pick() {
        uint32_t d = 0;
        for (uint32_t v = 0; v < num_vc; ++v)
            if ((rd_on.read() >> v & 1) != 0) d = ram_d[v].read();
        flit.write(d);
    }

    uint32_t code() const {
        switch (place()) {
        case None: return 0;
        case First: return q.rd_loc ? 1 : uint32_t(rd_ovc.read()) + 1;
        case More: return CodeMore;
        case Prev: return CodePenultimate;
        case Last: return CodeLast;
        }
        return 0;
    }
    void stream() {
        rd_x_o.write(code() << FlitW | uint32_t(copy.read()));
        rd_err_o.write(q.rd_loc ? uint32_t(rd_err.read()) : 0);
    }

    Regs q;
    sig<3> rd_on{"rd_on"};  // buffer whose flit is read
    // wr_idx and its like have changed; pkt, rsv; the place in the pass; what is put back
    sc_core::sc_event m_written, m_packets, m_read, m_put;
    sc_core::sc_event_or_list m_wake;
};

}  // namespace rdt
