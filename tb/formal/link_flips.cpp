// SPDX-License-Identifier: MIT
// The RTL of two link ends (link_pair.sv) with one inverted pin in a random cycle of random
// traffic: both ends are up again within a bound, and a packet that was lost or never sent is
// reported, at the latest after the slow ticks that find a missing credit. RDT_SEED is the first
// seed, RDT_CYCLES the number of flips.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>

#include "Vrdt_link_pair_2f.h"
#include "Vrdt_link_pair_3.h"
#include "common/dice.h"
#include "common/run_options.h"

namespace rdt::tb {
namespace {

constexpr uint32_t Pins = 22, Bound = 64, Ticks = 5, TickEvery = 100;

struct Result {
    std::array<uint64_t, Pins> flips{}, lost{};
    uint64_t reported = 0, late = 0;  // late: at a slow tick
    uint32_t longest = 0;             // cycles from a flip until both ends are up for good
};

// One flip.
template <typename Model>
void run(Dice& dice, uint32_t vcs, Result& r) {
    VerilatedContext context;
    context.fatalOnError(false);
    context.randReset(2);
    context.randSeed(int(dice.bits(30)) + 1);
    Model m(&context);
    const std::array<uint32_t, 6> often = {dice.below(101), dice.below(101), dice.below(101),
                                           dice.below(101), dice.below(20),  dice.below(101)};
    const uint32_t at = dice.between(2, 250), pin = dice.below(Pins), calm = at + Bound + 40;
    const uint32_t last = calm + Ticks * TickEvery;
    auto both = [&](uint32_t percent) {
        return uint32_t(dice.chance(percent)) | uint32_t(dice.chance(percent)) << 1;
    };
    m.clk_i = 0;
    m.reset_i = m.slow_i = m.tick_i = m.sink_i = m.spoilt_i = 0;
    m.link_en_i = 3;
    m.flip_pin_i = pin;
    m.flip_end_i = dice.chance(50);
    uint32_t down = 0;
    bool told = false;
    for (uint32_t t = 0; t <= last; ++t) {
        m.cand_i = both(often[0]);
        m.gnt_i = both(often[1]);
        m.vc_i = dice.below(vcs) | dice.below(vcs) << 2;
        m.more_i = both(often[2]);
        m.empty_i = both(often[3]) | both(often[3]) << 2 | both(often[3]) << 4;
        m.ack_want_i = both(often[4]);
        m.late_i = both(often[5]);
        m.flip_i = t == at;
        if (t >= calm) {  // buffers are emptied, so credits are missing only if they are lost
            m.empty_i = 63;
            m.late_i = 0;
            m.slow_i = (t - calm) % TickEvery == 0 ? 3 : 0;
        }
        m.eval();
        if (t >= at && t < calm && m.up_o != 3) down = t - at;
        if (t == calm) told = m.told_o;
        m.clk_i = 1;
        m.eval();
        m.clk_i = 0;
        m.eval();
        ASSERT_FALSE(context.gotError())
            << "pin " << pin << " inverted in cycle " << at << ", in cycle " << t;
    }
    ASSERT_TRUE(m.told_o || !m.lost_o)
        << "pin " << pin << " inverted in cycle " << at << ": a silent loss";
    ASSERT_EQ(m.up_o, 3) << "pin " << pin << " inverted in cycle " << at
                         << ": down after the ticks";
    ++r.flips[pin];
    r.late += m.told_o && !told;
    r.lost[pin] += m.lost_o;
    r.reported += m.told_o;
    r.longest = std::max(r.longest, down + 1);
    m.final();
}

template <typename Model>
void all(uint32_t vcs, const char* name) {
    const uint64_t number = cycles_or(3000);
    Dice dice(seed_or(1));
    Result r;
    for (uint64_t n = 0; n < number && !::testing::Test::HasFatalFailure(); ++n)
        run<Model>(dice, vcs, r);
    uint64_t req = 0, cred = 0, data = 0;
    for (uint32_t p = 0; p < Pins; ++p) (p < 18 ? data : p < 20 ? cred : req) += r.lost[p];
    fmt::print(
        "{}: {} flips, {} reported, {} of them at a slow tick; packets lost by flips of REQ {}, "
        "CRED "
        "{}, D {}; both ends up after at most {} cycles\n",
        name, number, r.reported, r.late, req, cred, data, r.longest);
    EXPECT_LE(r.longest, Bound);
    EXPECT_GT(req, number / 1000);
    EXPECT_GT(data, number / 1000);
}

TEST(link_flips, recover_and_losses_are_reported) { all<Vrdt_link_pair_3>(3, "three VCs"); }
TEST(link_flips, recover_with_registered_pins) {
    all<Vrdt_link_pair_2f>(2, "two VCs, registered pins");
}

}  // namespace
}  // namespace rdt::tb
