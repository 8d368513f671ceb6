// SPDX-License-Identifier: MIT
// Messages between the nodes of a machine: queues at the sources, packets in the network, and what
// became of each. Every packet carries its number in its first two body flits, and a pattern in
// the others that is checked at the receiver.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include <rdt/machine/lane_copies.h>
#include <rdt/machine/machine.h>
#include <rdt/machine/packet_table.h>

namespace rdt::machine {

// A packet, or a copy of a multicast, at a receiver.
struct Delivery {
    uint32_t node;
    uint32_t mbp;
    uint64_t head;            // first flit on the pins of the receiver's MBP
    uint64_t tail;            // last flit
    uint32_t hops;            // unicast only
    bool intact;              // header and body as they were sent
    bool sound;               // no malformed flit, and as long as announced
    Words data;               // as received, of a message with data
    uint32_t generation = 0;  // multicast only: repeated in the answer
};

class Transport : private PacketFastPath::Client {
public:
    explicit Transport(Machine& machine);
    ~Transport() override;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;

    std::function<void(const Packet&)> on_send;
    // All of these are called from clock(), in the order of nodes. The packet is removed when all
    // copies are delivered and, if requested, answered. A multicast without an answer counts as a
    // time-out.
    std::function<void(const Packet&, const Delivery&)> on_delivery;
    std::function<void(const Packet&, uint32_t status)> on_ack;
    // Before on_ack: the combined operands of the answers to a multicast of the lane.
    std::function<void(const Packet&, const core::Operand&)> on_result;
    std::function<void(const Packet&)> on_done;
    // ERR packets of the routers, and packets that match no sent packet.
    std::function<void(uint32_t node, const Flits&)> on_stray;
    // The user bits (0 to 7) that this MBP puts into its acks from now on; 1 at first. The sender
    // of a multicast gets the OR of the bits of all receivers.
    void set_user_bits(uint32_t node, uint32_t mbp, uint32_t bits);

    // Between cycles. Throws std::invalid_argument for a message that cannot be sent.
    uint64_t send(const Message& message);
    // Those of a stream in this cycle of it; between cycles, in which the machine stays the same.
    // The partitions send them when they begin the next cycle, if these packets are observed:
    // nothing else is called for them.
    void send(UnicastStream& stream, uint64_t clock);
    void observe(UnicastObserver& observer) {
        if (m_machine.pruning() == nullptr) m_observer = &observer;
    }
    // Answers a multicast of the lane; between cycles. All operands have the same operation.
    void answer(const Delivery& delivery, uint32_t status, const core::Operand& operand = {});
    // The multicast of the lane from this MBP, if there is one, is answered with a time-out in the
    // coming cycle, because nothing else ends its wait.
    void expire_lane(uint32_t node, uint32_t mbp);
    // One cycle of the machine and everything that was delivered in it.
    void clock();
    // Cycles from now on in which no answer becomes overdue.
    uint64_t idle_cycles() const;

    Machine& machine() { return m_machine; }
    uint64_t sent() const { return m_sent; }
    uint64_t open() const { return m_open; }  // packets that are not done
    // The packet whose number is in these two body flits, until the next call; nothing if there is
    // none in flight or a flit has the wrong parity.
    const Packet* find(flit_t first, flit_t second) const;
    // Packets of an MBP that have not started.
    size_t queued(uint32_t node, uint32_t m) const { return m_queued[2 * node + m]; }

private:
    // A packet's number on the wire: its slot, and a count of the slot's uses so that a packet that
    // is taken for another is noticed. 34 bits in two flits.
    static constexpr uint32_t PayloadBits = FlitW - 1;
    static constexpr uint32_t SlotBits = PacketTable::SlotBits;
    static constexpr uint32_t GenerationMask = (1u << (2 * PayloadBits - SlotBits)) - 1;
    static constexpr uint32_t FirstBody = 3;
    static constexpr uint32_t FirstData = FirstBody + 2;

    // For a body that goes with a packet by PacketFastPath: its slot, and the low bits of the
    // count.
    static constexpr uint32_t BodyMask = (1u << (31 - SlotBits)) - 1;

