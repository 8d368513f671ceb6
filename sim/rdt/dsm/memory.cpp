// SPDX-License-Identifier: MIT
#include <rdt/dsm/memory.h>

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace rdt::dsm {

const char* to_string(Protocol protocol) {
    return protocol == Protocol::Update ? "update" : "invalidate";
}

Memory::Memory(const machine::Machine& machine, const Options& options)
    : m_options(options),
      m_maps(machine.geometry()),
      m_checker(machine.nodes(), options.lines),
      m_random(options.seed ^ 0x6973737565),
      m_issues(machine.nodes(), options.rate, m_random),
      m_left(options.rate > 0 ? options.operations : 0) {
    if (options.rate != 0 && !(options.rate >= LeastRate && options.rate <= 1))
        throw std::invalid_argument(fmt::format(
            "a node issues {:g} to 1 operations a clock, not {:g}", LeastRate, options.rate));
    if (!machine.config().upper_rank)
        throw std::invalid_argument("the shared memory needs the upper rank for its multicasts");
    const uint32_t nodes = machine.nodes();
    const uint64_t divided = m_options.operations - m_left;
    for (uint32_t n = 0; n < nodes; ++n) {
        const uint64_t operations = divided / nodes + (n < divided % nodes ? 1 : 0);
        m_homes.emplace_back(n, m_options, m_fabric, machine.geometry(), m_maps, m_statistics);
        m_caches.emplace_back(n, nodes, m_options, operations, m_fabric, m_checker, m_statistics);
    }
    m_fabric.on_home = [this](uint32_t n, const Message& m) { m_homes[n].receive(m); };
    m_fabric.on_cache = [this](uint32_t n, const Message& m) { m_caches[n].receive(m); };
}

void Memory::clock(machine::Transport& transport) {
    m_fabric.clock(transport);
    if (m_statistics.is_measured) ++m_statistics.clocks;
    m_issues.clock(m_clock++, [this](uint32_t node) {
        if (m_left == 0) return;
        --m_left;
        m_caches[node].issue();
    });
    for (Cache& cache : m_caches) cache.clock();
    if (!m_concluded && is_over()) conclude();
}

// While operations are left to issue: the end of a run is short.
uint64_t Memory::idle_cycles() const {
    if (m_left == 0 || !m_fabric.idle() || m_fabric.next_timer() <= m_fabric.now() ||
        std::any_of(m_caches.begin(), m_caches.end(), [](const Cache& c) { return c.may_begin(); }))
        return 0;
    // The fabric's time is that of the last clock().
    const uint64_t until_timer = m_fabric.next_timer() - m_fabric.now() - 1;
    return std::min(m_issues.next_clock() - m_clock, until_timer);
}

void Memory::skip(uint64_t cycles) {
    m_clock += cycles;
    m_fabric.skip(cycles);
    if (m_statistics.is_measured) m_statistics.clocks += cycles;
}

void Memory::delivered(machine::Transport&, const machine::Packet& packet,
                       const machine::Delivery& delivery) {
    if (!delivery.sound) {
        if (!packet.is_multicast()) ++m_statistics.damaged;  // those are answered with ERROR
        return;
    }
    if (!delivery.intact) ++m_statistics.undetected;
    const Message m = decode(delivery.data);
    if (packet.is_multicast()) m_caches[delivery.node].receive_multicast(m);
    else if (delivery.mbp == Fabric::HomeMbp) m_homes[delivery.node].receive(m);
    else m_caches[delivery.node].receive(m);
}

void Memory::acked(machine::Transport&, const machine::Packet& packet, uint32_t status) {
    m_homes[packet.message.source].answered(decode(packet.message.data).line, status);
}

void Memory::stop() {
    m_left = 0;
    for (Cache& cache : m_caches) cache.stop();
}

double Memory::per_node_and_clock(uint64_t count) const {
    return m_statistics.clocks == 0
               ? 0
               : double(count) / double(m_statistics.clocks) / double(m_caches.size());
}

uint64_t Memory::directory_entries() const {
    uint64_t entries = 0;
    for (const Home& home : m_homes) entries += home.entries();
    return entries;
}

// A home that waits for something that was lost, for an operation that has ended with an error,
// is given the time of a few resends.
bool Memory::is_over() const {
    if (m_left > 0) return false;
    uint64_t last = 0;
    for (const Cache& cache : m_caches) {
        if (!cache.idle()) return false;
        last = std::max(last, cache.last_end());
    }
    if (!m_fabric.idle()) return false;
    return std::all_of(m_homes.begin(), m_homes.end(), [](const Home& h) { return h.idle(); }) ||
           m_fabric.now() > last + 2 * m_options.attempts * m_options.resend;
}

void Memory::conclude() {
    m_concluded = true;
    const auto nodes = uint32_t(m_homes.size());
    for (uint32_t home = 0; home < nodes; ++home)
        for (const auto& [at, line] : m_homes[home].lines()) {
            if (line.is_lost) continue;
            uint64_t version = line.version;
            uint64_t value = line.value;
            if (line.owner) {
                const auto copy = m_caches[*line.owner].copies().find(at);
                if (copy != m_caches[*line.owner].copies().end() && copy->second.is_owned) {
                    version = copy->second.version;
                    value = copy->second.value;
                }
            }
            m_checker.memory_is(at, version, value);
        }
    for (uint32_t node = 0; node < nodes; ++node)
        for (const auto& [at, copy] : m_caches[node].copies()) {
            const auto& lines = m_homes[m_options.home_of(at, nodes)].lines();
            const auto line = lines.find(at);
            if (line == lines.end() || !line->second.is_lost)
                m_checker.copy_is(node, at, copy.version, copy.value);
        }
}

std::string Memory::error() const {
    if (m_checker.violations() != 0)
        return fmt::format("the memory was wrong {} times; first {}", m_checker.violations(),
                           m_checker.first());
    return {};
}

}  // namespace rdt::dsm
