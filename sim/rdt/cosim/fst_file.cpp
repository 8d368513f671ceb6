// SPDX-License-Identifier: MIT
// Waveforms in GTKWave's own format, by its writer, which comes with Verilator.
#include <fmt/core.h>

#include <cstdio>
#include <memory>

#include "gtkwave/fstapi.h"
#include <rdt/cosim/fst_guard.h>
#include <rdt/support/output.h>
#include <rdt/cosim/wave_file.h>

namespace rdt::machine {

namespace {

std::string range(unsigned width) { return width > 1 ? fmt::format(" [{}:0]", width - 1) : ""; }

// The FST library does not report failed writes. Its file is a row of blocks, each a byte of type
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
        : m_path(path),
          m_file(path),
          m_hierarchy(m_file.name() + ".hier"),
          m_fst(fstWriterCreate(m_file.name().c_str(), 1)) {
        if (m_fst == nullptr) throw OutputError("cannot write " + path);
        rdt_fst_has_failed();
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
    void edge(const std::string& name) override {
        const fstHandle handle =
            fstWriterCreateVar(m_fst, FST_VT_VCD_EVENT, FST_VD_IMPLICIT, 1, name.c_str(), m_edge);
        if (m_edge == 0) m_edge = handle;
    }
    void time(uint64_t t) override {
        fstWriterEmitTimeChange(m_fst, t);
        if (m_edge != 0) fstWriterEmitValueChange32(m_fst, m_edge, 1, 1);
    }
    void value(uint32_t handle, unsigned width, const uint32_t* words) override {
        fstWriterEmitValueChangeVec32(m_fst, handle, width, words);
    }
    void close() override {
        fstWriterClose(m_fst);
        m_fst = nullptr;
        if (rdt_fst_has_failed() != 0 || !is_complete_fst(m_file.name()))
            throw OutputError("cannot write " + m_path + ": it is not complete; is the disk full?");
    }
    void commit() override { m_file.commit(); }

private:
    const std::string m_path;
    PendingFile m_file;
    TransientName m_hierarchy;  // the library's own, until it is done
    decltype(fstWriterCreate("", 1)) m_fst;
    fstHandle m_edge = 0;  // 0: there is none
};

const WaveFormat fst{".fst", [](const std::string& path) -> std::unique_ptr<WaveFile::Writer> {
                         return std::make_unique<FstWriter>(path);
                     }};

}  // namespace

}  // namespace rdt::machine
