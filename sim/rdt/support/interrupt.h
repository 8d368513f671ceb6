// SPDX-License-Identifier: MIT
// Ctrl-C that ends a long run instead of the program.
#pragma once

#include <csignal>

namespace rdt {

// While this lives. One at a time.
class InterruptGuard {
public:
    InterruptGuard() : m_before(std::signal(SIGINT, [](int) { flag() = 1; })) {}
    ~InterruptGuard() { std::signal(SIGINT, m_before); }
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    static bool interrupted() { return flag() != 0; }

private:
    static volatile std::sig_atomic_t& flag() {
        static volatile std::sig_atomic_t value = 0;
        return value;
    }
    void (*m_before)(int);
};

}  // namespace rdt
