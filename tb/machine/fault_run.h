// SPDX-License-Identifier: MIT
// One run of the 64-node machine with one fault on its links, or with none; and the rules by which
// what the MBPs saw of it is judged.
#pragma once

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <map>
#include <optional>
#include <set>

#include "common/packet.h"
#include "common/dice.h"
#include <rdt/machine/engines/fast_machine.h>
#include <rdt/machine/packets.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::tb {

enum class FaultKind { Header, Body, Req, Cred, Cut, Dead };
inline const char* to_string(FaultKind kind) {
    constexpr const char* Names[] = {"header", "body", "req", "cred", "cut", "dead"};
    return Names[int(kind)];
}

struct Fault {
    FaultKind kind;
    uint64_t clock;
    uint64_t seed;               // seed of the position
    bool sink = false;           // packets for a link that is down are consumed
    bool outlasts_acks = false;  // the run continues until the ack tables are empty
};

// An MBP and a tag: a sender that waits for an answer.
using Asker = std::pair<uint32_t, uint32_t>;

// Observations of the MBPs in a run.
struct Seen {
    std::map<std::pair<uint32_t, Flits>, int> sound;  // by MBP; multicasts without their tag
    std::map<Asker, std::vector<uint32_t>> answers;
    std::map<Asker, uint32_t> asked;  // serial of the multicast that left the MBP
    // Error pin, ERR packet, status of an answer, malformed flit, error of an MBP's own link.
    bool reported = false;
    bool hit = true;  // the fault found something to disturb
    std::string hang;
    std::string where;       // the fault struck
    uint32_t cut_off = ~0u;  // node whose MBPs cannot be answered
};

inline uint32_t serial_of(const Flits& flits) { return payload_of(flits[3]); }

// The rules. Empty: all is well.
inline std::string verdict(const Seen& good, const Seen& seen) {
    if (!seen.hang.empty()) return "hang: " + seen.hang;
    for (const auto& [what, count] : seen.sound) {
        const auto it = good.sound.find(what);
        if (it == good.sound.end() || it->second < count)
            return fmt::format("MBP {} received a valid packet for another node, or twice: {:05x}",
                               what.first, fmt::join(what.second, " "));
    }
    bool lost = false;
    std::set<uint32_t> incomplete;  // serials
    for (const auto& [what, count] : good.sound) {
        const auto it = seen.sound.find(what);
        if (it != seen.sound.end() && it->second == count) continue;
        lost = true;
        incomplete.insert(serial_of(what.second));
    }
    bool unanswered = false;
    for (const auto& [asker, serial] : good.asked) {
        const auto it = seen.answers.find(asker);
        const size_t count = it == seen.answers.end() ? 0 : it->second.size();
        if (count > 1) return fmt::format("MBP {} was answered {} times", asker.first, count);
        // An MBP whose router accepts no packet knows that its packet was not delivered.
        const bool never_sent = seen.asked.count(asker) == 0;
        if (count == 0 && !never_sent && asker.first / 2 != seen.cut_off)
            return fmt::format("MBP {} got no answer for tag {}", asker.first, asker.second);
        if (count == 0) unanswered = true;
        else if (it->second[0] == 0 && incomplete.count(serial) != 0)
            return fmt::format("MBP {} got an ack without error for a lost packet", asker.first);
    }
    if ((lost || unanswered) && !seen.reported)
        return "silent loss: a packet is lost without a report";
    return {};
}

class FaultRun {
public:
    FaultRun(uint64_t traffic_seed, std::optional<Fault> fault)
        : m_fault(fault), m_random(traffic_seed), m_machine(config(fault && fault->sink)) {
        for (uint32_t at = 0; at < 128; ++at) attach(at);
        m_machine.bring_up();
    }

    Seen operator()() {
        for (uint64_t clock = 0; clock < SendingEnds + Bound; ++clock) {
            if (clock < SendingEnds) send();
            else if (clock % 16 == 0 && is_struck() && is_settled()) break;
            if (m_fault && clock >= m_fault->clock && !m_struck && clock < SendingEnds + 60)
                strike();
            m_machine.clock();
        }
        if (outlasts_acks())
            for (uint64_t clock = 0; clock < Quarantine && !is_done_with_acks(); ++clock)
                m_machine.clock();
        m_seen.hit = m_struck;
        look_around();
        return m_seen;
    }

