// SPDX-License-Identifier: MIT
// Faults on the links of the 64-node machine, one a run: a flipped bit of a header, a body, REQ or
// CRED, a cut link, a node that nobody hears any more. What the MBPs see is held against the same
// run without the fault. Each fault has to end in delivery or in a report, within the time-outs.
#include <gtest/gtest.h>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <map>
#include <optional>
#include <set>

#include "common/packet.h"
#include "common/random.h"
#include "common/run_options.h"
#include "machine/fast_machine.h"
#include "machine/packets.h"
#include "net/multicast.h"

namespace rdt::tb {
namespace {

using machine::Endpoint;

constexpr uint32_t Timeout = 120;  // ticks: what is stuck is reported within two of them
constexpr uint32_t TEnt = 160;
constexpr uint32_t TAck = 300;
constexpr uint64_t SendingEnds = 90;
// All is quiet or reported this long after the last packet was sent: two ticks of each kind, and
// what it takes to carry the answers.
constexpr uint64_t Bound = 2 * (Timeout + TEnt + TAck) + 600;

// A credit that has not come back by then is missed.
constexpr uint64_t Overdue = 2 * Timeout + 16;

enum class Kind { Header, Body, Req, Cred, Cut, Dead };
constexpr const char* Names[] = {"header", "body", "req", "cred", "cut", "dead"};

struct Fault {
    Kind kind;
    uint64_t clock;
    uint64_t seed;  // of the place
};

// An MBP and a tag: somebody who waits for an answer.
using Asker = std::pair<uint32_t, uint32_t>;

// What the MBPs saw of a run.
struct Seen {
    std::map<std::pair<uint32_t, Flits>, int> sound;  // by MBP; multicasts without their tag
    std::map<Asker, std::vector<uint32_t>> answers;
    std::map<Asker, uint32_t> asked;  // serial of the multicast that left the MBP
    bool reported = false;  // error pin, ERR packet, status of an answer, credit that stays away
    bool hit = true;        // the fault found something to disturb
    std::string hang;
    std::string where;       // the fault struck
    uint32_t cut_off = ~0u;  // node whose MBPs cannot be answered
};

bool is_sound(const Flits& flits) {
    for (size_t k = 0; k < flits.size(); ++k)
        if (!is_good(uint32_t(flits[k]), k)) return false;
    return true;
}

uint32_t serial_of(const Flits& flits) { return payload_of(flits[3]); }

// The rules. Empty: all is well.
std::string verdict(const Seen& good, const Seen& seen) {
    if (!seen.hang.empty()) return "hang: " + seen.hang;
    for (const auto& [what, count] : seen.sound) {
        const auto it = good.sound.find(what);
        if (it == good.sound.end() || it->second < count)
            return fmt::format(
                "MBP {} took a packet that was not for it or twice, and sound: {:05x}", what.first,
                fmt::join(what.second, " "));
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
        // One whose chip took no packet from it any more knows that nobody got its own.
        const bool never_sent = seen.asked.count(asker) == 0;
        if (count == 0 && !never_sent && asker.first / 2 != seen.cut_off)
            return fmt::format("MBP {} got no answer for tag {}", asker.first, asker.second);
        if (count == 0) unanswered = true;
        else if (it->second[0] == 0 && incomplete.count(serial) != 0)
            return fmt::format("MBP {} was told that all is well, but it is not", asker.first);
    }
    if ((lost || unanswered) && !seen.reported)
        return "silence: a packet is lost and nobody says so";
    return {};
}

class FaultRun {
public:
    FaultRun(uint64_t traffic_seed, std::optional<Fault> fault)
        : m_fault(fault), m_random(traffic_seed), m_machine(config()) {
        for (uint32_t at = 0; at < 128; ++at) attach(at);
        m_machine.bring_up();
    }

    Seen operator()() {
        uint64_t quiet = 0;
        for (uint64_t clock = 0; clock < SendingEnds + Bound && quiet < Overdue; ++clock) {
            if (clock < SendingEnds) send();
            else if (clock % 8 == 0) quiet = m_machine.idle() ? quiet + 8 : 0;
            if (m_fault && clock >= m_fault->clock && !m_struck && clock < SendingEnds + 60)
                strike();
            m_machine.clock();
        }
        m_seen.hit = m_struck;
        look_around();
        return m_seen;
    }

private:
    static machine::Config config() {
        machine::Config c;
        c.timeout = Timeout;
        c.t_ent = TEnt;
        c.t_ack = TAck;
        return c;
    }

