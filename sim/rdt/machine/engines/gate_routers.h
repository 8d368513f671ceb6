// SPDX-License-Identifier: MIT
// Routers as gates of the RTL, 64 in a word (gates.h).
#pragma once

#include <array>
#include <string>
#include <vector>

#include <rdt/machine/engines/gates.h>
#include <rdt/machine/router_array.h>

namespace rdt::machine {

class GateRouters : public RouterArray {
public:
    explicit GateRouters(size_t routers, const GateModel& model = router_gates);

    void settle(const std::vector<core::PinsIn>& in, bool rst_n) override;
    void edge() override;
    ChipPins pins(uint32_t router) const override;
    SignalView signal_view(uint32_t router) override;
    size_t bytes() const override;

    // The same with pins in words: those of ports 2 * w and 2 * w + 1 of a router.
    static constexpr uint32_t PinWords = NumPorts / 2;
    uint64_t& in(uint32_t router, uint32_t w) { return m_groups[router / 64].in[w][router % 64]; }
    void settle(bool rst_n) { m_rst_n = rst_n; }
    uint64_t out(uint32_t router, uint32_t w) const {
        return m_groups[router / 64].out[w][router % 64];
    }
    core::LinkPinsOut pins(uint32_t router, uint32_t port) const {
        return pin_field::unpack(uint32_t(out(router, port / 2) >> port % 2 * 32));
    }
    bool err(uint32_t router) const { return (out(router, 0) >> pin_field::ShootOrErr & 1) != 0; }
    bool slice(uint32_t router) const { return (out(router, 0) >> pin_field::Slice & 1) != 0; }
    void set_inputs(uint32_t router, const core::PinsIn& pins);

    // A bit of a register of a router, and the word of its bits in 64 routers (for faults).
    bool read(uint32_t router, const GateRegister& bit) const {
        return m_groups[router / 64].words[bit.word] >> router % 64 & 1;
    }
    uint64_t& word(uint32_t router, const GateRegister& bit) {
        return m_groups[router / 64].words[bit.word];
    }

private:
    using PinBits = std::array<std::array<uint64_t, 64>, PinWords>;

    // 64 routers.
    struct Group {
        std::vector<uint64_t> words;
        PinBits in{};   // before the edge, by router
        PinBits out{};  // after the edge
    };

    // A bit of a word of PinBits and its place among the words of a group.
    struct PinPlace {
        size_t word;
        uint32_t bit;
        int32_t place;
    };

    void read_outputs(Group& group) const;

    const GateModel& m_model;
    const size_t m_routers;
    std::vector<PinPlace> m_in;
    std::vector<PinPlace> m_out;
    int32_t m_reset = -1;
    bool m_rst_n = false;
    std::vector<Group> m_groups;
};

}  // namespace rdt::machine
