// SPDX-License-Identifier: MIT
// The ports of blocks. The last part of block.h.
#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

namespace rdt {

// The wire of a port: one of the two.
template <typename Channel, typename Value>
struct bound {
    Channel* signal = nullptr;
    Value* variable = nullptr;
    bool is_net = false;  // the variable is one
};

// Both an input and an output can be read.
template <typename T>
class typed_port : public block_port {
public:
    using data_type = T;
    using channel_in = sc_core::sc_signal_in_if<T>;
    using source = bound<const channel_in, const variable<T>>;
    struct Rising {
        typed_port* port;
    };

    const T& read() const { return *m_value; }
    uint64_t value() const final { return uint64_t(*m_value); }
    const void* wire() const final {
        const source from = bound_to();
        return from.signal != nullptr ? static_cast<const void*>(from.signal) : from.variable;
    }
    void connect() override {
        if (m_kind == Kind::None)
            throw std::logic_error(std::string("port ") + basename() + " is not bound");
        const source from = bound_to();
        m_value = from.signal != nullptr ? &from.signal->read() : &from.variable->read();
    }

    const sc_core::sc_event& default_event() const final { return event_of(Edge::Any); }
    const sc_core::sc_event& event_of(Edge edge) const final;
    void add(class scheduler& processes, Listener listener, bool is_clock) final;
    bool posedge() const { return bound_to().signal->posedge(); }
    Rising pos() { return {this}; }

    virtual source bound_to() const = 0;

protected:
    using block_port::block_port;
    ~typed_port() = default;

    template <typename From>
    void bind(From& from, Kind kind) {
        m_from = const_cast<void*>(static_cast<const void*>(&from));
        m_kind = kind;
    }
    // The signal or pin it is bound to.
    template <typename Channel>
    Channel* signal_on() const {
        switch (m_kind) {
        case Kind::Signal: return static_cast<Channel*>(m_from);
        case Kind::PinIn: return as_channel<Channel>(*static_cast<sc_core::sc_in<T>*>(m_from));
        case Kind::PinOut: return as_channel<Channel>(*static_cast<sc_core::sc_out<T>*>(m_from));
        default: return nullptr;
        }
    }

    const T* m_value = nullptr;
    void* m_from = nullptr;

private:
    template <typename Channel, typename Pin>
    static Channel* as_channel(Pin& pin) {
        if constexpr (std::is_convertible_v<decltype(pin.operator->()), Channel*>)
            return pin.operator->();
        else return nullptr;  // an input is no output
    }
    // Throws std::logic_error for a variable.
    net_value<T>& net_of(const source& from) const {
        if (!from.is_net)
            throw std::logic_error(std::string("port ") + basename() +
                                   " is bound to a variable, which has no events");
        return const_cast<net_value<T>&>(static_cast<const net_value<T>&>(*from.variable));
    }
};

template <typename T>
const sc_core::sc_event& typed_port<T>::event_of(Edge edge) const {
    const source from = bound_to();
    if (from.signal != nullptr) {
        if constexpr (std::is_same_v<T, bool>) {
            if (edge == Edge::Rising) return from.signal->posedge_event();
            if (edge == Edge::Falling) return from.signal->negedge_event();
        }
        return from.signal->default_event();
    }
    net_value<T>& net = net_of(from);
    return net.scheduler().event_of(net, edge);
}
template <typename T>
void typed_port<T>::add(class scheduler& processes, Listener listener, bool is_clock) {
    const source from = bound_to();
    if (from.signal != nullptr) processes.add(*from.signal, listener, is_clock);
    else processes.add(net_of(from), listener);
}

template <typename T>
sc_core::sc_sensitive& operator<<(sc_core::sc_sensitive& sensitive, typed_port<T>& port) {
    block::current().watch(port, Edge::Any);
    return sensitive;
}
inline sc_core::sc_sensitive& operator<<(sc_core::sc_sensitive& sensitive,
                                         const typed_port<bool>::Rising& edge) {
    block::current().watch(*edge.port, Edge::Rising);
    return sensitive;
}

template <typename T>
class in_port : public typed_port<T> {
    using channel = const sc_core::sc_signal_in_if<T>;
    using typename typed_port<T>::source;
    using typename block_port::Kind;

public:
    bool is_output() const final { return false; }
    source bound_to() const final {
        switch (this->m_kind) {
        case Kind::Variable: return {nullptr, static_cast<const variable<T>*>(this->m_from)};
        case Kind::Net: return {nullptr, static_cast<const net_value<T>*>(this->m_from), true};
        case Kind::Port: return static_cast<const typed_port<T>*>(this->m_from)->bound_to();
        default: return {this->template signal_on<channel>()};
        }
    }

