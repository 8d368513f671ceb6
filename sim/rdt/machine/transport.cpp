// SPDX-License-Identifier: MIT
#include <rdt/machine/transport.h>

#include <fmt/core.h>

#include <algorithm>

#include <rdt/core/entry_class.h>
#include <rdt/machine/packets.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::machine {

namespace {

bool is_sound(const Flits& flits) {
    return int(flits.size()) == get(flits[0], H0Len) + 1 && is_good_head(flits[0]) &&
           std::all_of(flits.begin() + 1, flits.end(), [](flit_t f) { return is_good_flit(f); });
}

}  // namespace

uint32_t receivers_of(const Geometry& geometry, Type type, Maps maps) {
    const int level = level_of(maps);
    if (level < 0) return 1;
    uint32_t map = map_of(maps, uint32_t(level));
    if (uint32_t(level) == geometry.top_rank()) map &= ~top_map_mask(geometry);
    const Maps all_below = maps_below(uint32_t(level));
    const Maps below = maps & all_below;
    const bool self = (map & 1) != 0;
    const auto others = uint32_t(__builtin_popcount(map & ~1u));
    const auto count = [&](Type t, Maps m) { return receivers_of(geometry, t, m); };
    if (level == 0) return others + (self ? 1 : 0);
    return others * count(TypeMcSm, type == TypeMcLpra ? all_below : below) +
           (self ? count(type == TypeMcLarp ? TypeMcSm : type,
                         type == TypeMcLarp ? all_below : below)
                 : 0);
}

Transport::Transport(Machine& machine)
    : m_machine(machine),
      m_fast_path(machine.fast_path(this)),
      m_sources(2 * machine.nodes()),
      m_user_bits(2 * machine.nodes(), 1),
      m_queued(2 * machine.nodes()),
      m_arrivals(machine.lanes()),
      m_completed(machine.lanes()) {
    if (m_fast_path == nullptr) attach_all();
}

void Transport::attach_all() {
    m_is_attached = true;
    for (uint32_t n = 0; n < m_machine.nodes(); ++n)
        for (uint32_t m = 0; m < 2; ++m) attach(n, m);
}

void Transport::fast_path_ends() {
    m_fast_path = nullptr;
    attach_all();
    begin_cycle(0, 0, m_machine.nodes());
    end_cycle();
}

Transport::~Transport() {
    m_machine.fast_path(nullptr);
    if (!m_is_attached) return;
    for (uint32_t n = 0; n < m_machine.nodes(); ++n)
        for (uint32_t m = 0; m < 2; ++m) {
            Endpoint& end = m_machine.mbp(n, m);
            end.on_start = nullptr;
            end.on_receive = nullptr;
            end.on_ack = nullptr;
        }
}

void Transport::attach(uint32_t node, uint32_t m) {
    const uint32_t at = 2 * node + m;
    Endpoint& end = m_machine.mbp(node, m);
    // Packets that an MBP sends by itself, such as SETUP packets, are not counted here.
    end.on_start = [this, at](const Endpoint::Sent& sent, uint64_t clock) {
        const flit_t h0 = sent.flits[0];
        if (rdt::is_multicast(h0) || get(h0, H0Type) == int(TypeUni)) start(at, clock);
    };
    end.on_receive = [this, at](const Endpoint::Received& r) { receive(at, r); };
    end.on_ack = [this, at](const core::Ack& ack) { take_ack(at, ack); };
}

void Transport::start(uint32_t at, uint64_t clock) {
    Source& source = m_sources[at];
    Slot& slot = m_packets[source.given[0]];
    slot.waited = uint32_t(clock - slot.born);
    source.given[0] = source.given[1];
    --source.num_given;
    --m_queued[at];
    feed(at);
}

// Returns the slot + 1 that waited.
uint32_t Transport::end_wait(Source& source, uint32_t tag) {
    const uint32_t next = tag == LaneTag ? std::exchange(source.next_in_lane, 0) : 0;
    return std::exchange(source.tag[tag], next);
}

