// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_reduce.sv: combines the operands of the acks of a barrier. Not clocked: what
// happens to entry 7 is noted with its cycle, and counts two cycles later, when it is next used.
#pragma once

#include <array>

#include <rdt/core/reduction.h>

namespace rdt::fast {

class Reduce {
public:
    // Width 0: the router has none.
    explicit Reduce(uint32_t width = 0) : m_width(width) {}

    bool exists() const { return m_width != 0; }
    void reset() { *this = Reduce(m_width); }

    // Events of a cycle, in this order; `now` never decreases.
    void arrive(uint64_t now, uint32_t port, bool is_first, uint32_t d) {
        advance(now);
        Landing& to = m_landing[port];
        if (is_first) {
            const bool starts =
                get(d, H0Type) == int(TypeAck) && get(d, H0Tag) == int(LaneTag) && is_good_head(d);
            to.flits = starts ? 1 : to.flits == Whole ? Whole : 0;
        } else if (to.flits == 1 || to.flits == 2) {
            (to.flits == 1 ? to.h1 : to.h2) = d;
            to.flits = is_good_flit(d) ? to.flits + 1 : 0;
        }
    }
    // The entry: an ack from this port counts, its own ack is taken, it is given or put back.
    void land(uint64_t now, uint32_t port) { at(now).port = port; }
    void send(uint64_t now) {
        at(now).is_sent = true;
        m_holds = true;
    }
    void begin(uint64_t now) { at(now).begins = true; }
    void put_back(uint64_t now) { at(now).is_put = true; }
    // The injector's ack has its line, or is dropped.
    void grant(uint64_t now) {
        if (m_holds) m_granted = now;
        m_holds = false;
    }
    void drop() { m_holds = false; }

    // Bits to invert in the flit that the injector sends.
    uint32_t flip(uint64_t now) {
        const uint64_t k = now - m_granted;
        if (k != 2 && k != 3) return 0;
        advance(now);
        return core::flit_of(m_out, uint32_t(k - 1)) ^ make_flit(0);
    }

private:
    static constexpr uint32_t Whole = 3;
    static constexpr uint64_t Delay = 2;
    struct Landing {
        uint32_t flits = 0;
        uint32_t h1 = 0;
        uint32_t h2 = 0;
    };
    struct Event {
        uint64_t at = 0;
        uint32_t port = NumPorts;
        bool is_sent = false;
        bool begins = false;
        bool is_put = false;
    };

    Event& at(uint64_t now) {
        advance(now);
        if (m_num_events == 0 || m_events[m_num_events - 1].at != now) {
            m_events[m_num_events++] = Event{};
            m_events[m_num_events - 1].at = now;
        }
        return m_events[m_num_events - 1];
    }
    // Applies what counts by now.
    void advance(uint64_t now) {
        uint32_t num = 0;
        while (num < m_num_events && m_events[num].at + Delay <= now) apply(m_events[num++]);
        if (num == 0) return;
        m_num_events -= num;
        for (uint32_t i = 0; i < m_num_events; ++i) m_events[i] = m_events[i + num];
    }
    void apply(const Event& e) {
        if (e.is_sent) {
            m_out = m_sum;
            if (m_out.operation == ReduceNone) m_out.value = 0;
        }
        if (e.port != NumPorts) add(m_landing[e.port]);
        if (e.begins || e.is_put) {
            m_sum.operation = ReduceNone;
            m_sum.is_good = !e.is_put;
        }
    }
    void add(const Landing& from) {
        core::Operand x = core::operand_of(from.h1, from.h2);
        if (m_width == 16) x.value &= 0xFFFF;
        const bool differs = x.operation != ReduceNone && m_sum.operation != ReduceNone &&
                             x.operation != m_sum.operation;
        if (from.flits != Whole || (from.flits == Whole && differs)) {
            m_sum.is_good = false;
            return;
        }
        if (x.operation == ReduceNone) return;
        m_sum.value = core::combined(m_sum.operation, m_sum.value, x.value, m_width);
        m_sum.operation = x.operation;
    }

    uint32_t m_width;
    uint32_t m_num_events = 0;
    std::array<Event, Delay + 1> m_events{};  // not applied yet
    std::array<Landing, NumPorts> m_landing{};
    core::Operand m_sum;
    core::Operand m_out;
    bool m_holds = false;  // the ack that the injector has is of the entry
    uint64_t m_granted = ~uint64_t(0) - 8;
};

}  // namespace rdt::fast
