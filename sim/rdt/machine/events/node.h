// SPDX-License-Identifier: MIT
// State of a node in the event-driven engine: the registers that determine grants, without those
// that follow from the cycle of a grant.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include <rdt/core/bitmap.h>
#include <rdt/fast/inject.h>
#include <rdt/fast/slot.h>
#include <rdt/machine/events/packets.h>

namespace rdt::machine::events {

// The lowest set bit; at least one must be set.
inline uint32_t lowest(uint32_t bits) { return uint32_t(__builtin_ctz(bits)); }

constexpr uint32_t NumSlots = 20;
constexpr std::array<uint8_t, NumPorts> FirstSlot{0, 3, 6, 8, 10, 12, 14, 16, 18, 19};
constexpr std::array<uint8_t, NumSlots> InputOf{0, 0, 0, 1, 1, 1, 2, 2, 3, 3,
                                                4, 4, 5, 5, 6, 6, 7, 7, 8, 9};

constexpr std::array<uint32_t, NumPorts> make_slots() {
    std::array<uint32_t, NumPorts> all{};
    for (uint32_t p = 0; p < NumPorts; ++p) all[p] = ((1u << vcs_of(p)) - 1) << FirstSlot[p];
    return all;
}
constexpr std::array<uint32_t, NumPorts> SlotsOf = make_slots();

// Credits are named as in the chip: bit 3 * output + VC.
constexpr uint32_t make_all_credits() {
    uint32_t all = 0;
    for (uint32_t p = 0; p < NumPorts; ++p) all |= ((1u << vcs_of(p)) - 1) << 3 * p;
    return all;
}
constexpr uint32_t AllCredits = make_all_credits();
// State of one end of a link; MBPs are the ports after those of the router.
constexpr uint32_t credits_of(uint32_t end) {
    return end < NumPorts ? 7u << 3 * end & AllCredits : 1u << (end + 20);
}

// A link belongs to the node at its end with priority: E0, N0, E1, N1, M0, M1. This end is First,
// the other one, which counts as the last owner of a line without requests, Second.
constexpr uint32_t NumLinks = 6;
enum Side : uint8_t { First, Second };
constexpr uint32_t link_at(uint32_t port) { return port < PortM0 ? port / 2 : port - 4; }
constexpr uint32_t port_of_link(uint32_t link) { return link < 4 ? 2 * link : link + 4; }

// A byte, since the lane of either end may change it.
struct Line {
    enum Phase : uint8_t {
        Idle,
        Sends,   // decided next when the last flit but one is on the lines
        Voided,  // the owner has nothing to send: the other end gets the line
        Down,    // link recovery
    };
    Phase phase : 2;
    Side owner : 1;  // last

    Line() : phase(Idle), owner(Second) {}
};
static_assert(sizeof(Line) == 1);

// Bits of Node::asks after those of the inputs.
constexpr uint16_t AsksInjector = 1u << 10;
constexpr uint16_t AsksStale = 1u << 11;  // a multicast that has left
constexpr uint16_t AllInputs = (1u << NumPorts) - 1;

// No credit has this number, and LOCAL's, which is always there.
constexpr uint8_t NoCredit = 31;
constexpr uint8_t LocalCredit = 30;
static_assert(fast::LocalCredit == 1u << LocalCredit);

// The request of an input: an output, or one of these. Several are those of a multicast, and stand
// in Control.
constexpr uint8_t NoOutput = 0xFF;
constexpr uint8_t SeveralOutputs = 0xFE;

// Four lines of the cache, by what touches them: credits that come and go and inputs that present;
// packets that come and leave, in two; lines and arbiters that decide.
struct alignas(128) Node {
    uint32_t credit = AllCredits | fast::LocalCredit;  // in hand
    uint32_t missed = 0;                               // ... away at the last slow tick
    uint32_t multicasts = 0;                           // slots
    uint32_t have = 0;                                 // ... with any packet
    uint32_t ready = 0;                                // ... with a unicast that may leave
    uint32_t sels = 0;                                 // two bits per input: VC that is presented
    uint16_t open = AllInputs;                         // inputs that may present a packet
    uint16_t marked = 0;                               // ... that have to present, in this cycle
    uint16_t granted = 0;                              // ... that were granted something in it
    uint16_t down = 0;  // ports, and MBPs behind them, whose link is down
    std::array<uint8_t, NumSlots> want = filled<NumSlots>(NoCredit);  // credits a unicast waits for
    std::array<uint8_t, NumPorts> cand = filled<NumPorts>(NoOutput);  // by input: requests

