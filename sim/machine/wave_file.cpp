// SPDX-License-Identifier: MIT
#include "machine/wave_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "gtkwave/fstapi.h"

namespace rdt::machine {

namespace {

[[noreturn]] void cannot_write(const std::string& path) {
    throw std::runtime_error("cannot write " + path);
}

std::string range(unsigned width) { return width > 1 ? fmt::format(" [{}:0]", width - 1) : ""; }

class FstWriter : public WaveFile::Writer {
public:
    explicit FstWriter(const std::string& path) : m_fst(fstWriterCreate(path.c_str(), 1)) {
        if (m_fst == nullptr) cannot_write(path);
        fstWriterSetPackType(m_fst, FST_WR_PT_LZ4);
        fstWriterSetTimescaleFromString(m_fst, "1ns");
    }
    ~FstWriter() override { fstWriterClose(m_fst); }
    void scope(const std::string& name) override {
        fstWriterSetScope(m_fst, FST_ST_VCD_MODULE, name.c_str(), nullptr);
    }
    void upscope() override { fstWriterSetUpscope(m_fst); }
    uint32_t variable(const std::string& name, unsigned width) override {
        return fstWriterCreateVar(m_fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width,
                                  (name + range(width)).c_str(), 0);
    }
    void time(uint64_t t) override { fstWriterEmitTimeChange(m_fst, t); }
    void value(uint32_t handle, unsigned width, uint64_t v) override {
        fstWriterEmitValueChange64(m_fst, handle, width, v);
    }

private:
    void* m_fst;
};

class VcdWriter : public WaveFile::Writer {
public:
    explicit VcdWriter(const std::string& path) : m_file(std::fopen(path.c_str(), "w")) {
        if (m_file == nullptr) cannot_write(path);
        fmt::print(m_file, "$timescale 1ns $end\n");
    }
    ~VcdWriter() override {
        end_definitions();
        std::fclose(m_file);
    }
    void scope(const std::string& name) override {
        fmt::print(m_file, "$scope module {} $end\n", name);
    }
    void upscope() override { fmt::print(m_file, "$upscope $end\n"); }
    uint32_t variable(const std::string& name, unsigned width) override {
        fmt::print(m_file, "$var wire {} {} {}{} $end\n", width, identifier(m_count), name,
                   range(width));
        return m_count++;
    }
    void time(uint64_t t) override {
        end_definitions();
        fmt::print(m_file, "#{}\n", t);
    }
    void value(uint32_t handle, unsigned width, uint64_t v) override {
        if (width == 1) fmt::print(m_file, "{}{}\n", v & 1, identifier(handle));
        else fmt::print(m_file, "b{:b} {}\n", v, identifier(handle));
    }

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
        if (!m_defined) fmt::print(m_file, "$enddefinitions $end\n");
        m_defined = true;
    }

    std::FILE* m_file;
    uint32_t m_count = 0;
    bool m_defined = false;
};

bool is_vcd(const std::string& path) {
    constexpr const char* Ending = ".vcd";
    return path.size() > 4 && path.compare(path.size() - 4, 4, Ending) == 0;
}

}  // namespace

WaveFile::WaveFile(const std::string& path) {
    if (is_vcd(path)) m_writer = std::make_unique<VcdWriter>(path);
    else m_writer = std::make_unique<FstWriter>(path);
}

WaveFile::~WaveFile() { enter({}); }

void WaveFile::enter(const std::vector<std::string>& scopes) {
    const auto [have, want] =
        std::mismatch(m_scopes.begin(), m_scopes.end(), scopes.begin(), scopes.end());
    for (auto it = have; it != m_scopes.end(); ++it) m_writer->upscope();
    for (auto it = want; it != scopes.end(); ++it) m_writer->scope(*it);
    m_scopes = scopes;
}

size_t WaveFile::add(const std::string& name, unsigned width) {
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
    m_signals.push_back({m_writer->variable(leaf, width), width, false, 0});
    return m_signals.size() - 1;
}

void WaveFile::time(uint64_t t) {
    enter({});
    m_writer->time(t);
}

void WaveFile::value(size_t signal, uint64_t v) {
    Signal& s = m_signals[signal];
    if (s.written && s.last == v) return;
    s.written = true;
    s.last = v;
    m_writer->value(s.handle, s.width, v);
}

}  // namespace rdt::machine
