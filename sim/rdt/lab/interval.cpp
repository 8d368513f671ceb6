// SPDX-License-Identifier: MIT
#include <rdt/lab/interval.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace rdt::lab {

double student_95(size_t degrees_of_freedom) {
    static constexpr double T[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                   2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                                   2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                                   2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
    if (degrees_of_freedom == 0) return 0;
    if (degrees_of_freedom <= std::size(T)) return T[degrees_of_freedom - 1];
    // The first terms of its expansion, right to three digits from 30 on.
    constexpr double Z = 1.959964, Z3 = Z * Z * Z, Z5 = Z3 * Z * Z;
    const auto n = double(degrees_of_freedom);
    return Z + (Z3 + Z) / (4 * n) + (5 * Z5 + 16 * Z3 + 3 * Z) / (96 * n * n);
}

Interval interval_of(const std::vector<double>& values) {
    if (values.empty()) return {};
    const auto n = double(values.size());
    double sum = 0, squares = 0;
    for (const double v : values) sum += v;
    const double mean = sum / n;
    if (values.size() == 1) return {mean, 0};
    for (const double v : values) squares += (v - mean) * (v - mean);
    return {mean, student_95(values.size() - 1) * std::sqrt(squares / (n - 1) / n)};
}

size_t truncation_by_mser(const std::vector<double>& series) {
    size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    // From the end, so that sums grow by a value each.
    double sum = 0, squares = 0;
    for (size_t left = series.size(); left-- > 0;) {
        sum += series[left];
        squares += series[left] * series[left];
        if (left > series.size() / 2) continue;
        const auto n = double(series.size() - left);
        const double error = std::max(0.0, squares - sum * sum / n) / (n * n);
        if (error <= least) {
            least = error;
            best = left;
        }
    }
    return best;
}

std::vector<double> batch_means(const std::vector<double>& series, size_t batches) {
    std::vector<double> means;
    const size_t size = series.size() / std::max<size_t>(1, batches);
    if (size == 0) return series;
    for (size_t at = series.size() - size * batches; at < series.size(); at += size) {
        double sum = 0;
        for (size_t i = at; i < at + size; ++i) sum += series[i];
        means.push_back(sum / double(size));
    }
    return means;
}

}  // namespace rdt::lab
