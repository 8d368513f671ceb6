// SPDX-License-Identifier: MIT
// Routers as gates of the RTL, 64 in a word, or 256 where that is faster (gates.h).
#pragma once

#include <array>
#include <tuple>
#include <vector>

#include <rdt/machine/engines/gates.h>
#include <rdt/machine/engines/pin_words.h>
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

    // The same with pins in words. All inputs are set before every edge(), which uses them up.
    static constexpr uint32_t NumPinWords = std::tuple_size_v<PinWords>;
    uint64_t& in(uint32_t router, uint32_t w) {
        return begin_of(m_groups[group_of(router)].in)[row_of(router, w)];
    }
    void settle(bool rst_n) {
        for (Group& group : m_groups) group.rst_n.fill(rst_n ? ~uint64_t(0) : 0);
    }
    uint64_t out(uint32_t router, uint32_t w) const {
        return begin_of(m_groups[group_of(router)].out)[row_of(router, w)];
    }
    // The same for 64 routers, of which this is the first.
    using PinWordsOf64 = std::array<PinWords, 64>;
    void settle(uint32_t first, const PinWordsOf64& in, bool rst_n);
    bool shows(uint32_t first, const PinWordsOf64& out) const;

    core::LinkPinsOut pins(uint32_t router, uint32_t port) const {
        return pin_field::unpack(uint32_t(out(router, port / 2) >> port % 2 * 32));
    }
    bool err(uint32_t router) const { return (out(router, 0) >> pin_field::ShootOrErr & 1) != 0; }
    bool slice(uint32_t router) const { return (out(router, 0) >> pin_field::Slice & 1) != 0; }
    void set_inputs(uint32_t router, const core::PinsIn& pins);

    // A bit of a register of a router, and the word of its bits in 64 routers (for faults).
    bool read(uint32_t router, const GateRegister& bit) const {
        return (words_of(m_groups[group_of(router)])[place_of(router, bit)] >> router % 64 & 1) !=
               0;
    }
    uint64_t& word(uint32_t router, const GateRegister& bit) {
        return words_of(m_groups[group_of(router)])[place_of(router, bit)];
    }

private:
    // Vectors of words are aligned.
    struct alignas(WideWords * sizeof(uint64_t)) Line {
        std::array<uint64_t, WideWords> words;
    };
    using Lines = std::vector<Line>;

    // 64 or 256 routers.
    struct Group {
        Lines words;
        Lines in;   // before the edge; a row for each of 64 routers of a side
        Lines out;  // after the edge
        std::array<uint64_t, WideWords> rst_n{};
    };

    // A row of the bits of a word of pins and its place among the words of a group.
    struct PinPlace {
        uint32_t row;
        int32_t place;
    };

    static uint64_t* begin_of(Lines& lines) { return lines.front().words.data(); }
    static const uint64_t* begin_of(const Lines& lines) { return lines.front().words.data(); }
    static uint64_t* words_of(Group& group) { return begin_of(group.words); }
    static const uint64_t* words_of(const Group& group) { return begin_of(group.words); }
    uint32_t group_of(uint32_t router) const { return router >> (6 + m_log_sides); }
    uint32_t side_of(uint32_t router) const { return router / 64 & (m_sides - 1); }
    size_t place_of(uint32_t router, const GateRegister& bit) const {
        return size_t(bit.word) * m_sides + side_of(router);
    }
    size_t row_of(uint32_t router, uint32_t w) const {
        return (w * 64 + router % 64) * m_sides + side_of(router);
    }
    Lines lines(size_t words) const { return Lines((words * m_sides + WideWords - 1) / WideWords); }
    void copy_word(uint64_t* to, const uint64_t* from) const;
    void clock(Group& group) const;
    void transpose_pins(Lines& rows) const;
    void read_outputs(Group& group) const;

    const GateModel& m_model;
    const size_t m_routers;
    const uint32_t m_log_sides;
    const uint32_t m_sides;  // words of 64 routers that are clocked together: 1 or WideWords
    std::vector<PinPlace> m_in;
    std::vector<PinPlace> m_out;
    size_t m_reset = 0;
    std::vector<Group> m_groups;
};

}  // namespace rdt::machine
