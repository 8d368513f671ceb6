// SPDX-License-Identifier: MIT
// Steady traffic on a machine of 64 nodes, and a scoreboard of what became of every packet.
//
// Every node sends a packet in equal distances of time to a node drawn at random, so that what is
// sent in a stretch of time does not vary. A packet is delivered once at every receiver, and a
// multicast is answered once; or its loss is reported: the answer reports it to the sender, it
// arrives marked as corrupt, or a disturbed link on its path reports it at one of its ends
// (`LinkSync`, or `Sunk`) soon enough. At the chip's end that is an ERR packet or Status and
// LinkErr, at the MBP's its link's own event. MBP 0 clears the error pin of its router whenever it
// is set; the counters record events in between.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/packet.h"
#include "common/dice.h"
#include <rdt/machine/machine.h>

namespace rdt::tb {

struct LoadOptions {
    double load = 0.2;         // flits/node/cycle
    uint32_t flits = 16;       // of a packet
    double multicasts = 0;     // fraction of the packets; all of them request an ack
    uint64_t deadline = 4000;  // cycles from a packet's start until it is delivered or reported
    uint64_t seed = 1;
    bool mbp0_sends = true;     // false: MBP 0 sends nothing but SETUP packets
    bool clears_errors = true;  // false: the error pins are left to the caller
};

class WatchedLoad {
public:
    static constexpr uint32_t Nodes = 64;
    static constexpr uint64_t Slice = 500;  // cycles
    // The limit within which a packet is in time: ten times the mean at load 0.2.
    static constexpr uint64_t InTime = 450;

    WatchedLoad(machine::Machine& machine, const LoadOptions& options);
    ~WatchedLoad();

    // Packets that count in share(); without it: all.
    std::function<bool(uint32_t from, uint32_t to)> counts;
    // Nodes whose packets do not count in share() at this time; without it: none.
    std::function<bool(uint32_t node)> is_held;
    // MBPs, 2 * node + m, that send no more and whose packets may never leave them.
    std::function<bool(uint32_t mbp)> is_dead;

    // This link is disturbed in this cycle, or from now on (lasting): packets whose way leads over
    // it may get lost, so many at most.
    static constexpr uint64_t AnyNumber = ~uint64_t(0);
    void disturb(uint32_t node, uint32_t port, bool lasting, uint64_t most_lost = AnyNumber);
    void clocks(uint64_t n, bool send = true);
    // Sends no more; false if something is still in flight after so many cycles.
    bool drain(uint64_t limit);
    // After drain(): everything that is still open is looked at.
    void close();

    // The fraction of packets generated in these cycles that came in time. Whole slices.
    double share(uint64_t from, uint64_t to) const;
    // Flits that MBPs received in a slice.
    uint64_t received(uint64_t slice) const { return m_slices.at(slice).received; }

    // Empty: no packet is missing without a report, doubled, at a wrong place, answered wrongly.
    const std::string& wrong() const { return m_wrong; }
    uint64_t sent() const { return m_sent; }
    uint64_t delivered() const { return m_delivered; }
    uint64_t lost() const { return m_lost; }            // with a report
    uint64_t most_lost() const { return m_most_lost; }  // by one disturbance
    uint64_t reports(uint32_t node, uint32_t code) const { return m_reports[node].at(code); }
    uint64_t now() const { return m_machine.now(); }
    std::string summary() const;

private:
    static constexpr uint64_t Never = ~uint64_t(0);
    struct Record {
        uint32_t from = 0;     // MBP
        uint32_t mbp = 0;      // of the receivers
        uint32_t tag = 0;      // of a multicast
        Maps maps = 0;         // of a multicast
        uint64_t waiting = 0;  // nodes
        uint64_t to = 0;       // nodes
        uint64_t born = 0;
        uint64_t started = Never;
        bool answered = true;
        bool counts = true;
        bool marked = false;  // came marked as corrupt
    };
    struct LinkEnd {
        uint32_t node;
        uint32_t port;
        bool operator==(const LinkEnd& o) const { return node == o.node && port == o.port; }
    };
    struct Fault {
        uint64_t clock;
        LinkEnd ends[2];  // for an MBP's link: both the router's
        bool lasts;
        uint64_t may_lose;
        uint64_t lost = 0;
    };
    struct Report {
        uint64_t clock;
        uint32_t node;
        uint32_t ports;  // bits
    };
    // Counters of a chip.
    struct Events {
        uint32_t sync = 0;
        uint32_t sunk = 0;
    };
    struct Damaged {
        uint64_t clock;
        uint32_t at;  // MBP
    };
    struct SliceCount {
        uint64_t sent = 0;
        uint64_t in_time = 0;
        uint64_t received = 0;
    };

    void attach(uint32_t at);
    void send(uint32_t node);
    Flits encode(const Record& r, uint64_t serial, uint64_t maps);
    void receive(uint32_t at, const Flits& flits);
    void answered(uint32_t at, uint32_t tag, uint32_t status);
    Record* find(uint64_t serial);
    Record* find_damaged(uint32_t at, const Flits& flits);
    SliceCount& slice(uint64_t clock);
    void watch_pins();
    void judge(bool all);
    Fault* explanation(const Record& r);
    bool beats_parity(const Record& r, uint64_t serial, const Flits& flits) const;
    bool came_damaged(const Record& r);
    bool own_link_disturbed(const Record& r) const;
    bool leads_over(const Record& r, const Fault& fault) const;
    bool tells_of(const Report& report, const Fault& fault, uint64_t from, uint64_t to) const;
    void blame(const std::string& what);

    machine::Machine& m_machine;
    const LoadOptions m_options;
    Dice m_random;
    std::array<double, Nodes> m_due{};
    std::deque<Record> m_records;
    std::unordered_map<uint64_t, Record> m_given_up;  // lost with a report, or very late
    uint64_t m_first = 0;                             // serial of the first of them
    std::vector<std::array<uint64_t, 8>> m_tags;      // by MBP: serial + 1 that waits
    std::array<std::array<uint64_t, 16>, Nodes> m_reports{};
    std::array<uint64_t, Nodes> m_cleared{};  // clock in which the error pin was last cleared
    std::array<Events, Nodes> m_events{};     // as last seen
    std::deque<Fault> m_faults;
    std::deque<Report> m_seen;
    std::deque<Damaged> m_damaged;  // came marked as corrupt, not identifiable
    std::vector<SliceCount> m_slices;
    std::string m_wrong;
    uint64_t m_sent = 0;
    uint64_t m_delivered = 0;
    uint64_t m_lost = 0;
    uint64_t m_most_lost = 0;
    uint64_t m_beaten = 0;      // altered without a parity error
    uint64_t m_unanswered = 0;  // only the sender's own link was disturbed
};

}  // namespace rdt::tb
