// SPDX-License-Identifier: MIT
// Acks: the table and the injector are the chip's own, clocked in nodes where they have something
// to do. A table that only waits sleeps between ticks.
#include <rdt/machine/events/network.h>

namespace rdt::machine::events {

namespace {

constexpr uint32_t NoVc = 3;

uint32_t waiting_vcs(const Control& c, uint32_t input) {
    return c.entryless >> FirstSlot[input] & ((1u << vcs_of(input)) - 1);
}

// The VC of an input that requests an entry in this clock.
uint32_t asking_vc(const Control& c, uint32_t input) {
    const uint32_t vcs = waiting_vcs(c, input);
    if (vcs == 0) return NoVc;
    const uint32_t later = vcs >> c.evc[input] << c.evc[input];
    return lowest(later != 0 ? later : vcs);
}

}  // namespace

Control& Network::control_of(uint32_t node) {
    if (!m_control[node]) {
        m_control[node] = std::make_unique<Control>();
        m_control[node]->counted = m_now;
        lane_of(node).with_control.push_back(node);
    }
    return *m_control[node];
}

void Network::wake(uint32_t node) {
    if (std::exchange(m_control[node]->awake, true)) return;
    lane_of(node).awake.push_back(node);
}

void Network::clock_control(Lane& lane) {
    if (m_is_ack_tick)
        for (const uint32_t node : lane.with_control)
            if (ticking_of(node).is_ack && !m_control[node]->table.quiet(0, 0)) wake(node);
    size_t left = 0;
    for (size_t i = 0; i < lane.awake.size(); ++i) {
        const uint32_t node = lane.awake[i];
        clock_control(node);
        Control& c = *m_control[node];
        c.awake = c.landed != 0 || c.entryless != 0 || !c.inject.is_idle() || c.has_to_send;
        if (c.awake) lane.awake[left++] = node;
    }
    lane.awake.resize(left);
}

void Network::note_table(Control& c) const {
    c.has_to_send = c.has_free = false;
    for (uint32_t t = 1; t <= NumEntries; ++t) {
        const fast::AckTable::Entry& e = c.table.q().entry[t];
        c.has_free = c.has_free || e.st == fast::AckTable::Free;
        c.has_to_send = c.has_to_send || e.st == fast::AckTable::Late ||
                        (e.st == fast::AckTable::Wait && e.pend == 0);
    }
}

// Nothing lands, no entry is given or answered, and nobody counts how long he has waited for one.
bool Network::is_table_idle(const Control& c, const Ticking& ticks) const {
    const bool may_enter = c.entryless != 0 && (c.has_free || c.retries || ticks.is_slow);
    return c.landed == 0 && !may_enter && !ticks.is_ack && !ticks.is_entry &&
           !(c.has_to_send && c.inject.is_idle());
}

// As in fast::Control, with LOCAL at rest.
void Network::clock_control(uint32_t node) {
    Control& c = *m_control[node];
    c.inject.skip(m_now - c.counted);
    c.counted = m_now + 1;
    fast::Inject::In inject;
    const Ticking& ticks = ticking_of(node);
    if (is_table_idle(c, ticks)) {
        if (c.entryless != 0) pass_turns(c);
        clock_injector(node, inject);
        return;
    }
    fast::AckTable::In in;
    fast::AckTable::Out out;
    in.ack_v = c.landed;
    for (uint32_t left = c.landed; left != 0; left &= left - 1) {
        const uint32_t p = lowest(left);
        in.note[p] = {p, uint32_t(get(c.ack[p], H0Tag)), uint32_t(get(c.ack[p], H0Status)),
                      is_mbp(p) ? uint32_t(get(c.ack[p], H0Gen)) : 0};
    }
    inject.retry = asks_for_entries(c, in);
    if (!c.table.quiet(in.ack_v, in.ent_req)) {
        in.tick = ticks.is_ack;
        if (in.tick) in.held = held(node);
        in.busy = c.inject.busy();
        out = c.table.comb(in);
        if (out.stray) tell_local(node, out, false);
        inject.snd_v = out.snd_v;
        inject.snd = out.snd;
        inject.retry &= ~out.ent_gnt;
        inject.ent_tag = in.ent_tag;
        in.snd_take = c.inject.snd_take(out.snd_v);
        c.err = c.err || c.table.ev_table(in);
        c.table.clock(in, out);
        note_table(c);
    }
    const uint32_t retried = inject.retry != 0 ? c.inject.retry_ack(inject.snd_v, inject.retry) : 0;
    c.err = c.err || retried != 0;
    clock_injector(node, inject);
    c.landed = uint16_t(c.landed & ~out.ack_take);
    answer_entries(node, out, retried);
}

// Returns the inputs that have waited too long for one.
uint32_t Network::asks_for_entries(const Control& c, fast::AckTable::In& in) const {
    uint32_t retry = 0;
    for (uint32_t i = 0; c.entryless != 0 && i < NumPorts; ++i) {
        const uint32_t v = asking_vc(c, i);
        if (v == NoVc) continue;
        const fast::Slot& plan = c.plan[FirstSlot[i] + v];
        in.ent_req |= 1u << i;
        in.ent_set[i] = plan.pend;
        in.ent_tag[i] = plan.tag;
        in.ent_class[i] = entry_class(i, v == TransferVc, plan.pend);
        if (v != c.wvc[i] || c.ewait[i] == 0) continue;
        in.ent_old |= 1u << i;
        if (c.ewait[i] == fast::InputUnit::RetryAt) retry |= 1u << i;
    }
    return retry;
}

// The next VC of each input requests an entry in the next clock.
void Network::pass_turns(Control& c) {
    for (uint32_t i = 0; i < NumPorts; ++i) {
        const uint32_t v = asking_vc(c, i);
        if (v == NoVc) continue;
        if ((waiting_vcs(c, i) >> c.wvc[i] & 1) == 0) c.wvc[i] = uint8_t(v);
        c.evc[i] = uint8_t(v + 1 == vcs_of(i) ? 0 : v + 1);
    }
}

void Network::answer_entries(uint32_t node, const fast::AckTable::Out& out, uint32_t retried) {
    Control& c = *m_control[node];
    const Ticking& ticks = ticking_of(node);
    c.retries = false;
    for (uint32_t i = 0; i < NumPorts; ++i) {
        const uint32_t v = asking_vc(c, i);
        if (v == NoVc) {
            c.ewait[i] = 0;
            continue;
        }
        if ((waiting_vcs(c, i) >> c.wvc[i] & 1) == 0) c.wvc[i] = uint8_t(v);
        c.evc[i] = uint8_t(v + 1 == vcs_of(i) ? 0 : v + 1);
        const uint32_t slot = FirstSlot[i] + v;
        const bool granted = (out.ent_gnt >> i & 1) != 0;
        const bool answered = granted || (retried >> i & 1) != 0;
        uint8_t& ewait = c.ewait[i];
        if (answered && v == c.wvc[i]) ewait = 0;
        else if (ewait == 0) ewait = ticks.is_slow ? 1 : 0;
        else if (ticks.is_entry && ewait < fast::InputUnit::RetryAt) ++ewait;
        c.retries = c.retries || ewait == fast::InputUnit::RetryAt;
        if (!answered) continue;
        c.entryless &= ~(1u << slot);
        if (granted) {
            c.plan[slot].ent = false;
            c.plan[slot].tag = uint8_t(out.ent_new);
            lane_of(node).entered_now.push_back(name_of(node, slot));
        } else {
            consume(node, slot);
        }
    }
}

// A multicast is answered RETRY and goes no further.
void Network::consume(uint32_t node, uint32_t slot) {
    Node& n = m_nodes[node];
    const uint32_t input = InputOf[slot];
    if (is_mbp(input)) {
        const uint32_t k = input - PortM0;
        const uint32_t waited = n.age[k] + (uint32_t(m_now + 1) - n.since[k]);
        n.age[k] = uint8_t(waited < AgedAt ? waited : AgedAt);
    }
    const uint32_t record = record_of(n.packet[slot]);
    take_slot(node, slot);
    forget(node, record);
    owe(node, input, slot - FirstSlot[input]);
}

void Network::clock_injector(uint32_t node, fast::Inject::In& in) {
    Control& c = *m_control[node];
    Node& n = m_nodes[node];
    in.gnt = c.granted;
    if (c.inject.ev_lost(in)) tell_local(node, {}, true);
    const core::AckNote ack = c.inject.q().ack;
    if (c.granted != 0) {
        n.asks[ack.port] = uint16_t(n.asks[ack.port] & ~AsksInjector);
        send_router_ack(node, ack);
        c.granted = 0;
    } else if (c.inject.q().st == fast::Inject::Want) {
        n.asks[ack.port] |= AsksInjector;
        request(node, ack.port);
    }
    if (!c.inject.is_idle() || in.is_something()) c.inject.clock(in);
    else c.inject.skip(1);
    n.injects = uint16_t(c.inject.q().st == fast::Inject::Want ? 1u << c.inject.q().ack.port : 0);
}

void Network::send_router_ack(uint32_t node, const core::AckNote& ack) {
    const uint32_t h0 = core::head_of(ack);
    leave(node, ack.port, {uint32_t(m_now), h0, 3, 0, true});
    if (is_mbp(ack.port)) {
        const uint32_t mbp = 2 * node + ack.port - PortM0;
        day(node, m_now + 5).deliver.push_back({2 * mbp + 1, h0});
    } else {
        post(node, Mail::Land, m_now + 3, name_of(m_nodes[node].next[ack.port], opposite(ack.port)),
             h0);
    }
}

// Bit t-1: a copy with the tag t waits here, or did until this clock.
uint32_t Network::held(uint32_t node) const {
    const Control& c = *m_control[node];
    uint32_t tags = 0;
    for (uint32_t left = m_nodes[node].multicasts & ~c.entryless; left != 0; left &= left - 1)
        tags |= 1u << c.plan[lowest(left)].tag;
    for (const Haunts& h : m_lanes[lane_number(node)].haunts)
        if (node_of(h.input) == node) tags |= 1u << h.plan.tag;
    return tags >> 1;
}

// What does not concern the network: an ack that nobody waits for, or that its link does not take.
void Network::tell_local(uint32_t node, const fast::AckTable::Out& out, bool lost) {
    Lane& lane = lane_of(node);
    lane.is_irregular = true;
    if (lane.heard.empty() || lane.heard.back().first != node)
        lane.heard.emplace_back(node, fast::Local::In{});
    fast::Local::In& heard = lane.heard.back().second;
    heard.ev_lost = heard.ev_lost || lost;
    if (!out.stray) return;
    heard.stray = true;
    heard.stray_port = out.stray_port;
    heard.stray_tag = out.stray_tag;
}

bool Network::told_local(uint32_t node, fast::Local::In& heard) const {
    for (const auto& [at, what] : m_lanes[lane_number(node)].heard) {
        if (at != node) continue;
        heard = what;
        return true;
    }
    return false;
}

}  // namespace rdt::machine::events
