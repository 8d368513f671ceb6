// SPDX-License-Identifier: MIT
// One RTL block and its SystemC twin side by side: the same inputs go to both,
// every output is compared in every cycle.
//
// A bench derives from BlockBench and names each port once:
//     Input d = in("d_i", 18, rtl().d_i, model().d_i);
//     Output cred = out("cred_o", 2, rtl().cred_o, model().cred_o);
// A test assigns inputs between clock edges and calls tick(). settle() lets the
// combinational outputs follow without a cycle; an Output then reads the RTL's
// value, and tick() checks that the twin's is the same.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include <rdt/cosim/kernel.h>
#include <rdt/cosim/lockstep.h>
#include <rdt/block.h>
#include "common/run_options.h"

namespace rdt::tb {

using machine::Kernel;
using machine::Lockstep;

// Every test gets a SystemC kernel and a Verilator context of its own.
class BlockTest : public ::testing::Test {
protected:
    void SetUp() override {
        m_kernel = std::make_unique<Kernel>();
        m_verilated = std::make_unique<VerilatedContext>();
        m_verilated->fatalOnError(false);  // BlockBench::edge() reports it
    }
    void TearDown() override { m_kernel.reset(); }

private:
    std::unique_ptr<Kernel> m_kernel;
    std::unique_ptr<VerilatedContext> m_verilated;
};

// Seed and length of the running test.
struct TestRun {
    explicit TestRun(uint64_t default_cycles = 0, uint64_t default_seed = 1)
        : seed(seed_or(default_seed)), cycles(cycles_or(default_cycles)) {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        const std::string suite = info->test_suite_name();
        name = suite + "_" + info->name();
        rerun = rerun_line("block_" + suite, suite + "." + info->name(), seed, cycles);
    }
    uint64_t seed;
    uint64_t cycles;
    std::string name;
    std::string rerun;
};

// The two sides differ, or an assertion of the RTL failed.
struct Difference : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Bits [lo +: width] of a Verilated pin.
template <typename Pin>
uint32_t pin_bits(const Pin& pin, unsigned lo, unsigned width) {
    return uint32_t(uint64_t(pin) >> lo & ((uint64_t(1) << width) - 1));
}
template <size_t N>
uint32_t pin_bits(const VlWide<N>& pin, unsigned lo, unsigned width) {
    const uint64_t high = lo / 32 + 1 < N ? pin[lo / 32 + 1] : 0;
    return pin_bits(high << 32 | pin[lo / 32], lo % 32, width);
}
template <typename Pin>
void set_pin_bits(Pin& pin, unsigned lo, unsigned width, uint32_t value) {
    const uint64_t mask = ((uint64_t(1) << width) - 1) << lo;
    pin = Pin((uint64_t(pin) & ~mask) | (uint64_t(value) << lo & mask));
}
template <size_t N>
void set_pin_bits(VlWide<N>& pin, unsigned lo, unsigned width, uint32_t value) {
    const uint64_t high = lo / 32 + 1 < N ? pin[lo / 32 + 1] : 0;
    uint64_t two = high << 32 | pin[lo / 32];
    set_pin_bits(two, lo % 32, width, value);
    pin[lo / 32] = uint32_t(two);
    if (lo / 32 + 1 < N) pin[lo / 32 + 1] = uint32_t(two >> 32);
}

class Input {
public:
    Input(std::function<void(uint32_t)> drive, uint32_t* value)
        : m_drive(std::move(drive)), m_value(value) {}
    uint32_t operator=(uint32_t value) {
        *m_value = value;
        m_drive(value);
        return value;
    }
    uint32_t operator()() const { return *m_value; }

private:
    std::function<void(uint32_t)> m_drive;
    uint32_t* m_value;
};

// A rank, on one wire of five.
class RankInput {
public:
    explicit RankInput(const Input& wires) : m_wires(wires) { *this = 0; }
    uint32_t operator=(uint32_t rank) {
        m_rank = rank;
        m_wires = rank_wires(rank);
        return rank;
    }
    uint32_t operator()() const { return m_rank; }

private:
    Input m_wires;
    uint32_t m_rank = 0;
};

class Output {
public:
    explicit Output(Lockstep::Getter rtl) : m_rtl(std::move(rtl)) {}
    uint32_t operator()() const { return uint32_t(m_rtl()); }

private:
    Lockstep::Getter m_rtl;
};

// Ports of both sides, and what connects them.
class BenchPorts {
public:
    uint64_t clock() const { return m_lockstep.clock(); }

protected:
    BenchPorts(const TestRun& run, const std::string& name)
        : m_trace(__FILE__, __LINE__, "seed=" + std::to_string(run.seed) + "\nrerun: " + run.rerun),
          m_lockstep(run.name + "_" + name, run.seed, run.rerun) {}

