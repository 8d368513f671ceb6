// SPDX-License-Identifier: MIT
#include <rdt/machine/cosim/lockstep.h>

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>

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

// What differs comes first, then everything else, both sides one above the other.
std::string Lockstep::write_save_of(const std::string& path, const Pair& differs,
                                    uint64_t first) const {
    const std::filesystem::path dump(path);
    std::filesystem::path save = dump;
    save.replace_extension(".gtkw");
    std::string text = fmt::format(
        "[dumpfile] \"{}\"\n[savefile] \"{}\"\n[timestart] {}\n[sst_expanded] 0\n"
        "[signals_width] 260\n*-4.0 {}\n",
        dump.filename().string(), save.filename().string(), first, m_clock);
    const auto row = [&text](const std::string& name, unsigned width, const char* colour) {
        text += fmt::format("{}\n{}{}{}\n", width == 1 ? "@28" : "@22", colour, name,
                            width > 1 ? fmt::format("[{}:0]", width - 1) : "");
    };
    const auto both = [&](const Pair& p) {
        row(m_sides[0] + "." + p.signal, p.width, "");
        row(m_sides[1] + "." + p.signal, p.width, "[color] 3\n");
    };
    text += "@800200\n-differs\n";
    both(differs);
    text += "@1000200\n-differs\n";
    for (const Note& n : m_notes) row("stimulus." + n.signal, n.width, "[color] 4\n");
    for (const Pair& p : m_pairs)
        if (&p != &differs) both(p);
    write_file(save.string(), text);
    return save.string();
}

}  // namespace rdt::machine
