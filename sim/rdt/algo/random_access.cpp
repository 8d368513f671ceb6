// SPDX-License-Identifier: MIT
#include <rdt/algo/random_access.h>

#include <algorithm>

namespace rdt::algo {

namespace {

constexpr uint32_t NoAddress = ~0u;  // key of nodes that take no part; sorted behind all others

[[noreturn]] void fail_collision() {
    throw std::logic_error("two packets meet that are bound for the same half");
}

// The packet of a pair for the half that `home` is in.
void keep_own_half(NodeId home, uint32_t bit, std::optional<RandomAccess::Packet>& mine,
                   const std::optional<RandomAccess::Packet>& other) {
    const auto is_here = [&](const std::optional<RandomAccess::Packet>& p) {
        return p && (p->to >> bit & 1) == (home >> bit & 1);
    };
    if (is_here(mine) && is_here(other)) fail_collision();
    if (is_here(mine)) return;
    mine = is_here(other) ? other : std::nullopt;
}

}  // namespace

RandomAccess::RandomAccess(const Rcc& network)
    : m_nodes(network.nodes()),
      m_formulas{network.atom(), network.level()},
      m_machine(network, PortModel::AllPort),
      m_sorter(m_machine.steps(), network) {
    m_machine.bits();  // throws unless passes are possible
}

uint64_t RandomAccess::sort_steps() const { return m_formulas.sort_steps(); }
uint64_t RandomAccess::pass_steps() const { return m_formulas.ascend_steps(); }

std::vector<uint32_t> RandomAccess::rank(const std::vector<bool>& selected) {
    struct State {
        uint32_t rank;
        uint32_t sum;
    };
    std::vector<State> state(m_nodes);
    std::vector<uint64_t> additions(m_nodes);
    for (NodeId v = 0; v < m_nodes; ++v) state[v] = {0, selected[v] ? 1u : 0u};
    const auto add = [&](NodeId home, uint32_t& to, uint32_t what) {
        to += what;
        ++additions[home];
    };
    m_machine.ascend(state, 0, m_machine.bits() - 1,
                     [&](NodeId home, uint32_t b, State& mine, const State& other) {
                         if ((home >> b & 1) != 0) add(home, mine.rank, other.sum);
                         add(home, mine.sum, other.sum);
                     });
    m_computations = *std::max_element(additions.begin(), additions.end());
    std::vector<uint32_t> ranks;
    for (const State& s : state) ranks.push_back(s.rank);
    return ranks;
}

void RandomAccess::compress(Packets& packets) {
    m_machine.ascend(packets, 0, m_machine.bits() - 1, keep_own_half);
}

void RandomAccess::distribute(Packets& packets) {
    m_machine.descend(packets, 0, m_machine.bits() - 1, keep_own_half);
}

void RandomAccess::generalize(Packets& packets) {
    std::vector<uint64_t> comparisons(m_nodes);
    m_machine.descend(packets, 0, m_machine.bits() - 1,
                      [&](NodeId home, uint32_t b, std::optional<Packet>& mine,
                          const std::optional<Packet>& other) {
                          const NodeId base = home >> b << b;  // first node of its half
                          const auto is_less = [&](uint32_t a, uint32_t c) {
                              ++comparisons[home];
                              return a < c;
                          };
                          const auto reaches = [&](const std::optional<Packet>& p) {
                              return p && !is_less(p->to, base);
                          };
                          if (!reaches(mine)) mine.reset();
                          if (reaches(other) && (!mine || is_less(other->to, mine->to)))
                              mine = other;
                      });
    m_computations = *std::max_element(comparisons.begin(), comparisons.end());
    // Data carried beyond the last destination is not used.
    for (NodeId v = 0; v < m_nodes; ++v)
        if (packets[v] && packets[v]->to < v) packets[v].reset();
}

// Ranking and the comparison with the neighbor in the sorted order, in one pass.
std::vector<RandomAccess::Run> RandomAccess::runs(const std::vector<Record>& sorted,
                                                  Leader leader) {
    std::vector<Run> state(m_nodes);
    for (NodeId v = 0; v < m_nodes; ++v) {
        const auto address = uint32_t(sorted[v].key >> 32);
        state[v] = {address, address, 1, 0, true};
    }
    m_machine.ascend(
        state, 0, m_machine.bits() - 1,
        [leader](NodeId home, uint32_t b, Run& mine, const Run& other) {
            const bool is_high = (home >> b & 1) != 0;
            const Run low = is_high ? other : mine, high = is_high ? mine : other;
            const uint32_t shared = low.last == high.first ? 1 : 0;
            if (shared != 0 && is_high && leader == Leader::First && mine.rank == 0)
                mine.leads = false;
            if (shared != 0 && !is_high && leader == Leader::Last && mine.rank == low.runs - 1)
                mine.leads = false;
            if (is_high) mine.rank += low.runs - shared;
            mine.first = low.first;
            mine.last = high.last;
            mine.runs = low.runs + high.runs - shared;
        });
    return state;
}

RandomAccess::Packets RandomAccess::deliver(std::vector<Record>& records,
                                            const Addresses& addresses, Leader leader) {
    for (NodeId v = 0; v < m_nodes; ++v)
        records[v].key = uint64_t(addresses[v].value_or(NoAddress)) << 32 | v;
    m_sorter.sort(records);
    const std::vector<Run> run = runs(records, leader);
    Packets packets(m_nodes);
    for (NodeId v = 0; v < m_nodes; ++v) {
        const auto address = uint32_t(records[v].key >> 32);
        if (run[v].leads && address != NoAddress)
            packets[v] = {run[v].rank, records[v].value, address, run[v].rank, v};
    }
    compress(packets);
    for (auto& p : packets)
        if (p) p->to = p->address;
    distribute(packets);
    return packets;
}

std::vector<std::optional<uint64_t>> RandomAccess::read(const std::vector<uint64_t>& memory,
                                                        const Addresses& addresses) {
    std::vector<Record> records(m_nodes);
    Packets packets = deliver(records, addresses, Leader::Last);
    for (NodeId v = 0; v < m_nodes; ++v)
        if (packets[v]) {
            packets[v]->value = memory[v];
            packets[v]->to = packets[v]->rank;
        }
    compress(packets);
    for (auto& p : packets)
        if (p) p->to = p->end;
    generalize(packets);
    // Back to the requesters.
    for (NodeId v = 0; v < m_nodes; ++v)
        records[v] = {uint32_t(records[v].key), packets[v] ? packets[v]->value : 0};
    m_sorter.sort(records);
    std::vector<std::optional<uint64_t>> values(m_nodes);
    for (NodeId v = 0; v < m_nodes; ++v)
        if (addresses[v]) values[v] = records[v].value;
    return values;
}

void RandomAccess::write(std::vector<uint64_t>& memory, const Addresses& addresses,
                         const std::vector<uint64_t>& values) {
    std::vector<Record> records(m_nodes);
    for (NodeId v = 0; v < m_nodes; ++v) records[v].value = values[v];
    const Packets packets = deliver(records, addresses, Leader::First);
    for (NodeId v = 0; v < m_nodes; ++v)
        if (packets[v]) memory[v] = packets[v]->value;
}

}  // namespace rdt::algo
