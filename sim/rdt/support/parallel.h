// SPDX-License-Identifier: MIT
// Work that falls into independent pieces, on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace rdt {

// The share done, 0 to 1; called now and then from the calling thread.
using Progress = std::function<void(double)>;

struct WorkOptions {
    unsigned threads = 0;  // 0: one per core
    Progress progress;
};

// Calls make_worker() once on each thread and then, with what that returned, do_piece(worker, i)
// for every i below `pieces`, each once, in no order; at last merge(worker), one at a time.
// An exception ends the work and is thrown again here.
template <class MakeWorker, class DoPiece, class Merge>
void in_parallel(uint32_t pieces, const WorkOptions& options, MakeWorker&& make_worker,
                 DoPiece&& do_piece, Merge&& merge) {
    std::atomic<uint32_t> next{0};
    std::mutex merging;
    std::exception_ptr error;
    const auto work = [&](bool reports) {
        try {
            auto worker = make_worker();
            for (uint32_t i; (i = next.fetch_add(1)) < pieces;) {
                do_piece(worker, i);
                if (reports && options.progress) options.progress(double(i) / pieces);
            }
            const std::lock_guard<std::mutex> lock(merging);
            merge(worker);
        } catch (...) {
            next = pieces;
            const std::lock_guard<std::mutex> lock(merging);
            error = std::current_exception();
        }
    };
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const unsigned count = std::min(options.threads != 0 ? options.threads : cores, pieces);
    std::vector<std::thread> others;
    try {
        for (unsigned t = 1; t < count; ++t) others.emplace_back(work, false);
    } catch (const std::exception&) {
        // Fewer do as well.
    }
    work(true);
    for (std::thread& t : others) t.join();
    if (error) std::rethrow_exception(error);
}

}  // namespace rdt
