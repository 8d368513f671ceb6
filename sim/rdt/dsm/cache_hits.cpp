// SPDX-License-Identifier: MIT
// Hits that the user of a cache executes itself.
#include <rdt/dsm/cache.h>

namespace rdt::dsm {

void Cache::commit(uint64_t loads, uint64_t stores) {
    m_context.statistics.reads += loads;
    m_context.statistics.writes += stores;
    if (stores == 0) return;
    m_slots[0].sequence += stores - 1;
    next_number(0);
}

}  // namespace rdt::dsm
