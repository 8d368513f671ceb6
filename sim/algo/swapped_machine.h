// SPDX-License-Identifier: MIT
// Movements that the algorithms on swapped networks (RHSN, and with it RCC-FULL) are made of.
#pragma once

#include "algo/step_machine.h"
#include "net/rhsn.h"

namespace rdt::algo {

// What an algorithm that is registered for swapped networks only is given.
inline const Rhsn& as_rhsn(const Network& network) { return dynamic_cast<const Rhsn&>(network); }

class SwappedMachine {
public:
    SwappedMachine(const Rhsn& network, PortModel model);

    const Rhsn& network() const { return m_network; }
    const SwapShape& shape() const { return m_network.shape(); }
    StepMachine& steps() { return m_machine; }
    uint64_t count() const { return m_machine.steps(); }

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

    // Bits of a node's index; throws NetworkError unless the nucleus has 2^k nodes and, among its
    // links, those of a hypercube.
    uint32_t bits() const;

    // Algorithms of the ascend and descend classes: for every dimension b from first to last, or
    // from last to first, all pairs of data whose homes differ in bit b meet, and each becomes
    // what op(home, b, mine, other's) makes of it. Data start and end at home.
    template <class T, class Op>
    void ascend(std::vector<T>& data, uint32_t first, uint32_t last, Op&& op) {
        pass(data, first, last, true, op);
    }
    template <class T, class Op>
    void descend(std::vector<T>& data, uint32_t first, uint32_t last, Op&& op) {
        pass(data, first, last, false, op);
    }

private:
    template <class T>
    struct Homed {
        NodeId home;
        T value;
    };

    template <class T, class Op>
    void pass(std::vector<T>& data, uint32_t first, uint32_t last, bool up, Op& op) {
        if (last >= bits() || first > last) throw std::logic_error("no such range of dimensions");
        std::vector<Homed<T>> homed(data.size());
        for (NodeId v = 0; v < data.size(); ++v) homed[v] = {v, std::move(data[v])};
        pass(homed, shape().depth(), first, last, 0, up, op);
        for (NodeId v = 0; v < data.size(); ++v) {
            if (homed[v].home != v) throw std::logic_error("a datum is not at home");
            data[v] = std::move(homed[v].value);
        }
    }

    // Dimensions first to last of a block of that depth; dimension 0 of the block is `base`.
    template <class T, class Op>
    void pass(std::vector<Homed<T>>& data, uint32_t depth, uint32_t first, uint32_t last,
              uint32_t base, bool up, Op& op) {
        if (depth == 0) {
            for (uint32_t i = 0; i <= last - first; ++i) {
                const uint32_t bit = up ? first + i : last - i;
                meet(data, bit, base + bit, op);
            }
            return;
        }
        const uint32_t width = m_nucleus_bits * shape().block_digits(depth);
        const uint32_t from = first / width, to = last / width;
        for (uint32_t i = 0; i <= to - from; ++i) {
            const uint32_t block = up ? from + i : to - i;
            if (block > 0) swap(data, depth, block + 1);
            pass(data, depth - 1, block == from ? first % width : 0,
                 block == to ? last % width : width - 1, base + block * width, up, op);
            if (block > 0) swap(data, depth, block + 1);
        }
    }

    // One step over the nucleus links of a bit; the data there differ in dimension b.
    template <class T, class Op>
    void meet(std::vector<Homed<T>>& data, uint32_t bit, uint32_t b, Op& op) {
        const uint32_t nodes = shape().nucleus_nodes();
        m_machine.exchange(
            data,
            [&](NodeId node) {
                return std::optional<uint32_t>(m_bit_port[node % nodes * m_nucleus_bits + bit]);
            },
            [&](NodeId to, NodeId, Homed<T>&& other) {
                Homed<T>& mine = data[to];
                if ((mine.home ^ other.home) != 1u << b)
                    throw std::logic_error("data meet that do not belong together");
                op(mine.home, b, mine.value, other.value);
            });
    }

    const Rhsn& m_network;
    StepMachine m_machine;
    uint32_t m_nucleus_bits = 0;       // 0: the nucleus has no hypercube in it
    std::vector<uint32_t> m_bit_port;  // by digit * nucleus bits + bit
};

}  // namespace rdt::algo
