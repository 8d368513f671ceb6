// SPDX-License-Identifier: MIT
// Acks: the table and the injector are the chip's own, clocked in nodes where they have something
// to do. A table that only waits sleeps between ticks.
#include <algorithm>

#include <rdt/machine/events/network.h>

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
    c.has_free = c.table.has_free();
    c.has_to_send = c.table.has_to_send();
}

// No ack lands, no entry is allocated or answered, and no wait for an entry is counted.
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

// The next VC of each input requests an entry in the next cycle.
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

// Bit t-1: a copy with the tag t waits here, or did until this cycle.
uint32_t Network::held(uint32_t node) const {
    const Control& c = *m_control[node];
    uint32_t tags = 0;
    for (uint32_t left = m_nodes[node].multicasts & ~c.entryless; left != 0; left &= left - 1)
        tags |= 1u << c.plan[lowest(left)].tag;
    for (const LingeringRequest& h : m_lanes[lane_number(node)].lingering_requests)
        if (node_of(h.input) == node) tags |= 1u << h.plan.tag;
    return tags >> 1;
}

// Events outside the network: a stray ack, or an ack that its link does not accept.
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

// Links that resynchronize. An end that has missed a credit for two slow ticks stops requesting and
// calls in the first cycle in which the line is free. Both ends clear their credits, and each
// announces again the buffers that stayed empty (specification, section 1). Where packets wait for
// long that happens without any fault.
//
// An end falls in clock f; the other, if it does not fall in the same cycle, in f+1. Then, counted
// from the first cycle of Sync, T = f+1:
//   T         the end calls, for nine cycles
//   ann       T+12, or T+11 if both ends fell together: both are in Ann
//   ann+1     the first credit is shown, the others three cycles apart
//   ann+12    the line is up, and buffers emptied meanwhile are announced
Network::End Network::end_of(uint32_t link, uint32_t side) const {
    const uint32_t node = node_of(link);
    const uint32_t port = port_of_link(what_of(link));
    if (side == First) return {node, port};
    if (is_mbp(port)) return {node, NumPorts + port - PortM0};
    return {m_nodes[node].next[port], opposite(port)};
}

uint32_t Network::link_of(uint32_t node, uint32_t end) const {
    if (end >= NumPorts) return name_of(node, link_at(end - NumPorts + PortM0));
    if (has_priority(end)) return name_of(node, link_at(end));
    return name_of(m_nodes[node].next[end], link_at(end));
}

// A credit that is away at two ticks on end is late from the next cycle on, unless it comes then.
void Network::check_slow_ticks(Lane& lane) {
    const Day& tomorrow = lane.calendar.at(m_now + 1);
    const auto comes = [](const std::vector<uint32_t>& list, uint32_t what) {
        return std::find(list.begin(), list.end(), what) != list.end();
    };
    if (m_is_slow_tick) {
        for (uint32_t node = lane.first; node < lane.end; ++node) {
            if (!ticking_of(node).is_slow) continue;
            Node& n = m_nodes[node];
            const uint32_t away = AllCredits & ~n.credit;
            for (uint32_t left = away & n.missed; left != 0; left &= left - 1) {
                const auto bit = uint32_t(__builtin_ctz(left));
                if (!comes(tomorrow.back, name_of(node, bit))) note_late(node, 1u << bit, bit / 3);
            }
            n.missed = away;
            // Only links that are up miss credits.
            for (uint32_t left = n.down & AllInputs; left != 0; left &= left - 1) {
                const auto port = uint32_t(__builtin_ctz(left));
                uint64_t fall = 0;
                if (down_at(node, port, fall) != nullptr && m_now > fall)
                    n.missed &= ~credits_of(port);
            }
        }
    }
    if (m_now % SlowTick != SlowTick - 1) return;
    for (uint32_t mbp = 2 * lane.first; mbp < 2 * lane.end; ++mbp) {
        Mbp& m = m_mbps[mbp];
        const uint32_t end = NumPorts + mbp % 2;
        const bool away = m.is_away(m_now);
        if (away && m.missed && !comes(tomorrow.mbp_back, mbp))
            note_late(mbp / 2, credits_of(end), PortM0 + mbp % 2);
        uint64_t fall = 0;
        m.missed = away && (down_at(mbp / 2, end, fall) == nullptr || m_now <= fall);
    }
}