    alignas(64) std::array<uint8_t, 5> config{};  // rank, xfer, dateline, mask, ranks
    std::array<uint32_t, NumSlots> packet{};      // record and length
    std::array<uint32_t, 2> since{};              // clock from which an MBP's packet waits
    uint32_t late = 0;                            // credits away for too long, in this cycle
    uint32_t late_before = 0;                     // ... in the one before, MBPs' too

    // By output: inputs that request it, as REQ and the arbiter see it; then whether an MBP
    // requests.
    alignas(64) std::array<uint16_t, NumPorts + 2> asks{};
    uint16_t injects = 0;                 // output that the injector requests,
    uint16_t inject_granted = 0;          // ... and one that it got in this cycle
    std::array<uint16_t, PortM0> next{};  // neighbors
    std::array<Line, NumLinks> line{};
    uint8_t planned = 0;                   // links whose line will be decided
    std::array<uint8_t, NumPorts> turn{};  // by output: the input after the last winner
    std::array<uint8_t, 2> age{};          // what an MBP's packet had waited before
    bool is_late = false;                  // any of late or late_before

    RouteConfig route_config() const {
        return {config[0], config[1], config[2], config[3], config[4]};
    }
    uint32_t sel(uint32_t input) const { return sels >> 2 * input & 3; }
    void set_sel(uint32_t input, uint32_t vc) {
        sels = (sels & ~(3u << 2 * input)) | vc << 2 * input;
    }
    bool is_aged(uint32_t k, uint32_t now) const {
        return (have >> (FirstSlot[PortM0] + k) & 1) != 0 && age[k] + (now - since[k]) >= AgedAt;
    }
    void clear_slot(uint32_t slot) {
        have &= ~(1u << slot);
        multicasts &= ~(1u << slot);
        ready &= ~(1u << slot);
        want[slot] = NoCredit;
    }
    // A unicast in a buffer waits for a credit, which may be in hand.
    void wait_for(uint32_t slot, uint32_t number) {
        want[slot] = uint8_t(number);
        ready |= (credit >> number & 1) << slot;
    }
    // Some packet of an input may leave, or is a multicast, for which this is not known.
    bool may_present(uint32_t input) const { return ((ready | multicasts) & SlotsOf[input]) != 0; }
    // Slots with a unicast that waits for a credit.
    uint32_t waiting_for(uint32_t number) const;

private:
    template <size_t Count>
    static constexpr std::array<uint8_t, Count> filled(uint8_t with) {
        std::array<uint8_t, Count> all{};
        for (uint8_t& one : all) one = with;
        return all;
    }
};

static_assert(sizeof(Node) == 4 * 64);

inline uint32_t Node::waiting_for(uint32_t number) const {
    // Eight bytes at a time. Numbers are small, so that no sum of two bytes carries into the next:
    // its top bit is 0 where they are equal. A product collects the eight bits.
    constexpr uint64_t Ones = 0x0101010101010101;
    const auto compare = [&](uint32_t first, uint32_t bytes) {
        uint64_t word = 0;
        std::memcpy(&word, &want[first], bytes);
        const uint64_t differ = (word ^ number * Ones) + 0x7F * Ones;
        return uint32_t((~differ >> 7 & Ones) * 0x0102040810204080 >> 56);
    };
    return compare(0, 8) | compare(8, 8) << 8 | (compare(16, 4) & 15) << 16;
}

// An MBP: its queue, and whether the router has a free buffer for it.
struct Mbp {
    Queue packets;
    Queue acks;
    uint64_t ack_from = 0;  // clock from which another ack may be sent
    uint32_t used_at = 0;   // ... and from which the credit has been away
    bool credit = true;
    bool missed = false;  // at the last slow tick
    bool marked = false;

