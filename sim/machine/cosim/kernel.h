// SPDX-License-Identifier: MIT
// A SystemC kernel that ends with its owner, so that one process can run many.
#pragma once

#include <stdexcept>
#include <systemc>
#include <utility>

namespace rdt::machine {

// A kernel of its own for as long as it lives; modules must die before it, and
// only one can live at a time.
class Kernel {
public:
    Kernel() {
        if (std::exchange(alive(), true)) throw std::logic_error("one SystemC kernel at a time");
        sc_core::sc_curr_simcontext = sc_core::sc_default_global_context =
            new sc_core::sc_simcontext();
    }
    ~Kernel() {
        delete sc_core::sc_curr_simcontext;
        sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = nullptr;
        alive() = false;
    }
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

private:
    static bool& alive() {
        static bool is_alive = false;
        return is_alive;
    }
};

}  // namespace rdt::machine
