// SPDX-License-Identifier: MIT
#include "machine/cosim/model_registers.h"

namespace rdt::machine {

const std::vector<Register>& registers() {
    static const std::vector<Register> all = {
        {"u_input_unit.u_arrival", "wr_idx_q", 5,
         [](const fast::ChipState& r, uint32_t p) -> uint64_t { return r.input(p).q().wr_idx; }},
        {"u_input_unit", "pkt_q", 3,
         [](const fast::ChipState& r, uint32_t p) -> uint64_t { return r.input(p).pkt_mask(); }},
        {"u_input_unit.u_read_pass", "rd_busy_q", 1,
         [](const fast::ChipState& r, uint32_t p) -> uint64_t { return r.input(p).q().rd_busy; }},
        {"u_input_unit.u_read_pass", "rd_vc_q", 2,
         [](const fast::ChipState& r, uint32_t p) -> uint64_t { return r.input(p).q().rd_vc; }},
        {"u_input_unit.u_read_pass", "rd_idx_q", 4,
         [](const fast::ChipState& r, uint32_t p) -> uint64_t { return r.input(p).q().rd_idx; }},
        {"u_link_io", "st_q", 3,
         [](const fast::ChipState& r, uint32_t p) -> uint64_t { return r.link(p).st; }},
        {"u_link_io", "mine_q", 1,
         [](const fast::ChipState& r, uint32_t p) -> uint64_t { return r.link(p).mine; }},
    };
    return all;
}

}  // namespace rdt::machine
