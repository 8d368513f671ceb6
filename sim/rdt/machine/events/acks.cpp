// SPDX-License-Identifier: MIT
#include <rdt/machine/events/acks.h>

namespace rdt::machine::events {

namespace {

constexpr uint32_t NoVc = 3;

uint32_t waiting_vcs(const Control& c, uint32_t input) {
    return c.entryless >> FirstSlot[input] & ((1u << vcs_of(input)) - 1);
}

// The VC of an input that requests an entry in this cycle.
uint32_t asking_vc(const Control& c, uint32_t input) {
    const uint32_t vcs = waiting_vcs(c, input);
    if (vcs == 0) return NoVc;
    const uint32_t later = vcs >> c.evc[input] << c.evc[input];
    return lowest(later != 0 ? later : vcs);
}

}  // namespace

void Acks::clock_awake(Lane& lane) {
    if (m_timers.is_any_ack())
        for (const uint32_t node : lane.with_control)
            if (m_timers.of(node).is_ack && !m_controls[node].table.quiet(0, 0))
                m_controls.wake(node);
    size_t left = 0;
    for (size_t i = 0; i < lane.awake.size(); ++i) {
        const uint32_t node = lane.awake[i];
        clock(node);
        Control& c = m_controls[node];
        c.awake = !c.may_sleep();
        if (c.awake) lane.awake[left++] = node;
    }
    lane.awake.resize(left);
}

// No ack lands, no entry is allocated or answered, and no wait for an entry is counted.
bool Acks::is_table_idle(const Control& c, const Timers::Kind& ticks) const {
    const bool may_enter = c.entryless != 0 && (c.has_free || c.retries || ticks.is_slow);
    return c.landed == 0 && !may_enter && !ticks.is_ack && !ticks.is_entry &&
           !(c.has_to_send && c.inject.is_idle());
}

// As in fast::Control, with LOCAL at rest.
void Acks::clock(uint32_t node) {
    Control& c = m_controls[node];
    c.inject.skip(m_state.now - c.counted);
    c.counted = m_state.now + 1;
    fast::Inject::In inject;
    const Timers::Kind& ticks = m_timers.of(node);
    if (is_table_idle(c, ticks)) {
        if (c.entryless != 0) pass_turns(c);
        clock_injector(node, inject);
        return;
    }
    fast::AckTable::In in;
    in.ack_v = c.landed;
    for (uint32_t left = c.landed; left != 0; left &= left - 1) {
        const uint32_t p = lowest(left);
        in.note[p] = {p, uint32_t(get(c.ack[p], H0Tag)), uint32_t(get(c.ack[p], H0Status)),
                      is_mbp(p) ? uint32_t(get(c.ack[p], H0Gen)) : 0};
    }
    inject.retry = request_entries(c, in);
    const fast::AckTable::Out out = clock_table(node, in, inject);
    const uint32_t retried = inject.retry != 0 ? c.inject.retry_ack(inject.snd_v, inject.retry) : 0;
    c.err = c.err || retried != 0;
    clock_injector(node, inject);
    c.landed = uint16_t(c.landed & ~out.ack_take);
    if (c.entryless != 0 || c.counts_waits) answer_entries(node, out, retried);
}

fast::AckTable::Out Acks::clock_table(uint32_t node, fast::AckTable::In& in,
                                      fast::Inject::In& inject) {
    Control& c = m_controls[node];
    if (c.table.quiet(in.ack_v, in.ent_req)) return {};
    in.tick = m_timers.of(node).is_ack;
    if (in.tick) in.held = held_tags(node);
    in.busy = c.inject.busy();
    fast::AckTable::Out out = c.table.comb(in);
    if (out.stray) report(node, out, false);
    inject.snd_v = out.snd_v;
    inject.snd = out.snd;
    inject.retry &= ~out.ent_gnt;
    inject.ent_tag = in.ent_tag;
    in.snd_take = c.inject.snd_take(out.snd_v);
    c.err = c.err || c.table.ev_table(in);
    c.table.clock(in, out);
    c.note_table();
    return out;
}

// Returns the inputs that have waited too long for one.
uint32_t Acks::request_entries(const Control& c, fast::AckTable::In& in) const {
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

// The next VC of each input requests an entry in the next cycle.
void Acks::pass_turns(Control& c) {
    for (uint32_t i = 0; i < NumPorts; ++i) {
        const uint32_t v = asking_vc(c, i);
        if (v == NoVc) continue;
        if ((waiting_vcs(c, i) >> c.wvc[i] & 1) == 0) c.wvc[i] = uint8_t(v);
        c.evc[i] = uint8_t(v + 1 == vcs_of(i) ? 0 : v + 1);
    }
}

void Acks::answer_entries(uint32_t node, const fast::AckTable::Out& out, uint32_t retried) {
    Control& c = m_controls[node];
    const Timers::Kind& ticks = m_timers.of(node);
    c.retries = false;
    c.counts_waits = false;
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
        c.counts_waits = c.counts_waits || ewait != 0;
        if (!answered) continue;
        c.entryless &= ~(1u << slot);
        if (granted) {
            c.plan[slot].ent = false;
            c.plan[slot].tag = uint8_t(out.ent_new);
            m_state.lane_of(node).entered_now.push_back(name_of(node, slot));
        } else {
            consume(node, slot);
        }
    }
}

// A multicast is answered RETRY and goes no further.
void Acks::consume(uint32_t node, uint32_t slot) {
    Node& n = m_state.nodes[node];
    const uint32_t input = InputOf[slot];
    if (is_mbp(input)) {
        const uint32_t k = input - PortM0;
        const uint32_t waited = n.age[k] + (uint32_t(m_state.now + 1) - n.since[k]);
        n.age[k] = uint8_t(waited < AgedAt ? waited : AgedAt);
    }
    const uint32_t record = record_of(n.packet[slot]);
    n.clear_slot(slot);
    Lane& lane = m_state.lane_of(node);
    m_state.drop_later(lane, record);
    m_returns.give_later(lane, node, input, slot - FirstSlot[input]);
}

void Acks::clock_injector(uint32_t node, fast::Inject::In& in) {
    Control& c = m_controls[node];
    Node& n = m_state.nodes[node];
    in.gnt = n.inject_granted;
    if (c.inject.ev_lost(in)) report(node, {}, true);
    const core::AckNote ack = c.inject.q().ack;
    if (n.inject_granted != 0) {
        n.asks[ack.port] = uint16_t(n.asks[ack.port] & ~AsksInjector);
        send(node, ack);
        n.inject_granted = 0;
    } else if (c.inject.q().st == fast::Inject::Want) {
        n.asks[ack.port] |= AsksInjector;
        m_lines.request(m_state.lane_of(node), node, ack.port);
    }
    if (!c.inject.is_idle() || in.is_something()) c.inject.clock(in);
    else c.inject.skip(1);
    n.injects = uint16_t(c.inject.q().st == fast::Inject::Want ? 1u << c.inject.q().ack.port : 0);
}

void Acks::send(uint32_t node, const core::AckNote& ack) {
    const uint32_t h0 = core::head_of(ack);
    m_sent.add(node, ack.port, {uint32_t(m_state.now), h0, 3, 0, true});
    if (is_mbp(ack.port)) {
        const uint32_t mbp = 2 * node + ack.port - PortM0;
        m_state.day(node, m_state.now + 5).deliver.push_back({2 * mbp + 1, h0});
    } else {
        m_state.post(m_state.lane_of(node), Mail::Land, m_state.now + 3,
                     name_of(m_state.nodes[node].next[ack.port], opposite(ack.port)), h0);
    }
}

// Bit t-1: a copy with the tag t waits here, or did until this cycle.
uint32_t Acks::held_tags(uint32_t node) const {
    const Control& c = m_controls[node];
    uint32_t tags = 0;
    for (uint32_t left = m_state.nodes[node].multicasts & ~c.entryless; left != 0; left &= left - 1)
        tags |= 1u << c.plan[lowest(left)].tag;
    for (const LingeringRequest& h : m_state.lane_of(node).lingering_requests)
        if (node_of(h.input) == node) tags |= 1u << h.tag;
    return tags >> 1;
}

// Events outside the network: a stray ack, or an ack that its link does not accept.
void Acks::report(uint32_t node, const fast::AckTable::Out& out, bool lost) {
    Lane& lane = m_state.lane_of(node);
    lane.is_irregular = true;
    if (lane.reports.empty() || lane.reports.back().first != node)
        lane.reports.emplace_back(node, fast::Local::In{});
    fast::Local::In& last = lane.reports.back().second;
    last.ev_lost = last.ev_lost || lost;
    if (!out.stray) return;
    last.stray = true;
    last.stray_port = out.stray_port;
    last.stray_tag = out.stray_tag;
}

bool Acks::has_report(uint32_t node, fast::Local::In& found) const {
    for (const auto& [at, what] : m_state.lane_of(node).reports) {
        if (at != node) continue;
        found = what;
        return true;
    }
    return false;
}

}  // namespace rdt::machine::events