    static constexpr uint64_t SendingEnds = 90;

private:
    // Ticks: what is stuck is reported within two of them. A multicast that waits for an ack entry
    // is not stuck, and waits for up to 400 cycles in this load.
    static constexpr uint32_t Timeout = 400;
    // Required by the specification, so that no answer is mistaken for another.
    static constexpr uint32_t TEnt = 160;
    static constexpr uint32_t TAck = 2112;
    // A credit that is lost is missed within two ticks, and the link resynchronizes.
    static constexpr uint64_t Recovery = 2 * SlowTick + 64;
    // Everything is idle or reported this long after the last packet was sent: a lost credit, two
    // ticks of each kind, and the time for the answers.
    static constexpr uint64_t Bound = Recovery + 2 * (Timeout + TEnt + TAck + 3) + 600;
    static constexpr uint64_t Quarantine = 7 * (TAck + 1);

    static machine::Config config(bool sink) {
        machine::Config c;
        c.timeout = Timeout;
        c.t_ent = TEnt;
        c.t_ack = TAck;
        c.sink = sink;
        return c;
    }

    void attach(uint32_t at) {
        machine::Endpoint& end = m_machine.mbp(at / 2, at % 2);
        end.on_receive = [this, at, &end](const machine::Endpoint::Received& r) {
            const int type = get(r.flits[0], H0Type);
            bool sound = int(r.flits.size()) == get(r.flits[0], H0Len) + 1;
            for (size_t k = 0; k < r.flits.size(); ++k)
                sound = sound && is_good(uint32_t(r.flits[k]), k);
            // A receiver detects a malformed flit, and a missing one.
            if (!sound || type == int(TypeErr)) m_seen.reported = true;
            if (type == int(TypeErr) || type == int(TypeSetup)) return;
            const bool multicast = is_multicast(r.flits[0]);
            const auto tag = uint32_t(get(r.flits[0], H0Tag));
            const uint32_t generation = machine::Endpoint::generation_of(r.flits);
            if (sound) {
                Flits flits = r.flits;
                if (multicast) flits[0] = make_head(payload_of(with(flits[0], H0Tag, 0)));
                if (multicast) flits[2] = make_flit(payload_of(with(flits[2], H2Gen, 0)));
                ++m_seen.sound[{at, flits}];
            }
            if (multicast && tag != 0) end.send_ack(tag, sound ? 0 : 1u << AckError, generation);
        };
        end.on_start = [this, at](const machine::Endpoint::Sent& sent, uint64_t) {
            if (is_multicast(sent.flits[0]))
                m_seen.asked[{at, uint32_t(get(sent.flits[0], H0Tag))}] = serial_of(sent.flits);
        };
        end.on_ack = [this, at](const core::AckNote& ack) {
            m_seen.answers[{at, ack.tag}].push_back(ack.status);
            if (ack.status != 0) m_seen.reported = true;
        };
    }

    // Every MBP sends a packet occasionally; a tenth are multicasts that request an ack.
    void send() {
        for (uint32_t at = 0; at < 128; ++at) {
            if (!m_random.chance(1)) continue;
            const uint32_t node = at / 2;
            const uint32_t body = 1 + m_random.below(13);
            const uint32_t serial = ++m_serial;
            Flits flits;
            uint32_t& tag = m_tag[at];
            if (m_random.chance(12) && tag < MaxOrdinaryTag) {
                ++tag;
                const Maps maps =
                    map_byte(0, 1 + m_random.below(255)) | map_byte(1, m_random.bits(8));
                flits = machine::flits_of(multicast_header(maps, int(m_random.bits(1)), TypeMcSm,
                                                           2 + int(body), int(tag)));
            } else {
                flits = machine::flits_of(m_machine.geometry().make_header(
                    node, m_random.below(64), int(m_random.bits(1)), TypeUni, 2 + int(body)));
            }
            flits.push_back(make_flit(serial));
            for (uint32_t k = 1; k < body; ++k) flits.push_back(make_flit(m_random.bits(17)));
            m_machine.mbp(node, at % 2).send(0, flits);
        }
    }

