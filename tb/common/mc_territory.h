// SPDX-License-Identifier: MIT
// Who receives a multicast, by coordinates alone: the reference for whole
// networks. Knows the torus assignment and the vectors of the ranks, but no ports,
// no relays and no routers.
#pragma once

#include <map>
#include <utility>

#include "common/mc_packet.h"

namespace rdt::tb {

class Territory {
public:
    Territory(int side, int top_rank, uint32_t top_mask)
        : m_side(side), m_top(top_rank), m_mask(top_mask) {}

    using Node = std::pair<int, int>;

    // How often each node receives it.
    std::map<Node, int> receivers(Node source, const McSpec& mc) const {
        std::map<Node, int> found;
        visit(source, mc.map, mc.type, found);
        return found;
    }

    // Rank of the upper torus a node is on: going East it falls by one, cyclically.
    int rank(Node at) const {
        static const int row[2][4] = {{2, 1, 4, 3}, {4, 3, 2, 1}};
        const int i = ((at.first - 2 * (at.second / 2)) % 4 + 4) % 4;
        return std::min(row[at.second % 2][i], m_top);
    }

private:
    Node moved(Node at, int dx, int dy) const {
        return {((at.first + dx) % m_side + m_side) % m_side,
                ((at.second + dy) % m_side + m_side) % m_side};
    }

    void visit(Node at, std::array<uint32_t, 5> maps, uint32_t type,
               std::map<Node, int>& found) const {
        int level = 4;
        while (level >= 0 && maps[size_t(level)] == 0) --level;
        if (level < 0) {
            ++found[at];
            return;
        }
        // The way to the nearest node of that rank: West if it is higher, East if it is lower.
        while (level > 0 && rank(at) != level) at = moved(at, rank(at) < level ? -1 : 1, 0);
        int ux = 1;
        int uy = 0;
        for (int r = 0; r < level; ++r) {
            const int vx = -uy;  // y axis of the rank is its x axis turned left
            const int vy = ux;
            const int nx = 2 * ux + 2 * vx;
            const int ny = 2 * uy + 2 * vy;
            ux = nx;
            uy = ny;
        }
        const int steps[8][2] = {{0, 0},  {1, 0},  {-1, 0},  {0, 1},
                                 {0, -1}, {1, -1}, {-1, -1}, {0, -2}};
        uint32_t map = maps[size_t(level)];
        if (level > 0 && level == m_top) map &= ~m_mask;
        maps[size_t(level)] = 0;
        for (uint32_t bit = 0; bit < 8; ++bit) {
            if ((map >> bit & 1) == 0) continue;
            const int a = steps[bit][0];
            const int b = steps[bit][1];
            const Node to = moved(at, a * ux - b * uy, a * uy + b * ux);
            auto lower = maps;
            uint32_t kind = type;
            const bool stays = bit == 0;
            if (level > 0 && ((type == 2 && !stays) || (type == 3 && stays)))
                for (int l = 0; l < level; ++l) lower[size_t(l)] = 0xFF;
            if (level > 0 && (!stays || type == 3)) kind = 1;
            visit(to, lower, kind, found);
        }
    }

    int m_side;
    int m_top;
    uint32_t m_mask;
};

}  // namespace rdt::tb
