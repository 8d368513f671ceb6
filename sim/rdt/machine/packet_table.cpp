// SPDX-License-Identifier: MIT
#include <rdt/machine/packet_table.h>

#include <algorithm>

namespace rdt::machine {

PacketTable::Slot::Slot()
    : flits(0),
      type(TypeUni),
      source_mbp(0),
      mbp(0),
      wants_ack(false),
      used(false),
      answered(false),
      received(false),
      lane(false) {}

uint32_t PacketTable::take(const Message& message, uint32_t flits, uint32_t receivers,
                           uint64_t number, uint64_t now) {
    const auto take = [](auto& all, std::vector<uint32_t>& free) {
        if (free.empty()) return all.add();
        const uint32_t at = free.back();
        free.pop_back();
        return at;
    };
    const uint32_t at = take(m_slots, m_free);
    Slot& slot = m_slots[at];
    slot.number = number;
    slot.born = now;
    slot.waited = None;
    slot.source = message.source;
    slot.destination = message.destination;
    slot.next = None;
    slot.flits = uint16_t(flits & 31);
    slot.type = uint16_t(message.type & 15);
    slot.source_mbp = message.source_mbp & 1;
    slot.mbp = message.mbp & 1;
    slot.wants_ack = message.wants_ack;
    slot.lane = message.lane;
    slot.used = true;
    slot.answered = !message.wants_ack || message.maps == 0;
    slot.received = false;
    slot.more = None;
    if (message.maps != 0 || message.user != 0 || !message.data.empty()) {
        slot.more = take(m_more, m_free_more);
        m_more[slot.more] = {
            message.maps, message.user, message.data, receivers, 0, message.pruning_key, 1};
    }
    return at;
}

void PacketTable::release(uint32_t at) {
    Slot& slot = m_slots[at];
    end(slot);
    if (slot.more != None) {
        m_more[slot.more] = {};
        m_free_more.push_back(slot.more);
    }
    m_free.push_back(at);
}

void PacketTable::reserve(uint32_t count) {
    m_reserved_free = uint32_t(std::min<size_t>(count, m_free.size()));
    m_reserved_new = m_slots.extend(count - m_reserved_free);
}

void PacketTable::fill(uint32_t index, const Unicast& unicast, uint64_t number, uint64_t now) {
    const uint32_t at = reserved(index);
    if (index >= m_reserved_free) m_slots.construct(at);
    Slot& slot = m_slots[at];
    const uint16_t generation = slot.generation;
    slot = {};
    slot.generation = generation;
    slot.number = number;
    slot.born = now;
    slot.source = unicast.source;
    slot.destination = unicast.destination;
    slot.flits = unicast.flits & 31;
    slot.type = TypeUni;
    slot.source_mbp = unicast.source_mbp & 1;
    slot.mbp = unicast.mbp & 1;
    slot.used = true;
    slot.answered = true;
}

void PacketTable::end_reservation() {
    m_free.resize(m_free.size() - m_reserved_free);
    m_reserved_free = 0;
}

Packet PacketTable::packet(uint32_t at) const {
    const Slot& slot = m_slots[at];
    Packet p;
    p.number = slot.number;
    p.born = slot.born;
    if (slot.waited != None) p.started = slot.born + slot.waited;
    p.received = slot.received;
    p.message.source = slot.source;
    p.message.destination = slot.destination;
    p.message.flits = slot.flits;
    p.message.source_mbp = slot.source_mbp;
    p.message.mbp = slot.mbp;
    p.message.type = Type(slot.type);
    p.message.wants_ack = slot.wants_ack;
    p.message.lane = slot.lane;
    if (slot.more == None) return p;
    const More& more = m_more[slot.more];
    p.message.maps = more.maps;
    p.message.user = more.user;
    p.message.data = more.data;
    p.receivers = more.receivers;
    p.received = more.received;
    return p;
}

void PacketTable::count_copy(Slot& slot) {
    if (slot.more == None) slot.received = true;
    else ++m_more[slot.more].received;
}

void PacketTable::give_up(const Slot& slot) {
    More& more = m_more[slot.more];
    more.receivers = more.received;
}

bool PacketTable::is_complete(const Slot& slot) const {
    if (slot.more == None) return slot.received;
    return m_more[slot.more].received >= m_more[slot.more].receivers;
}

}  // namespace rdt::machine
