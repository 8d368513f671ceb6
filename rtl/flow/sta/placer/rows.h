// SPDX-License-Identifier: MIT
// Cells into rows without overlap, each as near to its place as the others allow (Spindler,
// Schlichtmann, Johannes, Abacus, 2008).
#pragma once

#include <limits>
#include <numeric>

#include "design.h"

namespace rdt::place {

class Rows {
public:
    explicit Rows(Design& design) : d(design), rows(design.rows()) {}

    void legalise() {
        const Axis x = d.at[0], y = d.at[1];
        std::vector<Index> order(d.cells());
        std::iota(order.begin(), order.end(), Index(0));
        std::sort(order.begin(), order.end(), [&](Index a, Index b) {
            const double left = x[a] - d.width[a] / 2, right = x[b] - d.width[b] / 2;
            return left < right || (left == right && a < b);
        });
        for (Index i : order) insert(i, x[i] - d.width[i] / 2, y[i]);
        for (Index r = 0; r < rows.size(); ++r)
            for (const Group& g : rows[r].groups) {
                double at = place_of(g);
                for (Index i : g.cells) {
                    d.at[0][i] = at + d.width[i] / 2;
                    d.at[1][i] = d.row_y(r);
                    at += d.width[i];
                }
            }
    }

private:
    // Cells that touch. Its place is the mean of where its cells would like it to begin.
    struct Group {
        double weight = 0, wish = 0, width = 0;
        std::vector<Index> cells;
    };
    struct Row {
        std::vector<Group> groups;
        double used = 0;
    };

    double place_of(const Group& g) const {
        return std::clamp(g.wish / g.weight, 0.0, std::max(0.0, d.side - g.width));
    }

    void insert(Index i, double left, double y) {
        const auto middle = int(std::clamp(y / d.height, 0.0, double(rows.size()) - 1));
        double best = std::numeric_limits<double>::max();
        int chosen = -1;
        for (int far = 0; far < int(rows.size()); ++far) {
            bool near = false;
            for (int way : {-1, 1}) {
                const int r = middle + way * far;
                if (r < 0 || r >= int(rows.size()) || (far == 0 && way > 0)) continue;
                const double down = std::abs(d.row_y(Index(r)) - y);
                if (down >= best) continue;
                near = true;
                if (rows[size_t(r)].used + d.width[i] > d.side) continue;
                const double cost = down + std::abs(trial(rows[size_t(r)], i, left) - left);
                if (cost < best) best = cost, chosen = r;
            }
            if (!near && far > 0 && chosen >= 0) break;
        }
        if (chosen < 0) throw std::runtime_error("the rows are full");
        add(rows[size_t(chosen)], i, left);
    }

    // Where the cell would begin.
    double trial(const Row& row, Index i, double left) const {
        Group g;
        g.weight = 1, g.wish = left, g.width = d.width[i];
        double at = place_of(g), before = 0;
        for (size_t k = row.groups.size(); k-- > 0;) {
            const Group& last = row.groups[k];
            if (place_of(last) + last.width <= at) break;
            join(g, last);
            before += last.width;
            at = place_of(g);
        }
        return at + before;
    }

    // `g` comes behind: it wishes for its own beginning.
    static void join(Group& g, const Group& before) {
        g.wish += before.wish - g.weight * before.width;
        g.weight += before.weight;
        g.width += before.width;
    }

    void add(Row& row, Index i, double left) {
        Group g;
        g.weight = 1, g.wish = left, g.width = d.width[i], g.cells = {i};
        while (!row.groups.empty() &&
               place_of(row.groups.back()) + row.groups.back().width > place_of(g)) {
            Group& last = row.groups.back();
            join(g, last);
            last.cells.insert(last.cells.end(), g.cells.begin(), g.cells.end());
            g.cells = std::move(last.cells);
            row.groups.pop_back();
        }
        row.groups.push_back(std::move(g));
        row.used += d.width[i];
    }

    Design& d;
    std::vector<Row> rows;
};

}  // namespace rdt::place
