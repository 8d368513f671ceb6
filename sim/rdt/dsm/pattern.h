// SPDX-License-Identifier: MIT
// Which node uses which lines: the ways in which parallel programs share memory.
#pragma once

#include <string>
#include <vector>

#include <rdt/dsm/options.h>
#include <rdt/support/random.h>

namespace rdt::dsm {

struct Operation {
    uint32_t line;
    bool is_write;
};

// The operations of one processor of a node. They do not depend on time.
class Pattern {
public:
    struct About {
        const char* name;
        const char* about;
    };
    static const std::vector<About>& patterns();

    // Throws std::invalid_argument for options that do not fit.
    Pattern(const Options& options, uint32_t node, uint32_t nodes, uint32_t processor = 0);
    Operation next() { return (this->*m_next)(); }

private:
    Operation stencil();
    Operation all_to_all();
    Operation producer_consumer();
    Operation migratory();
    bool draws_read() { return m_random.unit() <= m_reads; }
    // One of the lines that have their home at this node.
    uint32_t line_of(uint32_t node) {
        const uint32_t own = m_random.below(std::max(m_lines / m_nodes, 1u));
        return ((own / m_page * m_nodes + node) * m_page + own % m_page) % m_lines;
    }

    Operation (Pattern::*m_next)();
    Random m_random;
    double m_reads;
    uint32_t m_lines;
    uint32_t m_page;
    uint32_t m_node;
    uint32_t m_nodes;
    uint32_t m_visits = 0;    // visits of migratory lines
    bool m_has_read = false;  // in this visit
};

}  // namespace rdt::dsm
