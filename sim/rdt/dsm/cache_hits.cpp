// SPDX-License-Identifier: MIT
// Hits that the user of a cache executes itself: versions, counters and checks.
#include <rdt/dsm/cache.h>

namespace rdt::dsm {

void Cache::commit_store(const Access& access) {
    ++m_context.statistics.writes;
    next_number(0);
    Copy& copy = *m_copies.find(access.line());
    ++copy.version;
    if (m_context.checker != nullptr)
        m_context.checker->writes(m_context.client(m_node, 0), access, copy.version);
}

void Cache::commit_loads(uint64_t count, const std::vector<uint32_t>& lines) {
    m_context.statistics.reads += count;
    if (m_context.checker == nullptr) return;
    for (const uint32_t line : lines) {
        const Copy& copy = *m_copies.find(line);
        m_context.checker->reads(m_context.client(m_node, 0), line, copy.version, copy.bytes);
    }
}

}  // namespace rdt::dsm
