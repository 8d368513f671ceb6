// SPDX-License-Identifier: MIT
#include <rdt/machine/traffic/scheme_names.h>
#include <rdt/machine/traffic/trace.h>
#include <rdt/machine/traffic/trace_reductions.h>
#include <rdt/net/rdt/barrier_roots.h>
#include <rdt/net/rdt/multicast.h>

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace rdt::machine {

namespace {

std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : line.substr(0, line.find('#')) + " ") {
        if (std::isspace(static_cast<unsigned char>(c)) == 0) {
            word += c;
        } else if (!word.empty()) {
            words.push_back(std::move(word));
            word.clear();
        }
    }
    return words;
}

template <typename T>
std::optional<T> number(const std::string& text, int base = 10) {
    T value{};
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value, base);
    if (error != std::errc() || at != end) return std::nullopt;
    return value;
}

// One line; its errors do not know where it stands.
class Line {
public:
    Line(const std::vector<std::string>& words, const Geometry& geometry, bool upper_rank,
         uint64_t number)
        : m_words(words),
          m_geometry(geometry),
          m_levels(upper_rank ? geometry.top_rank() + 1 : 1),
          m_number(number) {}

    TraceEntry read() const {
        if (m_words.size() < 3) throw TraceError("needs a cycle, a source and a destination");
        TraceEntry e{};
        const auto clock = number<uint64_t>(m_words[0]);
        if (!clock) throw TraceError(fmt::format("{} is not a cycle", m_words[0]));
        if (*clock > uint64_t(std::numeric_limits<int64_t>::max()))
            throw TraceError(fmt::format("cycle {} is more than 2^63 - 1", *clock));
        e.clock = *clock;
        e.message.source = node(m_words[1]);
        size_t next = 3;
        const size_t colon = m_words[2].find(':');
        const auto scheme = scheme_of(m_words[2].substr(0, colon));
        if (const std::string to = m_words[2]; to.rfind(Answer, 0) == 0) {
            e.answered = number<uint64_t>(to.substr(std::strlen(Answer)));
            if (!e.answered) throw TraceError(fmt::format("{} is no number of a packet", to));
        } else if (to.rfind(Reduction, 0) == 0) {
            e.message.maps = maps(to.substr(std::strlen(Reduction)), TypeMcSm);
            e.message.wants_ack = e.message.lane = true;
            e.message.flits = LaneFlits;
        } else if (colon != std::string::npos && scheme) {
            e.message.type = *scheme;
            e.message.maps = maps(m_words[2].substr(colon + 1), *scheme);
        } else {
            e.message.destination = node(m_words[2]);
        }
        const bool has_flits = !e.answered && !e.message.lane;
        const auto is_flits = [&](size_t i) {
            return has_flits && i < m_words.size() && m_words[i] != "ack" && !is_after(m_words[i]);
        };
        if (is_flits(next)) e.message.flits = flits(m_words[next++]);
        if (next < m_words.size() && m_words[next] == "ack" && e.message.maps != 0 && has_flits) {
            e.message.wants_ack = true;
            ++next;
        }
        if (next < m_words.size() && is_after(m_words[next])) read_after(m_words[next++], e);
        if (next < m_words.size())
            throw TraceError(fmt::format("does not expect {}", m_words[next]));
        return e;
    }

private:
    uint32_t node(const std::string& text) const {
        const size_t comma = text.find(',');
        const auto side = uint32_t(m_geometry.side());
        if (comma == std::string::npos) {
            const auto n = number<uint32_t>(text);
            if (n && *n < m_geometry.nodes()) return *n;
        } else {
            const auto x = number<uint32_t>(text.substr(0, comma));
            const auto y = number<uint32_t>(text.substr(comma + 1));
            if (x && y && *x < side && *y < side) return m_geometry.index(int(*x), int(*y));
        }
        throw TraceError(
            fmt::format("there is no node {} in a machine of {} x {}", text, side, side));
    }

    // "mc" is a single map, as "sm" is.
    static std::optional<Type> scheme_of(const std::string& text) {
        return text == "mc" ? TypeMcSm : multicast_scheme(text);
    }

    Maps maps(const std::string& text, Type scheme) const {
        Maps maps = 0;
        uint32_t levels = 0;
        for (size_t from = 0; from <= text.size(); ++levels) {
            const size_t colon = std::min(text.find(':', from), text.size());
            const auto map = number<uint32_t>(text.substr(from, colon - from), 16);
            if (!map || *map > 0xFF)
                throw TraceError(fmt::format("{} are no map bytes, as ff:0f", text));
            maps = maps << 8 | *map;
            from = colon + 1;
        }
        if (levels > m_levels)
            throw TraceError(
                fmt::format("{} has more levels than this machine, which has {}", text, m_levels));
        if (maps == 0 || receivers_of(m_geometry, scheme, maps) == 0)
            throw TraceError(fmt::format("{} has no receivers", text));
        return maps;
    }

