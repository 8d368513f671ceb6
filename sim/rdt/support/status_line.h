// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace rdt {

// A line on the terminal that says how far things are. Each text takes the place of the last one,
// and the end that of all; where standard error is no terminal nothing is written.
class StatusLine {
public:
    StatusLine() = default;
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;
    ~StatusLine() { clear(); }

    void show(const std::string& text) {
        if (!m_watched || text == m_text) return;
        put(fmt::format("\r{:<{}}", text, m_text.size()));
        m_text = text;
    }
    void show_share(double share) { show(fmt::format("{:3} %", int(share * 100))); }
    void clear() {
        if (!m_text.empty()) put(fmt::format("\r{:{}}\r", "", m_text.size()));
        m_text.clear();
    }

private:
    static void put(const std::string& text) { std::fputs(text.c_str(), stderr); }
    const bool m_watched = isatty(STDERR_FILENO) != 0;
    std::string m_text;
};

}  // namespace rdt
