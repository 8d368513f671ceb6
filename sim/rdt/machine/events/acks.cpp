// SPDX-License-Identifier: MIT
#include <rdt/machine/events/acks.h>

namespace rdt::machine::events {

namespace {

uint32_t waiting_vcs(const Control& c, uint32_t input) {
    return c.entryless >> FirstSlot[input] & ((1u << vcs_of(input)) - 1);
}

uint32_t waiting_inputs(const Control& c) {
    uint32_t inputs = 0;
    for (uint32_t left = c.entryless; left != 0; left &= left - 1)
        inputs |= 1u << InputOf[lowest(left)];
    return inputs;
}

// The VC of an input with one that waits which requests an entry in this cycle.
uint32_t asking_vc(const Control& c, uint32_t input) {
    const uint32_t vcs = waiting_vcs(c, input);
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
        Control& c = m_controls[node];
        if (!is_quiet(node, c)) {
            clock(lane, node);
            c.awake = !c.may_sleep();
        }
        if (c.awake) lane.awake[left++] = node;
    }
    lane.awake.resize(left);
}

// Nothing has happened to the node since quiet_until() was evaluated.
RDT_INLINE inline bool Acks::is_quiet(uint32_t node, const Control& c) const {
    if (m_state.now >= c.quiet_until || c.landed != 0) return false;
    const Timers::Kind& ticks = m_timers.of(node);
    if (ticks.is_ack || ticks.is_entry || ticks.is_slow) return false;
    const Node& n = m_state.nodes[node];
    const bool waits = c.inject.q().st == fast::Inject::Want;
    return n.inject_granted == 0 && !n.is_late &&
           (!waits || (n.asks[c.inject.q().ack.port] & AsksInjector) != 0);
}

// After a cycle in which the table was idle: the first one that may be different, if nothing
// happens to the node before. Every input that waits for an entry has one VC that does so.
uint64_t Acks::quiet_until(uint32_t node, const Control& c) const {
    const fast::Inject::Regs& q = c.inject.q();
    if (c.retries || (c.entryless != 0 && c.has_free && !c.no_entry)) return 0;
    if (__builtin_popcount(c.entryless) != __builtin_popcount(waiting_inputs(c))) return 0;
    if (q.st == fast::Inject::Want) {
        const bool has_asked = (m_state.nodes[node].asks[q.ack.port] & AsksInjector) != 0;
        return has_asked ? c.counted + (AckWait - 1 - q.wait) : 0;
    }
    if (!c.has_to_send) return ~uint64_t(0);
    if (q.st == fast::Inject::Ack) return c.counted + (AckFlits - q.idx);
    return c.no_send && c.busy == c.inject.busy() ? c.counted + (AckGap - q.cool) : 0;
}

// No ack lands, no entry is allocated or answered, and no wait for an entry is counted.
bool Acks::is_table_idle(const Control& c, const Timers::Kind& ticks) const {
    const bool may_enter =
        c.entryless != 0 && ((c.has_free && !c.no_entry) || c.retries || ticks.is_slow);
    const bool may_send = c.has_to_send && !(c.no_send && c.busy == c.inject.busy());
    return c.landed == 0 && !may_enter && !ticks.is_ack && !ticks.is_entry &&
           !(may_send && c.inject.is_idle());
}

// As in fast::Control, with LOCAL at rest.
void Acks::clock(Lane& lane, uint32_t node) {
    Control& c = m_controls[node];
    const Timers::Kind& ticks = m_timers.of(node);
    c.count_to(m_state.now);
    const bool is_idle = is_table_idle(c, ticks);
    if (is_idle && c.entryless != 0 && !c.no_entry) pass_turns(c);
    c.quiet_until = 0;
    if (is_idle && c.needs_no_line()) {
        c.quiet_until = quiet_until(node, c);
        return;
    }
    c.counted = m_state.now + 1;
    fast::Inject::In& inject = lane.inject_in;
    inject.snd_v = false;
    inject.retry = 0;
    if (is_idle) {
        clock_injector(lane, node, inject);
        c.quiet_until = quiet_until(node, c);
        return;
    }
    // Only elements of the arrays that these bits name are read.
    fast::AckTable::In& in = lane.table_in;
    in.ent_req = in.ent_old = in.held = 0;
    in.ack_v = c.landed;
    for (uint32_t left = c.landed; left != 0; left &= left - 1) {
        const uint32_t p = lowest(left);
        in.note[p] = {p, uint32_t(get(c.ack[p], H0Tag)), uint32_t(get(c.ack[p], H0Status)),
                      is_mbp(p) ? uint32_t(get(c.ack[p], H0Gen)) : 0};
    }
    const uint32_t waiting = waiting_inputs(c);
    inject.retry = request_entries(c, waiting, in);
    const fast::AckTable::Out out = clock_table(node, in, inject);
    const uint32_t retried = inject.retry != 0 ? c.inject.retry_ack(inject.snd_v, inject.retry) : 0;
    c.err = c.err || retried != 0;
    clock_injector(lane, node, inject);
    c.landed = uint16_t(c.landed & ~out.ack_take);
    if (waiting != 0 || c.counts_waits) answer_entries(lane, node, waiting, out, retried);
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
    if (inject.retry != 0) inject.ent_tag = in.ent_tag;
    in.snd_take = c.inject.snd_take(out.snd_v);
    c.err = c.err || c.table.ev_table(in);
    c.table.clock(in, out);
    c.note_table();
    // Another clock with the same inputs would do the same, if nothing has changed.
    const bool is_same = out.ack_take == 0 && out.ent_gnt == 0 && !in.snd_take && !in.tick;
    c.no_send = is_same && !out.snd_v;
    c.busy = uint16_t(in.busy);
    // An input where several wait requests an entry for another in every cycle.
    c.no_entry = is_same && __builtin_popcount(c.entryless) == __builtin_popcount(in.ent_req);
    return out;
}

// Returns the inputs that have waited too long for one.
uint32_t Acks::request_entries(const Control& c, uint32_t waiting, fast::AckTable::In& in) const {
    uint32_t retry = 0;
    in.ent_req = waiting;
    for (uint32_t left = waiting; left != 0; left &= left - 1) {
        const uint32_t i = lowest(left);
        const uint32_t v = asking_vc(c, i);
        const fast::Slot& plan = c.plan[FirstSlot[i] + v];
        in.ent_set[i] = plan.pend;
        in.ent_tag[i] = plan.tag;
        in.ent_class[i] = entry_class(i, v == TransferVc, plan.pend);
        if (v != c.wvc[i] || c.ewait[i] == 0) continue;
        in.ent_old |= 1u << i;
        if (c.ewait[i] == fast::InputUnit::RetryAt) retry |= 1u << i;
    }
    return retry;
}

// The VC of an input that requests an entry in this cycle; the next one does in the next cycle.
uint32_t Acks::pass_turn(Control& c, uint32_t input) {
    const uint32_t v = asking_vc(c, input);
    if ((waiting_vcs(c, input) >> c.wvc[input] & 1) == 0) c.wvc[input] = uint8_t(v);
    c.evc[input] = uint8_t(v + 1 == vcs_of(input) ? 0 : v + 1);
    return v;
}

void Acks::pass_turns(Control& c) {
    for (uint32_t left = waiting_inputs(c); left != 0; left &= left - 1) pass_turn(c, lowest(left));
}

void Acks::answer_entries(Lane& lane, uint32_t node, uint32_t waiting,
                          const fast::AckTable::Out& out, uint32_t retried) {
    Control& c = m_controls[node];
    const Timers::Kind& ticks = m_timers.of(node);
    if (c.counts_waits)
        for (uint32_t i = 0; i < NumPorts; ++i)
            if ((waiting >> i & 1) == 0) c.ewait[i] = 0;
    c.retries = false;
    c.counts_waits = false;
    for (uint32_t left = waiting; left != 0; left &= left - 1) {
        const uint32_t i = lowest(left);
        const uint32_t v = pass_turn(c, i);
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
            lane.entered_now.push_back(name_of(node, slot));
        } else {
            consume(lane, node, slot);
        }
    }
}

