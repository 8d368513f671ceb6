// SPDX-License-Identifier: MIT
// Writes an FST file that GTKWave opens, with scopes, one value at a time.
#pragma once

#include <cstdint>
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

    // `name` may hold dots: all but the last part are scopes.
    size_t add(const std::string& name, unsigned width);
    void time(uint64_t t);
    void value(size_t signal, uint64_t v);

private:
    struct Signal {
        uint32_t handle;
        unsigned width;
        bool written;
        uint64_t last;
    };
    void enter(const std::vector<std::string>& scopes);

    void* m_fst;
    std::vector<std::string> m_scopes;
    std::vector<Signal> m_signals;
};

}  // namespace rdt::machine
