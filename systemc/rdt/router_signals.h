// SPDX-License-Identifier: MIT
// The signals between the blocks of the router chip, named as in rtl/rdt_router.sv.
#pragma once

#include <rdt/data_width.h>
#include <rdt/router_pins.h>

namespace rdt {

// Those around u_reduce.
struct reduce_signals {
    sig<WireW> ack_x{"ack_x"};  // without the result
    sigs<FlitW> rx_slice{"rx_slice", NumPorts};
    sig<FlitW> flip{"flip"};
};

class router_signals : public router_pins<DataW> {
public:
    // configuration
    sig<5> rank{"rank"};
    sig<4> xfer{"xfer"};
    sig<8> dateline{"dateline"};
    sig<8> link{"link"};
    sig<8> mask{"mask"};
    sig<4> ranks{"ranks"};
    sig<1> end_lane{"end_lane"}, drop{"drop"}, running{"run"};
    sig<1> tick{"tick"}, tick_ent{"tick_ent"}, tick_ack{"tick_ack"}, slow{"slow"}, sink{"sink"};
    // lines
    sigs<1> link_en{"link_en", NumPorts};
    sigs<1> line_gnt{"line_gnt", NumPorts}, line_void{"line_void", NumPorts};
    sigs<1> hush{"hush", NumPorts}, ask{"ask", NumPorts};
    sigs<1> call{"call", NumPorts}, down{"down", NumPorts}, up{"up", NumPorts};
    sigs<1> ann{"ann", NumPorts};
    sigs<1> tx{"tx", NumPorts}, late{"late", NumPorts}, bad{"bad", NumPorts};
    sigs<1> rx_valid{"rx_valid", NumPorts}, rx_first{"rx_first", NumPorts};
    sigs<1> rx_last{"rx_last", NumPorts};
    sigs<2> rx_vc{"rx_vc", NumPorts};
    sigs<DataW> rx_d{"rx_d", NumPorts};
    sigs<1> cred_ret{"cred_ret", NumPorts}, oe{"oe", NumPorts};
    sigs<2> cred_vc{"cred_vc", NumPorts};
    sigs<3> cred_add{"cred_add", NumPorts}, room{"room", NumPorts};
    // arbitration and crossbar
    sigs<3> credit{"credit", NumPorts};
    sigs<11> want{"want", NumPorts}, cand{"cand", NumPorts}, gnt{"gnt", NumPorts};
    sigs<1> cand_any{"cand_any", NumPorts}, xb_gnt{"xb_gnt", NumPorts}, pkt{"pkt", NumPorts};
    sigs<1> gnt_out{"gnt_out", NumOuts};
    sig<1> x_gnt{"x_gnt"};
    sigs<10> xsel{"xsel", NumOuts};
    sigs<WireW> rd_x{"rd_x", NumPorts};
    sigs<WireW> x{"x", NumOuts};
    // LOCAL
    sig<1> ready{"ready"}, only_mbp0{"only_mbp0"};
    sigs<1> ready_in{"ready_in", NumPorts};
    sigs<4> rd_err{"rd_err", NumPorts};
    sigs<2> rd_vc{"rd_vc", NumPorts};
    sigs<1> to_pend{"to_pend", NumPorts}, to_ack{"to_ack", NumPorts};
    sigs<2> to_vc{"to_vc", NumPorts};
    sig<2> loc_want{"loc_want"}, loc_gnt{"loc_gnt"};
    sig<WireW> loc_x{"loc_x"};
    sigs<1> ev_body{"ev_body", NumPorts}, ev_frame{"ev_frame", NumPorts};
    sigs<1> ev_over{"ev_over", NumPorts}, ev_cred{"ev_cred", NumPorts};
    sigs<1> ev_owed{"ev_owed", NumPorts}, ev_sync{"ev_sync", NumPorts};
    sigs<1> ev_sunk{"ev_sunk", NumPorts};
    sig<1> ev_lost{"ev_lost"};
    // acks
    sigs<1> ack_v{"ack_v", NumPorts}, ack_take{"ack_take", NumPorts};
    sigs<3> ack_tag{"ack_tag", NumPorts};
    sigs<6> ack_st{"ack_st", NumPorts};
    sigs<MaxEntries> held{"held", NumPorts};
    sig<MaxEntries> held_any{"held_any"};
    sigs<4> ack_gen{"ack_gen", NumPorts};
    sig<4 * MaxEntries> gen{"gen"};
    sig<10> busy{"busy"};
    sigs<1> ent_req{"ent_req", NumPorts}, ent_gnt{"ent_gnt", NumPorts};
    sigs<1> retry{"retry", NumPorts}, retry_ack{"retry_ack", NumPorts};
    sigs<10> ent_set{"ent_set", NumPorts};
    sigs<3> ent_tag{"ent_tag", NumPorts};
    sigs<1> ent_vct{"ent_vct", NumPorts}, ent_old{"ent_old", NumPorts};
    sig<3> ent_new{"ent_new"};
    sig<1> snd_v{"snd_v"}, snd_take{"snd_take"};
    sig<4> snd_port{"snd_port"};
    sig<3> snd_tag{"snd_tag"};
    sig<6> snd_st{"snd_st"};
    sig<1> stray{"stray"}, ev_table{"ev_table"}, ev_table_any{"ev_table_any"};
    sig<4> stray_port{"stray_port"};
    sig<3> stray_tag{"stray_tag"};
    // shoot-down
    sig<1> halt{"halt"}, raw{"raw"}, keep{"keep"}, give{"give"};
    sig<1> dump{"dump"}, dumping{"dumping"}, put_we{"put_we"}, put_set{"put_set"};
    sig<30> look{"look"};
    sigs<1> clash{"clash", NumPorts}, vacant{"vacant", NumPorts};
    sig<1> clash_any{"clash_any"}, vacant_any{"vacant_any"};
    sigs<21> ctx{"ctx", NumPorts};
    sig<21> ctx_any{"ctx_any"};
    sig<4> put_addr{"put_addr"};
    sig<DataW> put_d{"put_d"};
    sig<20> put_ctx{"put_ctx"};
    sig<1> look_ent{"look_ent"}, look_used{"look_used"}, put_ent{"put_ent"};
    sig<3> look_tag{"look_tag"};
    sig<17> look_h1{"look_h1"}, put_h1{"put_h1"};
    sig<11> look_h2{"look_h2"}, put_h2{"put_h2"};
    // behind the crossbar
    sigs<1> inj_want{"inj_want", NumPorts}, inj_gnt{"inj_gnt", NumPorts};
    sig<WireW> inj_x{"inj_x"};

    // Expressions that the RTL has in its port connections.
    sig<1> off{"off"};  // 0
    // All credits, and whether LOCAL is ready: for MBP 0, and for all other inputs.
    sig<31> credit_mbp0{"credit_mbp0"}, credit_in{"credit_in"};
    sigs<3> look_in{"look_in", NumPorts};
    sig<2> m_credit{"m_credit"};

protected:
    explicit router_signals(sc_core::sc_module_name name);
    ~router_signals() override;
};

}  // namespace rdt
