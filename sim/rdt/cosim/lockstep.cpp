// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>

#include <rdt/cosim/lockstep.h>
#include <rdt/cosim/pin_record.h>
#include <rdt/cosim/signals.h>
#include <rdt/support/output.h>

namespace rdt::machine {

Lockstep::Lockstep(std::string name, uint64_t seed, std::string rerun, uint64_t clock,
                   std::array<std::string, 2> sides)
    : m_name(std::move(name)),
      m_seed(seed),
      m_rerun(std::move(rerun)),
      m_sides(std::move(sides)),
      m_first(clock),
      m_clock(clock) {}

void Lockstep::add(std::string signal, unsigned width, Getter rtl, Getter model) {
    m_pairs.push_back({std::move(signal), width, std::move(rtl), std::move(model)});
}

void Lockstep::note(std::string signal, unsigned width, Getter value) {
    m_notes.push_back({std::move(signal), width, std::move(value)});
}

Lockstep::~Lockstep() {
    try {
        if (m_recording.file) m_recording.finish(m_clock);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
    }
}

void Lockstep::record(const std::string& path) { m_recording = open_wave(path); }

std::optional<std::string> Lockstep::compare() {
    m_ring.resize(WaveClocks * row_size());
    uint64_t* const row = &m_ring[m_clock % WaveClocks * row_size()];
    uint64_t* out = row;
    const Pair* differs = nullptr;
    for (const Pair& p : m_pairs) {
        out[0] = p.rtl();
        out[1] = p.model();
        if (out[0] != out[1] && differs == nullptr) differs = &p;
        out += 2;
    }
    for (const Note& n : m_notes) *out++ = n.value();
    if (m_recording.file) m_recording.write(m_clock, row);
    if (differs != nullptr) return report(*differs, differs->rtl(), differs->model());
    ++m_clock;
    return std::nullopt;
}

std::string Lockstep::report(const Pair& pair, uint64_t rtl, uint64_t model) const {
    std::string wave;
    try {
        wave = write_last_clocks(pair);
    } catch (const std::exception& e) {
        wave = fmt::format("none ({})", e.what());
    }
    return fmt::format(
        "difference in cycle {}: {} {}={:#x} {}={:#x}\n  seed={}\n  rerun: {}\n  waveform: {}",
        m_clock, pair.signal, m_sides[0], rtl, m_sides[1], model, m_seed, m_rerun, wave);
}

Lockstep::Wave Lockstep::open_wave(const std::string& path) const {
    Wave wave{std::make_unique<WaveFile>(path), std::vector<size_t>(row_size())};
    for (size_t side : {0, 1})
        for (size_t i = 0; i < m_pairs.size(); ++i)
            wave.ids[2 * i + side] =
                wave.file->add(m_sides[side] + "." + m_pairs[i].signal, m_pairs[i].width);
    for (size_t i = 0; i < m_notes.size(); ++i)
        wave.ids[2 * m_pairs.size() + i] =
            wave.file->add("stimulus." + m_notes[i].signal, m_notes[i].width);
    return wave;
}

void Lockstep::Wave::write(uint64_t clock, const uint64_t* row) {
    file->time(clock);
    for (size_t id : ids) file->value(id, *row++);
}

void Lockstep::Wave::finish(uint64_t clock) {
    file->time(clock);
    file->close();
    file->commit();
}

std::string Lockstep::write_last_clocks(const Pair& pair) const {
    const std::string path = fmt::format("{}_seed{}.fst", m_name, m_seed);
    Wave wave = open_wave(path);
    const uint64_t first = m_clock + 1 < m_first + WaveClocks ? m_first : m_clock + 1 - WaveClocks;
    for (uint64_t t = first; t <= m_clock; ++t) wave.write(t, &m_ring[t % WaveClocks * row_size()]);
    wave.finish(m_clock + 1);
    return path + "\n  show: gtkwave " + write_save_of(path, pair, first);
}

// Differing signals come first, then all others, both models one above the other.
std::string Lockstep::write_save_of(const std::string& path, const Pair& differs,
                                    uint64_t first) const {
    const std::filesystem::path dump(path);
    std::filesystem::path save = dump;
    save.replace_extension(".gtkw");
    std::string text = fmt::format(
        "[dumpfile] \"{}\"\n[savefile] \"{}\"\n[timestart] {}\n[sst_expanded] 0\n"
        "[signals_width] 260\n*-2.3 {}\n",
        dump.filename().string(), save.filename().string(),
        std::max(first, m_clock - std::min(m_clock, WaveBefore)), m_clock);
    // GTKWave shows no scopes, so a row has a name: that of the signal, with its port, and the
    // side.
    const auto row = [&text](const std::string& side, const std::string& signal, unsigned width,
                             const char* color) {
        text += fmt::format("{0}\n{1}+{{{3} {2}}} {2}.{3}{4}\n", width == 1 ? "@28" : "@22", color,
                            side, signal, width > 1 ? fmt::format("[{}:0]", width - 1) : "");
    };
    const auto both = [&](const Pair& p) {
        row(m_sides[0], p.signal, p.width, "");
        row(m_sides[1], p.signal, p.width, "[color] 3\n");
    };
    text += "@800200\n-differs\n";
    both(differs);
    text += "@1000200\n-differs\n";
    for (const Note& n : m_notes) row("stimulus", n.signal, n.width, "[color] 4\n");
    for (const Pair& p : m_pairs)
        if (&p != &differs) both(p);
    write_file(save.string(), text);
    return save.string();
}

using fast::ChipState;

const std::vector<Signal>& signals_of_port() {
    static const std::vector<Signal> all = {
        {"d_o", FlitW, [](const ChipPins& c, uint32_t p) -> uint64_t { return c.link[p].d; }},
        {"d_oe_o", 1, [](const ChipPins& c, uint32_t p) -> uint64_t { return c.link[p].oe; }},
        {"req_o", 2, [](const ChipPins& c, uint32_t p) -> uint64_t { return c.link[p].req; }},
        {"cred_o", 2, [](const ChipPins& c, uint32_t p) -> uint64_t { return c.link[p].cred; }},
        {"wr_idx_q", 5, nullptr, "u_input_unit.u_arrival",
         [](const ChipState& r, uint32_t p) -> uint64_t { return r.input(p).q().wr_idx; }},
        {"pkt_q", 3, nullptr, "u_input_unit",
         [](const ChipState& r, uint32_t p) -> uint64_t { return r.input(p).pkt_mask(); }},
        {"rd_busy_q", 1, nullptr, "u_input_unit.u_read_pass",
         [](const ChipState& r, uint32_t p) -> uint64_t { return r.input(p).q().rd_busy; }},
        {"rd_vc_q", 2, nullptr, "u_input_unit.u_read_pass",
         [](const ChipState& r, uint32_t p) -> uint64_t { return r.input(p).q().rd_vc; }},
        {"rd_idx_q", 4, nullptr, "u_input_unit.u_read_pass",
         [](const ChipState& r, uint32_t p) -> uint64_t { return r.input(p).q().rd_idx; }},
        {"st_q", 3, nullptr, "u_link_io",
         [](const ChipState& r, uint32_t p) -> uint64_t { return r.link(p).st; }},
        {"mine_q", 1, nullptr, "u_link_io",
         [](const ChipState& r, uint32_t p) -> uint64_t { return r.link(p).mine; }},
    };
    return all;
}

const std::vector<Signal>& signals_of_chip() {
    static const std::vector<Signal> all = {
        {"err_o", 1, [](const ChipPins& c, uint32_t) -> uint64_t { return c.err; }},
        {"slice_o", 1, [](const ChipPins& c, uint32_t) -> uint64_t { return c.slice; }},
    };
    return all;
}

const std::vector<NamedSignal>& chip_signals() {
    static const std::vector<NamedSignal> all = [] {
        std::vector<NamedSignal> list;
        size_t registers = 0;
        const auto add = [&](const std::string& name, const Signal& s, uint32_t port) {
            list.push_back({name, &s, port, s.of_pins == nullptr ? registers++ : 0});
        };
        for (uint32_t p = 0; p < NumPorts; ++p)
            for (const Signal& s : signals_of_port())
                add(fmt::format("{}.{}", to_string(Port(p)), s.name), s, p);
        for (const Signal& s : signals_of_chip()) add(s.name, s, 0);
        return list;
    }();
    return all;
}

std::optional<size_t> first_difference(const SignalView& a, const SignalView& b) {
    if (a == b) return std::nullopt;
    for (size_t i = 0; i < chip_signals().size(); ++i)
        if (a.has(i) && b.has(i) && a.value(i) != b.value(i)) return i;
    return std::nullopt;
}

Registers model_registers(const fast::ChipState& chip) {
    Registers registers;
    for (const NamedSignal& s : chip_signals())
        if (s.signal->of_pins == nullptr)
            registers.push_back({nullptr, &chip, s.signal->of_model, s.port});
    return registers;
}

namespace {

// An entry is a word with one bit per link, then three bytes for each link whose bit is set.
constexpr uint32_t ShootBit = NumPorts;
constexpr uint32_t SliceBit = NumPorts + 1;
constexpr uint32_t ResetBit = NumPorts + 2;  // rst_ni
constexpr uint32_t BytesOfWord = 2;
constexpr uint32_t BytesOfLink = 3;
constexpr size_t MostBytes = BytesOfWord + NumPorts * BytesOfLink;
constexpr size_t BufferSize = 1 << 16;
constexpr uint32_t ReqAt = 18;
constexpr uint32_t CredAt = 20;

uint32_t packed(const core::LinkPinsIn& link) {
    return uint32_t(link.d) | link.req << ReqAt | link.cred << CredAt;
}
core::LinkPinsIn unpacked(uint32_t word) {
    return {word & 0x3FFFF, word >> ReqAt & 3, word >> CredAt & 3};
}

}  // namespace

PinRecord::PinRecord(uint32_t chips)
    : m_file(std::tmpfile(), std::fclose), m_buffer(BufferSize), m_last(chips, Packed{}) {
    m_lost = m_file == nullptr;
}

void PinRecord::add(const core::PinsIn& in, bool rst_n) {
    Packed& last = m_last[m_next];
    m_next = m_next + 1 == m_last.size() ? 0 : m_next + 1;
    if (m_lost) return;
    if (m_filled + MostBytes > m_buffer.size()) flush();
    uint8_t* const bytes = m_buffer.data() + m_filled;
    uint8_t* to = bytes + BytesOfWord;
    uint32_t word = uint32_t(in.shoot) << ShootBit | uint32_t(in.slice) << SliceBit |
                    uint32_t(rst_n) << ResetBit;
    for (uint32_t p = 0; p < NumPorts; ++p) {
        const uint32_t link = packed(in.link[p]);
        if (link == last[p]) continue;
        last[p] = link;
        word |= 1u << p;
        for (uint32_t k = 0; k < BytesOfLink; ++k) *to++ = uint8_t(link >> 8 * k);
    }
    bytes[0] = uint8_t(word);
    bytes[1] = uint8_t(word >> 8);
    m_filled += size_t(to - bytes);
}

void PinRecord::flush() {
    if (!m_lost)
        m_lost = std::fseek(m_file.get(), 0, SEEK_END) != 0 ||
                 std::fwrite(m_buffer.data(), 1, m_filled, m_file.get()) != m_filled;
    m_filled = 0;
}

PinRecord::Reader::Reader(PinRecord& record, uint32_t chip)
    : m_file(record.m_file.get()), m_chip(chip), m_chips(uint32_t(record.m_last.size())) {
    record.flush();
    if (record.m_lost) m_file = nullptr;
    else std::rewind(m_file);
}

bool PinRecord::Reader::read(Pins* to) {
    uint8_t bytes[BytesOfWord];
    if (std::fread(bytes, 1, BytesOfWord, m_file) != BytesOfWord) return false;
    const uint32_t word = bytes[0] | uint32_t(bytes[1]) << 8;
    for (uint32_t p = 0; p < NumPorts; ++p) {
        if ((word >> p & 1) == 0) continue;
        uint8_t link[BytesOfLink];
        if (std::fread(link, 1, BytesOfLink, m_file) != BytesOfLink) return false;
        if (to != nullptr)
            to->in.link[p] = unpacked(link[0] | uint32_t(link[1]) << 8 | uint32_t(link[2]) << 16);
    }
    if (to == nullptr) return true;
    to->in.shoot = (word >> ShootBit & 1) != 0;
    to->in.slice = (word >> SliceBit & 1) != 0;
    to->rst_n = (word >> ResetBit & 1) != 0;
    return true;
}

bool PinRecord::Reader::next() {
    if (m_file == nullptr) return false;
    for (uint32_t c = 0; c < m_chips; ++c)
        if (!read(c == m_chip ? &m_pins : nullptr)) return false;
    return true;
}

}  // namespace rdt::machine
