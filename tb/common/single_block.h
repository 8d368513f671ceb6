// SPDX-License-Identifier: MIT
// A block that has no processes because it belongs inside another (systemc/rdt/block.h), by itself:
// with a process that clocks and evaluates it.
#pragma once

#include <rdt/block.h>

namespace rdt::tb {

template <typename Block>
class single_block : public Block {
public:
    template <typename... Args>
    explicit single_block(sc_core::sc_module_name name, const Args&... args)
        : Block(name, args...) {
        RDT_HAS_PROCESS(single_block);
        SC_METHOD(evaluate);
        for (block_port* port : this->ports())
            if (!port->is_output())
                this->watch([port]() -> auto& { return port->default_event(); });
    }

private:
    void evaluate() {
        clock(*this);
        this->comb();
    }
    // If it has registers.
    template <typename Clocked>
    static auto clock(Clocked& block) -> decltype(block.Block::clock()) {
        if (block.clk_i.posedge()) block.Block::clock();
    }
    static void clock(...) {}
};

}  // namespace rdt::tb
