// SPDX-License-Identifier: MIT
#include <rdt/dsm/cache.h>

#include <algorithm>
#include <utility>

namespace rdt::dsm {

Cache::Cache(uint32_t node, uint32_t nodes, const Options& options, uint64_t operations,
             Fabric& fabric, Checker& checker, Statistics& statistics)
    : m_node(node),
      m_nodes(nodes),
      m_options(options),
      m_fabric(fabric),
      m_checker(checker),
      m_statistics(statistics),
      m_pattern(options, node, nodes),
      m_random(options.seed * 40503 + node),
      m_left(operations) {}

void Cache::issue() {
    m_waiting.push_back(m_fabric.now());
    if (m_statistics.is_measured) ++m_statistics.issued;
}

void Cache::request(Request request) {
    m_requests.push_back(std::move(request));
    issue();
}

void Cache::clock() {
    if (m_pending) return;
    if (m_left > 0) {
        --m_left;
        issue();
    }
    if (m_waiting.empty()) return;
    m_issued = m_waiting.front();
    m_waiting.pop_front();
    m_begun = m_fabric.now();
    ++m_number;
    Operation next;
    if (m_requests.empty()) {
        next = m_pattern.next();
    } else {
        next = m_requests.front().operation;
        m_ended = std::move(m_requests.front().ended);
        m_requests.pop_front();
    }
    next.is_write ? write(next.line) : read(next.line);
}

void Cache::read(uint32_t line) {
    ++m_statistics.reads;
    m_checker.read_begins(m_node, line);
    const auto copy = m_copies.find(line);
    if (copy == m_copies.end()) {
        ++m_statistics.read_misses;
        return ask(Kind::Read, line, 0);
    }
    m_checker.read_ends(m_node, line, copy->second.version, copy->second.value);
    operation_ends(copy->second.version);
}

void Cache::write(uint32_t line) {
    ++m_statistics.writes;
    const uint64_t value = m_number * MaxNodes + m_node;  // of its own, and never 0
    m_checker.write_begins(m_node, line, value);
    const auto copy = m_copies.find(line);
    if (copy == m_copies.end() || !copy->second.is_owned) {
        ++m_statistics.write_misses;
        return ask(Kind::Write, line, value);
    }
    copy->second.value = value;
    write_ends(line, ++copy->second.version, value);
}

void Cache::ask(Kind kind, uint32_t line, uint64_t value) {
    m_pending = Pending{{kind, m_node, line, m_number, 0, value}, 1, {}, {}, {}};
    resend(m_number);
}

void Cache::resend(uint64_t number) {
    m_fabric.to_home(m_options.home_of(m_pending->request.line, m_nodes), m_pending->request);
    m_fabric.after(m_options.resend, [this, number] {
        if (!m_pending || m_pending->request.number != number) return;
        if (m_pending->attempts++ < m_options.attempts) {
            ++m_statistics.resends;
            return resend(number);
        }
        ++m_statistics.failed;
        m_checker.fails();
        m_pending.reset();
        operation_ends(Failed);
    });
}

void Cache::receive(const Message& m) {
    if (m.kind == Kind::Recall || m.kind == Kind::RecallShared) return recalled(m);
    if (!m_pending || m_pending->request.number != m.number) return;  // came twice, or too late
    if (m.kind == Kind::Data) return read_ends(m);
    const Pending p = *m_pending;
    m_statistics.write_miss.add(m_fabric.now() - m_begun);
    m_pending.reset();
    if (m.kind == Kind::Own) {
        keep(m.line, {m.version + 1, p.request.value, true, m.number});
        m_checker.owner_comes(m_node, m.line);
        write_ends(m.line, m.version + 1, p.request.value);
        if (p.recalled) give_up_line(m.line, *p.recalled);
    } else {
        write_ends(m.line, m.version, p.request.value);
    }
}

// The copy is kept unless it was taken away while it was on its way; the read may return it all
// the same, since the write that took it away is not older than the read.
void Cache::read_ends(const Message& data) {
    const Pending p = *m_pending;
    m_statistics.read_miss.add(m_fabric.now() - m_begun);
    m_pending.reset();
    const bool is_old = p.updated && p.updated->version > data.version;
    const Message& newest = is_old ? *p.updated : data;
    if (!p.invalidated || newest.version > *p.invalidated)
        keep(data.line, {newest.version, newest.value, false, 0});
    m_checker.read_ends(m_node, data.line, newest.version, newest.value);
    operation_ends(newest.version);
}

void Cache::write_ends(uint32_t line, uint64_t version, uint64_t value) {
    m_checker.write_ends(m_node, line, version, value);
    operation_ends(version);
}

void Cache::operation_ends(uint64_t version) {
    m_last_end = m_fabric.now();
    if (m_statistics.is_measured) {
        ++m_statistics.ended;
        m_statistics.latency.add(m_last_end - m_issued);
        m_statistics.processing.add(m_last_end - m_begun);
    }
    // Who asked may ask again from within.
    if (const auto ended = std::exchange(m_ended, nullptr)) ended(version);
}

void Cache::recalled(const Message& m) {
    const auto copy = m_copies.find(m.line);
    if (copy != m_copies.end() && copy->second.is_owned && copy->second.number == m.number)
        return give_up_line(m.line, m.kind);
    if (m_pending && m_pending->request.number == m.number) {
        m_pending->recalled = m.kind;
        return;
    }
    // It went back already, or the grant came when the operation had ended with an error.
    const auto back = m_written_back.find(m.line);
    if (back != m_written_back.end() && back->second.number == m.number)
        m_fabric.to_home(m.node, back->second);
    else m_fabric.to_home(m.node, {Kind::Nothing, m_node, m.line, m.number, 0, 0});
}

void Cache::give_up_line(uint32_t line, Kind recall) {
    Copy& copy = m_copies.at(line);
    const Message back{Kind::WriteBack, m_node, line, copy.number, copy.version, copy.value};
    m_written_back[line] = back;
    copy.is_owned = false;
    m_checker.owner_goes(m_node, line);
    if (recall == Kind::Recall) drop(line);
    m_fabric.to_home(m_options.home_of(line, m_nodes), back);
}

void Cache::receive_multicast(const Message& m) {
    const auto copy = m_copies.find(m.line);
    const bool is_awaited =
        m_pending && m_pending->request.line == m.line && m_pending->request.kind == Kind::Read;
    ++m_statistics.receivers;
    if (copy != m_copies.end() || is_awaited) ++m_statistics.needed;
    if (m_options.mistake == Mistake::LostInvalidate || m_options.mistake == Mistake::StaleUpdate)
        if (m_random.below(100) == 0) return;
    if (m.kind == Kind::Invalidate) {
        if (copy != m_copies.end() && copy->second.version <= m.version) drop(m.line);
        if (is_awaited)
            m_pending->invalidated = std::max(m_pending->invalidated.value_or(0), m.version);
        return;
    }
    if (copy != m_copies.end() && copy->second.version < m.version)
        copy->second = {m.version, m.value, false, 0};
    if (is_awaited && (!m_pending->updated || m_pending->updated->version < m.version))
        m_pending->updated = m;
}

void Cache::keep(uint32_t line, const Copy& copy) {
    m_copies[line] = copy;
    m_checker.copy_comes(m_node, line);
}

void Cache::drop(uint32_t line) {
    m_copies.erase(line);
    m_checker.copy_goes(m_node, line);
}

}  // namespace rdt::dsm
