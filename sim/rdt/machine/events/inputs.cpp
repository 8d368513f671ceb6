// SPDX-License-Identifier: MIT
#include <rdt/machine/events/inputs.h>

namespace rdt::machine::events {

namespace {

// A header as it leaves through network port `out`. Only flits that change are made again.
void rewrite_header(std::array<uint32_t, 3>& h, uint32_t out, uint32_t rank) {
    const bool is_upper = out >= PortE1;
    if (is_upper && rank == 4) h[0] = slice0(rewrite(h[0], 0, out, rank));
    if (is_upper ? rank == 2 || rank == 3 : (out & 2) == 0)
        h[1] = slice0(rewrite(h[1], 1, out, rank));
    h[2] = slice0(rewrite(h[2], 2, out, rank));
}

// The first VC that is ready, from `sel` on.
uint32_t chosen(uint32_t ready, uint32_t sel) {
    const uint32_t later = ready >> sel << sel;
    return lowest(later != 0 ? later : ready);
}

}  // namespace

// A header is complete, and its packet is routed.
void Inputs::arrive(Lane& lane, uint32_t node, uint32_t slot, uint32_t packet) {
    Node& n = m_state.nodes[node];
    const uint32_t input = InputOf[slot];
    Record& r = m_state.packets[record_of(packet)];
    const RouteConfig cfg = n.route_config();
    n.have |= 1u << slot;
    n.packet[slot] = packet;
    if (is_mbp(input)) n.since[input - PortM0] = uint32_t(m_state.now + 1);
    if (is_multicast(r.h[0])) {
        arrive_multicast(lane, node, slot, r);
        return;
    }
    // Nodes at the two ends of an upper link are of the same rank.
    if (is_network(input) && is_rewritten(r.h[0])) rewrite_header(r.h, opposite(input), cfg.rank);
    const Route route = rdt::route({r.h[0], r.h[1], r.h[2]}, input, slot - FirstSlot[input], cfg);
    const bool to_local = route.dst == PortLocal;
    n.wait_for(slot, to_local ? LocalCredit : 3 * route.dst + route.ovc);
    if (to_local) Notes::set(m_state.notes.is_irregular);
    if ((n.ready >> slot & 1) != 0) m_state.mark(lane, node, input);
}

void Inputs::arrive_multicast(Lane& lane, uint32_t node, uint32_t slot, const Record& r) {
    Node& n = m_state.nodes[node];
    const uint32_t input = InputOf[slot];
    const RouteConfig cfg = n.route_config();
    const Header h{r.h[0], r.h[1], r.h[2]};
    const Bitmap map = bitmap(h, input, slot - FirstSlot[input], cfg);
    if (rdt::route(h, input, slot - FirstSlot[input], cfg, map.bad).dst == PortLocal) {
        n.wait_for(slot, LocalCredit);
        Notes::set(m_state.notes.is_irregular);
        m_state.mark(lane, node, input);
        return;
    }
    Control& c = m_controls.make(node);
    fast::Slot& plan = c.plan[slot];
    plan = {};
    plan.pkt = true;
    plan.mc = true;
    plan.pend = uint16_t(m_state.client.pruned(node, input, r, map.set));
    plan.plan_copies(map.relay, map.expl, map.xfer, map.exp0);
    plan.tag = uint8_t(get(r.h[0], H0Tag));
    plan.ent = plan.tag != 0;
    n.multicasts |= 1u << slot;
    c.needs[slot] = plan.credits_needed();
    if (plan.ent) {
        c.entryless |= 1u << slot;
        c.no_entry = false;
        c.quiet_until = 0;
        m_controls.wake(node);
    }
    m_state.mark(lane, node, input);
}

uint32_t Inputs::multicasts_for(uint32_t node, uint32_t credit) const {
    const Control& c = m_controls[node];
    uint32_t inputs = 0;
    for (uint32_t left = m_state.nodes[node].multicasts; left != 0; left &= left - 1)
        inputs |= (c.needs[lowest(left)] >> credit & 1) << InputOf[lowest(left)];
    return inputs;
}

// The output that an input requests, if it has unicasts alone. The VC is chosen independent of
// whether the input may request.
RDT_INLINE inline uint32_t Inputs::present(Node& n, uint32_t input) {
    const uint32_t ready = (n.ready & SlotsOf[input]) >> FirstSlot[input];
    if (ready == 0) return NoOutput;
    const uint32_t vc = chosen(ready, n.sel(input));
    n.set_sel(input, vc);
    return (n.open >> input & 1) == 0 ? uint32_t(NoOutput) : n.want[FirstSlot[input] + vc] / 3u;
}

// Calls ask() for inputs that request something else from now on.
template <typename Ask>
RDT_INLINE inline void Inputs::present_node(uint32_t node, Ask&& ask) {
    Node& n = m_state.nodes[node];
    const uint32_t marked = std::exchange(n.marked, uint16_t(0)) & ~uint32_t(n.granted);
    for (uint32_t left = marked; left != 0; left &= left - 1) {
        const uint32_t input = lowest(left);
        if ((n.multicasts & SlotsOf[input]) == 0) {
            const uint32_t output = present(n, input);
            if (output != n.cand[input])
                ask({node, uint16_t(input), uint16_t(output == NoOutput ? 0 : 1u << output)});
        } else {
            const uint32_t outputs = present_multicast(node, input);
            if (outputs != requested_by(node, input))
                ask({node, uint16_t(input), uint16_t(outputs)});
        }
    }
}

void Inputs::present_all(Lane& lane) {
    if (m_state.is_large()) present_many(lane);
    else
        for (const uint32_t node : lane.marked)
            present_node(node, [&](const Asking& asking) { request(lane, asking); });
    lane.marked.clear();
}

// In a large machine, requests are updated a little later, after the prefetch of the lines.
void Inputs::present_many(Lane& lane) {
    constexpr size_t Ahead = 16;
    constexpr size_t Behind = 8;
    size_t requested = 0;
    for (size_t i = 0; i < lane.marked.size(); ++i) {
        if (i + Ahead < lane.marked.size()) m_state.fetch_inputs(lane.marked[i + Ahead]);
        present_node(lane.marked[i], [&](const Asking& asking) {
            m_state.fetch_lines(asking.node);
            lane.asking.push_back(asking);
        });
        while (lane.asking.size() > requested + Behind) request(lane, lane.asking[requested++]);
    }
    while (requested < lane.asking.size()) request(lane, lane.asking[requested++]);
    lane.asking.clear();
}

uint32_t Inputs::present_multicast(uint32_t node, uint32_t input) {
    Node& n = m_state.nodes[node];
    const uint32_t first = FirstSlot[input];
    const uint32_t multicasts = (n.multicasts & SlotsOf[input]) >> first;
    const uint32_t* const needs = &m_controls[node].needs[first];
    uint32_t ready = 0;
    for (uint32_t v = 0; v < fast::MaxVc; ++v) ready |= uint32_t((needs[v] & n.credit) != 0) << v;
    ready = (ready & multicasts) | (n.ready & SlotsOf[input]) >> first;
    if (ready == 0) return 0;
    const uint32_t vc = chosen(ready, n.sel(input));
    n.set_sel(input, vc);
    if ((n.open >> input & 1) == 0) return 0;
    return (multicasts >> vc & 1) != 0 ? ready_outputs(needs[vc], n.credit)
                                       : 1u << n.want[first + vc] / 3;
}

}  // namespace rdt::machine::events