    bool has_clock(CData& pin, in_port<bool>& port) {
        m_clk_pin = &pin;
        m_clk = &connect(port);
        return true;
    }

    template <typename Pin, typename T>
    Input in(const std::string& name, unsigned width, Pin& pin, in_port<T>& port, unsigned lo = 0) {
        auto& signal = connect(port);
        m_values.push_back(0);
        uint32_t* value = &m_values.back();
        m_lockstep.note(name, width, [value] { return *value; });
        Input input(
            [&pin, &signal, lo, width](uint32_t v) {
                set_pin_bits(pin, lo, width, v);
                signal.write(T(pin_bits(v, 0, width)));
            },
            value);
        input = 0;
        return input;
    }

    template <typename Pin, typename T>
    Output out(const std::string& name, unsigned width, Pin& pin, out_port<T>& port,
               unsigned lo = 0) {
        auto& signal = connect(port);
        const auto rtl = [&pin, lo, width] { return pin_bits(pin, lo, width); };
        m_lockstep.add(name, width, rtl, [&signal] { return uint64_t(signal.read()); });
        return Output(rtl);
    }

    // An output that means something only while `valid` (an input, an output, anything that can be
    // called) is not 0; reads 0 otherwise.
    template <typename Valid, typename Pin, typename T>
    Output out_while(const Valid& valid, const std::string& name, unsigned width, Pin& pin,
                     out_port<T>& port) {
        auto& signal = connect(port);
        const auto rtl = [valid, &pin, width] { return valid() ? pin_bits(pin, 0, width) : 0; };
        m_lockstep.add(name, width, rtl,
                       [valid, &signal] { return valid() ? uint64_t(signal.read()) : 0; });
        return Output(rtl);
    }

    // Element i of a flat vector is [i*width +: width].
    template <typename Pin, typename Port>
    std::vector<Input> in(const std::string& name, unsigned width, Pin& pin,
                          port_vector<Port>& ports) {
        std::vector<Input> all;
        for (unsigned i = 0; i < ports.size(); ++i)
            all.push_back(in(name + std::to_string(i), width, pin, ports[i], i * width));
        return all;
    }
    template <typename Pin, typename Port>
    std::vector<Output> out(const std::string& name, unsigned width, Pin& pin,
                            port_vector<Port>& ports) {
        std::vector<Output> all;
        for (unsigned i = 0; i < ports.size(); ++i)
            all.push_back(out(name + std::to_string(i), width, pin, ports[i], i * width));
        return all;
    }

