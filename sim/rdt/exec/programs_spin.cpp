// SPDX-License-Identifier: MIT
// Loops that spin on copies in the cache: the hart sleeps, and is brought to its exact state when a
// message for the cache arrives.
#include <rdt/exec/programs.h>

#include <algorithm>
#include <stdexcept>

namespace rdt::exec {

// Whether the hart is where it was, in the same state, and has done nothing meanwhile but load.
bool Programs::seeks_sleep(Node& node) {
    Anchor& a = node.anchor;
    const hart::Hart& h = node.hart;
    if (h.pc != a.pc) {
        if (a.others < MaxLoopLoads - 1) {
            a.offsets[a.others++] = uint32_t(m_now - a.cycle);
            return false;
        }
        a.pc = h.pc;
        a.has_registers = false;
        a.backoff = a.patience = 0;
    } else {
        const bool is_clean = h.effects() == a.effects && node.messages == a.messages &&
                              m_now - a.cycle == h.instructions() - a.instructions &&
                              m_now != a.cycle;
        if (is_clean && a.has_registers) {
            if (std::equal(h.x.begin(), h.x.end() - 1, a.x.begin())) return true;
            a.patience = a.backoff = std::min(2 * a.backoff + 1, 63u);
        }
        a.has_registers = false;
        if (is_clean && a.patience == 0) {
            a.x = h.x;
            a.has_registers = true;
        } else if (a.patience > 0) {
            --a.patience;
        }
    }
    a.others = 0;
    a.cycle = m_now;
    a.effects = h.effects();
    a.instructions = h.instructions();
    a.messages = node.messages;
    return false;
}

void Programs::sleep(uint32_t h) {
    Node& node = m_nodes[h];
    ++m_sleeps;
    node.state = State::Asleep;
    node.since = m_now;
    node.period = m_now - node.anchor.cycle;
}

// One when the loop begins, others at their offsets.
uint64_t Programs::loads_asleep(const Node& node, uint64_t cycle) const {
    if (cycle <= node.since) return 0;
    const uint64_t elapsed = cycle - node.since;
    const uint64_t rest = elapsed % node.period;
    const auto begin = node.anchor.offsets.begin();
    const auto end = begin + node.anchor.others;
    const auto in_rest =
        uint64_t(std::count_if(begin, end, [rest](uint32_t at) { return at < rest; }));
    return elapsed / node.period * (1 + node.anchor.others) + (rest != 0 ? 1 + in_rest : 0);
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
    node.anchor = {};
    schedule(h, next_cycle());
}

}  // namespace rdt::exec
