// SPDX-License-Identifier: MIT
// Scoreboard of one direction of a disturbed link. Packets may be lost, but not silently; nothing
// else may go wrong. Its rules, as they are reported:
//   made up     an arriving packet has the header and the VC of a sent packet
//   twice       ... and has not arrived before
//   order       packets of a VC arrive in the order in which they were sent
//   wrong flit  each flit of the body equals the sent one, or has wrong parity
//   silent      a packet that does not arrive is reported, in or after the cycle of its grant
#pragma once

#include <string>
#include <vector>

#include "common/packet.h"

namespace rdt::tb {

class LinkScoreboard {
public:
    void sent(uint64_t now, uint32_t vc, const Flits& flits) {
        m_packets.push_back({now, vc, flits, false});
    }
    // An event reported that packets sent until now may be lost.
    void told(uint64_t now) { m_told = now + 1; }

    // A packet, as much of it as came: its header at least.
    void arrived(uint32_t vc, const Flits& flits) {
        for (size_t i = m_packets.size(); i-- > 0;) {
            Record& p = m_packets[i];
            if (p.vc != vc || !same_header(p.flits, flits)) continue;
            if (p.arrived) return complain("twice");
            if (i < m_first_open[vc]) return complain("order");
            p.arrived = true;
            m_first_open[vc] = i + 1;
            return check_body(p.flits, flits);
        }
        complain("made up");
    }

    // Everything has come to rest. The number of packets lost since the last time.
    uint64_t close() {
        uint64_t lost = 0;
        for (const Record& p : m_packets) {
            if (p.arrived) continue;
            ++lost;
            if (m_told <= p.sent) complain("silent");
        }
        m_packets.clear();
        for (size_t& open : m_first_open) open = 0;
        m_told = 0;
        return lost;
    }

    // The first rule that was broken, empty if none.
    const std::string& complaint() const { return m_complaint; }

private:
    struct Record {
        uint64_t sent;
        uint32_t vc;
        Flits flits;
        bool arrived;
    };

    static bool same_header(const Flits& a, const Flits& b) {
        return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
    }
    // A packet may be cut; flits behind its length are not used.
    void check_body(const Flits& sent, const Flits& came) {
        for (size_t k = 3; k < sent.size() && k < came.size(); ++k)
            if (came[k] != sent[k] && is_good(uint32_t(came[k]), k)) complain("wrong flit");
    }
    void complain(const char* rule) {
        if (m_complaint.empty()) m_complaint = rule;
    }

    std::vector<Record> m_packets;
    size_t m_first_open[3]{};  // per VC: behind the last that arrived
    uint64_t m_told = 0;       // one cycle after the last report
    std::string m_complaint;
};

}  // namespace rdt::tb
