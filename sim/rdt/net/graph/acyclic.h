// SPDX-License-Identifier: MIT
// Can the vertices of a directed graph be put in order, and if not, which cycle prevents it?
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace rdt {

struct Ordering {
    bool acyclic;
    uint32_t longest_chain;       // vertices in it; 0 when cyclic
    std::vector<uint32_t> cycle;  // each has an edge to the next, the last to the first
};

// Kahn's algorithm: removes vertices without incoming edges from the remaining graph. Vertices that
// cannot be removed lie on a cycle or behind one. for_outs(v, f) calls f(w) for every edge v -> w.
template <class ForOuts>
Ordering order_vertices(uint32_t count, ForOuts&& for_outs) {
    std::vector<uint32_t> waiting(count, 0);
    for (uint32_t v = 0; v < count; ++v) for_outs(v, [&](uint32_t w) { ++waiting[w]; });
    std::vector<uint32_t> ready;
    for (uint32_t v = 0; v < count; ++v)
        if (waiting[v] == 0) ready.push_back(v);
    std::vector<uint32_t> chain(count, 1);
    uint32_t longest = 0;
    uint32_t left = count;
    while (!ready.empty()) {
        const uint32_t v = ready.back();
        ready.pop_back();
        --left;
        longest = std::max(longest, chain[v]);
        for_outs(v, [&](uint32_t w) {
            chain[w] = std::max(chain[w], chain[v] + 1);
            if (--waiting[w] == 0) ready.push_back(w);
        });
    }
    if (left == 0) return {true, longest, {}};

    // Every vertex that is left has one before it that is left too, so going backwards has to
    // come round.
    std::vector<uint32_t> before(count, 0);
    uint32_t at = 0;
    for (uint32_t v = 0; v < count; ++v) {
        if (waiting[v] == 0) continue;
        at = v;
        for_outs(v, [&](uint32_t w) { before[w] = v; });
    }
    std::vector<bool> seen(count, false);
    for (; !seen[at]; at = before[at]) seen[at] = true;
    std::vector<uint32_t> cycle;
    for (uint32_t v = at; cycle.empty() || v != at; v = before[v]) cycle.push_back(v);
    std::reverse(cycle.begin(), cycle.end());
    return {false, 0, cycle};
}

}  // namespace rdt