    static constexpr uint32_t None = PacketTable::None;
    using Slot = PacketTable::Slot;
    // Packets an MBP is given beforehand, so that one follows the other without a gap.
    static constexpr uint32_t Ahead = 2;
    struct alignas(64) Source {
        uint32_t first = None;  // slots that wait
        uint32_t last = None;
        std::array<uint32_t, Ahead> given{};  // to the MBP, in its order
        uint32_t num_given = 0;
        std::array<uint32_t, 8> tag{};  // slot + 1 of the multicast that waits for this ack,
        uint32_t next_in_lane = 0;      // ... and of that behind the one of the lane
    };
    struct Arrival {
        uint32_t slot;
        uint32_t generation;
        bool is_ack;
        uint32_t status;
        Delivery delivery;
        Flits stray;
        bool is_last = false;  // no copy of a pruned multicast is in flight
        bool has_number = true;
        core::Operand operand{};  // in an ack
    };

    // None, if there is none in flight.
    uint32_t slot_of(flit_t first, flit_t second) const;
    void attach(uint32_t node, uint32_t m);
    void start(uint32_t at, uint64_t clock);
    void take_ack(uint32_t at, const core::Ack& ack);
    void begin_cycle(uint32_t lane, uint32_t first, uint32_t end) override;
    void end_cycle();
    void send_unicast(uint32_t lane, uint32_t index);
    void wait_at_source(uint32_t at, uint32_t number);
    void complete(uint32_t at, uint32_t number, uint32_t hops, uint64_t tail);
    void started(uint32_t at, uint32_t, uint64_t clock) override { start(at, clock); }
    void delivered(uint32_t at, const Header& header, uint32_t body, uint64_t clock) override;
    void acked(uint32_t at, const core::AckNote& ack) override { take_ack(at, ack); }
    flit_t flit(uint32_t body, uint32_t k) const override;
    uint64_t pruning_key(uint32_t body) const override;
    void counted(uint32_t body, int copies) override;
    void fast_path_ends() override;
    void fast_path_begins(PacketFastPath& way) override { m_fast_path = &way; }
    void attach_all();
    void feed(uint32_t at);
    // The answer of an MBP to a multicast that requests an ack, if all flits are intact.
    uint32_t ack_status(uint32_t at) const { return uint32_t(m_user_bits[at]) << AckUser; }
    uint32_t free_tag(const Source& source, bool lane) const;
    static uint32_t end_wait(Source& source, uint32_t tag);
    uint32_t slot_in_lane(const Delivery& delivery) const;
    uint64_t longest_wait() const;
    void expire();
    Header header_of(const Slot& slot, uint32_t tag) const;
    Flits encode(uint32_t at, uint32_t tag) const;
    void receive(uint32_t at, const Endpoint::Received& r);
    void handle(Arrival& a);
    void finish(uint32_t slot);
    bool is_intact(uint32_t at, const Flits& flits) const;
    uint64_t wire_number(uint32_t at) const;
    // Payload of flit k.
    uint32_t payload_of(const Slot& slot, uint64_t wire_number, uint32_t k) const;

    Machine& m_machine;
    PacketFastPath* m_fast_path;  // instead of the MBPs
    bool m_is_attached = false;
    PacketTable m_packets;
    mutable Packet m_found;
    std::vector<Source, LargePages<Source>> m_sources;  // two per node
    std::vector<uint8_t> m_user_bits;                   // one per MBP
    std::vector<uint32_t> m_queued;  // packets that have not started; a workload looks at many
    std::vector<std::vector<Arrival>> m_arrivals;  // by lane, of this cycle
    LaneCopies m_lane_copies;
    uint64_t m_sent = 0;
    uint64_t m_open = 0;

    // Unicasts that the partitions send and complete themselves.
    struct alignas(64) Completed {
        std::vector<uint32_t> slots;
    };
    UnicastObserver* m_observer = nullptr;
    UnicastStream* m_stream = nullptr;
    uint64_t m_stream_clock = 0;
    const std::vector<Unicast>* m_unicasts = nullptr;  // to be sent in the cycle that begins
    uint64_t m_first_unicast = 0;                      // number of its first packet
    std::vector<Completed> m_completed;                // by lane, in this cycle
};

// How many nodes receive a multicast with these maps.
uint32_t receivers_of(const Geometry& geometry, Type type, Maps maps);

}  // namespace rdt::machine
