// SPDX-License-Identifier: MIT
// The C++ functions of the routing step and the multicast step, from which the channel dependency
// graph is built, against the functions of tb/formal/spec_pkg.sv, to which the RTL is proven equal.
// Each vector, each map byte, each register and each error takes all of its values; what remains is
// drawn at random.
#include "Vrdt_spec_functions.h"
#include <gtest/gtest.h>
#include <rdt/core/bitmap.h>

#include <array>
#include <cstdint>
#include <random>

namespace rdt::tb {
namespace {

struct Functions : testing::Test {
    VerilatedContext context;
    Vrdt_spec_functions spec{&context};
    std::mt19937_64 random{1};
    Header h;
    RouteConfig cfg;
    uint32_t compared = 0;

    uint32_t draw(uint32_t bits) { return uint32_t(random() & ((uint64_t(1) << bits) - 1)); }

    void draw_registers() {
        cfg.xfer = draw(4);
        cfg.dateline = draw(8);
        cfg.mask = draw(1) != 0 ? draw(8) : 0;
        cfg.ranks = draw(1) != 0 ? 15 : draw(4);
    }

    void set_inputs(uint32_t port, uint32_t vc) {
        spec.port_i = uint8_t(port);
        spec.h0_i = h.h0 & PayloadMask;
        spec.h1_i = h.h1 & PayloadMask;
        spec.h2_i = h.h2 & PayloadMask;
        spec.in_vc_i = uint8_t(vc);
        spec.rank_i = uint8_t(cfg.rank);
        spec.xfer_i = uint8_t(cfg.xfer);
        spec.dateline_i = uint8_t(cfg.dateline);
        spec.mask_i = uint8_t(cfg.mask);
        spec.ranks_i = uint8_t(cfg.ranks);
    }

    void check_route(uint32_t port, uint32_t vc, bool bad_map = false, bool raw = false) {
        set_inputs(port, vc);
        spec.bad_map_i = bad_map;
        spec.raw_i = raw;
        spec.eval();
        const Route found = raw ? route_raw(h) : route(h, port, vc, cfg, bad_map);
        const bool goes_on = is_multicast(uint32_t(h.h0)) && !raw;
        const bool mc = goes_on && (found.err == ErrNone || found.err == ErrBadMap);
        const uint32_t set = goes_on && found.err == ErrNone ? 0 : 1u << found.dst;
        ++compared;
        ASSERT_EQ(spec.route_o, uint32_t(mc) << 17 | found.err << 13 | found.ovc << 11 | set)
            << "port " << port << " VC " << vc << " rank " << cfg.rank << std::hex << " header "
            << h.h0 << " " << h.h1 << " " << h.h2;
    }

    void check_bitmap(uint32_t port, uint32_t vc) {
        set_inputs(port, vc);
        spec.eval();
        const Bitmap found = bitmap(h, port, vc, cfg);
        ++compared;
        ASSERT_EQ(spec.bitmap_o >> 14 != 0, found.bad)
            << "port " << port << " VC " << vc << " rank " << cfg.rank << std::hex << " header "
            << h.h0 << " " << h.h1 << " " << h.h2;
        if (found.bad) return;
        ASSERT_EQ(spec.bitmap_o, uint32_t(found.xfer) << 13 | uint32_t(found.exp0) << 12 |
                                     uint32_t(found.expl) << 11 | uint32_t(found.relay) << 10 |
                                     found.set)
            << "port " << port << " VC " << vc << " rank " << cfg.rank << std::hex << " header "
            << h.h0 << " " << h.h1 << " " << h.h2;
    }

