// SPDX-License-Identifier: MIT
// Latencies, counted cycle by cycle.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <rdt/support/batches.h>

namespace rdt {

// Latency of many packets, in cycles.
struct Latency {
    double mean = 0;
    uint64_t median = 0;
    uint64_t p99 = 0;
    uint64_t max = 0;
    uint64_t count = 0;     // 0: nothing was measured, and the others have no meaning
    double half = Unknown;  // half of the 95 % confidence interval of the mean
};

class Histogram {
public:
    void add(uint64_t value) {
        if (value >= m_count.size())
            m_count.resize(std::max<size_t>(value + 1, 2 * m_count.size()));
        ++m_count[value];
        ++m_total;
        m_sum += value;
    }
    void add(const Histogram& other) {
        if (other.m_count.size() > m_count.size()) m_count.resize(other.m_count.size());
        for (size_t v = 0; v < other.m_count.size(); ++v) m_count[v] += other.m_count[v];
        m_total += other.m_total;
        m_sum += other.m_sum;
    }
    Latency summary() const {
        Latency l;
        l.count = m_total;
        if (m_total == 0) return l;
        l.mean = double(m_sum) / double(m_total);
        uint64_t below = 0;
        for (size_t v = 0; v < m_count.size(); ++v) {
            if (m_count[v] == 0) continue;
            if (below < m_total - m_total / 100) l.p99 = v;
            below += m_count[v];
            l.max = v;
        }
        l.median = quantile(0.5);
        return l;
    }
    double mean() const { return m_total == 0 ? 0 : double(m_sum) / double(m_total); }
    // The smallest value that is not exceeded by this share of all.
    uint64_t quantile(double share) const {
        uint64_t below = 0;
        for (size_t v = 0; v < m_count.size(); ++v) {
            below += m_count[v];
            if (below != 0 && double(below) >= share * double(m_total)) return v;
        }
        return 0;
    }
    // Value and how often, ascending, those that came.
    std::vector<std::pair<uint64_t, uint64_t>> counts() const {
        std::vector<std::pair<uint64_t, uint64_t>> all;
        for (size_t v = 0; v < m_count.size(); ++v)
            if (m_count[v] != 0) all.emplace_back(v, m_count[v]);
        return all;
    }
    size_t bytes() const { return m_count.capacity() * sizeof(uint32_t); }

private:
    std::vector<uint32_t> m_count;
    uint64_t m_total = 0;
    uint64_t m_sum = 0;
};

}  // namespace rdt
