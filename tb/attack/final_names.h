// SPDX-License-Identifier: MIT
// Names that the generated format will have, for trees whose format does not have them yet. The
// format's own are in namespace rdt and hide these; once it has them all this file can go, with
// answer() calling Endpoint::send_ack() directly.
#pragma once

#include "machine/endpoint.h"

constexpr uint32_t CtrlGuard = 3;  // bit numbers in Ctrl
constexpr uint32_t CtrlSink = 4;

constexpr uint32_t StatusSync = 10;
constexpr uint32_t StatusLost = 11;
constexpr uint32_t StatusSunk = 12;

constexpr uint32_t ErrRefused = 12;
constexpr uint32_t ErrSunk = 13;
constexpr uint32_t ErrLinkSync = 14;

constexpr uint32_t RegRanks = 17;
constexpr uint32_t RegSyncCnt = 18;
constexpr uint32_t RegLostCnt = 19;
constexpr uint32_t RegStrayCnt = 20;
constexpr uint32_t RegSunkCnt = 21;

namespace rdt::tb {

// Of a copy of a multicast as it is at an MBP: what its answer has to carry.
inline uint32_t generation_of(const machine::Flits& copy) { return uint32_t(copy[2]) & 15; }

namespace detail {
template <typename End>
auto send_ack(End& end, uint32_t tag, uint32_t status, uint32_t generation, int)
    -> decltype(end.send_ack(tag, status, generation)) {
    return end.send_ack(tag, status, generation);
}
template <typename End>
void send_ack(End& end, uint32_t tag, uint32_t status, uint32_t, long) {
    end.send_ack(tag, status);
}
}  // namespace detail

// An MBP answers a copy of a multicast.
inline void answer(machine::Endpoint& end, uint32_t tag, uint32_t status, uint32_t generation) {
    detail::send_ack(end, tag, status, generation, 0);
}

}  // namespace rdt::tb
