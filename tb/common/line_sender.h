// SPDX-License-Identifier: MIT
// Drives D and REQ of one end of a line that is up, written from section 1 of the specification and
// not from the models.
#pragma once

#include <cstdint>
#include <deque>

namespace rdt::tb {

class LineSender {
public:
    struct Packet {
        uint32_t vc;
        uint32_t flits;
    };

    // Does not use the next grant although it requested: a void grant.
    bool gives_up = false;
    uint64_t voided = 0;

    void offer(Packet p) {
        if (m_queue.size() < 2) m_queue.push_back(p);
    }

    // Pins in this cycle.
    bool oe() const { return m_sending; }
    uint32_t req() const { return m_req; }
    uint32_t d() const { return is_marked() ? flit() ^ 1u << 17 : flit(); }
    // On the pins VC 1 is marked in the parity bit of H2, VC-T in that of H1.
    uint32_t flit() const { return (m_serial & 0x3FFF) << 4 | m_k; }
    uint32_t vc() const { return m_now.vc; }
    bool first() const { return m_k == 0; }
    bool last() const { return m_k + 1 == m_now.flits; }

    // The rising edge; `line_gnt` and `line_void` as in the cycle before it.
    void clock(bool line_gnt, bool line_void) {
        const bool starts = m_reading;
        if (m_sending && ++m_k == m_now.flits) m_sending = false;
        if (starts) {
            m_now = m_next;
            m_k = 0;
            m_sending = true;
            ++m_serial;
        }
        m_reading = line_gnt && !gives_up && !m_queue.empty();
        if (m_reading) {
            m_next = m_queue.front();
            m_queue.pop_front();
        } else if (line_gnt) {
            ++voided;
        }
        if (m_sending && m_k == 0) m_req = m_now.vc + 1;
        else if (m_sending && m_k + 2 < m_now.flits) m_req = 2;
        else if (line_void && !starts) m_req = 0;
        else m_req = m_queue.empty() ? 0 : 1;
    }

private:
    bool is_marked() const { return (vc() == 1 && m_k == 2) || (vc() == 2 && m_k == 1); }

    std::deque<Packet> m_queue;
    Packet m_now{};
    Packet m_next{};
    bool m_reading = false;  // granted: the first flit is on the pins in the next cycle but one
    bool m_sending = false;
    uint32_t m_k = 0;
    uint32_t m_serial = 0;
    uint32_t m_req = 0;
};

}  // namespace rdt::tb
