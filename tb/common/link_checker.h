// SPDX-License-Identifier: MIT
// Watches the pins of one link and knows nothing else. Its rules, numbered as
// they are reported:
//   1  the lines are never driven from both ends
//   2  between two directions there is a clock without a driver
//   3  the first flit of a packet goes with the VC on REQ, and that VC exists
//   4  a packet is sent only with a credit in hand
//   5  no credit is returned that is not outstanding
//   6  a packet is streamed without a gap and is as long as its H0 says
//   7  a chip drives only good flits (H0 even, others odd), unless bad ones were put in
#pragma once

#include <fmt/core.h>

#include <array>
#include <optional>
#include <string>

#include "common/packet.h"
#include "core/router.h"

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
        std::array<const core::LinkPinsOut*, 2> ends{&a, &b};
        for (int end = 0; end < 2; ++end)
            if (auto e = follow(end, *ends[size_t(end)], *ends[size_t(1 - end)])) return e;
        m_driver = driver;
        ++m_clock;
        return std::nullopt;
    }

    // Both ends were reset.
    void reset() {
        for (End& e : m_end) {
            e.credit = {};
            e.left = 0;
        }
        m_driver = -1;
    }
    // An end gives a credit up.
    void forfeit(int end, uint32_t vc) { m_end[size_t(end)].credit[vc] = false; }

    uint64_t packets(int end) const { return m_end[size_t(end)].packets; }
    uint64_t flits(int end) const { return m_end[size_t(end)].flits; }
    bool idle() const { return m_end[0].left == 0 && m_end[1].left == 0; }

private:
    struct End {
        std::array<bool, 3> credit{};  // this end may send
        uint32_t left = 0;             // flits of the packet still to come
        uint64_t packets = 0;
        uint64_t flits = 0;
    };

    // One sender: `self` drives, `other` gives credits.
    std::optional<std::string> follow(int end, const core::LinkPinsOut& self,
                                      const core::LinkPinsOut& other) {
        End& e = m_end[size_t(end)];
        if (self.oe) {
            if (auto error = flit(e, self)) return error;
        } else if (e.left != 0) {
            return broken(6, "packet ends early or has a gap");
        }
        if (other.cred == 0) return std::nullopt;
        if (other.cred > m_num_vc) return broken(5, "credit for a VC that does not exist");
        if (e.credit[other.cred - 1]) return broken(5, "credit returned twice");
        e.credit[other.cred - 1] = true;
        return std::nullopt;
    }

    std::optional<std::string> flit(End& e, const core::LinkPinsOut& self) {
        ++e.flits;
        if (!m_bad_flits && !is_good(self.d, e.left == 0 ? 0 : 1))
            return broken(7, "flit with wrong parity");
        if (e.left != 0) {
            --e.left;
            if (m_bad_flits) e.left = self.req == 2 ? 2 : e.left == 0 ? 0 : 1;
            return std::nullopt;
        }
        if (self.req == 0 || self.req > m_num_vc) return broken(3, "packet starts without a VC");
        if ((self.d >> 14 & 7) != 4) {  // an ack needs none
            if (!e.credit[self.req - 1]) return broken(4, "packet without a credit");
            e.credit[self.req - 1] = false;
        }
        e.left = m_bad_flits ? 2 : self.d >> 10 & 15;
        if (e.left < 2) return broken(6, "packet shorter than its header");
        ++e.packets;
        return std::nullopt;
    }

    std::string broken(int rule, const char* what) const {
        return fmt::format("link {} clock {}: rule {}: {}", m_name, m_clock, rule, what);
    }

    std::string m_name;
    uint32_t m_num_vc;
    bool m_bad_flits;
    std::array<End, 2> m_end;
    int m_driver = -1;
    uint64_t m_clock = 0;
};

}  // namespace rdt::tb
