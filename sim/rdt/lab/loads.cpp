// SPDX-License-Identifier: MIT
#include <rdt/lab/loads.h>

#include <exception>
#include <map>
#include <mutex>
#include <thread>

namespace rdt::lab {

std::vector<LoadPoint> simulate_loads(const Network& network, const Routing& routing,
                                      const Options& options, const SweepOptions& sweep,
                                      const std::vector<LoadPoint>& known,
                                      const OnLoadPoint& on_point) {
    const auto at = [&](double load) {
        Options point = options;
        point.load = load;
        return point;
    };
    for (const double load : sweep.loads) check(at(load), network, routing);
    std::mutex mutex;
    SweepOrder order(sweep);
    std::map<double, SimulationResult> results;
    std::exception_ptr error;
    const auto take = [&](double load, SimulationResult r) {
        order.found(load, r.saturated);
        if (!r.deadlock.empty()) order.end_at(load);
        results[load] = std::move(r);
    };
    const auto points = [&] {
        std::vector<LoadPoint> all;
        for (const auto& [load, result] : results)
            if (order.counts(load)) all.push_back({load, result});
        return all;
    };
    for (const LoadPoint& p : known) {
        order.skip(p.load);
        take(p.load, p.result);
    }
    const auto work = [&] {
        std::unique_lock<std::mutex> lock(mutex);
        while (!error) {
            if (sweep.is_stopped && sweep.is_stopped()) return;
            const std::optional<double> load = order.next();
            if (!load) return;
            lock.unlock();
            try {
                Options point = at(*load);
                if (sweep.is_stopped)
                    point.progress = [&](uint64_t) { return !sweep.is_stopped(); };
                SimulationResult r = simulate(network, routing, point);
                lock.lock();
                if (r.stopped) return;
                take(*load, std::move(r));
                if (on_point) on_point(points());
                if (sweep.progress) sweep.progress(results.size(), sweep.loads.size());
            } catch (...) {
                if (!lock.owns_lock()) lock.lock();
                error = std::current_exception();
            }
        }
    };
    std::vector<std::thread> helpers;
    try {
        for (unsigned t = 1; t < sweep.jobs && t < sweep.loads.size(); ++t)
            helpers.emplace_back(work);
    } catch (const std::exception&) {
        // Fewer do as well.
    }
    work();
    for (std::thread& t : helpers) t.join();
    if (error) std::rethrow_exception(error);
    return points();
}

}  // namespace rdt::lab
