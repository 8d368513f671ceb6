// SPDX-License-Identifier: MIT
// What Verilated models have counted, added up by class of model over the whole program. At its end
// it goes to a file in the folder that RDT_COVERAGE_DIR names. Used by what tb/cov/cover.py makes
// of a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace rdt::cov {

// A point as Verilator describes it; all of these are literals.
struct Point {
    const char* file;
    int line;
    int column;
    const char* instance;
    const char* kind;
    const char* what;
    const char* lines;
};

class Counts {
public:
    // The same for all models of a class: the first one that comes is kept.
    void describe(size_t number, const Point& point) {
        const std::lock_guard lock(m_mutex);
        if (number >= m_points.size()) m_points.resize(number + 1);
        if (m_points[number].file == nullptr) m_points[number] = point;
    }
    // A model is destroyed.
    void add(const uint32_t* counts, size_t number);

    // kind, file, line, column, instance, what, lines, sum of all models, most of one model
    void write(std::ostream& out) const;
    // Number of points of a kind, and number of points hit.
    struct Hits {
        size_t points = 0;
        size_t hit = 0;
    };
    Hits hits(const std::string& kind) const;

private:
    std::mutex m_mutex;
    std::vector<Point> m_points;
    std::vector<uint64_t> m_sum;
    std::vector<uint32_t> m_most;  // a bit that changed twice in one model has risen and fallen
};

Counts& counts_of(const std::string& model);

// Bits of a vector have changed; that of bit 0 would be the `first` of the counters.
inline void toggled(uint32_t* counts, int first, uint32_t bits) {
    for (; bits != 0; bits &= bits - 1) ++counts[first + __builtin_ctz(bits)];
}

}  // namespace rdt::cov
