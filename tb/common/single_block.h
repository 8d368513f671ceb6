// SPDX-License-Identifier: MIT
// A block that has no processes because it belongs inside another (systemc/rdt/block.h), by itself:
// with a process for its registers and its outputs.
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
        clock_registers(this, 0);
        this->comb();
    }
    // If it has some.
    template <typename Clocked>
    static auto clock_registers(Clocked* block, int) -> decltype(block->clock()) {
        if (block->clk_i.posedge()) block->clock();
    }
    template <typename Clocked>
    static void clock_registers(Clocked*, long) {}
};

}  // namespace rdt::tb
