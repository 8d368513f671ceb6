// SPDX-License-Identifier: MIT
// Malformed input: each kind ends in the error the format names for it, reported to MBP 0, and no
// other packet is lost or doubled. A header that can be read is reported with it; one that cannot
// makes its link start again.
#include <gtest/gtest.h>

#include "common/bring_up.h"
#include "common/chip_net.h"
#include "common/mc_packet.h"
#include "common/run_options.h"
#include "common/scoreboard.h"

namespace rdt::tb {
namespace {

class BadInput : public ::testing::Test {
protected:
    static constexpr uint32_t X = 5;
    static constexpr uint32_t Y = 3;

    BadInput() : m_net(1, "bad_input", 0, "build/bin/chip_bad_input") {
        for (uint32_t p = 0; p < NumPorts; ++p)
            m_net.attach(0, p, true).on_receive = [this, p](const Endpoint::Received& r) {
                if (p == PortM0 && is_sync(r.flits)) return;
                if (auto wrong = m_board.receive(p, r.vc, r.flits)) ADD_FAILURE() << *wrong;
            };
        m_net.reset();
        configure(m_net, 0, {{2, 0b0001, 0}, 0xFF, 0, X, Y});
        EXPECT_TRUE(m_net.drain(1000)) << m_net.error();
    }

    // Valid packets on every port and VC, before, during and after the malformed one.
    void send_good() {
        for (uint32_t p = 0; p < NumPorts; ++p)
            for (uint32_t vc = 0; vc < vcs_of(p); ++vc) {
                PacketSpec good;
                good.v[0].x = int(p % 3) - 1;
                good.v[2].y = int(vc) - 1;
                good.mbp = p % 2;
                good.body.assign(p, 0x10000 + m_serial++);
                const Expected out = expect(good, p, vc, {2, 0b0001, 0});
                m_net.endpoint(0, p).send(vc, encode(good));
                m_board.expect(out.port, out.vc, encode(out.packet));
            }
    }

    // Good packets that need neither an MBP nor this port.
    void send_good_elsewhere(uint32_t port = PortM1) {
        for (uint32_t p = 0; p < PortM0; ++p) {
            if (p == port) continue;
            PacketSpec good;
            good.v[2].x = p % 2 == 0 ? 1 : -1;
            if (port == PortE1 || port == PortW1) std::swap(good.v[2].x, good.v[2].y);
            good.body.assign(p, 0x10000 + m_serial++);
            const Expected out = expect(good, p, 0, {2, 0b0001, 0});
            m_net.endpoint(0, p).send(0, encode(good));
            m_board.expect(out.port, out.vc, encode(out.packet));
        }
    }

    // The expected report to MBP 0 for a packet with this header.
    void expect_report(uint32_t code, uint32_t port, uint32_t vc, const Flits& bad) {
        m_board.expect(PortM0, 0,
                       good_flits({7u << 14 | 5u << 10 | code, port << 13 | vc << 11, X << 8 | Y,
                                   payload_of(bad[0]), payload_of(bad[1]), payload_of(bad[2])}));
    }

    // Sends it amid good packets; the report must come and nothing else.
    void check_reported(uint32_t code, uint32_t port, uint32_t vc, const Flits& bad) {
        send_good();
        m_net.endpoint(0, port).send(vc, bad);
        expect_report(code, port, vc, bad);
        send_good();
        ASSERT_TRUE(m_net.drain(5000)) << m_net.error();
        EXPECT_TRUE(m_board.empty()) << m_board.missing();
        EXPECT_TRUE(m_net.pins(0).err) << "error pin";
    }

    // Sends it among valid packets; its link resynchronizes and reports it, and nothing else is
    // missing. A packet of the other direction may be stored at its receiver when the link goes
    // down, and gone when it comes back: this is reported too, once per VC.
    void check_drops_link(uint32_t port, uint32_t vc, const Flits& bad) {
        m_syncs = {};
        send_good();
        m_net.endpoint(0, port).send(vc, bad);
        send_good();
        ASSERT_TRUE(m_net.drain(5000)) << m_net.error();
        EXPECT_TRUE(m_board.empty()) << m_board.missing();
        EXPECT_TRUE(m_net.pins(0).err) << "error pin";
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const bool told = p == port && tells(p);
            EXPECT_GE(m_syncs[p], told ? 1u : 0u) << to_string(Port(p));
            EXPECT_LE(m_syncs[p], told ? 1 + vcs_of(p) : 0u) << to_string(Port(p));
        }
    }

