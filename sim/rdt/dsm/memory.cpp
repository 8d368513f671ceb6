// SPDX-License-Identifier: MIT
#include <rdt/dsm/memory.h>

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

namespace rdt::dsm {

const char* to_string(Protocol protocol) {
    return protocol == Protocol::Update ? "update" : "invalidate";
}
const char* to_string(DirectoryKind kind) {
    return kind == DirectoryKind::Multicast ? "multicast" : "exact";
}

namespace {

void check_options(const machine::Machine& machine, const Options& o) {
    const auto refuse = [](const std::string& why) { throw std::invalid_argument(why); };
    if (o.lines == 0 || o.lines > MaxLines)
        refuse(fmt::format("--lines {}: must be 1 to {}", o.lines, MaxLines));
    if (o.page == 0 || o.page > o.lines || o.lines % o.page != 0)
        refuse(fmt::format("--page {}: must divide the {} lines of the memory", o.page, o.lines));
    if (o.rate != 0 && !(o.rate >= LeastRate && o.rate <= 1))
        refuse(fmt::format("--rate {:g}: must be {:g} to 1", o.rate, LeastRate));
    if (!(o.atomics >= 0 && o.atomics <= 1))
        refuse(fmt::format("--atomics {:g}: must be 0 to 1", o.atomics));
    if (o.processors == 0 || o.processors > MaxProcessors)
        refuse(fmt::format("--processors {}: must be 1 to {}", o.processors, MaxProcessors));
    if (o.cache_lines != 0 && (o.cache_ways == 0 || o.cache_lines % o.cache_ways != 0))
        refuse(fmt::format("--cache-ways {}: must divide --cache-lines, {}", o.cache_ways,
                           o.cache_lines));
    if (o.directory == DirectoryKind::Multicast && !machine.config().upper_rank)
        refuse("--directory multicast: needs the upper rank: must be exact with --torus");
    if (machine.nodes() > MaxNodes && o.directory == DirectoryKind::Exact)
        refuse(fmt::format("--directory exact: {} nodes: must be at most {}", machine.nodes(),
                           MaxNodes));
}

}  // namespace

Memory::Memory(const machine::Machine& machine, const Options& options)
    : m_options((check_options(machine, options), options)),
      m_nodes(machine.nodes()),
      m_slots(options.store_buffer == 0 ? 1 : 2),
      m_pruning(machine.config().pruning),
      m_maps(options.directory == DirectoryKind::Multicast
                 ? std::make_unique<MapTable>(machine.geometry())
                 : nullptr),
      m_checker(options.is_checked ? std::make_unique<Checker>(
                                         m_nodes * options.processors * m_slots, options.lines)
                                   : nullptr),
      m_fabric(*this, options.resend),
      m_protocols(options.lines / options.page),
      m_lines(options.lines),
      m_ready((m_nodes * options.processors + 63) / 64),
      m_busy(m_ready.size()),
      m_random(options.seed ^ 0x6973737565),
      m_issues(m_nodes, options.rate, m_random),
      m_left(options.rate > 0 ? options.operations : 0) {
    for (uint32_t page = 0; page < m_protocols.size(); ++page) {
        const bool is_other = options.is_mixed && page % 2 == 1;
        const bool is_update = (options.protocol == Protocol::Update) != is_other;
        m_protocols[page] = is_update ? Protocol::Update : Protocol::Invalidate;
    }
    const Context context{m_options,  m_nodes,         options.processors * m_slots,
                          m_fabric,   m_checker.get(), m_statistics,
                          m_protocols};
    const uint32_t all = m_nodes * options.processors;
    const uint64_t divided = m_options.operations - m_left;
    for (uint32_t n = 0; n < m_nodes; ++n) {
        m_homes.emplace_back(n, context, machine, m_maps.get(), m_lines);
        m_caches.emplace_back(n, context, static_cast<Cache::Client&>(*this));
    }
    for (uint32_t p = 0; p < all; ++p) {
        const uint32_t node = p / options.processors;
        const uint32_t local = p % options.processors;
        const uint64_t operations = divided / all + (p < divided % all ? 1 : 0);
        const Pattern pattern(m_options, node, m_nodes, local);
        m_processors.emplace_back(m_caches[node], local * m_slots, context, pattern, operations,
                                  options.seed * 7919 + p + 1);
        update(p);
    }
}

void Memory::update(uint32_t p) {
    const uint64_t bit = uint64_t(1) << p % 64;
    uint64_t& ready = m_ready[p / 64];
    uint64_t& busy = m_busy[p / 64];
    const Processor& processor = m_processors[p];
    ready = processor.may_begin() ? ready | bit : ready & ~bit;
    const bool is_busy = !processor.idle();
    if (is_busy != ((busy & bit) != 0)) {
        busy ^= bit;
        if (is_busy) ++m_num_busy;
        else --m_num_busy;
    }
}

void Memory::clock(machine::Transport& transport) {
    m_fabric.clock(transport);
    if (m_statistics.is_measured) ++m_statistics.clocks;
    m_issues.clock(m_clock++, [this](uint32_t node) {
        if (m_left == 0) return;
        --m_left;
        const uint32_t p = node * m_options.processors + uint32_t(m_left % m_options.processors);
        m_processors[p].issue();
        update(p);
    });
    for (uint32_t w = 0; w < m_ready.size(); ++w)
        for (uint64_t rest = m_ready[w]; rest != 0; rest &= rest - 1) {
            const uint32_t p = 64 * w + uint32_t(__builtin_ctzll(rest));
            m_processors[p].clock();
            if (!m_processors[p].is_pending()) m_last_end = m_fabric.now();
            update(p);
        }
    if (m_options.operations != 0 && m_num_busy == 0 && !m_concluded && is_over()) conclude();
}

// While operations are left to issue: the end of a run is short.
uint64_t Memory::idle_cycles() const {
    return m_left == 0 ? 0 : std::min(m_issues.next_clock() - m_clock, quiet_cycles());
}

uint64_t Memory::quiet_cycles() const {
    if (!m_fabric.idle() || m_fabric.next_timer() <= m_fabric.now() ||
        std::any_of(m_ready.begin(), m_ready.end(), [](uint64_t word) { return word != 0; }))
        return 0;
    // The fabric's time is that of the last clock().
    return m_fabric.next_timer() - m_fabric.now() - 1;
}

Memory::Presence Memory::presence(uint32_t node, uint32_t line) const {
    const Cache::Copy* copy = m_caches[node].copy_of(line);
    if (copy == nullptr) return Presence::None;
    if (copy->is_owned) return Presence::Owned;
    return copy->is_locked ? Presence::Locked : Presence::Shared;
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
    if (packet.is_multicast()) {
        if (on_cache_message) on_cache_message(delivery.node, m.line);
        if (m_caches[delivery.node].receive_multicast(m))
            m_homes[packet.message.source].is_held_by(m.line, delivery.node);
    } else if (delivery.mbp == Fabric::HomeMbp) {
        m_homes[delivery.node].receive(m);
    } else {
        cache_receives(delivery.node, m);
    }
}

void Memory::acked(machine::Transport&, const machine::Packet& packet, uint32_t status) {
    m_homes[packet.message.source].answered(decode(packet.message.data).line, status);
}

void Memory::timer_ends(const Timer& timer) {
    if (timer.kind == Timer::Kind::Request) m_caches[timer.node].timer_ends(timer);
    else m_homes[timer.node].timer_ends(timer);
}

void Memory::ended(uint32_t node, uint32_t slot, const Result& result) {
    const uint32_t p = node * m_options.processors + slot / m_slots;
    Result own = result;
    const bool is_direct = m_processors[p].ended(slot, own);
    m_last_end = m_fabric.now();
    update(p);
    if (is_direct && on_completed) on_completed(p, own);
}

void Memory::refuse_malformed(const Access& a) const {
    const char* why =
        a.op != Op::Fence && a.address >= bytes()
            ? "is outside the memory"
            : error_of(a, a.op != Op::Fence && protocol_of(a.address) == Protocol::Update);
    if (why != nullptr)
        throw std::invalid_argument(
            fmt::format("an access of {} bytes at {:#x}: {}", a.size, a.address, why));
}

bool Memory::access(uint32_t p, const Access& access, Result& result) {
    refuse_malformed(access);
    m_concluded = false;
    const bool has_ended = m_processors[p].access(access, result);
    update(p);
    return has_ended;
}

void Memory::request(uint32_t p, Request request) {
    refuse_malformed(request.access);
    m_concluded = false;
    m_processors[p].request(std::move(request));
    update(p);
}

Protocol Memory::protocol_of(uint64_t address) const {
    return m_protocols[address / LineBytes / m_options.page];
}

void Memory::set_protocol(uint32_t line, Protocol protocol) {
    if (line >= m_options.lines)
        throw std::invalid_argument(fmt::format("there is no line {}", line));
    m_protocols[line / m_options.page] = protocol;
}

const Bytes& Memory::newest(uint32_t at) const {
    const MemoryLine& line = m_lines[at];
    if (line.owner != 0) {
        const Cache& owner = m_caches[line.owner - 1];
        const Cache::Copy* copy = owner.copy_of(at);
        if (copy != nullptr && copy->is_owned) return copy->bytes;
        // On its way to the home.
        if (const auto* back = owner.returned(at, line.owner_number)) return back->bytes;
    }
    return line.bytes;
}

void Memory::peek(uint64_t address, void* bytes, uint64_t count) const {
    auto* to = static_cast<uint8_t*>(bytes);
    for (uint64_t i = 0; i < count; ++i)
        to[i] = newest(uint32_t((address + i) / LineBytes))[(address + i) % LineBytes];
}

void Memory::poke(uint64_t address, const void* bytes, uint64_t count) {
    const auto* from = static_cast<const uint8_t*>(bytes);
    while (count > 0) {
        const auto at = uint32_t(address / LineBytes);
        const uint64_t offset = address % LineBytes;
        const uint64_t part = std::min<uint64_t>(count, LineBytes - offset);
        Bytes line = newest(at);
        std::copy_n(from, part, line.begin() + ptrdiff_t(offset));
        m_lines[at].bytes = line;
        for (Cache& cache : m_caches) cache.preset(at, line);
        if (m_checker) m_checker->presets(at, line);
        address += part;
        from += part;
        count -= part;
    }
}

void Memory::stop() {
    m_left = 0;
    for (uint32_t p = 0; p < processors(); ++p) {
        m_processors[p].stop();
        update(p);
    }
}

double Memory::per_node_and_clock(uint64_t count) const {
    return m_statistics.clocks == 0 ? 0
                                    : double(count) / double(m_statistics.clocks) / double(m_nodes);
}

uint64_t Memory::directory_entries() const {
    uint64_t entries = 0;
    for (const Home& home : m_homes) entries += home.entries();
    return entries;
}

uint32_t Memory::entry_bits() const { return m_maps ? 8 * (m_maps->top_level() + 1) : m_nodes; }

// A home that waits for something that was lost, for an operation that has ended with an error,
// is given the time of a few resends.
bool Memory::is_over() const {
    if (m_left > 0 || !m_fabric.idle()) return false;
    return std::all_of(m_homes.begin(), m_homes.end(), [](const Home& h) { return h.idle(); }) ||
           m_fabric.now() > m_last_end + 2 * m_options.attempts * m_options.resend;
}

void Memory::conclude() {
    m_concluded = true;
    if (!m_checker || operations() == 0) return;
    for (uint32_t at = 0; at < m_options.lines; ++at) {
        const MemoryLine& line = m_lines[at];
        if (line.is_lost || line.first != 0) continue;
        uint64_t version = line.version;
        if (line.owner != 0) {
            const Cache& owner = m_caches[line.owner - 1];
            const Cache::Copy* copy = owner.copy_of(at);
            if (copy != nullptr && copy->is_owned) version = copy->version;
            else if (const auto* back = owner.returned(at, line.owner_number))
                version = back->version;
        }
        m_checker->memory_is(at, version, newest(at));
    }
    for (uint32_t node = 0; node < m_nodes; ++node)
        m_caches[node].copies().for_each([&](uint32_t at, const Cache::Copy& copy) {
            if (!m_lines[at].is_lost && m_lines[at].first == 0)
                m_checker->copy_is(node, at, copy.version, copy.bytes);
        });
}

std::string Memory::error() const {
    if (violations() != 0)
        return fmt::format("the memory was wrong {} times; first {}", violations(),
                           first_violation());
    return {};
}

}  // namespace rdt::dsm
