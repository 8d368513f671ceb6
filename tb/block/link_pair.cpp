// SPDX-License-Identifier: MIT
// Two ends wired together: they come up in any order, re-synchronize without a loss, and
// resynchronize from disturbed pins; a stuck pin keeps them down.
#include "block/link_pair_bench.h"

namespace rdt::tb {

using link_pair = BlockTest;

// From the last end that is switched on: 32 cycles of an unanswered Zero, a call, idle cycles and
// announcements.
constexpr uint64_t UpWithin = 70;
// From the last trouble until everything is sent and every credit in hand: a lost credit is late
// after two slow ticks, which can happen once more with another that waits behind it.
constexpr uint64_t RestWithin = 5 * LinkPair::SlowTick + 400;

TEST_F(link_pair, comes_up_in_any_order_of_switching_on) {
    const TestRun run(40);
    LinkPair pair(run);
    for (uint64_t turn = 0; turn < run.cycles && !HasFailure(); ++turn) {
        SCOPED_TRACE("turn " + std::to_string(turn));
        for (uint32_t i = 0; i < 2; ++i) {
            pair.end(i).powered = pair.end(i).on = false;
            pair.end(i).book.close();
        }
        pair.run(2);
        uint64_t power[2];
        uint64_t on[2];
        for (uint32_t i = 0; i < 2; ++i) {
            power[i] = pair.rng.below(60);
            on[i] = pair.rng.chance(30) ? 0 : pair.rng.below(100);
        }
        const uint64_t last = std::max({power[0], power[1], on[0], on[1]});
        for (uint64_t t = 0; t <= last + UpWithin && !HasFailure(); ++t) {
            for (uint32_t i = 0; i < 2; ++i) {
                pair.end(i).powered = t >= power[i];
                pair.end(i).on = t >= on[i];
            }
            pair.clock();
            EXPECT_EQ(pair.end(0).ann(), pair.end(1).ann()) << "both in the same cycle";
            if (t < last) {
                EXPECT_FALSE(pair.both_up());
            }
        }
        EXPECT_TRUE(pair.both_up());
        pair.run(100);
        EXPECT_TRUE(pair.drain(RestWithin));
        for (uint32_t i = 0; i < 2; ++i) {
            EXPECT_EQ(pair.end(i).book.close(), 0u);
            EXPECT_EQ(pair.end(i).told_of(), 0u);
        }
    }
    EXPECT_EQ(pair.complaint(), "");
    EXPECT_GT(pair.end(0).received + pair.end(1).received, run.cycles);
}

// Ends are switched off and on, and buffers stay full until their credits are late.
TEST_F(link_pair, requested_link_recovery_loses_nothing_and_is_not_reported) {
    const TestRun run(40000);
    LinkPair pair(run);
    uint64_t falls = 0;
    bool was_up = false;
    while (pair.now() < run.cycles && !HasFailure()) {
        for (uint32_t i = 0; i < 2; ++i) {
            PairEnd& e = pair.end(i);
            if (pair.rng.below(300) == 0) e.on = !e.on;
            if (!e.on && pair.rng.below(60) == 0) e.on = true;
            if (pair.rng.below(400) == 0) e.drains = pair.rng.chance(50) ? 0 : 20;
        }
        pair.clock();
        EXPECT_EQ(pair.end(0).ann(), pair.end(1).ann());
        falls += was_up && !pair.both_up();
        was_up = pair.both_up();
    }
    for (uint32_t i = 0; i < 2; ++i) {
        pair.end(i).on = true;
        pair.end(i).drains = 20;
    }
    EXPECT_TRUE(pair.drain(RestWithin));
    for (uint32_t i = 0; i < 2; ++i) {
        EXPECT_EQ(pair.end(i).troubles, 0u);
        EXPECT_EQ(pair.end(i).owed, 0u);
        EXPECT_EQ(pair.end(i).bad_credits, 0u);
        EXPECT_EQ(pair.end(i).book.close(), 0u);
        EXPECT_GT(pair.end(i).received, run.cycles / 100);
    }
    EXPECT_EQ(pair.complaint(), "");
    EXPECT_EQ(pair.take_both_drive(), 0u);
    EXPECT_GT(falls, run.cycles / 1000);
}

TEST_F(link_pair, two_ends_that_are_switched_off_at_a_time_stop_under_load) {
    const TestRun run(50);
    LinkPair pair(run);
    for (uint64_t turn = 0; turn < run.cycles && !HasFailure(); ++turn) {
        pair.end(0).on = pair.end(1).on = true;
        pair.end(0).offers = pair.end(1).offers = 90;
        pair.run(UpWithin + pair.rng.below(100));
        EXPECT_TRUE(pair.both_up());
        pair.end(0).on = pair.end(1).on = false;
        pair.run(40);  // a packet of each end, and a void grant
        EXPECT_FALSE(pair.end(0).up() || pair.end(1).up());
    }
    pair.end(0).on = pair.end(1).on = true;
    EXPECT_TRUE(pair.drain(RestWithin));
    for (uint32_t i = 0; i < 2; ++i) EXPECT_EQ(pair.end(i).book.close(), 0u);
    EXPECT_EQ(pair.complaint(), "");
}

// A full buffer is late as well, but nothing was lost, and nothing is reported.
TEST_F(link_pair, buffer_that_stays_full_is_not_reported) {
    LinkPair pair{TestRun{}};
    pair.end(0).drains = pair.end(1).drains = 0;
    uint64_t falls = 0;
    bool was_up = false;
    for (int t = 0; t < 2000; ++t) {
        pair.clock();
        falls += was_up && !pair.both_up();
        was_up = pair.both_up();
    }
    EXPECT_GT(falls, 2u) << "they request again and again";
    for (uint32_t i = 0; i < 2; ++i) EXPECT_EQ(pair.end(i).told_of(), 0u);
    pair.end(0).drains = pair.end(1).drains = 20;
    EXPECT_TRUE(pair.drain(RestWithin));
    for (uint32_t i = 0; i < 2; ++i) EXPECT_EQ(pair.end(i).book.close(), 0u);
    EXPECT_EQ(pair.complaint(), "");
}

enum class Pin { Req, Cred, D };
Fault flip(Pin pin, Dice& rng) {
    Fault f;
    if (pin == Pin::Req) f.flip_req = 1u << rng.below(2);
    if (pin == Pin::Cred) f.flip_cred = 1u << rng.below(2);
    if (pin == Pin::D) f.flip_d = 1u << rng.below(18);
    return f;
}

struct FlipTotals {
    uint64_t flips = 0;
    uint64_t lost = 0;
    uint64_t most_lost = 0;
    uint64_t told = 0;
};

// Single flips at random times of random traffic. After each the link comes to rest by itself, with
// every credit in hand, and all losses reported.
FlipTotals flips(LinkPair& pair, Pin pin, uint64_t cycles) {
    FlipTotals totals;
    EXPECT_TRUE(pair.drain(RestWithin));
    while (pair.now() < cycles && !::testing::Test::HasFailure() && pair.complaint().empty()) {
        SCOPED_TRACE("flip " + std::to_string(totals.flips) + " in cycle " +
                     std::to_string(pair.now()));
        for (uint32_t i = 0; i < 2; ++i) {
            pair.end(i).offers = pair.rng.pick({2, 10, 90});
            pair.end(i).drains = pair.rng.pick({2, 20, 90});
            pair.end(i).troubles = pair.end(i).missed = pair.end(i).owed = 0;
        }
        pair.run(20 + pair.rng.below(60));
        const uint32_t end = pair.rng.below(2);
        pair.fault[end] = flip(pin, pair.rng);
        pair.clock();
        pair.fault[end] = {};
        pair.run(20 + pair.rng.below(60));
        for (uint32_t i = 0; i < 2; ++i) pair.end(i).drains = 50;
        EXPECT_TRUE(pair.drain(RestWithin));
        const uint64_t lost = pair.end(0).book.close() + pair.end(1).book.close();
        ++totals.flips;
        totals.lost += lost;
        totals.most_lost = std::max(totals.most_lost, lost);
        for (uint32_t i = 0; i < 2; ++i) totals.told += pair.end(i).told_of() != 0;
    }
    return totals;
}

TEST_F(link_pair, link_recovers_from_an_inverted_req_pin) {
    const TestRun run(60000);
    LinkPair pair(run);
    const FlipTotals t = flips(pair, Pin::Req, run.cycles);
    EXPECT_EQ(pair.complaint(), "");
    EXPECT_LE(t.most_lost, 4u);
    EXPECT_GT(t.flips, run.cycles / 2000);
    EXPECT_GT(t.lost, t.flips / 10) << "flips that do nothing prove nothing";
    EXPECT_GT(t.told, t.flips / 10);
}

TEST_F(link_pair, link_recovers_from_an_inverted_cred_pin_without_a_loss) {
    const TestRun run(60000);
    LinkPair pair(run);
    const FlipTotals t = flips(pair, Pin::Cred, run.cycles);
    EXPECT_EQ(pair.complaint(), "");
    EXPECT_EQ(t.lost, 0u);
    EXPECT_GT(t.flips, run.cycles / 2000);
    EXPECT_GT(t.told, t.flips / 100) << "a lost credit is reported";
}

TEST_F(link_pair, link_recovers_from_an_inverted_d_pin) {
    const TestRun run(60000);
    LinkPair pair(run);
    const FlipTotals t = flips(pair, Pin::D, run.cycles);
    EXPECT_EQ(pair.complaint(), "");
    EXPECT_LE(t.most_lost, 2u);
    EXPECT_GT(t.flips, run.cycles / 2000);
    EXPECT_GT(t.lost, t.flips / 20);
}

TEST_F(link_pair, stuck_pin_keeps_the_link_down_until_it_is_repaired) {
    LinkPair pair{TestRun{}};
    for (uint32_t end = 0; end < 2; ++end) {
        for (uint32_t which = 0; which < 8; ++which) {
            SCOPED_TRACE("end " + std::to_string(end) + " pin " + std::to_string(which));
            pair.restart();
            pair.run(UpWithin);
            ASSERT_TRUE(pair.both_up());
            Fault& f = pair.fault[end];
            uint32_t* const masks[] = {&f.set_req, &f.clear_req, &f.set_cred, &f.clear_cred};
            *masks[which / 2] = 1u << which % 2;
            pair.run(4 * LinkPair::SlowTick);
            for (uint32_t i = 0; i < 2; ++i) pair.end(i).troubles = 0;
            for (uint32_t t = 0; t < 10 * LinkPair::SlowTick && !HasFailure(); ++t) {
                pair.clock();
                EXPECT_FALSE(pair.end(0).up() || pair.end(1).up());
            }
            EXPECT_GT(pair.end(0).told_of() + pair.end(1).told_of(), 0u);
            for (uint32_t i = 0; i < 2; ++i) {
                EXPECT_LE(pair.end(i).missed, 1u) << "reported once, not forever";
                EXPECT_EQ(pair.end(i).troubles, 0u);
            }
            pair.fault[end] = {};
            pair.run(UpWithin + 32);
            EXPECT_TRUE(pair.both_up());
            EXPECT_TRUE(pair.drain(RestWithin));
            for (uint32_t i = 0; i < 2; ++i) pair.end(i).book.close();
            EXPECT_EQ(pair.complaint(), "");
        }
    }
}

// Mistakes put in on purpose: the books find them.

TEST_F(link_pair, silent_loss_is_detected) {
    const TestRun run(60000);
    LinkPair pair(run);
    pair.deaf = true;
    flips(pair, Pin::Req, run.cycles);
    EXPECT_EQ(pair.complaint().substr(0, 6), "silent");
}

TEST_F(link_pair, books_find_every_kind_of_mistake) {
    const Flits a = good_flits({TypeErr << 14 | 3u << 10, 1, 2, 3});
    const Flits b = good_flits({TypeErr << 14 | 3u << 10, 1, 4, 3});
    const auto complaint = [&](const std::function<void(LinkScoreboard&)>& what) {
        LinkScoreboard book;
        book.sent(10, 1, a);
        book.sent(20, 1, b);
        what(book);
        return book.complaint();
    };
    EXPECT_EQ(complaint([&](LinkScoreboard& l) {
                  l.arrived(1, a);
                  l.arrived(1, b);
                  EXPECT_EQ(l.close(), 0u);
              }),
              "");
    EXPECT_EQ(complaint([&](LinkScoreboard& l) {
                  l.arrived(1, b);
                  l.told(10);
                  EXPECT_EQ(l.close(), 1u);
              }),
              "");
    EXPECT_EQ(complaint([&](LinkScoreboard& l) { l.arrived(0, a); }), "made up") << "wrong VC";
    EXPECT_EQ(complaint([&](LinkScoreboard& l) {
                  l.arrived(1, good_flits({1, 1, 2, 3}));
              }),
              "made up");
    EXPECT_EQ(complaint([&](LinkScoreboard& l) {
                  l.arrived(1, a);
                  l.arrived(1, a);
              }),
              "twice");
    EXPECT_EQ(complaint([&](LinkScoreboard& l) {
                  l.arrived(1, b);
                  l.arrived(1, a);
              }),
              "order");
    Flits wrong = a;
    wrong[3] ^= 3;
    EXPECT_EQ(complaint([&](LinkScoreboard& l) { l.arrived(1, wrong); }), "wrong flit");
    wrong[3] ^= 1;
    EXPECT_EQ(complaint([&](LinkScoreboard& l) { l.arrived(1, wrong); }), "") << "it shows";
    EXPECT_EQ(complaint([&](LinkScoreboard& l) {
                  l.told(19);
                  l.arrived(1, a);
                  l.close();
              }),
              "silent")
        << "reported too early for the second";
}

}  // namespace rdt::tb
