// SPDX-License-Identifier: MIT
#include "machine/twins.h"

namespace rdt::machine {

std::optional<BlockDifference> Twin::difference() const {
    for (const Line& line : m_outputs) {
        const uint64_t rtl = line.of_rtl();
        const uint64_t systemc = line.of_block();
        if (rtl == systemc) continue;
        BlockDifference found{m_block, m_kind, line.name, rtl, systemc, {}, {}};
        for (const Line& in : m_inputs) {
            if (in.before != 0) found.before.emplace_back(in.name, in.before);
            if (in.value != 0) found.inputs.emplace_back(in.name, in.value);
        }
        return found;
    }
    return std::nullopt;
}

}  // namespace rdt::machine
