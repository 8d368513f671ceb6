// SPDX-License-Identifier: MIT
#include <rdt/dsm/checker.h>

#include <fmt/core.h>

#include <algorithm>

namespace rdt::dsm {

Checker::Checker(uint32_t nodes, uint32_t lines) : m_lines(lines), m_nodes(nodes) {}

void Checker::violated(std::string what) {
    if (m_violations++ == 0) m_first = std::move(what);
}

void Checker::learn(uint32_t node, uint32_t line, uint64_t version, uint64_t value,
                    const char* what) {
    Line& l = m_lines[line];
    if (version >= l.values.size()) l.values.resize(version + 1);
    uint64_t& known = l.values[version];
    if (known == value) return;
    if (known == 0 && version != 0 && l.open.count(value) != 0) {
        known = value;
        return;
    }
    violated(fmt::format(
        "line {}: node {} {} version {} with value {:x}, which {}", line, node, what, version,
        value, known == 0 && version != 0 ? "nobody has written" : fmt::format("is {:x}", known)));
}

void Checker::advance(uint32_t node, uint32_t line, uint64_t version) {
    uint64_t& seen = m_nodes[node].seen[line];
    if (version < seen)
        violated(fmt::format("line {}: node {} sees version {} after version {}", line, node,
                             version, seen));
    seen = std::max(seen, version);
}

void Checker::read_begins(uint32_t node, uint32_t line) {
    m_nodes[node].floor = m_lines[line].complete;
}

void Checker::read_ends(uint32_t node, uint32_t line, uint64_t version, uint64_t value) {
    if (version < m_nodes[node].floor)
        violated(fmt::format("line {}: node {} reads version {}; version {} was complete before",
                             line, node, version, m_nodes[node].floor));
    learn(node, line, version, value, "reads");
    advance(node, line, version);
}

void Checker::write_begins(uint32_t node, uint32_t line, uint64_t value) {
    m_nodes[node].floor = m_lines[line].complete;
    m_lines[line].open.insert(value);
}

void Checker::write_ends(uint32_t node, uint32_t line, uint64_t version, uint64_t value) {
    Line& l = m_lines[line];
    if (version <= m_nodes[node].floor)
        violated(fmt::format("line {}: node {} writes version {}; version {} was complete before",
                             line, node, version, m_nodes[node].floor));
    learn(node, line, version, value, "writes");
    advance(node, line, version);
    l.open.erase(value);
    l.complete = std::max(l.complete, version);
}

void Checker::copy_comes(uint32_t node, uint32_t line) {
    Line& l = m_lines[line];
    if (l.owner != Nobody && l.owner != node)
        violated(
            fmt::format("line {}: node {} gets a copy while node {} owns it", line, node, l.owner));
    l.holders.insert(node);
}

void Checker::copy_goes(uint32_t node, uint32_t line) { m_lines[line].holders.erase(node); }

void Checker::owner_comes(uint32_t node, uint32_t line) {
    Line& l = m_lines[line];
    if (l.owner != Nobody && l.owner != node)
        violated(fmt::format("line {}: nodes {} and {} own it", line, l.owner, node));
    for (const uint32_t holder : l.holders)
        if (holder != node)
            violated(fmt::format("line {}: node {} owns it while node {} has a copy", line, node,
                                 holder));
    l.owner = node;
}

void Checker::owner_goes(uint32_t node, uint32_t line) {
    if (m_lines[line].owner == node) m_lines[line].owner = Nobody;
}

void Checker::memory_is(uint32_t line, uint64_t version, uint64_t value) {
    Line& l = m_lines[line];
    if (version < l.complete)
        violated(fmt::format("line {}: version {} at the end; version {} was complete", line,
                             version, l.complete));
    // A write that ended with an error may have been done.
    if (version >= l.values.size() || l.values[version] != value) {
        const bool is_open = l.open.count(value) != 0 && m_failed != 0;
        if (!is_open)
            violated(
                fmt::format("line {}: version {} has value {:x} at the end, which nobody "
                            "wrote with it",
                            line, version, value));
    }
    l.values.resize(std::max<size_t>(l.values.size(), version + 1));
    l.values[version] = value;
    l.complete = version;
}

void Checker::copy_is(uint32_t node, uint32_t line, uint64_t version, uint64_t value) {
    const Line& l = m_lines[line];
    if (version != l.complete || value != l.values[version])
        violated(
            fmt::format("line {}: node {} has version {} with value {:x} at the end, the "
                        "memory version {} with {:x}",
                        line, node, version, value, l.complete, l.values[l.complete]));
}

}  // namespace rdt::dsm
