// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <stdexcept>

#include <rdt/core/format.h>
#include <rdt/cosim/save_file.h>
#include <rdt/cosim/wave_file.h>
#include <rdt/cosim/wave_filters.h>
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

namespace {

const std::map<std::string, std::string>& filters() {
    static const std::map<std::string, std::string> all = {
#include "wave_filters.inc"
    };
    return all;
}

}  // namespace

std::string wave_filter(const std::string& name) {
    const auto found = filters().find(name);
    if (found == filters().end()) throw std::logic_error("there is no filter " + name);
    return found->second;
}

std::vector<std::string> wave_filter_names() {
    std::vector<std::string> names;
    for (const auto& [name, text] : filters()) names.push_back(name);
    return names;
}

namespace {

// GTKWave's flags for a trace.
constexpr const char* Hex = "@22";
constexpr const char* Binary = "@28";
constexpr const char* Translated = "@2028";
constexpr const char* GroupBegin = "@800200";
constexpr const char* GroupEnd = "@1000200";
constexpr const char* ClosedGroupBegin = "@c00200";
constexpr const char* ClosedGroupEnd = "@1401200";
constexpr size_t OpenGroups = 3;
// One more is twice as wide: packets can be seen, or every flit read.
constexpr double PacketZoom = -4;
constexpr double FlitZoom = -2.3;

constexpr const char* Colors[] = {"", "[color] 3\n"};  // colors of the sides

struct Row {
    const char* name;
    unsigned width;
    const char* filter;  // nullptr: as it is
};

const Row Rows[] = {
    {"st_q", 3, "line.flt"},  {"mine_q", 1, nullptr},   {"req_o", 2, "req.flt"},
    {"d_oe_o", 1, nullptr},   {"d_o", FlitW, nullptr},  {"cred_o", 2, "vc.flt"},
    {"pkt_q", 3, nullptr},    {"wr_idx_q", 5, nullptr}, {"rd_busy_q", 1, nullptr},
    {"rd_idx_q", 4, nullptr},
};

const Row PacketType{"type", 4, "type.flt"};  // on the link, in either direction

std::string bit_range(unsigned width) { return width > 1 ? fmt::format("[{}:0]", width - 1) : ""; }

std::string row(const Row& t, const std::string& scope, uint32_t node, const char* port,
                const std::string& color) {
    return (t.filter != nullptr ? fmt::format("{}\n^1 {}\n", Translated, t.filter)
                                : fmt::format("{}\n", t.width == 1 ? Binary : Hex)) +
           color +
           fmt::format("+{{{} {}}} {}.n{}.{}.{}{}\n", t.name, scope, scope, node, port, t.name,
                       bit_range(t.width));
}

void copy_filter(const char* filter, const std::filesystem::path& folder) {
    write_file((folder / filter).string(), wave_filter(filter));
}

std::string group(const std::string& name, bool is_open, const std::string& rows) {
    return fmt::format("{}\n-{}\n{}{}\n-{}\n", is_open ? GroupBegin : ClosedGroupBegin, name, rows,
                       is_open ? GroupEnd : ClosedGroupEnd, name);
}

// The save file's path, and how it begins. Puts the filters beside it.
struct Save {
    // The marker is at a cycle of interest.
    Save(const std::string& wave, uint64_t first_clock, uint64_t marked_clock, double zoom) {
        const std::filesystem::path dump(wave);
        path = dump;
        path.replace_extension(".gtkw");
        const std::filesystem::path folder = std::filesystem::absolute(dump).parent_path();
        for (const Row& t : Rows)
            if (t.filter != nullptr) copy_filter(t.filter, folder);
        copy_filter(PacketType.filter, folder);
        text = fmt::format(
            "[*] gtkwave {0}\n[dumpfile] \"{1}\"\n[savefile] "
            "\"{0}\"\n[timestart] {2}\n[sst_expanded] 0\n[signals_width] 220\n*{4:.1f} {3}\n",
            path.filename().string(), dump.filename().string(), first_clock, marked_clock, zoom);
    }
    std::string write() const {
        write_file(path.string(), text);
        return path.string();
    }

