// SPDX-License-Identifier: MIT
// What is counted of a run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lab/simulate.h"

namespace rdt::lab {

class Histogram {
public:
    void add(uint64_t value) {
        if (value >= m_count.size())
            m_count.resize(std::max<size_t>(value + 1, 2 * m_count.size()));
        ++m_count[value];
        ++m_total;
        m_sum += value;
    }
    Latency summary() const {
        Latency l;
        if (m_total == 0) return l;
        l.mean = double(m_sum) / double(m_total);
        uint64_t below = 0;
        for (size_t v = 0; v < m_count.size(); ++v) {
            if (m_count[v] == 0) continue;
            if (below < m_total - m_total / 100) l.p99 = v;
            below += m_count[v];
            l.max = v;
        }
        return l;
    }
    // The smallest value that is not exceeded by this share of all.
    uint64_t quantile(double share) const {
        uint64_t below = 0;
        for (size_t v = 0; v < m_count.size(); ++v) {
            below += m_count[v];
            if (below != 0 && double(below) >= share * double(m_total)) return v;
        }
        return 0;
    }
    size_t bytes() const { return m_count.capacity() * sizeof(uint32_t); }

private:
    std::vector<uint32_t> m_count;
    uint64_t m_total = 0;
    uint64_t m_sum = 0;
};

struct Statistics {
    uint64_t from = 0;  // clocks measured
    uint64_t to = 0;
    uint64_t generated = 0;
    uint64_t refused = 0;
    uint64_t delivered = 0;
    uint64_t measured_generated = 0;
    uint64_t measured = 0;
    uint64_t measured_hops = 0;
    Histogram network;
    Histogram total;

    bool measures(uint64_t clock) const { return clock >= from && clock < to; }
    void add(const Delivery& d) {
        ++delivered;
        if (!measures(d.delivered)) return;
        ++measured;
        measured_hops += d.hops;
        network.add(d.delivered - d.injected);
        total.add(d.delivered - d.generated);
    }
};

}  // namespace rdt::lab
