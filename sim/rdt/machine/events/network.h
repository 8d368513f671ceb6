// SPDX-License-Identifier: MIT
// Routers and MBPs of a machine that only carries packets, simulated by grants: a grant in cycle g
// determines the whole hop of a packet of n flits, so most cycles of most packets have no event.
//   g+1, g+3      the credit of its buffer is on CRED after the last pass; the other end has it
//   g+2           H0 on the pins; the credit of the next buffer counts as used
//   g+5           the header is complete at the next node: routed and presented
//   g+n-1, g+n    the input may present its next packet; the same end may get the line again
//   g+n+1, g+n+2  last flit, a tie goes to the other end; at an MBP delivered, credit in g+n+5
// Set-up, faults and buffer time-outs have no events: is_irregular() is then true, and a
// cycle-based engine continues from images(); load() returns to events.
#pragma once

#include <rdt/machine/events/parts.h>

namespace rdt::machine::events {

class Network {
public:
    // `now` is the first cycle. All links are up, and nothing is in flight.
    // One partition per worker thread. `ticks` by node, or one for all.
    Network(const Geometry& geometry, const std::vector<RouteConfig>& configs,
            const std::vector<Ticks>& ticks, uint64_t now, Client& client, WorkerPool& workers);
    uint32_t lane_number(uint32_t node) const { return m_state.lane_number(node); }
    // Whether the client is called by one thread only, from now on.
    void be_serial(bool is_serial) { m_is_serial = is_serial; }

    // Between cycles, and from the client.
    void send(uint32_t mbp, const std::array<uint32_t, 3>& header, uint32_t body) {
        m_parts.mbps.send(mbp, header, body);
    }
    void send_ack(uint32_t mbp, uint32_t h0) { m_parts.mbps.send_ack(mbp, h0); }

    void clock();
    uint64_t now() const { return m_state.now; }
    // Whether nothing happens in the next cycles, however many, unless something is sent; and
    // leaves them out. Time stamps of 32 bits are only kept right over long enough stretches.
    bool can_skip(uint64_t cycles) const;
    void skip(uint64_t cycles);

    // Something has begun that only a clocked engine does.
    bool is_irregular() const;
    // Whether LOCAL received a report in the last cycle.
    bool has_report(uint32_t node, fast::Local::In& report) const {
        return m_parts.acks.has_report(node, report);
    }

    // For the next cycle.
    core::LinkPinsOut pins(uint32_t node, uint32_t port) const {
        return m_parts.pins.of({node, port});
    }
    core::LinkPinsOut mbp_pins(uint32_t mbp) const { return m_parts.pins.of(end_of_mbp(mbp)); }
    // On the pins so far, by port and then MBP.
    uint64_t flits_sent(uint32_t node, uint32_t sender) const {
        return m_parts.pins.flits_sent({node, sender});
    }
    // Registers that the next cycle sees, of all chips and MBPs (image_writer.h).
    void images(const OfChip& of_chip, const OfMbp& of_mbp) const;
    // Continues from registers, before anything else (loader.h). A body is made of each packet by
    // `adopt`. Returns whether they show nothing but what has events; if not, this is of no use.
    bool load(const Registers& registers, const Adopt& adopt);
    // Nothing is held, and no ack is awaited.
    bool idle() const;
    uint32_t links_down() const { return m_parts.recoveries.down(); }
    bool err(uint32_t node) const {
        const Control* control = m_parts.controls.find(node);
        return control != nullptr && control->err;
    }
    size_t bytes() const;

private:
    template <typename Half>
    void for_lanes(bool shared, Half&& half);
    void throw_error();
    void first_half(Lane& lane);
    void second_half(Lane& lane);
    // Steps of a cycle.
    void read_mail(Lane& lane);
    void decide(Lane& lane);
    void take_grants(Lane& lane);
    void apply(Lane& lane, const Day& today);

    void limit_ages(uint64_t skipped);

    WorkerPool& m_workers;
    bool m_is_serial = false;
    uint64_t m_limited_at;  // cycle in which no time stamp was older than MostAge
    Parts m_parts;
    State& m_state;
};

}  // namespace rdt::machine::events
