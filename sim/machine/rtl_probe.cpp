// SPDX-License-Identifier: MIT
#include "machine/rtl_probe.h"

#include <fmt/core.h>
#include <verilated_sym_props.h>
#include <verilated_syms.h>

#include <stdexcept>

namespace rdt::machine {

const std::vector<Register>& registers() {
    static const std::vector<Register> all = {
        {"u_input_unit", "wr_idx_q", 5,
         [](const fast::ChipState& r, uint32_t p) -> uint64_t { return r.input(p).q().wr_idx; }},
        {"u_input_unit", "pkt_q", 3,
         [](const fast::ChipState& r, uint32_t p) -> uint64_t { return r.input(p).pkt_mask(); }},
        {"u_input_unit", "rd_busy_q", 1,
         [](const fast::ChipState& r, uint32_t p) -> uint64_t { return r.input(p).q().rd_busy; }},
        {"u_input_unit", "rd_vc_q", 2,
         [](const fast::ChipState& r, uint32_t p) -> uint64_t { return r.input(p).q().rd_vc; }},
        {"u_input_unit", "rd_idx_q", 4,
         [](const fast::ChipState& r, uint32_t p) -> uint64_t { return r.input(p).q().rd_idx; }},
        {"u_link_io", "st_q", 3,
         [](const fast::ChipState& r, uint32_t p) -> uint64_t { return r.link(p).st; }},
        {"u_link_io", "mine_q", 1,
         [](const fast::ChipState& r, uint32_t p) -> uint64_t { return r.link(p).mine; }},
    };
    return all;
}

std::vector<RtlProbe> probes_of(const VerilatedContext& context, const std::string& instance,
                                uint32_t port) {
    std::vector<RtlProbe> probes;
    for (const Register& reg : registers()) {
        const std::string scope =
            fmt::format("{}.rdt_router.gen_port[{}].{}", instance, port, reg.block);
        const VerilatedScope* found = context.scopeFind(scope.c_str());
        const VerilatedVar* var = found == nullptr ? nullptr : found->varFind(reg.name);
        if (var == nullptr || var->vltype() != VLVT_UINT8)
            throw std::runtime_error(
                fmt::format("the Verilated chip has no register {}.{}", scope, reg.name));
        const auto* data = static_cast<const uint8_t*>(var->datap());
        probes.push_back({reg.name, reg.width, [data] { return uint64_t(*data); }, reg.of_model});
    }
    return probes;
}

}  // namespace rdt::machine
