// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_arrival.sv: what the flit on the line is to an input unit: part of a packet that
// is written to its buffer, an ack, or nothing that can be taken. After a malformed header flit, or
// without a free buffer, no further flit is written.
#pragma once

#include <rdt/data_width.h>
#include <rdt/core/flit.h>
#include <rdt/ports.h>

namespace rdt {

class arrival : public block {
public:
    in<1> clk_i{"clk_i"};
    in<1> rst_ni{"rst_ni"};
    // own line
    in<1> rx_valid_i{"rx_valid_i"};
    in<1> rx_first_i{"rx_first_i"};
    in<1> rx_last_i{"rx_last_i"};
    in<DataW> rx_d_i{"rx_d_i"};
    in<1> room_i{"room_i"};  // its VC has an empty buffer
    // bit-map generator
    in<1> err_i{"err_i"};  // the header has an error, so its length means nothing
    in<4> len_i{"len_i"};
    // the flit
    out<5> idx_o{"idx_o"};  // in its packet; 16: behind the end of the buffer
    out<1> we_o{"we_o"};
    out<1> fresh_o{"fresh_o"};  // the header is complete
    out<1> land_o{"land_o"};    // an ack; acks are not buffered
    out<1> short_o{"short_o"};  // the packet ends before it should
    out<1> over_o{"over_o"};    // there is no buffer for it
    out<1> bad_o{"bad_o"};      // it is dropped
    out<1> ev_body_o{"ev_body_o"};
    out<1> ev_frame_o{"ev_frame_o"};

    explicit arrival(sc_core::sc_module_name name) : block(name) {}

    void clock() {
        if (!rst_ni.read()) {
            q = Regs{};
        } else if (rx_valid_i.read()) {
            q.wr_idx = m_flit.idx < 16 ? m_flit.idx + 1 : 16;
            q.drop = m_flit.drop || m_flit.spoilt;
            if (m_flit.fresh) q.cur_err = err_i.read();
        }
    }

    void receive() {
        m_flit = flit();
        const Flit& f = m_flit;
        idx_o.write(f.idx);
        we_o.write(f.take && f.idx < 16);
        fresh_o.write(f.fresh);
        land_o.write(f.lands);
        over_o.write(f.over);
        bad_o.write(f.over || f.spoilt);
        ev_body_o.write(f.body && f.idx < 16 && !f.good);
    }

    // After receive(). At the last flit: whether the packet has the length in its header.
    void length() {
        const Flit& f = m_flit;
        const bool is_sound = !(f.fresh ? err_i.read() : q.cur_err);
        const bool ends = (f.fresh || f.body) && rx_last_i.read() && is_sound;
        short_o.write(ends && f.idx < len_i.read());
        ev_frame_o.write(ends && f.idx != len_i.read());
    }

    template <typename Visit>
    void registers(Visit&& visit) const {
        visit("wr_idx_q", 5, q.wr_idx);
        visit("drop_q", 1, q.drop);
        visit("cur_err_q", 1, q.cur_err);
    }

private:
    struct Regs {
        uint32_t wr_idx = 0;   // index of the next flit
        bool drop = false;     // arriving flits are not written; also set for acks
        bool cur_err = false;  // its header has an error
    };

    struct Flit {
        uint32_t idx = 0;
        bool good = false;  // the parity of a flit that is not the first
        bool lands = false;
        bool over = false;
        bool drop = false;    // not written
        bool take = false;    // written
        bool spoilt = false;  // a header flit that is none
        bool fresh = false;
        bool body = false;
    };

    Flit flit() const {
        Flit f;
        f.idx = rx_first_i.read() ? 0 : q.wr_idx;
        if (!rx_valid_i.read()) return f;
        const flit_t data = rx_d_i.read();
        const uint32_t d = slice0(data);
        f.good = is_good_flit(data, DataLanes);
        f.drop = q.drop;
        if (rx_first_i.read()) {
            f.lands = get(d, H0Type) == int(TypeAck) && is_good_head(data, DataLanes);
            f.over = !room_i.read() && !f.lands;
            f.drop = !room_i.read() || f.lands;
        }
        f.take = !f.drop;
        // An undriven line: 0 has even parity, but is not an H0.
        const bool no_head =
            f.idx == 0 && (!is_good_head(data, DataLanes) || (d & PayloadMask) == 0);
        const bool no_header = (f.idx == 1 || f.idx == 2) && !is_good_header_flit(data, DataLanes);
        f.spoilt = f.take && (no_head || no_header);
        f.fresh = f.take && f.idx == 2 && !f.spoilt;
        f.body = f.take && f.idx > 2;
        return f;
    }

    Regs q;
    Flit m_flit;  // on the line in this cycle
};

}  // namespace rdt
