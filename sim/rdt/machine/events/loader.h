// SPDX-License-Identifier: MIT
// Events from registers: what image_writer.h makes, taken back. A packet on a link shows in the
// registers of both ends how many cycles ago it was granted, and from then on everything about its
// hop is known; the flits of its body are where it has come to, or on their way there from where it
// comes from.
//
// States without events are detected as irregular and are not loaded.
#pragma once

#include <rdt/machine/events/parts.h>

namespace rdt::machine::events {

class Loader {
public:
    Loader(Parts& parts, const Registers& registers, const Adopt& adopt)
        : m_parts(parts),
          m_state(parts.state),
          m_all(registers),
          m_adopt(adopt),
          m_now(parts.state.now) {}
    // Returns whether the registers show nothing but what has events; if not, the parts are of no
    // use.
    bool load();

private:
    struct Irregular {};
    using Words = std::array<uint32_t, 3>;
    // A packet that goes over a link, since so many cycles after its grant; 0: there is none.
    struct Hop {
        End from;
        End to;
        uint32_t since;
        uint32_t flits;
        uint32_t vc;
        uint32_t h0;
        bool is_ack;
    };

    static uint32_t flits_by(uint32_t h0) {
        return get(h0, H0Type) == int(TypeAck) ? AckFlits : uint32_t(get(h0, H0Len)) + 1;
    }
    static void require(bool holds) {
        if (!holds) throw Irregular{};
    }
    const fast::LinkIo::Regs& line(const End& e) const {
        return e.is_chip() ? m_all.chips[e.node].link[e.port] : m_all.mbps[e.mbp()].link;
    }
    const fast::OutputRegs& out(const End& e) const {
        return e.is_chip() ? m_all.chips[e.node].out[e.port] : m_all.mbps[e.mbp()].out;
    }
    const fast::ChipImage::Input& input(const End& e) const {
        return m_all.chips[e.node].in[e.port];
    }
    bool has_link(uint32_t port) const { return (m_all.links >> port & 1) != 0; }

    // State derived from registers.
    Hop coming(const End& from, const End& to) const;
    Hop starting(const End& from, const End& to) const;
    uint32_t reader(const End& from) const;
    flit_t stored(const End& to, uint32_t vc, uint32_t k) const;
    flit_t flit(const Hop& hop, uint32_t k) const;
    flit_t flit_in_buffer(const End& at, uint32_t vc, bool is_read, uint32_t k) const;
    Words header(const Hop& hop) const;
    using FlitOf = std::function<flit_t(uint32_t k)>;
    uint32_t body(const Words& header, uint32_t flits, const FlitOf& flit_of) const;

    // Events derived from it.
    void load_all();
    void load_node(uint32_t node);
    void load_control(uint32_t node);
    void load_input(uint32_t node, uint32_t port);
    void load_slot(const End& at, uint32_t vc);
    void load_pass(const End& at);
    void load_credits(const End& end);
    void load_mbp(uint32_t mbp);
    void load_line(uint32_t link);
    Recovery find_start(const End& first, const End& second) const;
    void load_recovery(uint32_t link, const End& first, const End& second);
    bool is_in_hand(const End& end, uint32_t vc) const;
    void load_hop(const Hop& hop);
    uint32_t shared_body(const Hop& hop);
    uint32_t record_of_hop(const Hop& hop);
    void load_stale_requests(uint32_t node);
    void note_late(const End& end, uint32_t credit);
    uint32_t make(uint32_t node, const Words& header, uint32_t body);
    Day& day(uint32_t node, uint64_t clock) { return m_state.day(node, clock); }

    Parts& m_parts;
    State& m_state;
    const Registers& m_all;
    const Adopt& m_adopt;
    const uint64_t m_now;
};

}  // namespace rdt::machine::events
