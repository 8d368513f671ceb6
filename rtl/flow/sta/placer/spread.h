// SPDX-License-Identifier: MIT
// Pulls cells apart where there are too many, keeping their order: a region is halved, and if a
// half has more than fits the line between the cells moves, and with it what is on either side.
#pragma once

#include <numeric>

#include "design.h"

namespace rdt::place {

class Spread {
public:
    Spread(const Design& design, double most) : d(design), most_(most) {}

    std::array<Axis, 2> operator()() {
        at = d.at;
        std::vector<Index> all(d.cells());
        std::iota(all.begin(), all.end(), Index(0));
        const Span core{0, d.side};
        cut(all.data(), all.size(), {core, core}, {core, core});
        return at;
    }

private:
    struct Span {
        double low, high;
        double length() const { return high - low; }
    };
    using Box = std::array<Span, 2>;

    double room(const Box& box) const { return box[0].length() * box[1].length() * most_; }
    double area(Index i) const { return d.width[i] * d.height; }

    // `from` is where the cells are, `to` where they go; both as the axes were cut so far.
    void cut(Index* cells, size_t count, Box from, Box to) {
        const int axis = to[0].length() >= to[1].length() ? 0 : 1;
        if (count <= 3 || to[axis].length() < 1.5 * d.height) return move(cells, count, from, to);
        const Axis& x = at[axis];
        std::sort(cells, cells + count,
                  [&x](Index a, Index b) { return x[a] < x[b] || (x[a] == x[b] && a < b); });
        const double middle = (to[axis].low + to[axis].high) / 2;
        Box first = to, second = to;
        first[axis].high = second[axis].low = middle;
        double all = 0;
        for (size_t n = 0; n < count; ++n) all += area(cells[n]);
        // Where the middle is among the cells before they move.
        const double source =
            from[axis].low + (middle - to[axis].low) / to[axis].length() * from[axis].length();
        double below = 0;
        size_t n = 0;
        while (n < count && x[cells[n]] < source) below += area(cells[n++]);
        double line = source;
        const double least = all - room(second), fits = room(first);
        const double want = least > fits ? all / 2 : std::clamp(below, least, fits);
        if (want != below) {
            below = 0;
            for (n = 0; n < count && below + area(cells[n]) / 2 < want; ++n)
                below += area(cells[n]);
            const double left = n > 0 ? x[cells[n - 1]] : from[axis].low;
            const double right = n < count ? x[cells[n]] : from[axis].high;
            line = std::clamp((left + right) / 2, from[axis].low, from[axis].high);
        }
        Box from_first = from, from_second = from;
        from_first[axis].high = from_second[axis].low = line;
        if (n > 0) cut(cells, n, from_first, first);
        if (n < count) cut(cells + n, count - n, from_second, second);
    }

    void move(const Index* cells, size_t count, const Box& from, const Box& to) {
        for (size_t n = 0; n < count; ++n)
            for (int axis = 0; axis < 2; ++axis) {
                const double length = from[axis].length();
                const double part =
                    length > 1e-9 ? (at[axis][cells[n]] - from[axis].low) / length : 0.5;
                at[axis][cells[n]] = to[axis].low + std::clamp(part, 0.0, 1.0) * to[axis].length();
            }
    }

    const Design& d;
    double most_;  // part of an area that cells may take
    std::array<Axis, 2> at;
};

}  // namespace rdt::place
