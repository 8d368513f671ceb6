// SPDX-License-Identifier: MIT
// Worker threads that share repeated rounds of work. A round has a few partitions, which the
// present threads take one after the other, so a thread that starts late delays no other. The
// result does not depend on the threads present. Threads join while that makes rounds faster, and
// sleep while the cores are busy or rounds are too short.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <rdt/support/usage.h>

namespace rdt {

class WorkerPool {
public:
    // The caller of run() is one of them. Throws std::runtime_error if the threads cannot be
    // started. `always`, for tests: all are there in every round, whether that pays or not.
    explicit WorkerPool(unsigned size, bool always = false)
        : m_size(size), m_always(always), m_lanes(size) {
        try {
            for (unsigned lane = 1; lane < size; ++lane)
                m_threads.emplace_back([this, lane] { serve(lane); });
        } catch (const std::exception& e) {
            dismiss();
            throw std::runtime_error("cannot start " + std::to_string(size) +
                                     " threads: " + e.what());
        }
    }
    ~WorkerPool() { dismiss(); }
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    // work(lane) for every lane; returns when all are done. Must not throw.
    template <typename Work>
    void run(Work&& work) {
        if (m_size == 1 || !meet())
            for (unsigned lane = 0; lane < m_size; ++lane) work(lane);
        else share(work);
    }
    // For a round of several parts: called once per round, true if other threads are present; then
    // share() runs each part, as run().
    bool meet() {
        if (m_always) return await_all();
        if (++m_rounds >= m_look_at || m_is_shared) look();
        return m_present.load() != 0;
    }
    void share(const std::function<void(unsigned)>& work) {
        m_work = &work;
        const uint64_t round = m_round.load(std::memory_order_relaxed) + 1;
        m_round.store(round, std::memory_order_release);
        const Clock::time_point start = Clock::now();
        take_all(0, round);
        await_others(start, round);
    }
    unsigned size() const { return m_size; }
    // Rounds with other threads present.
    uint64_t shared_rounds() const { return m_round.load(); }

private:
    using Clock = std::chrono::steady_clock;
    using Seconds = std::chrono::duration<double>;

    // Rounds from one look at the time to the next, at most.
    static constexpr uint64_t LookRounds = 16;
    static constexpr Seconds Stretch{2e-3};
    static constexpr double Worthwhile = 0.85;      // fraction of the time alone
    static constexpr unsigned MostStretches = 200;  // until the time alone is measured again
    static constexpr Seconds ShortPause{20e-3};
    static constexpr Seconds LongPause{2};
    static constexpr double Patiently = 50;  // times what an attempt has cost, until the next
    // Longer than the own work takes: a thread that has begun does not continue.
    static constexpr Seconds Stall{200e-6};
    // Threads that were invited need that long to begin, at most.
    static constexpr Seconds Arrival{20e-3};
    // Without a round a thread goes to sleep.
    static constexpr Seconds Patience{5e-3};

    // The last round in which a thread took a partition, and has finished it. Written by that
    // thread alone, and read by the caller: a counter of all threads would go from core to core.
    struct alignas(64) Lane {
        std::atomic<uint64_t> taken{0};
        std::atomic<uint64_t> done{0};
    };

    void dismiss() {
        {
            const std::lock_guard<std::mutex> lock(m_mutex);
            m_ends = true;
        }
        m_wanted = false;
        m_invitation.notify_all();
        for (std::thread& t : m_threads) t.join();
    }

    bool await_all() {
        while (m_present.load() + 1 != m_size) {
            invite();
            std::this_thread::yield();
        }
        m_has_stalled = false;
        return true;
    }

    // A thread that has begun is soon done, unless another process has its core.
    void await_others(Clock::time_point start, uint64_t round) {
        unsigned lane = 0;
        const auto all_done = [&] {
            while (lane < m_size && m_lanes[lane].done.load(std::memory_order_acquire) == round)
                ++lane;
            return lane == m_size;
        };
        if (all_done()) return;
        const Clock::time_point ready = Clock::now();
        const auto longest = (ready - start) + std::chrono::duration_cast<Clock::duration>(Stall);
        for (unsigned tries = 1; !all_done(); ++tries) {
            if (m_has_stalled) std::this_thread::yield();
            else pause();
            if (tries % 64 == 0 && Clock::now() - ready > longest) m_has_stalled = true;
        }
    }

    // The own lane first, so that its memory stays in this core's caches; then those of threads
    // that have not begun.
    void take_all(unsigned own, uint64_t round) {
        for (unsigned k = 0; k < m_size; ++k) take((own + k) % m_size, round);
    }
    void take(unsigned number, uint64_t round) {
        Lane& lane = m_lanes[number];
        uint64_t last = round - 1;
        if (lane.taken.load(std::memory_order_relaxed) != last ||
            !lane.taken.compare_exchange_strong(last, round))
            return;
        (*m_work)(number);
        lane.done.store(round, std::memory_order_release);
    }
    // A thread leaves the lanes of others to the caller, unless some threads are missing.
    void take_own(unsigned own, uint64_t round) {
        if (m_present.load(std::memory_order_relaxed) + 1 == m_size) take(own, round);
        else take_all(own, round);
    }

