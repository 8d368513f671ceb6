// SPDX-License-Identifier: MIT
// What an input unit knows of the packet in each of its buffers.
#pragma once

#include <array>

#include <rdt/core/bitmap.h>
#include <rdt/fast/shot.h>

namespace rdt::fast {

constexpr uint32_t MaxVc = 3;
// Credits in a word: bit 3*o + v, output o can take a packet on VC v; and LOCAL is free.
constexpr uint32_t LocalCredit = 1u << 30;
constexpr uint32_t UpperPorts = 0xFu << PortE1;

// The outputs of credits: bit o of the result is set if any of the bits 3*o to 3*o + 2 is. Every
// step halves the gaps between the bits of the outputs.
constexpr uint32_t outputs_of(uint32_t credits) {
    uint32_t bits = (credits | credits >> 1 | credits >> 2) & 0x09249249;
    bits = (bits | bits >> 2) & 0x030C30C3;
    bits = (bits | bits >> 4) & 0x0300F00F;
    bits = (bits | bits >> 8) & 0x030000FF;
    return (bits | bits >> 16) & 0x3FF;
}
// Outputs of the upper rank if there are any, else the others: copies for them have different
// headers and go in different passes.
constexpr uint32_t outputs_of_pass(uint32_t outputs) {
    return (outputs & UpperPorts) != 0 ? outputs & UpperPorts : outputs;
}

// State of one packet after its header has been routed.
struct Slot {
    bool pkt = false;   // waits for all or the rest of pend
    uint16_t pend = 0;  // outputs that still need it
    uint8_t aux = 0;    // error code if it goes to LOCAL, else output VC
    bool mc = false;
    bool relay = false;
    bool expl = false;
    bool exp0 = false;
    uint8_t tag = 0;
    bool ent = false;  // waits for an entry in the ack table
    uint8_t age = 0;
    bool pois = false;

    static Slot of(const Context& c) {
        Slot s;
        s.pkt = true;
        s.pend = uint16_t(c.pend);
        s.mc = c.mc;
        s.tag = uint8_t(c.tag);
        s.ent = c.ent;
        if (c.mc)
            s.plan_copies((c.plan & 8) != 0, (c.plan & 4) != 0, (c.plan & 2) != 0,
                          (c.plan & 1) != 0);
        else s.aux = uint8_t(c.plan);
        return s;
    }
    Context context() const {
        const uint32_t plan = mc ? uint32_t(relay) << 3 | uint32_t(expl) << 2 |
                                       uint32_t(aux == 2) << 1 | uint32_t(exp0)
                                 : aux;
        return {pkt, pend, mc, plan, tag, ent};
    }

    void plan_copies(bool is_relay, bool expands_own, bool transfers, bool expands0) {
        aux = transfers ? 2 : expands0 && is_relay && !expands_own ? 1 : 0;
        relay = is_relay;
        expl = expands_own;
        exp0 = expands0;
    }

    uint32_t credit_needed(uint32_t o) const {
        if (o == PortLocal) return LocalCredit;
        if (o >= PortM0) return 1u << 3 * o;
        if (o >= PortE1) return 1u << (3 * o + (mc ? uint32_t(relay) : aux & 1));
        if (o >= PortN0) return 1u << (3 * o + (aux & 1));
        return 1u << (3 * o + ((aux & 2) != 0 ? 2 : aux & 1));
    }
    // Any of these lets it continue; none will do while it waits for an entry in the ack table.
    uint32_t credits_needed() const {
        uint32_t needs = 0;
        if (!pkt || ent) return 0;
        for (uint32_t left = pend; left != 0; left &= left - 1)
            needs |= credit_needed(uint32_t(__builtin_ctz(left)));
        return needs;
    }
    // Outputs of its next pass, with a credit.
    uint32_t ready_outputs(uint32_t credit) const {
        uint32_t ready = 0;
        for (uint32_t left = pend; left != 0; left &= left - 1) {
            const uint32_t o = uint32_t(__builtin_ctz(left));
            if ((credit & credit_needed(o)) != 0) ready |= 1u << o;
        }
        return outputs_of_pass(ready);
    }
};

// Summary of all slots of a port, without reading each of them.
struct SlotSummary {
    std::array<uint32_t, MaxVc> needs{};  // credits, any of which lets the packet continue
    uint8_t pkt = 0;                      // VCs whose packet waits
    uint8_t ent = 0;                      // ... for an entry in the ack table
    uint8_t aged = 0;                     // ... and has timed out

    // After every change of a slot.
    void note(uint32_t v, const Slot& s) {
        const auto set = [v](uint8_t& vcs, bool is_in) {
            vcs = uint8_t((vcs & ~(1u << v)) | uint32_t(is_in) << v);
        };
        set(pkt, s.pkt);
        set(ent, s.pkt && s.ent);
        set(aged, s.pkt && s.age == 2);
        needs[v] = s.credits_needed();
    }
};

}  // namespace rdt::fast
