// SPDX-License-Identifier: MIT
// What Transport keeps of a packet, and how its number and its pattern stand in the flits.
#include <rdt/machine/transport.h>

namespace rdt::machine {

Transport::Slot::Slot()
    : flits(0),
      type(TypeUni),
      source_mbp(0),
      mbp(0),
      wants_ack(false),
      used(false),
      answered(false),
      received(false),
      lane(false) {}

uint32_t Transport::take_slot(const Message& message, uint32_t flits, uint32_t receivers) {
    const auto take = [](auto& all, std::vector<uint32_t>& free) {
        if (free.empty()) return all.add();
        const uint32_t at = free.back();
        free.pop_back();
        return at;
    };
    const uint32_t at = take(m_slots, m_free);
    Slot& slot = m_slots[at];
    slot.number = m_sent;
    slot.born = m_machine.now();
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

Packet Transport::packet_of(uint32_t at) const {
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

void Transport::count_copy(Slot& slot) {
    if (slot.more == None) slot.received = true;
    else ++m_more[slot.more].received;
}

// Only a multicast is answered.
void Transport::give_up(const Slot& slot) {
    More& more = m_more[slot.more];
    more.receivers = more.received;
}

bool Transport::is_complete(const Slot& slot) const {
    if (slot.more == None) return slot.received;
    return m_more[slot.more].received >= m_more[slot.more].receivers;
}

uint64_t Transport::wire_number(uint32_t at) const {
    return uint64_t(m_slots[at].generation & GenerationMask) << SlotBits | at;
}

uint32_t Transport::slot_of(flit_t first, flit_t second) const {
    const uint64_t wire = uint64_t(first & PayloadMask) | uint64_t(second & PayloadMask)
                                                              << PayloadBits;
    const uint64_t index = wire & ((1u << SlotBits) - 1);
    if (index >= m_slots.size()) return None;
    const auto at = uint32_t(index);
    return m_slots[at].used && wire_number(at) == wire ? at : None;
}

const Packet* Transport::find(flit_t first, flit_t second) const {
    const uint32_t at = slot_of(first, second);
    if (at == None) return nullptr;
    m_found = packet_of(at);
    return &m_found;
}

bool Transport::is_intact(uint32_t at, const Flits& flits) const {
    const Slot& slot = m_slots[at];
    if (flits.size() != slot.flits) return false;
    const uint64_t wire = wire_number(at);
    for (uint32_t k = FirstData; k < flits.size(); ++k)
        if (flits[k] != make_flit(payload_of(slot, wire, k))) return false;
    return true;
}

uint64_t Transport::pruning_key(uint32_t body) const {
    const Slot& slot = m_slots[body & ((1u << SlotBits) - 1)];
    return slot.more == None ? 0 : m_more[slot.more].pruning_key;
}

// The number of receivers of a pruned multicast is known when no copy is in flight.
void Transport::counted(uint32_t body, int copies) {
    const uint32_t number = body & ((1u << SlotBits) - 1);
    const Slot& slot = m_slots[number];
    if (!slot.used || slot.more == None || m_more[slot.more].pruning_key == 0 ||
        (slot.generation & BodyMask) != body >> SlotBits)
        return;
    uint32_t& left = m_more[slot.more].copies;
    left += uint32_t(copies);
    if (left != 0) return;
    m_arrivals[m_machine.lane_of(slot.source)].push_back(
        {number, slot.generation, false, 0, {}, {}, true});
}

flit_t Transport::flit(uint32_t body, uint32_t k) const {
    const uint32_t number = body & ((1u << SlotBits) - 1);
    const Slot& slot = m_slots[number];
    const uint32_t uses = (slot.generation - (body >> SlotBits)) & BodyMask;  // since then
    const uint64_t wire = uint64_t((slot.generation - uses) & GenerationMask) << SlotBits | number;
    if (k == FirstBody) return make_flit(uint32_t(wire) & PayloadMask);
    if (k == FirstBody + 1) return make_flit(uint32_t(wire >> PayloadBits));
    const Words* data = data_of(slot);
    const bool has_data = data == nullptr || k - FirstData < data->size();
    return has_data ? make_flit(payload_of(slot, wire, k)) : 0;
}

uint32_t Transport::payload_of(const Slot& slot, uint64_t wire, uint32_t k) const {
    if (const Words* data = data_of(slot)) return uint32_t((*data)[k - FirstData]) & PayloadMask;
    return uint32_t((wire + k) * 0x9E3779B97F4A7C15 >> 40) & PayloadMask;
}

}  // namespace rdt::machine
