// SPDX-License-Identifier: MIT
#include "lab/sweep.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <thread>

namespace rdt::lab {

std::vector<SweepPoint> sweep(const Network& network, const Routing& routing,
                              const Options& options, const SweepOptions& sweep) {
    std::vector<SweepPoint> points;
    for (const double load : sweep.loads) {
        points.push_back({load, {}});
        Options checked = options;
        checked.load = load;
        check(checked, network, routing);
    }
    std::mutex mutex;
    size_t next = 0;
    size_t done = 0;
    size_t end = points.size();  // behind the last point that counts
    std::exception_ptr error;
    const auto work = [&] {
        for (;;) {
            std::unique_lock<std::mutex> lock(mutex);
            if (next >= end) return;
            const size_t i = next++;
            lock.unlock();
            try {
                Options point = options;
                point.load = points[i].load;
                points[i].result = simulate(network, routing, point);
            } catch (...) {
                lock.lock();
                error = std::current_exception();
                end = 0;
                return;
            }
            lock.lock();
            const Result& r = points[i].result;
            const bool last = !r.deadlock.empty() || (r.saturated && !sweep.past_saturation);
            if (last) end = std::min(end, i + 1);
            if (sweep.progress) sweep.progress(++done, points.size());
        }
    };
    std::vector<std::thread> helpers;
    for (unsigned t = 1; t < sweep.threads && t < points.size(); ++t) helpers.emplace_back(work);
    work();
    for (std::thread& t : helpers) t.join();
    if (error) std::rethrow_exception(error);
    points.resize(end);
    return points;
}

std::vector<double> loads_between(double from, double to, double step) {
    if (!(step > 0)) throw OptionError("the step from load to load has to be more than 0");
    if (!(from >= 0 && from <= to && to <= 1))
        throw OptionError("the loads of a sweep have to lie between 0 and 1, the lower one first");
    if ((to - from) / step > 10000) throw OptionError("a sweep has 10000 points at most");
    std::vector<double> loads;
    // Rounded, so that a load reads as it would be typed.
    for (size_t i = 0; from + step * double(i) <= to + step * 1e-6; ++i)
        loads.push_back(std::round((from + step * double(i)) * 1e9) / 1e9);
    return loads;
}

}  // namespace rdt::lab
