// SPDX-License-Identifier: MIT
#include <rdt/machine/traffic/trace_reductions.h>

#include <fmt/core.h>

namespace rdt::machine {

namespace {

constexpr uint64_t Seed = 1;  // a trace does not name operands

}  // namespace

TraceReductions::TraceReductions(Transport& transport, uint32_t width)
    : m_transport(transport), m_all_reduce(width, Seed) {
    transport.on_result = [this](const Packet& packet, const core::Operand& sum) {
        check(packet.message.user, sum);
    };
}

void TraceReductions::open(uint64_t number, const std::vector<uint32_t>& nodes) {
    m_open[number].nodes = nodes;
}

bool TraceReductions::answer(uint64_t number, uint32_t node, uint64_t line) {
    const auto open = m_open.find(number);
    if (open == m_open.end()) return true;  // ended by a fault
    const auto arm = open->second.arms.find(node);
    if (arm == open->second.arms.end()) {
        open->second.lines.emplace(node, line);
        return false;
    }
    give(number, arm->second);
    open->second.arms.erase(arm);
    return true;
}

std::optional<uint64_t> TraceReductions::deliver(uint64_t number, const Delivery& arm) {
    const auto open = m_open.find(number);
    if (open == m_open.end()) return std::nullopt;
    const auto line = open->second.lines.find(arm.node);
    if (line == open->second.lines.end()) {
        open->second.arms.emplace(arm.node, arm);
        return std::nullopt;
    }
    give(number, arm);
    return line->second;
}

void TraceReductions::give(uint64_t number, const Delivery& arm) {
    m_transport.answer(arm, 1u << AckUser, m_all_reduce.operand(number, arm.node));
}

void TraceReductions::check(uint64_t number, const core::Operand& sum) {
    const auto open = m_open.find(number);
    if (open == m_open.end()) return;
    ++m_results;
    const uint32_t expected = m_all_reduce.expected(number, open->second.nodes);
    if (!sum.is_good || m_all_reduce.result(number, sum.value) != expected) ++m_wrong;
    m_open.erase(open);
}

std::string TraceReductions::error() const {
    if (m_wrong == 0) return {};
    return fmt::format("{} of {} results of reductions are wrong or invalid", m_wrong, m_results);
}

}  // namespace rdt::machine