void Transport::take_ack(uint32_t at, const core::Ack& ack) {
    const uint32_t slot = end_wait(m_sources[at], ack.tag);
    if (slot == 0) return;
    m_arrivals[m_machine.lane_of(at / 2)].push_back({slot - 1, 0, true, ack.status, {}, {}});
    m_arrivals[m_machine.lane_of(at / 2)].back().operand = ack.operand;
    feed(at);
}

// Nothing on this way changes a packet.
void Transport::delivered(uint32_t at, const Header& h, uint32_t body, uint64_t clock) {
    const uint32_t number = body & ((1u << SlotBits) - 1);
    const Slot& slot = m_packets[number];
    const bool multicast = rdt::is_multicast(h.h0);
    const auto tag = uint32_t(get(h.h0, H0Tag));
    const auto flits = uint32_t(get(h.h0, H0Len)) + 1;
    const auto generation = uint32_t(get(h.h2, H2Gen));
    if (multicast && tag != 0 && tag != LaneTag)
        m_fast_path->send_ack(at, {0, tag, ack_status(at), generation});
    const bool is_known = slot.used && (slot.generation & BodyMask) == body >> SlotBits;
    if (m_observer != nullptr && is_known && slot.more == None) {
        complete(at, number, uint32_t(MaxHops) - uint32_t(get(h.h2, H2Hop)), clock + flits - 1);
        return;
    }
    std::vector<Arrival>& arrivals = m_arrivals[m_machine.lane_of(at / 2)];
    Arrival& a = arrivals.emplace_back();
    a.slot = number;
    a.generation = slot.generation;
    a.delivery.node = at / 2;
    // A copy of an abandoned multicast.
    if (!is_known) {
        a.stray = flits_of(h);
        for (uint32_t k = FirstBody; k < flits; ++k) a.stray.push_back(flit(body, k));
        return;
    }
    a.delivery.mbp = at % 2;
    a.delivery.head = clock;
    a.delivery.tail = clock + flits - 1;
    a.delivery.hops = multicast ? 0 : uint32_t(MaxHops) - uint32_t(get(h.h2, H2Hop));
    a.delivery.intact = a.delivery.sound = true;
    if (multicast) a.delivery.generation = generation;
    if (const Words* data = m_packets.data_of(slot)) a.delivery.data = *data;
}

void Transport::answer(const Delivery& d, uint32_t status, const core::Operand& operand) {
    if (operand.operation != ReduceNone && m_machine.config().reduce_width == 0)
        throw std::invalid_argument("an answer with an operand: needs routers that reduce");
    if (m_fast_path != nullptr)
        m_fast_path->send_ack(2 * d.node + d.mbp, {0, LaneTag, status, d.generation});
    else m_machine.mbp(d.node, d.mbp).send_ack(LaneTag, status, d.generation, operand);
}

void Transport::set_user_bits(uint32_t node, uint32_t mbp, uint32_t bits) {
    if (node >= m_machine.nodes() || mbp >= 2 || bits > MaxUserBits)
        throw std::invalid_argument(fmt::format(
            "user bits {} of node {} MBP {}: must be 0 to {}; there are {} nodes of two MBPs", bits,
            node, mbp, MaxUserBits, m_machine.nodes()));
    m_user_bits[2 * node + mbp] = uint8_t(bits);
}

void Transport::expire_lane(uint32_t node, uint32_t mbp) {
    const uint32_t at = 2 * node + mbp;
    const uint32_t slot = end_wait(m_sources[at], LaneTag);
    if (slot == 0) return;
    m_arrivals[m_machine.lane_of(node)].push_back({slot - 1, 0, true, 1u << AckTimeout, {}, {}});
    feed(at);
}

