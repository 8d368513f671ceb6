// SPDX-License-Identifier: MIT
// Compares the routers of a machine with those of other engines (engines/router_check.h).
#pragma once

#include <string>
#include <vector>

#include <rdt/machine/router_array.h>
#include <rdt/machine/machine.h>

namespace rdt::machine {

class Check {
public:
    virtual ~Check() = default;

    // In every cycle, before the machine's step: the inputs for the coming edge. Returns whether
    // there are insides here that have settled.
    virtual bool settle(bool rst_n) = 0;
    // During the machine's step, when its routers have had their edge and nothing else has changed:
    // waits for routers that run in another thread. Throws MachineError for a difference of blocks.
    virtual void join() = 0;
    // After the machine's step: the edge. Throws MachineError for a difference.
    virtual void clock(bool rst_n) = 0;
    // When all insides have settled. Throws MachineError for a difference.
    virtual void compare_blocks() = 0;
    // A report of something wrong at a node, with the block to blame.
    virtual std::string explain(const std::string& report, uint32_t node) = 0;

    virtual std::vector<SignalView> signal_views(uint32_t node) = 0;
    virtual RouterArray* routers_with_insides() = 0;
    virtual size_t signals() const = 0;
    // For tests that inject a bug into them.
    virtual RouterArray& routers(Engine engine) = 0;
};

}  // namespace rdt::machine