    static void pause() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("yield");
#endif
    }

    void serve(unsigned lane) {
        for (;;) {
            {
                std::unique_lock<std::mutex> lock(m_mutex);
                m_invitation.wait(lock, [this] { return m_ends || m_wanted; });
                if (m_ends) return;
            }
            uint64_t seen = m_round.load();
            m_present.fetch_add(1);
            while (await_round(seen)) take_own(lane, seen = m_round.load());
            m_present.fetch_sub(1);
        }
    }
    // False: it is time to go.
    bool await_round(uint64_t seen) {
        const Clock::time_point start = Clock::now();
        for (unsigned tries = 1; m_wanted; ++tries) {
            if (m_round.load() != seen) return true;
            // The thread that starts the rounds may wait for this core.
            if (tries > 1000 && tries % 32 == 0) std::this_thread::yield();
            else pause();
            if (tries % 256 == 0 && Clock::now() - start > Patience) m_wanted = false;
        }
        return false;
    }

    void invite() {
        {
            const std::lock_guard<std::mutex> lock(m_mutex);
            m_wanted = true;
        }
        m_is_shared = true;
        m_invited = Clock::now();
        m_invitation.notify_all();
    }

    // At the end of a stretch: whether rounds are faster than without company.
    void look() {
        const Clock::time_point now = Clock::now();
        const Seconds took = now - m_start;
        if (took < Stretch && !m_has_stalled) {
            const double left = (Stretch - took) / took * double(m_rounds);
            m_look_at = m_rounds + uint64_t(std::clamp(left, 1.0, double(LookRounds)));
            return;
        }
        const double used = cpu_seconds(false);
        const bool is_complete = m_present.load() + 1 == m_size;
        if (m_is_shared && m_wanted && !m_is_complete && now - m_invited < Arrival) {
            // Rounds with all threads take another time than these.
            m_is_complete = is_complete;
        } else if (m_is_shared) {
            const double each = took.count() / double(m_rounds);
            m_shared_time += took.count();
            m_shared_rounds += m_rounds;
            // A thread that was held up shows in the time.
            if (each > m_alone || shared_time() > Worthwhile * m_alone ||
                ++m_stretches == MostStretches)
                m_wanted = false;
            m_is_shared = m_wanted || m_present.load() != 0;
            m_is_complete = m_is_complete && m_is_shared;
        } else {
            // CPU time of the round, without other processes.
            const double each = (used - m_start_used) / double(m_rounds);
            if (m_shared_rounds != 0) judge(now, std::max(m_alone, each));
            m_alone = each;
            m_is_complete = false;
            if (now >= m_next) invite();
        }
        m_has_stalled = false;
        m_look_at = std::clamp<uint64_t>(m_rounds / 2, 1, LookRounds);
        m_rounds = 0;
        m_start = now;
        m_start_used = used;
    }
    double shared_time() const { return m_shared_time / double(m_shared_rounds); }
    // Covers the time from an invitation until all other threads have left. Rounds may have become
    // longer or shorter meanwhile: `alone` is the longer time of before and after.
    void judge(Clock::time_point now, double alone) {
        const double lost = m_shared_time - alone * double(m_shared_rounds);
        if (shared_time() > Worthwhile * alone) {
            const Seconds pause = std::max<Seconds>(m_pause, Seconds(Patiently * lost));
            m_next = now + std::chrono::duration_cast<Clock::duration>(pause);
            m_pause = std::min<Seconds>(2 * m_pause, LongPause);
        } else {
            m_pause = ShortPause;
        }
        m_shared_time = 0;
        m_shared_rounds = 0;
        m_stretches = 0;
    }

    const unsigned m_size;
    const bool m_always;
    std::vector<Lane> m_lanes;
    alignas(64) std::atomic<uint64_t> m_round{0};
    const std::function<void(unsigned)>* m_work = nullptr;
    alignas(64) std::atomic<bool> m_wanted{false};
    std::atomic<unsigned> m_present{0};

    std::mutex m_mutex;
    std::condition_variable m_invitation;
    bool m_ends = false;
    std::vector<std::thread> m_threads;

    // Used by the caller of run().
    uint64_t m_rounds = 0;  // rounds of this stretch
    uint64_t m_look_at = 1;
    Clock::time_point m_start = Clock::now();
    double m_start_used = cpu_seconds(false);
    bool m_is_shared = false;    // from an invitation until all other threads have left
    bool m_is_complete = false;  // all threads were there when this stretch began
    bool m_has_stalled = false;  // in this stretch
    Clock::time_point m_invited{};
    double m_alone = 0;        // seconds a round
    double m_shared_time = 0;  // since others came
    uint64_t m_shared_rounds = 0;
    unsigned m_stretches = 0;
    Seconds m_pause = ShortPause;
    Clock::time_point m_next = Clock::now();
};

}  // namespace rdt
