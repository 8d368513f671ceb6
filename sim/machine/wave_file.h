// SPDX-License-Identifier: MIT
// Writes a waveform that GTKWave opens, with scopes, one value at a time: FST, or VCD if the name
// ends in .vcd.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace rdt::machine {

class WaveFile {
public:
    // Throws std::runtime_error if the file cannot be created.
    explicit WaveFile(const std::string& path);
    ~WaveFile();
    WaveFile(const WaveFile&) = delete;
    WaveFile& operator=(const WaveFile&) = delete;

    // Before the first time(). `name` may hold dots: all but the last part are scopes.
    size_t add(const std::string& name, unsigned width);
    void time(uint64_t t);
    void value(size_t signal, uint64_t v);

    // One of the two formats.
    class Writer {
    public:
        virtual ~Writer() = default;
        virtual void scope(const std::string& name) = 0;
        virtual void upscope() = 0;
        virtual uint32_t variable(const std::string& name, unsigned width) = 0;
        virtual void time(uint64_t t) = 0;
        virtual void value(uint32_t handle, unsigned width, uint64_t v) = 0;
    };

private:
    struct Signal {
        uint32_t handle;
        unsigned width;
        bool written;
        uint64_t last;
    };
    void enter(const std::vector<std::string>& scopes);

    std::unique_ptr<Writer> m_writer;
    std::vector<std::string> m_scopes;
    std::vector<Signal> m_signals;
};

}  // namespace rdt::machine