    bool is_away(uint64_t now) const { return !credit && int32_t(uint32_t(now) - used_at) >= 0; }
};
static_assert(sizeof(Mbp) == 32);

// A packet on its way over a link, as the pins show it.
struct Sent {
    uint32_t granted = 0;  // clock
    uint32_t packet = 0;   // record; of an ack its H0
    uint8_t flits = 0;
    uint8_t vcs = 0;  // on the link, and above that of the buffer it is read from
    bool is_ack = false;
    bool asks = true;  // REQ in the cycle after the grant

    uint32_t out_vc() const { return vcs & 3; }
    uint32_t from_vc() const { return vcs >> 2; }
};
// Values an end has driven, for observation only.
struct PinHistory {
    Sent last;
    Sent before;
    uint32_t flits = 0;    // sent, those to come included; there is at most one per cycle
    uint32_t void_at = 0;  // clock of the last grant that was not used
};
// ... and the credits that it has given back.
struct CreditHistory {
    uint32_t at = 0;   // clock of the last
    uint8_t vc = 0;    // its code
    uint8_t owed = 0;  // VCs whose credit waits for that of another
};
// By ports of a node, then its MBPs.
using PinHistories = std::array<PinHistory, NumPorts + 2>;
using CreditHistories = std::array<CreditHistory, NumPorts + 2>;

static_assert(sizeof(PinHistory) == 32 && sizeof(CreditHistory) == 8);

// Outputs that a multicast requests which needs these credits.
constexpr uint32_t ready_outputs(uint32_t needs, uint32_t credit) {
    return fast::outputs_of_pass(fast::outputs_of(needs & credit));
}

// The control side of a node, of those that have ever seen a multicast.
struct Control {
    std::array<fast::Slot, NumSlots> plan;  // state of multicasts
    // ... credits, any of which lets it continue; and slots that no input has
    std::array<uint32_t, NumSlots + 2> needs{};
    fast::AckTable table;
    fast::Inject inject;
    uint64_t counted = 0;                   // cycles the injector has counted
    uint32_t entryless = 0;                 // slots that wait for an entry of the table
    uint16_t landed = 0;                    // ports with an ack
    std::array<uint32_t, NumPorts> ack{};   // its H0
    std::array<uint8_t, NumPorts> evc{};    // VC that may request an entry, round-robin
    std::array<uint8_t, NumPorts> wvc{};    // VC whose wait for one is counted,
    std::array<uint8_t, NumPorts> ewait{};  // ... in ticks
    std::array<uint16_t, NumPorts> cand{};  // by input: outputs it requests, if several
    std::array<uint16_t, NumPorts> won{};   // outputs granted in this cycle, by input
    bool awake = false;
    bool err = false;  // Status is not 0
    // The ack table and its requesters are idle except for these conditions.
    bool has_to_send = false;  // some entry is answered
    bool has_free = true;      // some entry is free
    bool retries = false;      // one has waited too long
    bool counts_waits = true;  // of inputs for entries; true if this is not known
    // ... and until then: no entry may be sent to a port that is not busy, none given.
    bool no_send = false;
    bool no_entry = false;
    uint16_t busy = 0;  // ports, when no_send was found
    // Before this cycle nothing changes, unless a timer ticks, an ack lands, a multicast comes or
    // the injector's line changes.
    uint64_t quiet_until = 0;

    void note_table() {
        has_free = table.has_free();
        has_to_send = table.has_to_send();
    }
    // The injector after cycles in which it is given nothing, its line neither.
    static void advance(fast::Inject& inject, uint64_t cycles) {
        static constexpr fast::Inject::In Nothing{};
        for (; cycles != 0 && inject.q().st == fast::Inject::Ack; --cycles) inject.clock(Nothing);
        inject.skip(cycles);
    }
    void count_to(uint64_t now) {
        advance(inject, now - counted);
        counted = now;
    }
    fast::Inject injector_at(uint64_t now) const {
        fast::Inject copy = inject;
        advance(copy, now - counted);
        return copy;
    }
    // The injector requests nothing: at most, it passes an ack.
    bool needs_no_line() const { return inject.is_idle() || inject.q().st == fast::Inject::Ack; }
    // There is nothing to clock.
    bool may_sleep() const {
        return landed == 0 && entryless == 0 && needs_no_line() && !has_to_send;
    }
};

}  // namespace rdt::machine::events