    // A tag stays in quarantine as long as a copy with it waits in a buffer.
    bool outlasts_acks() const {
        return m_fault && m_fault->outlasts_acks && (m_cut.empty() || m_fault->sink);
    }
    bool is_struck() const { return !m_fault || m_struck; }

    // Looks for something to disturb from the fault's clock on.
    void strike() {
        Dice place(m_fault->seed + m_machine.now());
        const uint32_t node = place.below(64);
        if (m_fault->kind == FaultKind::Cut || m_fault->kind == FaultKind::Dead) {
            const uint32_t one = place.below(NumNetworkPorts);
            for (uint32_t p = 0; p < NumNetworkPorts; ++p)
                if (m_fault->kind == FaultKind::Dead || p == one) cut(node, p);
            if (m_fault->kind == FaultKind::Dead) m_seen.cut_off = node;
            m_struck = true;
            return;
        }
        for (uint32_t n = 0; n < 64 * NumPorts && !m_struck; ++n) {
            const uint32_t where = (node * NumPorts + place.below(NumPorts) + n) % (64 * NumPorts);
            strike_at(where / NumPorts, where % NumPorts, place);
        }
    }

    void cut(uint32_t node, uint32_t port) {
        m_machine.cut(node, port);
        m_cut.insert({node, port});
        m_cut.insert({m_machine.geometry().neighbor(node, port), opposite(port)});
        m_seen.where += fmt::format("node {} {} cut at cycle {} ", node, rdt::to_string(Port(port)),
                                    m_machine.now());
    }

    void strike_at(uint32_t node, uint32_t port, Dice& place) {
        const core::LinkPinsOut far = m_machine.far_pins(node, port);
        core::LinkPinsIn bits;
        if (m_fault->kind == FaultKind::Header || m_fault->kind == FaultKind::Body) {
            if (!far.oe) return;
            const fast::ChipState& chip = *m_machine.state(node);
            const bool first = chip.link(port).st == LineStart;
            const auto& in = chip.input(port).q();
            const uint32_t index = first ? 0 : chip.link(port).rx_first ? 1 : in.wr_idx + 1;
            if ((index < 3) != (m_fault->kind == FaultKind::Header)) return;
            bits.d = 1u << place.below(FlitW);
        } else {
            // On a link that is in use now.
            const core::LinkPinsOut own = m_machine.pins(node, port);
            if (!far.oe && !own.oe && far.req == 0 && far.cred == 0) return;
            (m_fault->kind == FaultKind::Req ? bits.req : bits.cred) = 1u << place.bits(1);
        }
        // Either end of an MBP's link may misread it.
        const bool at_mbp = !is_network(port) && bits.d == 0 && place.bits(1) != 0;
        m_machine.flip({node, at_mbp ? machine::MbpReads + port - PortM0 : port, bits});
        m_seen.where = fmt::format("node {} {}{} d {:05x} req {} cred {} at cycle {}", node,
                                   rdt::to_string(Port(port)), at_mbp ? " at the MBP" : "", bits.d,
                                   bits.req, bits.cred, m_machine.now());
        m_struck = true;
        if (!is_network(port)) m_seen.cut_off = node;  // the link that would carry the report
    }

