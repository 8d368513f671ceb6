// SPDX-License-Identifier: MIT
// Inputs of the routers: packets that arrive in their buffers, and the packet that each input
// presents to the outputs.
#pragma once

#include <rdt/machine/events/controls.h>
#include <rdt/machine/events/lines.h>

namespace rdt::machine::events {

class Inputs {
public:
    Inputs(State& state, Controls& controls, Lines& lines, const Recoveries& recoveries)
        : m_state(state), m_controls(controls), m_lines(lines), m_recoveries(recoveries) {}

    // Changes that take effect from this cycle on, in this order. Nothing is presented yet.
    //
    // Inputs that were granted something, and slots that got an entry of the ack table, in the
    // cycle before.
    RDT_INLINE void end_grants(Lane& lane) {
        m_state.for_each(lane.granted, [&](uint32_t input) {
            Node& n = m_state.nodes[node_of(input)];
            n.granted = uint16_t(n.granted & ~(1u << what_of(input)));
            if (n.may_present(what_of(input))) m_state.mark(lane, node_of(input), what_of(input));
        });
        lane.granted.clear();
        for (const uint32_t at : lane.entered) {
            Control& c = m_controls[node_of(at)];
            c.needs[what_of(at)] = c.plan[what_of(at)].credits_needed();
            m_state.mark(lane, node_of(at), InputOf[what_of(at)]);
        }
        lane.entered.swap(lane.entered_now);
        lane.entered_now.clear();
    }
    RDT_INLINE void count_credits(Lane& lane, const Day& today) {
        m_state.for_each(today.used, [&](uint32_t credit) {
            take_credit(lane, node_of(credit), what_of(credit));
        });
        m_state.for_each(today.back, [&](uint32_t credit) {
            const uint32_t node = node_of(credit);
            Node& n = m_state.nodes[node];
            if (n.down != 0 && m_recoveries.loses_credit({node, what_of(credit) / 3})) return;
            n.credit |= 1u << what_of(credit);
            n.missed &= ~(1u << what_of(credit));
            if (n.have == 0) return;
            const uint32_t slots = n.waiting_for(what_of(credit));
            n.ready |= slots;
            mark_waiting(lane, node, slots, what_of(credit));
        });
    }
    RDT_INLINE void accept_packets(Lane& lane, const Day& today) {
        m_state.for_each(today.fresh, [&](const Coming& c) {
            arrive(lane, node_of(c.where), what_of(c.where), c.packet);
        });
    }
    RDT_INLINE void reopen(Lane& lane, const Day& today) {
        m_state.for_each(today.open, [&](uint32_t input) {
            Node& n = m_state.nodes[node_of(input)];
            n.open = uint16_t(n.open | 1u << what_of(input));
            if (n.may_present(what_of(input))) m_state.mark(lane, node_of(input), what_of(input));
        });
    }
    // All inputs that are marked.
    void present_all(Lane& lane);

    void take_credit(Lane& lane, uint32_t node, uint32_t credit) {
        Node& n = m_state.nodes[node];
        n.credit &= ~(1u << credit);
        if (n.have == 0) return;
        const uint32_t slots = n.waiting_for(credit);
        n.ready &= ~slots;
        mark_waiting(lane, node, slots, credit);
    }
    // Outputs that an input requests, and others from now on.
    uint32_t requested_by(uint32_t node, uint32_t input) const {
        const uint8_t output = m_state.nodes[node].cand[input];
        if (output < SeveralOutputs) return 1u << output;
        return output == NoOutput ? 0 : m_controls[node].cand[input];
    }
    RDT_INLINE void request(Lane& lane, const Asking& a) {
        Node& n = m_state.nodes[a.node];
        const uint32_t changed = a.outputs ^ requested_by(a.node, a.input);
        const bool several = (a.outputs & (a.outputs - 1)) != 0;
        n.cand[a.input] = several          ? SeveralOutputs
                          : a.outputs == 0 ? NoOutput
                                           : uint8_t(lowest(a.outputs));
        if (several) m_controls[a.node].cand[a.input] = a.outputs;
        // Requests for LOCAL are handled by the cycle-based engine.
        for (uint32_t left = changed & AllInputs; left != 0; left &= left - 1) {
            const uint32_t o = lowest(left);
            n.asks[o] = uint16_t(n.asks[o] ^ 1u << a.input);
            if ((a.outputs >> o & 1) != 0) m_lines.request(lane, a.node, o);
        }
    }

private:
    void arrive(Lane& lane, uint32_t node, uint32_t slot, uint32_t packet);
    void arrive_multicast(Lane& lane, uint32_t node, uint32_t slot, const Record& r);
    // Marks the inputs of slots with a unicast that waits for a credit, or had it, and of
    // multicasts that do.
    RDT_INLINE void mark_waiting(Lane& lane, uint32_t node, uint32_t slots, uint32_t credit) {
        uint32_t inputs = m_state.nodes[node].multicasts == 0 ? 0 : multicasts_for(node, credit);
        for (uint32_t left = slots; left != 0; left &= left - 1)
            inputs |= 1u << InputOf[lowest(left)];
        if (inputs != 0) m_state.mark_inputs(lane, node, inputs);
    }
    uint32_t multicasts_for(uint32_t node, uint32_t credit) const;
    uint32_t present(Node& n, uint32_t input);
    uint32_t present_multicast(uint32_t node, uint32_t input);
    template <typename Ask>
    void present_node(uint32_t node, Ask&& ask);
    void present_many(Lane& lane);

    State& m_state;
    Controls& m_controls;
    Lines& m_lines;
    const Recoveries& m_recoveries;
};

}  // namespace rdt::machine::events