    std::filesystem::path path;
    std::string text;
};

// Signals that show the path of a packet, block by block.
struct Step {
    const char* block;
    enum Side { In, Out, Chip } side;  // one per port, or one per router
    std::vector<const char*> names;
};
const Step Steps[] = {
    {"u_link_io", Step::In, {"d_i", "rx_valid_o", "rx_d_o"}},
    {"u_input_unit", Step::In, {"want_o", "gnt_i", "rd_x_o"}},
    {"u_arbiter", Step::Chip, {"want_i", "gnt_o", "xsel_o"}},
    {"u_crossbar", Step::Chip, {"x_i", "sel_i", "x_o"}},
    {"u_output_unit", Step::Out, {"x_i", "req_o", "d_oe_o", "d_o"}},
};
// Vectors that have an element for each output; all others have one for each input.
bool is_by_output(const std::string& name) {
    return name == "xsel_o" || name == "sel_i" || name == "x_o";
}

class InsideRows {
public:
    explicit InsideRows(const SaveInside& inside) : m_inside(inside) {}

    std::string all_of(const std::string& module) const {
        std::string rows;
        for (const auto& s : m_inside.signals) {
            if (s.module == module && is_port(s.name) && s.name != "clk_i") rows += both(s, {});
        }
        return rows;
    }
    // The signal that differs, then the ports and registers of the block, then the registers of its
    // modules.
    std::string blamed() const {
        const std::string& block = m_inside.blamed->block;
        const std::string& signal = m_inside.blamed->signal;
        const size_t bracket = signal.find('[');
        const std::string name = signal.substr(0, bracket);
        std::optional<uint32_t> element;
        if (bracket != std::string::npos)
            element = uint32_t(std::strtoul(signal.c_str() + bracket + 1, nullptr, 10));
        std::string first, own;
        std::map<std::string, std::string> modules;
        for (const auto& s : m_inside.signals) {
            if (s.name == "clk_i" || !s.is_in_both) continue;
            if (s.module == block) {
                own += both(s, {});
                if (s.name == name && element) first = both(s, element);
            } else if (s.module.rfind(block + ".", 0) == 0 && !is_port(s.name)) {
                modules[s.module] += both(s, {});
            }
        }
        for (const auto& [module, rows] : modules) own += group(module, false, rows);
        return first + own;
    }
    // For vectors, the element on the path.
    std::string way(const std::string& module, const Step& step,
                    const SaveInside::Crossing& crossing) const {
        std::string rows;
        for (const char* name : step.names)
            for (const auto& s : m_inside.signals)
                if (s.module == module && s.name == name)
                    rows += both(s, is_by_output(name) ? crossing.out : crossing.in);
        return rows;
    }

private:
    static bool is_port(const std::string& name) {
        return name.size() > 2 &&
               (name.substr(name.size() - 2) == "_i" || name.substr(name.size() - 2) == "_o");
    }
    // The port that an element belongs to, by name, or its number.
    static std::string name_of(const SaveInside::Signal& s, uint32_t element) {
        const unsigned elements = s.width / s.element;
        if (elements != NumPorts && elements != NumOuts) return std::to_string(element);
        return element < NumPorts ? to_string(Port(element)) : "LOCAL";
    }
    std::string both(const SaveInside::Signal& s, std::optional<uint32_t> element) const {
        return row(s, "systemc", element, Colors[0]) +
               (s.is_in_both ? row(s, "rtl", element, Colors[1]) : "");
    }
    std::string row(const SaveInside::Signal& s, const char* side, std::optional<uint32_t> element,
                    const char* color) const {
        const std::string full = fmt::format("n{}.{}.{}.{}{}", m_inside.node, side, s.module,
                                             s.name, bit_range(s.width));
        if (!element || s.element == s.width)
            return fmt::format("{}\n{}+{{{} {}}} {}\n", s.width == 1 ? Binary : Hex, color, s.name,
                               side, full);
        // The element's bits, counted from the left.
        std::string bits;
        for (unsigned bit = s.element; bit-- > 0;)
            bits += fmt::format(" ({}){}", s.width - 1 - (*element * s.element + bit), full);
        return fmt::format("{}\n{}#{{{}[{}] {}}}{}\n", s.element == 1 ? Binary : Hex, color, s.name,
                           name_of(s, *element), side, bits);
    }

