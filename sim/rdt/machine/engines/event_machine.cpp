// SPDX-License-Identifier: MIT
#include <rdt/machine/engines/event_machine.h>

#include <fmt/core.h>

#include <algorithm>

#include <rdt/machine/endpoint_image.h>
#include <rdt/machine/engines/chip_values.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::machine {

namespace {

const EngineRegistration registration{
    Engine::Fast, [](const Config& c) -> std::unique_ptr<Machine> {
        if (c.event_driven && c.reduce_width == 0 && c.entries == NumEntries)
            return std::make_unique<EventMachine>(c);
        return std::make_unique<FastMachine>(c);
    }};

constexpr uint32_t EndsOfNode = fast::PortBits;  // in m_flits

core::AckNote note_of(uint32_t h0) {
    return {0, uint32_t(get(h0, H0Tag)), uint32_t(get(h0, H0Status)), uint32_t(get(h0, H0Gen))};
}

[[noreturn]] void refuse(const std::string& what) {
    throw MachineError(
        what + ": not supported by the event-driven engine: set Config::event_driven = false");
}

}  // namespace

bool EventMachine::is_plain(const Flits& flits) {
    const auto h0 = uint32_t(flits.empty() ? 0 : flits[0]);
    return flits.size() >= 3 && size_t(get(h0, H0Len)) + 1 == flits.size() && is_good_head(h0) &&
           (get(h0, H0Type) == int(TypeUni) || is_multicast(h0)) &&
           std::all_of(flits.begin() + 1, flits.end(), [](flit_t f) { return is_good_flit(f); });
}

EventMachine::EventMachine(const Config& config) : FastMachine(config, false) {
    const bool is_compared = !config.check.empty();  // from reset on
    if (config.faults || config.timeout != 0 || config.sink || is_compared) need_clocks();
    if (config.pruning != 0) m_pruning = std::make_unique<PruningCaches>(nodes(), config.pruning);
}

void EventMachine::need_clocks() {
    if (m_network) go_on_by_clocks();
    else if (!std::exchange(m_has_chips, true)) build();
    if (m_try_at != Never) m_try_at = now() + m_patience;
}

SignalView EventMachine::signal_view(uint32_t node) {
    need_clocks();
    m_is_watched = true;
    return FastMachine::signal_view(node);
}

void EventMachine::on_disturbance(uint32_t node) {
    need_clocks();
    FastMachine::on_disturbance(node);
}

// All nodes are set up in the same way at the same time, so the smallest machine gives the duration
// and the counters afterwards.
events::Ticks EventMachine::start_small(uint64_t& now) const {
    Config config = this->config();
    config.side = Geometry::sides.front();
    config.threads = 1;
    FastMachine small(config);
    small.bring_up();
    now = small.now();
    const auto ticks_of = [&](uint32_t node) {
        const fast::Local::Regs q = small.local(node).q();
        return std::array<uint64_t, 3>{q.cnt_ent.left, q.cnt_ack.left, q.cnt_slow.left};
    };
    const auto left = ticks_of(0);
    for (uint32_t n = 0; n < small.nodes(); ++n)
        if (ticks_of(n) != left) throw std::logic_error("nodes with different timer registers");
    events::Ticks ticks;
    ticks.entry = now + left[0];
    ticks.entry_period = config.t_ent == 0 ? 0 : config.t_ent + 1;
    ticks.ack = now + left[1];
    ticks.ack_period = config.t_ack == 0 ? 0 : config.t_ack + 1;
    ticks.slow = now + left[2];
    return ticks;
}

void EventMachine::bring_up() {
    if (m_has_chips) {
        FastMachine::bring_up();
        if (!may_have_events()) return;
        m_try_at = this->now();
        return;
    }
    uint64_t now = 0;
    const events::Ticks all = start_small(now);
    events::Client& client = *this;
    m_network = std::make_unique<events::Network>(geometry(), configs(), std::vector{all}, now,
                                                  client, workers());
    set_now(now);
    m_changed_at = now;
    carry_all(this);
}

std::vector<RouteConfig> EventMachine::configs() const {
    std::vector<RouteConfig> all;
    for (uint32_t n = 0; n < nodes(); ++n) {
        all.push_back(multicast_config(geometry(), n));
        if (!config().upper_rank) all.back().rank = all.back().ranks = 0;
    }
    return all;
}

