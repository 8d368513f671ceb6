// SPDX-License-Identifier: MIT
#include <rdt/machine/traffic/scheme_names.h>
#include <rdt/machine/traffic/trace.h>

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
        if (colon != std::string::npos && scheme) {
            e.message.type = *scheme;
            e.message.maps = maps(m_words[2].substr(colon + 1), *scheme);
        } else {
            e.message.destination = node(m_words[2]);
        }
        const auto is_flits = [this](size_t i) {
            return i < m_words.size() && m_words[i] != "ack" && !is_after(m_words[i]);
        };
        if (is_flits(next)) e.message.flits = flits(m_words[next++]);
        if (next < m_words.size() && m_words[next] == "ack" && e.message.maps != 0) {
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
    return std::nullopt;
}

std::vector<TraceEntry> read_trace(std::istream& in, const std::string& name,
                                   const Geometry& geometry, bool upper_rank) {
    TraceReader reader(in, name, geometry, upper_rank);
    std::vector<TraceEntry> entries;
    while (auto entry = reader.next()) entries.push_back(std::move(*entry));
    return entries;
}

std::unique_ptr<Trace> Trace::open(const std::string& name, const Geometry& geometry,
                                   bool upper_rank) {
    const std::string path = name == "-" ? "/dev/stdin" : name;
    auto file = std::make_unique<std::ifstream>(path);
    if (!*file) throw TraceError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    uint64_t last_clock = 0;
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) {
        TraceReader reader(*file, path, geometry, upper_rank);
        while (const auto entry = reader.next()) last_clock = entry->clock;
        file = std::make_unique<std::ifstream>(path);
    }
    auto trace = std::make_unique<Trace>(std::move(file), path, geometry, upper_rank);
    trace->m_last_clock = last_clock;
    return trace;
}

// From the file to memory, as far as it is time.
void Trace::take() {
    const uint64_t number = m_reader.read() - 1;
    Held& held = m_held[number];
    held.entry = std::move(*m_next);
    held.entry.message.user = number;
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
    while (!m_stopped && m_next && m_next->clock <= m_clock && m_held.size() < m_window) take();
    while (!m_stopped && !m_ready.empty() && m_ready.top().first <= m_clock) {
        Held& held = m_held.at(m_ready.top().second);
        m_ready.pop();
        --m_unsent;
        m_progress = m_clock;
        transport.send(held.entry.message);
    }
    if (!m_stopped && m_unsent > 0) check_progress(transport);
    ++m_clock;
}

void Trace::done(Transport&, const Packet& packet) {
    const auto it = m_held.find(packet.message.user);
    if (it == m_held.end()) return;
    m_progress = m_clock;
    for (const uint64_t number : it->second.waiting) {
        Held& other = m_held.at(number);
        if (--other.missing > 0) continue;
        m_ready.push({m_clock + other.entry.delay, number});
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
}

}  // namespace rdt::machine
