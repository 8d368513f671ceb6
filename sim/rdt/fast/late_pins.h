// SPDX-License-Identifier: MIT
// Links whose pins are taken in registers first (RegReq of rtl/rdt_link_io.sv): what their two ends
// showed in the cycle before.
#pragma once

#include <utility>
#include <vector>

#include <rdt/core/flit.h>
#include <rdt/fast/lines.h>

namespace rdt::fast {

class LatePins {
public:
    // Those of the chips' network ports, or none.
    explicit LatePins(Ports all) {
        for (const uint32_t p : each(all)) m_ports |= Ports(is_network(port_of(p))) << p;
        if (on()) m_before.d.resize(64), m_now.d.resize(64);
    }

    bool on() const { return m_ports != 0; }
    void reset() {
        m_before.req = m_before.cred = m_before.own_req = {};
        m_before.own_oe = 0;
    }

    // This cycle's pins, which count from the next on.
    template <typename Pins>
    void take(const Pins& pins, const TwoBits& own_req, Ports own_oe) {
        m_now.req = pins.req;
        m_now.cred = pins.cred;
        m_now.own_req = own_req;
        m_now.own_oe = own_oe;
        for (const uint32_t p : each(m_ports)) m_now.d[p] = pins.d(p);
    }
    void edge() { std::swap(m_before, m_now); }
    // Whether what is on the pins is what was there.
    template <typename Pins>
    bool same(const Pins& pins, const TwoBits& own_req, Ports own_oe) const {
        const Shown& b = m_before;
        const TwoBits changed = (b.req ^ pins.req) | (b.cred ^ pins.cred) | (b.own_req ^ own_req);
        return ((changed.any() | (b.own_oe ^ own_oe)) & m_ports) == 0;
    }

    TwoBits own_req(const TwoBits& now) const { return mix(now, m_before.own_req); }
    Ports own_oe(Ports now) const { return (now & ~m_ports) | (m_before.own_oe & m_ports); }

    // The pins as the chip sees them.
    template <typename Pins>
    struct Seen {
        const LatePins& late;
        const Pins& pins;
        TwoBits req;
        TwoBits cred;
        Ports shoot;
        Ports slice;
        flit_t d(uint32_t p) const {
            return (late.m_ports >> p & 1) != 0 ? late.m_before.d[p] : pins.d(p);
        }
        void driven(uint32_t p, flit_t flit) const { pins.driven(p, flit); }
    };
    template <typename Pins>
    Seen<Pins> seen(const Pins& pins) const {
        return {*this,      pins,      mix(pins.req, m_before.req), mix(pins.cred, m_before.cred),
                pins.shoot, pins.slice};
    }

private:
    struct Shown {
        TwoBits req;
        TwoBits cred;
        TwoBits own_req;
        Ports own_oe = 0;
        std::vector<flit_t> d;  // empty without such links
    };

    TwoBits mix(const TwoBits& now, const TwoBits& late) const {
        return (now & ~m_ports) | (late & m_ports);
    }

    Ports m_ports = 0;  // with registers
    Shown m_before;
    Shown m_now;
};

}  // namespace rdt::fast
