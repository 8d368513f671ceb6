// SPDX-License-Identifier: MIT
#include <rdt/algo/rcc_sort.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include <rdt/algo/algorithm.h>
#include <rdt/algo/inputs.h>

namespace rdt::algo {

uint32_t quarter_of(uint32_t side) {
    auto q = uint32_t(std::sqrt(double(side)));
    while (q * q > side) --q;
    while ((q + 1) * (q + 1) <= side) ++q;
    return q;
}

RccSorter::RccSorter(StepMachine& machine, const Rcc& network)
    : m_machine(machine), m_network(network) {
    constexpr uint64_t MaxMovements = 1u << 22;  // in a step
    if (uint64_t(network.nodes()) * network.atom() > MaxMovements)
        throw NetworkError(fmt::format(
            "{} is too large to sort; allowed are {} movements a step, NA times the nodes",
            network.name(), MaxMovements));
    m_atom_port.resize(size_t(network.atom()) * network.atom());
    for (NodeId from = 0; from < network.atom(); ++from)
        for (NodeId to = 0; to < network.atom(); ++to)
            if (from != to) m_atom_port[from * network.atom() + to] = machine.port_to(from, to);
}

// All networks of one level at once, each a grid whose rows are networks of the level below.
class RccSorter::Grid {
public:
    Grid(RccSorter& sorter, uint32_t level, uint32_t by)
        : m_sorter(sorter), m_level(level), m_by(by), m_side(sorter.side(level)) {}

    void transpose() {
        const Rcc& network = m_sorter.m_network;
        const uint32_t port = network.transpose_port(m_level);
        m_sorter.m_machine.exchange(
            m_sorter.m_items,
            [&](NodeId v) {
                return network.is_leader(v, m_level, 2) ? std::nullopt
                                                        : std::optional<uint32_t>(port);
            },
            [&](NodeId to, NodeId, Item&& item) { m_sorter.m_items[to] = item; });
    }
    void sort_rows(bool snake) {
        if (snake) turn_odd_rows();
        m_sorter.sort(m_level - 1, m_by, {});
        if (snake) turn_odd_rows();
    }
    void rotate_rows(uint32_t by) {
        for (NodeId v = 0; v < m_sorter.m_items.size(); ++v)
            m_sorter.m_items[v].target[m_level - 1] = uint16_t((v % m_side + row(v) * by) % m_side);
        std::vector<uint8_t> all_ascend(m_sorter.m_descends.size(), 0);
        m_sorter.m_descends.swap(all_ascend);
        if (m_level == 1) m_sorter.move_in_atoms();
        else m_sorter.sort(m_level - 1, m_level, {});
        m_sorter.m_descends.swap(all_ascend);
    }

private:
    uint32_t row(NodeId v) const { return v / m_side % m_side; }
    void turn_odd_rows() {
        for (NodeId v = 0; v < m_sorter.m_descends.size(); ++v)
            m_sorter.m_descends[v] ^= uint8_t(row(v) % 2);
    }

