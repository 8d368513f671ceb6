// SPDX-License-Identifier: MIT
#include <rdt/algo/reduction.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include <rdt/algo/algorithm.h>
#include <rdt/algo/inputs.h>
#include <rdt/net/families/nucleus.h>
#include <rdt/net/families/rhsn_variants.h>

namespace rdt::algo {

namespace {

// n as a product of so many factors greater than 1, the largest as small as can be; none if that
// is impossible.
std::vector<uint32_t> factors(uint32_t n, uint32_t parts) {
    if (parts == 1) return n > 1 ? std::vector<uint32_t>{n} : std::vector<uint32_t>{};
    std::vector<uint32_t> best;
    for (uint32_t f = 2; f <= n / 2; ++f) {
        if (n % f != 0) continue;
        std::vector<uint32_t> rest = factors(n / f, parts - 1);
        if (rest.empty()) continue;
        rest.push_back(f);
        const auto largest = [](const auto& v) { return *std::max_element(v.begin(), v.end()); };
        if (best.empty() || largest(rest) < largest(best)) best = rest;
    }
    std::sort(best.begin(), best.end());
    return best;
}

constexpr uint32_t NoLink = ~0u;

}  // namespace

Reduction::Reduction(SwappedMachine& machine, uint32_t parts)
    : m_machine(machine),
      m_nodes(machine.shape().nucleus_nodes()),
      m_port(m_nodes * m_nodes, NoLink) {
    const Network& nucleus = machine.network().nucleus();
    const auto bits = cube_bits(nucleus);
    if (parts != 0) m_radices = factors(m_nodes, parts);
    else if (bits) m_radices.assign(*bits, 2);
    if (m_radices.empty())
        throw NetworkError(
            parts != 0
                ? fmt::format("parts={}: {} is no product of so many factors", parts, m_nodes)
                : fmt::format("{} has no nucleus with the links of a hypercube; parts=1 or more is "
                              "allowed for kN",
                              machine.network().name()));
    for (NodeId v = 0; v < m_nodes; ++v)
        for (uint32_t p = 0; p < nucleus.ports(); ++p)
            if (const auto to = nucleus.neighbor(v, p)) m_port[v * m_nodes + *to] = p;
    uint32_t stride = 1;
    for (uint32_t radix : m_radices) {
        for (NodeId v = 0; v < m_nodes; ++v) {
            const uint32_t place = v / stride % radix;
            for (uint32_t to = 0; to < radix; ++to)
                if (to != place && port(v, v + (to - place) * stride) == NoLink)
                    throw NetworkError(fmt::format(
                        "this does not run on {}; allowed are nuclei qN and fqN, and kN with parts",
                        machine.network().name()));
        }
        stride *= radix;
    }
}

std::vector<uint64_t> multiply(SwappedMachine& machine, Reduction& reduction,
                               std::vector<uint64_t> a, std::vector<uint64_t> b) {
    const uint32_t depth = machine.shape().depth();
    const uint32_t h = machine.shape().levels(depth) / 3;
    if (machine.shape().levels(depth) % 3 != 0)
        throw NetworkError(fmt::format(
            "matmul does not run on {}; its topmost number of levels must be a multiple of 3",
            machine.network().name()));
    // Brings the blocks from `base` on to the lowest h places and the lowest to where they were.
    const auto fetch = [&](std::vector<uint64_t>& data, uint32_t base) {
        for (uint32_t level = h; level >= 2; --level) {
            machine.swap(data, depth, base + level);
            machine.swap(data, depth, level);
        }
        machine.swap(data, depth, base + 1);
    };
    fetch(a, h);
    fetch(b, 2 * h);
    for (size_t v = 0; v < a.size(); ++v) a[v] *= b[v];
    reduction.semigroup(
        a, [](uint64_t x, uint64_t y) { return x + y; }, h);
    return a;
}

namespace {

// x -> a x + b modulo 2^32: associative, not commutative.
struct Affine {
    uint32_t a, b;
    bool operator==(const Affine& o) const { return a == o.a && b == o.b; }
};
Affine compose(const Affine& f, const Affine& g) { return {f.a * g.a, g.a * f.b + g.b}; }

std::vector<Affine> random_maps(uint32_t count, uint64_t seed) {
    Random random(seed);
    std::vector<Affine> maps(count);
    for (Affine& m : maps) m = {uint32_t(random.next()) | 1, uint32_t(random.next())};
    return maps;
}

// One value per link; several links at a time only where the radices require it.
PortModel model_for(uint32_t parts) { return parts == 0 ? PortModel::OnePort : PortModel::AllPort; }

uint32_t parts_of(const Parameters& parameters) {
    return uint32_t(parameters.number("parts", 0, 8));
}

Outcome run_semigroup(const Network& network, const Parameters& parameters) {
    const uint32_t parts = parts_of(parameters);
    SwappedMachine machine(as_rhsn(network), model_for(parts));
    Reduction reduction(machine, parts);
    std::vector<Affine> data = random_maps(network.nodes(), parameters.seed());
    Affine plain = data[0];
    for (NodeId v = 1; v < network.nodes(); ++v) plain = compose(plain, data[v]);
    reduction.semigroup(data, compose);
    Outcome o;
    o.steps = machine.count();
    o.bound = (reduction.radices().size() + 1) * machine.shape().digits() - 1;
    o.correct = std::all_of(data.begin(), data.end(), [&](const Affine& m) { return m == plain; });
    o.counts = {{"computations", reduction.computations()}};
    return o;
}

// Section 6: each copy for itself, one exchange over the links between them, then the blocks that
// number the copies. All copies do the same at the same time, over links of their own.
Outcome run_on_copies(const Network& network, const Parameters& parameters) {
    const auto& all = dynamic_cast<const RhsnCopies&>(network);
    const uint32_t parts = parts_of(parameters), size = all.one().nodes();
    std::vector<Affine> data = random_maps(network.nodes(), parameters.seed());
    Affine plain = data[0];
    for (NodeId v = 1; v < network.nodes(); ++v) plain = compose(plain, data[v]);
    Outcome o;
    const auto in_copies = [&](uint32_t blocks) {
        uint64_t steps = 0;
        for (uint32_t copy = 0; copy < all.copies(); ++copy) {
            SwappedMachine machine(all.one(), model_for(parts));
            Reduction reduction(machine, parts);
            const auto first = data.begin() + copy * size;
            std::vector<Affine> own(first, first + size);
            reduction.semigroup(own, compose, blocks);
            std::copy(own.begin(), own.end(), first);
            steps = std::max(steps, machine.count());
        }
        o.steps += steps;
    };
    in_copies(0);
    StepMachine between(network, model_for(parts));
    const uint32_t port = network.ports() - 1;
    between.exchange(
        data,
        [&](NodeId v) {
            return network.neighbor(v, port) ? std::optional<uint32_t>(port) : std::nullopt;
        },
        [&](NodeId to, NodeId, Affine&& value) { data[to] = value; });
    o.steps += between.steps();
    in_copies(all.blocks());
    o.correct = std::all_of(data.begin(), data.end(), [&](const Affine& m) { return m == plain; });
    return o;
}

Outcome run_prefix(const Network& network, const Parameters& parameters) {
    const uint32_t parts = parts_of(parameters);
    SwappedMachine machine(as_rhsn(network), model_for(parts));
    Reduction reduction(machine, parts);
    const std::vector<Affine> data = random_maps(network.nodes(), parameters.seed());
    const std::vector<std::optional<Affine>> before = reduction.prefix(data, compose);
    Outcome o;
    o.steps = machine.count();
    o.bound = (reduction.radices().size() + 2) * machine.shape().digits() - 2;
    o.correct = !before[0];
    std::optional<Affine> plain;
    for (NodeId v = 0; v < network.nodes(); ++v) {
        o.correct = o.correct && before[v] == plain;
        plain = plain ? compose(*plain, data[v]) : data[v];
    }
    o.text = "The bound is this algorithm's own; the paper gives none for the prefix.\n";
    return o;
}

Outcome run_matmul(const Network& network, const Parameters& parameters) {
    const uint32_t parts = parts_of(parameters);
    SwappedMachine machine(as_rhsn(network), model_for(parts));
    Reduction reduction(machine, parts);
    const uint32_t digits = machine.shape().digits();
    const uint32_t levels = machine.shape().levels(machine.shape().depth());
    const auto side = uint32_t(std::lround(std::cbrt(double(network.nodes()))));
    Random random(parameters.seed());
    std::vector<uint64_t> a(size_t(side) * side), b = a;
    for (uint64_t& x : a) x = random.below(1000);
    for (uint64_t& x : b) x = random.below(1000);
    std::vector<uint64_t> at_a(network.nodes()), at_b = at_a;
    for (NodeId v = 0; v < network.nodes(); ++v) {
        at_a[v] = a[v / side];
        at_b[v] = b[v / side];
    }
    const std::vector<uint64_t> c = multiply(machine, reduction, at_a, at_b);
    Outcome o;
    o.steps = machine.count();
    o.bound = (reduction.radices().size() + 1) * digits / 3 + 5 * levels / 3 - 2;
    o.correct = true;
    for (NodeId v = 0; v < network.nodes(); ++v) {
        const uint32_t i = v / side / side, j = v / side % side;
        uint64_t sum = 0;
        for (uint32_t k = 0; k < side; ++k) sum += a[i * side + k] * b[k * side + j];
        o.correct = o.correct && c[v] == sum;
    }
    o.counts = {{"side", side}};
    return o;
}

const std::vector<Parameter> Both{parts_parameter(), seed_parameter()};
const Algorithm semigroup{"rhsn", "semigroup", "one value from all, in order", Both, run_semigroup};
const Algorithm on_copies{"rhsn-copies", "semigroup", "one value from all, in order", Both,
                          run_on_copies};
const Algorithm prefix{"rhsn", "prefix", "at every node, all before it", Both, run_prefix};
const Algorithm matmul{"rhsn", "matmul", "matrix multiplication", Both, run_matmul};

}  // namespace

}  // namespace rdt::algo
