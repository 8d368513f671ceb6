// SPDX-License-Identifier: MIT
// Contexts that an MBP 0 with a mistake in it puts back: each is refused with BadShot and its
// header, and the chip then works as if it had never come.
#include <gtest/gtest.h>

#include "attack/one_chip.h"

namespace rdt::tb {
namespace {

struct Forged {
    const char* name;
    uint32_t port;
    uint32_t vc;
    uint32_t pend;
    bool mc;
    uint32_t plan;
    bool ent;
    uint32_t tag;
    uint32_t type;  // type of the packet
    friend std::ostream& operator<<(std::ostream& o, const Forged& f) { return o << f.name; }
};

constexpr uint32_t S0 = 1u << PortS0;
constexpr uint32_t N0 = 1u << PortN0;

// Slots of MBP ports need no dump before; those of links that are up do.
const Forged Cases[] = {
    {"pend_names_nobody", PortM1, 0, 0, false, 0, false, 0, TypeUni},
    {"pend_names_local", PortM1, 0, 1u << PortLocal, false, 0, false, 0, TypeUni},
    {"pend_names_local_too", PortM1, 0, 1u << PortLocal | S0, true, 0, false, 0, TypeMcSm},
    {"credit_is_out", PortE0, 0, S0, false, 0, false, 0, TypeUni},
    {"credit_is_out_upper", PortN1, 1, S0, false, 0, false, 0, TypeUni},
    {"unicast_as_multicast", PortM1, 0, S0, true, 0, false, 0, TypeUni},
    {"multicast_as_unicast", PortM1, 0, S0, false, 0, false, 0, TypeMcSm},
    {"unicast_to_two", PortM1, 0, S0 | N0, false, 0, false, 0, TypeUni},
    {"unicast_waits_for_an_entry", PortM1, 0, S0, false, 0, true, 1, TypeUni},
    {"vc_that_the_output_has_not", PortM1, 0, S0, false, 2, false, 0, TypeUni},
    {"vc_that_no_output_has", PortM1, 0, 1u << PortE0, false, 3, false, 0, TypeUni},
    {"vc_of_an_mbp", PortM1, 0, 1u << PortM0, false, 1, false, 0, TypeUni},
    {"entry_without_a_tag", PortM1, 0, S0, true, 0, true, 0, TypeMcSm},
    {"no_such_port", 12, 0, S0, false, 0, false, 0, TypeUni},
    {"no_such_vc", PortM1, 1, S0, false, 0, false, 0, TypeUni},
};

Flits context(const Forged& f) {
    return good_flits({TypeShot << 14 | 2u << 10 | f.tag << 7 | uint32_t(WhatSlot),
                       f.port << 13 | f.vc << 11 | f.pend,
                       uint32_t(f.mc) << 16 | f.plan << 12 | uint32_t(f.ent) << 11});
}

Flits packet(const Forged& f) {
    if (f.type == TypeUni) return encode(leaving_by(PortS0));
    McSpec mc;
    mc.map[0] = 1u << MapS;
    mc.tag = f.tag;
    return encode(mc);
}

class Context : public ::testing::TestWithParam<Forged> {
protected:
    void shoot_down() {
        m_chip.at(PortM0).send(0, setup_write({{RegCtrl, 4}}));
        for (int n = 0; n < 1000 && !m_ended; ++n) ASSERT_TRUE(m_chip.clocks(1)) << m_chip.error();
        ASSERT_TRUE(m_ended) << "no End";
    }
    void put(const Forged& f) {
        m_chip.at(PortM0).send_first(context(f));
        m_chip.at(PortM0).send_first(packet(f));
        ASSERT_TRUE(m_chip.clocks(200)) << m_chip.error();
    }
    void run() {
        m_chip.at(PortM0).send_first(
            good_flits({TypeShot << 14 | 2u << 10 | uint32_t(WhatRun), 0, 0}));
        ASSERT_TRUE(m_chip.clocks(200)) << m_chip.error();
    }
    // A packet on every VC of every port.
    void check_all_buffers() {
        const size_t before = m_chip.got[PortS0].size();
        size_t sent = 0;
        for (uint32_t p = 0; p < NumPorts; ++p)
            for (uint32_t vc = 0; vc < vcs_of(p); ++vc)
                for (int n = 0; n < 2; ++n, ++sent)
                    if (p != PortS0) m_chip.at(p).send(vc, encode(leaving_by(PortS0)));
                    else --sent;
        ASSERT_TRUE(m_chip.net().drain(4000)) << m_chip.error();
        EXPECT_EQ(m_chip.got[PortS0].size() - before, sent);
    }

    Context() : m_chip("contexts", {}) {
        m_chip.on_receive = [this](uint32_t port, const Flits& f) {
            m_ended |= port == PortM0 && OneChip::type_of(f) == TypeShot && (f[0] & 3) == WhatEnd;
        };
    }

    OneChip m_chip;
    bool m_ended = false;
};
INSTANTIATE_TEST_SUITE_P(contexts, Context, ::testing::ValuesIn(Cases),
                         [](const auto& p) { return p.param.name; });

TEST_P(Context, invalid_context_is_refused_without_a_loss) {
    const Forged& f = GetParam();
    shoot_down();
    put(f);
    ASSERT_FALSE(HasFatalFailure());
    ASSERT_EQ(m_chip.reports(ErrBadShot), 1u);
    const Flits& report = m_chip.got[PortM0].back();
    ASSERT_EQ(report.size(), 6u);
    for (size_t k = 0; k < 3; ++k) EXPECT_EQ(payload_of(report[3 + k]), payload_of(context(f)[k]));
    EXPECT_EQ(m_chip.look(RegStatus), 1u << StatusSetup);
    EXPECT_EQ(m_chip.look(RegErrCnt), 1u);
    run();
    ASSERT_FALSE(HasFatalFailure());
    EXPECT_TRUE(m_chip.got[PortS0].empty()) << "what was refused is not sent";
    check_all_buffers();
    EXPECT_EQ(m_chip.read(RegSyncCnt), 0u) << "no link lost synchronization";
    EXPECT_EQ(m_chip.read(RegLostCnt), 0u);
}

// A valid context is accepted: into MBP 1's buffer, whose credit MBP 1 discards.
TEST_F(Context, valid_context_is_accepted) {
    shoot_down();
    m_chip.net().forfeit(0, PortM1, 0);
    put({"valid", PortM1, 0, S0, false, 0, false, 0, TypeUni});
    ASSERT_FALSE(HasFatalFailure());
    EXPECT_EQ(m_chip.reports(ErrBadShot), 0u);
    run();
    EXPECT_EQ(m_chip.got[PortS0].size(), 1u);
    check_all_buffers();
}

}  // namespace
}  // namespace rdt::tb
