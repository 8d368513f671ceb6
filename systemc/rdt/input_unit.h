// SPDX-License-Identifier: MIT
// The input unit of one port, twin of rtl/rdt_input_unit.sv: buffers the packets of one link, one
// per VC, and streams them to the crossbar outputs that the bit-map generator finds for them. With
// its slots it is the multicast controller of its port: a multicast is read once for each set of
// outputs granted at a time, until all have a copy. For a shoot-down LOCAL looks at a buffer, has
// its packet read to MBP 0 (dump_i) and later puts it back (put_*). An MBP takes its own packet
// back by an ack with tag 0. Ports and inner blocks are in input_unit_wiring.h. Outputs that depend
// on registers alone are written at the edge, and processes whose inputs mean nothing sleep, so
// that an empty unit costs nothing.
#pragma once

#include <rdt/input_unit_wiring.h>

namespace rdt {

class input_unit : public input_unit_wiring {
public:
    input_unit(sc_core::sc_module_name name, uint32_t vcs, uint32_t port,
               uint32_t entries = NumEntries)
        : input_unit_wiring(name, vcs, port), m_entries((1u << entries) - 1) {
        RDT_HAS_PROCESS(input_unit);
        SC_METHOD(clock);
        SC_METHOD(receive);
        sensitive << m_packets << m_put << rx_valid_i << rx_vc_i << rx_d_i << idx << ram_we << fresh
                  << land << over << ev_land;
        SC_METHOD(shorten);
        sensitive << is_short << m_packets << fresh << rx_vc_i << rd_oh;
        watch(ent);
        SC_METHOD(poison);
        sensitive << sel_now;
        watch(pois), watch(short_oh);
        SC_METHOD(put);
        sensitive << put_we_i << put_addr_i << put_d_i << look_i;
        SC_METHOD(fill);
        sensitive << fresh_oh << rt_set << put_set_i << look_i << put_ctx_i;
        SC_METHOD(leave);
        sensitive << m_packets << gnt_i << sel_now << halt_i << dump_i << look_i << keep_i << free_i
                  << ent_oh << ent_gnt_i << retry_ack_i << recall << run_i << drop_oh;
        watch(pend);
        SC_METHOD(hold);
        sensitive << m_packets << to_ack_i << drop_i << ent_gnt_i << rx_valid_i << rx_vc_i;
        watch(ent), watch(mc), watch(tag), watch(old);
        SC_METHOD(look);
        sensitive << m_packets << look_i << dump_i << look_plan << up_i << put_we_i << rx_valid_i;
        watch(pend);
        SC_METHOD(read_ahead);
        SC_METHOD(pick);
        sensitive << rd_on << m_read;
        SC_METHOD(stream);
        sensitive << code << copy << rd_loc << rd_err;
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("pkt_q", num_vc, q.pkt);
        visit("rsv_q", num_vc, q.rsv);
        visit("sel_q", 2, q.sel);
        visit("want_q", 11, q.want);
        visit("flit_q", DataW, m_flit);
    }

private:
    struct Regs {
        uint32_t pkt = 0;   // VCs that hold a packet
        uint32_t rsv = 0;   // VCs that are empty, but promised to the packet that was dumped
        uint32_t sel = 0;   // the VC that is presented
        uint32_t want = 0;  // for these outputs
    };

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
    // The buffer of a dumped packet is promised to it until it is put back, so the credit stays
    // away; but MBP 0 has to talk to the chip.
    // VCs whose packet is taken back by its MBP, or dropped because it has timed out.
    uint32_t consumed() const {
        const bool recalled = recall.read() && run_i.read() && !ent_gnt_i.read();
        return (recalled ? q.pkt & 1 : 0) | uint32_t(drop_oh.read());
    }
    bool holds() const { return keep_i.read() || (is_dumped() && in_port != PortM0); }
    bool unholds() const { return !halt_i.read() || free_i.read(); }

    bool is_idle() const {
        return q.pkt == 0 && q.rsv == 0 && q.want == 0 && !rx_valid_i.read() && !put_set_i.read();
    }

    void start_of_simulation() override { show(); }
    void elaborated() override {
        m_wake |= rst_ni.negedge_event();
        m_wake |= rx_valid_i.posedge_event();
        m_wake |= put_set_i.posedge_event();
        m_other |= next_oh.default_event();
        for (auto& d : ram_d) m_other |= d.default_event();
    }

