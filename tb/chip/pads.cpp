// SPDX-License-Identifier: MIT
// Two packages of a node, wired as on its board (rtl/rdt_board.sv). Reset and shoot-down come at
// any phase of the cycle; where they come too close to an edge, the flip-flop that is caught
// settles to either value, in each package as it likes. Both slices leave reset, and halt, in the
// same cycle.
#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "Vrdt_pads.h"
#include "Vrdt_pads___024root.h"
#include "common/dice.h"
#include "common/run_options.h"

namespace rdt::tb {
namespace {

constexpr uint32_t Clock = 1000;  // phases of a cycle
constexpr uint32_t Window = 80;   // before an edge

enum Wiring { AsOnTheBoard, EachForItself };

class Board {
public:
    Board(Wiring wiring, uint64_t seed) : m_wiring(wiring), m_random(seed) {
        for (auto& slice : m_slice) {
            slice = std::make_unique<Vrdt_pads>(&m_context);
            slice->rst_ni = 0;
            slice->clk_i = 0;
        }
        settle();
    }
    ~Board() {
        for (auto& slice : m_slice) slice->final();
    }

    // Pins that change at a phase of this cycle, before its edge. Nothing else is in step with it.
    void reset(bool on, uint32_t phase) {
        m_rst_caught = !on && phase >= Clock - Window;
        for (auto& slice : m_slice) slice->rst_ni = !on;
        settle();
    }
    void shoot(bool on, uint32_t phase) {
        m_shoot_caught = phase >= Clock - Window;
        for (auto& slice : m_slice) slice->shoot_i = on;
        settle();
    }
    void edge() {
        set_clock(1);
        for (auto& slice : m_slice) {
            auto& root = *slice->rootp;
            if (m_rst_caught) root.rdt_pads__DOT__u_rst__DOT__meta_q = CData(m_random.below(2));
            if (m_shoot_caught) root.rdt_pads__DOT__u_shoot__DOT__meta_q = CData(m_random.below(2));
        }
        m_caught += uint64_t(m_rst_caught) + uint64_t(m_shoot_caught);
        m_rst_caught = m_shoot_caught = false;
        set_clock(0);
    }
    void edges(unsigned n) {
        for (; n != 0; --n) edge();
    }

    bool runs(int k) const { return m_slice[k]->rootp->rdt_pads__DOT__rst_q != 0; }
    bool halts(int k) const {
        return m_slice[k]->rootp->rdt_pads__DOT__u_router__DOT__u_local__DOT__u_shot__DOT__shot_q !=
               0;
    }
    bool drives() const {
        return m_slice[0]->rootp->rdt_pads__DOT__oe != 0 ||
               m_slice[1]->rootp->rdt_pads__DOT__oe != 0;
    }
    bool alike() const { return runs(0) == runs(1) && (!runs(0) || halts(0) == halts(1)); }
    uint64_t caught() const { return m_caught; }

private:
    void set_clock(CData level) {
        for (auto& slice : m_slice) slice->clk_i = level;
        for (auto& slice : m_slice) slice->eval();
        settle();
    }
    // The wires between the packages.
    void settle() {
        for (auto& slice : m_slice) slice->eval();
        for (size_t k = 0; k < m_slice.size(); ++k) {
            const Vrdt_pads& source = *m_slice[m_wiring == AsOnTheBoard ? 0 : k];
            m_slice[k]->rst_step_ni = source.rst_no;
            m_slice[k]->shoot_step_i = source.shoot_o;
            m_slice[k]->slice_i = m_slice[1 - k]->slice_o;
        }
        for (auto& slice : m_slice) slice->eval();
    }

    Wiring m_wiring;
    Dice m_random;
    VerilatedContext m_context;
    std::array<std::unique_ptr<Vrdt_pads>, 2> m_slice;
    bool m_rst_caught = false;
    bool m_shoot_caught = false;
    uint64_t m_caught = 0;
};

// Cycles in which the slices were not alike, in so many resets and shoot-downs.
uint64_t clocks_apart(Board& board, Dice& random, uint64_t trials) {
    uint64_t apart = 0;
    const auto clock = [&] {
        board.edge();
        apart += uint64_t(!board.alike());
    };
    for (uint64_t n = 0; n < trials; ++n) {
        board.reset(true, 0);
        EXPECT_FALSE(board.drives()) << "trial " << n;
        board.edges(random.below(3));  // or without a cycle
        board.reset(false, random.below(Clock));
        EXPECT_FALSE(board.drives()) << "trial " << n;
        for (int k = 0; k < 5; ++k) clock();
        EXPECT_TRUE(board.runs(0) && !board.halts(0)) << "trial " << n;
        board.shoot(true, random.below(Clock));
        clock();
        clock();
        board.shoot(false, random.below(Clock));
        for (int k = 0; k < 5; ++k) clock();
        EXPECT_TRUE(board.halts(0)) << "trial " << n;
    }
    return apart;
}

TEST(pads, both_slices_leave_reset_and_halt_in_the_same_cycle_at_10000_phases) {
    const uint64_t seed = seed_or(1);
    Board board(AsOnTheBoard, seed);
    Dice random(seed + 1);
    EXPECT_EQ(clocks_apart(board, random, 10000), 0u) << "seed=" << seed;
    EXPECT_GT(board.caught(), 1000u);
}

TEST(pads, packages_that_synchronise_for_themselves_are_found_apart) {
    const uint64_t seed = seed_or(2);
    Board board(EachForItself, seed);
    Dice random(seed + 1);
    EXPECT_GT(clocks_apart(board, random, 500), 10u) << "seed=" << seed;
}

TEST(pads, no_driver_is_on_without_clock_edges) {
    Board board(AsOnTheBoard, 3);
    EXPECT_FALSE(board.drives());
    board.reset(false, 0);  // ends before the first cycle
    EXPECT_FALSE(board.drives());
    board.edges(2);
    EXPECT_FALSE(board.drives());
    EXPECT_FALSE(board.runs(0) || board.runs(1));
}

}  // namespace
}  // namespace rdt::tb
