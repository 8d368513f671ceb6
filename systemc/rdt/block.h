// SPDX-License-Identifier: MIT
// A block of the chip: a SystemC module whose ports and processes are not objects of the SystemC
// kernel. A chip has 4,600 ports; as sc_in and sc_out they would take 3 MB per chip, more than its
// caches hold. They are written like those of SystemC:
//     in<11> gnt_i{"gnt_i"};
//     RDT_METHOD(leave);  // like SC_METHOD, which a block may have, too
//     sensitive << gnt_i << m_clocked;  // ports, wires, pins, and events (delta_event)
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

#include <rdt/banks.h>
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
    unsigned width() const { return m_width; }
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
    block_port(const char* name, unsigned width, bool is_element)
        : m_name(name), m_width(uint8_t(width)), m_is_element(is_element) {}
    ~block_port() = default;

private:
    const char* const m_name;
    const uint8_t m_width;
    const bool m_is_element;  // an element of the vector with this name

protected:
    // The kind of wire it is bound to.
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

    class scheduler& scheduler() {
        return *m_scheduler;
    }

    // Ack entries of the chip, and whether they are in banks.
    uint32_t num_entries() const { return m_num_entries; }
    bool is_banked() const { return has_banks(m_num_entries); }
    // A width, or what stands for one that depends on them (banks.h).
    unsigned bits_of(unsigned width) const { return width_of(width, m_num_entries); }

    // For the ports themselves: one that is constructed, and the triggers of the process made last.
    void add(block_port& port) { m_ports.push_back(&port); }
    void watch(std::function<const sc_core::sc_event&()> event) {
        m_scheduler->share();
        m_watched.push_back({sc_core::sc_get_last_created_process_handle(), std::move(event)});
    }
    void watch(block_port& port, Edge edge) {
        if (has_own_process()) m_listening.push_back({&port, own_process(edge), false});
        else watch([&port, edge ]() -> auto& { return port.event_of(edge); });
    }
    void watch(trigger& wire) {
        if (has_own_process()) m_scheduler->add(wire, own_process(Edge::Any));
        else watch([ this, &wire ]() -> auto& { return m_scheduler->event_of(wire, Edge::Any); });
    }
    // An input pin of the chip. Returns whether the process made last is one of RDT_METHOD.
    template <typename T>
    bool watch(pin_in_port<T>& pin) {
        if (!has_own_process()) return false;
        m_pins.push_back([this, &pin, listener = own_process(Edge::Any)] {
            m_scheduler->add(*pin.operator->(), listener, false);
        });
        return true;
    }
    // The block under construction.
    static block& current() {
        auto* now = dynamic_cast<block*>(sc_core::sc_get_current_object());
        if (now == nullptr) throw std::logic_error("a port of a block outside a block");
        return *now;
    }

protected:
    // A block in another one is of the same chip, with the same number of entries.
    explicit block(sc_core::sc_module_name name, uint32_t entries = 0) : sc_module(name) {
        auto* around = dynamic_cast<block*>(get_parent_object());
        m_num_entries = around != nullptr ? around->m_num_entries : NumEntries;
        if (entries != 0) m_num_entries = entries;
        if (around != nullptr) {
            m_scheduler = around->m_scheduler;
            return;
        }
        m_own_scheduler = std::make_unique<class scheduler>("scheduler");
        m_scheduler = m_own_scheduler.get();
        RDT_HAS_PROCESS(block);
        SC_METHOD(run_processes);
        sensitive << m_scheduler->next_delta();
        m_scheduler->kernel_process = sc_core::sc_get_last_created_process_handle();
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
        for (const Listening& one : m_listening)
            one.port->add(*m_scheduler, one.listener, one.is_clock);
        for (const auto& listen : m_pins) listen();
        std::vector<Listening>().swap(m_listening);
        std::vector<std::function<void()>>().swap(m_pins);
        for (const sc_core::sc_event* event : m_scheduler->new_inputs())
            sensitive << m_scheduler->kernel_process << *event;
        m_ports.shrink_to_fit();
        m_variables.shrink_to_fit();
    }
    void start_of_simulation() final {
        if (m_own_scheduler) m_own_scheduler->start();
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
    std::vector<std::function<void()>> m_pins;         // listen to them
    std::unique_ptr<class scheduler> m_own_scheduler;  // the outermost block has it
    class scheduler* m_scheduler;
    const sc_core::sc_object* m_before_process = nullptr;  // when the own process was made
    uint16_t m_process = 0, m_clocked_process = 0;
    bool m_has_process = false;
    uint32_t m_num_entries;
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
template <typename T>
sc_core::sc_sensitive& operator<<(sc_core::sc_sensitive& sensitive, pin_in_port<T>& pin) {
    auto* now = dynamic_cast<block*>(sc_core::sc_get_current_object());
    if (now != nullptr && now->watch(pin)) return sensitive;
    return sensitive << static_cast<const sc_core::sc_port_base&>(pin);
}

template <unsigned W>
class var : public variable<bits<W>> {
    using T = bits<W>;

public:
    explicit var(const char* name, bool is_element = false) {
        block& now = block::current();
        now.add({name, now.bits_of(W), is_element, this,
                 [](const void* at) { return uint64_t(static_cast<const var*>(at)->read()); }});
    }
    var(const var&) = delete;
    var& operator=(const var&) = delete;
    void write(uint64_t value) { this->m_value = low_bits<T>(value, width_of(W, MaxEntries)); }
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
        block& now = block::current();
        now.add(
            {name, now.bits_of(W), is_element, static_cast<const variable<T>*>(this),
             [](const void* at) { return uint64_t(static_cast<const variable<T>*>(at)->read()); }});
    }
    void write(uint64_t value) { this->write_value(low_bits<T>(value, width_of(W, MaxEntries))); }
};
template <unsigned W>
class nets : public fixed_vector<net<W>> {
public:
    nets(const char* name, size_t size)
        : fixed_vector<net<W>>(size,
                               [name](void* place, size_t) { new (place) net<W>(name, true); }) {}
};

}  // namespace rdt

#include <rdt/ports_of_blocks.h>
