// SPDX-License-Identifier: MIT
#include <rdt/dsm/pattern.h>

#include <fmt/core.h>

#include <stdexcept>

namespace rdt::dsm {

const std::vector<Pattern::About>& Pattern::patterns() {
    static const std::vector<About> all{
        {"stencil", "writes lines of its own, reads those of its four neighbors"},
        {"all-to-all", "reads and writes any line"},
        {"producer-consumer", "writes lines of its own, reads those of four nodes before it"},
        {"migratory", "reads and writes a line, then continues with the next, as all others do"}};
    return all;
}

Pattern::Pattern(const Options& o, uint32_t node, uint32_t nodes, uint32_t processor)
    : m_random((o.seed << 20) + (uint64_t(processor) << 14) + node),
      m_reads(o.reads),
      m_lines(o.lines),
      m_page(o.page),
      m_node(node),
      m_nodes(nodes) {
    if (!(o.reads >= 0 && o.reads <= 1))
        throw std::invalid_argument(fmt::format("--reads {:g}: must be 0 to 1", o.reads));
    if (o.pattern == "stencil") m_next = &Pattern::stencil;
    else if (o.pattern == "all-to-all") m_next = &Pattern::all_to_all;
    else if (o.pattern == "producer-consumer") m_next = &Pattern::producer_consumer;
    else if (o.pattern == "migratory") m_next = &Pattern::migratory;
    else
        throw std::invalid_argument(
            fmt::format("--traffic dsm-{}: must be one of stencil, all-to-all, "
                        "producer-consumer, migratory",
                        o.pattern));
}

Operation Pattern::stencil() {
    if (!draws_read()) return {line_of(m_node), true};
    // The side of the square of nodes is a power of two.
    const uint32_t side = 1u << uint32_t(__builtin_ctz(m_nodes)) / 2;
    const uint32_t last = side - 1;
    const uint32_t x = m_node & last;
    const uint32_t y = m_node - x;
    const uint32_t neighbors[4] = {((x + 1) & last) + y, ((x + last) & last) + y,
                                   x + ((y + side) & (m_nodes - 1)),
                                   x + ((y + m_nodes - side) & (m_nodes - 1))};
    return {line_of(neighbors[m_random.below(4)]), false};
}

Operation Pattern::all_to_all() {
    const bool is_write = !draws_read();
    return {m_random.below(m_lines), is_write};
}

Operation Pattern::producer_consumer() {
    if (!draws_read()) return {line_of(m_node), true};
    return {line_of((m_node + m_nodes - 1 - m_random.below(4)) % m_nodes), false};
}

Operation Pattern::migratory() {
    const uint32_t line = (m_node + m_visits) % m_lines;
    if (!m_has_read || draws_read()) {
        m_has_read = true;
        return {line, false};
    }
    m_has_read = false;
    ++m_visits;
    return {line, true};
}

}  // namespace rdt::dsm
