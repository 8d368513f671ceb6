// SPDX-License-Identifier: MIT
// Replacement of lines in a set-associative cache.
#include <rdt/dsm/cache.h>

#include <algorithm>

namespace rdt::dsm {

void Cache::make_room(uint32_t line) {
    uint32_t* const set = &m_ways[line % m_sets * m_options.cache_ways];
    uint32_t* victim = nullptr;
    uint64_t oldest = ~uint64_t(0);
    for (uint32_t* way = set; way != set + m_options.cache_ways; ++way) {
        const uint64_t used = *way == 0 ? 0 : m_copies.find(*way - 1)->used;
        if (used >= oldest) continue;
        oldest = used;
        victim = way;
    }
    if (*victim != 0) {
        const uint32_t replaced = *victim - 1;
        ++m_context.statistics.evictions;
        if (m_copies.find(replaced)->is_owned) {
            ++m_context.statistics.write_backs;
            give_up_line(replaced, Kind::Recall);
        } else {
            drop(replaced);
        }
    }
    *victim = line + 1;
}

// Is a line not in the cache, and no way of its set free?
bool Cache::must_replace(uint32_t line) const {
    if (m_sets == 0 || m_copies.find(line) != nullptr) return false;
    const uint32_t* const set = &m_ways[line % m_sets * m_options.cache_ways];
    return std::find(set, set + m_options.cache_ways, 0u) == set + m_options.cache_ways;
}

}  // namespace rdt::dsm
