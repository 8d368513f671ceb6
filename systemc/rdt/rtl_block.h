// SPDX-License-Identifier: MIT
// The RTL of a block, replacing its SystemC module: `Ports` are the block's ports, `Rtl` is the
// class that Verilator has made of it.
#pragma once

#include <functional>
#include <vector>

#include <rdt/core/rtl_pins.h>
#include <rdt/block.h>

namespace rdt {

// Ports beside the pins of a Verilated module.
class rtl_lines {
public:
    // The pins as the ports are, and the other way round.
    void show() {
        for (const auto& show : m_inputs) show();
    }
    void read() {
        for (const auto& read : m_outputs) read();
    }

    template <unsigned W, typename Pin>
    void attach(sc_core::sc_sensitive& sensitive, in<W>& port, Pin& pin) {
        sensitive << port;
        m_inputs.push_back([&port, &pin] { pin = Pin(uint64_t(port.read())); });
    }
    template <unsigned W, typename Pin>
    void attach(sc_core::sc_sensitive&, out<W>& port, Pin& pin) {
        m_outputs.push_back([&port, &pin] { port.write(uint64_t(pin)); });
    }
    // Element i of a flat vector is [i*w +: w], w being its width.
    template <unsigned W, typename Pin>
    void attach(sc_core::sc_sensitive& sensitive, ins<W>& ports, Pin& pin) {
        for (unsigned i = 0; i < ports.size(); ++i) {
            auto& port = ports[i];
            sensitive << port;
            m_inputs.push_back([&port, &pin, i] {
                set_pin_slice(pin, i * port.width(), port.width(), uint64_t(port.read()));
            });
        }
    }
    template <unsigned W, typename Pin>
    void attach(sc_core::sc_sensitive&, outs<W>& ports, Pin& pin) {
        for (unsigned i = 0; i < ports.size(); ++i) {
            auto& port = ports[i];
            m_outputs.push_back(
                [&port, &pin, i] { port.write(pin_slice(pin, i * port.width(), port.width())); });
        }
    }

private:
    std::vector<std::function<void()>> m_inputs;
    std::vector<std::function<void()>> m_outputs;
};

template <typename Ports, typename Rtl>
class rtl_block : public Ports {
public:
    template <typename Context>
    rtl_block(sc_core::sc_module_name name, Context* context)
        : Ports(name), m_rtl(context, this->name()) {
        RDT_HAS_PROCESS(rtl_block);
        SC_METHOD(evaluate);
        this->each_port(
            [this](auto& port, auto& pin) { m_lines.attach(this->sensitive, port, pin); }, m_rtl);
    }
    ~rtl_block() override { m_rtl.final(); }

private:
    // A rising edge shows the values before it: everything that changes because of it comes later.
    void evaluate() {
        m_lines.show();
        m_rtl.eval();
        m_lines.read();
    }

    Rtl m_rtl;
    rtl_lines m_lines;
};

}  // namespace rdt
