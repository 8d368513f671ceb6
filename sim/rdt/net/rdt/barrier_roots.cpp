// SPDX-License-Identifier: MIT
#include <rdt/net/rdt/barrier_roots.h>

#include <algorithm>
#include <stdexcept>

#include <rdt/net/rdt/multicast.h>

namespace rdt {

std::vector<uint32_t> barrier_roots(const Geometry& geometry) {
    const uint32_t nodes = geometry.nodes();
    const uint32_t none = nodes;
    std::vector<uint32_t> roots(nodes, none);
    for (uint32_t root = 0; root < nodes; ++root) {
        if (roots[root] != none || geometry.rank(root) != 1) continue;
        const std::vector<uint32_t> received = receipts(geometry, root, barrier_maps());
        bool is_free = true;
        for (uint32_t n = 0; n < nodes; ++n) is_free &= received[n] == 0 || roots[n] == none;
        for (uint32_t n = 0; n < nodes && is_free; ++n)
            if (received[n] != 0) roots[n] = root;
    }
    if (std::find(roots.begin(), roots.end(), none) != roots.end())
        throw std::logic_error("territories of barriers leave nodes out");
    return roots;
}

}  // namespace rdt