    // MBP 0 sees for itself that its own link has started again.
    static bool tells(uint32_t port) { return port != PortM0; }

    void expect_answer(uint32_t reg, uint32_t value) {
        m_net.endpoint(0, PortM0).send(0, setup_read(reg));
        m_board.expect(PortM0, 0, good_flits({5u << 14 | 4u << 10, 0, X << 8 | Y, reg, value}));
        ASSERT_TRUE(m_net.drain(1000)) << m_net.error();
        EXPECT_TRUE(m_board.empty()) << m_board.missing();
    }

    static PacketSpec plain() {
        PacketSpec p;
        p.v[0].x = 1;
        p.body = {1, 2, 3, 4};
        return p;
    }

    // Notices of links that have started again are counted.
    bool is_sync(const Flits& flits) {
        if (payload_of(flits[0]) != (7u << 14 | 2u << 10 | ErrLinkSync)) return false;
        const uint32_t port = flits[1] >> 13 & 15;
        EXPECT_EQ(flits, good_flits({payload_of(flits[0]), port << 13, X << 8 | Y}));
        ++m_syncs.at(port);
        return true;
    }

    ChipNet m_net;
    Scoreboard m_board;
    std::array<uint32_t, NumPorts> m_syncs{};
    uint32_t m_serial = 0;
};

TEST_F(BadInput, header_flit_with_wrong_parity_is_dropped_and_its_link_resynchronizes) {
    for (size_t k = 0; k < 3; ++k)
        for (uint32_t port : {PortE0, PortS1, PortM0, PortM1})
            for (uint32_t vc = 0; vc < vcs_of(port); ++vc) {
                Flits bad = encode(plain());
                bad[k] ^= 1u << (5 + k);
                check_drops_link(port, vc, bad);
            }
}

TEST_F(BadInput, header_with_wrong_parity_on_a_quiet_link_is_reported_once) {
    uint32_t told = 0;
    for (uint32_t port = 0; port < NumPorts; ++port) {
        m_syncs = {};
        Flits bad = encode(plain());
        bad[port % 3] ^= 1u << port;
        m_net.endpoint(0, port).send(0, bad);
        send_good_elsewhere(port);
        ASSERT_TRUE(m_net.drain(1000)) << m_net.error();
        EXPECT_TRUE(m_board.empty()) << m_board.missing();
        for (uint32_t p = 0; p < NumPorts; ++p)
            EXPECT_EQ(m_syncs[p], p == port && tells(p) ? 1u : 0u);
        told += tells(port) ? 1 : 0;
        expect_answer(RegSyncCnt, port + 1);
        expect_answer(RegErrCnt, told);
        expect_answer(RegStatus, 1u << StatusSync);
        expect_answer(RegLinkErr, 1u << port);
        expect_answer(RegDown, 0);
        m_net.endpoint(0, PortM0).send(0, setup_write({{RegLinkErr, 0x3FF}}));
        ASSERT_TRUE(m_net.drain(1000)) << m_net.error();
    }
}

TEST_F(BadInput, header_whose_damaged_length_is_wrong_is_still_dropped_alone) {
    Flits bad = encode(plain());
    bad[0] ^= 1u << 13;  // length field, parity now wrong
    check_drops_link(PortW0, 2, bad);
}

TEST_F(BadInput, reserved_bit_is_reported) {
    for (size_t k : {1, 2}) {
        Flits bad = encode(plain());
        bad[k] ^= 1u | 1u << 17;  // bit 0 set, parity still odd
        check_reported(ErrReserved, PortN0, 1, bad);
    }
}

TEST_F(BadInput, length_below_three_flits_is_reported) {
    for (uint32_t len : {0u, 1u}) {
        PacketSpec p = plain();
        p.tag = 5;
        Flits bad = encode(p);
        bad[0] = as_head((bad[0] & 0x1C3FF) | len << 10);
        check_reported(ErrBadLength, PortE1, 0, bad);
    }
}

TEST_F(BadInput, undriven_line_is_not_a_header) {
    Flits bad = encode(plain());
    bad[0] = 0;
    for (uint32_t port = 0; port < NumPorts; ++port) check_drops_link(port, 0, bad);
}

TEST_F(BadInput, every_type_that_no_link_may_carry_is_reported) {
    for (uint32_t type : {TypeShot, TypeErr}) {
        PacketSpec p = plain();
        p.type = type;
        check_reported(ErrBadType, PortM1, 0, encode(p));
    }
}

TEST_F(BadInput, multicast_without_receivers_is_reported) {
    m_net.endpoint(0, PortM0).send(0, setup_write({{RegMask, 0xF0}}));
    ASSERT_TRUE(m_net.drain(1000)) << m_net.error();
    McSpec mc;
    mc.map[2] = 0x30;  // the chip is on rank 2; all that is left is masked
    check_reported(ErrBadMap, PortM1, 0, encode(mc));
}

TEST_F(BadInput, stray_ack_is_reported) {
    send_good();
    m_net.endpoint(0, PortS0).send_ack(5, 0);
    m_board.expect(PortM0, 0,
                   good_flits({7u << 14 | 2u << 10 | ErrUnexpectedAck,
                               uint32_t(PortS0) << 13 | 5u << 8, X << 8 | Y}));
    send_good();
    ASSERT_TRUE(m_net.drain(5000)) << m_net.error();
    EXPECT_TRUE(m_board.empty()) << m_board.missing();
    expect_answer(RegStatus, 1u << StatusAck);
}

TEST_F(BadInput, hop_limit_that_runs_out_is_reported) {
    PacketSpec p = plain();
    p.hop = 0;
    check_reported(ErrHopLimit, PortW1, 1, encode(p));
}

TEST_F(BadInput, hop_limit_of_zero_is_enough_to_be_delivered) {
    PacketSpec p;
    p.hop = 0;
    p.mbp = 1;
    m_net.endpoint(0, PortN1).send(0, encode(p));
    m_board.expect(PortM1, 0, encode(p));
    ASSERT_TRUE(m_net.drain(1000)) << m_net.error();
    EXPECT_TRUE(m_board.empty()) << m_board.missing();
}

TEST_F(BadInput, setup_write_to_unknown_register_is_reported_and_the_rest_is_done) {
    const Flits bad = setup_write({{RegTimeout, 1234}, {0x77, 1}, {RegCtrl, 1}});
    check_reported(ErrUnknownReg, PortM1, 0, bad);
    expect_answer(RegTimeout, 1234);
    expect_answer(RegCtrl, 1);
    expect_answer(RegStatus, 1u << StatusSetup);
}

TEST_F(BadInput, setup_write_to_a_read_only_register_is_reported) {
    check_reported(ErrUnknownReg, PortM0, 0, setup_write({{RegId, 7}}));
    expect_answer(RegId, 0x5244);
}

TEST_F(BadInput, setup_body_of_the_wrong_shape_is_reported) {
    PacketSpec no_data;
    no_data.type = TypeSetup;
    no_data.body = {0x8000u | RegX, X, 0x8000u | RegY};
    check_reported(ErrBadLength, PortM0, 0, encode(no_data));
    PacketSpec two_reads;
    two_reads.type = TypeSetup;
    two_reads.body = {RegX, RegY};
    check_reported(ErrBadLength, PortM0, 0, encode(two_reads));
}

TEST_F(BadInput, setup_body_with_wrong_parity_writes_nothing) {
    Flits bad = setup_write({{RegTimeout, 77}});
    bad[4] ^= 1;
    check_reported(ErrBodyParity, PortM0, 0, bad);
    expect_answer(RegTimeout, 0);
}

TEST_F(BadInput, body_flit_with_wrong_parity_is_delivered_flagged_and_counted) {
    PacketSpec p = plain();
    Flits bad = encode(p);
    bad[5] ^= 1u << 17;
    Expected out = expect(p, PortW0, 0, {2, 0b0001, 0});
    Flits delivered = encode(out.packet);
    delivered[5] ^= 1u << 17;
    send_good();
    m_net.endpoint(0, PortW0).send(0, bad);
    m_board.expect(out.port, out.vc, delivered);
    ASSERT_TRUE(m_net.drain(5000)) << m_net.error();
    EXPECT_TRUE(m_board.empty()) << m_board.missing();
    EXPECT_TRUE(m_net.pins(0).err);
    expect_answer(RegBodyCnt, 1);
    expect_answer(RegLinkErr, 1u << PortW0);
}

TEST_F(BadInput, packet_longer_than_its_header_is_cut_and_reported) {
    PacketSpec p = plain();
    Flits longer = encode(p);
    longer.push_back(with_parity(0xAAAA));
    const Expected out = expect(p, PortN0, 0, {2, 0b0001, 0});
    m_net.endpoint(0, PortN0).send(0, longer);
    m_board.expect(out.port, out.vc, encode(out.packet));
    send_good();
    ASSERT_TRUE(m_net.drain(5000)) << m_net.error();
    EXPECT_TRUE(m_board.empty()) << m_board.missing();
    expect_answer(RegStatus, 1u << StatusFrame);
}

TEST_F(BadInput, packet_shorter_than_its_header_arrives_marked_as_damaged) {
    PacketSpec p = plain();
    p.body.resize(10, 0x5555);
    Flits cut = encode(p);
    cut.resize(5);
    int damaged = 0;
    m_net.endpoint(0, PortE0).on_receive = [&](const Endpoint::Received& r) {
        ASSERT_EQ(r.flits.size(), 13u);
        for (size_t k = 0; k < 3; ++k) EXPECT_TRUE(is_good(r.flits[k], k));
        for (size_t k = 5; k < 13; ++k) damaged += is_good(r.flits[k], k) ? 0 : 1;
    };
    // Fill the buffer first, so that what was never sent could be read as if it had been.
    PacketSpec old = p;
    old.v = {};
    m_net.endpoint(0, PortW0).send(0, encode(old));
    m_board.expect(PortM0, 0, encode(old));
    ASSERT_TRUE(m_net.drain(1000)) << m_net.error();
    m_net.endpoint(0, PortW0).send(0, cut);
    ASSERT_TRUE(m_net.drain(1000)) << m_net.error();
    EXPECT_EQ(damaged, 8) << "every flit that was never sent must carry wrong parity";
    expect_answer(RegStatus, 1u << StatusFrame);
}

TEST_F(BadInput, packet_for_an_mbp_that_does_not_drain_is_reported_and_delivered_later) {
    bool asleep = true;
    m_net.endpoint(0, PortM1).hold = [&] { return asleep ? 3000 : 0; };
    m_net.endpoint(0, PortM0).send(0, setup_write({{RegTimeout, 199}}));
    ASSERT_TRUE(m_net.drain(1000)) << m_net.error();
    PacketSpec p;
    p.mbp = 1;
    p.body = {42};
    for (uint32_t n = 0; n < 2; ++n) {  // the first takes the only buffer of the MBP
        m_net.endpoint(0, PortN1).send(n, encode(p));
        m_board.expect(PortM1, 0, encode(p));
        ASSERT_TRUE(m_net.clocks(50)) << m_net.error();
    }
    send_good_elsewhere();
    m_board.expect(PortM0, 0,
                   good_flits({7u << 14 | 2u << 10 | ErrTimeout, uint32_t(PortN1) << 13 | 1u << 11,
                               X << 8 | Y}));
    ASSERT_TRUE(m_net.clocks(1500)) << m_net.error();
    EXPECT_EQ(m_board.open(), 1u)
        << "all but the waiting packet are delivered, and it is reported once: "
        << m_board.missing();
    asleep = false;
    ASSERT_TRUE(m_net.drain(5000)) << m_net.error();
    EXPECT_TRUE(m_board.empty()) << m_board.missing();
    expect_answer(RegStatus, 1u << StatusTimeout);
    expect_answer(RegErrCnt, 1);
}

TEST_F(BadInput, status_is_cleared_by_writing_ones) {
    PacketSpec p = plain();
    p.hop = 0;
    check_reported(ErrHopLimit, PortW1, 0, encode(p));
    m_net.endpoint(0, PortM0).send(0, setup_write({{RegStatus, 0x1FFF}}));
    ASSERT_TRUE(m_net.drain(1000)) << m_net.error();
    EXPECT_FALSE(m_net.pins(0).err);
}

}  // namespace
}  // namespace rdt::tb
