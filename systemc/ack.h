// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_ack.sv. ack_tag_i, ack_st_i, ent_set_i and ent_tag_i: one element an input;
// ack_gen_i: one of 4 bits an MBP.
#pragma once

#include <systemc>

#include "core/ack.h"

namespace rdt {

class ack_combiner : public sc_core::sc_module {
public:
    template <typename T>
    using ins = sc_core::sc_vector<sc_core::sc_in<T>>;

    sc_core::sc_in<bool> clk_i{"clk_i"};
    sc_core::sc_in<bool> rst_ni{"rst_ni"};
    sc_core::sc_in<bool> tick_i{"tick_i"};
    sc_core::sc_in<uint32_t> ack_v_i{"ack_v_i"};
    ins<uint32_t> ack_tag_i{"ack_tag_i", NumPorts};
    ins<uint32_t> ack_st_i{"ack_st_i", NumPorts};
    sc_core::sc_in<uint32_t> ack_gen_i{"ack_gen_i"};
    sc_core::sc_in<uint32_t> held_i{"held_i"};
    sc_core::sc_in<uint32_t> busy_i{"busy_i"};
    sc_core::sc_in<uint32_t> ent_req_i{"ent_req_i"};
    ins<uint32_t> ent_set_i{"ent_set_i", NumPorts};
    ins<uint32_t> ent_tag_i{"ent_tag_i", NumPorts};
    sc_core::sc_in<bool> snd_take_i{"snd_take_i"};
    sc_core::sc_in<bool> look_i{"look_i"};
    sc_core::sc_in<uint32_t> look_tag_i{"look_tag_i"};
    sc_core::sc_in<bool> put_i{"put_i"};
    sc_core::sc_in<uint32_t> put_h1_i{"put_h1_i"};
    sc_core::sc_in<uint32_t> put_h2_i{"put_h2_i"};
    sc_core::sc_out<uint32_t> ack_take_o{"ack_take_o"};
    sc_core::sc_out<uint32_t> ent_gnt_o{"ent_gnt_o"};
    sc_core::sc_out<uint32_t> ent_new_o{"ent_new_o"};
    sc_core::sc_out<bool> snd_v_o{"snd_v_o"};
    sc_core::sc_out<uint32_t> snd_port_o{"snd_port_o"};
    sc_core::sc_out<uint32_t> snd_tag_o{"snd_tag_o"};
    sc_core::sc_out<uint32_t> snd_st_o{"snd_st_o"};
    sc_core::sc_out<bool> stray_o{"stray_o"};
    sc_core::sc_out<uint32_t> stray_port_o{"stray_port_o"};
    sc_core::sc_out<uint32_t> stray_tag_o{"stray_tag_o"};
    sc_core::sc_out<bool> ev_table_o{"ev_table_o"};
    sc_core::sc_out<uint32_t> gen_o{"gen_o"};
    sc_core::sc_out<bool> look_used_o{"look_used_o"};
    sc_core::sc_out<uint32_t> look_h1_o{"look_h1_o"};
    sc_core::sc_out<uint32_t> look_h2_o{"look_h2_o"};

    explicit ack_combiner(sc_core::sc_module_name name) : sc_module(name) {
        SC_HAS_PROCESS(ack_combiner);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
        SC_METHOD(comb);
        sensitive << m_clocked << tick_i << ack_v_i << ack_gen_i << busy_i << ent_req_i
                  << snd_take_i << look_i << look_tag_i << put_i << put_h1_i << put_h2_i;
        for (uint32_t i = 0; i < NumPorts; ++i)
            sensitive << ack_tag_i[i] << ack_st_i[i] << ent_set_i[i] << ent_tag_i[i];
    }

    const core::AckTable& state() const { return m_core; }

private:
    core::AckTable::In read() const {
        core::AckTable::In in;
        in.tick = tick_i.read();
        in.ack_v = ack_v_i.read();
        in.ent_req = ent_req_i.read();
        in.snd_take = snd_take_i.read();
        in.held = held_i.read();
        in.busy = busy_i.read();
        in.look = look_i.read();
        in.look_tag = look_tag_i.read();
        in.put = put_i.read();
        in.put_h1 = put_h1_i.read();
        in.put_h2 = put_h2_i.read();
        for (uint32_t i = 0; i < NumPorts; ++i) {
            const uint32_t gen = i < PortM0 ? 0 : ack_gen_i.read() >> 4 * (i - PortM0) & 15;
            in.note[i] = {i, ack_tag_i[i].read(), ack_st_i[i].read(), gen};
            in.ent_set[i] = ent_set_i[i].read();
            in.ent_tag[i] = ent_tag_i[i].read();
        }
        return in;
    }

    void clock() {
        if (!rst_ni.read()) {
            m_core.reset();
        } else {
            const core::AckTable::In in = read();
            m_core.clock(in, m_core.comb(in));
        }
        m_clocked.notify(sc_core::SC_ZERO_TIME);
    }

    void comb() {
        const core::AckTable::In in = read();
        const core::AckTable::Out out = m_core.comb(in);
        ack_take_o.write(out.ack_take);
        ent_gnt_o.write(out.ent_gnt);
        ent_new_o.write(out.ent_new);
        snd_v_o.write(out.snd_v);
        snd_port_o.write(out.snd.port);
        snd_tag_o.write(out.snd.tag);
        snd_st_o.write(out.snd.status);
        stray_o.write(out.stray);
        stray_port_o.write(out.stray_port);
        stray_tag_o.write(out.stray_tag);
        ev_table_o.write(m_core.ev_table(in));
        gen_o.write(m_core.gens());
        const core::EntryLook seen = m_core.look(in.look_tag);
        look_used_o.write(seen.used);
        look_h1_o.write(seen.h1);
        look_h2_o.write(seen.h2);
    }

    core::AckTable m_core;
    sc_core::sc_event m_clocked;
};

}  // namespace rdt