    RccSorter& m_sorter;
    const uint32_t m_level;
    const uint32_t m_by;
    const uint32_t m_side;
};

void RccSorter::sort(std::vector<Record>& records, const OnStep& on_step) {
    m_items.resize(records.size());
    for (uint32_t v = 0; v < records.size(); ++v) m_items[v] = {records[v], v, {}};
    m_descends.assign(records.size(), 0);
    sort(m_network.level(), ByKey, [&](int step) {
        if (!on_step) return;
        std::vector<uint64_t> keys;
        for (const Item& item : m_items) keys.push_back(item.record.key);
        on_step(step, keys);
    });
    for (size_t v = 0; v < records.size(); ++v) records[v] = m_items[v].record;
}

RccSorter::Schedule RccSorter::sort_and_record(std::vector<Record>& records) {
    Schedule schedule{m_network.atom(), {}, {}};
    m_schedule = &schedule;
    sort(records);
    m_schedule = nullptr;
    for (const Item& item : m_items) schedule.result.push_back(item.place);
    return schedule;
}

void RccSorter::sort(uint32_t level, uint32_t by, const std::function<void(int)>& on_step) {
    if (level == 0) {
        sort_atoms(by);
        return;
    }
    Grid grid(*this, level, by);
    rcc_sort_steps(grid, quarter_of(side(level)), [&](int step) {
        if (on_step) on_step(step);
    });
}

void RccSorter::sort_atoms(uint32_t by) {
    const uint32_t atom = m_network.atom();
    m_received.resize(m_items.size() * atom);
    m_machine.step<Item>(
        [&](auto&& send) {
            for (NodeId v = 0; v < m_items.size(); ++v)
                for (uint32_t port = 0; port + 1 < atom; ++port) send(v, port, m_items[v]);
        },
        [&](NodeId to, NodeId from, Item&& item) { m_received[to * atom + from % atom] = item; });
    for (NodeId v = 0; v < m_items.size(); ++v) m_received[v * atom + v % atom] = m_items[v];
    std::vector<uint32_t> order(atom);
    for (NodeId v = 0; v < m_items.size(); ++v) {
        // Each node sorts what it has received: equal ones by place.
        const Item* const all = &m_received[v * atom];
        for (uint32_t i = 0; i < atom; ++i) {
            uint32_t at = i;
            for (; at > 0 && key(all[order[at - 1]], by) > key(all[i], by); --at)
                order[at] = order[at - 1];
            order[at] = i;
        }
        const uint32_t rank = m_descends[v] != 0 ? atom - 1 - v % atom : v % atom;
        const uint32_t place = m_items[v].place;
        m_items[v] = all[order[rank]];
        if (by == ByKey) m_items[v].place = place;
    }
    if (by != ByKey || m_schedule == nullptr) return;
    for (NodeId v = 0; v < m_items.size(); ++v)
        m_schedule->sorts.push_back(
            m_items[m_descends[v] != 0 ? v / atom * atom + atom - 1 - v % atom : v].place);
}

// A rotation within complete graphs: every record goes straight to its target.
void RccSorter::move_in_atoms() {
    const uint32_t atom = m_network.atom();
    m_machine.step<Item>(
        [&](auto&& send) {
            for (NodeId v = 0; v < m_items.size(); ++v) {
                const NodeId to = v / atom * atom + m_items[v].target[0];
                if (to != v) send(v, m_atom_port[v % atom * atom + to % atom], m_items[v]);
            }
        },
        [&](NodeId to, NodeId, Item&& item) { m_items[to] = item; });
}

namespace {

std::string grid_text(const std::vector<uint64_t>& keys, uint32_t side) {
    std::string text;
    for (size_t v = 0; v < keys.size(); ++v)
        text += fmt::format("{:4}{}", keys[v], v % side == side - 1 ? "\n" : "");
    return text;
}

constexpr uint32_t LargestShown = 16;  // on a side

Outcome run_sort(const Network& network, const Parameters& parameters) {
    const Rcc& rcc = as_rcc(network);
    std::vector<Record> records(network.nodes());
    if (parameters.word("input", {"random", "paper"}) == "paper") {
        if (network.nodes() != 16)
            throw NetworkError("input=paper: the paper's input is for 16 nodes, as rcc:4,1");
        for (NodeId v = 0; v < 16; ++v) records[v].key = PaperInput[v];
    } else {
        Random random(parameters.seed());
        const auto order = random_order<uint64_t>(network.nodes(), random);
        for (NodeId v = 0; v < network.nodes(); ++v) records[v].key = order[v];
    }
    std::vector<uint64_t> plain;
    for (Record& r : records) plain.push_back(r.value = r.key);

    StepMachine machine(network, PortModel::AllPort);
    RccSorter sorter(machine, rcc);
    Outcome o;
    const bool shown = rcc.level() > 0 && rcc.side() <= LargestShown;
    if (shown) o.text = "at first\n" + grid_text(plain, rcc.side());
    sorter.sort(records, [&](int step, const std::vector<uint64_t>& keys) {
        if (shown)
            o.text += fmt::format("after step {} ({} so far)\n", step, machine.steps()) +
                      grid_text(keys, rcc.side());
    });
    std::sort(plain.begin(), plain.end());
    o.correct = true;
    for (NodeId v = 0; v < network.nodes(); ++v)
        o.correct = o.correct && records[v].key == plain[v] && records[v].value == plain[v];
    o.steps = machine.steps();
    o.bound = RccFormulas{rcc.atom(), rcc.level()}.sort_steps();
    o.counts = {{"movements", machine.movements()}};
    return o;
}

const Algorithm sort{"rcc",
                     "sort",
                     "RCC-FULL SORT",
                     {{"input", "random", "or paper: figure 9's"}, seed_parameter()},
                     run_sort};

}  // namespace

}  // namespace rdt::algo
