// SPDX-License-Identifier: MIT
// Matrix multiplication of Dekel, Nassimi and Sahni (DNS) with n^3 nodes for n x n matrices, on the
// hypercube and on the shuffle-exchange network. Node (k, i, j) multiplies A[i][k] by B[k][j]; the
// matrices lie, and the product comes to lie, where k = 0.
#include <fmt/core.h>

#include <rdt/algo/algorithm.h>
#include <rdt/algo/inputs.h>
#include <rdt/algo/step_machine.h>

namespace rdt::algo {

namespace {

using Values = std::vector<std::optional<uint64_t>>;  // by node

uint32_t bits_of(const Network& network) {
    const auto bits = uint32_t(__builtin_ctz(network.nodes()));
    if (bits % 3 != 0)
        throw NetworkError(fmt::format(
            "matrices need n^3 nodes with n a power of two, not {}; allowed is a multiple of 3",
            network.name()));
    return bits;
}

// Words of three parts of q bits.
struct Words {
    uint32_t q;
    NodeId word(uint32_t k, uint32_t i, uint32_t j) const { return (k << q | i) << q | j; }
    uint32_t k(NodeId w) const { return w >> 2 * q; }
    uint32_t i(NodeId w) const { return w >> q & mask(); }
    uint32_t j(NodeId w) const { return w & mask(); }
    uint32_t mask() const { return (1u << q) - 1; }
};

// One dimension at a time, wherever its link is. All take a step each.
class Cube {
public:
    explicit Cube(const Network& network)
        : m_machine(network, PortModel::OnePort), m_bits(bits_of(network)) {}
    virtual ~Cube() = default;
    uint64_t steps() const { return m_machine.steps(); }

    // Values for which is_wrong(word) cross this dimension.
    template <class IsWrong>
    void move(Values& values, uint32_t bit, IsWrong&& is_wrong) {
        cross(
            values, bit, [&](NodeId w) { return is_wrong(w); },
            [&](NodeId from, NodeId to, uint64_t value) {
                values[from].reset();
                values[to] = value;
            });
    }
    void copy(Values& values, uint32_t bit) {
        cross(
            values, bit, [](NodeId) { return true; },
            [&](NodeId, NodeId to, uint64_t value) { values[to] = value; });
    }
    void add(Values& values, uint32_t bit) {
        cross(
            values, bit, [](NodeId) { return true; },
            [&](NodeId, NodeId to, uint64_t value) { *values[to] += value; });
    }

protected:
    // Where word w is now.
    virtual NodeId place(const Values&, NodeId w) const { return w; }

    StepMachine m_machine;
    const uint32_t m_bits;

private:
    template <class Goes, class Arrive>
    void cross(Values& values, uint32_t bit, Goes&& goes, Arrive&& arrive) {
        struct Sent {
            NodeId from;
            uint64_t value;
        };
        m_machine.step<Sent>(
            [&](auto&& send) {
                for (NodeId w = 0; w < values.size(); ++w)
                    if (values[w] && goes(w)) {
                        const NodeId from = place(values, w);
                        send(from, m_machine.port_to(from, place(values, w ^ 1u << bit)),
                             Sent{w, *values[w]});
                    }
            },
            [&](NodeId, NodeId, Sent&& sent) {
                arrive(sent.from, sent.from ^ 1u << bit, sent.value);
            });
    }
};

// Values are held by words; each kind of them has been shuffled so many times.
class Shuffled : public Cube {
public:
    using Cube::Cube;
    // Back: unshuffled. Everything of this kind moves, what is empty too.
    void shuffle(const Values& values, bool back = false) {
        const auto before = [&](NodeId w) { return rotated(w, m_turns[&values]); };
        const uint32_t turns = (m_turns[&values] + (back ? m_bits - 1 : 1)) % m_bits;
        m_machine.step<NodeId>(
            [&](auto&& send) {
                for (NodeId w = 0; w < values.size(); ++w)
                    if (values[w] && before(w) != rotated(w, turns))
                        send(before(w), m_machine.port_to(before(w), rotated(w, turns)), w);
            },
            [](NodeId, NodeId, NodeId) {});
        m_turns[&values] = turns;
    }

private:
    NodeId place(const Values& values, NodeId w) const override {
        const auto it = m_turns.find(&values);
        return rotated(w, it == m_turns.end() ? 0 : it->second);
    }
    NodeId rotated(NodeId w, uint32_t turns) const {
        return turns == 0 ? w : (w << turns | w >> (m_bits - turns)) & ((1u << m_bits) - 1);
    }
    std::map<const Values*, uint32_t> m_turns;
};

struct Operands {
    std::vector<uint64_t> a, b;  // by row and column
    Values in_a, in_b;           // by word
};

Operands draw(const Words& at, uint32_t nodes, Random& random) {
    const uint32_t n = 1u << at.q;
    Operands o{random_words(n * n, random), random_words(n * n, random), Values(nodes),
               Values(nodes)};
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t j = 0; j < n; ++j) {
            o.in_a[at.word(0, i, j)] = o.a[i * n + j];
            o.in_b[at.word(0, i, j)] = o.b[i * n + j];
        }
    return o;
}

Values products(const Operands& o) {
    Values c(o.in_a.size());
    for (NodeId w = 0; w < c.size(); ++w) {
        if (!o.in_a[w] || !o.in_b[w]) throw std::logic_error("a node has not both its factors");
        c[w] = *o.in_a[w] * *o.in_b[w];
    }
    return c;
}

bool is_product(const Words& at, const Operands& o, const Values& c) {
    const uint32_t n = 1u << at.q;
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t j = 0; j < n; ++j) {
            uint64_t sum = 0;
            for (uint32_t k = 0; k < n; ++k) sum += o.a[i * n + k] * o.b[k * n + j];
            if (c[at.word(0, i, j)] != sum) return false;
        }
    return true;
}

