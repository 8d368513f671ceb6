// SPDX-License-Identifier: MIT
// A block with a bug: the lowest bit of one of its outputs is inverted while the output is not 0.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <rdt/block.h>

namespace rdt::tb::fuzz {

template <typename Ports>
class spoilt_block : public Ports {
public:
    // `output` counts all elements of all outputs, round and round.
    spoilt_block(sc_core::sc_module_name name, unsigned output,
                 const std::function<std::unique_ptr<Ports>(const char*)>& make)
        : Ports(name), m_block(make("block")) {
        unsigned outputs = 0;
        this->each_port([&outputs](auto& port, auto&) { outputs += count(port); }, *m_block);
        m_left = output % outputs;
        this->each_port([this](auto& port, auto& inner) { connect(port, inner); }, *m_block);
    }
    const std::string& spoilt() const { return m_spoilt; }

private:
    template <unsigned W>
    static unsigned count(in<W>&) {
        return 0;
    }
    template <unsigned W>
    static unsigned count(out<W>&) {
        return 1;
    }
    template <typename Port>
    static unsigned count(port_vector<Port>& ports) {
        return count(ports[0]) * unsigned(ports.size());
    }

    void write() { m_write(); }

    template <unsigned W>
    void connect(in<W>& port, in<W>& inner) {
        inner(port);
    }
    template <unsigned W>
    void connect(out<W>& port, out<W>& inner) {
        if (m_left-- != 0) {
            inner(port);
            return;
        }
        m_spoilt = port.basename();
        auto signal = std::make_shared<sc_core::sc_signal<bits<W>>>("right");
        inner(*signal);
        m_write = [this, signal, &port] {
            // A function of the value alone: a replica of the block on the same inputs is wrong
            // too.
            const uint64_t value = uint64_t(signal->read());
            port.write(value != 0 ? value ^ 1 : value);
        };
        RDT_HAS_PROCESS(spoilt_block);
        SC_METHOD(write);
        this->sensitive << *signal;
    }
    template <typename Port>
    void connect(port_vector<Port>& ports, port_vector<Port>& inner) {
        for (unsigned i = 0; i < ports.size(); ++i) connect(ports[i], inner[i]);
    }

    std::unique_ptr<Ports> m_block;
    unsigned m_left = 0;
    std::string m_spoilt;
    std::function<void()> m_write;
};

}  // namespace rdt::tb::fuzz