    void operator()(channel& signal) { this->bind(signal, Kind::Signal); }
    void operator()(const variable<T>& wire) { this->bind(wire, Kind::Variable); }
    void operator()(const net_value<T>& wire) { this->bind(wire, Kind::Net); }
    void operator()(const typed_port<T>& port) { this->bind(port, Kind::Port); }
    void operator()(sc_core::sc_in<T>& pin) { this->bind(pin, Kind::PinIn); }
    void operator()(sc_core::sc_out<T>& pin) { this->bind(pin, Kind::PinOut); }

protected:
    using typed_port<T>::typed_port;
    ~in_port() = default;
};

template <typename T>
class out_port : public typed_port<T> {
    using channel = sc_core::sc_signal_inout_if<T>;
    using typename block_port::Kind;

public:
    bool is_output() const final { return true; }
    typename typed_port<T>::source bound_to() const final {
        const target to = find();
        return {to.signal, to.variable, to.is_net};
    }
    void connect() final {
        typed_port<T>::connect();
        const target to = find();
        if (to.is_net) (*this)(static_cast<net_value<T>&>(*to.variable));
        else if (to.signal == nullptr) (*this)(*to.variable);
        else if (this->m_kind != Kind::Driven) this->bind(*new Driven(*to.signal), Kind::Driven);
    }

    void operator()(channel& signal) { this->bind(signal, Kind::Signal); }
    void operator()(variable<T>& wire) { this->bind(wire, Kind::Variable); }
    void operator()(net_value<T>& wire) { this->bind(wire, Kind::Net); }
    void operator()(out_port<T>& port) { this->bind(port, Kind::Port); }
    void operator()(sc_core::sc_out<T>& pin) { this->bind(pin, Kind::PinOut); }

protected:
    using typed_port<T>::typed_port;
    ~out_port() {
        if (this->m_kind == Kind::Driven) delete static_cast<Driven*>(this->m_from);
    }

    void write_bits(T value) {
        if (this->m_kind == Kind::Net) static_cast<net_value<T>*>(this->m_from)->write_value(value);
        else if (this->m_kind == Kind::Variable) const_cast<T&>(*this->m_value) = value;
        else static_cast<Driven*>(this->m_from)->write(value);
    }

private:
    using target = bound<channel, variable<T>>;
    // A signal of the kernel that has the value already is not written again.
    struct Driven {
        explicit Driven(channel& to) : signal(to) {}
        void write(T value) {
            if (is_driven && value == last) return;
            is_driven = true;
            last = value;
            signal.write(value);
        }
        channel& signal;
        T last{};
        bool is_driven = false;
    };
    target find() const {
        switch (this->m_kind) {
        case Kind::Variable: return {nullptr, static_cast<variable<T>*>(this->m_from)};
        case Kind::Net: return {nullptr, static_cast<net_value<T>*>(this->m_from), true};
        case Kind::Port: return static_cast<const out_port*>(this->m_from)->find();
        case Kind::Driven: return {&static_cast<Driven*>(this->m_from)->signal};
        default: return {this->template signal_on<channel>()};
        }
    }
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
        : Port<bits<W>>(name, block::current().bits_of(W), is_element) {
        block::current().add(*this);
    }

    block_port::OwnSignal bind_own_signal() final {
        const auto own =
            std::make_shared<wire<bits<W>>>(sc_core::sc_gen_unique_name("wire"), this->width());
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
    void write(uint64_t value) {
        this->write_bits(low_bits<bits<W>>(value, W < TagW ? W : this->width()));
    }
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
