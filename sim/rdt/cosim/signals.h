// SPDX-License-Identifier: MIT
// The list of signals that are compared between models of a router and recorded: all output pins,
// and the registers of sim/lint/rdt_public.vlt (of the RTL: rtl_signals.h). Lockstep of chips and
// of machines, fuzz and waveforms read it here; a signal that is added is in all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <rdt/cosim/chip_pins.h>

namespace rdt::machine {

// A signal of the list: a pin, or a register of a block.
struct Signal {
    const char* name;
    unsigned width;
    uint64_t (*of_pins)(const ChipPins&, uint32_t port);
    const char* block = nullptr;  // block of a register
    uint64_t (*of_model)(const fast::ChipState&, uint32_t port) = nullptr;
};
const std::vector<Signal>& signals_of_port();
const std::vector<Signal>& signals_of_chip();

// The whole list for one chip, port by port.
struct NamedSignal {
    std::string name;  // as E0.d_o
    const Signal* signal;
    uint32_t port;
    size_t number;  // among the registers
};
const std::vector<NamedSignal>& chip_signals();

// Location of a register of a model: a byte of the Verilated router, or read from the model's
// state.
struct RegisterAt {
    const uint8_t* byte = nullptr;
    const fast::ChipState* chip = nullptr;
    uint64_t (*of_model)(const fast::ChipState&, uint32_t port) = nullptr;
    uint32_t port = 0;
    uint64_t read() const { return byte != nullptr ? *byte : of_model(*chip, port); }
};
using Registers = std::vector<RegisterAt>;  // in the order of the list

// Values of the listed signals in one model.
class SignalView {
public:
    // Without registers: the model shows pins alone.
    SignalView(std::string name, std::function<ChipPins()> pins, Registers registers)
        : m_name(std::move(name)),
          m_read_pins(std::move(pins)),
          m_read_registers(std::move(registers)),
          m_registers(m_read_registers.size()) {}

    const std::string& name() const { return m_name; }  // rtl, systemc, fast
    // Takes all values.
    void read() {
        m_pins = m_read_pins();
        for (size_t i = 0; i < m_registers.size(); ++i) m_registers[i] = m_read_registers[i].read();
    }

    const ChipPins& pins() const { return m_pins; }
    const std::vector<uint64_t>& registers() const { return m_registers; }
    bool has(size_t signal) const {
        return chip_signals()[signal].signal->of_pins != nullptr || !m_registers.empty();
    }
    uint64_t value(size_t signal) const {
        const NamedSignal& s = chip_signals()[signal];
        return s.signal->of_pins != nullptr ? s.signal->of_pins(m_pins, s.port)
                                            : m_registers[s.number];
    }
    bool operator==(const SignalView& o) const {
        return m_pins == o.m_pins && m_registers == o.m_registers;
    }

private:
    std::string m_name;
    std::function<ChipPins()> m_read_pins;
    Registers m_read_registers;
    ChipPins m_pins;
    std::vector<uint64_t> m_registers;
};

// The first signal that both have and that is not the same in both.
std::optional<size_t> first_difference(const SignalView& a, const SignalView& b);

// The chip has to stay where it is.
Registers model_registers(const fast::ChipState& chip);
inline SignalView model_signal_view(const std::string& name, const fast::ChipState& chip) {
    return {name, [&chip] { return pins_of(chip); }, model_registers(chip)};
}

// `Chip` has pins(): RtlChip or ModuleChip.
template <typename Chip>
SignalView pins_signal_view(const std::string& name, const Chip& chip) {
    return {name, [&chip] { return chip.pins(); }, {}};
}
template <typename Chip>
SignalView module_signal_view(const std::string& name, const Chip& chip) {
    return {name, [&chip] { return chip.pins(); }, model_registers(chip.state())};
}

}  // namespace rdt::machine
