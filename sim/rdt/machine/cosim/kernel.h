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
        if (!m_is_abandoned) delete sc_core::sc_curr_simcontext;
        sc_core::sc_curr_simcontext = m_current;
        sc_core::sc_default_global_context = m_global;
    }
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    // It is not taken apart at its end. SystemC 2.3.4 searches all processes for each that goes:
    // with 64 chips of blocks, 16,000 of them, that takes a minute.
    void abandon() { m_is_abandoned = true; }

private:
    sc_core::sc_simcontext* m_current;
    sc_core::sc_simcontext* m_global;
    bool m_is_abandoned = false;
};

}  // namespace rdt::machine
