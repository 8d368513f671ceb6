// SPDX-License-Identifier: MIT
// Will every packet in the network move on? An input buffer is live if the packet at its front will
// leave it in the end: because the packet is on the way to a processor, because the buffer it goes
// to is live or has space for all that is left of it, or because a channel it waits for is free or
// will be released. A packet that is not live by these rules never moves again.
#pragma once

#include <rdt/lab/simulator_router.h>

namespace rdt::lab {

class DeadlockFinder {
public:
    // `space`: flits that the two buffers of a channel hold.
    DeadlockFinder(const Channels& channels, const HeaderRouter& router, uint32_t space)
        : m_channels(channels), m_router(router), m_space(space) {}

    // The channels of a deadlock, each held by a packet that needs the next; empty: there is none.
    std::vector<ChannelName> find() const;

private:
    std::vector<bool> find_live() const;
    bool will_leave(Index in, const std::vector<bool>& live) const;
    ChannelName name_of(Index channel) const;

    const Channels& m_channels;
    const HeaderRouter& m_router;
    const uint32_t m_space;
};

}  // namespace rdt::lab