    static uint32_t flits(const std::string& text) {
        const auto n = number<uint32_t>(text);
        if (!n || *n < MinFlits || *n > MaxFlits)
            throw TraceError(
                fmt::format("a packet has {} to {} flits, not {}", MinFlits, MaxFlits, text));
        return *n;
    }

    static bool is_after(const std::string& word) { return word.rfind(After, 0) == 0; }

    void read_after(const std::string& word, TraceEntry& e) const {
        const std::string text = word.substr(std::strlen(After));
        const size_t plus = text.find('+');
        if (plus != std::string::npos) {
            const auto delay = number<uint32_t>(text.substr(plus + 1));
            if (!delay) throw TraceError(fmt::format("{} has no number of cycles after +", word));
            e.delay = *delay;
        }
        const std::string list = text.substr(0, plus);
        for (size_t from = 0; from <= list.size();) {
            const size_t comma = std::min(list.find(',', from), list.size());
            const auto packet = number<uint64_t>(list.substr(from, comma - from));
            if (!packet) throw TraceError(fmt::format("{} are no numbers of packets", word));
            if (*packet >= m_number)
                throw TraceError(
                    fmt::format("packet {} cannot wait for packet {}, only for those "
                                "before it",
                                m_number, *packet));
            e.after.push_back(*packet);
            from = comma + 1;
        }
    }

    static constexpr const char* After = "after:";
    static constexpr const char* Answer = "answer:";
    static constexpr const char* Reduction = "reduce:";
    const std::vector<std::string>& m_words;
    const Geometry& m_geometry;
    const uint32_t m_levels;  // map levels: a plain torus cannot expand higher ones
    const uint64_t m_number;  // number of the packet
};

}  // namespace

std::optional<TraceEntry> TraceReader::next() {
    while (std::getline(m_in, m_text)) {
        ++m_line;
        const std::vector<std::string> words = words_of(m_text);
        if (words.empty()) continue;
        try {
            TraceEntry e = Line(words, m_geometry, m_upper_rank, m_read).read();
            if (m_read > 0 && e.clock < m_clock)
                throw TraceError(fmt::format("cycle {} after cycle {}", e.clock, m_clock));
            if (e.message.lane) note_reduction(e);
            if (e.answered) note_answer(e);
            m_clock = e.clock;
            ++m_read;
            return e;
        } catch (const TraceError& error) {
            throw TraceError(fmt::format("{}:{}: {}", m_name, m_line, error.what()));
        }
    }
    if (m_in.bad())
        throw TraceError(fmt::format("cannot read {}: {}", m_name, std::strerror(errno)));
    if (m_read == 0) throw TraceError(fmt::format("there is no packet in {}", m_name));
    check_end();
    return std::nullopt;
}

void TraceReader::note_reduction(TraceEntry& e) {
    if (m_reduce_width == 0) throw TraceError("a reduction needs --reduce-width 16 or 32");
    if (m_geometry.rank(e.message.source) != 1 || (e.message.maps & ~barrier_maps()) != 0)
        throw TraceError(fmt::format(
            "a reduction needs a root of rank 1, not node {}, and at most two map bytes",
            e.message.source));
    const std::vector<uint32_t> received = receipts(m_geometry, e.message.source, e.message.maps);
    for (uint32_t n = 0; n < received.size(); ++n)
        if (received[n] != 0) e.receivers.push_back(n);
    m_unanswered[m_read] = e.receivers;
}

void TraceReader::note_answer(const TraceEntry& e) {
    const auto open = m_unanswered.find(*e.answered);
    if (open == m_unanswered.end())
        throw TraceError(fmt::format("packet {} is no reduction that awaits answers", *e.answered));
    std::vector<uint32_t>& nodes = open->second;
    const auto node = std::find(nodes.begin(), nodes.end(), e.message.source);
    if (node == nodes.end())
        throw TraceError(
            fmt::format("reduction {} awaits no answer of node {}", *e.answered, e.message.source));
    nodes.erase(node);
    if (nodes.empty()) m_unanswered.erase(open);
}

void TraceReader::check_end() const {
    if (m_unanswered.empty()) return;
    const auto& [number, nodes] = *m_unanswered.begin();
    throw TraceError(
        fmt::format("{} ends without {} answers to reduction {}", m_name, nodes.size(), number));
}

std::vector<TraceEntry> read_trace(std::istream& in, const std::string& name,
                                   const Geometry& geometry, bool upper_rank) {
    TraceReader reader(in, name, geometry, upper_rank);
    std::vector<TraceEntry> entries;
    while (auto entry = reader.next()) entries.push_back(std::move(*entry));
    return entries;
}

Trace::Trace(std::unique_ptr<std::istream> in, std::string name, const Geometry& geometry,
             bool upper_rank, size_t window, uint32_t reduce_width)
    : m_in(std::move(in)),
      m_reader(*m_in, name, geometry, upper_rank, reduce_width),
      m_name(std::move(name)),
      m_window(window),
      m_reduce_width(reduce_width) {
    m_next = m_reader.next();
}

