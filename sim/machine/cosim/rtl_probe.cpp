// SPDX-License-Identifier: MIT
#include "machine/cosim/rtl_probe.h"

#include <fmt/core.h>
#include <verilated_sym_props.h>
#include <verilated_syms.h>

#include <stdexcept>

namespace rdt::machine {

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
