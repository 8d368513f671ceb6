// SPDX-License-Identifier: MIT
#include <rdt/machine/cosim/wave_file.h>

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include <rdt/support/output.h>

namespace rdt::machine {

namespace {

// As it stands behind the name of a signal.
std::string range(unsigned width) { return width > 1 ? fmt::format(" [{}:0]", width - 1) : ""; }

class VcdWriter : public WaveFile::Writer {
public:
    explicit VcdWriter(const std::string& path) : m_file(path) {
        m_file.write("$timescale 1ns $end\n");
    }
    void scope(const std::string& name) override {
        m_file.write(fmt::format("$scope module {} $end\n", name));
    }
    void upscope() override { m_file.write("$upscope $end\n"); }
    uint32_t variable(const std::string& name, unsigned width) override {
        m_file.write(fmt::format("$var wire {} {} {}{} $end\n", width, identifier(m_count), name,
                                 range(width)));
        return m_count++;
    }
    void edge(const std::string& name) override {
        if (!m_edge) m_edge = m_count++;
        m_file.write(fmt::format("$var event 1 {} {} $end\n", identifier(*m_edge), name));
    }
    void time(uint64_t t) override {
        end_definitions();
        m_file.write(fmt::format("#{}\n", t));
        if (m_edge) m_file.write(fmt::format("1{}\n", identifier(*m_edge)));
    }
    void value(uint32_t handle, unsigned width, const uint32_t* words) override {
        const auto bit = [words](unsigned i) { return char('0' + (words[i / 32] >> i % 32 & 1)); };
        std::string text(1, width == 1 ? bit(0) : 'b');
        if (width > 1) {
            unsigned high = width - 1;
            while (high > 0 && bit(high) == '0') --high;
            for (unsigned i = high + 1; i-- > 0;) text += bit(i);
            text += ' ';
        }
        m_file.write(text + identifier(handle) + '\n');
    }
    void close() override { end_definitions(); }
    void commit() override { m_file.commit(); }

private:
    // Printable characters, least significant first.
    static std::string identifier(uint32_t number) {
        constexpr uint32_t First = '!';
        constexpr uint32_t Count = '~' - '!' + 1;
        std::string text;
        do {
            text += char(First + number % Count);
            number /= Count;
        } while (number != 0);
        return text;
    }
    void end_definitions() {
        if (!m_defined) m_file.write("$enddefinitions $end\n");
        m_defined = true;
    }

    OutputFile m_file;
    uint32_t m_count = 0;
    std::optional<uint32_t> m_edge;
    bool m_defined = false;
};

const WaveFormat vcd{".vcd", [](const std::string& path) -> std::unique_ptr<WaveFile::Writer> {
                         return std::make_unique<VcdWriter>(path);
                     }};

}  // namespace

std::map<std::string, WaveFormat::Make>& WaveFormat::all() {
    static std::map<std::string, Make> formats;
    return formats;
}

WaveFile::WaveFile(const std::string& path) {
    const std::string ending = std::filesystem::path(path).extension().string();
    const auto format = WaveFormat::all().find(ending);
    if (format != WaveFormat::all().end()) m_writer = format->second(path);
    else if (ending == ".fst")
        throw std::invalid_argument(".fst is not in this build: it needs Verilator, .vcd does not");
    else
        throw std::invalid_argument(
            fmt::format("a waveform is called .fst or .vcd at its end, not {}", path));
}

void WaveFile::enter(const std::vector<std::string>& scopes) {
    const auto [have, want] =
        std::mismatch(m_scopes.begin(), m_scopes.end(), scopes.begin(), scopes.end());
    for (auto it = have; it != m_scopes.end(); ++it) m_writer->upscope();
    for (auto it = want; it != scopes.end(); ++it) m_writer->scope(*it);
    m_scopes = scopes;
}

std::string WaveFile::enter_scopes_of(const std::string& name) {
    std::vector<std::string> parts;
    for (size_t from = 0;;) {
        const size_t dot = name.find('.', from);
        parts.push_back(name.substr(from, dot - from));
        if (dot == std::string::npos) break;
        from = dot + 1;
    }
    const std::string leaf = parts.back();
    parts.pop_back();
    enter(parts);
    return leaf;
}

size_t WaveFile::add(const std::string& name, unsigned width) {
    const std::string leaf = enter_scopes_of(name);
    m_signals.push_back({m_writer->variable(leaf, width), width, false, {}});
    m_signals.back().last.resize(width / 32 + 1);
    return m_signals.size() - 1;
}

void WaveFile::add_edge(const std::string& name) { m_writer->edge(enter_scopes_of(name)); }

void WaveFile::time(uint64_t t) {
    enter({});
    if (m_time == t) return;
    m_time = t;
    m_writer->time(t);
}

void WaveFile::value(size_t signal, uint64_t v) {
    const uint32_t words[] = {uint32_t(v), uint32_t(v >> 32), 0};
    value(signal, words);
}

void WaveFile::value(size_t signal, const uint32_t* words) {
    Signal& s = m_signals[signal];
    if (s.written && std::equal(s.last.begin(), s.last.end(), words)) return;
    s.written = true;
    std::copy_n(words, s.last.size(), s.last.begin());
    m_writer->value(s.handle, s.width, words);
}

void WaveFile::close() {
    enter({});
    m_writer->close();
}

void WaveFile::commit() { m_writer->commit(); }

}  // namespace rdt::machine
