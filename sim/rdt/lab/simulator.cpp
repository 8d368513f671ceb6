// SPDX-License-Identifier: MIT
// Set-up and the run.
#include <rdt/lab/simulator.h>

#include <algorithm>

#include <rdt/lab/simulator_deadlock.h>

namespace rdt::lab {

Simulator::Simulator(const Network& network, const Routing& routing, const Options& options,
                     std::vector<Delivery>* log, uint32_t replicas)
    : m_options(options),
      m_channels(network, routing, options, replicas),
      m_processors(network, routing, options, m_channels, log),
      m_router(network, routing, m_channels, m_processors),
      m_passes(options, m_channels, m_processors),
      m_whole(m_channels) {
    make_lanes();
}

Simulator::Simulator(const Simulator& other, const Network& network, const Options& options)
    : m_options(options),
      m_channels(other.m_channels),
      m_processors(other.m_processors, m_channels, network, options, other.m_now),
      m_router(other.m_router, m_channels, m_processors),
      m_passes(other.m_passes, m_channels, m_processors),
      m_whole(other.m_whole),
      m_now(other.m_now),
      m_next_watch(other.m_next_watch),
      m_deadlock(other.m_deadlock) {}

size_t Simulator::fixed_bytes() const {
    return m_channels.bytes() + m_processors.fixed_bytes() + m_router.fixed_bytes() +
           m_passes.bytes() + m_whole.marked.bytes();
}

void Simulator::run(uint64_t end, bool generate) {
    while (m_now < end && m_deadlock.empty()) {
        if (drained()) {
            if (!generate) return;
            m_now = std::max(m_now, std::min(end, m_processors.next_clock()));
            if (m_now == end) return;
        }
        step(generate);
        if (m_now >= m_next_watch) watch();
    }
}

// First all that happens to words, then what that means for single channels. The routing sets up
// connections for the next cycle, of headers that were complete before this one; a channel that a
// tail releases in this cycle can be allocated in the next one.
void Simulator::step(bool generate_packets) {
    if (m_workers && is_shared()) {
        step_shared(generate_packets);
        return;
    }
    MarkedWords& marked = m_whole.marked;
    m_passes.clock_links(marked, 0, m_channels.link_words);
    m_passes.clock_sources(marked, 0, m_channels.end_words, m_now);
    m_passes.clock_sinks(marked, 0, m_channels.end_words);
    m_router.route(m_whole, m_now);
    marked.take_each([&](uint32_t word) {
        if (is_of_sinks(word)) deliver_arrived(word);
        look_at(m_whole, word);
    });
    if (generate_packets) m_processors.generate(m_now);
    ++m_now;
}

std::vector<ChannelName> Simulator::find_deadlock() const {
    return DeadlockFinder(m_channels, m_router, m_options.buffer + m_options.out_buffer).find();
}

// Looks for a deadlock when a packet that waits has been on the way for long; less and less often
// while it finds none.
void Simulator::watch() {
    constexpr uint64_t Long = 1000;
    m_next_watch = m_now + 1024;
    bool suspicious = false;
    for (NodeId node = 0; node < m_channels.nodes && !suspicious; ++node) {
        const Index in = m_router.first_waiting(node);
        suspicious =
            in != NoIndex && m_now - m_processors.packet(m_channels.front(in)).injected >= Long;
    }
    if (!suspicious) return;
    m_deadlock = find_deadlock();
    m_next_watch = m_now + std::max<uint64_t>(1024, m_now / 4);
}

}  // namespace rdt::lab
