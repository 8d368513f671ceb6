// SPDX-License-Identifier: MIT
// Single nodes of the SystemC machine that are the Verilated RTL.
#include <fmt/core.h>

#include "Vrdt_router.h"
#include "Vrdt_router___024root.h"
#include <rdt/machine/cosim/rtl_chip.h>
#include <rdt/machine/cosim/rtl_signals.h>
#include <rdt/machine/engines/systemc_machine.h>

namespace rdt::machine {

namespace {

class VerilatedChip : public SystemcMachine::Chip {
public:
    VerilatedChip(const char* name, const SystemcMachine& machine, uint32_t node)
        : Chip(name, machine, node), m_instance(name), m_chip(&m_context, m_instance) {}
    Face face() override { return rtl_face(m_chip, m_context, m_instance); }
    bool err() const override { return m_out.err; }
    bool failed() const override { return m_context.gotError(); }
    size_t bytes() const override {
        return sizeof *this + sizeof(Vrdt_router) + sizeof(Vrdt_router___024root);
    }

protected:
    void edge(const core::PinsIn& in, bool rst_n) override {
        m_chip.drive(in, rst_n);
        m_chip.edge();
        m_out = m_chip.pins();
    }
    core::LinkPinsOut pins(uint32_t port) const override { return m_out.link[port]; }

private:
    const std::string m_instance;
    VerilatedContext m_context;
    RtlChip<Vrdt_router> m_chip;
    ChipPins m_out;
};

const bool is_set = [] {
    SystemcMachine::rtl_chips() = [](const char* name, const SystemcMachine& machine,
                                     uint32_t node) -> std::unique_ptr<SystemcMachine::Chip> {
        return std::make_unique<VerilatedChip>(name, machine, node);
    };
    return true;
}();

}  // namespace

}  // namespace rdt::machine
