// SPDX-License-Identifier: MIT
#include "cov/counts.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

namespace rdt::cov {

void Counts::add(const uint32_t* counts, size_t number) {
    const std::lock_guard lock(m_mutex);
    m_sum.resize(number);
    m_most.resize(number);
    for (size_t i = 0; i < number; ++i) {
        m_sum[i] += counts[i];
        m_most[i] = std::max(m_most[i], counts[i]);
    }
}

void Counts::write(std::ostream& out) const {
    for (size_t i = 0; i < m_points.size() && i < m_sum.size(); ++i) {
        const Point& p = m_points[i];
        if (p.file != nullptr)
            out << p.kind << '\t' << p.file << '\t' << p.line << '\t' << p.column << '\t'
                << p.instance << '\t' << p.what << '\t' << p.lines << '\t' << m_sum[i] << '\t'
                << m_most[i] << '\n';
    }
}

Counts::Hits Counts::hits(const std::string& kind) const {
    Hits hits;
    for (size_t i = 0; i < m_points.size() && i < m_sum.size(); ++i) {
        if (m_points[i].file == nullptr ||
            std::strncmp(m_points[i].kind, kind.c_str(), kind.size()) != 0)
            continue;
        ++hits.points;
        hits.hit += m_sum[i] != 0;
    }
    return hits;
}

namespace {

struct All {
    std::mutex mutex;
    std::map<std::string, Counts> models;

    ~All() {
        const char* folder = std::getenv("RDT_COVERAGE_DIR");
        if (folder == nullptr) return;
        for (const auto& [name, counts] : models) {
            std::ofstream out(std::string(folder) + "/" + name + "." + std::to_string(getpid()) +
                              ".txt");
            counts.write(out);
            // No caller is left to catch an exception; an incomplete file would be read as few
            // hits.
            if (!out.flush()) std::abort();
        }
    }
};

}  // namespace

Counts& counts_of(const std::string& model) {
    static All all;
    const std::lock_guard lock(all.mutex);
    return all.models[model];
}

}  // namespace rdt::cov
