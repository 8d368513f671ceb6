// SPDX-License-Identifier: MIT
// The machine as SystemC modules: a chip and two MBPs at every node, and for every direction of
// every link one signal that carries all its pins. One process a module, at the rising clock edge;
// single nodes can be the Verilated RTL.
//
// systemc/rdt/router.h is the same chip with the RTL's ports. Here the pins of a link are one
// value, because a signal costs the kernel the same whether it is one bit or all of them.
#pragma once

#include <ostream>
#include <systemc>

#include <rdt/fast/router.h>
#include <rdt/machine/cosim/kernel.h>
#include <rdt/machine/machine.h>
#include <rdt/process.h>

namespace rdt::machine {

// What one end of a link drives.
struct Wire : core::LinkPinsOut {
    Wire() = default;
    Wire(const core::LinkPinsOut& pins) : core::LinkPinsOut(pins) {}
};
std::ostream& operator<<(std::ostream& out, const Wire& wire);
void sc_trace(sc_core::sc_trace_file* file, const Wire& wire, const std::string& name);

class SystemcMachine : public Machine {
public:
    // A node's chip, whatever models it.
    class Chip : public sc_core::sc_module {
    public:
        sc_core::sc_in<bool> clk_i{"clk_i"};
        sc_core::sc_in<bool> rst_ni{"rst_ni"};
        sc_core::sc_vector<sc_core::sc_in<Wire>> link_i{"link_i", NumPorts};
        sc_core::sc_vector<sc_core::sc_out<Wire>> link_o{"link_o", NumPorts};

        Chip(sc_core::sc_module_name name, const SystemcMachine& machine, uint32_t node);

        const core::PinsIn& inputs() const { return m_in; }
        virtual const fast::ChipState* state() const { return nullptr; }
        virtual Face face() = 0;
        virtual bool err() const = 0;
        virtual bool failed() const { return false; }  // an assertion
        virtual size_t bytes() const = 0;

    protected:
        virtual void edge(const core::PinsIn& in, bool rst_n) = 0;
        virtual core::LinkPinsOut pins(uint32_t port) const = 0;

    private:
        void clock();

        const SystemcMachine& m_machine;
        uint32_t m_node;
        core::PinsIn m_in;
    };
    // What makes the nodes that are RTL; sets itself where there is Verilator.
    using MakeRtlChip = std::unique_ptr<Chip> (*)(const char* name, const SystemcMachine& machine,
                                                  uint32_t node);
    static MakeRtlChip& rtl_chips();

    explicit SystemcMachine(const Config& config);
    ~SystemcMachine() override;

    core::LinkPinsOut pins(uint32_t node, uint32_t port) const override;
    bool err(uint32_t node) const override;
    const fast::ChipState* state(uint32_t node) const override;
    std::vector<Face> faces(uint32_t node) override;
    size_t bytes() const override;

    bool slice(uint32_t node) const { return state(node)->slice(); }  // not of a node that is RTL
    // What the other slice of the node shows from now on; 0 until told.
    void show_slice(uint32_t node, bool level) { m_slices[node] = level; }

protected:
    void step(bool rst_n) override;

    // What the chip of a node read at the last edge.
    const core::PinsIn& inputs(uint32_t node) const;

private:
    class CoreChip;
    class Mbp;

    sc_core::sc_signal<Wire>& driven(uint32_t node, uint32_t port) {
        return m_wires[(node * NumPorts + port) * 2];
    }
    sc_core::sc_signal<Wire>& returned(uint32_t node, uint32_t m) {
        return m_wires[(node * NumPorts + PortM0 + m) * 2 + 1];
    }

    Kernel m_kernel;
    sc_core::sc_signal<bool> m_clk;
    sc_core::sc_signal<bool> m_rst_n;
    sc_core::sc_vector<sc_core::sc_signal<Wire>> m_wires;
    std::vector<bool> m_slices;
    std::vector<std::unique_ptr<Chip>> m_chips;
    std::vector<const Chip*> m_verilated;  // of these
    std::vector<std::unique_ptr<Mbp>> m_mbps;
};

}  // namespace rdt::machine
