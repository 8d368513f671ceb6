// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_arbiter.sv: one winner for every output that has its line.
//
// Round robin an output; traffic in transit before what an MBP injects, unless
// the MBP's packet has waited long enough, be it for a credit. At LOCAL, MBP 0 waits for one packet
// of another input at most. An input may win several outputs at once; all of them then take the
// same pass.
#pragma once

#include <array>

#include <rdt/core/flit.h>
#include <rdt/fast/words.h>

namespace rdt::fast {

class Arbiter {
public:
    // Outputs requested by each input; inputs beyond NumPorts request nothing.
    using Wants = std::array<uint16_t, PortBits>;

    struct Regs {
        std::array<uint16_t, NumOuts> mask{};
        std::array<uint16_t, NumOuts> xsel{};  // one-hot input
        std::array<uint8_t, 2> age{};
        uint32_t sig = 0;  // signature of all grants so far: it differs between slices that granted
                           // differently
    };
    struct Grants {
        uint32_t in = 0;                        // inputs granted
        std::array<uint16_t, NumPorts> outs{};  // outputs granted to each input
        uint32_t out = 0;                       // outputs granted
        std::array<uint8_t, NumOuts> winner{};  // of each granted output
    };

    void reset() { m_q = Regs{}; }
    const Regs& q() const { return m_q; }
    void load(const Regs& q) { m_q = q; }
    bool slice() const { return (m_q.sig >> 3 & 1) != 0; }
    // After this many cycles in which nothing is granted.
    bool slice_after(uint64_t clocks) const { return (sig_after(clocks) >> 3 & 1) != 0; }

    static uint32_t any(const Wants& wants) {
        uint32_t outs = 0;
        for (uint32_t w : wants) outs |= w;
        return outs;
    }

    Grants grant(const Wants& wants, uint32_t line_gnt) const {
        return grant(wants, any(wants), line_gnt);
    }
    Grants grant(const Wants& wants, uint32_t wanted, uint32_t line_gnt) const {
        Grants g;
        for (uint32_t open = line_gnt & wanted; open != 0; open &= open - 1) {
            const uint32_t o = uint32_t(__builtin_ctz(open));
            uint32_t all = 0;
            for (uint32_t i = 0; i < NumPorts; ++i) all |= (wants[i] >> o & 1) << i;
            const uint32_t first = all & first_class();
            const uint32_t req = first != 0 ? first : all;
            const uint32_t after = req & m_q.mask[o];
            uint32_t w = uint32_t(__builtin_ctz(after != 0 ? after : req));
            if (goes_first(o, all)) w = PortM0;
            g.in |= 1u << w;
            g.outs[w] = uint16_t(g.outs[w] | 1u << o);
            g.out |= 1u << o;
            g.winner[o] = uint8_t(w);
        }
        return g;
    }

    // Cycles in which nothing is granted, but for the waiting of the MBPs.
    void skip(uint64_t clocks) { m_q.sig = sig_after(clocks); }
    // Input 8 + k holds a packet for so many cycles and gets nothing.
    void wait(uint32_t k, uint64_t clocks) {
        const uint64_t left = AgedAt - m_q.age[k];
        m_q.age[k] = uint8_t(m_q.age[k] + (clocks < left ? clocks : left));
    }

    // Bit k of `held`: input 8 + k holds a packet.
    void clock(uint32_t held, const Grants& g) {
        for (uint32_t k = 0; k < 2; ++k) {
            if (g.in >> (PortM0 + k) & 1) m_q.age[k] = 0;
            else if (held >> k & 1) wait(k, 1);
        }
        m_q.sig = rotated(m_q.sig, 1);
        for (uint32_t open = g.out; open != 0; open &= open - 1) {
            const uint32_t o = uint32_t(__builtin_ctz(open));
            m_q.sig ^= rotated(g.winner[o] + 1u, o & 3);
            if (!goes_first(o, 1u << g.winner[o]))
                m_q.mask[o] = uint16_t(AllInputs & ~((2u << g.winner[o]) - 1));
            m_q.xsel[o] = uint16_t(1u << g.winner[o]);
        }
    }

private:
    static constexpr uint32_t AllInputs = (1u << NumPorts) - 1;
    // Four bits turned left.
    static constexpr uint32_t rotated(uint32_t a, uint32_t n) {
        return (a << n | a >> (4 - n)) & 15;
    }
    uint32_t sig_after(uint64_t clocks) const { return rotated(m_q.sig, uint32_t(clocks & 3)); }
    static constexpr uint32_t Transit = (1u << PortM0) - 1;

    // MBP 0 goes first at LOCAL, out of turn, unless it went last.
    bool goes_first(uint32_t o, uint32_t inputs) const {
        return o == PortLocal && ((inputs & ~uint32_t(m_q.xsel[o])) >> PortM0 & 1) != 0;
    }

    uint32_t first_class() const {
        return Transit | uint32_t(m_q.age[0] == AgedAt) << PortM0 |
               uint32_t(m_q.age[1] == AgedAt) << PortM1;
    }

    Regs m_q;
};

}  // namespace rdt::fast
