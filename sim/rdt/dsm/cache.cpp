// SPDX-License-Identifier: MIT
#include <rdt/dsm/cache.h>

#include <algorithm>

namespace rdt::dsm {

Cache::Cache(uint32_t node, const Context& context, Client& client)
    : m_node(node),
      m_context(context),
      m_options(context.options),
      m_client(client),
      m_random(context.options.seed * 40503 + node),
      m_slots(context.slots),
      m_copies(context.options.lines),
      m_written_back(context.options.lines) {
    if (m_options.cache_lines != 0) {
        m_sets = m_options.cache_lines / m_options.cache_ways;
        m_ways.resize(m_options.cache_lines);
    }
}

bool Cache::begin(uint32_t slot, const Access& access, Result& result) {
    Slot& s = m_slots[slot];
    Statistics& statistics = m_context.statistics;
    s.access = access;
    s.begun = m_context.fabric.now();
    s.has_snapshot = false;
    if (is_load(access.op)) {
        ++statistics.reads;
    } else {
        ++statistics.writes;
        if (is_atomic(access.op)) ++statistics.atomics;
        if (access.op == Op::StoreConditional) ++statistics.conditionals;
    }
    if (m_slots.size() > 1 && is_busy(access.line(), slot)) {
        s.state = State::WaitsForLine;
        ++m_waiting;
        return false;
    }
    return attempt(slot, result);
}

bool Cache::is_busy(uint32_t line, uint32_t slot) const {
    for (uint32_t other = 0; other < m_slots.size(); ++other)
        if (other != slot && m_slots[other].state >= State::WaitsForRelease &&
            m_slots[other].access.line() == line)
            return true;
    return false;
}

bool Cache::attempt(uint32_t slot, Result& result) {
    return is_load(m_slots[slot].access.op) ? attempt_load(slot, result)
                                            : attempt_write(slot, result);
}

void Cache::begin_check(uint32_t slot) {
    next_number(slot);
    if (m_context.checker != nullptr)
        m_context.checker->begins(m_context.client(m_node, slot), m_slots[slot].request.number,
                                  m_slots[slot].access);
}

void Cache::next_number(uint32_t slot) {
    Slot& s = m_slots[slot];
    s.request.number = uint32_t((++s.sequence * m_slots.size() + slot) %
                                (MaxNumber / m_slots.size() * m_slots.size()));
    s.attempts = 0;
    s.least = 0;
    s.is_recalled = false;
}

bool Cache::attempt_load(uint32_t slot, Result& result) {
    Slot& s = m_slots[slot];
    const uint32_t line = s.access.line();
    Copy* copy = m_copies.find(line);
    const bool reserves = s.access.op == Op::LoadReserved;
    const bool takes_lease =
        reserves && s.refused_line == line && (copy == nullptr || !copy->is_owned);
    const bool is_readable =
        copy != nullptr && (!copy->is_locked || m_options.bug == InjectedBug::ReadBeforeRelease);
    if (is_readable && !takes_lease) {
        copy->used = ++m_uses;
        if (reserves) {
            s.reserved_line = line;
            s.reserved = copy->version;
        }
        if (m_context.checker != nullptr)
            (m_context.checker->*(reserves ? &Checker::reserves : &Checker::reads))(
                m_context.client(m_node, slot), line, copy->version, copy->bytes);
        result = {};
        result.value = load(copy->bytes, s.access.offset(), std::min(s.access.size, WordBytes));
        result.version = copy->version;
        result.line = copy->bytes;
        return true;
    }
    begin_check(slot);
    if (copy == nullptr || takes_lease) {
        ++m_context.statistics.read_misses;
        ask(slot, takes_lease ? Kind::ReadForLease : Kind::Read);
        return false;
    }
    // If the release was lost, the request that is sent after a while brings the line.
    ++m_context.statistics.release_waits;
    s.state = State::WaitsForRelease;
    s.request.kind = Kind::Read;
    s.request.node = m_node;
    s.request.line = line;
    m_context.fabric.after_resend({Timer::Kind::Request, m_node, slot, s.request.number});
    return false;
}

bool Cache::attempt_write(uint32_t slot, Result& result) {
    Slot& s = m_slots[slot];
    const uint32_t line = s.access.line();
    const bool is_conditional = s.access.op == Op::StoreConditional;
    const bool is_update = m_context.is_update(line);
    Copy* copy = m_copies.find(line);
    begin_check(slot);
    if (is_conditional && m_options.bug != InjectedBug::ConditionalAlwaysStores) {
        const bool is_lost =
            s.reserved_line != line || (copy != nullptr && copy->version != s.reserved);
        if (is_lost) {
            ++m_context.statistics.refused;
            if (s.reserved_line == line) s.refused_line = line;
            s.reserved_line = ~0u;
            if (m_context.checker != nullptr)
                m_context.checker->refused(m_context.client(m_node, slot));
            result = {};
            result.is_success = false;
            return true;
        }
    }
    if (copy != nullptr && copy->is_owned) {
        write_copy(slot, line, *copy, result);
        return true;
    }
    if (m_options.bug == InjectedBug::NonAtomic && copy != nullptr) {
        s.has_snapshot = true;
        s.snapshot = load(copy->bytes, s.access.offset(), std::min(s.access.size, WordBytes));
    }
    ++m_context.statistics.write_misses;
    s.request.version = s.reserved;
    if (is_update) {
        const uint32_t shift = s.access.offset() % WordBytes;
        s.request.op = s.access.op;
        s.request.word = uint8_t(s.access.offset() / WordBytes);
        s.request.mask = uint8_t(s.access.mask() << shift);
        s.request.value = is_atomic(s.access.op) ? s.access.value : s.access.value << 8 * shift;
        ask(slot, is_conditional           ? Kind::WriteIf
                  : is_atomic(s.access.op) ? Kind::Atomic
                                           : Kind::Write);
    } else {
        ask(slot, is_conditional ? Kind::AcquireIf : Kind::Acquire);
    }
    return false;
}

// The node owns the line. Returns the new version.
uint64_t Cache::write_copy(uint32_t slot, uint32_t line, Copy& copy, Result& result) {
    Slot& s = m_slots[slot];
    const uint32_t client = m_context.client(m_node, slot);
    copy.used = ++m_uses;
    ++copy.version;
    if (m_context.checker != nullptr)
        m_context.checker->orders(client, s.request.number, line, copy.version);
    result = {};
    result.version = copy.version;
    result.value = s.access.apply(copy.bytes);
    if (s.has_snapshot && is_atomic(s.access.op)) {
        result.value = s.snapshot;
        store(copy.bytes, s.access.offset(), s.access.mask(),
              combined(s.access.op, s.access.size, s.snapshot, s.access.value));
    }
    if (s.access.op == Op::StoreConditional) s.reserved_line = ~0u;
    if (m_context.checker != nullptr)
        m_context.checker->write_ends(client, copy.version, result.value);
    return copy.version;
}

void Cache::ask(uint32_t slot, Kind kind) {
    Slot& s = m_slots[slot];
    s.state = State::Asked;
    s.attempts = 1;
    s.request.kind = kind;
    s.request.node = m_node;
    s.request.line = s.access.line();
    send_request(slot);
}

void Cache::send_request(uint32_t slot) {
    const Message& request = m_slots[slot].request;
    const uint32_t home = m_context.home_of(request.line);
    m_context.fabric.to_home(home, request, mbp_delay(m_options.mbp.request, home));
    m_context.fabric.after_resend({Timer::Kind::Request, m_node, slot, request.number});
}

void Cache::timer_ends(const Timer& timer) {
    Slot& s = m_slots[timer.at];
    if (s.state < State::WaitsForRelease || s.request.number != timer.number) return;
    if (s.attempts++ < m_options.attempts) {
        ++m_context.statistics.resends;
        s.state = State::Asked;
        return send_request(timer.at);
    }
    ++m_context.statistics.failed;
    if (m_context.checker != nullptr) m_context.checker->fails(m_context.client(m_node, timer.at));
    Result result;
    result.is_failed = true;
    result.is_success = false;
    end(timer.at, result);
}

// Replies may be overtaken by later messages, here as in the network.
void Cache::receive(const Message& m) {
    const bool is_reply = m.kind == Kind::Data || m.kind == Kind::Own || m.kind == Kind::Done ||
                          m.kind == Kind::OldValue || m.kind == Kind::Refused;
    if (!is_reply) return handle(m);
    const bool has_line = m.kind == Kind::Data || m.kind == Kind::Own;
    const uint64_t replacement = has_line && must_replace(m.line) ? m_options.mbp.replacement : 0;
    const uint64_t cycles = mbp_delay(m_options.mbp.reply, m.node, replacement);
    if (cycles == 0) return handle(m);
    m_context.fabric.cache_handles_after(cycles, m_node, m);
}

void Cache::handle(const Message& m) {
    switch (m.kind) {
    case Kind::Recall:
    case Kind::RecallShared: return recalled(m);
    case Kind::Update:
    case Kind::UpdateAlone:
    case Kind::Invalidate: {
        sharer_receives(m);
        Message ack = m;
        ack.kind = Kind::Ack;
        ack.node = m_node;
        return m_context.fabric.to_home(m.node, ack, mbp_delay(m_options.mbp.answer, m.node));
    }
    case Kind::Release: sharer_receives(m); return;
    default: break;
    }
    const uint32_t slot = m_context.slot_of(m.number);
    const Slot& s = m_slots[slot];
    // A duplicate, or the answer to an operation that has ended with an error.
    if (s.state < State::WaitsForRelease || s.request.number != m.number) return;
    switch (m.kind) {
    case Kind::Data: return data_comes(slot, m);
    case Kind::Own: return ownership_comes(slot, m);
    case Kind::Done:
    case Kind::OldValue: return write_is_done(slot, m);
    case Kind::Refused: {
        ++m_context.statistics.refused;
        m_slots[slot].refused_line = m.line;
        m_slots[slot].reserved_line = ~0u;
        if (m_context.checker != nullptr)
            m_context.checker->refused(m_context.client(m_node, slot));
        Result result;
        result.is_success = false;
        return end(slot, result);
    }
    default: return;
    }
}

bool Cache::receive_multicast(const Message& m) { return sharer_receives(m); }

// The copy is not kept if a multicast about a newer version overtook it. The read may return it
// all the same: the newer write is not older than the read.
void Cache::data_comes(uint32_t slot, const Message& data) {
    Copy* copy = m_copies.find(data.line);
    const bool has_newer = copy != nullptr && copy->version > data.version;
    if (data.version >= m_slots[slot].least && !has_newer) {
        Copy& kept = keep(data.line);
        kept.version = data.version;
        kept.bytes = data.bytes;
        kept.is_owned = false;
        kept.is_locked = false;
    }
    load_ends(slot, data.version, data.bytes);
}

void Cache::load_ends(uint32_t slot, uint64_t version, const Bytes& bytes) {
    Slot& s = m_slots[slot];
    Result result;
    result.version = version;
    result.line = bytes;
    result.value = load(bytes, s.access.offset(), std::min(s.access.size, WordBytes));
    if (s.access.op == Op::LoadReserved) {
        s.reserved_line = s.access.line();
        s.reserved = version;
        s.refused_line = ~0u;
    }
    if (m_context.checker != nullptr)
        m_context.checker->read_ends(m_context.client(m_node, slot), version, bytes);
    m_context.statistics.read_miss.add(m_context.fabric.now() - s.begun);
    end(slot, result);
}

void Cache::ownership_comes(uint32_t slot, const Message& own) {
    Slot& s = m_slots[slot];
    Copy& copy = keep(own.line);
    copy.version = own.version;
    copy.bytes = own.bytes;
    copy.is_owned = true;
    copy.is_locked = false;
    copy.number = own.number;
    if (m_context.checker != nullptr) m_context.checker->owner_comes(m_node, own.line);
    m_context.statistics.write_miss.add(m_context.fabric.now() - s.begun);
    Result result;
    write_copy(slot, own.line, copy, result);
    if (s.is_recalled) give_up_line(own.line, s.recall);
    end(slot, result);
}

void Cache::write_is_done(uint32_t slot, const Message& done) {
    Slot& s = m_slots[slot];
    Result result;
    result.version = done.version;
    result.value = done.value;
    // The home sends no update to a writer that holds the only copy or is known by name.
    if (Copy* copy = m_copies.find(done.line)) {
        if (copy->version + 1 == done.version) {
            s.access.apply(copy->bytes);
            copy->version = done.version;
        }
        if (copy->version < done.version) {
            drop(done.line);
        } else if (copy->version == done.version) {
            copy->is_locked = false;
            unlocked(done.line, *copy);
        }
    }
    if (s.access.op == Op::StoreConditional) s.reserved_line = ~0u;
    if (m_context.checker != nullptr)
        m_context.checker->write_ends(m_context.client(m_node, slot), done.version, done.value);
    m_context.statistics.write_miss.add(m_context.fabric.now() - s.begun);
    end(slot, result);
}

// The client may begin the next operation from within.
void Cache::end(uint32_t slot, const Result& result) {
    m_slots[slot].state = State::Free;
    m_client.ended(m_node, slot, result);
    if (m_waiting != 0) wake();
}

// Slots whose line was busy.
void Cache::wake() {
    for (uint32_t slot = 0; slot < m_slots.size(); ++slot) {
        Slot& s = m_slots[slot];
        if (s.state != State::WaitsForLine || is_busy(s.access.line(), slot)) continue;
        --m_waiting;
        s.state = State::Free;
        Result result;
        if (attempt(slot, result)) m_client.ended(m_node, slot, result);
    }
}

void Cache::recalled(const Message& m) {
    const Copy* copy = m_copies.find(m.line);
    if (copy != nullptr && copy->is_owned && copy->number == m.number)
        return give_up_line(m.line, m.kind);
    Slot& s = m_slots[m_context.slot_of(m.number)];
    if (s.state == State::Asked && s.request.number == m.number && s.request.line == m.line) {
        s.is_recalled = true;
        s.recall = m.kind;
        return;
    }
    // It went back already, or the grant came when the operation had ended with an error.
    const WrittenBack* back = m_written_back.find(m.line);
    Message answer;
    answer.kind = Kind::NotOwner;
    answer.node = m_node;
    answer.line = m.line;
    answer.number = m.number;
    if (back != nullptr && back->number == m.number) {
        answer.kind = Kind::WriteBack;
        answer.version = back->version;
        answer.bytes = back->bytes;
    }
    m_context.fabric.to_home(m.node, answer, mbp_delay(m_options.mbp.recall, m.node));
}

void Cache::give_up_line(uint32_t line, Kind recall) {
    Copy& copy = *m_copies.find(line);
    WrittenBack& back = m_written_back[line];
    back = {copy.number, copy.version, copy.bytes};
    copy.is_owned = false;
    if (m_context.checker != nullptr) m_context.checker->owner_goes(line);
    if (recall == Kind::Recall) drop(line);
    Message answer;
    answer.kind = Kind::WriteBack;
    answer.node = m_node;
    answer.line = line;
    answer.number = back.number;
    answer.version = back.version;
    answer.bytes = back.bytes;
    const uint32_t home = m_context.home_of(line);
    m_context.fabric.to_home(home, answer, mbp_delay(m_options.mbp.recall, home));
}

bool Cache::sharer_receives(const Message& m) {
    Copy* copy = m_copies.find(m.line);
    if (m.kind == Kind::Release) {
        if (copy == nullptr || copy->version > m.version || !copy->is_locked)
            return copy != nullptr;
        copy->is_locked = false;
        unlocked(m.line, *copy);
        return true;
    }
    bool is_awaited = false;
    const uint64_t least = m.version + (m.kind == Kind::Invalidate ? 1 : 0);
    for (Slot& s : m_slots)
        if (s.state >= State::WaitsForRelease && s.request.line == m.line && is_load(s.access.op)) {
            is_awaited = true;
            s.least = std::max(s.least, least);
        }
    ++m_context.statistics.receivers;
    const bool is_needed = copy != nullptr || is_awaited;
    if (is_needed) ++m_context.statistics.needed;
    if (m_options.bug == InjectedBug::LostInvalidate || m_options.bug == InjectedBug::StaleUpdate)
        if (m_random.below(100) == 0) return is_needed;
    if (copy == nullptr) return is_needed;
    if (m.kind == Kind::Invalidate) {
        if (copy->version <= m.version) drop(m.line);
    } else if (copy->version < m.version) {
        update_comes(m, copy);
    }
    return is_needed;
}

void Cache::update_comes(const Message& m, Copy* copy) {
    if (copy->version + 1 != m.version) return drop(m.line);
    store(copy->bytes, m.word * WordBytes, m.mask, m.value);
    copy->version = m.version;
    copy->is_locked = m.kind == Kind::Update;
    if (!copy->is_locked) unlocked(m.line, *copy);
}

// Reads that wait for the release end, also if they have sent a request to the home since.
void Cache::unlocked(uint32_t line, const Copy& copy) {
    for (uint32_t slot = 0; slot < m_slots.size(); ++slot) {
        const Slot& s = m_slots[slot];
        if (s.state < State::WaitsForRelease || !is_load(s.access.op) || s.access.line() != line ||
            s.request.kind == Kind::ReadForLease)
            continue;
        load_ends(slot, copy.version, copy.bytes);
        return;  // one slot at most has a transaction about a line
    }
}

Cache::Copy& Cache::keep(uint32_t line) {
    if (Copy* copy = m_copies.find(line)) {
        copy->used = ++m_uses;
        return *copy;
    }
    if (m_sets != 0) make_room(line);
    if (m_context.checker != nullptr) m_context.checker->copy_comes(line);
    Copy& copy = m_copies[line];
    copy.used = ++m_uses;
    return copy;
}

void Cache::drop(uint32_t line) {
    if (m_sets != 0) {
        uint32_t* const set = &m_ways[line % m_sets * m_options.cache_ways];
        *std::find(set, set + m_options.cache_ways, line + 1) = 0;
    }
    m_copies.erase(line);
    if (m_context.checker != nullptr) m_context.checker->copy_goes(line);
}

void Cache::preset(uint32_t line, const Bytes& bytes) {
    if (Copy* copy = m_copies.find(line)) copy->bytes = bytes;
}

}  // namespace rdt::dsm
