// SPDX-License-Identifier: MIT
#include "machine/wave_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "gtkwave/fstapi.h"
#include "io/output.h"

namespace rdt::machine {

namespace {

std::string range(unsigned width) { return width > 1 ? fmt::format(" [{}:0]", width - 1) : ""; }

// The FST library does not say when a write fails. Its file is a row of blocks, each a byte of type
// and eight of length; one that was not finished has length 0 or ends behind the file.
bool is_complete_fst(const std::string& path) {
    constexpr size_t HeadBytes = 9;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               std::fclose);
    if (!file || std::fseek(file.get(), 0, SEEK_END) != 0) return false;
    const auto size = uint64_t(std::ftell(file.get()));
    bool has_hierarchy = false;
    uint64_t at = 0;
    while (at + HeadBytes <= size) {
        uint8_t head[HeadBytes];
        if (std::fseek(file.get(), long(at), SEEK_SET) != 0 ||
            std::fread(head, 1, HeadBytes, file.get()) != HeadBytes)
            return false;
        uint64_t length = 0;
        for (size_t i = 1; i < HeadBytes; ++i) length = length << 8 | head[i];
        if (length == 0 || length > size) return false;
        has_hierarchy |=
            head[0] == FST_BL_HIER || head[0] == FST_BL_HIER_LZ4 || head[0] == FST_BL_HIER_LZ4DUO;
        at += 1 + length;
    }
    return has_hierarchy && at == size;
}

class FstWriter : public WaveFile::Writer {
public:
    explicit FstWriter(const std::string& path)
        : m_path(path), m_file(path), m_fst(fstWriterCreate(m_file.name().c_str(), 1)) {
        if (m_fst == nullptr) throw OutputError("cannot write " + path);
        fstWriterSetPackType(m_fst, FST_WR_PT_LZ4);
        fstWriterSetTimescaleFromString(m_fst, "1ns");
    }
    ~FstWriter() override {
        if (m_fst != nullptr) fstWriterClose(m_fst);
    }
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
    void close() override {
        fstWriterClose(m_fst);
        m_fst = nullptr;
        if (!is_complete_fst(m_file.name()))
            throw OutputError("cannot write " + m_path + ": it is not complete; is the disk full?");
    }
    void commit() override { m_file.commit(); }

private:
    const std::string m_path;
    PendingFile m_file;
    void* m_fst;
};

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
    void time(uint64_t t) override {
        end_definitions();
        m_file.write(fmt::format("#{}\n", t));
    }
    void value(uint32_t handle, unsigned width, uint64_t v) override {
        if (width == 1) m_file.write(fmt::format("{}{}\n", v & 1, identifier(handle)));
        else m_file.write(fmt::format("b{:b} {}\n", v, identifier(handle)));
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
    bool m_defined = false;
};

}  // namespace

WaveFile::WaveFile(const std::string& path) {
    const std::string ending = std::filesystem::path(path).extension().string();
    if (ending == ".vcd") m_writer = std::make_unique<VcdWriter>(path);
    else if (ending == ".fst") m_writer = std::make_unique<FstWriter>(path);
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

void WaveFile::close() {
    enter({});
    m_writer->close();
}

void WaveFile::commit() { m_writer->commit(); }

}  // namespace rdt::machine
