// SPDX-License-Identifier: MIT
#include <rdt/algo/ascend.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include <rdt/algo/algorithm.h>
#include <rdt/algo/inputs.h>
#include <rdt/algo/padded_ascend.h>

namespace rdt::algo {

uint64_t ascend_bound(const SwappedMachine& machine, uint32_t dimensions) {
    const SwapShape& shape = machine.shape();
    const uint64_t steps = machine.nucleus_steps();
    const uint64_t bits = machine.bits() / shape.digits();
    const uint64_t some =
        (steps + 2) * ((dimensions - 1 + bits - 1) / bits + 1) + 2 * shape.depth() - 2;
    const uint64_t all = steps * shape.digits() + 2 * (shape.digits() - 1);
    return std::min(some, all);
}

void bitonic_sort(SwappedMachine& machine, std::vector<uint64_t>& data) {
    for (uint32_t stage = 1; stage <= machine.bits(); ++stage)
        machine.descend(
            data, 0, stage - 1, [stage](NodeId home, uint32_t b, uint64_t& mine, uint64_t other) {
                const bool ascending = (home >> stage & 1) == 0;
                const bool is_low = (home >> b & 1) == 0;
                mine = ascending == is_low ? std::min(mine, other) : std::max(mine, other);
            });
}

void fft(SwappedMachine& machine, std::vector<std::complex<double>>& data) {
    using Complex = std::complex<double>;
    machine.descend(data, 0, machine.bits() - 1,
                    [](NodeId home, uint32_t b, Complex& mine, const Complex& other) {
                        const uint32_t half = 1u << b;
                        if ((home & half) == 0) {
                            mine += other;
                        } else {
                            const double turn = -M_PI * (home % half) / half;
                            mine = (other - mine) * std::polar(1.0, turn);
                        }
                    });
}

uint32_t bit_reversed(uint32_t index, uint32_t bits) {
    uint32_t reversed = 0;
    for (uint32_t b = 0; b < bits; ++b) reversed |= (index >> b & 1) << (bits - 1 - b);
    return reversed;
}

namespace {

using Complex = std::complex<double>;

// Several values at a time need several ports.
SwappedMachine machine_for(const Network& network, const Parameters& parameters) {
    const auto parts = uint32_t(parameters.number("parts", 0, 8));
    return SwappedMachine(as_rhsn(network), parts == 0 ? PortModel::OnePort : PortModel::AllPort,
                          parts);
}

// Combines two data that meet; depends on every value that an error could mix up.
uint64_t mixed(uint64_t low, uint64_t high, uint32_t dimension, bool is_high) {
    uint64_t z = low * 0x9E3779B97F4A7C15 + (high ^ (high >> 29)) * 0xBF58476D1CE4E5B9 +
                 2 * dimension + (is_high ? 1 : 0);
    z = (z ^ (z >> 31)) * 0x94D049BB133111EB;
    return z ^ (z >> 29);
}

// Expected result of a pass over these dimensions.
std::vector<uint64_t> plain_pass(std::vector<uint64_t> data, uint32_t first, uint32_t last,
                                 bool up) {
    for (uint32_t i = 0; i <= last - first; ++i) {
        const uint32_t b = up ? first + i : last - i;
        for (NodeId low = 0; low < data.size(); ++low) {
            if ((low >> b & 1) != 0) continue;
            uint64_t& x = data[low];
            uint64_t& y = data[low | 1u << b];
            const uint64_t old = x;
            x = mixed(old, y, b, false);
            y = mixed(old, y, b, true);
        }
    }
    return data;
}

void mix(NodeId home, uint32_t b, uint64_t& mine, uint64_t other) {
    const bool is_high = (home >> b & 1) != 0;
    mine = is_high ? mixed(other, mine, b, true) : mixed(mine, other, b, false);
}

// All dimensions of a network whose nucleus has no power of two nodes.
Outcome run_padded(const Rhsn& network, const Parameters& parameters, bool up) {
    PaddedMachine machine(network, parameters.number("parts", 0, 1) == 1);
    if (parameters.number("first", 0, 0) != 0 || !parameters.text("last").empty())
        throw NetworkError("first and last are for nuclei of 2^k nodes; here all dimensions run");
    Random random(parameters.seed());
    std::vector<uint64_t> data = random_words(machine.values(), random);
    const std::vector<uint64_t> plain = plain_pass(data, 0, machine.bits() - 1, up);
    machine.pass(data, up, mix);
    Outcome o;
    o.steps = machine.steps();
    o.correct = data == plain;
    o.counts = {{"values", machine.values()},
                {"values of a node, most", machine.most_held()},
                {"steps with 2^k nodes a nucleus", machine.steps_without_padding()}};
    return o;
}

Outcome run_pass(const Network& network, const Parameters& parameters, bool up) {
    const Network& nucleus = as_rhsn(network).nucleus();
    if ((nucleus.nodes() & (nucleus.nodes() - 1)) != 0)
        return run_padded(as_rhsn(network), parameters, up);
    SwappedMachine machine = machine_for(network, parameters);
    const uint32_t bits = machine.bits();
    const auto first = uint32_t(parameters.number("first", 0, bits - 1));
    const auto last = parameters.text("last").empty()
                          ? bits - 1
                          : uint32_t(parameters.number("last", first, bits - 1));
    Random random(parameters.seed());
    std::vector<uint64_t> data = random_words(network.nodes(), random);
    const std::vector<uint64_t> plain = plain_pass(data, first, last, up);
    bool correct;
    if (up && parameters.word("order", {"kept", "free"}) == "free") {
        const std::vector<NodeId> homes = machine.ascend_anywhere(data, first, last, mix);
        std::vector<uint64_t> found(data.size());
        for (NodeId v = 0; v < data.size(); ++v) found[homes[v]] = data[v];
        correct = found == plain;
    } else {
        if (up) machine.ascend(data, first, last, mix);
        else machine.descend(data, first, last, mix);
        correct = data == plain;
    }
    Outcome o;
    o.steps = machine.count();
    o.bound = ascend_bound(machine, last - first + 1);
    o.correct = correct;
    return o;
}

Outcome run_bitonic(const Network& network, const Parameters& parameters) {
    SwappedMachine machine = machine_for(network, parameters);
    Random random(parameters.seed());
    std::vector<uint64_t> data = random_words(network.nodes(), random);
    std::vector<uint64_t> sorted = data;
    std::sort(sorted.begin(), sorted.end());
    bitonic_sort(machine, data);
    Outcome o;
    o.steps = machine.count();
    // Theorem 4.1 for each of the stages.
    o.bound = 0;
    for (uint32_t stage = 1; stage <= machine.bits(); ++stage)
        *o.bound += ascend_bound(machine, stage);
    o.correct = data == sorted;
    o.counts = {{"comparisons", uint64_t(machine.bits()) * (machine.bits() + 1) / 2},
                {"computation steps of a node", machine.computations()}};
    return o;
}

// By definition up to this many points, by the recursive formula beyond.
constexpr uint32_t ByDefinition = 1024;

std::vector<Complex> plain_transform(const std::vector<Complex>& x) {
    const size_t n = x.size();
    std::vector<Complex> result(n);
    if (n > ByDefinition) {
        std::vector<Complex> even(n / 2), odd(n / 2);
        for (size_t i = 0; i < n / 2; ++i) {
            even[i] = x[2 * i];
            odd[i] = x[2 * i + 1];
        }
        even = plain_transform(even);
        odd = plain_transform(odd);
        for (size_t k = 0; k < n; ++k)
            result[k] = even[k % (n / 2)] +
                        std::polar(1.0, -2 * M_PI * double(k) / double(n)) * odd[k % (n / 2)];
        return result;
    }
    for (size_t k = 0; k < n; ++k)
        for (size_t i = 0; i < n; ++i)
            result[k] += x[i] * std::polar(1.0, -2 * M_PI * double(k * i % n) / double(n));
    return result;
}

Outcome run_fft(const Network& network, const Parameters& parameters) {
    SwappedMachine machine = machine_for(network, parameters);
    Random random(parameters.seed());
    std::vector<Complex> data(network.nodes());
    for (Complex& x : data) x = {random.unit() - 0.5, random.unit() - 0.5};
    const std::vector<Complex> plain = plain_transform(data);
    fft(machine, data);
    double error = 0;
    for (NodeId v = 0; v < network.nodes(); ++v)
        error = std::max(error, std::abs(data[v] - plain[bit_reversed(v, machine.bits())]));
    Outcome o;
    o.steps = machine.count();
    o.bound = ascend_bound(machine, machine.bits());
    o.correct = error < 1e-10 * network.nodes();
    o.text = fmt::format("largest error  {:.1e}\n", error);
    return o;
}

const std::vector<Parameter> Range{{"first", "0", "the lowest dimension"},
                                   {"last", "", "the highest; if not given, of all"},
                                   parts_parameter(),
                                   seed_parameter()};
std::vector<Parameter> with_order() {
    std::vector<Parameter> all = Range;
    all.push_back({"order", "kept", "of the results: kept, or free, without the swaps at the end"});
    return all;
}
Outcome ascending(const Network& n, const Parameters& p) { return run_pass(n, p, true); }
Outcome descending(const Network& n, const Parameters& p) { return run_pass(n, p, false); }

const Algorithm rcc_ascend{"rcc", "ascend", "pairs 1, 2, 4, ... apart meet", with_order(),
                           ascending};
const Algorithm rcc_descend{"rcc", "descend", "pairs ..., 4, 2, 1 apart meet", Range, descending};
const Algorithm rhsn_ascend{"rhsn", "ascend", "pairs 1, 2, 4, ... apart meet", with_order(),
                            ascending};
const Algorithm rhsn_descend{"rhsn", "descend", "pairs ..., 4, 2, 1 apart meet", Range, descending};
const Algorithm rhsn_bitonic{
    "rhsn", "bitonic", "bitonic sort", {parts_parameter(), seed_parameter()}, run_bitonic};
const Algorithm rhsn_fft{
    "rhsn", "fft", "fast Fourier transform", {parts_parameter(), seed_parameter()}, run_fft};

}  // namespace

}  // namespace rdt::algo
