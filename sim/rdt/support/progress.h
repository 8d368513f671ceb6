// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <string>

#include <rdt/support/status_line.h>

namespace rdt {

// "45 s", "12 min" or "3.2 h".
inline std::string duration_text(double seconds) {
    constexpr double Minute = 60, Hour = 3600;
    if (seconds < 2 * Minute) return fmt::format("{:.0f} s", std::ceil(seconds));
    if (seconds < 2 * Hour) return fmt::format("{:.0f} min", std::ceil(seconds / Minute));
    return fmt::format("{:.1f} h", seconds / Hour);
}

// A progress bar on the terminal, with the rate and the time left. Threads may share one.
class ProgressBar {
public:
    // `unit` is what is counted, as "cycles"; empty: no rate is shown.
    explicit ProgressBar(std::string unit) : m_unit(std::move(unit)) {}

    // `units`: how many of them there were so far, if that is not what is done.
    void show(double done, double of, double units = -1, const std::string& note = "") {
        const std::lock_guard<std::mutex> lock(m_mutex);
        const double now = seconds();
        if (is_due(now))
            m_status.show(text(std::min(done, of), of, units < 0 ? done : units, now) + note);
    }
    // All is done, but the end waits.
    void show_waiting(const std::string& for_what) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        if (is_due(seconds())) m_status.show(text(1, 1, 0, 0) + ", waiting for " + for_what);
    }
    void clear() {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_status.clear();
    }

    std::string text(double done, double of, double units, double elapsed) const {
        constexpr int Width = 30;
        const double share = of > 0 ? done / of : 0;
        const int filled = int(share * Width);
        std::string line = fmt::format("[{:#<{}}{:.<{}}] {:3} %", "", filled, "", Width - filled,
                                       int(100 * share));
        if (elapsed < Pause) return line;
        if (!m_unit.empty()) line += fmt::format(", {:.3g} {}/s", units / elapsed, m_unit);
        if (share > 0) line += fmt::format(", {} left", duration_text(elapsed / share - elapsed));
        return line;
    }

private:
    bool is_due(double now) {
        if (now - m_shown < Pause && m_shown > 0) return false;
        m_shown = now;
        return true;
    }

    static constexpr double Pause = 0.1;  // seconds
    using Clock = std::chrono::steady_clock;
    double seconds() const { return std::chrono::duration<double>(Clock::now() - m_start).count(); }

    const std::string m_unit;
    const Clock::time_point m_start = Clock::now();
    double m_shown = 0;
    std::mutex m_mutex;
    StatusLine m_status{StatusLine::InLogs};
};

}  // namespace rdt
