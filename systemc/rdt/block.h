// SPDX-License-Identifier: MIT
// A block of the chip: a SystemC module whose ports are not objects of the SystemC kernel. A chip
// has 4,600 ports; as sc_in and sc_out they would take 3 MB per chip, more than its caches hold.
// They are written like those of SystemC:
//     in<11> gnt_i{"gnt_i"};
//     SC_METHOD(leave);
//     sensitive << gnt_i << clk_i.pos();
//     u_slot.gnt_i(gnt_i);  // a port is bound to a signal, to a variable or a port of the block
//                           // around it, or to a pin of the chip
// A block inside another has no processes: the block around it calls its functions. The wires
// between the two are then variables (var<W>).
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
    // The signal or the variable, the same for all ports on it.
    virtual const void* wire() const = 0;
    virtual const sc_core::sc_event& default_event() const = 0;
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

// A wire inside a block, between it and the blocks in it: a value that changes at once, like a
// variable of VHDL. A signal of the kernel changes in the next delta cycle, takes an update and
// an event, and is an object of 200 bytes.
template <typename T>
class variable {
public:
    const T& read() const { return m_value; }
    operator const T&() const { return m_value; }

protected:
    T m_value{};
};

template <typename T>
class in_port;

class block : public sc_core::sc_module {
public:
    // In the order in which they were made; the elements of a vector follow each other.
    const std::vector<block_port*>& ports() const { return m_ports; }

    struct Variable {
        const char* name;
        unsigned width;
        bool is_element;  // belongs to the vector with this name
        const void* at;
        uint64_t (*read)(const void* at);
    };
    const std::vector<Variable>& variables() const { return m_variables; }
    void add(const Variable& variable) { m_variables.push_back(variable); }

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
        m_variables.shrink_to_fit();
        elaborated();
    }
    // In place of end_of_elaboration().
    virtual void elaborated() {}

private:
    struct Watched {
        sc_core::sc_process_handle process;
        std::function<const sc_core::sc_event&()> event;
    };
    std::vector<block_port*> m_ports;
    std::vector<Variable> m_variables;
    std::vector<Watched> m_watched;
};

template <unsigned W>
class var : public variable<bits<W>> {
    using T = bits<W>;

public:
    explicit var(const char* name, bool is_element = false) {
        block::current().add({name, W, is_element, this, [](const void* at) {
                                  return uint64_t(static_cast<const var*>(at)->read());
                              }});
    }
    var(const var&) = delete;
    var& operator=(const var&) = delete;
    void write(uint64_t value) { this->m_value = low_bits<T>(value, W); }
};
template <unsigned W>
class vars : public fixed_vector<var<W>> {
public:
    vars(const char* name, size_t size)
        : fixed_vector<var<W>>(size,
                               [name](void* place, size_t) { new (place) var<W>(name, true); }) {}
};

// The wire that a port is bound to: one of the two.
template <typename Channel, typename Value>
struct bound {
    Channel* signal = nullptr;
    Value* variable = nullptr;
};

// Both an input and an output can be read.
template <typename T>
class typed_port : public block_port {
public:
    using data_type = T;
    using channel_in = sc_core::sc_signal_in_if<T>;
    using source = bound<const channel_in, const T>;
    struct Rising {
        const typed_port* port;
    };

    const T& read() const { return *m_value; }
    uint64_t value() const final { return uint64_t(*m_value); }
    const void* wire() const final {
        const source from = bound_to();
        return from.signal != nullptr ? static_cast<const void*>(from.signal) : from.variable;
    }
    void connect() override {
        const source from = bound_to();
        m_value = from.signal != nullptr ? &from.signal->read() : from.variable;
    }

    const sc_core::sc_event& default_event() const final { return signal().default_event(); }
    const sc_core::sc_event& posedge_event() const { return signal().posedge_event(); }
    const sc_core::sc_event& negedge_event() const { return signal().negedge_event(); }
    bool posedge() const { return signal().posedge(); }
    Rising pos() const { return {this}; }

    virtual source bound_to() const = 0;

protected:
    using block_port::block_port;
    ~typed_port() = default;

