// SPDX-License-Identifier: MIT
// Compares two models of the same thing, signal by signal, in every cycle.
//
// Register every output pin and every register that matters with add(), the
// stimulus with note(); call compare() once per cycle when both sides have
// settled. The first difference is described, with a waveform of the last
// cycles with both sides in it, and a GTKWave save file beside it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rdt/cosim/wave_file.h>

namespace rdt::machine {

class Lockstep {
public:
    using Getter = std::function<uint64_t()>;
    static constexpr size_t WaveClocks = 200;
    static constexpr uint64_t WaveBefore = 20;  // shown before the difference, at first

    // `name` becomes the wave file's name; `rerun` is the exact line that runs this again; `clock`
    // is the first one that is compared; `sides` are the names of the two models.
    Lockstep(std::string name, uint64_t seed, std::string rerun, uint64_t clock = 0,
             std::array<std::string, 2> sides = {"rtl", "systemc"});
    ~Lockstep();
    Lockstep(const Lockstep&) = delete;
    Lockstep& operator=(const Lockstep&) = delete;

    void add(std::string signal, unsigned width, Getter rtl, Getter model);
    void note(std::string signal, unsigned width, Getter value);

    // Writes every cycle from now on to a wave file, both sides and the stimulus; it is there when
    // this ends. After all add() and note(). Throws as WaveFile does.
    void record(const std::string& path);

    // Nothing if both sides are equal; else the whole report.
    std::optional<std::string> compare();

    uint64_t clock() const { return m_clock; }
    size_t signals() const { return m_pairs.size(); }

private:
    struct Pair {
        std::string signal;
        unsigned width;
        Getter rtl;
        Getter model;
    };
    struct Note {
        std::string signal;
        unsigned width;
        Getter value;
    };

    // A wave file with all signals in it, in the order of a row of m_ring.
    struct Wave {
        std::unique_ptr<WaveFile> file;
        std::vector<size_t> ids;
        void write(uint64_t clock, const uint64_t* row);
        void finish(uint64_t clock);
    };

    size_t row_size() const { return 2 * m_pairs.size() + m_notes.size(); }
    Wave open_wave(const std::string& path) const;
    std::string report(const Pair& pair, uint64_t rtl, uint64_t model) const;
    // Return the waveform and the line that shows it, and the save file.
    std::string write_last_clocks(const Pair& differs) const;
    std::string write_save_of(const std::string& path, const Pair& differs, uint64_t first) const;

    std::string m_name;
    uint64_t m_seed;
    std::string m_rerun;
    std::array<std::string, 2> m_sides;
    std::vector<Pair> m_pairs;
    std::vector<Note> m_notes;
    std::vector<uint64_t> m_ring;  // WaveClocks rows: rtl and model of each pair, then the notes
    uint64_t m_first;
    uint64_t m_clock;
    Wave m_recording;
};

}  // namespace rdt::machine
