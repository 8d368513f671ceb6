// SPDX-License-Identifier: MIT
// The line machine of rtl/rdt_link_io.sv for many ports at once: who may drive the line, what
// arrives on it, and which buffers are given back to the other end.
//
// Both ends of a link run this machine over the same two REQ values, so they agree on the owner
// without a grant wire.
#pragma once

#include <array>

#include "core/flit.h"
#include "core/ports.h"

namespace rdt::core {

template <uint32_t NumLines>
class Lines {
public:
    static constexpr uint32_t MaxVc = 3;
    using PerVc = std::array<Ports, MaxVc>;

    struct Params {
        PerVc vcs{};          // ports that have this VC
        Ports prio = 0;       // win the first tie after reset
        Ports always_on = 0;  // MBP links need no switching on
    };
    struct In {
        Ports link_en = 0;
        TwoBits req;      // the other ends' REQ pins
        TwoBits own_req;  // own REQ pins
        Ports cred_ret = 0;
        TwoBits cred_vc;
        PerVc cred_add{};  // VCs whose credit goes back when there is room
        PerVc room{};      // VCs whose buffer holds no packet
    };
    struct Regs {
        TwoBits st;  // Line
        Ports mine = 0;
        Ports tail = 0;
        Ports ann = 0;
        PerVc pend{};
        Ports rx_valid = 0;
        Ports rx_first = 0;
        Ports rx_last = 0;
        TwoBits cred;
        TwoBits rx_vc;
        std::array<flit_t, NumLines> rx_d{};
    };

    explicit Lines(const Params& params) : m_params(params) { reset(); }
    Lines(const Params& params, const Regs& q) : m_params(params), m_q(q) {}

    void reset() {
        m_q = Regs{};
        m_q.mine = first_owner();
    }
    const Regs& q() const { return m_q; }

    // Lines that are given to this end in this clock; the first flit is on the pins two clocks
    // later.
    Ports line_gnt(const TwoBits& own, const TwoBits& peer_pins) const {
        const TwoBits peer = peer_pins & m_q.ann;
        const Ports asks = own.any() & ~(peer.any() & m_q.mine);
        return (idle() & asks) | (start() & ~m_q.mine & own.any() & ~peer.any()) |
               (xfer() & m_q.mine & own.low & ~own.high & ~peer.any());
    }
    // The owner has to show the VC code next or give up.
    Ports line_void() const { return granted() & m_q.mine; }

    // The ends do not agree on who owns the line. Cannot happen on a sound link.
    Ports ev_line(const TwoBits& peer_pins, Ports own_oe) const {
        const TwoBits peer = peer_pins & m_q.ann;
        return (own_oe & receives(peer)) | (xfer() & m_q.mine & peer.high);
    }

    Ports up() const { return m_q.ann; }

    // Nothing under way on any port and nothing asked for: clock() would change rx_d only.
    bool quiet(const TwoBits& own, const TwoBits& peer_pins, Ports link_en) const {
        return (own.any() | peer_pins.any() | m_q.st.any() | m_q.cred.any() | m_q.pend[0] |
                m_q.pend[1] | m_q.pend[2] | m_q.rx_valid | m_q.tail | (m_q.mine ^ first_owner()) |
                ((link_en | m_params.always_on) & ~m_q.ann)) == 0;
    }

    // `d_of(port)` is asked for the ports that receive a flit.
    template <typename DataOf>
    void clock(const In& in, DataOf&& d_of) {
        const TwoBits peer = in.req & m_q.ann;
        const Ports first = begins(peer);
        const Ports valid = receives(peer);
        m_q.rx_valid = valid;
        m_q.rx_first = first;
        m_q.rx_last = m_q.tail;
        m_q.tail = in_transfer() & ~peer.high;
        // The VC is its code less 1.
        m_q.rx_vc =
            (m_q.rx_vc & ~first) | (TwoBits{peer.high & ~peer.low, peer.high & peer.low} & first);
        for (const uint32_t p : each(valid)) m_q.rx_d[p] = d_of(p);
        advance(in.own_req, peer);
        give_back(in);
    }

private:
    Ports first_owner() const { return m_params.vcs[0] & ~m_params.prio; }

    Ports idle() const { return m_params.vcs[0] & ~m_q.st.any(); }
    Ports granted() const { return m_q.st.low & ~m_q.st.high; }
    Ports start() const { return m_q.st.high & ~m_q.st.low; }
    Ports xfer() const { return m_q.st.high & m_q.st.low; }

    // A packet of the other end: its first flit, those up to the last but one, all of it.
    Ports begins(const TwoBits& peer) const { return start() & ~m_q.mine & peer.any(); }
    Ports in_transfer() const { return xfer() & ~m_q.mine; }
    Ports receives(const TwoBits& peer) const { return begins(peer) | in_transfer() | m_q.tail; }

    void advance(const TwoBits& own, const TwoBits& peer) {
        const Ports mine = m_q.mine;
        const Ports owner_low = (own.low & mine) | (peer.low & ~mine);
        const Ports owner_high = (own.high & mine) | (peer.high & ~mine);
        const Ports owner = owner_low | owner_high;
        const Ports other = (peer.any() & mine) | (own.any() & ~mine);

        const Ports to_me = idle() & own.any() & ~(peer.any() & mine);
        const Ports to_peer = idle() & peer.any() & ~to_me;
        const Ports unasked = idle() & ~to_me & ~to_peer;
        const Ports handed_over = start() & ~owner & other;
        const Ports goes_on = xfer() & ~owner_high & owner_low & ~other;
        const Ports to_start = granted();
        const Ports to_gnt = to_me | to_peer | handed_over | goes_on;
        const Ports to_xfer = (start() & owner) | (xfer() & owner_high);
        m_q.st = {to_gnt | to_xfer, to_start | to_xfer};
        m_q.mine = ((mine ^ handed_over) & ~to_peer & ~unasked) | to_me | (unasked & first_owner());
    }

    void give_back(const In& in) {
        PerVc& pend = m_q.pend;
        const Ports switched_on = (in.link_en | m_params.always_on) & ~m_q.ann;
        const Ports added = in.cred_add[0] | in.cred_add[1] | in.cred_add[2];
        m_q.cred = {};
        if ((pend[0] | pend[1] | pend[2] | in.cred_ret | added | switched_on) == 0) return;
        const Ports lowest[MaxVc] = {pend[0] & ~in.cred_ret, pend[1] & ~pend[0] & ~in.cred_ret,
                                     pend[2] & ~pend[1] & ~pend[0] & ~in.cred_ret};
        const TwoBits returned = in.cred_vc & in.cred_ret;
        // VC + 1
        m_q.cred = {lowest[0] | lowest[2] | (in.cred_ret & ~returned.low),
                    lowest[1] | lowest[2] | returned.any()};
        m_q.ann |= switched_on;
        for (uint32_t v = 0; v < MaxVc; ++v)
            pend[v] = (pend[v] & ~lowest[v]) | in.cred_add[v] |
                      (switched_on & in.room[v] & m_params.vcs[v]);
    }

    Params m_params;
    Regs m_q;
};

}  // namespace rdt::core
