// SPDX-License-Identifier: MIT
#include "mutate/wide_gates.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

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

using Word = uint64_t __attribute__((vector_size(32)));

Word* at(std::vector<Copies>& values) { return reinterpret_cast<Word*>(values.data()); }

// Gates of one kind. Out of the class and with nothing but pointers, so that it is compiled for the
// vectors that the machine has.
// Functions take references: how a vector is passed depends on the machine.
template <typename Gate, typename Function>
inline __attribute__((always_inline)) void each(const Gate* gate, const Gate* end, Word* v,
                                                Function&& f) {
    for (; gate != end; ++gate)
        f(v[gate->output], v[gate->inputs[0]], v[gate->inputs[1]], v[gate->inputs[2]]);
}

#if defined(__x86_64__)
#define RDT_FOR_EACH_MACHINE __attribute__((target_clones("avx2", "default")))
#else
#define RDT_FOR_EACH_MACHINE
#endif
template <typename Gate>
RDT_FOR_EACH_MACHINE void compute(unsigned kind, const Gate* gate, const Gate* end, Word* v) {
    using W = const Word&;
    switch (kind) {
    case 0: each(gate, end, v, [](Word& y, W a, W b, W) { y = a & b; }); break;
    case 1: each(gate, end, v, [](Word& y, W a, W b, W) { y = a | b; }); break;
    case 2: each(gate, end, v, [](Word& y, W a, W b, W) { y = a ^ b; }); break;
    case 3: each(gate, end, v, [](Word& y, W a, W, W) { y = ~a; }); break;
    default: each(gate, end, v, [](Word& y, W a, W b, W s) { y = a ^ ((a ^ b) & s); }); break;
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
            std::copy(inputs.begin(), inputs.end(), gate.inputs);
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
    m_next.resize(m_flops.size());
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
    m_value[1] = Copies::all(true);
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
        m_gates.push_back(gate);
        m_level_of.push_back(level[order[i]]);
        m_levels.resize(level[order[i]] + 1);
        std::vector<Group>& groups = m_levels.back().groups;
        const Kind kind = kind_of(gate.table);
        if (groups.empty() || groups.back().kind != kind) groups.push_back({kind, i, i});
        groups.back().end = i + 1;
    }
}

void WideGates::begin(Dice& random) {
    m_mistakes.clear();
    m_active.fill(0);
    for (Level& level : m_levels) level.mistakes.clear();
    for (const Flop& f : m_flops) m_value[f.output] = Copies::all(random.chance(50));
}

void WideGates::plant(size_t gate, unsigned copy, uint32_t table) {
    const uint32_t place = m_place.at(gate);
    m_levels[m_level_of[place]].mistakes.push_back(uint32_t(m_mistakes.size()));
    m_mistakes.push_back({place, copy, of_three(table, m_gates[place].number)});
}

void WideGates::apply(const Mistake& mistake) {
    const Gate& gate = m_gates[mistake.gate];
    uint32_t row = 0;
    for (unsigned i = 0; i < 3; ++i)
        row |= uint32_t(m_value[gate.inputs[i]].has(mistake.copy)) << i;
    const bool is = (mistake.table >> row & 1) != 0;
    Copies& value = m_value[gate.output];
    m_active[mistake.copy] += value.has(mistake.copy) != is;
    value.set(mistake.copy, is);
}

void WideGates::settle() {
    Word* const v = at(m_value);
    for (const Level& level : m_levels) {
        for (const Group& g : level.groups) {
            if (g.kind != AnyTable) {
                compute(g.kind, &m_gates[g.first], &m_gates[0] + g.end, v);
                continue;
            }
            for (uint32_t i = g.first; i < g.end; ++i) {
                const Gate& gate = m_gates[i];
                Word rows[8];
                for (unsigned r = 0; r < 8; ++r)
                    rows[r] = (gate.table >> r & 1) != 0 ? ~Word{} : Word{};
                for (unsigned n = 4, k = 0; n != 0; n /= 2, ++k)
                    for (unsigned r = 0; r < n; ++r)
                        rows[r] =
                            rows[2 * r] ^ ((rows[2 * r] ^ rows[2 * r + 1]) & v[gate.inputs[k]]);
                v[gate.output] = rows[0];
            }
        }
        for (uint32_t m : level.mistakes) apply(m_mistakes[m]);
    }
}

void WideGates::edge() {
    for (size_t i = 0; i < m_flops.size(); ++i) m_next[i] = m_value[m_flops[i].data];
    for (size_t i = 0; i < m_flops.size(); ++i) m_value[m_flops[i].output] = m_next[i];
}

}  // namespace rdt::tb
