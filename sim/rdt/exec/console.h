// SPDX-License-Identifier: MIT
// What the nodes print: whole lines of a node, so that lines of different nodes are not mixed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace rdt::exec {

class Console {
public:
    using Write = std::function<void(const std::string& text)>;

    Console(uint32_t harts, bool has_prefix, Write write)
        : m_lines(harts), m_has_prefix(has_prefix), m_write(std::move(write)) {}

    void put(uint32_t hart, char c) {
        std::string& line = m_lines[hart];
        line += c;
        if (c == '\n' || line.size() >= MaxLine) flush(hart);
    }
    // The rest of incomplete lines.
    void flush() {
        for (uint32_t hart = 0; hart < m_lines.size(); ++hart)
            if (!m_lines[hart].empty()) flush(hart);
    }

private:
    static constexpr size_t MaxLine = 4096;
    void flush(uint32_t hart) {
        if (m_has_prefix) m_lines[hart].insert(0, "[" + std::to_string(hart) + "] ");
        if (m_write) m_write(m_lines[hart]);
        m_lines[hart].clear();
    }

    std::vector<std::string> m_lines;
    const bool m_has_prefix;
    const Write m_write;
};

}  // namespace rdt::exec
