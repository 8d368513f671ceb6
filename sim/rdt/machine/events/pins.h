// SPDX-License-Identifier: MIT
// Pins of all links, as the next cycle sees them: they follow from the last grants and from the
// requests.
#pragma once

#include <rdt/core/pins.h>
#include <rdt/machine/events/credit_returns.h>
#include <rdt/machine/events/sent_packets.h>

namespace rdt::machine::events {

class Pins {
public:
    Pins(const State& state, const SentPackets& sent, const CreditReturns& returns,
         const Recoveries& recoveries)
        : m_state(state), m_sent(sent), m_returns(returns), m_recoveries(recoveries) {}

    core::LinkPinsOut of(const End& end) const;
    // Flits on the pins so far.
    uint64_t flits_sent(const End& end) const;
    // A flit of a packet as it is stored behind the link: without what the VC does to the parity.
    flit_t stored_flit(const End& from, const Sent& sent, uint32_t k) const {
        const flit_t flit = driven_flit(from, sent, k);
        return shows_vc(sent, k) ? flit ^ ParityBit : flit;
    }
    // The last that an end has sent, of those granted so many cycles ago at least; or nothing.
    const Sent* sent_before(const End& end, uint32_t cycles) const;

private:
    static bool shows_vc(const Sent& sent, uint32_t k) {
        return !sent.is_ack && ((sent.out_vc() == 1 && k == 2) || (sent.out_vc() == 2 && k == 1));
    }
    flit_t driven_flit(const End& from, const Sent& sent, uint32_t k) const;
    bool is_far_end_sending(const End& end, uint32_t clock) const;

    const State& m_state;
    const SentPackets& m_sent;
    const CreditReturns& m_returns;
    const Recoveries& m_recoveries;
};

}  // namespace rdt::machine::events
