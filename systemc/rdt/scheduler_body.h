// SPDX-License-Identifier: MIT
// The functions of the scheduler. The last part of scheduler.h.
#pragma once

#include <functional>

// In headers; empty in the library.
#ifndef RDT_INLINE
#define RDT_INLINE inline
#endif

namespace rdt {

RDT_INLINE void scheduler::start() {
    std::stable_sort(m_added.begin(), m_added.end(),
                     [](const auto& a, const auto& b) { return std::less<>()(a.first, b.first); });
    for (const auto& added : m_added) m_listeners.push_back(added.second);
    for (size_t i = 0; i < m_added.size(); ++i) m_added[i].first->add(m_listeners[i]);
    decltype(m_added)().swap(m_added);
    for (const bool* value : m_bit_inputs.values) m_bit_inputs.last.push_back(*value);
    for (const uint64_t* value : m_word_inputs.values) m_word_inputs.last.push_back(*value);
}

RDT_INLINE void scheduler::run() {
    take_inputs();
    m_is_running = true;
    do {
        run_once();
        if (!m_is_shared) update_nets();
    } while (!m_is_shared && !m_runnable.empty());
    m_is_running = false;
}

RDT_INLINE void scheduler::run_once() {
    for (const uint16_t number : m_runnable) {
        process& one = m_processes[number];
        one.is_runnable = false;
        one.run(one.block);
    }
    m_runnable.clear();
}

template <typename T>
void scheduler::take(inputs<T>& all, size_t i) {
    const T now = *all.values[i];
    if (now == all.last[i]) return;
    all.last[i] = now;
    trigger_with(all.changes[i], edge_to(now));
}
RDT_INLINE void scheduler::take_inputs() {
    for (size_t i = 0; i < m_word_inputs.values.size(); ++i) take(m_word_inputs, i);
    const size_t bits = m_bit_inputs.values.size();
    for (size_t i = 0; i < bits; ++i)
        if (i != m_clock) take(m_bit_inputs, i);
    if (bits != 0) take(m_bit_inputs, m_clock);
}

RDT_INLINE void scheduler::trigger_with(const trigger& one, Edge edge) {
    for (const Listener& l : one) {
        if (l.edge != Edge::Any && l.edge != edge) continue;
        if (l.action == Listener::Notify) {
            m_events[l.number].notify(sc_core::SC_ZERO_TIME);
            continue;
        }
        process& listening = m_processes[l.number];
        if (l.action == Listener::Wake) {
            listening.is_asleep = false;
        } else if (!listening.is_asleep && !listening.is_runnable) {
            listening.is_runnable = true;
            m_runnable.push_back(l.number);
        }
    }
}

template <typename T>
void scheduler::update(std::vector<net_value<T>*>& nets) {
    for (net_value<T>* net : nets) {
        net->set_pending(false);
        if (net->update()) trigger_with(*net, edge_to(net->read()));
    }
    nets.clear();
}
RDT_INLINE void scheduler::update_nets() {
    update(m_bits);
    update(m_words);
    for (trigger* event : m_notified) {
        event->set_pending(false);
        trigger_with(*event, Edge::Any);
    }
    m_notified.clear();
}
RDT_INLINE void scheduler::update() {
    update_nets();
    if (!m_runnable.empty()) m_next_delta.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace rdt
