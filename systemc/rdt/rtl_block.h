// SPDX-License-Identifier: MIT
// The RTL of a block in the place of its SystemC module: `Ports` are the block's ports, `Rtl` is
// the class that Verilator has made of it.
#pragma once

#include <functional>
#include <vector>

#include <rdt/rtl_pins.h>
#include <rdt/wires.h>

namespace rdt {

template <typename Ports, typename Rtl>
class rtl_block : public Ports {
public:
    template <typename Context>
    rtl_block(sc_core::sc_module_name name, Context* context)
        : Ports(name), m_rtl(context, this->name()) {
        SC_HAS_PROCESS(rtl_block);
        SC_METHOD(evaluate);
        this->each_port([this](auto& port, auto& pin) { attach(port, pin); }, m_rtl);
    }
    ~rtl_block() override { m_rtl.final(); }

private:
    // A rising edge shows the values before it: everything that changes because of it comes later.
    void evaluate() {
        for (const auto& show : m_inputs) show();
        m_rtl.eval();
        for (const auto& read : m_outputs) read();
    }

    template <unsigned W, typename Pin>
    void attach(in<W>& port, Pin& pin) {
        this->sensitive << port;
        m_inputs.push_back([&port, &pin] { pin = Pin(uint64_t(port.read())); });
    }
    template <unsigned W, typename Pin>
    void attach(out<W>& port, Pin& pin) {
        m_outputs.push_back([&port, &pin] { port.write(bits<W>(uint64_t(pin))); });
    }
    // Element i of a flat vector is [i*W +: W].
    template <unsigned W, typename Pin>
    void attach(ins<W>& ports, Pin& pin) {
        for (unsigned i = 0; i < ports.size(); ++i) {
            auto& port = ports[i];
            this->sensitive << port;
            m_inputs.push_back(
                [&port, &pin, i] { set_pin_slice(pin, i * W, W, uint64_t(port.read())); });
        }
    }
    template <unsigned W, typename Pin>
    void attach(outs<W>& ports, Pin& pin) {
        for (unsigned i = 0; i < ports.size(); ++i) {
            auto& port = ports[i];
            m_outputs.push_back(
                [&port, &pin, i] { port.write(bits<W>(pin_slice(pin, i * W, W))); });
        }
    }

    Rtl m_rtl;
    std::vector<std::function<void()>> m_inputs;
    std::vector<std::function<void()>> m_outputs;
};

}  // namespace rdt
