// SPDX-License-Identifier: MIT
// The bytes of the lines of a shared memory. The protocol carries versions, not bytes: what is in a
// version is kept here, where everybody finds it who has got that version. In the protocol
// `invalidate` alone: there a version is written in the clock in which the writer owns the line, so
// that its bytes are known before anybody else can get it, and writes of parts of a line do not
// lose each other.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <unordered_map>

namespace rdt::dsm {

class Contents {
public:
    static constexpr uint32_t LineBytes = 32;
    using Bytes = std::array<uint8_t, LineBytes>;

    // The bytes of this version; zeros before the first write.
    const Bytes& read(uint32_t line, uint64_t version) const {
        static const Bytes zeros{};
        const auto it = m_lines.find(line);
        if (it == m_lines.end() || version == 0) return zeros;
        const auto bytes = it->second.find(version);
        if (bytes == it->second.end()) throw std::logic_error("a version that nobody has written");
        return bytes->second;
    }
    const Bytes& newest(uint32_t line) const {
        const auto it = m_lines.find(line);
        return read(line, it == m_lines.end() ? 0 : it->second.rbegin()->first);
    }

    // The version is the one before, and what `change` does to it.
    template <class F>
    void write(uint32_t line, uint64_t version, F&& change) {
        Bytes bytes = read(line, version - 1);
        change(bytes);
        auto& versions = m_lines[line];
        versions[version] = bytes;
        while (versions.size() > Kept) versions.erase(versions.begin());
    }

private:
    // Versions that a copy on its way may still have: a node has one operation under way at a time.
    static constexpr size_t Kept = 256;
    std::unordered_map<uint32_t, std::map<uint64_t, Bytes>> m_lines;
};

}  // namespace rdt::dsm