    // All five map bytes at once.
    void set_maps(Maps maps) {
        h.h0 = flit_t((h.h0 & ~0x3Fu) | maps_in_flit(maps, 0));
        h.h1 = flit_t(maps_in_flit(maps, 1));
        h.h2 = flit_t(maps_in_flit(maps, 2));
    }
};

TEST_F(Functions, route_of_every_vector_is_the_specified_one) {
    const std::array<std::array<Field, 2>, 5> fields = {
        {{H1V0x, H2V0y}, {H2V1x, H2V1y}, {H1V2x, H1V2y}, {H1V3x, H1V3y}, {H0V4x, H0V4y}}};
    for (uint32_t level = 0; level < 5; ++level)
        for (uint32_t vector = 0; vector < (level == 0 ? 256u : 64u); ++vector)
            for (uint32_t rank = 0; rank < 8; ++rank)
                for (uint32_t port = 0; port < 10; ++port) {
                    const uint32_t half = level == 0 ? 4 : 3;
                    h = Header{draw(17), draw(17) & ~1u, draw(17) & ~1u};
                    h.h0 = with(h.h0, H0Type, draw(2) == 0 ? int(TypeSetup) : int(TypeUni));
                    h.h0 = with(h.h0, H0Len, 15);
                    h.h2 = with(h.h2, H2Hop, int(draw(3)) * 9);
                    for (uint32_t r = level + 1; r < 5; ++r) {
                        flit_t& x = r == 4 ? h.h0 : r == 1 ? h.h2 : h.h1;
                        x = with(with(x, fields[r][0], 0), fields[r][1], 0);
                    }
                    flit_t& in = level == 4 ? h.h0 : level == 1 ? h.h2 : h.h1;
                    in = with(in, fields[level][0], int(vector >> half));
                    flit_t& of_y = level == 4 ? h.h0 : level < 2 ? h.h2 : h.h1;
                    of_y = with(of_y, fields[level][1], int(vector));
                    cfg.rank = rank;
                    for (uint32_t vc = 0; vc < 3; ++vc) {
                        draw_registers();
                        check_route(port, vc);
                    }
                }
    EXPECT_GE(compared, 100'000u);
}

TEST_F(Functions, errors_of_every_kind_and_length_are_the_specified_ones) {
    for (uint32_t kind = 0; kind < 8; ++kind)
        for (uint32_t len = 0; len < 16; ++len)
            for (uint32_t more = 0; more < 32; ++more)
                for (uint32_t port = 0; port < 10; ++port) {
                    h = Header{draw(17), draw(17), draw(17)};
                    h.h0 = with(with(h.h0, H0Type, int(kind)), H0Len, int(len));
                    h.h1 = with(h.h1, H1Rsv1, int(more & 1));
                    h.h2 = with(h.h2, H2Rsv2, int(more >> 1 & 1));
                    if ((more & 4) != 0) h.h2 = with(h.h2, H2Hop, 0);
                    draw_registers();
                    cfg.rank = draw(3);
                    check_route(port, draw(2), (more & 8) != 0, port == PortM0 && (more & 16) != 0);
                }
}

TEST_F(Functions, copies_of_every_map_byte_go_to_the_specified_outputs) {
    for (uint32_t level = 0; level < 5; ++level)
        for (uint32_t byte = 0; byte < 256; ++byte)
            for (uint32_t rank = 0; rank < 8; ++rank)
                for (uint32_t port = 0; port < 10; ++port) {
                    h = Header{draw(17), 0, 0};
                    h.h0 = with(h.h0, H0Type, 1 + int(draw(4) % 3));
                    const Maps below = draw(1) != 0 ? random() : draw(1) != 0 ? ~Maps(0) : 0;
                    set_maps((below & maps_below(level)) | map_byte(level, byte));
                    cfg.rank = rank;
                    draw_registers();
                    check_bitmap(port, draw(4) % 3);
                }
    EXPECT_EQ(compared, 5u * 256 * 8 * 10);
}

TEST_F(Functions, random_headers_are_routed_as_specified) {
    for (uint32_t k = 0; k < 200'000; ++k) {
        h = Header{draw(17), draw(17), draw(17)};
        draw_registers();
        cfg.rank = draw(3);
        check_route(draw(4) % 10, draw(2), draw(1) != 0);
        check_bitmap(draw(4) % 10, draw(2));
    }
}

TEST_F(Functions, headers_leave_as_specified) {
    for (uint32_t k = 0; k < 300'000; ++k) {
        CopyPlan plan{};
        const uint32_t bits = draw(9);
        const uint32_t index = k % 3;
        const uint32_t out = draw(4) % 10;
        const flit_t flit = draw(18);
        plan.up = draw(1) != 0;
        plan.relay = (bits >> 7 & 1) != 0;
        plan.expl = (bits >> 6 & 1) != 0;
        plan.exp0 = (bits >> 4 & 1) != 0;
        plan.tag = bits >> 1 & 7;
        plan.rank = draw(3);
        plan.ranks = draw(4);
        plan.type = 1 + draw(4) % 3;
        const bool unicast = out < PortM0 && draw(1) != 0;
        const bool transfer = out < PortN0 && draw(1) != 0;
        spec.flit_i = uint32_t(flit);
        spec.idx_i = uint8_t(index);
        spec.type_i = uint8_t(index == 0 ? get(flit, H0Type) : int(plan.type));
        if (index == 0) plan.type = spec.type_i;
        spec.up_i = plan.up;
        spec.plan_i = uint16_t(bits);
        spec.rank_i = uint8_t(plan.rank);
        spec.ranks_i = uint8_t(plan.ranks);
        spec.port_i = uint8_t(out);
        spec.unicast_i = unicast;
        spec.transfer_i = transfer;
        spec.eval();
        ASSERT_EQ(spec.copy_o, uint32_t(copy_of(flit, index, plan))) << std::hex << "flit " << flit;
        const flit_t sent = unicast ? rewrite(flit, index, out, plan.rank)
                                    : leave_through(flit, index, out, plan.rank, transfer);
        ASSERT_EQ(spec.rewrite_o, uint32_t(sent) & PayloadMask)
            << std::hex << "flit " << flit << " port " << out;
    }
}

}  // namespace
}  // namespace rdt::tb