Trace::~Trace() = default;

std::unique_ptr<Trace> Trace::open(const std::string& name, const Geometry& geometry,
                                   bool upper_rank, uint32_t reduce_width) {
    const std::string path = name == "-" ? "/dev/stdin" : name;
    auto file = std::make_unique<std::ifstream>(path);
    if (!*file) throw TraceError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    uint64_t last_clock = 0;
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) {
        TraceReader reader(*file, path, geometry, upper_rank, reduce_width);
        while (const auto entry = reader.next()) last_clock = entry->clock;
        file = std::make_unique<std::ifstream>(path);
    }
    auto trace =
        std::make_unique<Trace>(std::move(file), path, geometry, upper_rank, Window, reduce_width);
    trace->m_last_clock = last_clock;
    return trace;
}

// From the file to memory, as far as it is time.
void Trace::take() {
    const uint64_t number = m_reader.read() - 1;
    Held& held = m_held[number];
    held.entry = std::move(*m_next);
    held.entry.message.user = number;
    if (held.entry.message.lane) m_reductions->open(number, held.entry.receivers);
    if (held.entry.clock < m_clock) ++m_late;
    for (const uint64_t other : held.entry.after) {
        const auto it = m_held.find(other);
        if (it == m_held.end()) continue;  // has arrived
        it->second.waiting.push_back(number);
        ++held.missing;
    }
    if (held.missing == 0) m_ready.push({m_clock + held.entry.delay, number});
    ++m_unsent;
    m_most_held = std::max(m_most_held, m_held.size());
    m_next = m_reader.next();
}

void Trace::clock(Transport& transport) {
    if (m_reduce_width != 0 && !m_reductions)
        m_reductions = std::make_unique<TraceReductions>(transport, m_reduce_width);
    while (!m_stopped && m_next && m_next->clock <= m_clock && m_held.size() < m_window) take();
    while (!m_stopped && !m_ready.empty() && m_ready.top().first <= m_clock) {
        const uint64_t number = m_ready.top().second;
        m_ready.pop();
        --m_unsent;
        m_progress = m_clock;
        send(transport, number);
    }
    if (!m_stopped && m_unsent > 0) check_progress(transport);
    ++m_clock;
}

void Trace::send(Transport& transport, uint64_t number) {
    const TraceEntry& e = m_held.at(number).entry;
    if (!e.answered) transport.send(e.message);
    else if (m_reductions->answer(*e.answered, e.message.source, number)) complete(number);
}

void Trace::delivered(Transport&, const Packet& packet, const Delivery& delivery) {
    if (!packet.message.lane || !delivery.sound) return;
    if (const auto answer = m_reductions->deliver(packet.message.user, delivery)) complete(*answer);
}

void Trace::done(Transport&, const Packet& packet) { complete(packet.message.user); }

// Packets that wait for this one may leave.
void Trace::complete(uint64_t number) {
    const auto it = m_held.find(number);
    if (it == m_held.end()) return;
    m_progress = m_clock;
    for (const uint64_t next : it->second.waiting) {
        Held& other = m_held.at(next);
        if (--other.missing > 0) continue;
        m_ready.push({m_clock + other.entry.delay, next});
    }
    m_held.erase(it);
}

uint64_t Trace::idle_cycles() const {
    if (m_stopped) return ~uint64_t(0);
    uint64_t next = ~uint64_t(0);
    if (m_next && m_held.size() < m_window) next = m_next->clock;
    if (!m_ready.empty()) next = std::min(next, m_ready.top().first);
    // Packets that wait for others are looked at now and then.
    if (m_unsent > 0 && next == ~uint64_t(0))
        next = m_clock + CheckCycles - 1 - (m_clock - m_progress + CheckCycles - 1) % CheckCycles;
    return next > m_clock ? next - m_clock : 0;
}

// A lost packet never arrives, and packets that wait for it never leave.
void Trace::check_progress(Transport& transport) {
    constexpr uint64_t Patience = 200000;
    const uint64_t still = m_clock - m_progress;
    if (still == 0 || still % CheckCycles != 0 || !m_ready.empty()) return;
    if (m_next && m_next->clock > m_clock) return;
    if (still < Patience && !transport.machine().idle()) return;
    uint64_t first = ~uint64_t(0);
    for (const auto& [number, held] : m_held)
        if (held.missing > 0) first = std::min(first, number);
    m_error = fmt::format("packet {} of {} waits for others that do not arrive", first, m_name);
    m_stopped = true;
}

void Trace::add_figures(nlohmann::ordered_json& json) const {
    json["trace"] = m_name;
    json["entries"] = m_reader.read();
    json["read_late"] = m_late;
    if (m_reductions) json["results"] = m_reductions->results();
}

std::string Trace::error() const {
    return m_error.empty() && m_reductions ? m_reductions->error() : m_error;
}

}  // namespace rdt::machine
