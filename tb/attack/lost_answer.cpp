// SPDX-License-Identifier: MIT
// The answer to a multicast on its last link: no chip waits for it any more, and it has no credit
// whose loss would show. A REQ pin that is inverted in a cycle of its way there makes it vanish;
// its sender has to notice by itself, and can send again.
#include <gtest/gtest.h>

#include <rdt/machine/transport.h>
#include <rdt/net/rdt/multicast.h>

namespace rdt::tb {
namespace {

constexpr uint32_t Sender = 27;

struct Answer {
    uint32_t count = 0;
    uint32_t status = 0;
    uint64_t after = 0;  // cycles
};

// One multicast; a pin that MBP 0 of its sender reads is inverted so many cycles after it was sent.
Answer answer_with_flip(uint64_t clock, uint32_t bit) {
    machine::Config config;
    config.t_ent = 60;
    config.t_ack = 500;
    const auto machine = machine::make_machine(config);
    machine->bring_up();
    machine::Transport transport(*machine);
    Answer answer;
    const uint64_t begun = machine->now();
    transport.on_ack = [&](const machine::Packet&, uint32_t status) {
        ++answer.count;
        answer.status = status;
        answer.after = machine->now() - begun;
    };
    machine::Message message;
    message.source = Sender;
    message.maps = map_byte(0, 0x1F);
    message.wants_ack = true;
    transport.send(message);
    for (uint64_t n = 0; n < 6000 && answer.count == 0; ++n) {
        if (n == clock) {
            core::LinkPinsIn bits;
            bits.req = 1u << bit;
            machine->flip({Sender, machine::MbpReads, bits});
        }
        transport.clock();
    }
    EXPECT_EQ(transport.open(), 0u) << "the multicast is still open; flip in cycle " << clock;
    return answer;
}

TEST(LostAnswer, on_the_last_link_is_noticed_by_the_sender) {
    const Answer sound = answer_with_flip(~uint64_t(0), 0);
    ASSERT_EQ(sound.count, 1u);
    ASSERT_EQ(sound.status >> AckTimeout & 1, 0u);
    uint32_t by_sender = 0;
    for (uint64_t clock = sound.after - 12; clock < sound.after; ++clock)
        for (uint32_t bit = 0; bit < 2; ++bit) {
            const Answer answer = answer_with_flip(clock, bit);
            EXPECT_EQ(answer.count, 1u) << "flip of bit " << bit << " in cycle " << clock;
            by_sender += answer.status >> AckTimeout & 1;
        }
    EXPECT_GT(by_sender, 0u) << "no flip hit the answer";
}

}  // namespace
}  // namespace rdt::tb
