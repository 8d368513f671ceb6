// SPDX-License-Identifier: MIT
// Twin of rtl/rdt_local_tx.sv: the packets that LOCAL makes, flit by flit: ERR packets with the
// malformed header, notices (ERR packets without one), answers to register reads, SHOT packets.
// Combinational. Specification 4.8.
#pragma once

#include <rdt/data_width.h>
#include <rdt/core/flit.h>
#include <rdt/block.h>

namespace rdt {

class local_tx : public block {
public:
    enum Kind : uint32_t { KindErr, KindNotice, KindAnswer, KindShot };

    in<2> kind_i{"kind_i"};
    in<4> idx_i{"idx_i"};  // index of the flit
    in<4> code_i{"code_i"};
    in<4> port_i{"port_i"};
    in<2> vc_i{"vc_i"};
    in<3> tag_i{"tag_i"};
    in<17> h0_i{"h0_i"};
    in<17> h1_i{"h1_i"};
    in<17> h2_i{"h2_i"};
    in<5> addr_i{"addr_i"};
    in<16> value_i{"value_i"};
    in<16> xy_i{"xy_i"};
    in<17> shot_i{"shot_i"};  // flit of a SHOT packet
    out<1> last_o{"last_o"};
    out<WireW> x_o{"x_o"};

    explicit local_tx(sc_core::sc_module_name name) : block(name) {
        RDT_METHOD(comb);
        sensitive << kind_i << idx_i << code_i << port_i << vc_i << tag_i << h0_i << h1_i << h2_i
                  << addr_i << value_i << xy_i << shot_i;
    }

    template <typename Visit>
    void registers(Visit&&) const {}

private:
    // Index of the last flit, which is the value of the length field.
    static uint32_t len(uint32_t kind) {
        switch (kind) {
        case KindErr: return 5;
        case KindAnswer: return 4;
        default: return 2;
        }
    }

    uint32_t err_flit(uint32_t kind, uint32_t k) const {
        switch (k) {
        case 0: return TypeErr << H0Type.lo | len(kind) << H0Len.lo | uint32_t(code_i.read());
        case 1: {
            const uint32_t tag = kind == KindNotice ? uint32_t(tag_i.read()) : 0;
            return uint32_t(port_i.read()) << 13 | uint32_t(vc_i.read()) << 11 | tag << 8;
        }
        case 2: return xy_i.read();
        case 3: return h0_i.read();
        case 4: return h1_i.read();
        default: return h2_i.read();
        }
    }

    uint32_t answer_flit(uint32_t k) const {
        switch (k) {
        case 0: {
            const uint32_t tag_and_mbp = uint32_t(h0_i.read()) & (mask(H0Tag) | mask(H0Mbp));
            return TypeSetup << H0Type.lo | len(KindAnswer) << H0Len.lo | tag_and_mbp;
        }
        case 1: return 0;
        case 2: return xy_i.read();
        case 3: return addr_i.read();
        default: return value_i.read();
        }
    }

    void comb() {
        const uint32_t kind = kind_i.read();
        const uint32_t k = idx_i.read();
        uint32_t payload = 0;
        switch (kind) {
        case KindAnswer: payload = answer_flit(k); break;
        case KindShot: payload = shot_i.read(); break;
        default: payload = err_flit(kind, k); break;
        }
        last_o.write(k == len(kind));
        x_o.write(wires_of(code_of(k, len(kind), VcVc0), make_flit(payload, k) * DataLanes));
    }
};

}  // namespace rdt
