// SPDX-License-Identifier: MIT
// Wrong gates, one in each copy of a netlist but the first, and which of them have been seen.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "netlist/gates.h"

namespace rdt::tb {

class InjectedGates {
public:
    static constexpr unsigned Copies = 64;
    static constexpr unsigned Sound = 4;  // the copies without a injected bug come first
    static constexpr unsigned Number = Copies - Sound;
    static constexpr Lanes SoundLanes = (Lanes(1) << Sound) - 1;

    // Dice of their own, so that the traffic is the same whatever is injected. Gates named as
    // harmless are excluded: replacing them changes nothing.
    InjectedGates(Gates& gates, uint64_t seed, const std::vector<size_t>& harmless)
        : m_gates(gates) {
        Dice dice(seed + 0x9E3779B97F4A7C15u);
        const std::vector<size_t> heard = gates.heard();
        for (unsigned copy = Sound; copy < Copies; ++copy) {
            size_t gate = 0;
            do gate = heard[dice.below(uint32_t(heard.size()))];
            while (std::find(harmless.begin(), harmless.end(), gate) != harmless.end());
            m_injected[copy] = {gate, gates.inject(gate, copy)};
        }
    }

    static unsigned seen(Lanes differ) {
        return unsigned(__builtin_popcountll(differ & ~SoundLanes));
    }
    static bool all_seen(Lanes differ) { return seen(differ) == Number; }

    // Each with the registers that held something else, up to where it was seen.
    void tell(Lanes differ) const {
        for (unsigned copy = Sound; copy < Copies; ++copy) {
            const Injected& injected = m_injected[copy];
            std::fprintf(stderr, "%s: %zu %u %s", (differ >> copy & 1) != 0 ? "seen" : "not seen",
                         injected.gate, injected.table, m_gates.name(injected.gate).c_str());
            for (const uint32_t net : m_gates.others(copy)) std::fprintf(stderr, " %u", net);
            std::fprintf(stderr, "\n");
        }
    }

private:
    struct Injected {
        size_t gate;
        uint32_t table;
    };
    Gates& m_gates;
    std::array<Injected, Copies> m_injected{};
};

}  // namespace rdt::tb
