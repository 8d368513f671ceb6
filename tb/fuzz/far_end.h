// SPDX-License-Identifier: MIT
// The far end of one link in a fuzz run: an endpoint that speaks the line protocol, and that can
// stand still or be dead. Nothing else in this folder knows how a line works.
#pragma once

#include <rdt/machine/endpoint.h>

namespace rdt::tb::fuzz {

class FarEnd {
public:
    static constexpr uint64_t ForEver = ~uint64_t(0);

    explicit FarEnd(uint32_t port) : m_end(port) {}

    // Sending, receiving and their status.
    machine::Endpoint& end() { return m_end; }

    // Stands still with its pins as they are, or dead with all of them at 0.
    void stop(uint64_t until, bool dead) {
        m_stopped_until = until;
        m_dead = dead;
    }
    void go_on() { m_stopped_until = 0; }
    void reset() {
        m_end.reset();
        m_end.hold_back = false;
        go_on();
    }

    core::LinkPinsOut pins(uint64_t now) const {
        return is_stopped(now) && m_dead ? core::LinkPinsOut{} : m_end.pins();
    }
    // `chip` as it is seen from here.
    void clock(const core::LinkPinsOut& chip, uint64_t now) {
        if (!is_stopped(now)) m_end.clock(chip, now);
    }

private:
    bool is_stopped(uint64_t now) const { return now < m_stopped_until; }

    machine::Endpoint m_end;
    uint64_t m_stopped_until = 0;
    bool m_dead = false;
};

}  // namespace rdt::tb::fuzz
