// SPDX-License-Identifier: MIT
// How the number and the pattern of a packet stand in its flits.
#include <rdt/machine/transport.h>

namespace rdt::machine {

uint64_t Transport::wire_number(uint32_t at) const {
    return uint64_t(m_packets[at].generation & GenerationMask) << SlotBits | at;
}

uint32_t Transport::slot_of(flit_t first, flit_t second) const {
    const uint64_t wire = uint64_t(first & PayloadMask) | uint64_t(second & PayloadMask)
                                                              << PayloadBits;
    const auto at = uint32_t(wire & ((1u << SlotBits) - 1));
    const bool is_good = is_good_flit(first) && is_good_flit(second) && at < m_packets.size();
    return is_good && m_packets[at].used && wire_number(at) == wire ? at : None;
}

const Packet* Transport::find(flit_t first, flit_t second) const {
    const uint32_t at = slot_of(first, second);
    if (at == None) return nullptr;
    m_found = m_packets.packet(at);
    return &m_found;
}

bool Transport::is_intact(uint32_t at, const Flits& flits) const {
    const Slot& slot = m_packets[at];
    if (flits.size() != slot.flits) return false;
    const uint64_t wire = wire_number(at);
    for (uint32_t k = FirstData; k < flits.size(); ++k)
        if (flits[k] != make_flit(payload_of(slot, wire, k))) return false;
    return true;
}

uint64_t Transport::pruning_key(uint32_t body) const {
    const Slot& slot = m_packets[body & ((1u << SlotBits) - 1)];
    return slot.more == None ? 0 : m_packets.more(slot).pruning_key;
}

// The number of receivers of a pruned multicast is known when no copy is in flight.
void Transport::counted(uint32_t body, int copies) {
    const uint32_t number = body & ((1u << SlotBits) - 1);
    const Slot& slot = m_packets[number];
    if (!slot.used || slot.more == None || m_packets.more(slot).pruning_key == 0 ||
        (slot.generation & BodyMask) != body >> SlotBits)
        return;
    uint32_t& left = m_packets.more(slot).copies;
    left += uint32_t(copies);
    if (left != 0) return;
    m_arrivals[m_machine.lane_of(slot.source)].push_back(
        {number, slot.generation, false, 0, {}, {}, true});
}

flit_t Transport::flit(uint32_t body, uint32_t k) const {
    const uint32_t number = body & ((1u << SlotBits) - 1);
    const Slot& slot = m_packets[number];
    const uint32_t uses = (slot.generation - (body >> SlotBits)) & BodyMask;  // since then
    const uint64_t wire = uint64_t((slot.generation - uses) & GenerationMask) << SlotBits | number;
    if (k == FirstBody) return make_flit(uint32_t(wire) & PayloadMask);
    if (k == FirstBody + 1) return make_flit(uint32_t(wire >> PayloadBits));
    const Words* data = m_packets.data_of(slot);
    const bool has_data = data == nullptr || k - FirstData < data->size();
    return has_data ? make_flit(payload_of(slot, wire, k)) : 0;
}

uint32_t Transport::payload_of(const Slot& slot, uint64_t wire, uint32_t k) const {
    if (const Words* data = m_packets.data_of(slot))
        return uint32_t((*data)[k - FirstData]) & PayloadMask;
    return uint32_t((wire + k) * 0x9E3779B97F4A7C15 >> 40) & PayloadMask;
}

}  // namespace rdt::machine
