// SPDX-License-Identifier: MIT
// Ascend and descend algorithms where the nucleus is a complete graph whose size M is no power of
// two (Yeh and Parhami, corollary 4.4): they are those of a network with 2^k >= M nodes a nucleus,
// whose digit d is held by node d mod M. So a node holds a value or two for each of its digits, all
// in all up to 2^p, and where several have to take the same link they take as many steps.
#pragma once

#include <rdt/algo/step_machine.h>
#include <rdt/net/families/rhsn.h>

namespace rdt::algo {

class PaddedMachine {
public:
    // At once: a node sends all others of its nucleus what it holds, instead of a dimension a step.
    // Throws NetworkError if the nucleus is no complete graph, or there would be too many values.
    PaddedMachine(const Rhsn& network, bool is_at_once);

    uint32_t values() const { return m_padded.nodes(); }
    uint32_t bits() const { return m_bits * m_padded.digits(); }
    uint32_t most_held() const { return m_most_held; }  // values by a node
    uint64_t steps() const { return m_machine.steps(); }
    // Steps of a network whose nuclei have 2^k nodes; the paper states at most twice as many.
    uint64_t steps_without_padding() const;

    // As SwappedMachine's, for all dimensions, with one value for each word of padded digits.
    template <class Op>
    void pass(std::vector<uint64_t>& data, bool up, Op&& op) {
        std::vector<Homed> homed(data.size());
        for (NodeId v = 0; v < data.size(); ++v) homed[v] = {v, data[v]};
        pass(homed, m_padded.depth(), 0, up, op);
        for (const Homed& h : homed) {
            if (&h - homed.data() != std::ptrdiff_t(h.home))
                throw std::logic_error("a datum is not at home");
            data[h.home] = h.value;
        }
    }

private:
    struct Homed {
        NodeId home;
        uint64_t value;
    };

    template <class Op>
    void pass(std::vector<Homed>& data, uint32_t depth, uint32_t base, bool up, Op& op) {
        if (depth == 0) {
            if (m_is_at_once) move_in_nuclei((1u << m_bits) - 1);
            for (uint32_t i = 0; i < m_bits; ++i) {
                const uint32_t bit = up ? i : m_bits - 1 - i;
                if (!m_is_at_once) move_in_nuclei(1u << bit);
                meet(data, bit, base + bit, op);
            }
            return;
        }
        const uint32_t width = m_bits * m_padded.block_digits(depth),
                       blocks = m_padded.levels(depth);
        for (uint32_t i = 0; i < blocks; ++i) {
            const uint32_t block = up ? i : blocks - 1 - i;
            if (block > 0) swap(data, depth, block + 1);
            pass(data, depth - 1, base + block * width, up, op);
            if (block > 0) swap(data, depth, block + 1);
        }
    }
    template <class Op>
    void meet(std::vector<Homed>& data, uint32_t bit, uint32_t dimension, Op& op) {
        for (NodeId low = 0; low < data.size(); ++low) {
            if ((low >> bit & 1) != 0) continue;
            Homed &x = data[low], &y = data[low | 1u << bit];
            if ((x.home ^ y.home) != 1u << dimension)
                throw std::logic_error("data meet that do not belong together");
            const uint64_t old = x.value;
            op(x.home, dimension, x.value, y.value);
            op(y.home, dimension, y.value, old);
        }
    }
    void swap(std::vector<Homed>& data, uint32_t depth, uint32_t level);
    // Data that meet over those bits of the digit move to the other's node.
    void move_in_nuclei(uint32_t mask);
    NodeId holder(NodeId word) const { return m_holder[word]; }
    // A value a link and step, as many steps as that takes.
    struct Movement {
        NodeId from;
        uint32_t port;
    };
    void carry(std::vector<Movement> movements);

    const Rhsn& m_network;
    const uint32_t m_bits;
    const SwapShape m_padded;
    const bool m_is_at_once;
    StepMachine m_machine;
    std::vector<NodeId> m_holder;  // by padded word
    uint32_t m_most_held = 0;
};

}  // namespace rdt::algo
