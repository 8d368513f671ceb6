// SPDX-License-Identifier: MIT
#include <rdt/dsm/checker.h>

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace rdt::dsm {

namespace {

std::string text_of(const Bytes& bytes) {
    std::string text;
    for (uint32_t i = 0; i < LineBytes; i += WordBytes)
        text += fmt::format("{}{:x}", i == 0 ? "" : " ", load(bytes, i, WordBytes));
    return text;
}

const Bytes Zeros{};

}  // namespace

Checker::Checker(uint32_t clients, uint32_t lines)
    : m_lines(lines), m_clients(clients), m_older(1) {}

void Checker::violated(std::string what) {
    if (m_violations++ == 0) m_first = std::move(what);
}

const Bytes* Checker::bytes_of(const Line& line, uint64_t version) const {
    if (version > line.newest) return nullptr;
    if (version == line.newest) return &line.bytes;
    uint32_t at = line.older;
    for (uint64_t v = line.newest - 1; v != version && at != 0; --v) at = m_older[at].older;
    if (at != 0) return &m_older[at].bytes;
    return version == 0 ? &Zeros : nullptr;
}

void Checker::compare(uint32_t at, uint32_t client, uint64_t version, const Bytes& bytes) {
    const Bytes* known = bytes_of(m_lines[at], version);
    if (known != nullptr && is_equal(*known, bytes)) return;
    violated(fmt::format("line {}: processor {} reads version {} as {}, which {}", at, client,
                         version, text_of(bytes),
                         known == nullptr ? "no write created" : "is " + text_of(*known)));
}

void Checker::reads_other(uint32_t client, uint32_t at, uint64_t version, const Bytes& bytes) {
    Line& line = m_lines[at];
    if (version < line.seen)
        violated(fmt::format("line {}: processor {} reads version {}; version {} was seen before",
                             at, client, version, line.seen));
    compare(at, client, version, bytes);
    line.seen = std::max(line.seen, version);
}

void Checker::reserves(uint32_t client, uint32_t line, uint64_t version, const Bytes& bytes) {
    reads(client, line, version, bytes);
    m_clients[client].reserved_line = line;
    m_clients[client].reserved = version;
}

void Checker::writes_beside(uint32_t client, const Access& access, uint64_t version) {
    const uint32_t number = m_clients[client].number + 1;
    begins(client, number, access);
    orders(client, number, access.line(), version);
    write_ends(client, version, 0);
}

void Checker::begins(uint32_t client, uint32_t number, const Access& access) {
    Client& c = m_clients[client];
    c.access = access;
    c.number = number;
    c.is_open = true;
    c.ordered = 0;
    Line& line = m_lines[access.line()];
    c.floor = line.seen;
    ++line.open;
}

void Checker::orders(uint32_t client, uint32_t number, uint32_t at, uint64_t version) {
    Client& c = m_clients[client];
    Line& line = m_lines[at];
    Access access = c.access;
    if (!c.is_open || c.number != number || c.access.line() != at) {
        const auto late = std::find_if(m_failed.begin(), m_failed.end(), [&](const Failed& f) {
            return f.client == client && f.number == number && f.access.line() == at;
        });
        if (late == m_failed.end())
            return violated(fmt::format("line {}: version {} is by no operation of processor {}",
                                        at, version, client));
        access = late->access;
        if (access.bytes != nullptr) access.bytes = late->bytes.data();
    } else {
        if (c.ordered != 0)
            violated(
                fmt::format("line {}: a write of processor {} is done twice, as versions {} "
                            "and {}",
                            at, client, c.ordered, version));
        if (access.op == Op::StoreConditional &&
            (c.reserved_line != at || version != c.reserved + 1))
            violated(
                fmt::format("line {}: processor {} conditionally stores version {} after it "
                            "reserved version {}",
                            at, client, version, c.reserved));
        c.ordered = version;
    }
    if (version != line.newest + 1)
        violated(fmt::format("line {}: version {} follows version {}", at, version, line.newest));
    uint32_t item = uint32_t(m_older.size());
    if (m_free.empty()) {
        m_older.emplace_back();
    } else {
        item = m_free.back();
        m_free.pop_back();
    }
    m_older[item] = {line.bytes, line.older};
    line.older = item;
    c.old_value = access.apply(line.bytes);
    line.newest = version;
}

// Versions that no operation can return any more: without operations in flight, those before the
// newest that was seen.
void Checker::prune(Line& line) {
    if (line.open != 0 || line.older == 0) return;
    uint32_t* kept = &line.older;
    for (uint64_t v = line.newest; v > line.seen && *kept != 0; --v) kept = &m_older[*kept].older;
    for (uint32_t at = std::exchange(*kept, 0); at != 0; at = m_older[at].older)
        m_free.push_back(at);
}

void Checker::close(Client& c, uint64_t version) {
    Line& line = m_lines[c.access.line()];
    line.seen = std::max(line.seen, version);
    --line.open;
    c.is_open = false;
    prune(line);
}

void Checker::read_ends(uint32_t client, uint64_t version, const Bytes& bytes) {
    Client& c = m_clients[client];
    const uint32_t at = c.access.line();
    if (version < c.floor)
        violated(fmt::format("line {}: processor {} reads version {}; version {} was seen before",
                             at, client, version, c.floor));
    compare(at, client, version, bytes);
    if (c.access.op == Op::LoadReserved) {
        c.reserved_line = at;
        c.reserved = version;
    }
    close(c, version);
}

void Checker::write_ends(uint32_t client, uint64_t version, uint64_t old_value) {
    Client& c = m_clients[client];
    const uint32_t at = c.access.line();
    if (c.ordered != version)
        violated(fmt::format("line {}: processor {} writes version {}, and was given {}", at,
                             client, version, c.ordered));
    if (version <= c.floor)
        violated(fmt::format("line {}: processor {} writes version {}; version {} was seen before",
                             at, client, version, c.floor));
    if (is_atomic(c.access.op) && truncated(c.old_value, c.access.size) != old_value)
        violated(
            fmt::format("line {}: an atomic operation of processor {} returns {:x}; the value "
                        "before it is {:x}",
                        at, client, old_value, c.old_value));
    close(c, version);
}

void Checker::refused(uint32_t client) {
    Client& c = m_clients[client];
    if (c.ordered != 0)
        violated(
            fmt::format("line {}: a conditional store of processor {} fails and is done as "
                        "version {}",
                        c.access.line(), client, c.ordered));
    c.reserved_line = ~0u;
    close(c, 0);
}

void Checker::fails(uint32_t client) {
    Client& c = m_clients[client];
    if (!is_load(c.access.op) && c.ordered == 0) {
        Failed failed{client, c.number, c.access, {}};
        if (c.access.bytes != nullptr)
            std::copy_n(c.access.bytes, c.access.size, failed.bytes.begin());
        m_failed.push_back(failed);
    }
    close(c, 0);
}

void Checker::owner_comes(uint32_t node, uint32_t at) {
    Line& line = m_lines[at];
    if (line.owner != 0 && line.owner != node + 1)
        violated(fmt::format("line {}: nodes {} and {} own it", at, line.owner - 1, node));
    if (line.holders > 1)
        violated(fmt::format("line {}: node {} owns it while {} other nodes have copies", at, node,
                             line.holders - 1));
    line.owner = node + 1;
}

void Checker::presets(uint32_t at, const Bytes& bytes) { m_lines[at].bytes = bytes; }

void Checker::memory_is(uint32_t at, uint64_t version, const Bytes& bytes) {
    Line& line = m_lines[at];
    if (version != line.newest)
        violated(fmt::format("line {}: version {} at the end; version {} was written", at, version,
                             line.newest));
    const Bytes* known = bytes_of(line, version);
    if (known == nullptr || *known != bytes)
        violated(fmt::format("line {}: version {} is {} at the end, not {}", at, version,
                             text_of(bytes), known == nullptr ? "known" : text_of(*known)));
}

void Checker::copy_is(uint32_t node, uint32_t at, uint64_t version, const Bytes& bytes) {
    const Line& line = m_lines[at];
    const Bytes* known = bytes_of(line, version);
    if (version != line.newest || known == nullptr || *known != bytes)
        violated(
            fmt::format("line {}: node {} has version {} as {} at the end, the memory has "
                        "version {}",
                        at, node, version, text_of(bytes), line.newest));
}

}  // namespace rdt::dsm