// A multicast is answered RETRY and goes no further.
void Acks::consume(Lane& lane, uint32_t node, uint32_t slot) {
    Node& n = m_state.nodes[node];
    const uint32_t input = InputOf[slot];
    if (is_mbp(input)) {
        const uint32_t k = input - PortM0;
        const uint32_t waited = n.age[k] + (uint32_t(m_state.now + 1) - n.since[k]);
        n.age[k] = uint8_t(waited < AgedAt ? waited : AgedAt);
    }
    const uint32_t record = record_of(n.packet[slot]);
    n.clear_slot(slot);
    m_state.drop_later(lane, record);
    m_returns.give_later(lane, node, input, slot - FirstSlot[input]);
}

void Acks::clock_injector(Lane& lane, uint32_t node, fast::Inject::In& in) {
    Control& c = m_controls[node];
    Node& n = m_state.nodes[node];
    in.gnt = n.inject_granted;
    if (c.inject.ev_lost(in)) report(node, {}, true);
    const core::AckNote ack = c.inject.q().ack;
    if (n.inject_granted != 0) {
        n.asks[ack.port] = uint16_t(n.asks[ack.port] & ~AsksInjector);
        send(lane, node, ack);
        n.inject_granted = 0;
    } else if (c.inject.q().st == fast::Inject::Want && (n.asks[ack.port] & AsksInjector) == 0) {
        n.asks[ack.port] |= AsksInjector;
        m_lines.request(lane, node, ack.port);
    }
    if (!c.inject.is_idle() || in.is_something()) c.inject.clock(in);
    else c.inject.skip(1);
    n.injects = uint16_t(c.inject.q().st == fast::Inject::Want ? 1u << c.inject.q().ack.port : 0);
}

void Acks::send(Lane& lane, uint32_t node, const core::AckNote& ack) {
    const uint32_t h0 = core::head_of(ack);
    m_sent.add(node, ack.port, {uint32_t(m_state.now), h0, 3, 0, true});
    if (is_mbp(ack.port)) {
        const uint32_t mbp = 2 * node + ack.port - PortM0;
        lane.calendar.at(m_state.now + 5).deliver.push_back({2 * mbp + 1, h0});
    } else {
        m_state.post(lane, Mail::Land, m_state.now + 3,
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
    Notes::set(m_state.notes.is_irregular);
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
