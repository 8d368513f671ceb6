// SPDX-License-Identifier: MIT
// A block of the chip: a SystemC module whose ports are not objects of the SystemC kernel. A chip
// has 4,600 ports; as sc_in and sc_out they would take 3 MB per chip, more than its caches hold.
// They are written like those of SystemC:
//     in<11> gnt_i{"gnt_i"};
//     SC_METHOD(leave);
//     sensitive << gnt_i << clk_i.pos();
//     u_slot.gnt_i(gnt_i);  // a port is bound to a signal, to a port of the block around it, or
//                           // to a pin of the chip
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <rdt/pins.h>
#include <rdt/wires.h>

namespace rdt {

// A port of a block, whatever its type.
class block_port {
public:
    block_port(const block_port&) = delete;
    block_port& operator=(const block_port&) = delete;

    const char* basename() const { return m_name; }
    bool is_element() const { return m_is_element; }
    virtual bool is_output() const = 0;
    virtual unsigned width() const = 0;
    virtual uint64_t value() const = 0;
    virtual const sc_core::sc_interface* channel() const = 0;
    // Finds the signal, after all ports are bound.
    virtual void connect() = 0;
    // Binds it to a signal of its own, for tests of a block alone.
    struct OwnSignal {
        std::function<uint64_t()> read;
        std::function<void(uint64_t)> write;
    };
    virtual OwnSignal bind_own_signal() = 0;

protected:
    block_port(const char* name, bool is_element) : m_name(name), m_is_element(is_element) {}
    ~block_port() = default;

private:
    const char* const m_name;
    const bool m_is_element;  // an element of the vector with this name
};

template <typename T>
class in_port;

class block : public sc_core::sc_module {
public:
    // In the order in which they were made; the elements of a vector follow each other.
    const std::vector<block_port*>& ports() const { return m_ports; }

    // For the ports themselves: one that is constructed, and an event that the process made last
    // waits for.
    void add(block_port& port) { m_ports.push_back(&port); }
    void watch(std::function<const sc_core::sc_event&()> event) {
        m_watched.push_back({sc_core::sc_get_last_created_process_handle(), std::move(event)});
    }
    // The block under construction.
    static block& current() {
        auto* now = dynamic_cast<block*>(sc_core::sc_get_current_object());
        if (now == nullptr) throw std::logic_error("a port of a block outside a block");
        return *now;
    }

protected:
    explicit block(sc_core::sc_module_name name) : sc_module(name) {}

    void end_of_elaboration() final {
        for (block_port* port : m_ports) port->connect();
        for (const Watched& one : m_watched) sensitive << one.process << one.event();
        std::vector<Watched>().swap(m_watched);
        m_ports.shrink_to_fit();
        elaborated();
    }
    // In place of end_of_elaboration().
    virtual void elaborated() {}

    // A clocked process that sleeps while it has nothing to do is not sensitive to the clock: in
    // each cycle the kernel visits all processes that are, sleeping or not. When it runs, it either
    // waits for the next edge or goes to sleep by next_trigger().
    void wait_for_edge(const in_port<bool>& clk);

private:
    struct Watched {
        sc_core::sc_process_handle process;
        std::function<const sc_core::sc_event&()> event;
    };
    std::vector<block_port*> m_ports;
    std::vector<Watched> m_watched;
};

// Both an input and an output can be read.
template <typename T>
class typed_port : public block_port {
public:
    using data_type = T;
    using channel_in = sc_core::sc_signal_in_if<T>;
    struct Rising {
        const typed_port* port;
    };

    const T& read() const { return *m_value; }
    uint64_t value() const final { return uint64_t(*m_value); }
    const sc_core::sc_interface* channel() const final { return signal(); }
    void connect() override { m_value = &signal()->read(); }

    const sc_core::sc_event& default_event() const { return signal()->default_event(); }
    const sc_core::sc_event& posedge_event() const { return signal()->posedge_event(); }
    const sc_core::sc_event& negedge_event() const { return signal()->negedge_event(); }
    bool posedge() const { return signal()->posedge(); }
    Rising pos() const { return {this}; }

