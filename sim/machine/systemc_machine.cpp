// SPDX-License-Identifier: MIT
#include "machine/systemc_machine.h"

#include <fmt/core.h>

#include <algorithm>

#include "Vrdt_router___024root.h"

namespace rdt::machine {

std::ostream& operator<<(std::ostream& out, const Wire& wire) {
    return out << fmt::format("d={:05x} oe={} req={} cred={}", wire.d, int(wire.oe), wire.req,
                              wire.cred);
}

void sc_trace(sc_core::sc_trace_file* file, const Wire& wire, const std::string& name) {
    sc_core::sc_trace(file, wire.d, name + ".d");
    sc_core::sc_trace(file, wire.oe, name + ".oe");
    sc_core::sc_trace(file, wire.req, name + ".req");
    sc_core::sc_trace(file, wire.cred, name + ".cred");
}

// A node's chip, whatever models it.
class SystemcMachine::Chip : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk_i{"clk_i"};
    sc_core::sc_in<bool> rst_ni{"rst_ni"};
    sc_core::sc_vector<sc_core::sc_in<Wire>> link_i{"link_i", NumPorts};
    sc_core::sc_vector<sc_core::sc_out<Wire>> link_o{"link_o", NumPorts};

    Chip(sc_core::sc_module_name name, const SystemcMachine& machine, uint32_t node)
        : sc_module(name), m_machine(machine), m_node(node) {
        SC_HAS_PROCESS(Chip);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
    }

    const core::Router::PinsIn& inputs() const { return m_in; }
    virtual const core::ChipState* state() const { return nullptr; }
    virtual RtlChip<Vrdt_router>* rtl() { return nullptr; }
    virtual bool err() const = 0;
    virtual size_t bytes() const = 0;

protected:
    virtual void edge(const core::Router::PinsIn& in, bool rst_n) = 0;
    virtual core::LinkPinsOut pins(uint32_t port) const = 0;

private:
    void clock() {
        for (uint32_t p = 0; p < NumPorts; ++p)
            m_in.link[p] = m_machine.seen(m_node, p, link_i[p].read());
        m_in.slice = m_machine.m_slices[m_node];
        edge(m_in, rst_ni.read());
        for (uint32_t p = 0; p < NumPorts; ++p) link_o[p].write(pins(p));
    }

    const SystemcMachine& m_machine;
    uint32_t m_node;
    core::Router::PinsIn m_in;
};

class SystemcMachine::CoreChip : public Chip {
public:
    using Chip::Chip;
    const core::ChipState* state() const override { return &m_core; }
    bool err() const override { return m_core.err(); }
    size_t bytes() const override { return sizeof *this; }

protected:
    void edge(const core::Router::PinsIn& in, bool rst_n) override {
        if (rst_n) m_core.clock(in);
        else m_core.reset();
    }
    core::LinkPinsOut pins(uint32_t port) const override { return m_core.pins(port); }

private:
    core::Router m_core;
};

class SystemcMachine::VerilatedChip : public Chip {
public:
    VerilatedChip(sc_core::sc_module_name name, SystemcMachine& machine, uint32_t node)
        : Chip(name, machine, node), m_chip(&machine.m_context, fmt::format("n{}", node)) {}
    RtlChip<Vrdt_router>* rtl() override { return &m_chip; }
    bool err() const override { return m_out.err; }
    size_t bytes() const override {
        return sizeof *this + sizeof(Vrdt_router) + sizeof(Vrdt_router___024root);
    }

protected:
    void edge(const core::Router::PinsIn& in, bool rst_n) override {
        m_chip.drive(in, rst_n);
        m_chip.edge();
        m_out = m_chip.pins();
    }
    core::LinkPinsOut pins(uint32_t port) const override { return m_out.link[port]; }

private:
    RtlChip<Vrdt_router> m_chip;
    ChipPins m_out;
};

