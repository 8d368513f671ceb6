// SPDX-License-Identifier: MIT
// A SystemC kernel that ends with its owner, so that one process can run many.
#pragma once

#include <systemc>

namespace rdt::machine {

// A kernel of its own for as long as it lives; modules must die before it. While a newer one lives,
// the older ones and their modules rest.
class Kernel {
public:
    Kernel()
        : m_current(sc_core::sc_curr_simcontext), m_global(sc_core::sc_default_global_context) {
        sc_core::sc_curr_simcontext = sc_core::sc_default_global_context =
            new sc_core::sc_simcontext();
    }
    ~Kernel() {
        delete sc_core::sc_curr_simcontext;
        sc_core::sc_curr_simcontext = m_current;
        sc_core::sc_default_global_context = m_global;
    }
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

private:
    sc_core::sc_simcontext* m_current;
    sc_core::sc_simcontext* m_global;
};

}  // namespace rdt::machine
