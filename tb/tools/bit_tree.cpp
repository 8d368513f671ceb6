// SPDX-License-Identifier: MIT
// Exit code 1 if a value of bit_tree is wrong.
#include "Vbit_tree.h"

int main() {
    Vbit_tree t;
    bool wrong = false;
    for (int mc = 0; mc < 2; ++mc) {
        t.x_i = 0xFF;
        t.mc_i = mc;
        t.hidx_i = t.as_is_i = t.clk_i = 0;
        t.eval();
        t.clk_i = 1;
        t.eval();
        for (int hidx = 0; hidx < 4; ++hidx)
            for (int as_is = 0; as_is < 2; ++as_is) {
                t.hidx_i = hidx;
                t.as_is_i = as_is;
                t.eval();
                wrong = wrong || t.o != (hidx == 2 && !as_is && mc ? 0xFF : 0);
            }
    }
    return wrong;
}
