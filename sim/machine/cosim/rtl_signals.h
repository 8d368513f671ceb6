// SPDX-License-Identifier: MIT
// The signals of a node that is the Verilated chip.
#pragma once

#include <fmt/core.h>

#include <string>

#include "machine/cosim/rtl_chip.h"
#include "machine/cosim/rtl_probe.h"
#include "machine/cosim/signals.h"

namespace rdt::machine {

template <typename Model>
NodeSide rtl_side(RtlChip<Model>& chip, const VerilatedContext& context,
                  const std::string& instance, bool with_registers) {
    NodeSide side{"rtl", {}};
    RtlChip<Model>* rtl = &chip;
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const std::string at = fmt::format("{}.", to_string(Port(p)));
        const auto add = [&](const std::string& name, unsigned width, auto read) {
            side.signals.push_back({at + name, width, read});
        };
        add("d_o", FlitW, [=] { return rtl->d_o(p); });
        add("d_oe_o", 1, [=] { return rtl->d_oe_o(p); });
        add("req_o", 2, [=] { return rtl->req_o(p); });
        add("cred_o", 2, [=] { return rtl->cred_o(p); });
        if (!with_registers) continue;
        for (const RtlProbe& probe : probes_of(context, instance, p))
            add(probe.name, probe.width, probe.read);
    }
    side.signals.push_back({"err_o", 1, [=] { return rtl->model().err_o; }});
    return side;
}

}  // namespace rdt::machine
