// SPDX-License-Identifier: MIT
// One load after the other, up to the first that is saturated (support/saturation.h): the order in
// which points are measured and the end of the curve, independent of the kind of point.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace rdt {

struct SweepOptions {
    std::vector<double> loads;  // ascending
    unsigned jobs = 2;          // points measured at a time; changes nothing but the time
    bool past_saturation = false;
    std::function<void(size_t done, size_t of)> progress;  // one call at a time
    std::function<bool()> is_stopped;
    // Called before every point: a load that another process found saturated, if any.
    std::function<std::optional<double>()> saturated_elsewhere;
};

// The remaining points of a sweep. Used by one thread at a time.
class SweepOrder {
public:
    explicit SweepOrder(const SweepOptions& options) : m_options(options) {}

    // The next load to measure; none: all that count are measured or in flight.
    std::optional<double> next();
    // It need not be measured.
    void skip(double load) { m_begun.insert(load); }
    // It is always the last point, because higher loads add no information.
    void end_at(double load) {
        if (!m_end || load < *m_end) m_end = load;
    }
    // It is measured.
    void found(double load, bool saturated) {
        if (saturated && (!m_saturated || load < *m_saturated)) m_saturated = load;
        if (saturated && !m_options.past_saturation) end_at(load);
    }
    // Whether this point belongs to the curve, as far as is known.
    bool counts(double load) const { return !m_end || load <= *m_end; }
    bool saturated() const { return m_saturated.has_value(); }

private:
    const SweepOptions& m_options;
    std::set<double> m_begun;
    std::optional<double> m_end;        // the last load that counts
    std::optional<double> m_saturated;  // the first one that is
};

// from, from + step, ... up to `to`. Throws std::invalid_argument.
std::vector<double> loads_between(double from, double to, double step);

}  // namespace rdt
