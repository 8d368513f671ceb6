// SPDX-License-Identifier: MIT
#include <rdt/dsm/home.h>

#include <algorithm>

namespace rdt::dsm {

namespace {

// A multicast is repeated after a while drawn from a range that doubles up to this many clocks.
constexpr uint32_t FirstBackOff = 64;
constexpr uint32_t MaxBackOff = 4096;
// Multicasts that fail again and again, for faults and not for want of table entries.
constexpr uint32_t MaxFailures = 100;

constexpr uint32_t Faults = 1u << AckTimeout | 1u << AckError;

}  // namespace

Home::Home(uint32_t node, const Options& options, Fabric& fabric, const Geometry& geometry,
           const MapTable& maps, Statistics& statistics)
    : m_node(node),
      m_options(options),
      m_fabric(fabric),
      m_geometry(geometry),
      m_maps(maps),
      m_statistics(statistics),
      m_random(options.seed * 2654435761 + node) {}

void Home::receive(const Message& m) {
    Line& line = m_lines[m.line];
    if (line.is_lost) return;
    if (m.kind == Kind::WriteBack || m.kind == Kind::Nothing) return returned(m, line);
    Client& client = m_clients[m.node];
    if (m.number < client.number) return;  // came late: the node has given it up
    if (m.number == client.number) {
        if (client.reply) m_fabric.to_cache(m.node, *client.reply);
        return;
    }
    client = {m.number, {}};
    line.waiting.push_back(m);
    ++m_active;
    next(m.line, line);
}

void Home::next(uint32_t at, Line& line) {
    if (line.current || line.waiting.empty()) return;
    line.current = line.waiting.front();
    line.waiting.pop_front();
    line.attempts = 0;
    begin(at, line);
}

void Home::begin(uint32_t at, Line& line) {
    if (line.owner) return recall(at, line);
    if (line.current->kind == Kind::Write) return write(at, line);
    share(at, line, line.current->node);
    finish(line, Kind::Data);
}

void Home::share(uint32_t at, Line& line, uint32_t node) {
    Page& page = page_of(at);
    page.sharers.add(m_maps, m_node, node, m_options.scheme);
    page.shared += line.is_shared ? 0 : 1;
    line.is_shared = true;
}

void Home::write(uint32_t at, Line& line) {
    const bool is_update = m_options.protocol == Protocol::Update;
    if (is_update) {
        ++line.version;
        line.value = line.current->value;
    }
    // Nobody else has a copy if the maps name the writer alone; with updates it needs its own.
    Directory alone;
    if (!is_update) alone.add(m_maps, m_node, line.current->node, m_options.scheme);
    const Maps maps = page_of(at).sharers.maps();
    const bool is_alone =
        maps == alone.maps() && machine::receivers_of(m_geometry, m_options.scheme, maps) == 1;
    if (maps == 0 || is_alone) return grant(line);
    if (m_options.mistake == Mistake::EarlyCompletion)
        m_fabric.to_cache(line.current->node, reply_of(line, is_update ? Kind::Done : Kind::Own));
    ask_to_multicast(at);
}

void Home::grant(Line& line) {
    if (m_options.protocol == Protocol::Update) return finish(line, Kind::Done);
    line.owner = line.current->node;
    line.owner_number = line.current->number;
    // What the entry says of other lines of the page still counts.
    Page& page = page_of(line.current->line);
    if (line.is_shared && --page.shared == 0) page.sharers.clear();
    line.is_shared = false;
    finish(line, Kind::Own);
}

Message Home::reply_of(const Line& line, Kind kind) const {
    return {kind, m_node, line.current->line, line.current->number, line.version, line.value};
}

void Home::finish(Line& line, Kind kind) {
    const Message request = *line.current;
    const Message reply = reply_of(line, kind);
    Client& client = m_clients[request.node];
    if (client.number == request.number) client.reply = reply;
    m_fabric.to_cache(request.node, reply);
    line.current.reset();
    --m_active;
    next(request.line, line);
}

// The owner may not have the grant yet when it is asked; it then answers once it has.
void Home::recall(uint32_t at, Line& line) {
    if (line.attempts++ == m_options.attempts) return lose(line);
    ++(line.attempts == 1 ? m_statistics.recalls : m_statistics.resends);
    const bool keeps = line.current->kind == Kind::Read;
    m_fabric.to_cache(*line.owner, {keeps ? Kind::RecallShared : Kind::Recall, m_node, at,
                                    line.owner_number, 0, 0});
    m_fabric.after(m_options.resend, [this, at, number = line.owner_number] {
        Line& l = m_lines[at];
        if (l.owner && l.owner_number == number && l.current) recall(at, l);
    });
}

void Home::returned(const Message& m, Line& line) {
    if (!line.current || line.owner != m.node || line.owner_number != m.number) return;
    line.owner.reset();
    if (m.kind == Kind::WriteBack) {
        line.version = m.version;
        line.value = m.value;
        if (line.current->kind == Kind::Read) share(m.line, line, m.node);
    }
    line.attempts = 0;
    begin(m.line, line);
}

void Home::ask_to_multicast(uint32_t at) {
    m_to_multicast.push_back(at);
    multicast();
}

void Home::multicast() {
    while (m_multicasting < m_options.multicasts && !m_to_multicast.empty()) {
        const uint32_t at = m_to_multicast.front();
        m_to_multicast.pop_front();
        const Line& line = m_lines[at];
        const bool is_update = m_options.protocol == Protocol::Update;
        ++m_multicasting;
        ++m_statistics.multicasts;
        m_fabric.multicast(
            m_options.scheme, page_of(at).sharers.maps(),
            {is_update ? Kind::Update : Kind::Invalidate, m_node, at, 0, line.version, line.value});
    }
}

void Home::answered(uint32_t at, uint32_t status) {
    --m_multicasting;
    Line& line = m_lines[at];
    const bool is_fault = (status & Faults) != 0;
    if ((status >> AckRetry & 1) != 0) ++m_statistics.retries;
    if ((status >> AckTimeout & 1) != 0) ++m_statistics.timeouts;
    if ((status >> AckError & 1) != 0) ++m_statistics.damaged;
    if (is_fault && ++line.attempts == MaxFailures) {
        lose(line);
    } else if (is_fault || (status >> AckRetry & 1) != 0) {
        const uint32_t range = std::min(FirstBackOff << std::min(line.attempts, 16u), MaxBackOff);
        m_fabric.after(1 + m_random.below(range), [this, at] { ask_to_multicast(at); });
    } else {
        grant(line);
    }
    multicast();
}

// Everybody who waits for it gets no answer, and says so.
void Home::lose(Line& line) {
    ++m_statistics.lost_lines;
    m_active -= 1 + line.waiting.size();
    line.is_lost = true;
    line.waiting.clear();
    line.current.reset();
}

}  // namespace rdt::dsm