    const SaveInside& m_inside;
};

}  // namespace

std::string write_save_file(const std::string& wave, const std::vector<SaveInside>& insides,
                            uint64_t first_clock) {
    uint64_t marked_clock = first_clock;
    for (const SaveInside& inside : insides)
        if (inside.blamed) marked_clock = inside.blamed->clock;
    Save save(wave, first_clock, marked_clock, FlitZoom);
    for (const SaveInside& inside : insides) {
        const InsideRows rows(inside);
        const std::string node = fmt::format("node {}", inside.node);
        const auto name_of = [](uint32_t port) { return to_string(Port(port)); };
        const auto module_of = [](const Step& step, uint32_t in, uint32_t out) {
            if (step.side == Step::Chip) return std::string(step.block);
            return fmt::format("{}_{}", step.block, step.side == Step::In ? in : out);
        };
        save.text +=
            fmt::format("{}\n+{{{} clock}} n{}.systemc.clk_i\n", Binary, node, inside.node);
        if (inside.has_both)
            save.text +=
                fmt::format("{}\n+{{{} differ}} n{}.differ[15:0]\n", Hex, node, inside.node);
        if (inside.blamed) {
            const std::string& block = inside.blamed->block;
            const size_t number = block.find_last_of('_') + 1;
            const bool has_port = std::isdigit(static_cast<unsigned char>(block[number])) != 0;
            save.text += group(
                fmt::format("{} block to blame: {}{}", node, block,
                            has_port ? fmt::format(", port {}", name_of(uint32_t(std::strtoul(
                                                                    &block[number], nullptr, 10))))
                                     : ""),
                true, rows.blamed());
        } else if (inside.crossing) {
            const auto [in, out] = *inside.crossing;
            for (const Step& step : Steps) {
                const std::string module = module_of(step, in, out);
                save.text +=
                    group(fmt::format("{} {} to {}: {}", node, name_of(in), name_of(out), module),
                          true, rows.way(module, step, *inside.crossing));
            }
        }
        for (uint32_t p = 0; p < NumPorts; ++p) {
            std::string blocks = row(PacketType, "link", inside.node, name_of(p), "");
            for (const Step& step : Steps) {
                const std::string module = module_of(step, p, p);
                blocks += group(fmt::format("{} {}", node, module), false, rows.all_of(module));
            }
            save.text += group(fmt::format("{} port {}", node, name_of(p)), false, blocks);
        }
    }
    return save.write();
}

std::string write_save_file(const std::string& wave, const std::vector<SaveGroup>& groups,
                            uint64_t first_clock) {
    Save save(wave, first_clock, first_clock, PacketZoom);
    for (size_t i = 0; i < groups.size(); ++i) {
        const SaveGroup& g = groups[i];
        const char* port = to_string(Port(g.port));
        std::string rows = row(PacketType, "link", g.node, port, "");
        for (const Row& t : Rows)
            for (size_t side = 0; side < g.sides.size(); ++side)
                rows += row(t, g.sides[side], g.node, port, Colors[side]);
        save.text += group(fmt::format("node {} port {}", g.node, port), i < OpenGroups, rows);
    }
    return save.write();
}

}  // namespace rdt::machine
