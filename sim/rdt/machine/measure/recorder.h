// SPDX-License-Identifier: MIT
// Records nodes of a machine to a waveform, with a GTKWave save file beside it: pins and a few
// registers, or everything inside their chips, where the engine shows that.
#pragma once

#include <optional>

#include <rdt/machine/measure/follower.h>
#include <rdt/cosim/inside_recorder.h>
#include <rdt/machine/machine.h>
#include <rdt/cosim/wave_file.h>

namespace rdt::machine {

struct WaveOptions {
    std::string path;             // .fst or .vcd
    std::vector<uint32_t> nodes;  // to record
    uint64_t from = 0;            // cycle of the machine
    uint64_t to = ~uint64_t(0);   // the last one
};

class Recorder {
public:
    // Throws std::invalid_argument for an invalid node, name or range of cycles, OutputError if a
    // file cannot be written. For engines with internal signals, before the first cycle of the
    // machine.
    Recorder(Machine& machine, const WaveOptions& options);
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    // After every cycle of the machine.
    void clock();

    // Ends the recording; returns the path of the save file, or nothing if no cycle of the run was
    // to be recorded: then there is no file either.
    std::string finish();

    // Where two models of one chip are recorded: how they differed first, if they did.
    std::string difference() const;

private:
    // Flits received at a link.
    struct Input {
        size_t id;
        std::function<uint64_t()> read;
    };
    struct Recorded {
        uint32_t node;
        SignalView view;
        std::vector<std::pair<size_t, size_t>> ids;  // signal of the list, and of the file
    };
    // Type of the packet on a link, whichever end sends it.
    struct Sender {
        uint32_t node;
        uint32_t port;
        size_t id;
        Follower follower;
        Follower far;
    };
    void add(uint32_t node);
    void add_signal_views(uint32_t node);
    void record();
    std::string write_save() const;

    Machine& m_machine;
    const WaveOptions m_options;
    WaveFile m_file;
    std::optional<uint64_t> m_first;  // clock that was recorded
    std::vector<Recorded> m_signal_views;
    std::vector<Input> m_inputs;
    std::vector<Sender> m_senders;
    std::vector<std::unique_ptr<InsideRecorder>> m_insides;
    bool m_is_running = false;  // clock() was called
};

}  // namespace rdt::machine
