// SPDX-License-Identifier: MIT
#include <rdt/cosim/rtl_signals.h>

#include <fmt/core.h>
#include <verilated_sym_props.h>
#include <verilated_syms.h>

#include <stdexcept>

namespace rdt::machine {

Registers rtl_registers(const VerilatedContext& context, const std::string& instance) {
    Registers registers;
    for (const NamedSignal& s : chip_signals()) {
        if (s.signal->of_pins != nullptr) continue;
        const std::string scope =
            fmt::format("{}.rdt_router.gen_port[{}].{}", instance, s.port, s.signal->block);
        const VerilatedScope* found = context.scopeFind(scope.c_str());
        const VerilatedVar* var = found == nullptr ? nullptr : found->varFind(s.signal->name);
        if (var == nullptr || var->vltype() != VLVT_UINT8)
            throw std::runtime_error(
                fmt::format("the Verilated chip has no register {}.{}", scope, s.signal->name));
        registers.push_back({static_cast<const uint8_t*>(var->datap())});
    }
    return registers;
}

}  // namespace rdt::machine