uint64_t Transport::send(const Message& message) {
    const uint32_t nodes = m_machine.nodes();
    if (message.source >= nodes || message.source_mbp >= 2 ||
        (message.maps == 0 && (message.destination >= nodes || message.mbp >= 2)))
        throw std::invalid_argument(fmt::format(
            "packet from node {} MBP {} to node {} MBP {}: nodes must be below {}, MBPs 0 or 1",
            message.source, message.source_mbp, message.destination, message.mbp, nodes));
    const uint32_t flits = message.data.empty() ? message.flits : FirstData + message.data.size();
    const bool has_number = !message.lane || flits != LaneFlits;
    if (has_number && (flits < MinFlits || flits > MaxFlits))
        throw std::invalid_argument(
            fmt::format("packet of {2} flits: must be {0} to {1}", MinFlits, MaxFlits, flits));
    const uint32_t receivers =
        message.maps == 0 ? 1 : receivers_of(m_machine.geometry(), message.type, message.maps);
    if (receivers == 0)
        throw std::invalid_argument("multicast without receivers: needs at least one");
    const uint32_t entries = m_machine.config().entries;
    if (message.lane && (message.maps == 0 || !message.wants_ack || entries < LaneTag))
        throw std::invalid_argument(fmt::format(
            "the reserved ack entry needs a multicast with ack and routers with {} entries",
            LaneTag));
    const uint32_t at = m_packets.take(message, flits, receivers, m_sent, m_machine.now());
    const uint32_t number = 2 * message.source + message.source_mbp;
    if (!has_number) m_lane_copies.expect(m_machine.geometry(), number, message.maps);
    wait_at_source(number, at);
    ++m_open;
    if (on_send) on_send(m_packets.packet(at));
    feed(number);
    return m_sent++;
}

void Transport::wait_at_source(uint32_t at, uint32_t number) {
    Source& source = m_sources[at];
    if (source.first == None) source.first = number;
    else m_packets[source.last].next = number;
    source.last = number;
    ++m_queued[at];
}

// Gives the MBP what it can take. A multicast that requests an ack needs a free tag first.
void Transport::feed(uint32_t at) {
    Source& source = m_sources[at];
    while (source.num_given < Ahead && source.first != None) {
        const uint32_t number = source.first;
        const Slot& slot = m_packets[number];
        uint32_t tag = 0;
        if (!slot.answered) {
            tag = free_tag(source, slot.lane);
            if (tag == 0) return;
            (source.tag[tag] == 0 ? source.tag[tag] : source.next_in_lane) = number + 1;
        }
        source.first = slot.next;
        source.given[source.num_given++] = number;
        if (m_fast_path != nullptr)
            m_fast_path->send(at, header_of(slot, tag),
                              (slot.generation & BodyMask) << SlotBits | number);
        else m_machine.mbp(at / 2, at % 2).send(0, encode(number, tag));
    }
}

// 0, if there is none.
uint32_t Transport::free_tag(const Source& source, bool lane) const {
    if (lane) {
        const bool may_wait = m_machine.config().t_ent == 0 && source.next_in_lane == 0;
        return source.tag[LaneTag] == 0 || may_wait ? LaneTag : 0;
    }
    for (uint32_t tag = 1; tag <= NumEntries && tag <= MaxOrdinaryTag; ++tag)
        if (source.tag[tag] == 0) return tag;
    return 0;
}

Header Transport::header_of(const Slot& slot, uint32_t tag) const {
    const int len = int(slot.flits) - 1;
    const Geometry& g = m_machine.geometry();
    if (m_packets.is_multicast(slot))
        return multicast_header(m_packets.more(slot).maps, slot.mbp, Type(slot.type), len,
                                int(tag));
    if (m_machine.config().upper_rank)
        return g.make_header(slot.source, slot.destination, slot.mbp, TypeUni, len);
    const Vectors plain{{g.displacement(slot.source, slot.destination)}};
    return make_header(plain, slot.mbp, TypeUni, len, 0, MaxHops);
}

