// SPDX-License-Identifier: MIT
// The other way round than network_image.cpp: events from the registers of a clocked engine, at any
// clock in which nothing is under way but unicasts of five flits at least. Registers tell in which
// clock a packet that is on its way was granted its line, and all that is still to come of it
// follows from that.
#pragma once

#include <vector>

#include <rdt/machine/events/network.h>

namespace rdt::machine::events {

class Loader {
public:
    // Of a network that is as after its construction. Bodies are adopted by its client.
    Loader(Network& network, const std::vector<fast::ChipImage>& chips,
           const std::vector<MbpImage>& mbps)
        : m_net(network), m_chips(chips), m_mbps(mbps), m_now(network.m_now) {}

    // Whether there is nothing in the registers but packets in transit.
    bool is_regular() const;
    void load();

private:
    using End = Network::End;

    // A packet on a line.
    struct Hop {
        uint32_t since = 0;  // clocks since its grant
        uint32_t flits = 0;
        uint32_t vc = 0;
        uint32_t from = 0;  // input that it is read from, and its VC
        uint32_t from_vc = 0;
        bool is_ack = false;
        bool ends() const { return since > flits; }  // nobody has the line for it any more
    };

    const fast::LinkIo::Regs& link(const End& e) const;
    const fast::OutputRegs& out(const End& e) const;
    const MbpImage& mbp_of(const End& e) const { return m_mbps[2 * e.node + e.port - NumPorts]; }
    const fast::ChipImage::Input& in(const End& e) const { return m_chips[e.node].in[e.port]; }
    static bool is_chip(const End& e) { return e.port < NumPorts; }

    static bool is_plain(const fast::ChipImage& chip);
    static bool is_plain(const MbpImage& mbp);
    uint32_t arrived(const End& to) const;
    bool comes_to(const End& to, uint32_t vc) const;
    flit_t flit_of(const End& from, const Hop& hop, uint32_t k) const;
    flit_t stored_flit(const End& at, uint32_t vc, uint32_t k, uint32_t read) const;

    bool current(const End& from, Hop& hop) const;
    bool past(const End& from, Hop& hop) const;

    uint32_t make(const std::array<uint32_t, 3>& header, const End& from, const Hop& hop);
    uint32_t make(uint32_t node, const std::array<uint32_t, 3>& header, uint32_t body);
    void plan(uint32_t link_name, uint64_t clock);
    uint32_t record_of_hop(const End& from, const Hop& hop);
    void load_hop(const End& from, const Hop& hop);
    void load_slot(uint32_t node, uint32_t input, uint32_t vc);
    void load_input(uint32_t node, uint32_t input);
    void load_end(const End& end);
    void load_line(uint32_t link);
    void load_control(uint32_t node);
    void load_asks(uint32_t node);
    void load_mbp(uint32_t mbp);

    Network& m_net;
    const std::vector<fast::ChipImage>& m_chips;
    const std::vector<MbpImage>& m_mbps;
    const uint64_t m_now;
};

}  // namespace rdt::machine::events