void EventMachine::step(bool rst_n) {
    if (m_is_irregular) go_on_by_clocks();
    if (!m_network && now() >= m_try_at) go_on_by_events();
    if (m_network) {
        m_in_clock = true;
        m_network->clock();
        m_in_clock = false;
        if (m_network->is_irregular()) m_is_irregular = true;
        // All that was in flight in flits has arrived.
        if (!m_is_carrier && m_free.size() == m_bodies.size()) m_network->be_serial(false);
        return;
    }
    FastMachine::step(rst_n);
}

uint64_t EventMachine::flits_sent(uint32_t node, uint32_t end) const {
    return FastMachine::flits_sent(node, end) + (m_network ? m_network->flits_sent(node, end) : 0) +
           (m_flits.empty() ? 0 : m_flits[node * EndsOfNode + end]);
}

// The chips there are, or else those of a machine that has just been set up, with the registers of
// this one.
bool EventMachine::go_on_by_clocks() {
    if (!m_network) return true;
    if (m_pruning) throw MachineError("routers with pruning caches have events alone");
    m_is_irregular = false;
    carry_all(nullptr);
    if (std::exchange(m_has_chips, true)) {
        begin_load(m_network->now() - m_changed_at);
    } else {
        Config config = this->config();
        config.threads = 1;
        FastMachine up(config);
        up.bring_up();
        build();
        begin_load(up, m_network->now());
    }
    m_flits.resize(nodes() * EndsOfNode);
    for (uint32_t n = 0; n < nodes(); ++n)
        for (uint32_t end = 0; end < NumPorts + 2; ++end)
            m_flits[n * EndsOfNode + end] += m_network->flits_sent(n, end);
    m_network->images(
        [this](uint32_t node, const fast::ChipImage& image) {
            fast::Local::In heard;
            const bool hears = m_network->has_report(node, heard);
            load(node, image, hears ? &heard : nullptr,
                 m_network->err(node) ? 1u << StatusTable : 0);
        },
        [this](uint32_t number, const events::MbpImage& image) { load_mbp(number, image); });
    end_load();
    m_network.reset();
    m_bodies.clear();
    m_free.clear();
    if (m_client != nullptr) m_client->fast_path_ends();
    // Events that did not last are not soon tried again.
    const bool lasted = now() - m_changed_at >= 4 * m_patience;
    m_patience = lasted ? LeastPatience : std::min(2 * m_patience, MostPatience);
    m_changed_at = now();
    m_try_at = may_have_events() ? now() + m_patience : Never;
    return true;
}

void EventMachine::load_mbp(uint32_t number, const events::MbpImage& image) {
    Endpoint::Image own{image.link,
                        image.out,
                        image.sending,
                        image.sent,
                        image.received,
                        image.head,
                        image.ack_from,
                        {},
                        {}};
    for (const uint32_t h0 : image.acks) own.acks.push_back(note_of(h0));
    for (const auto& packet : image.packets) own.packets.push_back(flits_of(packet));
    end(number).load(std::move(own));
}

void EventMachine::images(const events::OfChip& of_chip) const {
    if (m_network) m_network->images(of_chip, [](uint32_t, const events::MbpImage&) {});
    else
        for (uint32_t n = 0; n < nodes(); ++n) of_chip(n, image(n));
}

Flits EventMachine::flits_of(const events::MbpImage::Waiting& packet) const {
    if ((packet.body & Own) != 0) return m_bodies[packet.body & ~Own].flits;
    Flits flits(packet.header.begin(), packet.header.end());
    const auto last = uint32_t(get(packet.header[0], H0Len));
    for (uint32_t k = 3; k <= last; ++k) flits.push_back(flit(packet.body, k));
    return flits;
}

PacketFastPath* EventMachine::fast_path(PacketFastPath::Client* client) {
    m_client = client;
    return m_network ? this : nullptr;
}

void EventMachine::send(uint32_t number, const Header& h, uint32_t body) {
    if (m_pruning) ++m_counted;
    m_network->send(number, {slice0(h.h0), slice0(h.h1), slice0(h.h2)}, body);
}

void EventMachine::send_ack(uint32_t number, const core::AckNote& ack) {
    m_network->send_ack(number, core::head_of(ack));
}

void EventMachine::carry(Endpoint& from, bool ahead_of_others, Flits flits) {
    if (ahead_of_others && !m_in_clock) {
        go_on_by_clocks();
        from.send_first(std::move(flits));
        return;
    }
    if (ahead_of_others) refuse("a packet with priority, sent from a callback");
    if (!is_plain(flits)) m_is_irregular = true;
    m_network->be_serial(true);
    m_is_carrier = true;
    if (from.hold || from.may_start || from.hold_back) refuse("an MBP that delays packets");
    std::array<uint32_t, 3> header{};
    for (size_t k = 0; k < std::min(flits.size(), header.size()); ++k) header[k] = slice0(flits[k]);
    m_network->send(number_of(from), header, adopt(std::move(flits)));
}

