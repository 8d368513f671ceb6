// SPDX-License-Identifier: MIT
// Every block of a SystemC chip beside its own Verilated RTL. Both get the same inputs in every
// cycle, so the first output that differs belongs to the faulty block.
#pragma once

#include <verilated.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rdt/cosim/block_difference.h>
#include <rdt/core/rtl_pins.h>
#include <rdt/block.h>

namespace rdt::machine {

// One block and its RTL.
class Twin {
public:
    virtual ~Twin() = default;

    // Shows the RTL what the block sees now.
    void settle() {
        for (Line& line : m_inputs) line.show(line.value = line.of_block());
        evaluate();
    }
    // The RTL takes a rising edge on that; the block takes its own in the kernel.
    void edge() {
        for (Line& line : m_inputs) line.before = line.value;
        if (m_rise) m_rise();
        evaluate();
    }
    std::optional<BlockDifference> difference() const;

protected:
    struct Line {
        std::string name;
        std::function<uint64_t()> of_block;
        std::function<uint64_t()> of_rtl;    // value of an output
        std::function<void(uint64_t)> show;  // drives an input
        uint64_t value = 0;
        uint64_t before = 0;  // at the last edge
        // Of an output that means nothing while one of these is 0, in these bits.
        std::vector<std::pair<const Line*, uint64_t>> strobes;
    };
    Twin(std::string block, std::string kind)
        : m_block(std::move(block)), m_kind(std::move(kind)) {}
    virtual void evaluate() = 0;
    // A port beside its pin.
    template <unsigned W, typename Pin>
    void attach(in<W>& port, Pin& pin) {
        const std::string name = port.basename();
        if (name == "clk_i") m_rise = [&pin] { pin = 1; };
        m_inputs.push_back({name,
                            [&port] { return uint64_t(port.read()); },
                            nullptr,
                            [&pin](uint64_t value) { pin = Pin(value); },
                            0,
                            0,
                            {}});
    }
    template <unsigned W, typename Pin>
    void attach(out<W>& port, Pin& pin) {
        m_outputs.push_back({port.basename(),
                             [&port] { return uint64_t(port.read()); },
                             [&pin] { return uint64_t(pin); },
                             nullptr,
                             0,
                             0,
                             {}});
    }
    template <unsigned W, typename Pin>
    void attach(ins<W>& ports, Pin& pin) {
        for (unsigned i = 0; i < ports.size(); ++i)
            m_inputs.push_back(
                {element(ports.basename(), i),
                 [&port = ports[i]] { return uint64_t(port.read()); },
                 nullptr,
                 [&pin, i, w = ports[i].width()](uint64_t v) { set_pin_slice(pin, i * w, w, v); },
                 0,
                 0,
                 {}});
    }
    template <unsigned W, typename Pin>
    void attach(outs<W>& ports, Pin& pin) {
        for (unsigned i = 0; i < ports.size(); ++i)
            m_outputs.push_back(
                {element(ports.basename(), i),
                 [&port = ports[i]] { return uint64_t(port.read()); },
                 [&pin, i, w = ports[i].width()] { return pin_slice(pin, i * w, w); },
                 nullptr,
                 0,
                 0,
                 {}});
    }
    static std::string element(const char* name, unsigned i) {
        return std::string(name) + "[" + std::to_string(i) + "]";
    }
    // After all lines are there.
    void find_meanings();
    static bool means_something(const Line& output);

    std::string m_block;
    std::string m_kind;
    std::vector<Line> m_inputs;
    std::vector<Line> m_outputs;
    std::function<void()> m_rise;
};

template <typename Ports, typename Rtl>
class TwinOf : public Twin {
public:
    TwinOf(const char* kind, Ports& block, VerilatedContext* context)
        : Twin(block.basename(), kind), m_rtl(context, block.name()) {
        block.each_port([this](auto& port, auto& pin) { attach(port, pin); }, m_rtl);
        find_meanings();
        m_rtl.eval();
    }
    ~TwinOf() override { m_rtl.final(); }

private:
    void evaluate() override { m_rtl.eval(); }

    Rtl m_rtl;
};

template <typename Ports, typename Rtl>
std::unique_ptr<Twin> make_twin(const char* kind, Ports& block, VerilatedContext* context) {
    return std::make_unique<TwinOf<Ports, Rtl>>(kind, block, context);
}

// Block pairs of a router.
class Twins {
public:
    explicit Twins(VerilatedContext& context) : m_context(context) {}
    VerilatedContext& context() { return m_context; }
    void add(std::unique_ptr<Twin> twin) { m_twins.push_back(std::move(twin)); }

    // In a cycle: settle() when the pins are there, edge(), and settle() again after the kernel's
    // edge. difference() is valid both times.
    void settle() {
        for (auto& twin : m_twins) twin->settle();
    }
    void edge() {
        for (auto& twin : m_twins) twin->edge();
    }
    std::optional<BlockDifference> difference() const {
        for (const auto& twin : m_twins)
            if (auto found = twin->difference()) return found;
        return std::nullopt;
    }

private:
    VerilatedContext& m_context;
    std::vector<std::unique_ptr<Twin>> m_twins;
};

}  // namespace rdt::machine
