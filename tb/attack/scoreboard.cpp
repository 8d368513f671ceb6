// SPDX-License-Identifier: MIT
// The scoreboard that the attacks rest on, compared with mistakes made on purpose.
#include <gtest/gtest.h>

#include "common/watched_load.h"

namespace rdt::tb {
namespace {

using machine::Endpoint;

class LossScoreboard : public ::testing::Test {
protected:
    LossScoreboard() : m_machine(machine::make_machine({})) {
        m_machine->bring_up();
        LoadOptions options;
        options.multicasts = 0.05;
        m_load = std::make_unique<WatchedLoad>(*m_machine, options);
    }
    ~LossScoreboard() override { m_load.reset(); }

    // Intercepts every packet that node 9's MBP 1 receives, and decides how often the scoreboard
    // gets it.
    void filter(const std::function<int(Endpoint::Received&)>& times) {
        Endpoint& end = m_machine->mbp(9, 1);
        end.on_receive = [times, usual = end.on_receive](const Endpoint::Received& r) {
            Endpoint::Received changed = r;
            for (int n = times(changed); n > 0; --n) usual(changed);
        };
    }
    std::string verdict() {
        m_load->clocks(3000);
        m_load->drain(6000);
        m_load->close();
        return m_load->wrong();
    }
    static bool is_uni(const Endpoint::Received& r) {
        return get(r.flits[0], H0Type) == int(TypeUni);
    }

    std::unique_ptr<machine::Machine> m_machine;
    std::unique_ptr<WatchedLoad> m_load;
    int m_count = 0;
};

TEST_F(LossScoreboard, accepts_a_good_run) {
    EXPECT_EQ(verdict(), "");
    EXPECT_EQ(m_load->delivered(), m_load->sent());
    EXPECT_GT(m_load->sent(), 2000u);
}

TEST_F(LossScoreboard, finds_a_packet_that_is_lost_in_silence) {
    filter([this](Endpoint::Received& r) { return is_uni(r) && ++m_count == 3 ? 0 : 1; });
    EXPECT_NE(verdict().find("no report explains it"), std::string::npos);
}

TEST_F(LossScoreboard, takes_no_report_of_another_place_for_an_explanation) {
    filter([this](Endpoint::Received& r) { return is_uni(r) && ++m_count == 3 ? 0 : 1; });
    m_load->clocks(100);
    m_load->disturb(9, PortM1, true);
    EXPECT_NE(verdict().find("no report explains it"), std::string::npos);
}

TEST_F(LossScoreboard, finds_a_copy_of_a_multicast_that_is_lost_and_answered) {
    filter([this](Endpoint::Received& r) {
        if (!is_multicast(r.flits[0]) || ++m_count != 2) return 1;
        m_machine->mbp(9, 1).send_ack(uint32_t(get(r.flits[0], H0Tag)), 0,
                                      Endpoint::generation_of(r.flits));
        return 0;
    });
    EXPECT_NE(verdict().find("got an ack without error"), std::string::npos);
}

TEST_F(LossScoreboard, finds_a_packet_that_comes_twice) {
    filter([this](Endpoint::Received& r) { return is_uni(r) && ++m_count == 3 ? 2 : 1; });
    EXPECT_NE(verdict().find("twice"), std::string::npos);
}

TEST_F(LossScoreboard, finds_a_packet_that_was_changed) {
    filter([this](Endpoint::Received& r) {
        if (is_uni(r) && ++m_count == 3) r.flits[7] = make_flit(0x5555);
        return 1;
    });
    EXPECT_NE(verdict().find("not as it was sent"), std::string::npos);
}

TEST_F(LossScoreboard, finds_a_packet_at_a_wrong_place) {
    filter([this](Endpoint::Received& r) {
        if (is_uni(r) && ++m_count == 3) m_machine->mbp(10, 0).on_receive(r);
        return 1;
    });
    EXPECT_NE(verdict().find("not for it"), std::string::npos);
}

}  // namespace
}  // namespace rdt::tb