uint32_t EventMachine::adopt(Flits flits) {
    uint32_t body = uint32_t(m_bodies.size());
    if (m_free.empty()) {
        m_bodies.emplace_back();
    } else {
        body = m_free.back();
        m_free.pop_back();
    }
    m_bodies[body] = {std::move(flits), 1};
    return body | Own;
}

void EventMachine::carry_ack(Endpoint& from, const core::AckNote& ack) {
    // An MBP takes its packet back.
    if (ack.tag == 0) m_is_irregular = true;
    m_network->send_ack(number_of(from), core::head_of(ack));
}

void EventMachine::started(uint32_t number, uint32_t body, uint64_t clock) {
    if ((body & Own) == 0) {
        if (m_client != nullptr) m_client->started(number, body, clock);
        return;
    }
    body &= ~Own;
    if (!end(number).on_start) return;
    m_sent.vc = 0;
    m_sent.flits.swap(m_bodies[body].flits);
    end(number).on_start(m_sent, clock);
    m_sent.flits.swap(m_bodies[body].flits);
}

void EventMachine::delivered(uint32_t number, const events::Record& packet, uint64_t clock) {
    if ((packet.body & Own) == 0) {
        const Header h{packet.h[0], packet.h[1], packet.h[2]};
        if (m_client == nullptr) return;
        m_client->delivered(number, h, packet.body, clock);
        counted(packet.body, -1);
        return;
    }
    if (end(number).hold) refuse("an MBP that delays packets");
    Body& body = m_bodies[packet.body & ~Own];
    m_received.vc = 0;
    m_received.clock = clock;
    m_received.flits = body.flits;
    for (size_t k = 0; k < packet.h.size(); ++k) m_received.flits[k] = packet.h[k];
    counted(packet.body, -1);
    if (end(number).on_receive) end(number).on_receive(m_received);
}

void EventMachine::acked(uint32_t number, uint32_t h0) {
    const core::AckNote ack{0, uint32_t(get(h0, H0Tag)), uint32_t(get(h0, H0Status))};
    if (m_client != nullptr) m_client->acked(number, ack);
    else if (end(number).on_ack) end(number).on_ack(ack);
}

// The node itself is PortM0 in an entry, whichever of its MBPs receives. An entry without outputs
// was made before others on the way to it were lost.
uint32_t EventMachine::pruned(uint32_t node, uint32_t input, const events::Record& packet,
                              uint32_t outputs) {
    if (!m_pruning || (packet.body & Own) != 0 || m_client == nullptr) return outputs;
    const uint64_t key = m_client->pruning_key(packet.body);
    if (key == 0) return outputs;
    const Maps maps = maps_of({packet.h[0], packet.h[1], packet.h[2]});
    const std::optional<uint32_t> known = m_pruning->find(node, {key, input, maps});
    if (!known) return outputs;
    const uint32_t mbps = (*known >> PortM0 & 1) != 0 ? 3u << PortM0 : 0;
    const uint32_t left = outputs & ((*known & ((1u << PortM0) - 1)) | mbps);
    return left == 0 ? outputs : left;
}

void EventMachine::counted(uint32_t body, int copies) {
    if ((body & Own) == 0) {
        if (!m_pruning) return;
        m_counted += uint64_t(int64_t(copies));
        if (m_client != nullptr) m_client->counted(body, copies);
        return;
    }
    Body& own = m_bodies[body & ~Own];
    own.copies += uint32_t(copies);
    if (own.copies == 0) m_free.push_back(body & ~Own);
}

flit_t EventMachine::flit(uint32_t body, uint32_t k) const {
    if ((body & Own) != 0) return m_bodies[body & ~Own].flits[k];
    return m_client != nullptr ? m_client->flit(body, k) : 0;
}

size_t EventMachine::bytes() const {
    if (!m_network) return FastMachine::bytes();
    return m_network->bytes() + m_bodies.size() * sizeof(Body);
}

// From cycles back to events.
bool EventMachine::may_have_events() const {
    return config().timeout == 0 && !config().sink && !m_is_watched;
}

