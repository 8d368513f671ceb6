// SPDX-License-Identifier: MIT
// Ctrl-C, SIGTERM and SIGHUP that end a long run instead of the program.
#pragma once

#include <atomic>

namespace rdt {

// While one lives, the first such signal is only noted, and the second ends the program
// (tidy.h, which has to be switched on).
class InterruptGuard {
public:
    InterruptGuard() { ++guards(); }
    ~InterruptGuard() { --guards(); }
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    static bool interrupted() { return noted().load() != 0; }
    // The number of the signal that was noted; 0: none.
    static int signal() { return noted().load(); }
    // Called by the signal handler. False: no guard lives, or a signal was noted before.
    static bool take(int signal) {
        int none = 0;
        return guards().load() > 0 && noted().compare_exchange_strong(none, signal);
    }

private:
    static std::atomic<int>& noted() {
        static std::atomic<int> number{0};
        return number;
    }
    static std::atomic<int>& guards() {
        static std::atomic<int> count{0};
        return count;
    }
};

}  // namespace rdt
