// SPDX-License-Identifier: MIT
// A block of the chip: a SystemC module whose ports and processes are not objects of the SystemC
// kernel. A chip has 4,600 ports; as sc_in and sc_out they would take 3 MB per chip, more than its
// caches hold. They are written like those of SystemC:
//     in<11> gnt_i{"gnt_i"};
//     RDT_METHOD(leave);  // like SC_METHOD, which a block may have, too
//     sensitive << gnt_i << pkt_i;
//     RDT_CLOCKED(clock);  // at each rising edge of clk_i
//     u_slot.gnt_i(gnt_i);  // a port is bound to a wire (net, var), to a signal of the kernel, to
//                           // a port of the block around it, or to a pin of the chip
// A block inside another may have no processes: the block around it calls its functions. The wires
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
#include <rdt/scheduler.h>
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
    virtual const sc_core::sc_event& event_of(Edge edge) const = 0;
    // Before the start: what happens when its value changes.
    virtual void add(class scheduler& processes, Listener listener, bool is_clock) = 0;
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

protected:
    // What it is bound to.
    enum class Kind : uint8_t { None, Signal, Driven, Variable, Net, Port, PinIn, PinOut } m_kind{};
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

    class scheduler& scheduler() { return *m_scheduler; }

    // For the ports themselves: one that is constructed, and what the process made last waits for.
    void add(block_port& port) { m_ports.push_back(&port); }
    void watch(std::function<const sc_core::sc_event&()> event) {
        m_scheduler->share();
        m_watched.push_back({sc_core::sc_get_last_created_process_handle(), std::move(event)});
    }
    void watch(block_port& port, Edge edge) {
        if (has_own_process()) m_listening.push_back({&port, own_process(edge), false});
        else watch([&port, edge]() -> auto& { return port.event_of(edge); });
    }
    void watch(trigger& wire) {
        if (has_own_process()) m_scheduler->add(wire, own_process(Edge::Any));
        else watch([this, &wire]() -> auto& { return m_scheduler->event_of(wire, Edge::Any); });
    }
    // The block under construction.
    static block& current() {
        auto* now = dynamic_cast<block*>(sc_core::sc_get_current_object());
        if (now == nullptr) throw std::logic_error("a port of a block outside a block");
        return *now;
    }

protected:
    explicit block(sc_core::sc_module_name name) : sc_module(name) {
        if (auto* around = dynamic_cast<block*>(get_parent_object())) {
            m_scheduler = around->m_scheduler;
            return;
        }
        m_own_scheduler = std::make_unique<class scheduler>("scheduler");
        m_scheduler = m_own_scheduler.get();
        RDT_HAS_PROCESS(block);
        SC_METHOD(run_processes);
        sensitive << m_scheduler->next_delta();
        m_kernel_process = sc_core::sc_get_last_created_process_handle();
    }

    // RDT_METHOD and RDT_CLOCKED.
    template <auto Function, typename Block>
    void add_method(Block* self) {
        m_process = m_scheduler->add_process(
            [](void* at) { (static_cast<Block*>(at)->*Function)(); }, self, false);
        m_before_process = last_kernel_process();
        m_has_process = true;
    }
    template <auto Function, typename Block>
    void add_clocked(Block* self) {
        m_clocked_process = m_scheduler->add_process(
            [](void* at) { (static_cast<Block*>(at)->*Function)(); }, self, true);
        m_listening.push_back(
            {&self->clk_i, {m_clocked_process, Listener::Run, Edge::Rising}, true});
    }
    // The clocked process is not called at the edges until one of its wake-up ports has changed.
    void sleep() { m_scheduler->sleep(m_clocked_process); }
    void wake_up(block_port& port, Edge edge = Edge::Any) {
        m_listening.push_back({&port, {m_clocked_process, Listener::Wake, edge}, false});
    }

    void end_of_elaboration() final {
        for (block_port* port : m_ports) port->connect();
        for (const Watched& one : m_watched) sensitive << one.process << one.event();
        std::vector<Watched>().swap(m_watched);
        for (const Listening& one : m_listening) one.port->add(*m_scheduler, one.listener, one.is_clock);
        std::vector<Listening>().swap(m_listening);
        m_ports.shrink_to_fit();
        m_variables.shrink_to_fit();
    }
    void start_of_simulation() final {
        if (m_own_scheduler) {
            m_own_scheduler->start();
            for (const sc_core::sc_event* event : m_own_scheduler->input_events())
                sensitive << m_kernel_process << *event;
        }
        started();
    }
    // In place of start_of_simulation().
    virtual void started() {}

private:
    struct Watched {
        sc_core::sc_process_handle process;
        std::function<const sc_core::sc_event&()> event;
    };
    struct Listening {
        block_port* port;
        Listener listener;
        bool is_clock;
    };
    // The process that was made last is one of RDT_METHOD.
    bool has_own_process() const {
        return m_has_process && m_before_process == last_kernel_process();
    }
    static const sc_core::sc_object* last_kernel_process() {
        return sc_core::sc_get_last_created_process_handle().get_process_object();
    }
    Listener own_process(Edge edge) const { return {m_process, Listener::Run, edge}; }
    void run_processes() { m_scheduler->run(); }

    std::vector<block_port*> m_ports;
    std::vector<Variable> m_variables;
    std::vector<Watched> m_watched;
    std::vector<Listening> m_listening;
    std::unique_ptr<class scheduler> m_own_scheduler;  // the outermost block has it
    class scheduler* m_scheduler;
    sc_core::sc_process_handle m_kernel_process;  // of the outermost block
    const sc_core::sc_object* m_before_process = nullptr;  // when the own process was made
    uint16_t m_process = 0, m_clocked_process = 0;
    bool m_has_process = false;
};

#define RDT_METHOD(function) \
    this->template add_method<&std::remove_pointer_t<decltype(this)>::function>(this)
#define RDT_CLOCKED(function) \
    this->template add_clocked<&std::remove_pointer_t<decltype(this)>::function>(this)

// RDT_METHODs that are sensitive to it run in the next delta cycle after notify().
class delta_event : public trigger {
public:
    delta_event() : m_scheduler(block::current().scheduler()) {}
    void notify() { m_scheduler.notify(*this); }

private:
    class scheduler& m_scheduler;
};
inline sc_core::sc_sensitive& operator<<(sc_core::sc_sensitive& sensitive, trigger& wire) {
    block::current().watch(wire);
    return sensitive;
}

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

template <unsigned W>
class net : public net_value<bits<W>> {
    using T = bits<W>;

public:
    explicit net(const char* name, bool is_element = false)
        : net_value<T>(block::current().scheduler()) {
        block::current().add({name, W, is_element, static_cast<const variable<T>*>(this),
                              [](const void* at) {
                                  return uint64_t(static_cast<const variable<T>*>(at)->read());
                              }});
    }
    void write(uint64_t value) { this->write_value(low_bits<T>(value, W)); }
};
template <unsigned W>
class nets : public fixed_vector<net<W>> {
public:
    nets(const char* name, size_t size)
        : fixed_vector<net<W>>(size,
                               [name](void* place, size_t) { new (place) net<W>(name, true); }) {}
};

// What a port is bound to: one of the two.
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
    void write(uint64_t value) { this->write_bits(low_bits<bits<W>>(value, W)); }
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
