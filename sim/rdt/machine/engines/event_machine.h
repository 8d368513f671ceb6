// SPDX-License-Identifier: MIT
// The event engine behind the machine's interface: events::Network once the machine is up.
//
// A machine with faults, with a time-out for buffers, or whose registers are watched is the fast
// engine from the first clock on: nothing of these has events. Where a packet or a link turns out
// to need it later, the run ends with a MachineError that says so.
#pragma once

#include <memory>

#include <rdt/machine/engines/fast_machine.h>
#include <rdt/machine/events/network.h>

namespace rdt::machine {

class EventMachine : public FastMachine, private Express, private Carrier, private events::Client {
public:
    explicit EventMachine(const Config& config);

    void bring_up() override;
    uint32_t links_down() const override {
        return m_network ? m_network->links_down() : FastMachine::links_down();
    }
    bool idle() const override { return m_network ? m_network->idle() : FastMachine::idle(); }

    core::LinkPinsOut pins(uint32_t node, uint32_t port) const override {
        return m_network ? m_network->pins(node, port) : FastMachine::pins(node, port);
    }
    core::LinkPinsOut mbp_pins(uint32_t node, uint32_t m) const override {
        return m_network ? m_network->mbp_pins(2 * node + m) : FastMachine::mbp_pins(node, m);
    }
    void count_links(LinkCounter& counter) const override;
    bool counts_flits() const override { return m_network != nullptr; }
    uint64_t flits_sent(uint32_t node, uint32_t end) const override {
        return m_network ? m_network->flits_sent(node, end) : 0;
    }
    bool err(uint32_t node) const override {
        return m_network ? m_network->err(node) : FastMachine::err(node);
    }
    const fast::ChipState* state(uint32_t node) const override {
        return m_network ? nullptr : FastMachine::state(node);
    }
    std::vector<Face> faces(uint32_t node) override;
    Express* express(Express::Client* client) override;
    size_t bytes() const override;
    unsigned lane_of(uint32_t node) const override {
        return m_network ? m_network->lane_number(node) : FastMachine::lane_of(node);
    }

protected:
    void step(bool rst_n) override;
    void on_disturbance(uint32_t node) override;

private:
    // A packet of an Endpoint as it was sent, and who still needs it.
    struct Body {
        Flits flits;
        uint32_t copies = 0;
    };

    void need_clocks();
    events::Ticks start_small(uint64_t& now) const;

    // Of Transport.
    void send(uint32_t mbp, const Header& header, uint32_t body) override;
    void send_ack(uint32_t mbp, const core::AckNote& ack) override;

    // Of Endpoints. Their bodies are told from those of Transport by a bit.
    static constexpr uint32_t Own = 1u << 31;
    void carry(Endpoint& from, bool ahead_of_others, Flits flits) override;
    void carry_ack(Endpoint& from, const core::AckNote& ack) override;
    uint32_t number_of(const Endpoint& end) const { return uint32_t(&end - &mbp(0, 0)); }
    Endpoint& end(uint32_t number) { return mbp(number / 2, number % 2); }

    // Of the network.
    void started(uint32_t end, uint32_t body, uint64_t clock) override;
    void delivered(uint32_t end, const events::Record& packet, uint64_t clock) override;
    void acked(uint32_t end, uint32_t h0) override;
    void counted(uint32_t body, int copies) override;
    flit_t flit(uint32_t body, uint32_t k) const override;

    bool m_is_clocked = false;
    std::unique_ptr<events::Network> m_network;
    Express::Client* m_client = nullptr;
    std::vector<Body> m_bodies;
    std::vector<uint32_t> m_free;
    Endpoint::Sent m_sent{};
    Endpoint::Received m_received{};
};

}  // namespace rdt::machine