    // The same vector, driven or read as one word of at most 32 bits.
    template <typename Pin, typename Port>
    Input in_word(const std::string& name, unsigned width, Pin& pin, port_vector<Port>& ports) {
        const unsigned all = word_width(name, width, ports.size());
        using T = typename Port::data_type;
        std::vector<sc_core::sc_signal<T>*> signals;
        for (auto& port : ports) signals.push_back(&connect(port));
        m_values.push_back(0);
        uint32_t* value = &m_values.back();
        m_lockstep.note(name, all, [value] { return *value; });
        Input input(
            [&pin, signals, width, all](uint32_t v) {
                set_pin_bits(pin, 0, all, v);
                for (unsigned i = 0; i < signals.size(); ++i)
                    signals[i]->write(T(pin_bits(v, i * width, width)));
            },
            value);
        input = 0;
        return input;
    }
    template <typename Pin, typename Port>
    Output out_word(const std::string& name, unsigned width, Pin& pin, port_vector<Port>& ports) {
        const unsigned all = word_width(name, width, ports.size());
        using T = typename Port::data_type;
        std::vector<sc_core::sc_signal<T>*> signals;
        for (auto& port : ports) signals.push_back(&connect(port));
        const auto rtl = [&pin, all] { return pin_bits(pin, 0, all); };
        m_lockstep.add(name, all, rtl, [signals, width] {
            uint64_t word = 0;
            for (unsigned i = 0; i < signals.size(); ++i)
                word |= uint64_t(signals[i]->read()) << i * width;
            return word;
        });
        return Output(rtl);
    }

private:
    static unsigned word_width(const std::string& name, unsigned width, size_t elements) {
        const unsigned all = width * unsigned(elements);
        if (all > 32) throw std::logic_error(name + " does not fit a word");
        return all;
    }

    template <typename Port>
    sc_core::sc_signal<typename Port::data_type>& connect(Port& port) {
        auto signal = std::make_shared<sc_core::sc_signal<typename Port::data_type>>();
        auto& connected = *signal;
        port(connected);
        m_signals.push_back(std::move(signal));
        return connected;
    }

    ::testing::ScopedTrace m_trace;  // seed and rerun line with every failed expectation
    std::vector<std::shared_ptr<void>> m_signals;
    std::deque<uint32_t> m_values;  // values of the inputs; elements stay where they are

protected:
    Lockstep m_lockstep;
    CData* m_clk_pin = nullptr;
    sc_core::sc_signal<bool>* m_clk = nullptr;
};

template <typename Rtl, typename Model>
class BlockBench : public BenchPorts {
public:
    // `name` distinguishes benches of one test, `args` are the twin's parameters.
    template <typename... Args>
    explicit BlockBench(const TestRun& run, const std::string& name, Args... args)
        : BenchPorts(run, name),
          m_rtl(Verilated::threadContextp(), "rtl"),
          m_model(name.c_str(), args...) {}
    ~BlockBench() {}  // written down, so that it is where the rest is instantiated

    // One cycle: inputs settle, all outputs are compared, rising edge.
    void tick() {
        check();
        edge();
    }
    // The same without the edge.
    void check() {
        settle();
        if (const auto report = m_lockstep.compare()) throw Difference(*report);
    }
    void tick(unsigned clocks) {
        for (; clocks != 0; --clocks) tick();
    }

    // A cycle in which the pin is 1.
    void pulse(Input& pin) {
        pin = 1;
        tick();
        pin = 0;
        settle();
    }

    void settle() {
        if (m_clk_pin != nullptr) {
            *m_clk_pin = 0;
            m_clk->write(false);
        }
        m_rtl.eval();
        sc_core::sc_start(1, sc_core::SC_NS);
    }

    void edge() {
        if (m_clk_pin == nullptr) return;
        rtl_edge();
        model_edge();
    }
    void rtl_edge() {
        *m_clk_pin = 1;
        m_rtl.eval();
        if (Verilated::threadContextp()->gotError()) throw Difference("assertion in the RTL");
    }
    void model_edge() {
        m_clk->write(true);
        sc_core::sc_start(1, sc_core::SC_NS);
    }

protected:
    Rtl& rtl() { return m_rtl; }
    Model& model() { return m_model; }

private:
    Rtl m_rtl;
    Model m_model;
};

}  // namespace rdt::tb
