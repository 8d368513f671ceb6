// SPDX-License-Identifier: MIT
// Cycles and instructions of the harts, exact for every cycle although harts execute ahead.
#include <fmt/core.h>

#include <rdt/exec/figures.h>

namespace rdt::exec {

Counts Programs::counts_now(const Node& node) const {
    Counts c = node.counts;
    if (node.access_cycle >= m_end && node.state != State::Asleep)
        --(node.access_loads ? c.loads : c.stores);
    switch (node.state) {
    case State::Ready: {
        const uint64_t ahead = node.due > m_end ? node.due - m_end : 0;
        c.of(node.kind) -= ahead;
        c.instructions -= ahead;
        break;
    }
    case State::Pending:
    case State::AtBarrier:
        if (m_end <= node.since) {
            if (node.state == State::Pending) --c.misses;
            break;
        }
        ++c.of(node.kind);
        c.of(node.wait_kind()) += m_end - node.since - 1;
        break;
    case State::Asleep: {
        const uint64_t elapsed = m_end > node.since ? m_end - node.since : 0;
        c.of(node.kind) += elapsed;
        c.instructions += elapsed;
        c.loads += loads_asleep(node, m_end);
        break;
    }
    case State::Halted:
        if (m_end > node.since) c.of(CycleKind::Idle) += m_end - node.since;
        break;
    }
    return c;
}

Counts Programs::counts(uint32_t h) const {
    const Node& node = m_nodes[h];
    if (!m_has_interest) return counts_now(node);
    Counts c = m_interest[h];
    if (m_is_interest) {
        c.add(counts_now(node));
        c.add(node.before, true);
    }
    return c;
}

Counts Programs::total() const {
    Counts sum;
    for (uint32_t h = 0; h < m_nodes.size(); ++h) sum.add(counts(h));
    return sum;
}

uint64_t Programs::interest_cycles() const {
    if (!m_has_interest) return cycles();
    return m_interest_cycles + (m_is_interest ? m_end - m_interest_from : 0);
}

uint64_t Programs::instructions() const {
    uint64_t sum = 0;
    for (const Node& node : m_nodes) sum += counts_now(node).instructions;
    return sum;
}

void Programs::add_figures(nlohmann::ordered_json& json) const { exec::add_figures(*this, json); }

std::string Programs::table() const { return table_of(*this); }

std::string Programs::place_of(const Node& node) const {
    return m_image.elf().name_of(node.hart.pc, true);
}

std::string Programs::places() const {
    constexpr uint32_t Most = 4;
    std::string text;
    uint32_t count = 0;
    for (uint32_t h = 0; h < m_nodes.size(); ++h) {
        if (m_nodes[h].state == State::Halted) continue;
        if (++count > Most) continue;
        text += fmt::format("{}node {} in {}", text.empty() ? "" : ", ", h, place_of(m_nodes[h]));
    }
    if (count > Most) text += fmt::format(" and {} more", count - Most);
    return text;
}

}  // namespace rdt::exec
