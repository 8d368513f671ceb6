// SPDX-License-Identifier: MIT
// Where cells would stand if they might overlap: springs that together are as long as the half
// perimeters (bound to bound: Spindler, Schlichtmann, Johannes, Kraftwerk2, 2008), solved by
// conjugate gradients.
#pragma once

#include "design.h"

namespace rdt::place {

class Quadratic {
public:
    explicit Quadratic(Design& design) : d(design), least(design.height / 2) {}

    // One axis. Each cell is also tied to where it would be without overlaps, if `tie` is not 0.
    void solve(int axis, const Axis& spread, double tie) {
        Axis& x = d.at[axis];
        const Index n = d.cells();
        diagonal.assign(n, 1e-9), right.assign(n, 0.0), edges.clear();
        for (Index i = 0; i < n; ++i) right[i] = 1e-9 * d.side / 2;
        for (Index k = 0; k < d.nets.size(); ++k) net(x, d.nets[k], d.weight[k]);
        for (Index i = 0; tie > 0 && i < n; ++i) {
            const double w = tie / std::max(std::abs(x[i] - spread[i]), least);
            diagonal[i] += w, right[i] += w * spread[i];
        }
        conjugate_gradients(x);
        for (Index i = 0; i < n; ++i) x[i] = std::clamp(x[i], 0.0, d.side);
    }

private:
    struct Edge {
        Index a, b;
        double w;
    };

    void net(const Axis& x, const std::vector<Index>& members, double weight) {
        if (members.size() < 2) return;
        Index low = members[0], high = members[1];
        if (x[low] > x[high]) std::swap(low, high);
        for (size_t m = 2; m < members.size(); ++m) {
            const Index i = members[m];
            if (x[i] < x[low]) low = i;
            else if (x[i] > x[high]) high = i;
        }
        const double share = weight / double(members.size() - 1);
        for (Index i : members) {
            if (i == low) continue;
            spring(x, low, i, share);
            if (i != high) spring(x, high, i, share);
        }
    }

    void spring(const Axis& x, Index a, Index b, double share) {
        const double w = share / std::max(std::abs(x[a] - x[b]), least);
        const Index n = d.cells();
        if (a < n) diagonal[a] += w;
        if (b < n) diagonal[b] += w;
        if (a < n && b < n) edges.push_back({a, b, w});
        else if (a < n) right[a] += w * x[b];
        else if (b < n) right[b] += w * x[a];
    }

    void times(const Axis& v, Axis& out) const {
        for (size_t i = 0; i < out.size(); ++i) out[i] = diagonal[i] * v[i];
        for (const Edge& e : edges) out[e.a] -= e.w * v[e.b], out[e.b] -= e.w * v[e.a];
    }

    void conjugate_gradients(Axis& x) {
        const Index n = d.cells();
        Axis r(n), z(n), p(n), q(n);
        times(x, r);
        double rz = 0, first = 0;
        for (Index i = 0; i < n; ++i) {
            r[i] = right[i] - r[i];
            p[i] = z[i] = r[i] / diagonal[i];
            rz += r[i] * z[i];
            first += right[i] * right[i] / diagonal[i];
        }
        for (int step = 0; step < 200 && rz > 1e-10 * first; ++step) {
            times(p, q);
            double pq = 0, next = 0;
            for (Index i = 0; i < n; ++i) pq += p[i] * q[i];
            const double alpha = rz / pq;
            for (Index i = 0; i < n; ++i) {
                x[i] += alpha * p[i], r[i] -= alpha * q[i];
                z[i] = r[i] / diagonal[i];
                next += r[i] * z[i];
            }
            const double beta = next / rz;
            for (Index i = 0; i < n; ++i) p[i] = z[i] + beta * p[i];
            rz = next;
        }
    }

    Design& d;
    double least;  // distance that a spring is taken for at least
    Axis diagonal, right;
    std::vector<Edge> edges;
};

}  // namespace rdt::place
