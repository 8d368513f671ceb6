// SPDX-License-Identifier: MIT
#include "machine/cosim/signals.h"

#include <fmt/core.h>

#include "machine/cosim/model_registers.h"

namespace rdt::machine {

NodeSide model_side(const std::string& name, const fast::ChipState& chip) {
    NodeSide side{name, {}};
    const fast::ChipState* model = &chip;
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const std::string at = fmt::format("{}.", to_string(Port(p)));
        const auto add = [&](const std::string& signal, unsigned width, auto read) {
            side.signals.push_back({at + signal, width, read});
        };
        add("d_o", FlitW, [=] { return model->pins(p).d; });
        add("d_oe_o", 1, [=] { return model->pins(p).oe; });
        add("req_o", 2, [=] { return model->pins(p).req; });
        add("cred_o", 2, [=] { return model->pins(p).cred; });
        for (const Register& r : registers())
            add(r.name, r.width, [=, of = r.of_model] { return of(*model, p); });
    }
    side.signals.push_back({"err_o", 1, [=] { return model->err(); }});
    return side;
}

}  // namespace rdt::machine