void Network::note_late(uint32_t node, uint32_t credit, uint32_t port) {
    if ((m_nodes[node].late & credit) != 0) return;
    lane_of(node).late.emplace_back(node, credit);
    request(node, port);
}

// Credits that are late in this cycle.
void Network::follow_late() {
    for (const Lane& lane : m_lanes)
        for (const auto& late : lane.late) m_late.push_back(late.first);
    if (m_late.empty()) return;
    std::sort(m_late.begin(), m_late.end());
    m_late.erase(std::unique(m_late.begin(), m_late.end()), m_late.end());
    for (const uint32_t node : m_late) {
        Node& n = m_nodes[node];
        n.late_before = n.late;
        n.is_late = true;
    }
    for (Lane& lane : m_lanes) {
        for (const auto& [node, credit] : lane.late) m_nodes[node].late |= credit;
        lane.late.clear();
        const Day& today = lane.calendar.at(m_now);
        for (const uint32_t credit : today.back)
            m_nodes[node_of(credit)].late &= ~(1u << what_of(credit));
        for (const uint32_t mbp : today.mbp_back)
            m_nodes[mbp / 2].late &= ~credits_of(NumPorts + mbp % 2);
    }
    m_late.erase(std::remove_if(m_late.begin(), m_late.end(),
                                [this](uint32_t node) {
                                    Node& n = m_nodes[node];
                                    n.is_late = (n.late | n.late_before) != 0;
                                    return !n.is_late;
                                }),
                 m_late.end());
}

void Network::fall(uint32_t link, const Hush& hush) {
    const bool both = hush[First] && hush[Second];
    Down& d = m_down[link];
    d = {};
    d.ann = m_now + (both ? 12 : 13);
    for (const Side side : {First, Second}) {
        d.fall[side] = hush[side] ? m_now : m_now + 1;
        if (hush[side]) begin_fall(d, link, side);
        if (!both || side == First) day(node_of(link), d.fall[side] + 1).resync.push_back(link);
    }
    Line& line = m_nodes[node_of(link)].line[what_of(link)];
    d.owner = line.owner;
    line.phase = Line::Down;
    line.owner = Second;
    m_nodes[node_of(link)].planned |= uint8_t(1u << what_of(link));
    for (const uint64_t clock : {d.ann, d.ann + AnnClocks})
        day(node_of(link), clock).resync.push_back(link);
    plan(node_of(link), link, d.ann + AnnClocks);
}

// Credits that were on their way to the other end are kept for later. (This includes credits
// returned in this cycle before the line was evaluated.)
void Network::begin_fall(Down& d, uint32_t link, uint32_t side) {
    const End end = end_of(link, side);
    CreditHistory& credit = m_credits[end.node][end.port];
    Node& n = m_nodes[end.node];
    n.down = uint16_t(n.down | 1u << end.port);
    const uint32_t shown = uint32_t(m_now) - credit.at;
    uint32_t vcs = std::exchange(credit.owed, uint8_t(0));
    if (shown <= 2) vcs |= 1u << (credit.vc - 1);
    d.kept[side] = d.freed[side] = uint8_t(vcs);
}

