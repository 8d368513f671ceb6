// SPDX-License-Identifier: MIT
// Places cells in rows with short wires (after Kim, Lee, Markov, SimPL, 2012).
//
//     place FILE ROUNDS [FIRST]
//
// In every round cells first go where their wires are shortest and may overlap, then they are
// pulled apart, and the next time each is tied to where it came to, more and more. FIRST above 1
// begins in the middle, from the places in the file. Then rows, and small changes that make wires
// shorter. ROUNDS 0: rows and small changes alone. FILE is written by rtl/flow/sta/place.py; x and
// y of each cell are printed.
#include <cstdlib>

#include "detail.h"
#include "quadratic.h"
#include "rows.h"
#include "spread.h"

namespace {

constexpr double MostFull = 0.80;  // largest fill of any bin
constexpr double Tie = 0.01;       // grows by this each round
constexpr int Passes = 4;

}  // namespace

int main(int argc, char** argv) {
    using namespace rdt::place;
    if (argc < 3) {
        std::fprintf(stderr, "usage: place FILE ROUNDS [FIRST]\n");
        return 2;
    }
    Design design(argv[1]);
    const int rounds = std::atoi(argv[2]), first = argc > 3 ? std::atoi(argv[3]) : 1;
    Quadratic quadratic(design);
    std::array<Axis, 2> spread = design.at;
    if (rounds > 0 && first <= 1)
        for (int n = 0; n < 5; ++n)
            for (int axis : {0, 1}) quadratic.solve(axis, spread[size_t(axis)], 0);
    for (int n = first; n < first + rounds; ++n) {
        spread = Spread(design, MostFull)();
        for (int axis : {0, 1}) quadratic.solve(axis, spread[size_t(axis)], Tie * n);
        if (n % 10 == 0) std::fprintf(stderr, "round %d: %.3f m\n", n, design.wire() / 1e6);
    }
    if (rounds > 0) design.at = Spread(design, MostFull)();
    std::fprintf(stderr, "pulled apart: %.3f m\n", design.wire() / 1e6);
    Rows(design).legalise();
    std::fprintf(stderr, "in rows: %.3f m\n", design.wire() / 1e6);
    Detail detail(design);
    for (int n = 0; n < Passes; ++n) {
        detail.pass();
        std::fprintf(stderr, "pass %d: %.3f m\n", n + 1, design.wire() / 1e6);
    }
    for (Index i = 0; i < design.cells(); ++i)
        std::printf("%.3f %.3f\n", design.at[0][i], design.at[1][i]);
}
