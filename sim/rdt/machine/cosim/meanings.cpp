// SPDX-License-Identifier: MIT
#include <rdt/machine/cosim/meanings.h>

namespace rdt::machine {

const std::vector<Meaning>& meanings() {
    static const std::vector<Meaning> all = {
        {"link_io", "rx_d_o", "rx_valid_o"},
        {"input_unit", "ack_tag_o", "ack_v_o"},
        {"input_unit", "ack_st_o", "ack_v_o"},
        {"input_unit", "ack_gen_o", "ack_v_o"},
        {"input_unit", "ctx_o", "ctx_o", 1 << 20},
        {"local", "put_addr_o", "put_we_o"},
        {"local", "put_d_o", "put_we_o"},
        {"local", "put_ctx_o", "put_set_o"},
        {"local", "ent_tag_o", "ent_look_o"},
        {"local", "ent_h1_o", "ent_put_o"},
        {"local", "ent_h2_o", "ent_put_o"},
        {"ack", "snd_port_o", "snd_v_o"},
        {"ack", "snd_tag_o", "snd_v_o"},
        {"ack", "snd_st_o", "snd_v_o"},
        {"ack", "stray_port_o", "stray_o"},
        {"ack", "stray_tag_o", "stray_o"},
        {"ack", "look_used_o", "look_i"},
        {"ack", "look_h1_o", "look_i"},
        {"ack", "look_h1_o", "look_used_o"},
        {"ack", "look_h2_o", "look_i"},
        {"ack", "look_h2_o", "look_used_o"},
        // Inside of the blocks.
        {"ack_entry", "done_q", "owes_q"},
        {"bitmap_gen", "h0", "fresh_i"},
        {"bitmap_gen", "h1", "fresh_i"},
        {"bitmap_gen", "h2", "fresh_i"},
        {"bitmap_gen", "credit", "fresh_i"},
        {"bitmap_gen", "rt_set", "fresh_i"},
        {"bitmap_gen", "rt_rdy", "fresh_i"},
        {"bitmap_gen", "rt_mc", "fresh_i"},
        {"bitmap_gen", "rt_ovc", "fresh_i"},
        {"bitmap_gen", "rt_err", "fresh_i"},
        {"bitmap_gen", "bm_set", "fresh_i"},
        {"bitmap_gen", "bm_rdy", "fresh_i"},
        {"bitmap_gen", "bm_relay", "fresh_i"},
        {"bitmap_gen", "bm_expl", "fresh_i"},
        {"bitmap_gen", "bm_exp0", "fresh_i"},
        {"bitmap_gen", "bm_xfer", "fresh_i"},
        {"bitmap_gen", "bm_bad", "fresh_i"},
        {"bitmap_gen", "set_o", "fresh_i"},
        {"bitmap_gen", "rdy_o", "fresh_i"},
        {"bitmap_gen", "bad_o", "fresh_i"},
        {"bitmap_gen", "load_plan", "load_oh"},
        {"bitmap_gen", "relay", "head"},
        {"bitmap_gen", "expl", "head"},
        {"bitmap_gen", "exp0", "head"},
        {"inject", "wait_q", "want_o"},
        {"inject", "idx_q", "x_o"},
        {"input_unit", "h0_we", "rx_valid_i"},
        {"input_unit", "h1_we", "rx_valid_i"},
        {"input_unit", "load_pend", "load"},
        {"input_unit", "land_tag", "land"},
        {"input_unit", "land_st", "land"},
        {"input_unit", "land_gen", "land"},
        {"input_unit", "ram_waddr", "we_oh"},
        {"input_unit", "ram_wdata", "we_oh"},
        {"local_fsm", "err_i", "recv_o"},
        {"notice", "code_o", "any_o"},
        {"read_pass", "rd_left_q", "rd_busy_q"},
        {"read_pass", "rd_left_q", "rd_idx_q"},  // not known yet at the first flit
        {"setup", "err_o", "recv_i"},
        {"shot", "flit_o", "shot_o", 1},  // while it dumps
    };
    return all;
}

}  // namespace rdt::machine
