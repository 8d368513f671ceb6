// SPDX-License-Identifier: MIT
#include <rdt/support/sweep.h>

#include <cmath>
#include <stdexcept>

namespace rdt {

std::optional<double> SweepOrder::next() {
    for (const double load : m_options.loads) {
        if (!counts(load)) return std::nullopt;
        if (m_begun.insert(load).second) return load;
    }
    return std::nullopt;
}

std::vector<double> loads_between(double from, double to, double step) {
    if (!(step > 0))
        throw std::invalid_argument("the step from load to load has to be more than 0");
    if (!(from >= 0 && from <= to && to <= 1))
        throw std::invalid_argument(
            "the loads of a sweep have to lie between 0 and 1, the lower one first");
    if ((to - from) / step > 10000) throw std::invalid_argument("a sweep has 10000 points at most");
    std::vector<double> loads;
    // Rounded, so that a load reads as it would be typed.
    for (size_t i = 0; from + step * double(i) <= to + step * 1e-6; ++i)
        loads.push_back(std::round((from + step * double(i)) * 1e9) / 1e9);
    return loads;
}

}  // namespace rdt
