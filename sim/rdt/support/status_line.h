// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>

namespace rdt {

// A line on the terminal that shows the progress. Each text replaces the last one, and the end
// clears it. Where standard error is no terminal nothing is written, or, with InLogs, a line every
// ten seconds.
class StatusLine {
public:
    static constexpr bool InLogs = true;

    explicit StatusLine(bool in_logs = false) : m_in_logs(in_logs) {}
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;
    ~StatusLine() { clear(); }

    void show(const std::string& text) {
        if (!m_watched && m_in_logs) log(text);
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
    using Clock = std::chrono::steady_clock;
    void log(const std::string& text) {
        if (Clock::now() - m_logged < std::chrono::seconds(10)) return;
        m_logged = Clock::now();
        put(text + "\n");
    }
    static void put(const std::string& text) { std::fputs(text.c_str(), stderr); }
    const bool m_watched = isatty(STDERR_FILENO) != 0;
    const bool m_in_logs;
    Clock::time_point m_logged = Clock::now();
    std::string m_text;
};

}  // namespace rdt