Flits Transport::encode(uint32_t at, uint32_t tag) const {
    const Slot& slot = m_packets[at];
    Flits flits = flits_of(header_of(slot, tag));
    if (slot.flits == LaneFlits) return flits;
    const uint64_t wire = wire_number(at);
    flits.resize(slot.flits);
    flits[FirstBody] = make_flit(uint32_t(wire) & PayloadMask);
    flits[FirstBody + 1] = make_flit(uint32_t(wire >> PayloadBits));
    for (uint32_t k = FirstData; k < slot.flits; ++k)
        flits[k] = make_flit(payload_of(slot, wire, k));
    return flits;
}

void Transport::receive(uint32_t at, const Endpoint::Received& r) {
    const flit_t h0 = r.flits[0];
    const bool multicast = rdt::is_multicast(h0);
    std::vector<Arrival>& arrivals = m_arrivals[m_machine.lane_of(at / 2)];
    const auto tag = uint32_t(get(h0, H0Tag));
    if (multicast && tag != 0 && tag != LaneTag)
        m_machine.mbp(at / 2, at % 2)
            .send_ack(tag, is_sound(r.flits) ? ack_status(at) : 1u << AckError,
                      uint32_t(get(r.flits[2], H2Gen)));
    Arrival a{};
    const auto type = Type(get(h0, H0Type));
    if (multicast && tag == LaneTag && r.flits.size() == LaneFlits) {
        a.has_number = false;
        a.stray = r.flits;
        a.delivery = {at / 2,
                      at % 2,
                      r.clock,
                      r.clock + LaneFlits - 1,
                      0,
                      true,
                      is_sound(r.flits),
                      {},
                      uint32_t(get(r.flits[2], H2Gen))};
        arrivals.push_back(std::move(a));
        return;
    }
    if ((type != TypeUni && !multicast) || r.flits.size() < MinFlits) {
        a.stray = r.flits;
        a.delivery.node = at / 2;
        arrivals.push_back(std::move(a));
        return;
    }
    const uint32_t number = slot_of(r.flits[FirstBody], r.flits[FirstBody + 1]);
    const auto belongs_here = [&](const Slot& slot) {
        return multicast == m_packets.is_multicast(slot) && slot.mbp == at % 2 &&
               (multicast || slot.destination == at / 2);
    };
    const bool known = number != None && belongs_here(m_packets[number]);
    if (known) {
        a.slot = number;
        a.generation = m_packets[number].generation;
    }
    const auto flits = uint32_t(r.flits.size());
    const auto left = uint32_t(get(r.flits[2], H2Hop));
    if (!known) a.stray = r.flits;
    a.delivery = {at / 2,
                  at % 2,
                  r.clock,
                  r.clock + flits - 1,
                  multicast ? 0 : uint32_t(MaxHops) - left,
                  known && is_intact(number, r.flits),
                  is_sound(r.flits),
                  {},
                  multicast ? uint32_t(get(r.flits[2], H2Gen)) : 0};
    if (const Words* sent = known ? m_packets.data_of(m_packets[number]) : nullptr)
        for (uint32_t k = FirstData; k < flits; ++k) {
            const uint64_t word = k - FirstData < sent->size() ? (*sent)[k - FirstData] : 0;
            a.delivery.data.push_back((word & ~uint64_t(PayloadMask)) | (r.flits[k] & PayloadMask));
        }
    arrivals.push_back(std::move(a));
}

uint64_t Transport::longest_wait() const {
    const Config& config = m_machine.config();
    return 4 * (uint64_t(config.t_ent) + config.t_ack) + SlowTick;
}

