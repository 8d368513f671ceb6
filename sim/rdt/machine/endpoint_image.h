// SPDX-License-Identifier: MIT
// The state of an Endpoint, to pass it between engines. It keeps nothing that it has received, and
// no credit is forfeited.
#pragma once

#include <rdt/machine/endpoint.h>

namespace rdt::machine {

struct Endpoint::Image {
    fast::LinkIo::Regs link;
    fast::OutputRegs out;
    Flits sending;      // the packet in flight, if there is one,
    uint32_t sent = 0;  // ... and how many of its flits have gone to the output
    Flits received;     // of a packet that comes
    uint64_t head = 0;  // clock of its H0 on the pins
    uint64_t ack_from = 0;
    std::vector<core::AckNote> acks;
    std::vector<Flits> packets;  // waiting packets, on VC 0
};

inline bool Endpoint::has_image() const {
    return m_held.empty() && m_forfeited == 0 && m_queue[First].empty() && !hold && !may_start &&
           !hold_back && !(m_spoilt && receiving());
}

inline Endpoint::Image Endpoint::image() const {
    const fast::OutputRegs out = m_out.regs();
    Flits sending;
    if (m_begun) sending = m_next.flits;
    else if (out.tx) sending = m_current.flits;
    const uint32_t sent = m_begun || sending.empty() ? 0 : m_sent;
    return {m_link.q(),
            out,
            std::move(sending),
            sent,
            m_received.flits,
            m_received.clock,
            m_ack_from,
            {m_acks.begin(), m_acks.end()},
            {m_queue[0].begin(), m_queue[0].end()}};
}

inline void Endpoint::load(Image image) {
    reset();
    m_link.load(image.link);
    m_out.load(image.out);
    m_begun = !image.sending.empty() && image.sent == 0;
    (m_begun ? m_next : m_current) = Sent{0, std::move(image.sending)};
    m_sent = image.sent;
    m_received = {0, image.head, std::move(image.received)};
    m_ack_from = image.ack_from;
    m_acks.assign(image.acks.begin(), image.acks.end());
    m_queue[0].assign(image.packets.begin(), image.packets.end());
    m_queued = m_queue[0].size() + m_queue[First].size();
    m_filled = uint32_t(m_queued != m_queue[First].size()) | uint32_t(!m_queue[First].empty())
                                                                 << First;
}

inline void Endpoint::unload() {
    reset();
    m_acks.clear();
    for (std::deque<Flits>& queue : m_queue) queue.clear();
    m_queued = 0;
    m_filled = 0;
}

}  // namespace rdt::machine
