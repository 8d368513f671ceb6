// SPDX-License-Identifier: MIT
// Unicasts that the partitions of a machine send and complete themselves. Numbers and slots are
// those that one thread would have given them.
#include <rdt/machine/transport.h>

#include <algorithm>

namespace rdt::machine {

void Transport::send(UnicastStream& stream, uint64_t clock) {
    const std::vector<Unicast>& all = stream.unicasts(clock);
    if (m_observer == nullptr || m_fast_path == nullptr) {
        for (const Unicast& unicast : all) send(unicast.message());
        return;
    }
    m_stream = &stream;
    m_stream_clock = clock;
    m_unicasts = &all;
    m_first_unicast = m_sent;
    m_packets.reserve(uint32_t(all.size()));
    m_sent += all.size();
    m_open += all.size();
}

void Transport::begin_cycle(uint32_t lane, uint32_t first, uint32_t end) {
    if (m_unicasts == nullptr) return;
    const std::vector<Unicast>& all = *m_unicasts;
    const auto begin = std::partition_point(all.begin(), all.end(),
                                            [=](const Unicast& u) { return u.source < first; });
    for (auto index = uint32_t(begin - all.begin()); index < all.size() && all[index].source < end;
         ++index)
        send_unicast(lane, index);
    if (lane == 0) m_stream->prepare(m_stream_clock + 1);
}

void Transport::send_unicast(uint32_t lane, uint32_t index) {
    constexpr uint32_t Ahead = 6;
    if (index + Ahead < m_unicasts->size()) {
        const Unicast& next = (*m_unicasts)[index + Ahead];
        __builtin_prefetch(&m_packets[m_packets.reserved(index + Ahead)]);
        __builtin_prefetch(&m_sources[2 * next.source + next.source_mbp]);
    }
    const Unicast& unicast = (*m_unicasts)[index];
    const uint32_t at = 2 * unicast.source + unicast.source_mbp;
    m_packets.fill(index, unicast, m_first_unicast + index, m_machine.now());
    wait_at_source(at, m_packets.reserved(index));
    m_observer->sent(lane, unicast);
    feed(at);
}

void Transport::complete(uint32_t at, uint32_t number, uint32_t hops, uint64_t tail) {
    Slot& slot = m_packets[number];
    const uint32_t lane = m_machine.lane_of(at / 2);
    m_observer->delivered(lane, {slot.source, slot.destination, slot.flits, hops, slot.born,
                                 slot.born + slot.waited, tail});
    PacketTable::end(slot);
    m_completed[lane].slots.push_back(number);
}

// In the order of lanes, which is that of nodes.
void Transport::end_cycle() {
    if (m_unicasts != nullptr) m_packets.end_reservation();
    m_unicasts = nullptr;
    if (m_observer == nullptr) return;
    for (const Completed& lane : m_completed) __builtin_prefetch(&lane);
    for (const Completed& lane : m_completed) __builtin_prefetch(lane.slots.data());
    for (Completed& lane : m_completed) {
        m_packets.release(lane.slots);
        m_open -= lane.slots.size();
        lane.slots.clear();
    }
}

}  // namespace rdt::machine
