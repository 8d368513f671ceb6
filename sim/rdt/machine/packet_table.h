// SPDX-License-Identifier: MIT
// The packets in flight. A slot number is used again when its packet is done, with a generation one
// higher.
#pragma once

#include <rdt/machine/message.h>
#include <rdt/support/arena.h>

namespace rdt::machine {

class PacketTable {
public:
    static constexpr uint32_t None = ~0u;
    static constexpr uint32_t SlotBits = 24;
    // A packet in few bytes, since a large machine has a million; callbacks get it as a Packet.
    struct Slot {
        uint64_t number = 0;
        uint64_t born = 0;
        uint32_t waited = None;  // from then on until it started
        uint32_t source = 0;
        uint32_t destination = 0;
        uint32_t more = None;  // its More, if it is not a plain unicast
        uint32_t next = None;  // that waits at the same source
        uint16_t generation = 0;
        uint16_t flits : 5;
        uint16_t type : 4;
        uint16_t source_mbp : 1;
        uint16_t mbp : 1;
        uint16_t wants_ack : 1;
        uint16_t used : 1;
        uint16_t answered : 1;
        uint16_t received : 1;  // unicast only
        uint16_t lane : 1;

        Slot();
    };
    struct More {
        Maps maps = 0;
        uint64_t user = 0;
        Words data;
        uint32_t receivers = 1;
        uint32_t received = 0;
        uint64_t pruning_key = 0;
        uint32_t copies = 1;  // copies in flight, if it is pruned
    };

    uint32_t size() const { return m_slots.size(); }
    Slot& operator[](uint32_t at) { return m_slots[at]; }
    const Slot& operator[](uint32_t at) const { return m_slots[at]; }
    // For a slot that has it.
    More& more(const Slot& slot) { return m_more[slot.more]; }
    const More& more(const Slot& slot) const { return m_more[slot.more]; }
    // There was one that is not a plain unicast.
    bool has_more() const { return m_more.size() != 0; }

    // Returns its slot.
    uint32_t take(const Message& message, uint32_t flits, uint32_t receivers, uint64_t number,
                  uint64_t now);
    // Takes the slot away from its packet, but does not give it to others.
    static void end(Slot& slot) {
        slot.used = false;
        ++slot.generation;
    }
    void release(uint32_t at);
    // The same for many plain unicasts that have ended.
    void release(const std::vector<uint32_t>& slots) {
        m_free.insert(m_free.end(), slots.begin(), slots.end());
    }

    // Takes slots for so many plain unicasts at once. Until end_reservation(), threads fill them
    // one by one; the numbers are those of take().
    void reserve(uint32_t count);
    uint32_t reserved(uint32_t index) const {
        return index < m_reserved_free ? m_free[m_free.size() - 1 - index]
                                       : m_reserved_new + index - m_reserved_free;
    }
    void fill(uint32_t index, const Unicast& unicast, uint64_t number, uint64_t now);
    void end_reservation();

    Packet packet(uint32_t at) const;
    bool is_multicast(const Slot& slot) const {
        return slot.more != None && m_more[slot.more].maps != 0;
    }
    const Words* data_of(const Slot& slot) const {
        const bool has_data = slot.more != None && !m_more[slot.more].data.empty();
        return has_data ? &m_more[slot.more].data : nullptr;
    }
    void count_copy(Slot& slot);
    // Nothing more is expected. Only a multicast is answered.
    void give_up(const Slot& slot);
    bool is_complete(const Slot& slot) const;

private:
    Arena<Slot> m_slots;
    std::vector<uint32_t> m_free;
    Arena<More> m_more;
    std::vector<uint32_t> m_free_more;
    uint32_t m_reserved_free = 0;  // slots of m_free, from its end
    uint32_t m_reserved_new = 0;   // the first new slot
};

}  // namespace rdt::machine
