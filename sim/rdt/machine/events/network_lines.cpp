// SPDX-License-Identifier: MIT
// Lines, arbiters, and the passes that they grant.
#include <algorithm>

#include <rdt/machine/events/network.h>

namespace rdt::machine::events {

namespace {

constexpr uint32_t AckFlits = 3;
constexpr uint32_t MostFlits = 16;

uint32_t next_vc(uint32_t input, uint32_t vc) { return vc + 1 == vcs_of(input) ? 0 : vc + 1; }

}  // namespace

// A pass follows a few decisions later, when what it touches has come from memory. No decision of
// the same cycle depends on it but those of multicasts, which wait for all.
void Network::decide(Lane& lane) {
    constexpr size_t Far = 24;
    constexpr size_t Near = 12;
    constexpr size_t Behind = 8;
    const std::vector<uint32_t>& links = lane.calendar.at(m_now).decide;
    const size_t fetched = is_large() ? links.size() : 0;
    size_t passed = 0;
    for (size_t i = 0; i < links.size(); ++i) {
        if (i + Far < fetched) fetch_lines(node_of(links[i + Far]));
        if (i + Near < fetched) fetch_far_end(links[i + Near]);
        decide(links[i]);
        if (lane.won.size() > passed + Behind) pass(lane.won[passed++]);
    }
    while (passed < lane.won.size()) pass(lane.won[passed++]);
    lane.won.clear();
}

// Lines of other lanes, when all have been decided.
void Network::take_grants(Lane& lane) {
    for (Lane& from : m_lanes) {
        for (const Grant& grant : from.grants[lane.number]) take(grant);
        from.grants[lane.number].clear();
    }
    for (const Won& won : lane.won) pass(won);
    lane.won.clear();
    for (const uint32_t output : lane.ghosts)
        m_nodes[node_of(output)].asks[what_of(output)] &= uint16_t(~AsksGhost);
    lane.ghosts.clear();
}

// The next owner of the line, from both ends' REQ.
void Network::decide(uint32_t link) {
    const uint32_t first = node_of(link);
    const uint32_t port = port_of_link(what_of(link));
    Node& n = m_nodes[first];
    Line& line = n.line[what_of(link)];
    const bool to_mbp = port >= PortM0;
    const uint32_t second = to_mbp ? first : n.next[port];
    const uint32_t far = to_mbp ? NumPorts + port - PortM0 : opposite(port);
    Node& o = m_nodes[second];
    std::array<bool, 2> asks{n.asks[port] != 0,
                             to_mbp ? (n.mbps_ask >> (port - PortM0) & 1) != 0 : o.asks[far] != 0};
    Hush hush{};
    if (n.is_late || o.is_late) {
        // An end that needs to resynchronize requests only the end of the other end's packet.
        const auto listen = [&line](const Node& at, uint32_t end, Side side, bool& is_asking) {
            if ((at.late_before & credits_of(end)) != 0)
                is_asking = line.phase == Line::Sends && line.owner != side;
            return (at.late & credits_of(end)) != 0;
        };
        hush = {listen(n, port, First, asks[First]), listen(o, far, Second, asks[Second])};
    }
    const Side other = line.owner == First ? Second : First;
    const Line::Phase phase = line.phase;
    line.phase = Line::Idle;
    switch (phase) {
    case Line::Sends:
        if (asks[line.owner] && !asks[other]) break;
        // Not its sender, whose last flit is on its way to the pins.
        hush[line.owner] = false;
        rest(link, hush);
        return;
    case Line::Voided:
        if (!asks[other]) {
            rest(link, hush);
            return;
        }
        line.owner = other;
        break;
    default:
        if (!asks[line.owner] && !asks[other]) {
            line.owner = Second;
            n.planned = uint8_t(n.planned & ~(1u << what_of(link)));
            if (hush[First] || hush[Second]) rest(link, hush);
            return;
        }
        if (asks[other]) line.owner = other;
    }
    const Grant grant{line.owner == First ? first : second, link,
                      uint8_t(line.owner == First ? port : far), hush[line.owner]};
    const uint32_t to = lane_number(grant.node);
    if (to == lane_number(first)) take(grant);
    else lane_of(first).grants[to].push_back(grant);
}

void Network::take(const Grant& grant) {
    Line& line = m_nodes[node_of(grant.link)].line[what_of(grant.link)];
    if (grant.is_hushed) void_grant(grant.node, grant.end, grant.link, line);
    else if (grant.end < NumPorts) win(grant.node, grant.end, grant.link, line);
    else win_mbp(2 * grant.node + grant.end - NumPorts, grant.link);
}

// The line is free in the next cycle, unless an end starts link recovery.
void Network::rest(uint32_t link, const Hush& hush) {
    if (hush[First] || hush[Second]) lane_of(node_of(link)).falls.push_back({link, hush});
    else plan(node_of(link), link, m_now + 1);
}

// The line was given to an end that does not use it.
void Network::void_grant(uint32_t node, uint32_t end, uint32_t link, Line& line) {
    line.phase = Line::Voided;
    m_pins[node][end].void_at = uint32_t(m_now);
    plan(node, link, m_now + 2);
}

// The injector comes first; else round-robin, with traffic in transit before injection by an MBP,
// unless that has waited long enough.
void Network::win(uint32_t node, uint32_t output, uint32_t link, Line& line) {
    Node& n = m_nodes[node];
    line.phase = Line::Sends;
    if ((n.injects >> output & 1) != 0) {
        plan(node, link, m_now + AckFlits);
        m_control[node]->granted = uint16_t(1u << output);
        return;
    }
    const uint32_t all = n.asks[output] & AllInputs;
    if (all == 0) {
        void_grant(node, output, link, line);
        return;
    }
    uint32_t old = all & ((1u << PortM0) - 1);
    for (uint32_t k = 0; k < 2; ++k)
        if ((all >> (PortM0 + k) & 1) != 0 && n.is_aged(k, uint32_t(m_now)))
            old |= 1u << (PortM0 + k);
    const uint32_t asks = old != 0 ? old : all;
    const uint32_t later = asks >> n.turn[output] << n.turn[output];
    const uint32_t input = lowest(later != 0 ? later : asks);
    n.turn[output] = uint8_t(input + 1);
    lane_of(node).won.push_back({node, link, uint8_t(input), uint8_t(output)});
    if (!is_large()) return;
    fetch_inputs(node);
    __builtin_prefetch(&n.packet[FirstSlot[input]]);
    __builtin_prefetch(&m_pins[node][output]);
    __builtin_prefetch(&m_credits[node][input]);
}

void Network::win_mbp(uint32_t mbp, uint32_t link) {
    Mbp& m = m_mbps[mbp];
    m_nodes[mbp / 2].line[what_of(link)].phase = Line::Sends;
    const uint32_t port = PortM0 + mbp % 2;
    Sent sent{uint32_t(m_now), 0, AckFlits, 0, true};
    if (!m.acks.empty() && m_now >= m.ack_from) {
        const uint32_t at = m.acks.pop(m_packets);
        sent.packet = m_packets[at].h[0];
        m_packets.drop(lane_of(mbp / 2).pool, at);
        m.ack_from = m_now + AckGap;
        day(mbp / 2, m_now + 3).land.push_back({name_of(mbp / 2, port), sent.packet});
    } else {
        const uint32_t at = m.packets.pop(m_packets);
        const uint32_t packet = with_length(at, m_packets[at].h[0]);
        sent = {uint32_t(m_now), at, uint8_t(flits_of(packet)), 0, false};
        m.credit = false;
        m.used_at = uint32_t(m_now + 2);
        day(mbp / 2, m_now + 5).fresh.push_back({name_of(mbp / 2, FirstSlot[port]), packet});
        m_client.started(mbp, m_packets[at].body, m_now + 2);
    }
    plan(mbp / 2, link, m_now + sent.flits);
    leave(mbp / 2, NumPorts + mbp % 2, sent);
    mark_mbp(mbp);
}

void Network::leave(uint32_t node, uint32_t sender, const Sent& sent) {
    PinHistory& end = m_pins[node][sender];
    end.before = end.last;
    end.last = sent;
    end.flits += sent.flits;
}

// An output is requested from the next cycle on.
void Network::request(uint32_t node, uint32_t port) {
    const uint32_t link = link_at(port);
    if (!has_priority(port)) {
        const uint32_t owner = m_nodes[node].next[port];
        if (is_large()) fetch_lines(owner);
        lane_of(node).asked.push_back(name_of(owner, link));
    } else {
        ask_for(lane_of(node), name_of(node, link), m_now + 1);
    }
}

void Network::ask_for(Lane& lane, uint32_t link, uint64_t clock) {
    uint8_t& planned = m_nodes[node_of(link)].planned;
    const uint32_t own = 1u << what_of(link);
    if ((planned & own) != 0) return;
    planned = uint8_t(planned | own);
    lane.calendar.at(clock).decide.push_back(link);
}

void Network::pass(const Won& won) {
    const Node& n = m_nodes[won.node];
    const uint32_t slot = FirstSlot[won.input] + n.sel(won.input);
    plan(won.node, won.link, m_now + flits_of(n.packet[slot]));
    if ((n.multicasts >> slot & 1) == 0) {
        pass_unicast(won, slot);
        return;
    }
    uint16_t& outputs = m_control[won.node]->won[won.input];
    if (outputs == 0) lane_of(won.node).won_multicasts.push_back(name_of(won.node, won.input));
    outputs = uint16_t(outputs | 1u << won.output);
}

void Network::pass_unicast(const Won& won, uint32_t slot) {
    const Node& n = m_nodes[won.node];
    const uint32_t packet = n.packet[slot];
    const uint32_t credit = n.want[slot];
    const uint32_t vc = slot - FirstSlot[won.input];
    hand_on(won.node, won.output, (credit - 3 * won.output) | vc << 2, packet);
    close(won.node, won.input, flits_of(packet));
    take_slot(won.node, slot);
    give_back(won.node, won.input, vc);
}

void Network::pass_multicasts(Lane& lane) {
    for (const uint32_t input : lane.won_multicasts) pass_multicast(node_of(input), what_of(input));
    lane.won_multicasts.clear();
}

// VC of a copy that leaves by an output.
std::array<uint32_t, 3> Network::copy_header(uint32_t node, const fast::Slot& plan,
                                             const std::array<uint32_t, 3>& header, uint32_t output,
                                             bool up) const {
    const RouteConfig cfg = m_nodes[node].route_config();
    const CopyPlan copy{up,
                        plan.relay,
                        plan.expl,
                        plan.exp0,
                        cfg.rank,
                        cfg.ranks,
                        uint32_t(get(header[0], H0Type)),
                        plan.tag};
    const bool transfers = output <= PortW0 && lowest(plan.credit_needed(output)) == 3 * output + 2;
    std::array<uint32_t, 3> h;
    for (unsigned k = 0; k < 3; ++k)
        h[k] = slice0(leave_through(copy_of(header[k], k, copy), k, output, cfg.rank, transfers));
    if (is_mbp(output) && plan.tag != 0) {
        const int gen = int(m_control[node]->table.gen(plan.tag));
        h[2] = slice0(carry_parity(h[2], with(h[2], H2Gen, gen), OneLane));
    }
    return h;
}

void Network::pass_multicast(uint32_t node, uint32_t input) {
    Node& n = m_nodes[node];
    Control& c = *m_control[node];
    const uint32_t vc = n.sel(input);
    const uint32_t slot = FirstSlot[input] + vc;
    const uint32_t packet = n.packet[slot];
    fast::Slot& plan = c.plan[slot];
    const uint32_t granted = std::exchange(c.won[input], uint16_t(0));
    lane_of(node).lingering_requests.push_back({name_of(node, input), granted, plan});
    const Record record = m_packets[record_of(packet)];
    const bool up = (granted & fast::UpperPorts) != 0;
    for (uint32_t left = granted; left != 0; left &= left - 1) {
        const uint32_t o = lowest(left);
        const uint32_t out_vc = lowest(plan.credit_needed(o)) - 3 * o;
        const std::array<uint32_t, 3> h = copy_header(node, plan, record.h, o, up);
        const uint32_t made = m_packets.make(lane_of(node).pool, h, record.body);
        hand_on(node, o, out_vc | vc << 2, with_length(made, h[0]));
    }
    plan.pend = uint16_t(plan.pend & ~granted);
    close(node, input, flits_of(packet));
    const int copies = __builtin_popcount(granted);
    m_client.counted(record.body, copies);
    if (plan.pend != 0) {
        c.needs[slot] = plan.credits_needed();
        if (is_mbp(input)) n.since[input - PortM0] = uint32_t(m_now + 1);
        return;
    }
    take_slot(node, slot);
    forget(node, record_of(packet));
    give_back(node, input, vc);
}

// A packet leaves by an output, with VCs as in Sent. An MBP has one VC.
void Network::hand_on(uint32_t node, uint32_t output, uint32_t vcs, uint32_t packet) {
    const uint32_t flits = flits_of(packet);
    const uint32_t vc = vcs & 3;
    day(node, m_now + 2).used.push_back(name_of(node, 3 * output + vc));
    leave(node, output, {uint32_t(m_now), record_of(packet), uint8_t(flits), uint8_t(vcs), false});
    if (is_mbp(output)) {
        const uint32_t mbp = 2 * node + output - PortM0;
        day(node, m_now + flits + 2).deliver.push_back({2 * mbp, record_of(packet)});
    } else {
        const uint32_t to = FirstSlot[opposite(output)] + vc;
        post(node, Mail::Fresh, m_now + 5, name_of(m_nodes[node].next[output], to), packet);
    }
}

// A pass begins.
void Network::close(uint32_t node, uint32_t input, uint32_t flits) {
    Node& n = m_nodes[node];
    ask({node, uint16_t(input), 0});
    n.set_sel(input, next_vc(input, n.sel(input)));
    n.open = uint16_t(n.open & ~(1u << input));
    n.granted = uint16_t(n.granted | 1u << input);
    if (is_mbp(input)) n.age[input - PortM0] = 0;
    lane_of(node).granted_now.push_back(name_of(node, input));
    day(node, m_now + flits - 1).open.push_back(name_of(node, input));
}

void Network::take_slot(uint32_t node, uint32_t slot) {
    Node& n = m_nodes[node];
    n.have &= ~(1u << slot);
    n.multicasts &= ~(1u << slot);
    n.want[slot] = NoCredit;
}

// The line that a packet came by may still be in the middle of it.
void Network::forget(uint32_t node, uint32_t record) {
    day(node, m_now + MostFlits).gone.push_back(record);
}

// A credit is shown for two cycles, and then none for one. Receivers are the inputs and, behind
// them, the MBPs.
void Network::give_back(uint32_t node, uint32_t receiver, uint32_t vc) {
    if ((m_nodes[node].down >> receiver & 1) != 0) keep(node, receiver, vc);
    else if (uint32_t(m_now) - m_credits[node][receiver].at > 2) show_credit(node, receiver, vc);
    else owe(node, receiver, vc);
}

// From the next cycle on.
void Network::owe(uint32_t node, uint32_t receiver, uint32_t vc) {
    if ((m_nodes[node].down >> receiver & 1) != 0) {
        keep(node, receiver, vc);
        return;
    }
    uint8_t& vcs = m_credits[node][receiver].owed;
    vcs = uint8_t(vcs | 1u << vc);
    day(node, m_now + 1).owed.push_back(name_of(node, receiver));
}

void Network::show_credit(uint32_t node, uint32_t receiver, uint32_t vc) {
    m_credits[node][receiver].at = uint32_t(m_now);
    m_credits[node][receiver].vc = uint8_t(vc + 1);
    bring_back(node, receiver, vc, m_now + 3);
}

// The other end has it from this cycle on.
void Network::bring_back(uint32_t node, uint32_t receiver, uint32_t vc, uint64_t clock) {
    if (is_network(receiver))
        post(node, Mail::Back, clock,
             name_of(m_nodes[node].next[receiver], 3 * opposite(receiver) + vc));
    else if (receiver < NumPorts) day(node, clock).mbp_back.push_back(2 * node + receiver - PortM0);
    else day(node, clock).back.push_back(name_of(node, 3 * (receiver - NumPorts + PortM0)));
}

// Cycles in which nodes count how long something has waited, and cycles that are left out.
void Network::find_kinds(const std::vector<Ticks>& ticks) {
    for (const Ticks& t : ticks) {
        const auto same = [&t](const Ticking& kind) { return kind.at == t; };
        // Neighbors are alike, most often.
        const auto kind = std::find_if(m_ticking.rbegin(), m_ticking.rend(), same);
        m_kind.push_back(uint32_t(m_ticking.rend() - kind) - 1);
        if (kind == m_ticking.rend()) {
            m_kind.back() = uint32_t(m_ticking.size());
            m_ticking.push_back({t});
        }
    }
    if (m_ticking.size() == 1) m_kind.clear();
}

// Flags are those of this cycle, and cleared in the next one.
void Network::find_ticks() {
    const auto next = [this](uint64_t first, uint64_t period) {
        if (m_now <= first) return first;
        return first + (m_now - first + period - 1) / period * period;
    };
    m_is_ack_tick = m_is_slow_tick = false;
    m_next_tick = ~uint64_t(0);
    for (Ticking& t : m_ticking) {
        const auto look = [&](uint64_t first, uint64_t period) {
            if (period == 0) return false;
            const uint64_t clock = next(first, period);
            m_next_tick = std::min(m_next_tick, std::max(clock, m_now + 1));
            return clock == m_now;
        };
        t.is_entry = look(t.at.entry, t.at.entry_period);
        t.is_ack = look(t.at.ack, t.at.ack_period);
        t.is_slow = look(t.at.slow, SlowTick);
        m_is_ack_tick = m_is_ack_tick || t.is_ack;
        m_is_slow_tick = m_is_slow_tick || t.is_slow;
    }
}

// Ticks concern only what waits: a packet, an ack that is due, a credit that is away.
bool Network::can_skip(uint64_t cycles) const {
    if (cycles < Calendar::Days || !m_down.empty() || !m_late.empty()) return false;
    for (const Lane& lane : m_lanes)
        if (!lane.is_at_rest()) return false;
    const auto has_nothing = [](const Mbp& m) {
        return m.packets.empty() && m.acks.empty() && m.credit;
    };
    if (!std::all_of(m_mbps.begin(), m_mbps.end(), has_nothing)) return false;
    for (uint32_t n = 0; n < m_nodes.size(); ++n) {
        if (m_nodes[n].have != 0 || (AllCredits & ~m_nodes[n].credit) != 0) return false;
        if (m_control[n] && !(m_control[n]->table.quiet(0, 0) && m_control[n]->inject.is_idle()))
            return false;
    }
    return true;
}

void Network::skip(uint64_t cycles) {
    if (m_now + cycles - m_limited_at >= MostAge) limit_ages(cycles);
    m_now += cycles;
}

// Time stamps have 32 bits. Ages above the duration of a packet are equivalent, so ages saturate;
// `skipped` cycles pass at once.
void Network::limit_ages(uint64_t skipped) {
    const auto now = uint32_t(m_now);
    const auto limit = [&](uint32_t& stamp) {
        const uint64_t age = now - stamp + skipped;
        stamp = now + uint32_t(skipped) - uint32_t(std::min(age, MostAge));
    };
    for (Pins& node : m_pins)
        for (PinHistory& end : node) {
            limit(end.last.granted);
            limit(end.before.granted);
            limit(end.void_at);
        }
    for (Credits& node : m_credits)
        for (CreditHistory& end : node) limit(end.at);
    m_limited_at = m_now + skipped;
}

}  // namespace rdt::machine::events
