// SPDX-License-Identifier: MIT
// A legal placement made better step by step, and legal after each: cells move to gaps near the
// middle of their nets or change places with a cell there, and neighbors in a row change order.
#pragma once

#include "design.h"

namespace rdt::place {

class Detail {
public:
    explicit Detail(Design& design) : d(design), row_of(design.cells()), rows(design.rows()) {
        for (Index i = 0; i < d.cells(); ++i) {
            row_of[i] = std::min(Index(rows.size()) - 1, Index(d.at[1][i] / d.height));
            rows[row_of[i]].push_back(i);
        }
        for (auto& row : rows)
            std::sort(row.begin(), row.end(),
                      [this](Index a, Index b) { return d.at[0][a] < d.at[0][b]; });
        best.resize(d.nets.size());
        for (Index k = 0; k < d.nets.size(); ++k) best[k] = d.weight[k] * d.half_perimeter(k);
    }

    void pass() {
        for (Index i = 0; i < d.cells(); ++i) relocate(i);
        for (Index r = 0; r < rows.size(); ++r)
            for (size_t n = 0; n + 2 < rows[r].size(); ++n) reorder(r, n);
    }

private:
    static constexpr int RowsAround = 2;
    static constexpr int CellsAround = 4;

    double left(Index i) const { return d.at[0][i] - d.width[i] / 2; }
    double right(Index i) const { return d.at[0][i] + d.width[i] / 2; }
    // Free space of a position in a row, from the previous cell to the next.
    double begin(Index r, size_t n) const { return n > 0 ? right(rows[r][n - 1]) : 0.0; }
    double end(Index r, size_t n) const {
        return n + 1 < rows[r].size() ? left(rows[r][n + 1]) : d.side;
    }
    size_t place_of(Index i) const {
        const auto& row = rows[row_of[i]];
        const auto found = std::lower_bound(row.begin(), row.end(), d.at[0][i],
                                            [this](Index c, double x) { return d.at[0][c] < x; });
        size_t n = size_t(found - row.begin());
        while (row[n] != i) ++n;
        return n;
    }

    void collect(std::initializer_list<Index> cells) {
        touched.clear();
        for (Index i : cells) touched.insert(touched.end(), d.uses[i].begin(), d.uses[i].end());
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    }
    double before() const {
        double sum = 0;
        for (Index k : touched) sum += best[k];
        return sum;
    }
    double now(double limit) {
        double sum = 0;
        fresh.clear();
        for (Index k : touched) {
            fresh.push_back(d.weight[k] * d.half_perimeter(k));
            sum += fresh.back();
            if (sum >= limit) break;
        }
        return sum;
    }
    void keep() {
        for (size_t n = 0; n < touched.size(); ++n) best[touched[n]] = fresh[n];
    }

    // The middle of the boxes of a cell's nets without it: anywhere between the middle two of the
    // sides its wires are shortest.
    double wish(Index i, int axis) {
        sides.clear();
        for (Index k : d.uses[i]) {
            double low = 1e30, high = -1e30;
            for (Index j : d.nets[k])
                if (j != i)
                    low = std::min(low, d.at[axis][j]), high = std::max(high, d.at[axis][j]);
            if (low <= high) sides.push_back(low), sides.push_back(high);
        }
        if (sides.empty()) return d.at[axis][i];
        std::sort(sides.begin(), sides.end());
        const size_t half = sides.size() / 2;
        return std::clamp(d.at[axis][i], sides[half - 1], sides[half]);
    }

    void relocate(Index i) {
        const double x = wish(i, 0), y = wish(i, 1);
        if (std::abs(x - d.at[0][i]) + std::abs(y - d.at[1][i]) < d.height / 2) return;
        const int middle = int(std::clamp(y / d.height, 0.0, double(rows.size()) - 1));
        for (int far = 0; far <= RowsAround; ++far)
            for (int way : {-1, 1}) {
                const int r = middle + way * far;
                if (r < 0 || r >= int(rows.size()) || (far == 0 && way > 0)) continue;
                if (around(i, x, Index(r))) return;
            }
    }

