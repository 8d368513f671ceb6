// SPDX-License-Identifier: MIT
#include <rdt/machine/events/network.h>

#include <algorithm>

namespace rdt::machine::events {

Network::Network(const Geometry& geometry, const std::vector<RouteConfig>& configs,
                 const std::vector<Ticks>& ticks, uint64_t now, Client& client, WorkerPool& workers)
    : m_client(client),
      m_workers(workers),
      m_limited_at(now),
      m_num_lanes(workers.size()),
      m_node_bits(lowest(geometry.nodes())),
      m_now(now),
      m_lanes(workers.size()),
      m_nodes(geometry.nodes()),
      m_mbps(2 * geometry.nodes()),
      m_pins(geometry.nodes()),
      m_credits(geometry.nodes()),
      m_control(geometry.nodes()) {
    find_kinds(ticks);
    for (uint32_t l = 0; l < m_num_lanes; ++l) {
        m_lanes[l].number = l;
        m_lanes[l].grants.resize(m_num_lanes);
        m_lanes[l].mail.resize(m_num_lanes);
    }
    for (uint32_t n = geometry.nodes(); n-- != 0;) lane_of(n).first = n;
    for (uint32_t n = 0; n < geometry.nodes(); ++n) lane_of(n).end = n + 1;
    for (uint32_t n = 0; n < geometry.nodes(); ++n) {
        const RouteConfig& c = configs[n];
        m_nodes[n].config = {uint8_t(c.rank), uint8_t(c.xfer), uint8_t(c.dateline), uint8_t(c.mask),
                             uint8_t(c.ranks)};
        for (uint32_t p = 0; p < PortM0; ++p)
            m_nodes[n].next[p] = uint16_t(geometry.neighbor(n, p));
        for (PinHistory& end : m_pins[n]) end.void_at = uint32_t(now) - Calendar::Days;
        for (CreditHistory& end : m_credits[n]) end.at = uint32_t(now) - Calendar::Days;
    }
}

void Network::send(uint32_t mbp, const std::array<uint32_t, 3>& header, uint32_t body) {
    const uint32_t at = m_packets.make(lane_of(mbp / 2).pool, header, body);
    m_mbps[mbp].packets.push(m_packets, at);
    mark_mbp(mbp);
}

void Network::send_ack(uint32_t mbp, uint32_t h0) {
    const uint32_t at = m_packets.make(lane_of(mbp / 2).pool, {h0, 0, 0}, NoPacket);
    m_mbps[mbp].acks.push(m_packets, at);
    mark_mbp(mbp);
}

void Network::clock() {
    if (m_now >= m_next_tick) find_ticks();
    if (m_now - m_limited_at >= MostAge) limit_ages(0);
    follow_late();
    for (Lane& lane : m_lanes)
        for (const uint32_t link : lane.calendar.at(m_now).resync) resynchronize(link);
    for_lanes([this](Lane& lane) { first_half(lane); });
    for (Lane& lane : m_lanes) {
        for (const Fall& f : lane.falls) fall(f.link, f.hush);
        lane.falls.clear();
    }
    for_lanes([this](Lane& lane) { second_half(lane); });
    for (Lane& lane : m_lanes)
        if (lane.error) std::rethrow_exception(std::exchange(lane.error, nullptr));
    ++m_now;
}

template <typename Half>
void Network::for_lanes(Half&& half) {
    const auto work = [&](uint32_t number) {
        try {
            half(m_lanes[number]);
        } catch (...) {
            m_lanes[number].error = std::current_exception();
        }
    };
    if (!m_is_serial) m_workers.run(work);
    else
        for (uint32_t number = 0; number < m_num_lanes; ++number) work(number);
}

// Reads only the requests of other partitions, which change only where this partition granted a
// line.
void Network::first_half(Lane& lane) {
    read_mail(lane);
    deliver(lane);
    decide(lane);
}

void Network::second_half(Lane& lane) {
    take_grants(lane);
    pass_multicasts(lane);
    clock_control(lane);
    apply(lane);
    present_all(lane);
    clear_lingering_requests(lane);
    plan_asked(lane);
    lane.calendar.at(m_now).clear();
}

void Network::read_mail(Lane& lane) {
    if (m_num_lanes == 1) return;
    for (Lane& from : m_lanes) {
        std::vector<Mail>& mail = from.mail[lane.number][(m_now + 1) & 1];
        for (const Mail& m : mail) {
            if (m.kind == Mail::Asked) ask_for(lane, m.where, m_now);
            else put(lane.calendar.at(m.day), m.kind, m.where, m.packet);
        }
        mail.clear();
    }
}

// Callbacks come in the order of MBPs.
void Network::deliver(Lane& lane) {
    Day& today = lane.calendar.at(m_now);
    std::sort(today.deliver.begin(), today.deliver.end(),
              [](const Coming& a, const Coming& b) { return a.where < b.where; });
    for (const Coming& c : today.deliver) {
        const uint32_t mbp = c.where / 2;
        if ((c.where & 1) != 0) {
            m_client.acked(mbp, c.packet);
            continue;
        }
        give_back(mbp / 2, NumPorts + mbp % 2, 0);
        const Record packet = m_packets[c.packet];  // the client may send
        m_client.delivered(mbp, packet, m_now - uint32_t(get(packet.h[0], H0Len)) - 1);
        m_packets.drop(lane.pool, c.packet);
    }
    for (const uint32_t mbp : today.mbp_back) {
        if (is_forgotten(mbp / 2, NumPorts + mbp % 2)) continue;
        m_mbps[mbp].credit = true;
        m_mbps[mbp].missed = false;
        mark_mbp(mbp);
    }
    for (const uint32_t mbp : today.mbp) mark_mbp(mbp);
}

// Changes that take effect from this cycle on. Nothing is presented yet.
void Network::apply(Lane& lane) {
    for_each(lane.granted, [this](uint32_t input) {
        Node& n = m_nodes[node_of(input)];
        n.granted = uint16_t(n.granted & ~(1u << what_of(input)));
        mark(node_of(input), what_of(input));
    });
    lane.granted.clear();
    for (const uint32_t at : lane.entered) {
        Control& c = *m_control[node_of(at)];
        c.needs[what_of(at)] = c.plan[what_of(at)].credits_needed();
        mark(node_of(at), InputOf[what_of(at)]);
    }
    lane.entered.swap(lane.entered_now);
    lane.entered_now.clear();
    Day& today = lane.calendar.at(m_now);
    for_each(today.used, [this](uint32_t credit) {
        m_nodes[node_of(credit)].credit &= ~(1u << what_of(credit));
        mark_waiting(node_of(credit), what_of(credit));
    });
    for_each(today.back, [this](uint32_t credit) {
        Node& n = m_nodes[node_of(credit)];
        if (n.down != 0 && is_forgotten(node_of(credit), what_of(credit) / 3)) return;
        n.credit |= 1u << what_of(credit);
        n.missed &= ~(1u << what_of(credit));
        mark_waiting(node_of(credit), what_of(credit));
    });
    for (const uint32_t receiver : today.owed) {
        const uint32_t node = node_of(receiver);
        const CreditHistory& history = m_credits[node][what_of(receiver)];
        uint8_t& vcs = m_credits[node][what_of(receiver)].owed;
        if (vcs == 0) continue;
        if (uint32_t(m_now) - history.at > 2) {
            show_credit(node, what_of(receiver), lowest(vcs));
            vcs = uint8_t(vcs & (vcs - 1));
        }
        if (vcs != 0) lane.calendar.at(m_now + 1).owed.push_back(receiver);
    }
    for (const uint32_t record : today.gone) {
        m_client.counted(m_packets[record].body, -1);
        m_packets.drop(lane.pool, record);
    }
    for_each(today.fresh,
             [this](const Coming& c) { arrive(node_of(c.where), what_of(c.where), c.packet); });
    for (const Coming& c : today.land) {
        Control& to = control_of(node_of(c.where));
        to.landed = uint16_t(to.landed | 1u << what_of(c.where));
        to.ack[what_of(c.where)] = c.packet;
        wake(node_of(c.where));
    }
    for_each(today.open, [this](uint32_t input) {
        Node& n = m_nodes[node_of(input)];
        n.open = uint16_t(n.open | 1u << what_of(input));
        mark(node_of(input), what_of(input));
    });
    check_slow_ticks(lane);
}

// A header is complete, and its packet is routed.
void Network::arrive(uint32_t node, uint32_t slot, uint32_t packet) {
    Node& n = m_nodes[node];
    const uint32_t input = InputOf[slot];
    Record& r = m_packets[record_of(packet)];
    const RouteConfig cfg = n.route_config();
    // Nodes at the two ends of an upper link are of the same rank.
    if (is_network(input) && is_rewritten(r.h[0]))
        for (unsigned k = 0; k < 3; ++k)
            r.h[k] = slice0(rewrite(r.h[k], k, opposite(input), cfg.rank));
    const Header h{r.h[0], r.h[1], r.h[2]};
    const bool multicast = is_multicast(r.h[0]);
    const Bitmap map = multicast ? bitmap(h, input, slot - FirstSlot[input], cfg) : Bitmap{};
    const Route route = rdt::route(h, input, slot - FirstSlot[input], cfg, map.bad);
    n.have |= 1u << slot;
    n.packet[slot] = packet;
    if (is_mbp(input)) n.since[input - PortM0] = uint32_t(m_now + 1);
    const bool to_local = route.dst == PortLocal;
    if (!multicast || to_local) {
        n.want[slot] = uint8_t(to_local ? LocalCredit : 3 * route.dst + route.ovc);
        if (to_local) lane_of(node).is_irregular = true;
        mark(node, input);
        return;
    }
    Control& c = control_of(node);
    fast::Slot& plan = c.plan[slot];
    plan = {};
    plan.pkt = true;
    plan.mc = true;
    plan.pend = uint16_t(m_client.pruned(node, input, r, map.set));
    plan.plan_copies(map.relay, map.expl, map.xfer, map.exp0);
    plan.tag = uint8_t(get(r.h[0], H0Tag));
    plan.ent = plan.tag != 0;
    n.multicasts |= 1u << slot;
    c.needs[slot] = plan.credits_needed();
    if (plan.ent) {
        c.entryless |= 1u << slot;
        wake(node);
    }
    mark(node, input);
}

// Inputs with a packet that waits for this credit, or had it.
void Network::mark_waiting(uint32_t node, uint32_t credit) {
    const Node& n = m_nodes[node];
    for (uint32_t left = n.waiting_for(credit); left != 0; left &= left - 1)
        mark(node, InputOf[lowest(left)]);
    for (uint32_t left = n.multicasts; left != 0; left &= left - 1)
        if ((m_control[node]->needs[lowest(left)] >> credit & 1) != 0)
            mark(node, InputOf[lowest(left)]);
}

// Lines are updated a little later, after their prefetch.
void Network::present_all(Lane& lane) {
    constexpr size_t Ahead = 16;
    constexpr size_t Behind = 8;
    const size_t fetched = is_large() ? lane.marked.size() : 0;
    size_t told = 0;
    for (size_t i = 0; i < lane.marked.size(); ++i) {
        if (i + Ahead < fetched) fetch_inputs(lane.marked[i + Ahead]);
        const uint32_t node = lane.marked[i];
        Node& n = m_nodes[node];
        const uint32_t marked = std::exchange(n.marked, uint16_t(0)) & ~uint32_t(n.granted);
        for (uint32_t left = marked; left != 0; left &= left - 1) {
            const uint32_t input = lowest(left);
            const uint32_t outputs = present(node, input);
            if (outputs == asked_by(node, input)) continue;
            if (fetched != 0) fetch_lines(node);
            lane.asking.push_back({node, uint16_t(input), uint16_t(outputs)});
        }
        while (lane.asking.size() > told + Behind) ask(lane.asking[told++]);
    }
    while (told < lane.asking.size()) ask(lane.asking[told++]);
    lane.asking.clear();
    lane.marked.clear();
    for (const uint32_t mbp : lane.marked_mbps) ask_mbp(mbp);
    lane.marked_mbps.clear();
    lane.granted.swap(lane.granted_now);
}

// Its requests. The VC is chosen independent of whether the input may request.
uint32_t Network::present(uint32_t node, uint32_t input) {
    Node& n = m_nodes[node];
    const uint32_t first = FirstSlot[input];
    const uint32_t multicasts = n.multicasts >> first & ((1u << vcs_of(input)) - 1);
    uint32_t ready = 0;
    for (uint32_t v = 0; v < vcs_of(input); ++v) ready |= (n.credit >> n.want[first + v] & 1) << v;
    for (uint32_t left = multicasts; left != 0; left &= left - 1)
        ready |= uint32_t((m_control[node]->needs[first + lowest(left)] & n.credit) != 0)
                 << lowest(left);
    if (ready == 0) return 0;
    const uint32_t later = ready >> n.sel(input) << n.sel(input);
    const uint32_t vc = lowest(later != 0 ? later : ready);
    n.set_sel(input, vc);
    const uint32_t slot = first + vc;
    if ((n.open >> input & 1) == 0) return 0;
    return (n.multicasts >> slot & 1) != 0 ? m_control[node]->plan[slot].ready_outputs(n.credit)
                                           : 1u << n.want[slot] / 3;
}

uint32_t Network::asked_by(uint32_t node, uint32_t input) const {
    const uint8_t output = m_nodes[node].cand[input];
    if (output < SeveralOutputs) return 1u << output;
    return output == NoOutput ? 0 : m_control[node]->cand[input];
}

void Network::ask(const Asking& a) {
    Node& n = m_nodes[a.node];
    const uint32_t changed = a.outputs ^ asked_by(a.node, a.input);
    const bool several = (a.outputs & (a.outputs - 1)) != 0;
    n.cand[a.input] = several          ? SeveralOutputs
                      : a.outputs == 0 ? NoOutput
                                       : uint8_t(lowest(a.outputs));
    if (several) m_control[a.node]->cand[a.input] = a.outputs;
    // Requests for LOCAL are handled by the cycle-based engine.
    for (uint32_t left = changed & AllInputs; left != 0; left &= left - 1) {
        const uint32_t o = lowest(left);
        n.asks[o] = uint16_t(n.asks[o] ^ 1u << a.input);
        if ((a.outputs >> o & 1) != 0) request(a.node, o);
    }
}

void Network::ask_mbp(uint32_t mbp) {
    Mbp& m = m_mbps[mbp];
    m.marked = false;
    const bool has_ack = !m.acks.empty();
    const bool may_ack = has_ack && m_now >= m.ack_from;
    if (has_ack && !may_ack) day(mbp / 2, m.ack_from).mbp.push_back(mbp);
    const bool asks = may_ack || (m.credit && !m.packets.empty());
    uint8_t& all = m_nodes[mbp / 2].mbps_ask;
    all = uint8_t((all & ~(1u << mbp % 2)) | uint32_t(asks) << mbp % 2);
    if (asks) request(mbp / 2, PortM0 + mbp % 2);
}

// Requests that a multicast had when it was granted an output stay on REQ for one more cycle,
// although they are not used.
void Network::clear_lingering_requests(Lane& lane) {
    for (LingeringRequest& h : lane.lingering_requests) {
        const uint32_t node = node_of(h.input);
        Node& n = m_nodes[node];
        const uint32_t asked = h.plan.ready_outputs(n.credit);
        for (uint32_t left = h.granted & ~asked; left != 0; left &= left - 1)
            m_pins[node][lowest(left)].last.asks = n.asks[lowest(left)] != 0;
        for (uint32_t left = asked & ~h.granted; left != 0; left &= left - 1) {
            const uint32_t o = lowest(left);
            n.asks[o] |= AsksGhost;
            lane.ghosts.push_back(name_of(node, o));
            request(node, o);
        }
    }
    lane.lingering_requests.clear();
}

// Links requested from the end where their state is not stored.
void Network::plan_asked(Lane& lane) {
    for (const uint32_t link : lane.asked) {
        const uint32_t to = lane_number(node_of(link));
        if (to == lane.number) ask_for(lane, link, m_now + 1);
        else lane.mail[to][m_now & 1].push_back({Mail::Asked, 0, link, 0});
    }
    lane.asked.clear();
}

// The pins follow from the last grants and from the requests.
core::LinkPinsOut Network::pins(uint32_t node, uint32_t port) const {
    return pins_of(node, port, m_nodes[node].asks[port] != 0);
}

core::LinkPinsOut Network::mbp_pins(uint32_t mbp) const {
    return pins_of(mbp / 2, NumPorts + mbp % 2, (m_nodes[mbp / 2].mbps_ask >> mbp % 2 & 1) != 0);
}

core::LinkPinsOut Network::pins_of(uint32_t node, uint32_t sender, bool asks) const {
    const auto now = uint32_t(m_now);
    const Pins& p = m_pins[node];
    const Sent& last = p[sender].last;
    core::LinkPinsOut out{};
    for (const Sent* sent : {&last, &p[sender].before}) {
        const uint32_t k = now - (sent->granted + 2);
        if (k >= sent->flits) continue;
        out.oe = true;
        out.d = flit_of(node, sender, *sent, k);
    }
    const CreditHistory& credit = m_credits[node][sender];
    const uint32_t shown = now - credit.at;
    out.cred = shown == 1 || shown == 2 ? credit.vc : 0;
    uint64_t fall = 0;
    const Down* down = down_at(node, sender, fall);
    if (down != nullptr && m_now > fall && m_now < down->ann + 12) {
        const bool calls = m_now < fall + 10;
        out.req = calls ? ReqCall : ReqIdle;
        if (m_now <= down->ann) out.cred = calls || m_now == down->ann ? 3 : 0;
        return out;
    }
    if ((m_nodes[node].late & credits_of(sender)) != 0) asks = is_sending(node, sender, now - 1);
    const uint32_t since = now - last.granted;
    if (last.flits != 0 && since == 1) out.req = last.asks ? ReqWant : ReqIdle;
    else if (last.flits != 0 && since == 2) out.req = last.out_vc() + 1;
    else if (since > 2 && since < last.flits) out.req = ReqMore;
    else if (now - p[sender].void_at == 2) out.req = ReqIdle;
    else out.req = asks ? ReqWant : ReqIdle;
    return out;
}

// Whether the other end of a link is.
bool Network::is_sending(uint32_t node, uint32_t sender, uint32_t clock) const {
    const uint32_t link = link_of(node, sender);
    const End first = end_of(link, First);
    const bool is_first = first.node == node && first.port == sender;
    const End far = end_of(link, is_first ? Second : First);
    const PinHistory& pins = m_pins[far.node][far.port];
    const auto is_under_way = [clock](const Sent& sent) {
        const uint32_t since = clock - sent.granted;
        return since >= 2 && since <= sent.flits;
    };
    return is_under_way(pins.last) || is_under_way(pins.before);
}

// A unicast's header is rewritten when it is complete at the next node.
flit_t Network::flit_of(uint32_t node, uint32_t sender, const Sent& sent, uint32_t k) const {
    if (sent.is_ack) return k == 0 ? sent.packet : make_flit(0);
    const Record& r = m_packets[sent.packet];
    if (k >= 3) return m_client.flit(r.body, k);
    flit_t flit = r.h[k];
    if (sender < PortM0 && is_rewritten(r.h[0]))
        flit = rewrite(flit, k, sender, m_nodes[node].config[0]);
    return shows_vc(sent, k) ? flit ^ ParityBit : flit;
}

uint64_t Network::flits_sent(uint32_t node, uint32_t sender) const {
    const Pins& p = m_pins[node];
    uint64_t flits = p[sender].flits;
    for (const Sent* sent : {&p[sender].last, &p[sender].before}) {
        // The first to come is on the pins two cycles after the grant, that of m_now counts.
        const uint32_t gone = uint32_t(m_now) + 1 - (sent->granted + 2);
        if (int32_t(gone) < int32_t(sent->flits))
            flits -= sent->flits - uint32_t(std::max<int32_t>(int32_t(gone), 0));
    }
    return flits;
}

bool Network::has_mail(const Lane& lane) {
    return std::any_of(lane.mail.begin(), lane.mail.end(),
                       [](const auto& mail) { return !(mail[0].empty() && mail[1].empty()); });
}

bool Network::idle() const {
    for (const Lane& lane : m_lanes)
        if (lane.calendar.brings_packets() || has_mail(lane)) return false;
    for (uint32_t mbp = 0; mbp < m_mbps.size(); ++mbp) {
        const core::LinkPinsOut out = mbp_pins(mbp);
        if (!m_mbps[mbp].packets.empty() || !m_mbps[mbp].acks.empty() || out.oe) return false;
    }
    for (uint32_t n = 0; n < m_nodes.size(); ++n) {
        if (m_nodes[n].have != 0) return false;
        if (m_control[n] && (!m_control[n]->table.quiet(m_control[n]->landed, 0) ||
                             !m_control[n]->inject.is_idle()))
            return false;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const core::LinkPinsOut out = pins(n, p);
            const bool calls = out.req == ReqCall && (out.cred == 0 || out.cred == 3);
            if (out.oe || (!calls && (out.req != ReqIdle || out.cred != 0))) return false;
        }
    }
    return true;
}

size_t Network::bytes() const {
    size_t controls = 0;
    for (const Lane& lane : m_lanes) controls += lane.with_control.size();
    return m_nodes.size() * (sizeof(Node) + 2 * sizeof(Mbp) + sizeof(Pins) + sizeof(Credits) +
                             sizeof(Control*)) +
           controls * sizeof(Control) + m_packets.bytes();
}

}  // namespace rdt::machine::events