    void attach(uint32_t at) {
        Endpoint& end = m_machine.mbp(at / 2, at % 2);
        end.on_receive = [this, at, &end](const Endpoint::Received& r) {
            const int type = get(r.flits[0], H0Type);
            const bool sound = is_sound(r.flits);
            // A receiver notices a bad flit.
            if (!sound || type == int(TypeErr)) m_seen.reported = true;
            if (type == int(TypeErr) || type == int(TypeSetup)) return;
            const bool multicast = is_multicast(r.flits[0]);
            const auto tag = uint32_t(get(r.flits[0], H0Tag));
            if (sound) {
                Flits flits = r.flits;
                if (multicast) flits[0] = make_head(payload_of(with(flits[0], H0Tag, 0)));
                ++m_seen.sound[{at, flits}];
            }
            if (multicast && tag != 0 && is_good_head(r.flits[0]))
                end.send_ack(tag, sound ? 0 : 1u << AckError);
        };
        end.on_start = [this, at](const Endpoint::Sent& sent, uint64_t) {
            if (is_multicast(sent.flits[0]))
                m_seen.asked[{at, uint32_t(get(sent.flits[0], H0Tag))}] = serial_of(sent.flits);
        };
        end.on_ack = [this, at](const core::AckNote& ack) {
            m_seen.answers[{at, ack.tag}].push_back(ack.status);
            if (ack.status != 0) m_seen.reported = true;
        };
    }