    // Idle: all links are up, no packet is stored or sent, and no ack table entry waits. Entries in
    // quarantine are no more than remembered.
    bool is_settled() const {
        for (uint32_t n = 0; n < 64; ++n) {
            const fast::ChipState& chip = *m_machine.state(n);
            for (uint32_t m = 0; m < 2; ++m) {
                const machine::Endpoint& e = m_machine.mbp(n, m);
                if (e.queued() + e.held() + e.acks_queued() != 0 || e.sending() || e.receiving())
                    return false;
                if (!e.up() || !e.has_all_credits()) return false;
            }
            if (chip.credits() != all_credits() || chip.local().q().st != fast::Local::Idle ||
                chip.inject().q().st != fast::Inject::Idle || !waits_for_nobody(chip))
                return false;
            for (uint32_t p = 0; p < NumPorts; ++p)
                if (chip.link(p).st != LineIdle || !chip.input(p).quiet(chip.link(p).rx_valid))
                    return false;
        }
        return true;
    }
    static bool waits_for_nobody(const fast::ChipState& chip) {
        for (const fast::AckTable::Entry& e : chip.ack().q().entry)
            if (e.st != fast::AckTable::Free && e.st != fast::AckTable::Quar) return false;
        return true;
    }
    bool is_done_with_acks() const {
        for (uint32_t n = 0; n < 64; ++n)
            if (!m_machine.state(n)->ack().quiet(0, 0)) return false;
        return true;
    }

    // After the run: what is reported, and whether anything is stuck that must not be.
    void look_around() {
        for (uint32_t n = 0; n < 64; ++n) {
            const fast::ChipState& chip = *m_machine.state(n);
            if (chip.err()) m_seen.reported = true;
            for (uint32_t m = 0; m < 2; ++m)
                if (m_machine.mbp(n, m).troubles() != 0) m_seen.reported = true;
            for (uint32_t p = 0; p < NumPorts; ++p) look_at(chip, n, p);
            if (!waits_for_nobody(chip) || (outlasts_acks() && !chip.ack().quiet(0, 0)))
                m_seen.hang = fmt::format("ack table of node {}", n);
        }
    }

    void look_at(const fast::ChipState& chip, uint32_t node, uint32_t port) {
        const auto hangs = [&](const std::string& how) {
            m_seen.hang = fmt::format("node {} {} {}", node, rdt::to_string(Port(port)), how);
        };
        const bool down = m_cut.count({node, port}) != 0;
        for (uint32_t v = 0; v < vcs_of(port); ++v) {
            if (holds(node, port, v) && !may_hold(chip, port, v))
                hangs(fmt::format("VC {} holds a packet", v));
            // A credit is away only for a buffer that is in use.
            const bool credit = (chip.credits() >> (3 * port + v) & 1) != 0;
            if (!down && credit == far_holds(node, port, v))
                hangs(fmt::format("{} a credit of VC {}", credit ? "has" : "misses", v));
        }
        if (!is_network(port) &&
            m_machine.mbp(node, port - PortM0).has_credit(0) == holds(node, port, 0))
            hangs("the MBP's credit is not where it should be");
        if (chip.input(port).q().rd_busy) hangs("is busy");
        // A cut link is not detected until a packet is sent over it.
        if (!down && chip.link(port).st != LineIdle) hangs("does not rest");
    }
    bool holds(uint32_t node, uint32_t port, uint32_t vc) const {
        return m_machine.state(node)->input(port).q().slot[vc].pkt;
    }
    bool far_holds(uint32_t node, uint32_t port, uint32_t vc) const {
        return is_network(port) &&
               holds(m_machine.geometry().neighbor(node, port), opposite(port), vc);
    }
    // Only packets that wait for a link that is down, and only if they are not consumed and were
    // reported. 3: MBP 0 has the report; 2: it gets the report when it accepts packets again, and
    // the error pin is set meanwhile.
    bool may_hold(const fast::ChipState& chip, uint32_t port, uint32_t vc) const {
        const auto& slot = chip.input(port).q().slot[vc];
        return !m_cut.empty() && !m_fault->sink && (slot.age == 3 || (slot.age == 2 && chip.err()));
    }

    static uint32_t all_credits() {
        uint32_t all = 0;
        for (uint32_t p = 0; p < NumPorts; ++p) all |= ((1u << vcs_of(p)) - 1) << 3 * p;
        return all;
    }

    std::optional<Fault> m_fault;
    Dice m_random;
    machine::FastMachine m_machine;
    Seen m_seen;
    std::set<std::pair<uint32_t, uint32_t>> m_cut;  // ends of links: node, port
    std::array<uint32_t, 128> m_tag{};
    uint32_t m_serial = 0;
    bool m_struck = false;
};

}  // namespace rdt::tb