// At the beginning of a cycle.
void Network::resynchronize(uint32_t link) {
    const auto found = m_down.find(link);
    if (found == m_down.end()) return;
    Down& d = found->second;
    for (const Side side : {First, Second}) {
        const End end = end_of(link, side);
        Node& n = m_nodes[end.node];
        CreditHistory& credit = m_credits[end.node][end.port];
        if (m_now == d.fall[side]) begin_fall(d, link, side);
        if (m_now == d.fall[side] + 1) {
            d.had[side] = uint8_t(credits_in_hand(end) | credits_coming(end, d, side));
            drop_credits(end);
        }
        if (m_now == d.ann) {
            const bool is_chip = end.port < NumPorts;
            const uint32_t vcs = is_chip ? (1u << vcs_of(end.port)) - 1 : 1;
            const uint32_t full = is_chip ? n.have >> FirstSlot[end.port] & vcs : 0;
            d.kept[side] = uint8_t(d.kept[side] | full);
            credit.owed = uint8_t(vcs & ~d.kept[side]);
            day(end.node, m_now + 1).owed.push_back(name_of(end.node, end.port));
        }
        if (m_now == d.ann + AnnClocks) {
            n.down = uint16_t(n.down & ~(1u << end.port));
            credit.owed = uint8_t(credit.owed | d.freed[side]);
            day(end.node, m_now).owed.push_back(name_of(end.node, end.port));
        }
    }
    if (m_now == d.ann + AnnClocks) m_down.erase(found);
}

uint32_t Network::credits_in_hand(const End& end) const {
    if (end.port < NumPorts) return m_nodes[end.node].credit >> 3 * end.port & 7;
    return m_mbps[2 * end.node + end.port - NumPorts].credit ? 1 : 0;
}

// In this cycle, the first after the fall. The called end has seen at most half of them.
uint32_t Network::credits_coming(const End& end, const Down& d, Side side) const {
    if (d.fall[side] > d.fall[side == First ? Second : First]) return 0;
    const Day& today = m_lanes[lane_number(end.node)].calendar.at(m_now);
    uint32_t vcs = 0;
    if (end.port < NumPorts) {
        for (const uint32_t credit : today.back)
            if (node_of(credit) == end.node && what_of(credit) / 3 == end.port)
                vcs |= 1u << what_of(credit) % 3;
        return vcs;
    }
    for (const uint32_t mbp : today.mbp_back)
        vcs |= mbp == 2 * end.node + end.port - NumPorts ? 1u : 0;
    return vcs;
}

void Network::drop_credits(const End& end) {
    Node& n = m_nodes[end.node];
    n.late &= ~credits_of(end.port);
    if (end.port >= NumPorts) {
        Mbp& m = m_mbps[2 * end.node + end.port - NumPorts];
        m.credit = false;
        m.missed = false;
        m.used_at = uint32_t(m_now);
        mark_mbp(2 * end.node + end.port - NumPorts);
        return;
    }
    const uint32_t in_hand = n.credit & credits_of(end.port);
    n.credit &= ~in_hand;
    n.missed &= ~credits_of(end.port);
    for (uint32_t left = in_hand; left != 0; left &= left - 1)
        mark_waiting(end.node, uint32_t(__builtin_ctz(left)));
}

// A buffer is emptied while its link is down.
void Network::keep(uint32_t node, uint32_t receiver, uint32_t vc) {
    const uint32_t link = link_of(node, receiver);
    Down& d = m_down.at(link);
    const End first = end_of(link, First);
    const Side side = first.node == node && first.port == receiver ? First : Second;
    d.kept[side] = uint8_t(d.kept[side] | 1u << vc);
    d.freed[side] = uint8_t(d.freed[side] | 1u << vc);
}

const Network::Down* Network::down_at(uint32_t node, uint32_t end, uint64_t& fall) const {
    if ((m_nodes[node].down >> end & 1) == 0) return nullptr;
    const uint32_t link = link_of(node, end);
    const Down& d = m_down.at(link);
    const End first = end_of(link, First);
    fall = d.fall[first.node == node && first.port == end ? First : Second];
    return &d;
}

// A credit that comes was shown before the link went down.
bool Network::is_forgotten(uint32_t node, uint32_t end) const {
    uint64_t fall = 0;
    const Down* d = down_at(node, end, fall);
    return d != nullptr && m_now > fall && m_now <= d->ann;
}

uint32_t Network::links_down() const {
    uint32_t count = 0;
    for (const auto& [link, d] : m_down)
        if (m_now > std::min(d.fall[First], d.fall[Second]) && m_now < d.ann + AnnClocks) ++count;
    return count;
}

}  // namespace rdt::machine::events
