// SPDX-License-Identifier: MIT
#include <rdt/cosim/twins.h>

#include <rdt/cosim/meanings.h>

namespace rdt::machine {

void Twin::find_meanings() {
    const auto of = [this](const char* name) -> const Line* {
        for (const auto* lines : {&m_inputs, &m_outputs})
            for (const Line& line : *lines)
                if (line.name == name) return &line;
        return nullptr;
    };
    for (const Meaning& m : meanings()) {
        if (m_kind != m.kind) continue;
        for (Line& line : m_outputs)
            if (line.name == m.output) line.strobes.emplace_back(of(m.strobe), m.mask);
    }
}

bool Twin::means_something(const Line& output) {
    for (const auto& [strobe, mask] : output.strobes) {
        const uint64_t either = strobe->of_block() | (strobe->of_rtl ? strobe->of_rtl() : 0);
        if ((either & mask) == 0) return false;
    }
    return true;
}

std::optional<BlockDifference> Twin::difference() const {
    for (const Line& line : m_outputs) {
        const uint64_t rtl = line.of_rtl();
        const uint64_t systemc = line.of_block();
        if (rtl == systemc || !means_something(line)) continue;
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
