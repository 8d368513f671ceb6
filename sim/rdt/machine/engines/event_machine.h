// SPDX-License-Identifier: MIT
// The fast engine: events::Network once the machine is up, FastMachine where events do not do.
//
// The cycle-based engine handles the cases without events: faults, packets for LOCAL, stray acks,
// and observers of registers. When one of these turns up, the machine continues by cycles from the
// same registers; when it is over, by events again. A machine that has a time-out for buffers is
// the fast engine from the first cycle on.
#pragma once

#include <memory>

#include <rdt/machine/engines/fast_machine.h>
#include <rdt/machine/events/network.h>
#include <rdt/net/rdt/multicast_schemes.h>

namespace rdt::machine {

class EventMachine : public FastMachine,
                     private PacketFastPath,
                     private Carrier,
                     private events::Client {
public:
    explicit EventMachine(const Config& config);

    void bring_up() override;
    uint32_t links_down() const override {
        return m_network ? m_network->links_down() : FastMachine::links_down();
    }
    bool idle() const override {
        return m_network ? m_network->idle() && m_counted == 0 : FastMachine::idle();
    }

    core::LinkPinsOut pins(uint32_t node, uint32_t port) const override {
        return m_network ? m_network->pins(node, port) : FastMachine::pins(node, port);
    }
    core::LinkPinsOut mbp_pins(uint32_t node, uint32_t m) const override {
        return m_network ? m_network->mbp_pins(2 * node + m) : FastMachine::mbp_pins(node, m);
    }
    uint64_t flits_sent(uint32_t node, uint32_t end) const override;
    bool err(uint32_t node) const override {
        return (m_network && m_network->err(node)) || (m_has_chips && FastMachine::err(node));
    }
    // Registers exist while every cycle is simulated, which continues from the same state.
    const fast::ChipState* state(uint32_t node) const override {
        if (m_in_clock || m_pruning) return nullptr;
        const_cast<EventMachine*>(this)->need_clocks();
        return FastMachine::state(node);
    }
    size_t bytes() const override;

    // From the next cycle on; returns whether it is so. By itself the machine does either where it
    // pays. Events take over only if all activity is packets and acks between MBPs and link
    // recovery. There must be no fault, no effect of a fault in a packet, link or buffer, no active
    // LOCAL, all links on, nodes at their positions, no observer of registers and no MBP that
    // delays packets.
    bool go_on_by_events();
    bool go_on_by_clocks();
    bool is_by_events() const { return m_network != nullptr; }

    // Registers of all chips that the next cycle sees, as FastMachine::image() has them.
    void images(const events::OfChip& of_chip) const;

protected:
    void step(bool rst_n) override;
    PacketFastPath* fast_path(PacketFastPath::Client* client) override;
    PruningCaches* pruning() const override { return m_pruning.get(); }
    unsigned lane_of(uint32_t node) const override {
        return m_network ? m_network->lane_number(node) : FastMachine::lane_of(node);
    }
    bool can_skip(uint64_t cycles) const override {
        return !m_is_irregular &&
               (m_network ? m_network->can_skip(cycles) : FastMachine::can_skip(cycles));
    }
    void do_skip(uint64_t cycles) override {
        if (m_network) m_network->skip(cycles);
        else FastMachine::do_skip(cycles);
    }
    SignalView signal_view(uint32_t node) override;
    void on_disturbance(uint32_t node) override;

private:
    // A packet of an Endpoint as it was sent, and who still needs it.
    struct Body {
        Flits flits;
        uint32_t copies = 0;
    };

    // A packet that goes from MBP to MBP.
    static bool is_plain(const Flits& flits);
    void need_clocks();
    bool may_have_events() const;
    bool is_at_rest(uint32_t node, const RouteConfig& place) const;
    bool read(events::Registers& registers);
    std::string difference(const events::Network& network, const events::Registers& r) const;
    events::Ticks ticks(uint32_t node) const;
    void load_mbp(uint32_t number, const events::MbpImage& image);
    Flits flits_of(const events::MbpImage::Waiting& packet) const;
    std::vector<RouteConfig> configs() const;
    events::Ticks start_small(uint64_t& now) const;

    // Called by Transport.
    void send(uint32_t mbp, const Header& header, uint32_t body) override;
    void send_ack(uint32_t mbp, const core::AckNote& ack) override;

    // Called by Endpoints. A bit distinguishes their bodies from those of Transport.
    static constexpr uint32_t Own = 1u << 31;
    void carry(Endpoint& from, bool ahead_of_others, Flits flits) override;
    void carry_ack(Endpoint& from, const core::AckNote& ack) override;
    uint32_t number_of(const Endpoint& end) const { return uint32_t(&end - &mbp(0, 0)); }
    Endpoint& end(uint32_t number) { return mbp(number / 2, number % 2); }

    // Called by the network.
    void begin_cycle(uint32_t lane, uint32_t first, uint32_t end) override {
        if (m_client != nullptr) m_client->begin_cycle(lane, first, end);
    }
    void started(uint32_t end, uint32_t body, uint64_t clock) override;
    void delivered(uint32_t end, const events::Record& packet, uint64_t clock) override;
    void acked(uint32_t end, uint32_t h0) override;
    void counted(uint32_t body, int copies) override;
    flit_t flit(uint32_t body, uint32_t k) const override;
    uint32_t pruned(uint32_t node, uint32_t input, const events::Record& packet,
                    uint32_t outputs) override;
    uint32_t adopt(Flits flits);

    // Cycles until events are tried again: more, if they did not last the last time.
    static constexpr uint64_t LeastPatience = 64;
    static constexpr uint64_t MostPatience = 4096;
    static constexpr uint64_t Never = ~uint64_t(0);
    uint64_t m_patience = LeastPatience;
    uint64_t m_try_at = Never;
    uint64_t m_changed_at = 0;  // between events and cycles

    bool m_has_chips = false;
    bool m_is_watched = false;
    bool m_in_clock = false;
    bool m_is_irregular = false;    // an MBP has a packet without events to send
    std::vector<uint64_t> m_flits;  // sent by events that are over, 16 ends per node
    std::unique_ptr<events::Network> m_network;
    std::unique_ptr<PruningCaches> m_pruning;
    uint64_t m_counted = 0;  // packets of Transport, and copies, where routers have these caches
    PacketFastPath::Client* m_client = nullptr;
    std::vector<Body> m_bodies;
    std::vector<uint32_t> m_free;
    bool m_is_carrier = false;  // MBPs have sent something by events themselves
    Endpoint::Sent m_sent{};
    Endpoint::Received m_received{};
};

}  // namespace rdt::machine
