// SPDX-License-Identifier: MIT
// Checks the pins of one link. Its rules, numbered as they are reported:
//   1  the lines are never driven from both ends
//   2  between two directions there is a cycle without a driver
//   3  the first flit of a packet goes with the VC on REQ, and that VC exists
//   4  a packet is sent only with a credit in hand
//   5  a credit is the same code in two cycles and then 0, and was outstanding
//   6  a packet has no gap and has the length in its H0
//   7  flits are valid (H0 even, others odd, but for the VC's mark), unless errors were injected
//   8  an end that is down calls for at least eight cycles with CRED 3, or 0 if off, without a
//      driver; credits and packets in flight are lost, and the next code on CRED is a single 3
#pragma once

#include <fmt/core.h>

#include <array>
#include <optional>
#include <string>

#include "common/packet.h"
#include <rdt/fast/router.h>

namespace rdt::tb {

class LinkChecker {
public:
    // With `bad_flits` rules 6 and 7 are off: the test sends wrong lengths or parity on purpose.
    LinkChecker(std::string name, uint32_t num_vc, bool bad_flits = false)
        : m_name(std::move(name)), m_num_vc(num_vc), m_bad_flits(bad_flits) {}

    std::optional<std::string> check(const core::LinkPinsOut& a, const core::LinkPinsOut& b) {
        if (a.oe && b.oe) return broken(1, "both ends drive");
        const int driver = a.oe ? 0 : b.oe ? 1 : -1;
        if (driver >= 0 && m_driver >= 0 && driver != m_driver)
            return broken(2, "no turnaround clock");
        m_driver = driver;
        ++m_clock;
        std::array<const core::LinkPinsOut*, 2> ends{&a, &b};
        for (size_t end = 0; end < 2; ++end)
            if (auto e = hear_call(m_end[end], *ends[end])) return e;
        if (m_end[0].called + m_end[1].called != 0) return stay_down(driver >= 0);
        m_down = false;
        for (size_t end = 0; end < 2; ++end)
            if (auto e = follow(m_end[end], *ends[end], *ends[1 - end])) return e;
        return std::nullopt;
    }

    // Both ends were reset.
    void reset() {
        for (End& e : m_end) {
            e.forget();
            e.called = 0;
            e.off = false;
        }
        m_driver = -1;
        m_down = true;
        m_last_call = m_clock;
    }
    // Some end calls.
    bool down() const { return m_down; }
    // Not up yet, though neither end is off.
    bool comes_up() const {
        return m_end[0].off || m_end[1].off ? false : m_clock < m_last_call + Announcement;
    }
    // An end gives a credit up.
    void forfeit(int end, uint32_t vc) { m_end[size_t(end)].credit[vc] = false; }

    uint64_t packets(int end) const { return m_end[size_t(end)].packets; }
    uint64_t flits(int end) const { return m_end[size_t(end)].flits; }
    bool idle() const { return m_end[0].left == 0 && m_end[1].left == 0; }

private:
    struct End {
        std::array<bool, 3> credit{};  // this end may send
        uint32_t coming = 0;           // the first half of a credit
        bool gap = false;              // after a credit
        bool greeted = false;          // the other end has shown that it is here
        uint32_t vc = 0;               // of the packet
        uint32_t index = 0;            // of its next flit
        uint32_t left = 0;             // flits of it still to come
        uint32_t called = 0;           // cycles on end
        bool off = false;              // calls, and would not answer
        uint64_t packets = 0;
        uint64_t flits = 0;

        void forget() {
            credit = {};
            coming = left = 0;
            gap = greeted = false;
        }
    };

    static constexpr uint32_t ShortestCall = 8;
    static constexpr uint64_t Announcement = 18;  // from the end of a call until the link is up

    static std::optional<std::string> none() { return std::nullopt; }

    std::optional<std::string> hear_call(End& e, const core::LinkPinsOut& self) const {
        // REQ 3 with a flit is VC-T.
        if (self.req == 3 && !self.oe) {
            ++e.called;
            e.off = self.cred == 0;
            return self.cred == 0 || self.cred == 3 ? none() : broken(8, "calls with a credit");
        }
        const uint32_t called = e.called;
        e.called = 0;
        e.off = false;
        return called == 0 || called >= ShortestCall ? none() : broken(8, "calls too shortly");
    }
    // In the first cycle of a call the other end has not seen it yet.
    std::optional<std::string> stay_down(bool driven) {
        const bool first = !m_down;
        m_down = true;
        m_last_call = m_clock;
        for (End& e : m_end) e.forget();
        return driven && !first ? broken(8, "drives a link that is down") : none();
    }

    // One sender: `self` drives, `other` gives credits.
    std::optional<std::string> follow(End& e, const core::LinkPinsOut& self,
                                      const core::LinkPinsOut& other) {
        if (self.oe) {
            if (auto error = flit(e, self)) return error;
        } else if (e.left != 0) {
            return broken(6, "packet ends early or has a gap");
        } else if (self.req > 1) {
            return broken(8, "neither a packet nor a call");
        }
        return credit(e, other.cred);
    }

    std::optional<std::string> credit(End& e, uint32_t code) {
        if (!e.greeted && code != 0) {
            e.greeted = e.gap = true;
            return code == 3 ? none() : broken(5, "credit before the link is up");
        }
        if (code > m_num_vc) return broken(5, "credit for a VC that does not exist");
        if (e.gap && code != 0) return broken(5, "no gap after a credit");
        e.gap = false;
        if (e.coming == 0) {
            e.coming = code;
            return none();
        }
        if (code != e.coming) return broken(5, "half a credit");
        e.coming = 0;
        e.gap = true;
        if (e.credit[code - 1]) return broken(5, "credit returned twice");
        e.credit[code - 1] = true;
        return none();
    }

    // VC 1 is marked in H2, VC-T in H1.
    static bool is_marked(uint32_t vc, uint32_t index) {
        return vc != 0 && index != 0 && vc + index == 3;
    }

    std::optional<std::string> flit(End& e, const core::LinkPinsOut& self) {
        ++e.flits;
        const bool first = e.left == 0;
        if (first) {
            e.vc = self.req - 1;
            e.index = 0;
        }
        const flit_t mark = is_marked(e.vc, e.index) ? ParityBit : 0;
        if (!m_bad_flits && !is_good(self.d ^ mark, e.index))
            return broken(7, "flit with wrong parity");
        ++e.index;
        if (!first) {
            --e.left;
            if (m_bad_flits) e.left = self.req == 2 ? 2 : e.left == 0 ? 0 : 1;
            return std::nullopt;
        }
        if (self.req == 0 || self.req > m_num_vc) return broken(3, "packet starts without a VC");
        const bool ack = (self.d >> 14 & 7) == 4;
        if (!ack) {  // an ack needs none
            if (!e.credit[self.req - 1]) return broken(4, "packet without a credit");
            e.credit[self.req - 1] = false;
        }
        // An ack has a generation instead of a length.
        e.left = m_bad_flits || ack ? 2 : self.d >> 10 & 15;
        if (e.left < 2) return broken(6, "packet shorter than its header");
        ++e.packets;
        return std::nullopt;
    }

    std::string broken(int rule, const char* what) const {
        return fmt::format("link {} cycle {}: rule {}: {}", m_name, m_clock, rule, what);
    }

    std::string m_name;
    uint32_t m_num_vc;
    bool m_bad_flits;
    std::array<End, 2> m_end;
    int m_driver = -1;
    bool m_down = true;
    uint64_t m_last_call = 0;
    uint64_t m_clock = 0;
};

}  // namespace rdt::tb
