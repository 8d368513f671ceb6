// SPDX-License-Identifier: MIT
// The processes of all blocks of a chip, and the wires between blocks (block.h), as one channel of
// the SystemC kernel. They run and change in the delta cycles of the kernel, as SC_METHOD and
// sc_signal do. A process here is 24 bytes and a wire 40, and they stand together. In the kernel
// both are several objects of 100 to 400 bytes each, so most of the time went into cache misses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <systemc>
#include <utility>
#include <vector>

namespace rdt {

enum class Edge : uint8_t { Any, Rising, Falling };

// A process, or an event of the kernel, that waits for changes of a wire.
struct Listener {
    enum Action : uint8_t {
        Run,
        Wake,    // runs again with the next change that it waits for
        Notify,  // an event of the kernel
    };
    uint16_t number;
    Action action;
    Edge edge;
};

// Processes wait for it: a wire, an input of the chip, or an event.
class trigger {
public:
    trigger() = default;
    trigger(const trigger&) = delete;
    trigger& operator=(const trigger&) = delete;

    // For the scheduler. The listeners follow each other, the first one is added first.
    const Listener* begin() const { return m_listeners; }
    const Listener* end() const { return m_listeners + m_count; }
    void add(const Listener& listener) {
        if (m_count++ == 0) m_listeners = &listener;
    }
    bool is_pending() const { return m_is_pending; }
    void set_pending(bool pending) { m_is_pending = pending; }

private:
    const Listener* m_listeners = nullptr;
    uint16_t m_count = 0;
    bool m_is_pending = false;
};

// A wire inside a block, between it and the blocks in it: a value that changes at once, like a
// variable of VHDL.
template <typename T>
class variable {
public:
    const T& read() const { return m_value; }
    operator const T&() const { return m_value; }

protected:
    T m_value{};
};

// A wire between blocks: its value changes in the next delta cycle, like that of a signal.
template <typename T>
class net_value : public variable<T>, public trigger {
public:
    explicit net_value(class scheduler& scheduler) : m_scheduler(scheduler) {}
    class scheduler& scheduler() {
        return m_scheduler;
    }
    inline void write_value(T value);
    // For the scheduler: takes the value that was written last. Returns whether it is another one.
    bool update() {
        if (this->m_value == m_next) return false;
        this->m_value = m_next;
        return true;
    }

private:
    T m_next{};
    class scheduler& m_scheduler;
};

class scheduler : public sc_core::sc_prim_channel {
public:
    explicit scheduler(const char* name) : sc_prim_channel(name) {}

    // Its number. It runs at the start, unless it is clocked.
    uint16_t add_process(void (*run)(void* block), void* block, bool is_clocked) {
        m_processes.push_back({run, block, !is_clocked, false});
        if (!is_clocked) m_runnable.push_back(uint16_t(m_processes.size() - 1));
        return uint16_t(m_processes.size() - 1);
    }
    void add(trigger& trigger, Listener listener) { m_added.push_back({&trigger, listener}); }
    // A signal of the kernel that blocks read. The clock comes after the other inputs, so that a
    // process that wakes at the edge runs.
    template <typename T>
    void add(const sc_core::sc_signal_in_if<T>& signal, Listener listener, bool is_clock) {
        add(input_on(signal, is_clock), listener);
    }
    // An event of the kernel for processes that are not in here.
    const sc_core::sc_event& event_of(trigger& trigger, Edge edge) {
        share();
        m_events.emplace_back();
        add(trigger, {uint16_t(m_events.size() - 1), Listener::Notify, edge});
        return m_events.back();
    }
    // Events of the signals that have become inputs. The process has to be sensitive to them.
    std::vector<const sc_core::sc_event*> new_inputs() { return std::exchange(m_new_inputs, {}); }
    sc_core::sc_process_handle kernel_process;
    const sc_core::sc_event& next_delta() const { return m_next_delta; }

    // After elaboration.
    void start();

    void sleep(uint16_t process) { m_processes[process].is_asleep = true; }

    // A block has processes of the kernel.
    void share() { m_is_shared = true; }

    // Inputs have changed, or processes are to run. Unless the kernel has processes of blocks, too,
    // all delta cycles follow at once.
    void run();

    void change(net_value<bool>& net) { pend(m_bits, net); }
    void change(net_value<uint64_t>& net) { pend(m_words, net); }
    void notify(trigger& event) { pend(m_notified, event); }

private:
    struct process {
        void (*run)(void* block);
        void* block;
        bool is_runnable;
        bool is_asleep;
    };
    // Signals of the kernel, in the order of their triggers.
    template <typename T>
    struct inputs {
        std::vector<const T*> values;
        std::vector<T> last;  // seen
        std::deque<trigger> changes;
        size_t find(const T* value) const {
            return size_t(std::find(values.begin(), values.end(), value) - values.begin());
        }
    };
    template <typename T>
    trigger& input_on(const sc_core::sc_signal_in_if<T>& signal, bool is_clock) {
        inputs<T>& all = inputs_of(T());
        const T* value = &signal.read();
        const size_t i = all.find(value);
        if (i == all.values.size()) {
            m_new_inputs.push_back(&signal.default_event());
            all.values.push_back(value);
            all.changes.emplace_back();
        }
        if (is_clock) m_clock = i;
        return all.changes[i];
    }
    inputs<bool>& inputs_of(bool) { return m_bit_inputs; }
    inputs<uint64_t>& inputs_of(uint64_t) { return m_word_inputs; }

    static Edge edge_to(bool value) { return value ? Edge::Rising : Edge::Falling; }
    static Edge edge_to(uint64_t) { return Edge::Any; }

    template <typename Trigger>
    void pend(std::vector<Trigger*>& pending, Trigger& one) {
        if (one.is_pending()) return;
        one.set_pending(true);
        pending.push_back(&one);
        if (m_is_shared || !m_is_running) request_update();
    }
    void run_once();
    void take_inputs();
    template <typename T>
    void take(inputs<T>& all, size_t i);
    void trigger_with(const trigger& one, Edge edge);
    void update() override;
    void update_nets();
    template <typename T>
    void update(std::vector<net_value<T>*>& nets);

    bool m_is_shared = false;
    bool m_is_running = false;
    std::vector<process> m_processes;
    std::vector<uint16_t> m_runnable;
    std::vector<Listener> m_listeners;  // those of a trigger stand together
    std::vector<net_value<bool>*> m_bits;
    std::vector<net_value<uint64_t>*> m_words;
    std::vector<trigger*> m_notified;
    sc_core::sc_event m_next_delta;
    inputs<bool> m_bit_inputs;
    inputs<uint64_t> m_word_inputs;
    size_t m_clock = 0;  // index in m_bit_inputs
    std::vector<std::pair<trigger*, Listener>> m_added;
    std::vector<const sc_core::sc_event*> m_new_inputs;
    std::deque<sc_core::sc_event> m_events;
};

template <typename T>
void net_value<T>::write_value(T value) {
    if (value == m_next) return;
    m_next = value;
    m_scheduler.change(*this);
}

}  // namespace rdt

#ifndef RDT_CHIP_IN_LIBRARY
#include <rdt/scheduler_body.h>
#endif
