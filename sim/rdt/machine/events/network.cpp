// SPDX-License-Identifier: MIT
#include <rdt/machine/events/network.h>

#include <algorithm>

#include <rdt/machine/events/image_writer.h>
#include <rdt/machine/events/loader.h>

namespace rdt::machine::events {

Network::Network(const Geometry& geometry, const std::vector<RouteConfig>& configs,
                 const std::vector<Ticks>& ticks, uint64_t now, Client& client, WorkerPool& workers)
    : m_workers(workers),
      m_limited_at(now),
      m_parts(geometry, configs, ticks, now, client, workers.size()),
      m_state(m_parts.state) {}

void Network::clock() {
    m_parts.timers.advance(m_state.now);
    if (m_state.now - m_limited_at >= MostAge) limit_ages(0);
    m_parts.resync.begin_cycle();
    const bool shared = !m_is_serial && m_state.num_lanes != 1 && m_workers.meet();
    for_lanes(shared, [this](Lane& lane) { first_half(lane); });
    m_parts.resync.start_recoveries();
    for_lanes(shared, [this](Lane& lane) { second_half(lane); });
    if (Notes::take(m_state.notes.has_error)) throw_error();
    ++m_state.now;
}

template <typename Half>
void Network::for_lanes(bool shared, Half&& half) {
    const auto work = [&](uint32_t number) {
        try {
            half(m_state.lanes[number]);
        } catch (...) {
            m_state.lanes[number].error = std::current_exception();
            Notes::set(m_state.notes.has_error);
        }
    };
    if (shared) m_workers.share(work);
    else
        for (uint32_t number = 0; number < m_state.num_lanes; ++number) work(number);
}

void Network::throw_error() {
    for (Lane& lane : m_state.lanes)
        if (lane.error) std::rethrow_exception(std::exchange(lane.error, nullptr));
}

// Reads only the requests of other partitions, which change only where this partition granted a
// line.
void Network::first_half(Lane& lane) {
    m_state.client.begin_cycle(lane.number, lane.first, lane.end);
    read_mail(lane);
    m_parts.mbps.deliver(lane);
    decide(lane);
}

void Network::second_half(Lane& lane) {
    take_grants(lane);
    m_parts.passes.pass_multicasts(lane);
    m_parts.acks.clock(lane);
    Day& today = lane.calendar.at(m_state.now);
    apply(lane, today);
    m_parts.inputs.present_all(lane);
    m_parts.mbps.request_all(lane);
    lane.granted.swap(lane.granted_now);
    m_parts.passes.show_stale_requests(lane);
    m_parts.lines.plan_asked(lane);
    today.clear();
}

void Network::read_mail(Lane& lane) {
    if (m_state.num_lanes == 1) return;
    const auto mail_from = [&](uint32_t from) -> const std::vector<Mail>& {
        return m_state.outbox(from, lane.number).mail[(m_state.now + 1) & 1].items;
    };
    for (uint32_t from = 0; from < m_state.num_lanes; ++from) {
        m_state.outbox(lane.number, from).grants.items.clear();
        __builtin_prefetch(&mail_from(from));
    }
    for (uint32_t from = 0; from < m_state.num_lanes; ++from)
        __builtin_prefetch(mail_from(from).data());
    for (uint32_t from = 0; from < m_state.num_lanes; ++from)
        for (const Mail& m : mail_from(from)) {
            if (m.kind == Mail::Asked) m_parts.lines.plan_requested(lane, m.where, m_state.now);
            else State::put(lane.calendar.at(m.day), m.kind, m.where, m.packet);
        }
}

// A pass follows a few decisions later, when what it touches has come from memory. No decision of
// the same cycle depends on it but those of multicasts, which wait for all.
void Network::decide(Lane& lane) {
    constexpr size_t Far = 24;
    constexpr size_t Near = 12;
    constexpr size_t Behind = 8;
    const std::vector<uint32_t>& links = lane.calendar.at(m_state.now).decide;
    const size_t fetched = m_state.is_large() ? links.size() : 0;
    const size_t num_resting = lane.resting.size();
    size_t passed = 0;
    for (size_t i = 0; i < links.size(); ++i) {
        if (i + Far < fetched) m_state.fetch_lines(node_of(links[i + Far]));
        if (i + Near < fetched) m_state.fetch_far_end(links[i + Near]);
        m_parts.lines.decide(lane, links[i]);
        if (lane.won.size() > passed + Behind) m_parts.passes.pass(lane, lane.won[passed++]);
    }
    while (passed < lane.won.size()) m_parts.passes.pass(lane, lane.won[passed++]);
    lane.won.clear();
    m_parts.lines.end_rests(lane, num_resting);
}

// Lines of other partitions, when all have been decided.
void Network::take_grants(Lane& lane) {
    const auto grants_from = [&](uint32_t from) -> const std::vector<Grant>& {
        return m_state.outbox(from, lane.number).grants.items;
    };
    const uint32_t others = m_state.num_lanes == 1 ? 0 : m_state.num_lanes;
    for (uint32_t from = 0; from < others; ++from) {
        m_state.outbox(lane.number, from).mail[(m_state.now + 1) & 1].items.clear();
        __builtin_prefetch(&grants_from(from));
    }
    for (uint32_t from = 0; from < others; ++from) __builtin_prefetch(grants_from(from).data());
    for (uint32_t from = 0; from < others; ++from)
        for (const Grant& grant : grants_from(from)) m_parts.lines.take(lane, grant);
    for (const InputGrant& won : lane.won) m_parts.passes.pass(lane, won);
    lane.won.clear();
    m_parts.passes.clear_stale_requests(lane);
}

// Changes that take effect from this cycle on. Nothing is presented yet.
void Network::apply(Lane& lane, const Day& today) {
    m_parts.inputs.end_grants(lane);
    m_parts.inputs.count_credits(lane, today);
    m_parts.returns.show_waiting(lane, today);
    m_parts.passes.drop_packets(lane, today);
    m_parts.inputs.accept_packets(lane, today);
    m_parts.acks.accept(today);
    m_parts.inputs.reopen(lane, today);
    m_parts.resync.check_slow_ticks(lane);
}

bool Network::is_irregular() const {
    return m_state.notes.is_irregular.load(std::memory_order_relaxed);
}

void Network::images(const OfChip& of_chip, const OfMbp& of_mbp) const {
    ImageWriter(m_parts).write(of_chip, of_mbp);
}

bool Network::load(const Registers& registers, const Adopt& adopt) {
    return Loader(m_parts, registers, adopt).load();
}

// Ticks concern only what waits: a packet, an ack that is due, a credit that is away.
bool Network::can_skip(uint64_t cycles) const {
    if (cycles < Calendar::Days || !m_parts.recoveries.empty() || m_parts.resync.has_late_credits())
        return false;
    if (is_irregular() || m_state.has_mail()) return false;
    for (const Lane& lane : m_state.lanes)
        if (!lane.is_at_rest()) return false;
    const auto has_nothing = [](const Mbp& m) {
        return m.packets.empty() && m.acks.empty() && m.credit;
    };
    if (!std::all_of(m_state.mbps.begin(), m_state.mbps.end(), has_nothing)) return false;
    for (uint32_t n = 0; n < m_state.nodes.size(); ++n) {
        const Node& node = m_state.nodes[n];
        if (node.have != 0 || (AllCredits & ~node.credit) != 0) return false;
        const Control* c = m_parts.controls.find(n);
        if (c != nullptr && !(c->table.quiet(0, 0) && c->injector_at(m_state.now).is_idle()))
            return false;
    }
    return true;
}

void Network::skip(uint64_t cycles) {
    if (m_state.now + cycles - m_limited_at >= MostAge) limit_ages(cycles);
    m_state.now += cycles;
}

// Time stamps have 32 bits. Ages above the duration of a packet are equivalent, so ages saturate;
// `skipped` cycles pass at once.
void Network::limit_ages(uint64_t skipped) {
    const auto now = uint32_t(m_state.now);
    const auto limit = [&](uint32_t& stamp) {
        const uint64_t age = now - stamp + skipped;
        stamp = now + uint32_t(skipped) - uint32_t(std::min(age, MostAge));
    };
    m_parts.sent.limit_ages(limit);
    m_parts.returns.limit_ages(limit);
    m_limited_at = m_state.now + skipped;
}

bool Network::idle() const {
    if (m_state.has_mail()) return false;
    for (const Lane& lane : m_state.lanes)
        if (lane.calendar.brings_packets()) return false;
    for (uint32_t mbp = 0; mbp < m_state.mbps.size(); ++mbp) {
        const Mbp& m = m_state.mbps[mbp];
        if (!m.packets.empty() || !m.acks.empty() || mbp_pins(mbp).oe) return false;
    }
    for (uint32_t n = 0; n < m_state.nodes.size(); ++n) {
        if (m_state.nodes[n].have != 0) return false;
        const Control* c = m_parts.controls.find(n);
        if (c != nullptr &&
            (!c->table.quiet(c->landed, 0) || !c->injector_at(m_state.now).is_idle()))
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
    return m_state.nodes.size() *
               (sizeof(Node) + 2 * sizeof(Mbp) + sizeof(PinHistories) + sizeof(CreditHistories)) +
           m_parts.controls.bytes() + m_state.packets.bytes();
}

}  // namespace rdt::machine::events
