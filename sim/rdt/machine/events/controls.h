// SPDX-License-Identifier: MIT
// The control sides of nodes, each made when its node sees the first multicast.
#pragma once

#include <rdt/machine/events/state.h>

namespace rdt::machine::events {

class Controls {
public:
    explicit Controls(State& state) : m_state(state), m_by_node(state.nodes.size()) {}

    // Nothing, where no multicast has been.
    const Control* find(uint32_t node) const { return m_by_node[node].get(); }
    // The controller of a node that has one.
    Control& operator[](uint32_t node) { return *m_by_node[node]; }
    const Control& operator[](uint32_t node) const { return *m_by_node[node]; }

    Control& make(uint32_t node) {
        if (!m_by_node[node]) {
            m_by_node[node] = std::make_unique<Control>();
            m_by_node[node]->counted = m_state.now;
            m_state.lane_of(node).with_control.push_back(node);
        }
        return *m_by_node[node];
    }
    // Evaluates it in every cycle from this one on, until it may sleep.
    void wake(uint32_t node) {
        if (std::exchange(m_by_node[node]->awake, true)) return;
        m_state.lane_of(node).awake.push_back(node);
    }
    size_t bytes() const {
        size_t count = 0;
        for (const Lane& lane : m_state.lanes) count += lane.with_control.size();
        return count * sizeof(Control) + m_by_node.size() * sizeof(Control*);
    }

private:
    State& m_state;
    std::vector<std::unique_ptr<Control>> m_by_node;
};

}  // namespace rdt::machine::events
