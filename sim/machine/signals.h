// SPDX-License-Identifier: MIT
// The signals of a node that are compared and recorded: output pins and the registers of
// rtl_probe.h, under the same names for RTL and model.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <string>
#include <vector>

#include "machine/chip.h"
#include "machine/rtl_probe.h"

namespace rdt::machine {

struct Signal {
    std::string name;  // as E0.d_o
    unsigned width;
    std::function<uint64_t()> read;
};

// One model of a node.
struct NodeSide {
    std::string name;  // rtl, systemc or fast
    std::vector<Signal> signals;
};

// The chip has to stay where it is.
NodeSide model_side(const std::string& name, const fast::ChipState& chip);

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
