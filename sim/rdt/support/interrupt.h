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

    static bool interrupted() { return flag().load(); }
    // Called by the signal handler. False: nobody looks at it, or it was there before.
    static bool take() { return guards().load() > 0 && !flag().exchange(true); }

private:
    static std::atomic<bool>& flag() {
        static std::atomic<bool> value{false};
        return value;
    }
    static std::atomic<int>& guards() {
        static std::atomic<int> count{0};
        return count;
    }
};

}  // namespace rdt
