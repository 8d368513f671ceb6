// SPDX-License-Identifier: MIT
// One chip, RTL and SystemC in lockstep, with an endpoint at each of its ten ports and a list of
// what each of them got.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "common/bring_up.h"
#include "common/chip_net.h"
#include "common/mc_packet.h"

namespace rdt::tb {

class OneChip {
public:
    struct Options {
        uint32_t t_ent = 0;
        uint32_t t_ack = 0;
        uint32_t timeout = 0;
        uint32_t ctrl = 0;
        uint32_t links = 0xFF;
    };

    OneChip(const std::string& name, const Options& options)
        : m_net(1, name, 0, "build/bin/attack_" + name) {
        for (uint32_t p = 0; p < NumPorts; ++p) {
            Endpoint& end = m_net.attach(0, p, true);
            end.on_receive = [this, p](const Endpoint::Received& r) {
                const Flits flits(r.flits.begin(), r.flits.end());
                got[p].push_back(flits);
                if (on_receive) on_receive(p, flits);
            };
            end.on_ack = [this, p](const core::AckNote& ack) {
                acks[p].push_back(ack);
                if (on_ack) on_ack(p, ack);
            };
        }
        m_net.reset();
        configure(m_net, 0, {{1, 0, 0}, options.links, options.timeout, 5, 3});
        at(PortM0).send(
            0, setup_write(
                   {{RegTEnt, options.t_ent}, {RegTAck, options.t_ack}, {RegCtrl, options.ctrl}}));
        m_net.drain(1000);
    }

    std::function<void(uint32_t port, const Flits&)> on_receive;
    std::function<void(uint32_t port, const core::AckNote&)> on_ack;
    std::array<std::vector<Flits>, NumPorts> got;
    std::array<std::vector<core::AckNote>, NumPorts> acks;

    ChipNet& net() { return m_net; }
    Endpoint& at(uint32_t port) { return m_net.endpoint(0, port); }
    bool clocks(uint64_t n) { return m_net.clocks(n); }
    const std::string& error() const { return m_net.error(); }

    // The MBP keeps what it has and takes nothing else, for ever.
    void stop(uint32_t port) {
        at(port).hold = [] { return uint64_t(1) << 40; };
    }

    // ERR packets that MBP 0 got with this code.
    size_t reports(uint32_t code) const {
        size_t count = 0;
        for (const Flits& f : got[PortM0])
            count += type_of(f) == TypeErr && (f[0] & 15) == code ? 1 : 0;
        return count;
    }
    // A port answers a copy of a multicast that it got: an MBP with the copy's generation.
    void answer(uint32_t port, const Flits& copy, uint32_t status = 0) {
        const auto tag = uint32_t(get(uint32_t(copy[0]), H0Tag));
        if (is_network(port)) at(port).send_ack(tag, status);
        else at(port).send_ack(tag, status, generation_of(copy));
    }
    static uint32_t generation_of(const Flits& copy) {
        return Endpoint::generation_of({copy.begin(), copy.end()});
    }
    static uint32_t type_of(const Flits& f) { return uint32_t(f[0] >> 14 & 7); }

    // ERR packets with code `LinkSync` or `Sunk` of a port that MBP 0 received.
    size_t notices(uint32_t code, uint32_t port) const {
        size_t count = 0;
        for (const Flits& f : got[PortM0])
            count += type_of(f) == TypeErr && (f[0] & 15) == code &&
                             uint32_t(get(uint32_t(f[1]), H1Slotport)) == port
                         ? 1
                         : 0;
        return count;
    }

    // A register read from outside, also when MBP 0 cannot send.
    uint32_t look(uint32_t reg) const { return m_net.state(0).local().q().cfg.read(reg); }
    // The value of a register, read by MBP 0; nothing if no answer comes within `limit` cycles.
    std::optional<uint32_t> read(uint32_t reg, uint64_t limit = 2000) {
        const size_t before = got[PortM0].size();
        at(PortM0).send(0, setup_read(reg));
        for (uint64_t n = 0; n < limit && m_net.clock(); ++n)
            for (size_t k = before; k < got[PortM0].size(); ++k) {
                const Flits& f = got[PortM0][k];
                if (type_of(f) == TypeSetup && payload_of(f[3]) == reg) return payload_of(f[4]);
            }
        return std::nullopt;
    }

private:
    ChipNet m_net;
};

}  // namespace rdt::tb