    const T* m_value = nullptr;

private:
    const channel_in& signal() const {
        const source from = bound_to();
        if (from.signal == nullptr)
            throw std::logic_error(std::string("port ") + basename() +
                                   " is bound to a variable, which has no events");
        return *from.signal;
    }
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

// The wire that a port is bound to: a function that finds it, and its argument.
template <typename Bound>
class binding {
public:
    template <typename From>
    void set(From& from, Bound (*find)(void*)) {
        m_from = const_cast<void*>(static_cast<const void*>(&from));
        m_find = find;
    }
    Bound find() const { return m_find(m_from); }
    void check(const char* name) const {
        if (m_find == nullptr)
            throw std::logic_error(std::string("port ") + name + " is not bound");
    }

private:
    void* m_from = nullptr;
    Bound (*m_find)(void*) = nullptr;
};

template <typename T>
class in_port : public typed_port<T> {
    using channel = const sc_core::sc_signal_in_if<T>;
    using typename typed_port<T>::source;

public:
    bool is_output() const final { return false; }
    source bound_to() const final { return m_binding.find(); }
    void connect() final {
        m_binding.check(this->basename());
        const source from = m_binding.find();
        if (from.signal != nullptr) (*this)(*from.signal);
        typed_port<T>::connect();
    }

    void operator()(channel& signal) {
        m_binding.set(signal, [](void* from) {
            return source{static_cast<channel*>(from), nullptr};
        });
    }
    void operator()(const variable<T>& wire) {
        m_binding.set(wire, [](void* from) {
            return source{nullptr, &static_cast<const variable<T>*>(from)->read()};
        });
    }
    void operator()(const typed_port<T>& port) {
        m_binding.set(
            port, [](void* from) { return static_cast<const typed_port<T>*>(from)->bound_to(); });
    }
    void operator()(sc_core::sc_in<T>& pin) { bind_pin(pin); }
    void operator()(sc_core::sc_out<T>& pin) { bind_pin(pin); }

protected:
    using typed_port<T>::typed_port;
    ~in_port() = default;

private:
    template <typename Pin>
    void bind_pin(Pin& pin) {
        m_binding.set(pin, [](void* from) {
            return source{static_cast<Pin*>(from)->operator->(), nullptr};
        });
    }
    binding<source> m_binding;
};

template <typename T>
class out_port : public typed_port<T> {
    using channel = sc_core::sc_signal_inout_if<T>;
    using target = bound<channel, T>;

public:
    bool is_output() const final { return true; }
    typename typed_port<T>::source bound_to() const final {
        const target to = m_binding.find();
        return {to.signal, to.variable};
    }
    void connect() final {
        m_binding.check(this->basename());
        const target to = m_binding.find();
        if (to.signal != nullptr) (*this)(*to.signal);
        m_variable = to.variable;
        typed_port<T>::connect();
    }

    void operator()(channel& signal) {
        m_binding.set(signal, [](void* from) {
            return target{static_cast<channel*>(from), nullptr};
        });
    }
    void operator()(variable<T>& wire) {
        m_binding.set(wire, [](void* from) {
            return target{nullptr, const_cast<T*>(&static_cast<variable<T>*>(from)->read())};
        });
    }
    void operator()(out_port<T>& port) {
        m_binding.set(port,
                      [](void* from) { return static_cast<out_port*>(from)->m_binding.find(); });
    }
    void operator()(sc_core::sc_out<T>& pin) {
        m_binding.set(pin, [](void* from) {
            return target{static_cast<sc_core::sc_out<T>*>(from)->operator->(), nullptr};
        });
    }

protected:
    using typed_port<T>::typed_port;
    ~out_port() = default;

    // A signal that has the value already is not written again.
    void write_bits(uint64_t value, unsigned width) {
        if (m_variable != nullptr) {
            *m_variable = low_bits<T>(value, width);
        } else if (!m_is_driven || value != m_last) {
            m_is_driven = true;
            m_last = value;
            m_binding.find().signal->write(low_bits<T>(value, width));
        }
    }

private:
    T* m_variable = nullptr;
    uint64_t m_last = 0;
    bool m_is_driven = false;
    binding<target> m_binding;
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
