// SPDX-License-Identifier: MIT
// The wires between the blocks of the router chip, named as in rtl/rdt_router.sv.
#pragma once

#include <rdt/data_width.h>
#include <rdt/router_pins.h>

namespace rdt {

// Those around u_reduce.
struct reduce_signals {
    net<WireW> ack_x{"ack_x"};  // without the result
    nets<FlitW> rx_slice{"rx_slice", NumPorts};
    net<FlitW> flip{"flip"};
};

class router_signals : public router_pins<DataW, block> {
public:
    // configuration
    net<5> rank{"rank"};
    net<4> xfer{"xfer"};
    net<8> dateline{"dateline"};
    net<8> link{"link"};
    net<8> mask{"mask"};
    net<4> ranks{"ranks"};
    net<1> end_lane{"end_lane"}, drop{"drop"}, running{"run"};
    net<1> tick{"tick"}, tick_ent{"tick_ent"}, tick_ack{"tick_ack"}, slow{"slow"}, sink{"sink"};
    // lines
    nets<1> link_en{"link_en", NumPorts};
    nets<1> line_gnt{"line_gnt", NumPorts}, line_void{"line_void", NumPorts};
    nets<1> hush{"hush", NumPorts}, ask{"ask", NumPorts};
    nets<1> call{"call", NumPorts}, down{"down", NumPorts}, up{"up", NumPorts};
    nets<1> ann{"ann", NumPorts};
    nets<1> tx{"tx", NumPorts}, late{"late", NumPorts}, bad{"bad", NumPorts};
    nets<1> rx_valid{"rx_valid", NumPorts}, rx_first{"rx_first", NumPorts};
    nets<1> rx_last{"rx_last", NumPorts};
    nets<2> rx_vc{"rx_vc", NumPorts};
    nets<DataW> rx_d{"rx_d", NumPorts};
    nets<1> cred_ret{"cred_ret", NumPorts}, oe{"oe", NumPorts};
    nets<2> cred_vc{"cred_vc", NumPorts};
    nets<3> cred_add{"cred_add", NumPorts}, room{"room", NumPorts};
    // arbitration and crossbar
    nets<3> credit{"credit", NumPorts};
    nets<11> want{"want", NumPorts}, cand{"cand", NumPorts}, gnt{"gnt", NumPorts};
    nets<1> cand_any{"cand_any", NumPorts}, xb_gnt{"xb_gnt", NumPorts}, pkt{"pkt", NumPorts};
    nets<1> gnt_out{"gnt_out", NumOuts};
    net<1> x_gnt{"x_gnt"};
    nets<10> xsel{"xsel", NumOuts};
    nets<WireW> rd_x{"rd_x", NumPorts};
    nets<WireW> x{"x", NumOuts};
    // LOCAL
    net<1> ready{"ready"}, only_mbp0{"only_mbp0"};
    nets<1> ready_in{"ready_in", NumPorts};
    nets<4> rd_err{"rd_err", NumPorts};
    nets<2> rd_vc{"rd_vc", NumPorts};
    nets<1> to_pend{"to_pend", NumPorts}, to_ack{"to_ack", NumPorts};
    nets<2> to_vc{"to_vc", NumPorts};
    net<2> loc_want{"loc_want"}, loc_gnt{"loc_gnt"};
    net<WireW> loc_x{"loc_x"};
    nets<1> ev_body{"ev_body", NumPorts}, ev_frame{"ev_frame", NumPorts};
    nets<1> ev_over{"ev_over", NumPorts}, ev_cred{"ev_cred", NumPorts};
    nets<1> ev_owed{"ev_owed", NumPorts}, ev_sync{"ev_sync", NumPorts};
    nets<1> ev_sunk{"ev_sunk", NumPorts};
    net<1> ev_lost{"ev_lost"};
    // acks
    nets<1> ack_v{"ack_v", NumPorts}, ack_take{"ack_take", NumPorts};
    nets<AckTagW> ack_tag{"ack_tag", NumPorts};
    nets<AckStW> ack_st{"ack_st", NumPorts};
    nets<HeldW> held{"held", NumPorts};
    net<HeldW> held_any{"held_any"};
    nets<4> ack_gen{"ack_gen", NumPorts};
    net<GenW> gen{"gen"};
    net<10> busy{"busy"};
    nets<1> ent_req{"ent_req", NumPorts}, ent_gnt{"ent_gnt", NumPorts};
    nets<1> retry{"retry", NumPorts}, retry_ack{"retry_ack", NumPorts};
    nets<10> ent_set{"ent_set", NumPorts};
    nets<TagW> ent_tag{"ent_tag", NumPorts};
    nets<1> ent_vct{"ent_vct", NumPorts}, ent_old{"ent_old", NumPorts};
    net<TagW> ent_new{"ent_new"};
    net<1> snd_v{"snd_v"}, snd_take{"snd_take"};
    net<4> snd_port{"snd_port"};
    net<TagW> snd_tag{"snd_tag"};
    net<6> snd_st{"snd_st"};
    net<1> stray{"stray"}, ev_table{"ev_table"}, ev_table_any{"ev_table_any"};
    net<4> stray_port{"stray_port"};
    net<3> stray_tag{"stray_tag"};
    // shoot-down
    net<1> halt{"halt"}, raw{"raw"}, keep{"keep"}, give{"give"};
    net<1> dump{"dump"}, dumping{"dumping"}, put_we{"put_we"}, put_set{"put_set"};
    net<30> look{"look"};
    nets<1> clash{"clash", NumPorts}, vacant{"vacant", NumPorts};
    net<1> clash_any{"clash_any"}, vacant_any{"vacant_any"};
    nets<CtxW> ctx{"ctx", NumPorts};
    net<CtxW> ctx_any{"ctx_any"};
    net<4> put_addr{"put_addr"};
    net<DataW> put_d{"put_d"};
    net<PutCtxW> put_ctx{"put_ctx"};
    net<1> look_ent{"look_ent"}, look_used{"look_used"}, put_ent{"put_ent"};
    net<TagW> look_tag{"look_tag"};
    net<17> look_h1{"look_h1"}, put_h1{"put_h1"};
    net<EntH2W> look_h2{"look_h2"}, put_h2{"put_h2"};
    // behind the crossbar
    nets<1> inj_want{"inj_want", NumPorts}, inj_gnt{"inj_gnt", NumPorts};
    net<WireW> inj_x{"inj_x"};

    // Expressions that the RTL has in its port connections.
    net<1> off{"off"};  // 0
    // All credits, and whether LOCAL is ready: for MBP 0, and for all other inputs.
    net<31> credit_mbp0{"credit_mbp0"}, credit_in{"credit_in"};
    nets<3> look_in{"look_in", NumPorts};
    net<2> m_credit{"m_credit"};

protected:
    router_signals(sc_core::sc_module_name name, uint32_t entries);
    ~router_signals() override;
};

}  // namespace rdt