uint64_t Transport::idle_cycles() const {
    if (m_open == 0 || m_machine.config().t_ack == 0) return ~uint64_t(0);
    const uint64_t longest = longest_wait();
    const uint64_t now = m_machine.now();
    uint64_t first = ~uint64_t(0);
    for (const Source& source : m_sources)
        for (const uint32_t tag : source.tag) {
            if (tag == 0) continue;
            const Slot& slot = m_packets[tag - 1];
            if (slot.waited == None || slot.lane) continue;
            first = std::min(first, std::max(now + 1, slot.born + slot.waited + longest));
        }
    // Looked at when a slow tick is over.
    return first == ~uint64_t(0) ? first : (first - 1) / SlowTick * SlowTick + SlowTick - 1 - now;
}

// The answer to an MBP may be lost on the last link, where no chip waits for it any more.
void Transport::expire() {
    if (m_machine.config().t_ack == 0 || !m_packets.has_more()) return;
    const uint64_t longest = longest_wait();
    for (uint32_t at = 0; at < m_sources.size(); ++at) {
        for (uint32_t& tag : m_sources[at].tag) {
            if (tag == 0) continue;
            const Slot& slot = m_packets[tag - 1];
            if (slot.waited == None || slot.lane ||
                m_machine.now() < slot.born + slot.waited + longest)
                continue;
            const uint32_t number = std::exchange(tag, 0) - 1;
            m_arrivals[m_machine.lane_of(at / 2)].push_back(
                {number, 0, true, 1u << AckTimeout, {}, {}});
            feed(at);
        }
    }
}

void Transport::clock() {
    m_machine.clock();
    end_cycle();
    if (m_machine.now() % SlowTick == 0) expire();
    for (std::vector<Arrival>& lane : m_arrivals) {
        for (Arrival& a : lane) handle(a);
        lane.clear();
    }
}

// The first that this node has not received; None, if there is none.
uint32_t Transport::slot_in_lane(const Delivery& d) const {
    const uint32_t sender = m_lane_copies.sender_to(d.node);
    if (sender == LaneCopies::None) return None;
    const Source& source = m_sources[sender];
    for (const uint32_t waiting : {source.tag[LaneTag], source.next_in_lane}) {
        if (waiting == 0) continue;
        const Slot& slot = m_packets[waiting - 1];
        if (!m_lane_copies.has_received(d.node, slot.number))
            return slot.flits == LaneFlits && slot.mbp == d.mbp ? waiting - 1 : None;
    }
    return None;
}

void Transport::handle(Arrival& a) {
    if (!a.has_number) {
        const uint32_t at = slot_in_lane(a.delivery);
        if (at != None) {
            a.slot = at;
            a.generation = m_packets[at].generation;
            a.stray.clear();
        }
    }
    if (!a.stray.empty()) {
        if (on_stray) on_stray(a.delivery.node, a.stray);
        return;
    }
    Slot& slot = m_packets[a.slot];
    // A copy that comes in the cycle in which its multicast is answered with a time-out is late.
    if (!a.is_ack && (!slot.used || slot.generation != a.generation)) return;
    if (a.is_ack) {
        slot.answered = true;
        if (on_result && slot.lane && m_machine.config().reduce_width != 0)
            on_result(m_packets.packet(a.slot), a.operand);
        if (on_ack) on_ack(m_packets.packet(a.slot), a.status);
        // Receivers without a copy by now never get one: a router on the path dropped it.
        if ((a.status & (1u << AckRetry | 1u << AckTimeout)) != 0) m_packets.give_up(slot);
    } else if (a.is_last) {
        m_packets.give_up(slot);
    } else {
        m_packets.count_copy(slot);
        if (slot.flits == LaneFlits) m_lane_copies.receive(a.delivery.node, slot.number);
        if (on_delivery) on_delivery(m_packets.packet(a.slot), a.delivery);
    }
    if (slot.answered && m_packets.is_complete(slot)) finish(a.slot);
}

void Transport::finish(uint32_t at) {
    if (on_done) on_done(m_packets.packet(at));
    m_packets.release(at);
    --m_open;
}

}  // namespace rdt::machine
