// SPDX-License-Identifier: MIT
#include "mutate/wide_gates.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <tuple>

namespace rdt::tb {

namespace {

std::vector<uint32_t> read_nets(std::ifstream& file) {
    size_t n = 0;
    file >> n;
    std::vector<uint32_t> list(n);
    for (uint32_t& net : list) file >> net;
    return list;
}

// A table of fewer inputs, as one of three.
uint32_t of_three(uint32_t table, size_t inputs) {
    for (size_t n = inputs; n < 3; ++n) table |= table << (1u << n);
    return table & 0xFF;
}

// As wide as registers are, so that nothing goes through memory on its way.
#if defined(__x86_64__)
#define RDT_FOR_EACH_MACHINE __attribute__((target_clones("avx2", "default")))
constexpr unsigned VectorBytes = 32;
#else
#define RDT_FOR_EACH_MACHINE
constexpr unsigned VectorBytes = 16;
#endif
using Vector = uint64_t __attribute__((vector_size(VectorBytes), may_alias));
constexpr unsigned Vectors = sizeof(Copies) / VectorBytes;

// All nets together exceed the first-level cache: those of the next gates are prefetched.
constexpr unsigned Ahead = 32;

// Gates of one kind. Out of the class and with nothing but pointers, so that it is compiled for the
// vectors that the machine has.
// Functions take references: how a vector is passed depends on the machine.
template <typename Inputs, typename Function>
inline __attribute__((always_inline)) void each(const Inputs* gate, const Inputs* end,
                                                const Copies* nets, Copies* output, Function&& f) {
    for (; gate != end; ++gate, ++output) {
        for (uint32_t net : gate[Ahead]) __builtin_prefetch(nets + net);
        const auto* a = reinterpret_cast<const Vector*>(nets + (*gate)[0]);
        const auto* b = reinterpret_cast<const Vector*>(nets + (*gate)[1]);
        const auto* s = reinterpret_cast<const Vector*>(nets + (*gate)[2]);
        auto* y = reinterpret_cast<Vector*>(output);
        for (unsigned i = 0; i < Vectors; ++i) f(y[i], a[i], b[i], s[i]);
    }
}

template <typename Inputs>
RDT_FOR_EACH_MACHINE void compute(unsigned kind, const Inputs* gate, const Inputs* end,
                                  const Copies* nets, Copies* out) {
    using V = const Vector&;
    switch (kind) {
    case 0: each(gate, end, nets, out, [](Vector& y, V a, V b, V) { y = a & b; }); break;
    case 1: each(gate, end, nets, out, [](Vector& y, V a, V b, V) { y = a | b; }); break;
    case 2: each(gate, end, nets, out, [](Vector& y, V a, V b, V) { y = a ^ b; }); break;
    case 3: each(gate, end, nets, out, [](Vector& y, V a, V, V) { y = ~a; }); break;
    default:
        each(gate, end, nets, out, [](Vector& y, V a, V b, V s) { y = a ^ ((a ^ b) & s); });
        break;
    }
}

}  // namespace

WideGates::WideGates(const std::string& path) {
    std::ifstream file(path);
    std::vector<Gate> gates;
    std::string kind;
    while (file >> kind) {
        std::string name;
        if (kind == "gate") {
            Gate gate{};
            file >> name >> gate.table >> gate.output;
            const std::vector<uint32_t> inputs = read_nets(file);
            std::copy(inputs.begin(), inputs.end(), gate.inputs.begin());
            gate.number = uint32_t(inputs.size());
            gate.table = of_three(gate.table, inputs.size());
            gates.push_back(gate);
        } else if (kind == "ff") {
            Flop flop{};
            file >> flop.output >> flop.data;
            m_flops.push_back(flop);
        } else if (kind == "watch") {
            Watched w;
            file >> w.kind >> w.name;
            w.nets = read_nets(file);
            size_t strobes = 0;
            file >> strobes;
            while (strobes-- != 0) w.strobes.push_back(read_nets(file));
            m_watched.push_back(std::move(w));
        } else {
            file >> name;
            m_ports[name] = read_nets(file);
        }
    }
    if (gates.empty() || m_flops.empty() || m_watched.empty())
        throw std::runtime_error("no netlist in " + path);
    sort_into_levels(gates);
    number_nets(gates);
    m_inputs.resize(gates.size() + Ahead);
    sort_flops();
    find_hidden();
}

WideGates::Kind WideGates::kind_of(uint32_t table) {
    constexpr uint32_t A = 0xAA, B = 0xCC, S = 0xF0;
    const uint32_t tables[] = {A & B, A | B, A ^ B, 0xFF & ~A, (A & ~S) | (B & S)};
    for (unsigned k = 0; k < AnyTable; ++k)
        if (table == tables[k]) return Kind(k);
    return AnyTable;
}

void WideGates::sort_into_levels(const std::vector<Gate>& gates) {
    uint32_t last = 1;
    for (const Gate& g : gates) last = std::max({last, g.output});
    for (const Flop& f : m_flops) last = std::max(last, f.output);
    for (const auto& [name, list] : m_ports)
        for (uint32_t net : list) last = std::max(last, net);
    m_value.resize(last + 1);
    m_value[1].word.fill(Copies::all(true));
    // In the file gates come after those that they depend on.
    std::vector<uint32_t> level_of_net(last + 1, 0);
    std::vector<uint32_t> level(gates.size());
    std::vector<uint32_t> order(gates.size());
    for (uint32_t i = 0; i < gates.size(); ++i) {
        order[i] = i;
        for (uint32_t net : gates[i].inputs) level[i] = std::max(level[i], level_of_net[net]);
        level_of_net[gates[i].output] = level[i] + 1;
    }
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return std::make_pair(level[a], kind_of(gates[a].table)) <
               std::make_pair(level[b], kind_of(gates[b].table));
    });
    m_place.resize(gates.size());
    for (uint32_t i = 0; i < order.size(); ++i) {
        const Gate& gate = gates[order[i]];
        m_place[order[i]] = i;
        m_inputs.push_back(gate.inputs);
        m_table.push_back(gate.table);
        m_number.push_back(gate.number);
        m_level_of.push_back(level[order[i]]);
        m_levels.resize(level[order[i]] + 1);
        std::vector<Group>& groups = m_levels.back().groups;
        const Kind kind = kind_of(gate.table);
        if (groups.empty() || groups.back().kind != kind) groups.push_back({kind, i, i});
        groups.back().end = i + 1;
    }
}

