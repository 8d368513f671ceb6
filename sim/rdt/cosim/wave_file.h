// SPDX-License-Identifier: MIT
// Writes a waveform that GTKWave opens, with scopes, one value at a time: FST or VCD, as the name
// ends. It is there after commit(), or not at all. FST is written by code that comes with
// Verilator, so a build without it has VCD alone.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rdt::machine {

class WaveFile {
public:
    // Throws std::invalid_argument for another ending, OutputError if there can be no such file.
    explicit WaveFile(const std::string& path);
    WaveFile(const WaveFile&) = delete;
    WaveFile& operator=(const WaveFile&) = delete;

    // Before the first time(). `name` may hold dots: all but the last part are scopes.
    size_t add(const std::string& name, unsigned width);
    // Something that happens at every time(): a clock edge. There may be many of the name.
    void add_edge(const std::string& name);
    void time(uint64_t t);
    void value(size_t signal, uint64_t v);
    // Bits 32 a word, the lowest first, and one word more.
    void value(size_t signal, const uint32_t* words);
    // Ends the file, but for its name; throws OutputError if it is not complete.
    void close();
    void commit();

    // One of the two formats.
    class Writer {
    public:
        virtual ~Writer() = default;
        virtual void scope(const std::string& name) = 0;
        virtual void upscope() = 0;
        virtual uint32_t variable(const std::string& name, unsigned width) = 0;
        // All of them are one.
        virtual void edge(const std::string& name) = 0;
        virtual void time(uint64_t t) = 0;
        virtual void value(uint32_t handle, unsigned width, const uint32_t* words) = 0;
        virtual void close() = 0;
        virtual void commit() = 0;
    };

private:
    struct Signal {
        uint32_t handle;
        unsigned width;
        bool written;
        std::vector<uint32_t> last;
    };
    // Goes into the scopes of a name; returns what is left of it.
    std::string enter_scopes_of(const std::string& name);
    void enter(const std::vector<std::string>& scopes);

    std::unique_ptr<Writer> m_writer;
    std::vector<std::string> m_scopes;
    std::vector<Signal> m_signals;
    std::optional<uint64_t> m_time;
};

// Makes a format known by the ending of its files.
struct WaveFormat {
    using Make = std::unique_ptr<WaveFile::Writer> (*)(const std::string& path);
    WaveFormat(const std::string& ending, Make make) { all()[ending] = make; }
    static std::map<std::string, Make>& all();
};

}  // namespace rdt::machine
