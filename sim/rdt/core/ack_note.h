// SPDX-License-Identifier: MIT
// Contents of an ack packet.
#pragma once

#include <rdt/core/ack_banks.h>

namespace rdt::core {

// An ack: sender, tag and result.
struct AckNote {
    // The length, which a router's ack has in the field where an MBP's ack has the generation.
    static constexpr uint32_t OfRouter = 2;

    uint32_t port = 0;
    uint32_t tag = 0;
    uint32_t status = 0;
    uint32_t gen = OfRouter;
};

// Its first flit.
inline uint32_t head_of(const AckNote& ack) {
    uint32_t h0 = with(0, H0Type, int(TypeAck));
    h0 = with(h0, H0Gen, int(ack.gen));
    h0 = with(h0, H0Tag, int(ack.tag));
    if (bank_of(ack.tag) != 0) h0 = with(h0, H0Ackbank, int(bank_of(ack.tag)));
    return make_head(with(h0, H0Status, int(ack.status)));
}
// The payload of its second flit is another ack, between routers with banks of ack entries; tag 0
// is none. The third carries nothing.
constexpr uint32_t second_payload(uint32_t tag, uint32_t status) {
    return with(with(0, H1Acktag, int(tag)), H1Ackstatus, int(status));
}

// An ack by its first flit, as a router with banks reads it at this port.
inline AckNote note_in_banks(uint32_t h0, uint32_t port, bool is_from_mbp) {
    return {port, bank_in(h0, H0Ackbank) | uint32_t(get(h0, H0Tag)), uint32_t(get(h0, H0Status)),
            is_from_mbp ? uint32_t(get(h0, H0Gen)) & 3 : 0};
}
inline AckNote second_note(uint32_t h1, uint32_t port) {
    return {port, uint32_t(get(h1, H1Acktag)), uint32_t(get(h1, H1Ackstatus)), 0};
}

}  // namespace rdt::core
