// SPDX-License-Identifier: MIT
#include <rdt/machine/events/passes.h>

namespace rdt::machine::events {

namespace {

uint32_t next_vc(uint32_t input, uint32_t vc) { return vc + 1 == vcs_of(input) ? 0 : vc + 1; }

}  // namespace

// A packet leaves by an output, with VCs as in Sent. An MBP has one VC.
RDT_INLINE inline void Passes::send(Lane& lane, const Node& n, const Leaving& leaving,
                                    uint32_t packet) {
    const uint64_t now = m_state.now;
    const auto [node, output, vcs] = leaving;
    const uint32_t flits = flits_of(packet);
    const uint32_t vc = vcs & 3;
    lane.calendar.at(now + 2).used.push_back(name_of(node, 3 * output + vc));
    m_sent.add(node, output,
               {uint32_t(now), record_of(packet), uint8_t(flits), uint8_t(vcs), false});
    if (is_mbp(output)) {
        const uint32_t mbp = 2 * node + output - PortM0;
        lane.calendar.at(now + flits + 2).deliver.push_back({2 * mbp, record_of(packet)});
    } else {
        const uint32_t to = FirstSlot[opposite(output)] + vc;
        m_state.post(lane, Mail::Fresh, now + 5, name_of(n.next[output], to), packet);
    }
}

// A pass begins, and the input requests nothing more.
RDT_INLINE inline void Passes::close(Lane& lane, Node& n, uint32_t name, uint32_t flits) {
    const uint32_t input = what_of(name);
    n.set_sel(input, next_vc(input, n.sel(input)));
    n.open = uint16_t(n.open & ~(1u << input));
    n.granted = uint16_t(n.granted | 1u << input);
    if (is_mbp(input)) n.age[input - PortM0] = 0;
    lane.granted_now.push_back(name);
    lane.calendar.at(m_state.now + flits - 1).open.push_back(name);
}

void Passes::pass(Lane& lane, const InputGrant& won) {
    const uint32_t node = won.node;
    const uint32_t input = won.input;
    const uint32_t output = won.output;
    Node& n = m_state.nodes[node];
    const uint32_t vc = n.sel(input);
    const uint32_t slot = FirstSlot[input] + vc;
    const uint32_t packet = n.packet[slot];
    m_lines.plan(lane, won.link, m_state.now + flits_of(packet));
    if ((n.multicasts >> slot & 1) != 0) {
        uint16_t& outputs = m_controls[node].won[input];
        if (outputs == 0) lane.won_multicasts.push_back(name_of(node, input));
        outputs = uint16_t(outputs | 1u << output);
        return;
    }
    // A unicast gets what it requested, and leaves at once.
    n.cand[input] = NoOutput;
    n.asks[output] = uint16_t(n.asks[output] & ~(1u << input));
    const uint32_t out_vc = n.want[slot] - 3u * output;
    n.clear_slot(slot);
    close(lane, n, name_of(node, input), flits_of(packet));
    send(lane, n, {node, output, out_vc | vc << 2}, packet);
    m_returns.give(lane, node, input, vc);
}

// Each bit of a copy is constant or that of the stored header: two headers show which.
Passes::CopyMasks Passes::copy_masks(const CopyPlan& plan, uint32_t output, bool transfers) {
    const auto payload = [&](flit_t stored, unsigned k) {
        const flit_t copy = copy_of(stored, k, plan);
        return slice0(leave_through(copy, k, output, plan.rank, transfers)) & PayloadMask;
    };
    CopyMasks masks;
    for (unsigned k = 0; k < 3; ++k) {
        masks.set[k] = payload(0, k);
        masks.keep[k] = payload(PayloadMask, k);
    }
    return masks;
}

Passes::Header Passes::copy_header(uint32_t node, const fast::Slot& plan, const Header& header,
                                   uint32_t output, bool up) {
    const RouteConfig cfg = m_state.nodes[node].route_config();
    const auto type = uint32_t(get(header[0], H0Type));
    const bool transfers = output <= PortW0 && lowest(plan.credit_needed(output)) == 3 * output + 2;
    const uint32_t key = 1u << 31 | uint32_t(transfers) << 30 | uint32_t(up) << 29 |
                         uint32_t(plan.relay) << 28 | uint32_t(plan.expl) << 27 |
                         uint32_t(plan.exp0) << 26 | type << 20 | output << 16 | cfg.rank << 8 |
                         cfg.ranks;
    const uint32_t at = key * 0x9E3779B1u >> 24;
    CopyMasks& masks = m_copy_masks[m_state.lane_number(node)].masks[at];
    if (masks.key != key) {
        masks = copy_masks({up, plan.relay, plan.expl, plan.exp0, cfg.rank, cfg.ranks, type, 0},
                           output, transfers);
        masks.key = key;
    }
    Header h;
    for (unsigned k = 0; k < 3; ++k) {
        uint32_t copy = (header[k] & masks.keep[k]) | masks.set[k];
        if (k == 0) copy = with(copy, H0Tag, int(plan.tag));
        h[k] = slice0(carry_parity(header[k], copy, OneLane));
    }
    if (is_mbp(output) && plan.tag != 0) {
        const int gen = int(m_controls[node].table.gen(plan.tag));
        h[2] = slice0(carry_parity(h[2], with(h[2], H2Gen, gen), OneLane));
    }
    return h;
}

void Passes::pass_multicast(Lane& lane, uint32_t node, uint32_t input) {
    Node& n = m_state.nodes[node];
    Control& c = m_controls[node];
    const uint32_t vc = n.sel(input);
    const uint32_t slot = FirstSlot[input] + vc;
    const uint32_t packet = n.packet[slot];
    fast::Slot& plan = c.plan[slot];
    const uint32_t granted = std::exchange(c.won[input], uint16_t(0));
    lane.lingering_requests.push_back({name_of(node, input), granted, c.needs[slot], plan.tag});
    const Record record = m_state.packets[record_of(packet)];
    const bool up = (granted & fast::UpperPorts) != 0;
    for (uint32_t left = granted; left != 0; left &= left - 1) {
        const uint32_t o = lowest(left);
        const uint32_t out_vc = lowest(plan.credit_needed(o)) - 3 * o;
        const Header h = copy_header(node, plan, record.h, o, up);
        const uint32_t made = m_state.packets.make(lane.pool, h, record.body);
        send(lane, n, {node, o, out_vc | vc << 2}, with_length(made, h[0]));
    }
    plan.pend = uint16_t(plan.pend & ~granted);
    m_inputs.request(lane, {node, uint16_t(input), 0});
    close(lane, n, name_of(node, input), flits_of(packet));
    const int copies = __builtin_popcount(granted);
    m_state.client.counted(record.body, copies);
    if (plan.pend != 0) {
        c.needs[slot] = plan.credits_needed();
        if (is_mbp(input)) n.since[input - PortM0] = uint32_t(m_state.now + 1);
        return;
    }
    n.clear_slot(slot);
    m_state.drop_later(lane, record_of(packet));
    m_returns.give(lane, node, input, vc);
}

void Passes::show_stale(Lane& lane, const LingeringRequest& h) {
    const uint32_t node = node_of(h.input);
    Node& n = m_state.nodes[node];
    const uint32_t asked = ready_outputs(h.needs, n.credit);
    for (uint32_t left = h.granted & ~asked; left != 0; left &= left - 1)
        m_sent.at(node, lowest(left)).last.asks = n.asks[lowest(left)] != 0;
    for (uint32_t left = asked & ~h.granted; left != 0; left &= left - 1) {
        const uint32_t o = lowest(left);
        n.asks[o] |= AsksStale;
        lane.stale_requests.push_back(name_of(node, o));
        m_lines.request(lane, node, o);
    }
}

}  // namespace rdt::machine::events
