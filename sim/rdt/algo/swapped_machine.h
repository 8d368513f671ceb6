// SPDX-License-Identifier: MIT
// Movements that the algorithms on swapped networks (RHSN, and with it RCC-FULL) are made of.
#pragma once

#include <algorithm>

#include <rdt/algo/algorithm.h>
#include <rdt/algo/step_machine.h>
#include <rdt/net/families/rhsn.h>

namespace rdt::algo {

// The network passed to algorithms registered for swapped networks only.
inline const Rhsn& as_rhsn(const Network& network) { return dynamic_cast<const Rhsn&>(network); }

// Parameters of algorithms on these networks.
inline Parameter parts_parameter() {
    return {"parts", "0", "steps in a nucleus kN; 0: one for each bit"};
}

class SwappedMachine {
public:
    // In an ascend or descend algorithm a nucleus takes a step for each of its bits. Where it is a
    // complete graph, `parts` steps do for all of them: those that differ in a part of the bits
    // send each other everything. 0: a step for each bit. Throws NetworkError if links are missing.
    SwappedMachine(const Rhsn& network, PortModel model, uint32_t parts = 0);

    const Rhsn& network() const { return m_network; }
    const SwapShape& shape() const { return m_network.shape(); }
    StepMachine& steps() { return m_machine; }
    uint64_t count() const { return m_machine.steps(); }
    // Operations that a node has done in passes, one after the other.
    uint64_t computations() const { return m_computations; }

    // One step: all nodes exchange what they hold over their depth-i level-j links. Leaders, who
    // have none, keep theirs.
    template <class T>
    void swap(std::vector<T>& data, uint32_t depth, uint32_t level) {
        const uint32_t port = m_network.swap_port(depth, level);
        m_machine.exchange(
            data,
            [&](NodeId node) {
                return m_network.is_leader(node, depth, level) ? std::nullopt
                                                               : std::optional<uint32_t>(port);
            },
            [&](NodeId to, NodeId, T&& value) { data[to] = std::move(value); });
    }

    uint32_t nucleus_steps() const { return m_nucleus_steps; }  // for all bits of a nucleus
    // Bits of a node's index; throws NetworkError unless the nucleus has 2^k nodes and, among its
    // links, those of a hypercube.
    uint32_t bits() const;

    // Algorithms of the ascend and descend classes: for every dimension b from first to last, or
    // from last to first, all pairs of data whose homes differ in bit b meet, and each becomes
    // what op(home, b, mine, other's) makes of it. Data start and end at home.
    template <class T, class Op>
    void ascend(std::vector<T>& data, uint32_t first, uint32_t last, Op&& op) {
        take_home(data, pass(data, first, last, true, true, op));
    }
    template <class T, class Op>
    void descend(std::vector<T>& data, uint32_t first, uint32_t last, Op&& op) {
        take_home(data, pass(data, first, last, false, true, op));
    }
    // The same for callers that accept results in any position: the final swaps, which only restore
    // the order, are omitted. Node v holds the result of homes[v].
    template <class T, class Op>
    std::vector<NodeId> ascend_anywhere(std::vector<T>& data, uint32_t first, uint32_t last,
                                        Op&& op) {
        std::vector<NodeId> homes;
        std::vector<Homed<T>> homed = pass(data, first, last, true, false, op);
        for (NodeId v = 0; v < data.size(); ++v) {
            homes.push_back(homed[v].home);
            data[v] = std::move(homed[v].value);
        }
        return homes;
    }

private:
    template <class T>
    struct Homed {
        NodeId home;
        T value;
    };

    template <class T, class Op>
    std::vector<Homed<T>> pass(std::vector<T>& data, uint32_t first, uint32_t last, bool up,
                               bool is_homeward, Op& op) {
        if (last >= bits() || first > last) throw std::logic_error("no such range of dimensions");
        std::vector<Homed<T>> homed(data.size());
        for (NodeId v = 0; v < data.size(); ++v) homed[v] = {v, std::move(data[v])};
        pass(homed, shape().depth(), first, last, 0, up, !is_homeward, op);
        return homed;
    }
    template <class T>
    static void take_home(std::vector<T>& data, std::vector<Homed<T>>&& homed) {
        for (NodeId v = 0; v < data.size(); ++v) {
            if (homed[v].home != v) throw std::logic_error("a datum is not at home");
            data[v] = std::move(homed[v].value);
        }
    }