Outcome outcome(uint64_t steps, uint32_t bound, bool correct) {
    Outcome o;
    o.steps = steps;
    o.bound = bound;
    o.correct = correct;
    return o;
}

Outcome run_cube(const Network& network, const Parameters& parameters) {
    Cube cube(network);
    const Words at{bits_of(network) / 3};
    Random random(parameters.seed());
    Operands o = draw(at, network.nodes(), random);
    const uint32_t q = at.q;
    for (uint32_t b = 0; b < q; ++b)
        cube.move(o.in_a, 2 * q + b, [&](NodeId w) { return (at.k(w) ^ at.j(w)) >> b & 1; });
    for (uint32_t b = 0; b < q; ++b)
        cube.move(o.in_b, 2 * q + b, [&](NodeId w) { return (at.k(w) ^ at.i(w)) >> b & 1; });
    for (uint32_t b = 0; b < q; ++b) cube.copy(o.in_a, b);
    for (uint32_t b = 0; b < q; ++b) cube.copy(o.in_b, q + b);
    Values c = products(o);
    for (uint32_t b = 0; b < q; ++b) cube.add(c, 2 * q + b);
    return outcome(cube.steps(), 5 * q, is_product(at, o, c));
}

// The link of a bit is there when it has been shuffled to the end of the word, the highest first.
Outcome run_shuffle(const Network& network, const Parameters& parameters) {
    Shuffled cube(network);
    const Words at{bits_of(network) / 3};
    Random random(parameters.seed());
    Operands o = draw(at, network.nodes(), random);
    const uint32_t q = at.q;
    for (uint32_t b = q; b-- > 0;) {
        cube.shuffle(o.in_a);
        cube.move(o.in_a, 2 * q + b, [&](NodeId w) { return (at.k(w) ^ at.j(w)) >> b & 1; });
        cube.shuffle(o.in_b);
        cube.move(o.in_b, 2 * q + b, [&](NodeId w) { return (at.k(w) ^ at.i(w)) >> b & 1; });
    }
    for (uint32_t b = q; b-- > 0;) {
        cube.shuffle(o.in_a);
        cube.shuffle(o.in_b);
        cube.copy(o.in_b, q + b);
    }
    for (uint32_t b = q; b-- > 0;) {
        cube.shuffle(o.in_a);
        cube.copy(o.in_a, b);
        cube.shuffle(o.in_b);
    }
    Values c = products(o);
    for (uint32_t b = q; b-- > 0;) {
        cube.shuffle(c);
        cube.add(c, 2 * q + b);
    }
    for (uint32_t b = 0; b < q; ++b) cube.shuffle(c, true);
    return outcome(cube.steps(), 13 * q, is_product(at, o, c));
}

const std::vector<Parameter> Seed{seed_parameter()};
const Algorithm on_cube{"hypercube", "matmul", "matrix multiplication, DNS", Seed, run_cube};
const Algorithm on_shuffle{"shuffle", "matmul", "matrix multiplication, DNS", Seed, run_shuffle};

}  // namespace

}  // namespace rdt::algo
