// SPDX-License-Identifier: MIT
// Follows the packets that one end of a link sends, by its pins alone.
#pragma once

#include <rdt/fast/router.h>

namespace rdt::machine {

class Follower {
public:
    static constexpr uint32_t NoType = 8;  // nothing is on the pins

    // The pins in one cycle. True if a flit is on them.
    bool clock(const core::LinkPinsOut& pins) {
        if (!pins.oe) {
            m_sending = false;
            return false;
        }
        if (!m_sending || m_index == m_last) {
            m_sending = true;
            m_index = 0;
            m_type = uint32_t(get(pins.d, H0Type));
            // An MBP's ack has a generation there.
            m_last = m_type == TypeAck ? AckLast : uint32_t(get(pins.d, H0Len));
            m_vc = pins.req - 1;
        } else {
            ++m_index;
        }
        return true;
    }
    // Index of the flit on the pins.
    uint32_t index() const { return m_index; }
    uint32_t type() const { return m_type; }
    uint32_t vc() const { return m_vc; }

private:
    static constexpr uint32_t AckLast = 2;  // acks are a header and no more
    bool m_sending = false;
    uint32_t m_index = 0;
    uint32_t m_last = 0;
    uint32_t m_type = 0;
    uint32_t m_vc = 0;
};

}  // namespace rdt::machine