    bool around(Index i, double x, Index r) {
        auto& row = rows[r];
        const auto found = std::lower_bound(row.begin(), row.end(), x,
                                            [this](Index c, double at) { return d.at[0][c] < at; });
        const int at = int(found - row.begin());
        for (int step = 0; step < 2 * CellsAround; ++step) {
            const int n = at + (step % 2 ? -(step / 2) - 1 : step / 2);
            if (n < 0 || n > int(row.size())) continue;
            if (move(i, r, size_t(n), x)) return true;
            if (n < int(row.size()) && swap(i, row[size_t(n)])) return true;
        }
        return false;
    }

    // Into the gap before place n of a row.
    bool move(Index i, Index r, size_t n, double x) {
        auto& row = rows[r];
        const double low = n > 0 ? right(row[n - 1]) : 0.0;
        const double high = n < row.size() ? left(row[n]) : d.side;
        if (high - low < d.width[i]) return false;
        if ((n > 0 && row[n - 1] == i) || (n < row.size() && row[n] == i)) return false;
        collect({i});
        const double old = before(), was_x = d.at[0][i], was_y = d.at[1][i];
        const size_t from = place_of(i);
        d.at[0][i] = std::clamp(x, low + d.width[i] / 2, high - d.width[i] / 2);
        d.at[1][i] = d.row_y(r);
        if (now(old) >= old - 1e-6) {
            d.at[0][i] = was_x, d.at[1][i] = was_y;
            return false;
        }
        keep();
        const Index source = row_of[i];
        rows[source].erase(rows[source].begin() + long(from));
        row.insert(row.begin() + long(source == r && from < n ? n - 1 : n), i);
        row_of[i] = r;
        return true;
    }

    bool swap(Index i, Index j) {
        if (i == j) return false;
        const Index ri = row_of[i], rj = row_of[j];
        const size_t ni = place_of(i), nj = place_of(j);
        if (ri == rj && (ni + 1 == nj || nj + 1 == ni)) return false;
        const double low_i = begin(ri, ni), high_i = end(ri, ni), low_j = begin(rj, nj),
                     high_j = end(rj, nj);
        if (high_i - low_i < d.width[j] || high_j - low_j < d.width[i]) return false;
        collect({i, j});
        const double old = before(), xi = d.at[0][i], xj = d.at[0][j];
        d.at[0][i] = std::clamp(xj, low_j + d.width[i] / 2, high_j - d.width[i] / 2);
        d.at[0][j] = std::clamp(xi, low_i + d.width[j] / 2, high_i - d.width[j] / 2);
        std::swap(d.at[1][i], d.at[1][j]);
        if (now(old) >= old - 1e-6) {
            d.at[0][i] = xi, d.at[0][j] = xj;
            std::swap(d.at[1][i], d.at[1][j]);
            return false;
        }
        keep();
        rows[ri][ni] = j, rows[rj][nj] = i;
        std::swap(row_of[i], row_of[j]);
        return true;
    }

    // Three neighbors in the best of their orders, over the space they have.
    void reorder(Index r, size_t n) {
        auto& row = rows[r];
        std::array<Index, 3> order{row[n], row[n + 1], row[n + 2]}, chosen = order;
        const double low = begin(r, n), high = end(r, n + 2);
        const std::array<double, 3> was{d.at[0][order[0]], d.at[0][order[1]], d.at[0][order[2]]};
        const auto first = order;
        collect({order[0], order[1], order[2]});
        double old = before();
        bool better = false;
        const double free =
            (high - low - d.width[order[0]] - d.width[order[1]] - d.width[order[2]]) / 2;
        std::sort(order.begin(), order.end());
        do {
            spread_out(order, low, free);
            const double cost = now(old);
            if (cost < old - 1e-6) old = cost, chosen = order, better = true;
        } while (std::next_permutation(order.begin(), order.end()));
        if (!better) {
            for (int k = 0; k < 3; ++k) d.at[0][first[size_t(k)]] = was[size_t(k)];
            return;
        }
        spread_out(chosen, low, free);
        now(1e30);
        keep();
        for (size_t k = 0; k < 3; ++k) row[n + k] = chosen[k];
    }
    void spread_out(const std::array<Index, 3>& cells, double low, double free) {
        for (Index i : cells) {
            d.at[0][i] = low + d.width[i] / 2;
            low += d.width[i] + free;
        }
    }

    Design& d;
    std::vector<Index> row_of;
    std::vector<std::vector<Index>> rows;
    Axis best;  // cost of the nets as they are
    std::vector<Index> touched;
    Axis fresh, sides;
};

}  // namespace rdt::place
