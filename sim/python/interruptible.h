// SPDX-License-Identifier: MIT
// Long work under Python: other threads of the interpreter continue, and Ctrl-C ends it.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include <rdt/net/graph/network.h>

namespace rdt::python {

struct Stopped : std::exception {};
using StopFlag = std::atomic<bool>;

// The same routing until the flag is set, then an exception: a simulation has no other point at
// which it checks for signals.
class StoppableRouting : public Routing {
public:
    StoppableRouting(const Routing& routing, const StopFlag& stop)
        : m_routing(routing), m_stop(stop) {}
    uint32_t vcs() const override { return m_routing.vcs(); }
    RouteTag start(NodeId src, NodeId dst) const override { return m_routing.start(src, dst); }
    uint32_t draws() const override { return m_routing.draws(); }
    bool keeps_tag() const override { return m_routing.keeps_tag(); }
    RouteTag start_drawn(NodeId src, NodeId dst, uint32_t draw) const override {
        return m_routing.start_drawn(src, dst, draw);
    }
    void next(NodeId at, NodeId dst, const RouteTag& tag, OutChannel in,
              Choices& out) const override {
        if (m_stop.load(std::memory_order_relaxed)) throw Stopped();
        m_routing.next(at, dst, tag, in, out);
    }
    RouteTag advance(NodeId at, const RouteTag& tag, OutChannel taken) const override {
        return m_routing.advance(at, tag, taken);
    }

private:
    const Routing& m_routing;
    const StopFlag& m_stop;
};

// f(stop) in a thread of its own, without the GIL. A signal that Python turns into an exception, as
// Ctrl-C, sets `stop`; when f has come to an end that exception is thrown instead of a result.
template <class F>
auto interruptible(F&& f) {
    using Result = decltype(f(std::declval<const StopFlag&>()));
    StopFlag stop{false};
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    std::optional<Result> result;
    std::exception_ptr error;
    bool signalled = false;
    {
        const pybind11::gil_scoped_release release;
        std::thread worker([&] {
            try {
                result.emplace(f(stop));
            } catch (...) {
                error = std::current_exception();
            }
            const std::lock_guard<std::mutex> lock(mutex);
            done = true;
            changed.notify_all();
        });
        std::unique_lock<std::mutex> lock(mutex);
        while (!changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; })) {
            lock.unlock();
            if (!signalled) {
                const pybind11::gil_scoped_acquire acquire;
                signalled = PyErr_CheckSignals() != 0;
                if (signalled) stop = true;
            }
            lock.lock();
        }
        lock.unlock();
        worker.join();
    }
    if (signalled) throw pybind11::error_already_set();
    if (error) std::rethrow_exception(error);
    return std::move(*result);
}

}  // namespace rdt::python
