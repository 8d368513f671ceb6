// SPDX-License-Identifier: MIT
// The SystemC design (systemc/rdt/router.h) at every node. Everything in it can be seen; single
// nodes and kinds of blocks can be the Verilated RTL.
#pragma once

#include <systemc>

#include <rdt/blocks.h>
#include <rdt/cosim/module_chip.h>
#include <rdt/cosim/rtl_beside.h>
#include <rdt/cosim/rtl_blocks.h>
#include <rdt/machine/engines/array_machine.h>
#include <rdt/router.h>

namespace rdt::machine {

class SystemcRouters : public RouterArray {
public:
    // `parts` are the blocks of the routers, but for the kinds of config.rtl_blocks. Throws
    // std::invalid_argument for RTL that is not in this build, and as check_kinds().
    SystemcRouters(const Config& config, const std::vector<uint32_t>& nodes,
                   const blocks& parts = {});
    ~SystemcRouters() override;

    void settle(const std::vector<core::PinsIn>& in, bool rst_n) override;
    void edge() override;
    ChipPins pins(uint32_t router) const override;
    SignalView signal_view(uint32_t router) override;
    std::optional<uint32_t> failed() const override;
    size_t bytes() const override;

    bool has_insides() const override { return true; }
    // For a router that is not RTL; the RTL beside it gets the same pins from now on.
    std::vector<Inside> insides(uint32_t router) override;

    router& module(uint32_t router) { return m_chips[router]->chip->module(); }
    // After insides().
    RtlBeside& rtl_beside(uint32_t router) { return *m_beside[router]; }

private:
    // A router with a kernel of its own. The data of a router then stays in the caches through all
    // its delta cycles; one kernel for all routers would visit all of them in each.
    struct Chip {
        Kernel kernel;
        sc_core::sc_signal<bool> clk{"clk"};
        std::unique_ptr<ModuleChip<router>> chip;
        ChipPins pins;
    };
    void run(Chip& chip, bool clk);

    std::unique_ptr<RtlBlocks> m_rtl_blocks;
    std::vector<std::unique_ptr<Chip>> m_chips;  // none where the router is RTL
    std::unique_ptr<RouterArray> m_rtl;
    std::vector<uint32_t> m_rtl_at;  // which routers these are
    std::vector<std::optional<uint32_t>> m_rtl_number;
    std::vector<core::PinsIn> m_rtl_in;
    std::vector<std::unique_ptr<RtlBeside>> m_beside;
    bool m_is_clocked = false;
    bool m_rst_n = true;
};

// A machine of the SystemC design with custom blocks.
class SystemcMachine : public ArrayMachine {
public:
    explicit SystemcMachine(const Config& config, const blocks& parts = {});
    SystemcRouters& array() { return static_cast<SystemcRouters&>(*routers()); }
};

}  // namespace rdt::machine
