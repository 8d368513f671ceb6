// SPDX-License-Identifier: MIT
// Semigroup and prefix computation on swapped networks, for any associative operation, and matrix
// multiplication built from it.
//
// In a nucleus the digit is read as a number in mixed radix, and those that differ in one place
// only send each other their values: m - 1 in a step for a place of radix m. A complete graph can
// do so for any radices, a graph with the links of a hypercube for radices of two.
#pragma once

#include <functional>

#include <rdt/algo/swapped_machine.h>

namespace rdt::algo {

class Reduction {
public:
    // `parts` places of the digit, as even as can be; 0 means radices of two. Throws NetworkError
    // if the nucleus lacks the links or its size is no such product.
    Reduction(SwappedMachine& machine, uint32_t parts);

    const std::vector<uint32_t>& radices() const { return m_radices; }
    uint64_t computations() const { return m_computations; }  // computation steps of a node

    // Every node gets op over the data of all nodes that differ in the lowest `levels` blocks of
    // the topmost depth (0: all blocks), in the order of their indices.
    template <class T, class Op>
    void semigroup(std::vector<T>& data, Op&& op, uint32_t levels = 0) {
        const SwapShape& shape = m_machine.shape();
        const uint32_t depth = shape.depth();
        semigroup(data, op, depth, levels != 0 ? levels : shape.levels(depth));
    }

    // Every node gets op over the data of all nodes before it, in order; none for node 0.
    template <class T, class Op>
    std::vector<std::optional<T>> prefix(std::vector<T> data, Op&& op) {
        return prefix(data, op, m_machine.shape().depth());
    }

private:
    template <class T, class Op>
    void semigroup(std::vector<T>& data, Op& op, uint32_t depth, uint32_t levels) {
        if (depth == 0) {
            in_nucleus(data, op);
            return;
        }
        const auto below = [&] {
            semigroup(data, op, depth - 1, depth == 1 ? 0 : m_machine.shape().levels(depth - 1));
        };
        below();
        for (uint32_t level = 2; level <= levels; ++level) {
            m_machine.swap(data, depth, level);
            below();
        }
    }

    // `totals` becomes what semigroup() makes of it.
    template <class T, class Op>
    std::vector<std::optional<T>> prefix(std::vector<T>& totals, Op& op, uint32_t depth) {
        if (depth == 0) return in_nucleus(totals, op);
        std::vector<std::optional<T>> before = prefix(totals, op, depth - 1);
        for (uint32_t level = 2; level <= m_machine.shape().levels(depth); ++level) {
            m_machine.swap(totals, depth, level);
            // The prefix before the cluster with that number, requested from the other end.
            std::vector<std::optional<T>> clusters = prefix(totals, op, depth - 1);
            m_machine.swap(clusters, depth, level);
            for (NodeId v = 0; v < before.size(); ++v)
                before[v] = joined(clusters[v], before[v], op);
        }
        return before;
    }

    template <class T, class Op>
    static std::optional<T> joined(const std::optional<T>& a, const std::optional<T>& b, Op& op) {
        if (!a) return b;
        return b ? op(*a, *b) : *a;
    }

    // Every node gets op over its nucleus; returned is op over those before it there.
    template <class T, class Op>
    std::vector<std::optional<T>> in_nucleus(std::vector<T>& data, Op& op) {
        std::vector<std::optional<T>> before(data.size());
        uint32_t stride = 1;
        for (uint32_t radix : m_radices) {
            // Received and own values of each node, by position.
            std::vector<T> all(data.size() * radix);
            const auto place = [&](NodeId v) { return v % m_nodes / stride % radix; };
            for (NodeId v = 0; v < data.size(); ++v) all[v * radix + place(v)] = data[v];
            m_machine.steps().template step<T>(
                [&](auto&& send) {
                    for (NodeId v = 0; v < data.size(); ++v)
                        for (uint32_t to = 0; to < radix; ++to)
                            if (to != place(v))
                                send(v, port(v % m_nodes, v % m_nodes + (to - place(v)) * stride),
                                     data[v]);
                },
                [&](NodeId to, NodeId from, T&& value) {
                    all[to * radix + place(from)] = std::move(value);
                });
            for (NodeId v = 0; v < data.size(); ++v) {
                std::optional<T> lower;
                for (uint32_t i = 0; i < place(v); ++i)
                    lower = joined(lower, std::optional<T>(all[v * radix + i]), op);
                before[v] = joined(lower, before[v], op);
                T total = all[v * radix];
                for (uint32_t i = 1; i < radix; ++i) total = op(total, all[v * radix + i]);
                data[v] = std::move(total);
            }
            m_computations += radix - 1;
            stride *= radix;
        }
        return before;
    }

    uint32_t port(uint32_t from, uint32_t to) const { return m_port[from * m_nodes + to]; }

    SwappedMachine& m_machine;
    const uint32_t m_nodes;  // nodes of the nucleus
    std::vector<uint32_t> m_radices;
    std::vector<uint32_t> m_port;  // ports of the nucleus, by from * nodes + to
    uint64_t m_computations = 0;
};

// C = A B for matrices with as many rows as the cube root of the number of nodes. Node (i, j, k),
// each a third of the topmost blocks, holds A[i][j] and B[i][j] and gets C[i][j].
std::vector<uint64_t> multiply(SwappedMachine& machine, Reduction& reduction,
                               std::vector<uint64_t> a, std::vector<uint64_t> b);

}  // namespace rdt::algo
