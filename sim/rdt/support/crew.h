// SPDX-License-Identifier: MIT
// Threads that do the same work side by side, each on its own share, again and again.
#pragma once

#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace rdt {

class Crew {
public:
    // One of them is whoever calls run(). Throws std::runtime_error if there cannot be so many.
    explicit Crew(unsigned size) : m_size(size) {
        try {
            for (unsigned lane = 1; lane < size; ++lane)
                m_threads.emplace_back([this, lane] { serve(lane); });
        } catch (const std::exception& e) {
            dismiss();
            throw std::runtime_error("cannot start " + std::to_string(size) +
                                     " threads: " + e.what());
        }
    }
    ~Crew() { dismiss(); }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    // work(lane) for every lane; returns when all are done. Must not throw.
    template <typename Work>
    void run(Work&& work) {
        if (m_size == 1) work(0);
        else share(work);
    }

private:
    void dismiss() {
        m_ends = true;
        m_round.fetch_add(1);
        for (std::thread& t : m_threads) t.join();
    }

    void share(const std::function<void(unsigned)>& work) {
        m_work = &work;
        m_missing.store(m_size - 1);
        m_round.fetch_add(1);
        work(0);
        wait([this] { return m_missing.load() == 0; });
    }

    // A round of work is short, so waiting is done awake at first.
    template <typename Done>
    static void wait(Done&& done) {
        for (unsigned tries = 0; !done(); ++tries)
            if (tries > 2000) std::this_thread::yield();
    }

    void serve(unsigned lane) {
        for (uint64_t seen = 0;;) {
            wait([&] { return m_round.load() != seen; });
            ++seen;
            if (m_ends) return;
            (*m_work)(lane);
            m_missing.fetch_sub(1);
        }
    }

    const unsigned m_size;
    std::atomic<uint64_t> m_round{0};
    std::atomic<unsigned> m_missing{0};
    std::atomic<bool> m_ends{false};
    const std::function<void(unsigned)>* m_work = nullptr;
    std::vector<std::thread> m_threads;
};

}  // namespace rdt
