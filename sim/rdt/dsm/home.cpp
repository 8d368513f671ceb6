// SPDX-License-Identifier: MIT
#include <rdt/dsm/home.h>

#include <algorithm>

namespace rdt::dsm {

namespace {

// A multicast is repeated after a time drawn from a range that doubles up to this many cycles.
constexpr uint32_t FirstBackOff = 64;
constexpr uint32_t MaxBackOff = 4096;
// Repetitions of multicasts that fail because of faults, not because of full tables.
constexpr uint32_t MaxFailures = 100;

constexpr uint32_t Faults = 1u << AckTimeout | 1u << AckError;

// Cycles of a lease, without those of MBPs and homes: the way to the node and back. With an exact
// directory, a packet to every node may be ahead.
constexpr uint64_t LeaseCycles = 500;
constexpr uint64_t LeaseCyclesPerNode = 16;

uint64_t cycles_of(const HandlerCycles& h) { return uint64_t(h.hardware) + h.software; }
bool is_read(Kind kind) { return kind == Kind::Read || kind == Kind::ReadForLease; }
bool is_acquire(Kind kind) { return kind == Kind::Acquire || kind == Kind::AcquireIf; }

template <class F>
void for_each_node(const uint64_t* words, uint32_t count, F&& f) {
    for (uint32_t w = 0; w < count; ++w)
        for (uint64_t rest = words[w]; rest != 0; rest &= rest - 1)
            f(64 * w + uint32_t(__builtin_ctzll(rest)));
}

}  // namespace

Home::Home(uint32_t node, const Context& context, const machine::Machine& machine,
           const MapTable* maps, ZeroArray<MemoryLine>& lines)
    : m_node(node),
      m_context(context),
      m_options(context.options),
      m_geometry(machine.geometry()),
      m_maps(maps),
      m_pruning(machine.pruning()),
      m_random(context.options.seed * 2654435761 + node),
      m_lines(lines),
      m_pages(context.options.lines / context.options.page / context.nodes + 1),
      m_words(maps == nullptr ? (context.nodes + 63) / 64 : 0),
      m_exact(m_pages.size() * m_words),
      m_clients(size_t(context.nodes) * context.slots),
      m_lease_cycles(LeaseCycles + (maps == nullptr ? LeaseCyclesPerNode * context.nodes : 0) +
                     cycles_of(m_options.mbp.request) + cycles_of(m_options.mbp.home) +
                     cycles_of(m_options.mbp.reply) + m_options.mbp.memory_cycles +
                     m_options.memory_cycles + m_options.home_cycles) {}

void Home::receive(const Message& m) {
    const bool is_answer = m.kind == Kind::Ack || m.kind == Kind::NotOwner;
    const HandlerCycles& mbp = m_options.mbp.home;
    const uint64_t software = is_answer || m.node == m_node ? 0 : mbp.software;
    const uint64_t cycles = m_options.home_cycles + mbp.hardware + software;
    if (cycles == 0) return handle(m);
    m_context.fabric.home_handles_after(m_mbp.delay(m_context.fabric.now(), cycles), m_node, m);
}

void Home::handle(const Message& m) {
    MemoryLine& line = m_lines[m.line];
    if (line.is_lost) return;
    if (m.kind == Kind::WriteBack || m.kind == Kind::NotOwner) return returned(m, line);
    if (m.kind == Kind::Ack) return sharer_answers(m, line);
    Client& client = client_of(m);
    const uint32_t ahead = (m.number + MaxNumber - client.number) % MaxNumber;
    if (client.is_known && ahead == 0) return repeat(m, client, line);
    if (client.is_known && ahead >= MaxNumber / 2) return;  // late: the node has abandoned it
    client = {0, 0, m.number, true, false, Kind::Data};
    if (m.kind != Kind::ReadForLease) return enqueue(m, line);
    ++m_active;
    m_leases.wait(m);
    next_lease(m.line, line);
}

// A request that came before. If it has been answered the answer may have been lost.
void Home::repeat(const Message& m, const Client& client, MemoryLine& line) {
    if (!client.is_answered) {
        // Its node reports an error after a few more repetitions.
        if (m.kind != Kind::ReadForLease || !m_leases.repeated(m, m_options.attempts / 2)) return;
        --m_active;
        return enqueue_read(m, line);
    }
    Message reply;
    reply.kind = client.reply;
    reply.node = m_node;
    reply.line = m.line;
    reply.number = m.number;
    reply.version = client.version;
    reply.value = client.value;
    if (client.reply == Kind::Data) return enqueue_read(m, line);
    if (client.reply == Kind::Own) {
        // A node that is not the owner any more has had the grant.
        if (line.owner != m.node + 1 || line.owner_number != m.number) return;
        reply.bytes = line.bytes;
    }
    m_context.fabric.to_cache(m.node, reply);
}

void Home::enqueue_read(Message m, MemoryLine& line) {
    m.kind = Kind::Read;
    enqueue(m, line);
}

void Home::enqueue(const Message& m, MemoryLine& line) {
    uint32_t at = uint32_t(m_transactions.size());
    if (m_free.empty()) {
        m_transactions.emplace_back();
    } else {
        at = m_free.back();
        m_free.pop_back();
    }
    Transaction& t = m_transactions[at];
    t.request = m;
    t.next = 0;
    t.attempts = 0;
    t.repeats = 0;
    t.is_told = false;
    if (m_options.bug == InjectedBug::NonAtomic) t.snapshot = line.bytes;
    ++m_active;
    if (line.first == 0) {
        line.first = line.last = at + 1;
        begin(m.line, line);
    } else {
        m_transactions[line.last - 1].next = at + 1;
        line.last = at + 1;
    }
}

void Home::begin(uint32_t at, MemoryLine& line) {
    const Message& request = current_of(line).request;
    if (is_refused(at, line)) return finish(line, Kind::Refused);
    if (line.owner != 0) return recall(at, line);
    if (is_read(request.kind)) {
        share(at, line, request.node);
        return finish(line, Kind::Data);
    }
    if (!is_acquire(request.kind)) write(at, line);
    tell_sharers(at, line);
}

bool Home::is_refused(uint32_t at, const MemoryLine& line) {
    const Message& request = current_of(line).request;
    if (request.kind != Kind::AcquireIf && request.kind != Kind::WriteIf) return false;
    if (m_options.bug == InjectedBug::ConditionalAlwaysStores) return false;
    return line.owner != 0 || line.version != request.version ||
           m_leases.refuses(at, client_index(request), line.version);
}

void Home::next_lease(uint32_t at, MemoryLine& line) {
    if (const auto request = m_leases.begin(at)) {
        --m_active;
        enqueue(*request, line);
    }
}

void Home::share(uint32_t at, MemoryLine& line, uint32_t node) {
    Page& page = page_of(at);
    if (!page.is_used) ++m_entries;
    page.is_used = true;
    if (m_maps != nullptr) page.sharers.add(*m_maps, m_node, node, m_options.scheme);
    else exact_of(at)[node / 64] |= uint64_t(1) << node % 64;
    ++line.shares;
    page.shared += line.is_shared ? 0 : 1;
    line.is_shared = true;
}

// No node has a copy of this line any more. The entry still counts for other lines of the page.
void Home::unshare(uint32_t at, MemoryLine& line) {
    Page& page = page_of(at);
    if (line.is_shared && --page.shared == 0) {
        page.sharers.clear();
        if (m_maps == nullptr) std::fill_n(exact_of(at), m_words, 0);
    }
    line.is_shared = false;
}

// The home does the write. The line is not read here until the transaction ends.
void Home::write(uint32_t at, MemoryLine& line) {
    Transaction& t = current_of(line);
    const Message& request = t.request;
    const uint32_t base = request.word * WordBytes;
    t.old_value = 0;
    ++line.version;
    if (m_context.checker != nullptr)
        m_context.checker->orders(m_context.client(request.node, m_context.slot_of(request.number)),
                                  request.number, at, line.version);
    if (request.kind == Kind::Atomic) {
        const uint32_t size = request.mask == 0xFF ? 8 : 4;
        const uint32_t offset = base + (request.mask == 0xF0 ? 4 : 0);
        const bool is_stale = m_options.bug == InjectedBug::NonAtomic;
        t.old_value = load(is_stale ? t.snapshot : line.bytes, offset, size);
        store(line.bytes, offset, (1u << size) - 1,
              combined(request.op, size, t.old_value, request.value));
    } else {
        if (request.mask == 0xFF) set_word(line.bytes, request.word, request.value);
        else store(line.bytes, base, request.mask, request.value);
    }
    t.new_value = word_of(line.bytes, request.word);
}

Message Home::message_of(Kind kind, uint32_t at, const MemoryLine& line) {
    const Transaction& t = current_of(line);
    Message m;
    m.kind = kind;
    m.node = m_node;
    m.line = at;
    m.version = line.version;
    m.op = Op::Store;
    m.word = t.request.word;
    m.mask = t.request.mask;
    m.value = t.new_value;
    return m;
}

void Home::tell_sharers(uint32_t at, MemoryLine& line) {
    if (m_maps != nullptr) tell_by_multicast(at, line);
    else tell_each(at, line);
}

// A writer that has the only copy changes it itself.
void Home::tell_by_multicast(uint32_t at, MemoryLine& line) {
    const Maps maps = page_of(at).sharers.maps();
    if (maps == 0) return grant(at, line);
    Directory alone;
    alone.add(*m_maps, m_node, current_of(line).request.node, m_options.scheme);
    if (maps == alone.maps() && machine::receivers_of(m_geometry, m_options.scheme, maps) == 1)
        return grant(at, line);
    tell_early(line);
    ask_to_multicast(at);
}

void Home::tell_each(uint32_t at, MemoryLine& line) {
    Transaction& t = current_of(line);
    t.awaited.assign(exact_of(at), exact_of(at) + m_words);
    t.awaited[t.request.node / 64] &= ~(uint64_t(1) << t.request.node % 64);
    uint32_t sharers = 0;
    for (const uint64_t word : t.awaited) sharers += uint32_t(__builtin_popcountll(word));
    if (sharers == 0) return grant(at, line);
    t.released.clear();
    t.is_told = sharers > 1 && !is_acquire(t.request.kind);
    if (t.is_told) t.released = t.awaited;
    tell_early(line);
    send_to_awaited(at, line);
}

void Home::send_to_awaited(uint32_t at, MemoryLine& line) {
    Transaction& t = current_of(line);
    if (t.attempts++ == m_options.attempts) return lose(line);
    const Kind kind = is_acquire(t.request.kind) ? Kind::Invalidate
                      : t.released.empty()       ? Kind::UpdateAlone
                                                 : Kind::Update;
    const Message message = message_of(kind, at, line);
    for_each_node(t.awaited.data(), m_words, [&](uint32_t node) {
        ++(t.attempts == 1 ? m_context.statistics.unicasts : m_context.statistics.resends);
        m_context.fabric.to_cache(node, message);
    });
    m_context.fabric.after_resend({Timer::Kind::Sharers, m_node, at, line.version});
}

void Home::sharer_answers(const Message& ack, MemoryLine& line) {
    if (line.first == 0 || line.owner != 0 || line.version != ack.version) return;
    Transaction& t = current_of(line);
    if (is_read(t.request.kind) || t.awaited.empty()) return;
    uint64_t& word = t.awaited[ack.node / 64];
    const uint64_t bit = uint64_t(1) << ack.node % 64;
    if ((word & bit) == 0) return;
    word &= ~bit;
    if (std::all_of(t.awaited.begin(), t.awaited.end(), [](uint64_t w) { return w == 0; }))
        grant(ack.line, line);
}

void Home::tell_early(const MemoryLine& line) {
    if (m_options.bug != InjectedBug::EarlyCompletion) return;
    const Kind kind = current_of(line).request.kind;
    const Message& request = current_of(line).request;
    m_context.fabric.to_cache(request.node, reply_of(is_acquire(kind)       ? Kind::Own
                                                     : kind == Kind::Atomic ? Kind::OldValue
                                                                            : Kind::Done,
                                                     line));
}

// All copies have the update: they may be read.
void Home::release(uint32_t at, MemoryLine& line) {
    const Transaction& t = current_of(line);
    const Message message = message_of(Kind::Release, at, line);
    if (m_maps == nullptr) {
        for_each_node(t.released.data(), uint32_t(t.released.size()), [&](uint32_t node) {
            ++m_context.statistics.releases;
            m_context.fabric.to_cache(node, message);
        });
        return;
    }
    const Maps maps = page_of(at).sharers.maps();
    if (maps == 0 || machine::receivers_of(m_geometry, m_options.scheme, maps) == 1) return;
    ++m_context.statistics.releases;
    m_context.fabric.multicast(m_options.scheme, maps, message, false, pruning_key(at, line));
}

// Nothing stands in the way of the write any more, or it has been done everywhere.
void Home::grant(uint32_t at, MemoryLine& line) {
    Transaction& t = current_of(line);
    t.awaited.clear();
    if (!is_acquire(t.request.kind)) {
        if (t.is_told) release(at, line);
        return finish(line, t.request.kind == Kind::Atomic ? Kind::OldValue : Kind::Done);
    }
    unshare(at, line);
    line.owner = t.request.node + 1;
    line.owner_number = t.request.number;
    finish(line, Kind::Own);
}

Message Home::reply_of(Kind kind, const MemoryLine& line) {
    const Transaction& t = current_of(line);
    Message m;
    m.kind = kind;
    m.node = m_node;
    m.line = t.request.line;
    m.number = t.request.number;
    m.version = line.version;
    m.value = t.old_value;
    if (kind == Kind::Data || kind == Kind::Own) m.bytes = line.bytes;
    return m;
}

void Home::finish(MemoryLine& line, Kind kind) {
    Transaction& t = current_of(line);
    const uint32_t at = t.request.line;
    const Message reply = reply_of(kind, line);
    Client& client = client_of(t.request);
    if (client.number == t.request.number) {
        client.is_answered = true;
        client.reply = kind;
        client.version = reply.version;
        client.value = reply.value;
    }
    const bool reads_memory = kind == Kind::Data || kind == Kind::Own;
    const uint64_t memory = m_options.memory_cycles + m_options.mbp.memory_cycles;
    m_context.fabric.to_cache(t.request.node, reply, reads_memory ? memory : 0);
    const bool has_ended_lease = !m_leases.idle() && ends_lease(at, line, kind);
    m_free.push_back(line.first - 1);
    line.first = t.next;
    --m_active;
    const bool has_more = line.first != 0;
    if (has_ended_lease) next_lease(at, line);
    if (has_more) begin(at, line);
}

// The current transaction has ended. Does the lease end with it?
bool Home::ends_lease(uint32_t at, const MemoryLine& line, Kind kind) {
    const Message& request = current_of(line).request;
    if (!is_read(request.kind))
        return m_leases.ended(at, client_index(request), kind != Kind::Refused);
    if (request.kind == Kind::ReadForLease)
        m_context.fabric.after(m_lease_cycles,
                               {Timer::Kind::Lease, m_node, at,
                                m_leases.answer(at, client_index(request), line.version)});
    return false;
}

// The owner may not have the grant yet when the recall arrives; it then answers once it has.
void Home::recall(uint32_t at, MemoryLine& line) {
    Transaction& t = current_of(line);
    if (t.attempts++ == m_options.attempts) return lose(line);
    ++(t.attempts == 1 ? m_context.statistics.recalls : m_context.statistics.resends);
    Message m;
    m.kind = is_read(t.request.kind) ? Kind::RecallShared : Kind::Recall;
    m.node = m_node;
    m.line = at;
    m.number = line.owner_number;
    m_context.fabric.to_cache(line.owner - 1, m);
    m_context.fabric.after_resend({Timer::Kind::Recall, m_node, at, line.owner_number});
}

void Home::returned(const Message& m, MemoryLine& line) {
    if (line.owner != m.node + 1 || line.owner_number != m.number) return;
    const bool is_current = line.first != 0;
    line.owner = 0;
    if (m.kind == Kind::WriteBack) {
        line.version = m.version;
        line.bytes = m.bytes;
        if (is_current && is_read(current_of(line).request.kind)) share(m.line, line, m.node);
    }
    if (!is_current) return;
    current_of(line).attempts = 0;
    begin(m.line, line);
}

void Home::timer_ends(const Timer& timer) {
    MemoryLine& line = m_lines[timer.at];
    if (timer.kind == Timer::Kind::Multicast) return ask_to_multicast(timer.at);
    if (timer.kind == Timer::Kind::Lease) {
        if (m_leases.expired(timer.at, timer.number)) next_lease(timer.at, line);
        return;
    }
    if (line.first == 0) return;
    if (timer.kind == Timer::Kind::Recall && line.owner != 0 && line.owner_number == timer.number)
        recall(timer.at, line);
    if (timer.kind == Timer::Kind::Sharers && line.owner == 0 && line.version == timer.number &&
        !current_of(line).awaited.empty())
        send_to_awaited(timer.at, line);
}

void Home::ask_to_multicast(uint32_t at) {
    m_to_multicast.push_back(at);
    multicast();
}

void Home::multicast() {
    while (m_multicasting < m_options.multicasts && !m_to_multicast.empty()) {
        const uint32_t at = m_to_multicast.front();
        m_to_multicast.pop_front();
        MemoryLine& line = m_lines[at];
        const Maps maps = page_of(at).sharers.maps();
        if (maps == 0) {  // the one line of its page that others had has been taken since
            grant(at, line);
            continue;
        }
        Transaction& t = current_of(line);
        const bool is_alone = machine::receivers_of(m_geometry, m_options.scheme, maps) == 1;
        t.is_told = !is_alone;
        ++m_multicasting;
        ++m_context.statistics.multicasts;
        const Kind kind = is_acquire(t.request.kind) ? Kind::Invalidate
                          : is_alone                 ? Kind::UpdateAlone
                                                     : Kind::Update;
        t.holders.clear();
        m_context.fabric.multicast(m_options.scheme, maps, message_of(kind, at, line), true,
                                   pruning_key(at, line));
    }
}

// An entry counts as long as no node is given a copy of the line.
uint64_t Home::pruning_key(uint32_t at, const MemoryLine& line) const {
    if (m_pruning == nullptr) return 0;
    const uint64_t shares = m_options.bug == InjectedBug::StalePruning ? 0 : line.shares;
    return shares << 32 | at | uint64_t(1) << 31;
}

void Home::is_held_by(uint32_t at, uint32_t node) {
    const MemoryLine& line = m_lines[at];
    if (m_pruning != nullptr && line.first != 0) current_of(line).holders.push_back(node);
}

// The answers have shown the routers of the tree behind which outputs the line is.
void Home::learn_holders(uint32_t at, const MemoryLine& line) {
    std::vector<bool> is_holder(m_context.nodes, false);
    for (const uint32_t node : current_of(line).holders) is_holder[node] = true;
    follow(m_geometry, m_node, {m_options.scheme, 0, page_of(at).sharers.maps()},
           pruning_key(at, line), is_holder, *m_pruning);
}

void Home::answered(uint32_t at, uint32_t status) {
    --m_multicasting;
    MemoryLine& line = m_lines[at];
    const bool is_fault = (status & Faults) != 0;
    const bool is_retry = (status >> AckRetry & 1) != 0;
    if (is_retry) ++m_context.statistics.retries;
    if ((status >> AckTimeout & 1) != 0) ++m_context.statistics.timeouts;
    if ((status >> AckError & 1) != 0) ++m_context.statistics.damaged;
    Transaction& t = current_of(line);
    if (is_fault && ++t.attempts == MaxFailures) {
        lose(line);
    } else if (is_fault || is_retry) {
        const uint32_t range = std::min(FirstBackOff << std::min(t.repeats++, 16u), MaxBackOff);
        m_context.fabric.after(1 + m_random.below(range),
                               {Timer::Kind::Multicast, m_node, at, line.version});
    } else {
        if (m_pruning != nullptr && !is_acquire(t.request.kind)) learn_holders(at, line);
        grant(at, line);
    }
    multicast();
}

// Requests for the line get no answer; their nodes report an error.
void Home::lose(MemoryLine& line) {
    ++m_context.statistics.lost_lines;
    line.is_lost = true;
    m_active -= m_leases.clear(current_of(line).request.line);
    for (uint32_t at = line.first; at != 0; at = m_transactions[at - 1].next) {
        m_free.push_back(at - 1);
        --m_active;
    }
    line.first = 0;
}

}  // namespace rdt::dsm