    virtual const channel_in* signal() const = 0;

protected:
    using block_port::block_port;
    ~typed_port() = default;

private:
    const T* m_value = nullptr;
};

template <typename T>
sc_core::sc_sensitive& operator<<(sc_core::sc_sensitive& sensitive, const typed_port<T>& port) {
    block::current().watch([&port]() -> auto& { return port.default_event(); });
    return sensitive;
}
inline sc_core::sc_sensitive& operator<<(sc_core::sc_sensitive& sensitive,
                                         const typed_port<bool>::Rising& edge) {
    block::current().watch([port = edge.port]() -> auto& { return port->posedge_event(); });
    return sensitive;
}

// Where the signal of a port is: a function and its argument.
template <typename Channel>
class binding {
public:
    template <typename From>
    void set(From& from, Channel* (*find)(void*)) {
        m_from = const_cast<void*>(static_cast<const void*>(&from));
        m_find = find;
    }
    Channel* find() const { return m_find(m_from); }
    void check(const char* name) const {
        if (m_find == nullptr)
            throw std::logic_error(std::string("port ") + name + " is not bound");
    }

private:
    void* m_from = nullptr;
    Channel* (*m_find)(void*) = nullptr;
};

template <typename T>
class in_port : public typed_port<T> {
    using channel_in = const sc_core::sc_signal_in_if<T>;

public:
    bool is_output() const final { return false; }
    const channel_in* signal() const final { return m_binding.find(); }
    void connect() final {
        m_binding.check(this->basename());
        (*this)(*m_binding.find());
        typed_port<T>::connect();
    }

    void operator()(channel_in& signal) {
        m_binding.set(signal, [](void* from) { return static_cast<channel_in*>(from); });
    }
    void operator()(const typed_port<T>& port) {
        m_binding.set(port,
                      [](void* from) { return static_cast<const typed_port<T>*>(from)->signal(); });
    }
    void operator()(sc_core::sc_in<T>& pin) { bind_pin(pin); }
    void operator()(sc_core::sc_out<T>& pin) { bind_pin(pin); }

protected:
    using typed_port<T>::typed_port;
    ~in_port() = default;

private:
    template <typename Pin>
    void bind_pin(Pin& pin) {
        m_binding.set(
            pin, [](void* from) -> channel_in* { return static_cast<Pin*>(from)->operator->(); });
    }
    binding<channel_in> m_binding;
};

inline void block::wait_for_edge(const in_port<bool>& clk) { next_trigger(clk.posedge_event()); }

template <typename T>
class out_port : public typed_port<T> {
    using channel = sc_core::sc_signal_inout_if<T>;

public:
    bool is_output() const final { return true; }
    const sc_core::sc_signal_in_if<T>* signal() const final { return m_binding.find(); }
    void connect() final {
        m_binding.check(this->basename());
        (*this)(*m_binding.find());
        typed_port<T>::connect();
    }

    void operator()(channel& signal) {
        m_binding.set(signal, [](void* from) { return static_cast<channel*>(from); });
    }
    void operator()(out_port<T>& port) {
        m_binding.set(port,
                      [](void* from) { return static_cast<out_port*>(from)->m_binding.find(); });
    }
    void operator()(sc_core::sc_out<T>& pin) {
        m_binding.set(pin, [](void* from) -> channel* {
            return static_cast<sc_core::sc_out<T>*>(from)->operator->();
        });
    }

protected:
    using typed_port<T>::typed_port;
    ~out_port() = default;

    // A value that is already there is not written again.
    void write_bits(uint64_t value, unsigned width) {
        if (m_is_driven && value == m_last) return;
        m_is_driven = true;
        m_last = value;
        m_binding.find()->write(low_bits<T>(value, width));
    }

private:
    uint64_t m_last = 0;
    bool m_is_driven = false;
    binding<channel> m_binding;
};

#ifdef RDT_CHIP_IN_LIBRARY
extern template class in_port<bool>;
extern template class in_port<uint64_t>;
extern template class out_port<bool>;
extern template class out_port<uint64_t>;
#endif

template <unsigned W, template <typename> class Port>
class sized_port : public Port<bits<W>> {
public:
    explicit sized_port(const char* name, bool is_element = false)
        : Port<bits<W>>(name, is_element) {
        block::current().add(*this);
    }

    unsigned width() const final { return W; }
    block_port::OwnSignal bind_own_signal() final {
        const auto own = std::make_shared<sig<W>>();
        (*this)(*own);
        return {[own] { return uint64_t(own->read()); },
                [own](uint64_t value) { own->write(bits<W>(value)); }};
    }
};

template <unsigned W>
class in : public sized_port<W, in_port> {
public:
    using sized_port<W, in_port>::sized_port;
};
template <unsigned W>
class out : public sized_port<W, out_port> {
public:
    using sized_port<W, out_port>::sized_port;
    void write(uint64_t value) { this->write_bits(value, W); }
};

template <typename Port>
class port_vector : public fixed_vector<Port> {
public:
    port_vector(const char* name, size_t size)
        : fixed_vector<Port>(size, [name](void* place, size_t) { new (place) Port(name, true); }) {}
    const char* basename() const { return (*this)[0].basename(); }
    // A vector of signals, ports or pins.
    template <typename Others>
    void operator()(Others& others) {
        for (size_t i = 0; i < this->size(); ++i) (*this)[i](others[i]);
    }
};
template <unsigned W>
using ins = port_vector<in<W>>;
template <unsigned W>
using outs = port_vector<out<W>>;

}  // namespace rdt
