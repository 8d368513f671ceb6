// SPDX-License-Identifier: MIT
// How well one run knows its means: intervals of 95 % from batches.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

namespace rdt {

constexpr double Unknown = std::numeric_limits<double>::quiet_NaN();

// Student's t, two-sided.
inline double student_95(size_t degrees_of_freedom) {
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

// A stretch of the run: how many values fell into it, and their sum.
struct Stretch {
    double count = 0;
    double sum = 0;
};

// Half of the 95 % confidence interval of sum / count over equally long stretches of a run; Unknown
// if there are too few. Few, long batches: six. Their variance is corrected for the correlation of
// neighbors (of first order), and the interval for the skew of latencies: it is that of the
// logarithm, whose upper half is the larger one.
inline double half_interval(const std::vector<Stretch>& stretches) {
    constexpr size_t Batches = 6;
    constexpr double MostCorrelation = 0.8;
    const size_t size = stretches.size() / Batches;
    Stretch all;
    for (const Stretch& s : stretches) {
        all.count += s.count;
        all.sum += s.sum;
    }
    if (size == 0 || all.count == 0) return Unknown;
    const double mean = all.sum / all.count;
    // Excess of a batch over the average of its values. Stretches left over are those at the
    // beginning.
    std::vector<double> surplus;
    for (size_t at = stretches.size() % Batches; at < stretches.size(); at += size) {
        double more = 0;
        for (size_t i = at; i < at + size; ++i)
            more += stretches[i].sum - mean * stretches[i].count;
        surplus.push_back(more);
    }
    double squares = 0, neighbors = 0;
    for (size_t i = 0; i < surplus.size(); ++i) {
        squares += surplus[i] * surplus[i];
        if (i > 0) neighbors += surplus[i] * surplus[i - 1];
    }
    if (squares == 0) return 0;
    const auto n = double(surplus.size());
    // The estimate of so few is too low by about 1 / n.
    const double correlation = std::clamp(neighbors / squares + 1 / n, 0.0, MostCorrelation);
    const double variance =
        squares / (n - 1) * n / (all.count * all.count) * (1 + correlation) / (1 - correlation);
    const double half = student_95(surplus.size() - 1) * std::sqrt(variance);
    return mean > 0 ? mean * std::expm1(std::min(half / mean, 10.0)) : half;
}

// Cycles that have to be measured for such an interval to hold; the wait is what the mean latency
// is above that of a packet without rivals. Near saturation the autocorrelation time of a queue is
// about the square of the mean wait over the service time: 150 service times. In a shorter run
// batches are no independent samples, and no estimate of their correlation shows it reliably.
inline uint64_t cycles_needed(double mean_wait, double flits) {
    constexpr double Times = 150;
    mean_wait = std::max(mean_wait, 0.0);
    return uint64_t(std::ceil(Times * mean_wait * mean_wait / std::max(flits, 1.0)));
}

// Stretches of a run whose length is not known beforehand: they become longer, not more.
class Stretches {
public:
    void add(double value) {
        m_open.sum += value;
        m_open.count += 1;
    }
    void add_to_sum(double value) { m_open.sum += value; }
    void add_to_count(double count) { m_open.count += count; }
    void add(const Stretch& values) {
        m_open.sum += values.sum;
        m_open.count += values.count;
    }
    // Whether the next call of cycle() ends a stretch.
    bool ends_with_cycle() const { return m_cycles + 1 >= m_length; }
    // After every cycle.
    void cycle() {
        if (++m_cycles < m_length) return;
        m_cycles = 0;
        m_all.push_back(m_open);
        m_open = {};
        if (m_all.size() < Most) return;
        for (size_t i = 0; i < Most / 2; ++i)
            m_all[i] = {m_all[2 * i].count + m_all[2 * i + 1].count,
                        m_all[2 * i].sum + m_all[2 * i + 1].sum};
        m_all.resize(Most / 2);
        m_length *= 2;
    }
    // As many calls of cycle(), each after add_to_count(count_per_cycle).
    void skip(uint64_t cycles, double count_per_cycle = 0) {
        while (cycles != 0) {
            const uint64_t step = std::min(cycles, m_length - m_cycles);
            m_open.count += count_per_cycle * double(step);
            m_cycles += step - 1;
            cycles -= step;
            cycle();
        }
    }
    // Those that are complete.
    const std::vector<Stretch>& all() const { return m_all; }

private:
    static constexpr size_t Most = 192;
    std::vector<Stretch> m_all;
    Stretch m_open;
    uint64_t m_cycles = 0;
    uint64_t m_length = 16;
};

}  // namespace rdt