    // Dimensions first to last of a block of that depth; dimension 0 of the block is `base`. If it
    // may stay where it is in the end, the last swap is not made.
    template <class T, class Op>
    void pass(std::vector<Homed<T>>& data, uint32_t depth, uint32_t first, uint32_t last,
              uint32_t base, bool up, bool may_stay, Op& op) {
        if (depth == 0) {
            const uint32_t from = first / m_bits_at_once, to = last / m_bits_at_once;
            for (uint32_t i = 0; i <= to - from; ++i) {
                const uint32_t part = up ? from + i : to - i;
                meet(data, std::max(first, part * m_bits_at_once),
                     std::min(last, (part + 1) * m_bits_at_once - 1), base, up, op);
            }
            return;
        }
        const uint32_t width = m_nucleus_bits * shape().block_digits(depth);
        const uint32_t from = first / width, to = last / width;
        for (uint32_t i = 0; i <= to - from; ++i) {
            const uint32_t block = up ? from + i : to - i;
            const bool stays = may_stay && i == to - from;
            if (block > 0) swap(data, depth, block + 1);
            pass(data, depth - 1, block == from ? first % width : 0,
                 block == to ? last % width : width - 1, base + block * width, up, stays, op);
            if (block > 0 && !stays) swap(data, depth, block + 1);
        }
    }

    // One step over the nucleus links of these bits, with an operation on the data that meet; bit 0
    // of the nucleus is dimension `base` of the data that are there now. A node computes only what
    // its own result depends on: half of what came, a quarter, and so on to one.
    template <class T, class Op>
    void meet(std::vector<Homed<T>>& data, uint32_t first, uint32_t last, uint32_t base, bool up,
              Op& op) {
        const uint32_t count = 2u << (last - first);
        const uint32_t digits = shape().nucleus_nodes();
        // Held and received values of a node, by bits.
        std::vector<Homed<T>> met(data.size() * count);
        const auto bits_of = [&](NodeId v) { return (v % digits >> first) & (count - 1); };
        for (NodeId v = 0; v < data.size(); ++v) met[v * count + bits_of(v)] = data[v];
        m_machine.step<Homed<T>>(
            [&](auto&& send) {
                for (NodeId v = 0; v < data.size(); ++v)
                    for (uint32_t other = 1; other < count; ++other)
                        send(v, m_port[v % digits * digits + (v % digits ^ other << first)],
                             data[v]);
            },
            [&](NodeId to, NodeId from, Homed<T>&& datum) {
                met[to * count + bits_of(from)] = std::move(datum);
            });
        for (NodeId v = 0; v < data.size(); ++v) {
            Homed<T>* const all = &met[v * count];
            uint32_t open = count - 1;  // bits that the own result may still differ in
            uint64_t computed = 0;
            for (uint32_t i = 0; i <= last - first; ++i) {
                const uint32_t bit = up ? i : last - first - i;
                const uint32_t b = base + first + bit;
                open &= ~(1u << bit);
                for (uint32_t at = bits_of(v) & ~open, rest = open;; rest = (rest - 1) & open) {
                    Homed<T>& mine = all[at | rest];
                    const Homed<T>& other = all[(at | rest) ^ 1u << bit];
                    if ((mine.home ^ other.home) != 1u << b)
                        throw std::logic_error("data meet that do not belong together");
                    op(mine.home, b, mine.value, other.value);
                    ++computed;
                    if (rest == 0) break;
                }
            }
            if (v == 0) m_computations += computed;
            data[v] = std::move(all[bits_of(v)]);
        }
    }

    const Rhsn& m_network;
    StepMachine m_machine;
    uint32_t m_nucleus_bits = 0;  // 0: the nucleus has no hypercube in it
    uint32_t m_bits_at_once = 1;
    uint32_t m_nucleus_steps = 0;
    std::vector<uint32_t> m_port;  // ports of the nucleus, by from * nodes + to
    uint64_t m_computations = 0;
};

}  // namespace rdt::algo
