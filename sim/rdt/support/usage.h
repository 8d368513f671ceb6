// SPDX-License-Identifier: MIT
// What the program has used so far.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <ctime>
#include <fstream>

namespace rdt {

// CPU time of all threads, or of the calling one.
inline double cpu_seconds(bool of_all_threads) {
    timespec t{};
    clock_gettime(of_all_threads ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// Resident memory; 0 where the system does not report it.
inline uint64_t resident_bytes() {
    std::ifstream in("/proc/self/statm");
    uint64_t size = 0;
    uint64_t resident = 0;
    in >> size >> resident;
    return resident * uint64_t(sysconf(_SC_PAGESIZE));
}

}  // namespace rdt
