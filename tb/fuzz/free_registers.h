// SPDX-License-Identifier: MIT
// Registers of the RTL that are not compared with the SystemC design in every cycle, as kind of
// module and name. tb/mutate/watched.py reads this list, too.
#pragma once

namespace rdt::tb::fuzz {

// The RTL alone has them: what the design in SystemC works out when it needs it.
constexpr const char* OfRtlAlone[] = {
    "ack.ent_mask_q",   "ack.mask_q",       "ack_port.ack_gen_q", "ack_port.evc_q",
    "ack_port.wvc_q",   "arbiter.mask_q",   "bitmap.larp_q",      "bitmap.some2_q",
    "bitmap.some_q",    "output_unit.mc_q", "output_unit.rw_q",   "output_unit.tag_q",
    "output_unit.vc_q", "regs.rank_oh_q",   "route.len_q",        "route.mc_q",
    "route.setup_q",    "route.short_q",    "route.shot_q",       "route.top_q",
    "route.type_q",     "route.uni_q",      "route.upper_q",      "route.v0x_q",
    "route.vy_q",
};

// They are sometimes unused: an entry, a message, a packet or a flit that does not exist. The RTL
// takes whatever comes by then, or keeps it through a reset, and the SystemC design keeps what was,
// or is as new.
constexpr const char* AtTimesOfNoMeaning[] = {
    "ack_entry.age_q",    "ack_entry.pend_q",   "ack_entry.port_q",    "ack_entry.status_q",
    "ack_entry.tag_q",    "arrival.cur_err_q",  "arrival.drop_q",      "bitmap_gen.h0_q",
    "bitmap_gen.h1_q",    "inject.port_q",      "inject.status_q",     "inject.tag_q",
    "inject.wait_q",      "link_io.rx_d_q",     "link_io.rx_second_q", "local.code_q",
    "local.e_q",          "local.h0_q",         "local.h1_q",          "local.h2_q",
    "local.port_q",       "local.tag_q",        "local.vc_q",          "local_fsm.kind_q",
    "local_fsm.ridx_q",   "local_fsm.wait_q",   "notice.stray_port_q", "notice.stray_tag_q",
    "output_unit.sunk_q", "read_pass.rd_fin_q", "read_pass.rd_pois_q", "read_pass.rd_raw_q",
    "read_pass.rd_up_q",
};

}  // namespace rdt::tb::fuzz