    void clock() {
        if (!clk_i.posedge()) return wait_for_edge(clk_i);
        if (rst_ni.read() && is_idle()) return next_trigger(m_wake);
        wait_for_edge(clk_i);
        if (!rst_ni.read()) {
            q = Regs{};
            show();
            return;
        }
        const uint32_t end = ended();
        Regs d = q;
        keep_packets(d, end);
        const bool presents = gnt_i.read() == 0 && consumed() == 0;
        d.want = presents ? uint32_t(cand_o.read()) : 0;
        d.sel = gnt_i.read() != 0 ? sel_next.read() : sel.read();
        const bool moved = d.pkt != q.pkt || d.rsv != q.rsv;
        const bool turned = d.sel != q.sel;
        q = d;
        want_o.write(q.want);
        if (moved) show_packets();
        if (turned) show_turn();
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

    // Values that depend on registers only.
    void show() {
        want_o.write(q.want);
        show_packets();
        show_turn();
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
    // Writing: flits into the buffers, acks to their port, headers to the bit-map generator.
    void receive() {
        const bool valid = rx_valid_i.read();
        const flit_t data = rx_d_i.read();
        const uint32_t d = slice0(data);
        const uint32_t to = 1u << rx_vc_i.read() & all_vcs();
        const uint32_t new_packet = fresh.read() ? to : 0;
        const uint32_t put = !valid && put_we_i.read() ? looked_at() & ~q.pkt : 0;
        const uint32_t we = ram_we.read() ? to : put;
        has_room.write((room() & to) != 0);
        for (uint32_t v = 0; v < num_vc; ++v) we_oh[v].write((we >> v & 1) != 0);
        ram_waddr.write(valid ? uint32_t(idx.read()) & 15 : uint32_t(put_addr_i.read()));
        ram_wdata.write(valid ? data : flit_t(put_d_i.read()));
        h0_we.write(valid && idx.read() == 0);
        h1_we.write(valid && idx.read() == 1);
        fresh_oh.write(new_packet);
        val.write(q.pkt);
        const bool recalls = land.read() && in_port >= PortM0 && get(d, H0Tag) == 0;
        recall.write(recalls);
        land_ack.write(land.read() && !recalls);
        if (land.read()) {
            land_tag.write(uint32_t(get(d, H0Tag)));
            land_st.write(uint32_t(get(d, H0Status)));
            land_gen.write(uint32_t(get(d, H0Gen)));
        }
        ev_over_o.write(over.read() || ev_land.read());
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
        short_more.write(waits && !fresh.read() && is_read);
        if (!is_short.read()) next_trigger(is_short.posedge_event());
    }
    void poison() {
        const uint32_t v = q.sel;
        rd_pois.write(pois[v].read() || short_oh[v].read());
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
        dumped.write(is_dumped());
        fin.write(ended() != 0);
        cred_ret_o.write(ended() != 0 && !holds());
        const uint32_t asks = ent_oh.read();
        ent_gnt.write(ent_gnt_i.read() ? asks : 0);
        cred_add_o.write((retry_ack_i.read() ? asks : 0) | (unholds() ? q.rsv : 0) |
                         (consumed() & ~ended()));
    }

    // Resources that the stored packets wait for.
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
        held_o.write(tags >> 1 & m_entries);
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

    // Reading, a cycle ahead. The RAM is looked at only while something else comes out of it.
    void read_ahead() {
        if (!clk_i.posedge()) return wait_for_edge(clk_i);
        flit_t d = 0;
        for (uint32_t v = 0; v < num_vc; ++v)
            if ((next_oh.read() >> v & 1) != 0) d = ram_d[v].read();
        if (d != m_flit) {
            m_flit = d;
            m_read.notify(sc_core::SC_ZERO_TIME);
        }
        next_trigger(m_other);
    }
    void pick() {
        const flit_t d = rd_on.read() ? m_flit : 0;
        flit.write(d);
        rd_len.write(uint32_t(get(slice0(d), H0Len)));
    }

    void stream() {
        rd_x_o.write(wires_of(code.read(), copy.read()));
        rd_err_o.write(rd_loc.read() ? uint32_t(rd_err.read()) : 0);
    }

    Regs q;
    const uint32_t m_entries;            // entries of the ack table, bit t-1
    flit_t m_flit = 0;                   // the flit that was read
    sc_core::sc_event m_packets, m_put;  // pkt and rsv have changed; what is put back has
    sc_core::sc_event m_read;
    sc_core::sc_event_or_list m_wake, m_other;
};

}  // namespace rdt
