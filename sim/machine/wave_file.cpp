// SPDX-License-Identifier: MIT
#include "machine/wave_file.h"

#include <algorithm>
#include <stdexcept>

#include "gtkwave/fstapi.h"

namespace rdt::machine {

WaveFile::WaveFile(const std::string& path) : m_fst(fstWriterCreate(path.c_str(), 1)) {
    if (m_fst == nullptr) throw std::runtime_error("cannot write " + path);
    fstWriterSetPackType(m_fst, FST_WR_PT_LZ4);
    fstWriterSetTimescaleFromString(m_fst, "1ns");
}

WaveFile::~WaveFile() {
    enter({});
    fstWriterClose(m_fst);
}

void WaveFile::enter(const std::vector<std::string>& scopes) {
    const auto [have, want] =
        std::mismatch(m_scopes.begin(), m_scopes.end(), scopes.begin(), scopes.end());
    for (auto it = have; it != m_scopes.end(); ++it) fstWriterSetUpscope(m_fst);
    for (auto it = want; it != scopes.end(); ++it)
        fstWriterSetScope(m_fst, FST_ST_VCD_MODULE, it->c_str(), nullptr);
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
    std::string leaf = parts.back();
    parts.pop_back();
    enter(parts);
    if (width > 1) leaf += " [" + std::to_string(width - 1) + ":0]";
    const auto handle =
        fstWriterCreateVar(m_fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width, leaf.c_str(), 0);
    m_signals.push_back({handle, width, false, 0});
    return m_signals.size() - 1;
}

void WaveFile::time(uint64_t t) { fstWriterEmitTimeChange(m_fst, t); }

void WaveFile::value(size_t signal, uint64_t v) {
    Signal& s = m_signals[signal];
    if (s.written && s.last == v) return;
    s.written = true;
    s.last = v;
    fstWriterEmitValueChange64(m_fst, s.handle, s.width, v);
}

}  // namespace rdt::machine
