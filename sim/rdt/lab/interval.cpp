// SPDX-License-Identifier: MIT
#include <rdt/lab/interval.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace rdt::lab {

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
