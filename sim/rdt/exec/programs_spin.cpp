// SPDX-License-Identifier: MIT
// Loops that spin on copies in the cache: the hart sleeps, and is brought to its exact state when a
// message for the cache arrives.
#include <rdt/exec/programs.h>

#include <stdexcept>

namespace rdt::exec {

void Programs::sleep(uint32_t h) {
    Node& node = m_nodes[h];
    ++m_sleeps;
    node.state = State::Asleep;
    node.since = m_now;
    node.period = node.spin.period(m_now);
}

uint64_t Programs::loads_asleep(const Node& node, uint64_t cycle) const {
    return cycle <= node.since ? 0 : node.spin.loads(cycle - node.since, node.period);
}

// The hart is brought to the state that it would have before next_cycle(). All loads of the loop
// hit: no message has changed the cache since.
void Programs::wake(uint32_t h) {
    Node& node = m_nodes[h];
    const uint64_t elapsed = next_cycle() - node.since;
    const uint64_t rounds = elapsed / node.period;
    const uint64_t rest = elapsed % node.period;
    const uint64_t loads = loads_asleep(node, next_cycle());
    uint64_t replayed = 0;
    node.counts.of(node.kind) += elapsed;
    node.counts.instructions += elapsed;
    node.counts.loads += loads;
    node.hart.add_instructions(rounds * node.period);
    for (uint64_t left = rest; left != 0;) {
        const hart::Hart::Stop stop = node.hart.run(left, 0);
        left -= node.hart.executed();
        if (stop != hart::Hart::Stop::Access || left == 0) continue;
        const hart::MemoryRequest& q = node.hart.request();
        node.access_cycle = next_cycle() - left;
        node.access_loads = true;
        dsm::Access a;
        a.address = q.address - m_image.shared_base();
        a.size = q.size;
        dsm::Result result;
        if (q.op != dsm::Op::Load || !m_memory.access(h, a, result))
            throw std::logic_error("a hart slept in a loop that does not only load");
        ++replayed;
        node.hart.complete(result.value);
        --left;
    }
    m_memory.count_loads(loads - replayed);
    node.spin = {};
    schedule(h, next_cycle());
}

}  // namespace rdt::exec
