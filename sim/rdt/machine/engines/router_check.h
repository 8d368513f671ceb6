// SPDX-License-Identifier: MIT
// Routers of other engines beside those of a machine: at every node, on the same input pins. All
// output pins are compared in every cycle. If both the SystemC design and the RTL take part, all
// signals inside the routers of some nodes are compared as well. A difference ends the run with a
// report: node, signal and cycle, a waveform of the last cycles, and the block to blame (blame.h).
//
// With Config::threads, the routers of two engines simulate a cycle at the same time. All results
// are the same, because both are awaited before the MBPs see the cycle.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <rdt/cosim/pin_record.h>
#include <rdt/machine/check.h>
#include <rdt/machine/machine.h>

namespace rdt::machine {

class RouterCheck : public Check {
public:
    // `config` is the user's configuration; the machine may be any of its engines.
    RouterCheck(Machine& machine, const Config& config);
    ~RouterCheck() override;

    bool settle(bool rst_n) override;
    void join() override;
    void clock(bool rst_n) override;
    void compare_blocks() override;
    std::string explain(const std::string& report, uint32_t node) override;

    std::vector<SignalView> signal_views(uint32_t node) override;
    RouterArray* routers_with_insides() override;
    size_t signals() const override { return m_signals; }
    RouterArray& routers(Engine engine) override;

private:
    // All routers of one engine that does not carry the traffic.
    struct Other {
        Engine engine;
        std::unique_ptr<RouterArray> routers;
        std::vector<SignalView> views;
    };
    // Both insides of a node.
    struct Blocks;
    // The signals of a node in an earlier cycle.
    struct Past {
        PackedPins pins;
        std::vector<uint64_t> registers;
        uint64_t value(const NamedSignal& s) const {
            return s.signal->of_pins != nullptr ? s.signal->of_pins(pins.all(), s.port)
                                                : registers[s.number];
        }
    };

    void add_blocks(const std::vector<uint32_t>& nodes);
    bool can_share() const;
    void advance(Other& other, bool rst_n);
    void finish(Other& other, bool rst_n);
    void find_block_difference();
    void report_block_difference();
    void compare(uint32_t node, const Other& other);
    void keep(uint32_t node);
    std::string difference(uint32_t node, const Other& other);

    Machine& m_machine;
    const Config m_config;
    std::vector<SignalView> m_signal_views;  // views of the machine itself
    std::vector<Other> m_others;
    std::vector<std::unique_ptr<Blocks>> m_blocks;
    std::vector<core::PinsIn> m_in;
    std::vector<std::vector<Past>> m_last;  // by node: ring buffer of the last cycles
    PinRecord m_record;
    size_t m_signals = 0;
    bool m_is_in_reset = true;
    bool m_has_pins = false;  // the views show those after the last cycle
    // Node and report of a difference of blocks.
    std::optional<std::pair<uint32_t, std::string>> m_block_difference;
    bool m_is_shared = false;  // two threads simulate this cycle
    // The last of the other engines in this cycle. Its end is awaited before the rest is destroyed.
    std::future<void> m_beside;
};

}  // namespace rdt::machine