void WideGates::number_nets(const std::vector<Gate>& gates) {
    std::vector<bool> by_gate(m_value.size());
    for (const Gate& g : gates) by_gate[g.output] = true;
    std::vector<uint32_t> number(m_value.size());
    for (uint32_t net = 0; net < number.size(); ++net)
        if (!by_gate[net]) number[net] = m_first_gate++;
    for (size_t i = 0; i < gates.size(); ++i) number[gates[i].output] = m_first_gate + m_place[i];
    m_number_of.resize(number.size());
    for (uint32_t net = 0; net < number.size(); ++net) m_number_of[number[net]] = net;
    const auto renumber = [&](auto& nets) {
        for (uint32_t& net : nets) net = number[net];
    };
    for (Inputs& inputs : m_inputs) renumber(inputs);
    for (Flop& f : m_flops) f = {number[f.output], number[f.data]};
    for (auto& [name, nets] : m_ports) renumber(nets);
    for (Watched& w : m_watched) {
        renumber(w.nets);
        for (auto& strobe : w.strobes) renumber(strobe);
    }
}

void WideGates::sort_flops() {
    std::vector<bool> by_flop(m_value.size());
    for (const Flop& f : m_flops) by_flop[f.output] = true;
    const auto others = std::partition(m_flops.begin(), m_flops.end(),
                                       [&](const Flop& f) { return by_flop[f.data]; });
    m_after_flops = size_t(others - m_flops.begin());
    m_held.resize(m_after_flops);
}

void WideGates::find_hidden() {
    std::vector<bool> always(m_value.size());
    for (const Watched& w : m_watched)
        if (w.strobes.empty())
            for (uint32_t net : w.nets) always[net] = true;
    for (const Flop& f : m_flops)
        if (!always[f.output]) m_hidden.push_back(f.output);
}

void WideGates::begin(Dice& random) {
    m_mistakes.clear();
    m_active.fill(0);
    for (Level& level : m_levels) level.mistakes.clear();
    for (const Flop& f : m_flops)
        for (unsigned c = 0; c < Copies::Chips; ++c) drive(f.output, c, random.chance(50));
}

void WideGates::inject(size_t gate, unsigned copy, uint32_t table) {
    const uint32_t place = m_place.at(gate);
    m_levels[m_level_of[place]].mistakes.push_back(uint32_t(m_mistakes.size()));
    m_mistakes.push_back({place, copy, of_three(table, m_number[place])});
}

void WideGates::apply(const Mistake& mistake) {
    uint32_t row = 0;
    for (unsigned i = 0; i < 3; ++i)
        row |= uint32_t(m_value[m_inputs[mistake.gate][i]].has(mistake.copy)) << i;
    const bool is = (mistake.table >> row & 1) != 0;
    Copies& value = m_value[m_first_gate + mistake.gate];
    m_active[mistake.copy] += value.has(mistake.copy) != is;
    value.set(mistake.copy, is);
}

void WideGates::settle() {
    for (const Level& level : m_levels) {
        for (const Group& g : level.groups) {
            if (g.kind != AnyTable) {
                compute(g.kind, &m_inputs[g.first], &m_inputs[0] + g.end, &m_value[0],
                        &m_value[m_first_gate + g.first]);
                continue;
            }
            for (uint32_t i = g.first; i < g.end; ++i)
                for (unsigned c = 0; c < Copies::Chips; ++c) {
                    uint64_t rows[8];
                    for (unsigned r = 0; r < 8; ++r)
                        rows[r] = Copies::all((m_table[i] >> r & 1) != 0);
                    for (unsigned n = 4, k = 0; n != 0; n /= 2, ++k)
                        for (unsigned r = 0; r < n; ++r)
                            rows[r] = rows[2 * r] ^ ((rows[2 * r] ^ rows[2 * r + 1]) &
                                                     m_value[m_inputs[i][k]].word[c]);
                    m_value[m_first_gate + i].word[c] = rows[0];
                }
        }
        for (uint32_t m : level.mistakes) apply(m_mistakes[m]);
    }
}

void WideGates::edge() {
    for (size_t i = 0; i < m_after_flops; ++i) m_held[i] = m_value[m_flops[i].data];
    for (size_t i = m_after_flops; i < m_flops.size(); ++i) {
        if (i + Ahead < m_flops.size()) __builtin_prefetch(&m_value[m_flops[i + Ahead].data]);
        m_value[m_flops[i].output] = m_value[m_flops[i].data];
    }
    for (size_t i = 0; i < m_after_flops; ++i) m_value[m_flops[i].output] = m_held[i];
}

}  // namespace rdt::tb
