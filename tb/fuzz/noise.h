// SPDX-License-Identifier: MIT
// Pins between a chip and its peers that do not show what the other end drives.
#pragma once

#include <algorithm>
#include <vector>

#include <rdt/fast/chip_state.h>
#include "fuzz/epoch.h"

namespace rdt::tb::fuzz {

class Noise {
public:
    Noise(Dice& random, Totals& totals) : m_random(random), m_totals(totals) {}

    void clock(const Epoch& epoch, uint64_t now) {
        if (epoch.happens(Flips, m_random)) begin(Flip, now);
        if (epoch.happens(Bursts, m_random)) begin(Burst, now + m_random.between(2, 30));
        if (epoch.happens(StuckPins, m_random)) {
            const What stuck = m_random.chance(50) ? StuckAt0 : StuckAt1;
            begin(stuck, m_random.chance(20) ? ForEver : now + m_random.below(1000));
        }
        if (epoch.happens(Forged, m_random)) forge(now + 1);
        if (now == m_hasty_at) m_faults.push_back({Shown, now + 1, PortM0, false, Cred, 1});
        m_faults.erase(std::remove_if(m_faults.begin(), m_faults.end(),
                                      [now](const Fault& f) { return f.until < now; }),
                       m_faults.end());
    }
    // MBP 0 continues without a credit by then.
    void hasten(uint64_t at) { m_hasty_at = at; }
    // All pins are without faults again.
    void clear() { m_faults.clear(); }

    void to_chip(uint32_t port, core::LinkPinsIn& pins) {
        disturb(port, true, pins.d, pins.req, pins.cred);
    }
    void to_peer(uint32_t port, core::LinkPinsOut& pins) {
        disturb(port, false, pins.d, pins.req, pins.cred);
    }

private:
    enum What { Flip, Burst, StuckAt0, StuckAt1, Shown };
    enum Wires { D, Req, Cred };
    static constexpr uint64_t ForEver = ~uint64_t(0);
    struct Fault {
        What what;
        uint64_t until;
        uint32_t port;
        bool to_chip;
        Wires wires;
        uint32_t pins;
    };

    void begin(What what, uint64_t until) {
        if (m_faults.size() >= 8) return;
        // Most errors of a line show in REQ.
        const Wires wires = m_random.chance(50) ? Req : m_random.chance(50) ? Cred : D;
        const uint32_t width = wires == D ? FlitW : 2;
        uint32_t pins = 1u << m_random.below(width);
        if (m_random.chance(30)) pins |= m_random.bits(width);
        if (m_random.chance(25)) pins = (1u << width) - 1;  // as if undriven
        m_faults.push_back(
            {what, until, m_random.below(NumPorts), m_random.chance(60), wires, pins});
    }

    // As the other end would show it: in two cycles.
    void forge(uint64_t until) {
        if (m_faults.size() >= 8) return;
        const uint32_t port = m_random.below(NumPorts);
        const bool to_chip = m_random.chance(30);
        m_faults.push_back({Shown, until, port, to_chip, Cred, 1 + m_random.below(vcs_of(port))});
    }

    void disturb(uint32_t port, bool to_chip, flit_t& d, uint32_t& req, uint32_t& cred) {
        for (const Fault& f : m_faults) {
            if (f.port != port || f.to_chip != to_chip) continue;
            switch (f.wires) {
            case D: d = changed(f, d); break;
            case Req: req = uint32_t(changed(f, req)); break;
            case Cred: cred = uint32_t(changed(f, cred)); break;
            }
        }
    }
    flit_t changed(const Fault& f, flit_t value) {
        flit_t after = value;
        switch (f.what) {
        case Flip: after ^= f.pins; break;
        case Burst: after ^= f.pins & m_random.bits(FlitW); break;
        case StuckAt0: after &= ~flit_t(f.pins); break;
        case StuckAt1: after |= f.pins; break;
        case Shown: after = f.pins; break;
        }
        m_totals.flips += after != value;
        return after;
    }

    Dice& m_random;
    Totals& m_totals;
    std::vector<Fault> m_faults;
    uint64_t m_hasty_at = ForEver;
};

}  // namespace rdt::tb::fuzz
