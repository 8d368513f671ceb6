// SPDX-License-Identifier: MIT
#include <rdt/machine/traffic/scheme_names.h>
#include <rdt/machine/traffic/trace.h>

#include <fmt/core.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
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
    Line(const std::vector<std::string>& words, const Geometry& geometry, bool upper_rank)
        : m_words(words),
          m_geometry(geometry),
          m_levels(upper_rank ? geometry.top_rank() + 1 : 1) {}

    TraceEntry read() const {
        if (m_words.size() < 3) throw TraceError("needs a clock, a source and a destination");
        TraceEntry e{};
        const auto clock = number<uint64_t>(m_words[0]);
        if (!clock) throw TraceError(fmt::format("{} is no clock", m_words[0]));
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
        if (next < m_words.size() && m_words[next] != "ack")
            e.message.flits = flits(m_words[next++]);
        if (next < m_words.size() && m_words[next] == "ack" && e.message.maps != 0) {
            e.message.wants_ack = true;
            ++next;
        }
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
            throw TraceError(fmt::format("{} names nobody", text));
        return maps;
    }

    static uint32_t flits(const std::string& text) {
        const auto n = number<uint32_t>(text);
        if (!n || *n < MinFlits || *n > MaxFlits)
            throw TraceError(
                fmt::format("a packet has {} to {} flits, not {}", MinFlits, MaxFlits, text));
        return *n;
    }

    const std::vector<std::string>& m_words;
    const Geometry& m_geometry;
    const uint32_t m_levels;  // of maps: a plain torus cannot expand higher ones
};

}  // namespace

std::vector<TraceEntry> read_trace(std::istream& in, const std::string& name,
                                   const Geometry& geometry, bool upper_rank) {
    std::vector<TraceEntry> entries;
    std::string text;
    for (uint64_t line = 1; std::getline(in, text); ++line) {
        const std::vector<std::string> words = words_of(text);
        if (words.empty()) continue;
        try {
            const TraceEntry e = Line(words, geometry, upper_rank).read();
            if (!entries.empty() && e.clock < entries.back().clock)
                throw TraceError(
                    fmt::format("clock {} after clock {}", e.clock, entries.back().clock));
            entries.push_back(e);
        } catch (const TraceError& error) {
            throw TraceError(fmt::format("{}:{}: {}", name, line, error.what()));
        }
    }
    if (in.bad()) throw TraceError(fmt::format("cannot read {}: {}", name, std::strerror(errno)));
    if (entries.empty()) throw TraceError(fmt::format("there is no packet in {}", name));
    return entries;
}

std::vector<TraceEntry> read_trace_file(const std::string& path, const Geometry& geometry,
                                        bool upper_rank) {
    std::ifstream file(path);
    if (!file) throw TraceError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    return read_trace(file, path, geometry, upper_rank);
}

void Trace::clock(Transport& transport) {
    for (; m_next < m_entries.size() && m_entries[m_next].clock <= m_clock; ++m_next)
        transport.send(m_entries[m_next].message);
    ++m_clock;
}

void Trace::add_figures(nlohmann::ordered_json& json) const {
    json["trace"] = m_name;
    json["entries"] = m_entries.size();
}

}  // namespace rdt::machine