bool EventMachine::go_on_by_events() {
    if (m_network) return true;
    m_try_at = may_have_events() && m_try_at != Never ? now() + m_patience : Never;
    if (m_try_at == Never || disturbances().are_any()) return false;
    const std::vector<RouteConfig> places = configs();
    std::vector<events::Ticks> all;
    for (uint32_t n = 0; n < nodes(); ++n) {
        if (!is_at_rest(n, places[n])) return false;
        all.push_back(ticks(n));
    }
    // From here on the check costs as much as some cycles, so it is repeated rarely while a
    // condition lasts.
    const auto start_anew = [this] {
        m_bodies.clear();
        m_free.clear();
        m_patience = std::min(2 * m_patience, MostPatience);
        return false;
    };
    events::Registers registers;
    if (!read(registers)) return start_anew();
    events::Client& client = *this;
    auto network =
        std::make_unique<events::Network>(geometry(), places, all, now(), client, workers());
    if (!network->load(registers, [this](Flits flits) { return adopt(std::move(flits)); }) ||
        !difference(*network, registers).empty())
        return start_anew();
    pause();
    m_network = std::move(network);
    m_network->be_serial(true);
    m_is_carrier = false;
    m_changed_at = now();
    for (uint32_t number = 0; number < 2 * nodes(); ++number) end(number).unload();
    carry_all(this);
    if (m_client != nullptr) m_client->fast_path_begins(*this);
    return true;
}

// Nothing for LOCAL to do, and a node that knows its place.
bool EventMachine::is_at_rest(uint32_t node, const RouteConfig& place) const {
    const fast::Local local = this->local(node);
    const core::Config& q = local.config();
    return local.at_rest() && q.timeout == 0 && !q.sinks() &&
           q.link == (links() & ((1u << NumNetworkPorts) - 1)) && q.route.rank == place.rank &&
           q.route.xfer == place.xfer && q.route.dateline == place.dateline &&
           q.route.mask == place.mask && q.route.ranks == place.ranks;
}

// With the last slow tick, which may have found a link down.
events::Ticks EventMachine::ticks(uint32_t node) const {
    const fast::Local::Regs q = local(node).q();
    const auto period = [](uint32_t reg) { return reg == 0 ? uint64_t(0) : uint64_t(reg) + 1; };
    const uint64_t slow = now() + q.cnt_slow.left;
    return {q.cfg.t_ent == 0 ? 0 : now() + q.cnt_ent.left, period(q.cfg.t_ent),
            q.cfg.t_ack == 0 ? 0 : now() + q.cnt_ack.left, period(q.cfg.t_ack),
            slow >= SlowTick ? slow - SlowTick : slow};
}

bool EventMachine::read(events::Registers& registers) {
    registers.links = links();
    for (uint32_t n = 0; n < nodes(); ++n) registers.chips.push_back(image(n));
    for (uint32_t number = 0; number < 2 * nodes(); ++number) {
        if (!end(number).has_image()) return false;
        Endpoint::Image own = end(number).image();
        events::MbpImage mbp{own.link,     own.out,      std::move(own.sending),
                             own.sent,     own.received, own.head,
                             own.ack_from, {},           {}};
        for (const core::AckNote& ack : own.acks) mbp.acks.push_back(core::head_of(ack));
        for (Flits& flits : own.packets) {
            if (!is_plain(flits)) return false;
            const std::array<uint32_t, 3> header{slice0(flits[0]), slice0(flits[1]),
                                                 slice0(flits[2])};
            mbp.packets.push_back({header, adopt(std::move(flits))});
        }
        registers.mbps.push_back(std::move(mbp));
    }
    return true;
}

// Registers that the event engine would show differently: then there is something in them that it
// does not know of.
std::string EventMachine::difference(const events::Network& network,
                                     const events::Registers& r) const {
    std::string found;
    network.images(
        [&](uint32_t node, const fast::ChipImage& image) {
            if (!found.empty()) return;
            found = ChipValues(r.chips[node], links()).difference(ChipValues(image, links()));
        },
        [&](uint32_t mbp, const events::MbpImage& image) {
            if (!found.empty()) return;
            const events::MbpImage& own = r.mbps[mbp];
            found = ChipValues(own.link, own.out).difference(ChipValues(image.link, image.out));
            const bool same = own.sending.size() == image.sending.size() &&
                              (own.sending.empty() || own.sent == image.sent) &&
                              std::equal(own.sending.begin() + own.sent, own.sending.end(),
                                         image.sending.begin() + own.sent);
            if (!same || own.received != image.received) found = "a packet of an MBP";
        });
    return found;
}

}  // namespace rdt::machine