    // Every MBP sends a packet now and then; a tenth are multicasts that want an answer.
    void send() {
        for (uint32_t at = 0; at < 128; ++at) {
            if (!m_random.chance(1)) continue;
            const uint32_t node = at / 2;
            const uint32_t body = 1 + m_random.below(13);
            const uint32_t serial = ++m_serial;
            Flits flits;
            uint32_t& tag = m_tag[at];
            if (m_random.chance(12) && tag < 7) {
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

    // Looks for something to disturb from the fault's clock on.
    void strike() {
        Random place(m_fault->seed + m_machine.now());
        const uint32_t node = place.below(64);
        if (m_fault->kind == Kind::Cut || m_fault->kind == Kind::Dead) {
            const uint32_t one = place.below(NumNetworkPorts);
            for (uint32_t p = 0; p < NumNetworkPorts; ++p)
                if (m_fault->kind == Kind::Dead || p == one) m_machine.cut(node, p);
            if (m_fault->kind == Kind::Dead) m_seen.cut_off = node;
            m_struck = true;
            return;
        }
        for (uint32_t n = 0; n < 64 * NumPorts && !m_struck; ++n) {
            const uint32_t where = (node * NumPorts + place.below(NumPorts) + n) % (64 * NumPorts);
            strike_at(where / NumPorts, where % NumPorts, place);
        }
    }

    void strike_at(uint32_t node, uint32_t port, Random& place) {
        const core::LinkPinsOut far =
            is_network(port)
                ? m_machine.pins(m_machine.geometry().neighbour(node, port), opposite(port))
                : m_machine.mbp(node, port - PortM0).pins();
        core::LinkPinsIn bits;
        if (m_fault->kind == Kind::Header || m_fault->kind == Kind::Body) {
            if (!far.oe) return;
            const core::ChipState& chip = *m_machine.state(node);
            const bool first = chip.link(port).st == LineStart;
            const auto& in = chip.input(port).q();
            const uint32_t index = first ? 0 : chip.link(port).rx_first ? 1 : in.wr_idx + 1;
            if ((index < 3) != (m_fault->kind == Kind::Header)) return;
            bits.d = 1u << place.below(FlitW);
        } else {
            // On a link that is in use now.
            const core::LinkPinsOut own = m_machine.pins(node, port);
            if (!far.oe && !own.oe && far.req == 0 && far.cred == 0) return;
            (m_fault->kind == Kind::Req ? bits.req : bits.cred) = 1u << place.bits(1);
        }
        m_machine.flip({node, port, bits});
        m_seen.where =
            fmt::format("node {} {} d {:05x} req {} cred {} at clock {}", node,
                        to_string(Port(port)), bits.d, bits.req, bits.cred, m_machine.now());
        m_struck = true;
        if (!is_network(port)) m_seen.cut_off = node;  // the link by which it would be told
    }

    // After the run: what is reported, and whether anything is stuck that was not.
    void look_around() {
        for (uint32_t n = 0; n < 64; ++n) {
            const core::ChipState& chip = *m_machine.state(n);
            if (chip.err()) m_seen.reported = true;
            for (uint32_t m = 0; m < 2; ++m)
                if (!m_machine.mbp(n, m).has_credit(0)) m_seen.reported = true;
            for (uint32_t p = 0; p < NumPorts; ++p) {
                for (uint32_t v = 0; v < vcs_of(p); ++v) {
                    const auto& slot = chip.input(p).q().slot[v];
                    // 3: MBP 0 was told; 2: it will be when it takes packets again, and the error
                    // pin says so meanwhile.
                    if (slot.pkt && slot.age != 3 && !(slot.age == 2 && chip.err()))
                        m_seen.hang = fmt::format("node {} {} VC {} holds a packet", n,
                                                  to_string(Port(p)), v);
                }
                if (chip.input(p).q().rd_busy || chip.link(p).st != LineIdle)
                    m_seen.hang = fmt::format("node {} {} is busy", n, to_string(Port(p)));
            }
            if (!chip.ack().quiet(0, 0)) m_seen.hang = fmt::format("ack table of node {}", n);
        }
    }

    std::optional<Fault> m_fault;
    Random m_random;
    machine::FastMachine m_machine;
    Seen m_seen;
    std::array<uint32_t, 128> m_tag{};
    uint32_t m_serial = 0;
    bool m_struck = false;
};

struct Count {
    uint64_t faults = 0;
    uint64_t unseen = 0;     // all delivered, nothing reported
    uint64_t delivered = 0;  // and reported
    uint64_t lost = 0;       // and reported
};

struct Case {
    Kind kind;
    int faults;
};

class Faults : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(faults, Faults,
                         ::testing::Values(Case{Kind::Header, 3000}, Case{Kind::Body, 2400},
                                           Case{Kind::Req, 2600}, Case{Kind::Cred, 1600},
                                           Case{Kind::Cut, 300}, Case{Kind::Dead, 150}),
                         [](const auto& p) { return Names[int(p.param.kind)]; });

TEST_P(Faults, each_ends_in_delivery_or_a_report) {
    constexpr int PerTraffic = 50;
    const uint64_t seed = seed_or(1);
    Count count;
    for (int n = 0; n < GetParam().faults; n += PerTraffic) {
        const uint64_t traffic = seed * 1000 + uint64_t(n / PerTraffic);
        const Seen good = FaultRun(traffic, std::nullopt)();
        ASSERT_FALSE(good.reported) << "traffic " << traffic;
        ASSERT_GT(good.asked.size(), 3u);
        Random random(traffic);
        for (int k = 0; k < PerTraffic; ++k) {
            const Fault fault{GetParam().kind, 10 + random.below(SendingEnds), random.bits(32)};
            const Seen seen = FaultRun(traffic, fault)();
            ASSERT_TRUE(seen.hit);
            ASSERT_EQ(verdict(good, seen), "")
                << "traffic " << traffic << ", fault " << k << ": " << seen.where;
            ++count.faults;
            if (!seen.reported) ++count.unseen;
            else if (seen.sound == good.sound) ++count.delivered;
            else ++count.lost;
        }
    }
    RecordProperty("faults", std::to_string(count.faults));
    RecordProperty("delivered", std::to_string(count.unseen));
    RecordProperty("delivered_and_reported", std::to_string(count.delivered));
    RecordProperty("lost_and_reported", std::to_string(count.lost));
}

// The checker itself, on mistakes made up from a good run.
class Checker : public ::testing::Test {
protected:
    Checker() : good(FaultRun(7, std::nullopt)()), seen(good) {}
    // Any copy of a multicast that wants an answer.
    auto some_copy() {
        const uint32_t serial = good.asked.begin()->second;
        auto it = seen.sound.begin();
        while (serial_of(it->first.second) != serial) ++it;
        return it;
    }
    Seen good;
    Seen seen;
};

TEST_F(Checker, accepts_a_good_run) { EXPECT_EQ(verdict(good, seen), ""); }

TEST_F(Checker, finds_silence) {
    auto it = seen.sound.begin();
    while (is_multicast(it->first.second[0])) ++it;
    seen.sound.erase(it);
    EXPECT_NE(verdict(good, seen).find("silence"), std::string::npos);
    seen.reported = true;
    EXPECT_EQ(verdict(good, seen), "");
}

TEST_F(Checker, finds_a_packet_at_the_wrong_place_and_one_that_came_twice) {
    seen.reported = true;
    ++seen.sound.begin()->second;
    EXPECT_NE(verdict(good, seen), "");
    seen = good;
    seen.reported = true;
    ++seen.sound[{(seen.sound.begin()->first.first + 1) % 128, seen.sound.begin()->first.second}];
    EXPECT_NE(verdict(good, seen), "");
}

TEST_F(Checker, finds_an_answer_that_is_missing_doubled_or_wrong) {
    seen.reported = true;
    const Asker asker = good.asked.begin()->first;
    seen.answers.erase(asker);
    EXPECT_NE(verdict(good, seen).find("no answer"), std::string::npos);
    seen.answers[asker] = {0, 0};
    EXPECT_NE(verdict(good, seen).find("2 times"), std::string::npos);
    seen.answers[asker] = {0};
    seen.sound.erase(some_copy());
    EXPECT_NE(verdict(good, seen).find("told that all is well"), std::string::npos);
    seen.answers[asker] = {1u << AckTimeout};
    EXPECT_EQ(verdict(good, seen), "");
}

}  // namespace
}  // namespace rdt::tb
