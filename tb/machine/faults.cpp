// SPDX-License-Identifier: MIT
// Faults on the links of the 64-node machine, one per run: an inverted bit of a header, a body, REQ
// or CRED, a cut link, a node without outputs. The observations of the MBPs are compared with the
// same run without the fault. Each fault has to end in delivery or in a report, within the
// time-outs; and after that all links are up again but those that are cut, no credit is away, and
// no buffer is held but, without Ctrl.Sink, by packets that wait for a cut link.
#include <gtest/gtest.h>

#include "common/run_options.h"
#include "machine/fault_run.h"

namespace rdt::tb {
namespace {

struct Count {
    uint64_t faults = 0;
    uint64_t unseen = 0;     // all delivered, nothing reported
    uint64_t delivered = 0;  // and reported
    uint64_t lost = 0;       // and reported
};

struct Case {
    FaultKind kind;
    int faults;
    bool sink = false;
};

class Faults : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(faults, Faults,
                         ::testing::Values(Case{FaultKind::Header, 750}, Case{FaultKind::Body, 600},
                                           Case{FaultKind::Req, 650}, Case{FaultKind::Cred, 400},
                                           Case{FaultKind::Cut, 100}, Case{FaultKind::Dead, 50},
                                           Case{FaultKind::Cut, 50, true},
                                           Case{FaultKind::Dead, 50, true}),
                         [](const auto& p) {
                             return to_string(p.param.kind) +
                                    std::string(p.param.sink ? "_with_sink" : "");
                         });

TEST_P(Faults, each_ends_in_delivery_or_a_report) {
    constexpr int PerTraffic = 50;
    const uint64_t seed = seed_or(1);
    Count count;
    const int faults = GetParam().faults * int(from_environment("RDT_TIMES", 1));
    for (int n = 0; n < faults; n += PerTraffic) {
        const uint64_t traffic = seed * 1000 + uint64_t(n / PerTraffic);
        const Seen good = FaultRun(traffic, std::nullopt)();
        ASSERT_FALSE(good.reported) << "traffic " << traffic;
        ASSERT_GT(good.asked.size(), 3u);
        Dice random(traffic);
        for (int k = 0; k < PerTraffic; ++k) {
            Fault fault{GetParam().kind, 10 + random.below(FaultRun::SendingEnds), random.bits(32)};
            fault.sink = GetParam().sink;
            fault.outlasts_acks = k == 0;
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
    // Any copy of a multicast that requests an ack.
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
    EXPECT_NE(verdict(good, seen).find("silent loss"), std::string::npos);
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
    EXPECT_NE(verdict(good, seen).find("got an ack without error"), std::string::npos);
    seen.answers[asker] = {1u << AckTimeout};
    EXPECT_EQ(verdict(good, seen), "");
}

}  // namespace
}  // namespace rdt::tb
