// SPDX-License-Identifier: MIT
#include "common/lockstep.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>

#include "common/wave_file.h"

namespace rdt::tb {

Lockstep::Lockstep(std::string name, uint64_t seed, std::string rerun)
    : m_name(std::move(name)), m_seed(seed), m_rerun(std::move(rerun)) {}

void Lockstep::add(std::string signal, unsigned width, Getter rtl, Getter model) {
    m_pairs.push_back({std::move(signal), width, std::move(rtl), std::move(model)});
}

void Lockstep::note(std::string signal, unsigned width, Getter value) {
    m_notes.push_back({std::move(signal), width, std::move(value)});
}

std::optional<std::string> Lockstep::compare() {
    const size_t row = 2 * m_pairs.size() + m_notes.size();
    m_ring.resize(WaveClocks * row);
    uint64_t* out = &m_ring[m_clock % WaveClocks * row];
    const Pair* differs = nullptr;
    for (const Pair& p : m_pairs) {
        out[0] = p.rtl();
        out[1] = p.model();
        if (out[0] != out[1] && differs == nullptr) differs = &p;
        out += 2;
    }
    for (const Note& n : m_notes) *out++ = n.value();
    if (differs != nullptr) return report(*differs, differs->rtl(), differs->model());
    ++m_clock;
    return std::nullopt;
}

std::string Lockstep::report(const Pair& pair, uint64_t rtl, uint64_t model) const {
    std::string wave;
    try {
        wave = write_wave();
    } catch (const std::exception& e) {
        wave = fmt::format("none ({})", e.what());
    }
    return fmt::format("difference at clock {}: {} rtl={:#x} systemc={:#x}\n  seed={}\n  rerun: {}\n  waveform: {}",
                       m_clock, pair.signal, rtl, model, m_seed, m_rerun, wave);
}

std::string Lockstep::write_wave() const {
    const std::string path = fmt::format("{}_seed{}.fst", m_name, m_seed);
    WaveFile wave(path);
    std::vector<size_t> ids;
    for (const char* side : {"rtl", "systemc"})
        for (const Pair& p : m_pairs) ids.push_back(wave.add(fmt::format("{}.{}", side, p.signal), p.width));
    for (const Note& n : m_notes) ids.push_back(wave.add("stimulus." + n.signal, n.width));
    const size_t row = 2 * m_pairs.size() + m_notes.size();
    const uint64_t first = m_clock + 1 < WaveClocks ? 0 : m_clock + 1 - WaveClocks;
    for (uint64_t t = first; t <= m_clock; ++t) {
        wave.time(t);
        const uint64_t* values = &m_ring[t % WaveClocks * row];
        for (size_t i = 0; i < m_pairs.size(); ++i) {
            wave.value(ids[i], values[2 * i]);
            wave.value(ids[m_pairs.size() + i], values[2 * i + 1]);
        }
        for (size_t i = 0; i < m_notes.size(); ++i)
            wave.value(ids[2 * m_pairs.size() + i], values[2 * m_pairs.size() + i]);
    }
    wave.time(m_clock + 1);
    return path;
}

}  // namespace rdt::tb