class SystemcMachine::Mbp : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk_i{"clk_i"};
    sc_core::sc_in<bool> rst_ni{"rst_ni"};
    sc_core::sc_in<Wire> link_i{"link_i"};
    sc_core::sc_out<Wire> link_o{"link_o"};

    Mbp(sc_core::sc_module_name name, SystemcMachine& machine, uint32_t node, uint32_t m)
        : sc_module(name), m_machine(machine), m_node(node), m_m(m), m_end(machine.mbp(node, m)) {
        SC_HAS_PROCESS(Mbp);
        SC_METHOD(clock);
        sensitive << clk_i.pos();
        dont_initialize();
    }

private:
    void clock() {
        if (!rst_ni.read()) return;
        m_end.clock(m_machine.seen_by_mbp(m_node, m_m, link_i.read()), m_machine.now());
        link_o.write(m_end.pins());
    }

    const SystemcMachine& m_machine;
    uint32_t m_node;
    uint32_t m_m;
    Endpoint& m_end;
};

SystemcMachine::SystemcMachine(const Config& config)
    : Machine(config),
      m_clk("clk"),
      m_rst_n("rst_n"),
      m_wires("wire", size_t(nodes()) * NumPorts * 2),
      m_slices(nodes()) {
    for (uint32_t n = 0; n < nodes(); ++n) {
        const std::string name = fmt::format("n{}", n);
        const auto& verilated = config.rtl_nodes;
        if (std::find(verilated.begin(), verilated.end(), n) != verilated.end())
            m_chips.push_back(std::make_unique<VerilatedChip>(name.c_str(), *this, n));
        else m_chips.push_back(std::make_unique<CoreChip>(name.c_str(), *this, n));
        Chip& chip = *m_chips.back();
        chip.clk_i(m_clk);
        chip.rst_ni(m_rst_n);
        for (uint32_t p = 0; p < NumPorts; ++p) {
            chip.link_o[p](driven(n, p));
            if (is_network(p)) chip.link_i[p](driven(geometry().neighbour(n, p), opposite(p)));
        }
        for (uint32_t m = 0; m < 2; ++m) {
            m_mbps.push_back(
                std::make_unique<Mbp>(fmt::format("n{}_m{}", n, m).c_str(), *this, n, m));
            Mbp& end = *m_mbps.back();
            end.clk_i(m_clk);
            end.rst_ni(m_rst_n);
            end.link_i(driven(n, PortM0 + m));
            end.link_o(returned(n, m));
            chip.link_i[PortM0 + m](returned(n, m));
        }
    }
}

SystemcMachine::~SystemcMachine() = default;

void SystemcMachine::step(bool rst_n) {
    m_rst_n.write(rst_n);
    m_clk.write(true);
    sc_core::sc_start(1, sc_core::SC_NS);
    m_clk.write(false);
    sc_core::sc_start(1, sc_core::SC_NS);
    if (m_context.gotError()) throw MachineError("assertion in the RTL");
}

core::LinkPinsOut SystemcMachine::pins(uint32_t node, uint32_t port) const {
    return m_wires[(node * NumPorts + port) * 2].read();
}
bool SystemcMachine::err(uint32_t node) const { return m_chips[node]->err(); }
const core::ChipState* SystemcMachine::state(uint32_t node) const { return m_chips[node]->state(); }
std::vector<Face> SystemcMachine::faces(uint32_t node) {
    if (RtlChip<Vrdt_router>* rtl = m_chips[node]->rtl())
        return {rtl_face(*rtl, m_context, fmt::format("n{}", node))};
    return {model_face("systemc", *state(node))};
}
const core::Router::PinsIn& SystemcMachine::inputs(uint32_t node) const {
    return m_chips[node]->inputs();
}
size_t SystemcMachine::bytes() const {
    size_t sum = m_wires.size() * sizeof(sc_core::sc_signal<Wire>);
    for (const auto& chip : m_chips) sum += chip->bytes();
    return sum + 2 * nodes() * (sizeof(Mbp) + sizeof(Endpoint));
}

}  // namespace rdt::machine
