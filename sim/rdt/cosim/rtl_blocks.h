// SPDX-License-Identifier: MIT
// Blocks of the SystemC router that are Verilated RTL.
#pragma once

#include <memory>
#include <set>
#include <string>

#include <rdt/blocks.h>
#include <rdt/cosim/block_kinds.h>

namespace rdt::machine {

// Has to live as long as the routers that have blocks of it.
class RtlBlocks {
public:
    virtual ~RtlBlocks() = default;
    // A router of which these kinds of blocks are the RTL, all ten of a kind.
    virtual blocks in(const blocks& parts) = 0;
    // Errors of assertions are those of these blocks from now on.
    virtual void take_errors() = 0;
    virtual bool failed() const = 0;  // an assertion

    // Throws std::invalid_argument where the RTL of blocks is not linked, and as check_kinds().
    static std::unique_ptr<RtlBlocks> make(const std::set<std::string>& kinds);

    // Sets itself where the blocks are linked, or in the plug-in that has them.
    using Make = std::unique_ptr<RtlBlocks> (*)(const std::set<std::string>& kinds);
    static Make& maker();
};

}  // namespace rdt::machine
