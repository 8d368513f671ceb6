// SPDX-License-Identifier: MIT
// A packet that ends short while the port reads or dumps another one, of another VC or of the same
// buffer: the other one stays as it is, and the short one is marked corrupt.
#include "block/input_unit_bench.h"

namespace rdt::tb {

using input_unit_short = BlockTest;

namespace {

constexpr uint32_t AllCredits = 0x7FFFFFFF;
constexpr uint32_t Long = 16;  // flits

Flits unicast(int y, uint32_t flits) {
    PacketSpec p;
    p.v[0] = {0, y};
    for (uint32_t k = 3; k < flits; ++k) p.body.push_back(0x1111 * k ^ uint32_t(y & 0xFF));
    return encode(p);
}
// It waits for an entry of the ack table.
Flits multicast(uint32_t flits) {
    McSpec p;
    p.tag = 3;
    p.map[0] = 0x20;
    for (uint32_t k = 3; k < flits; ++k) p.body.push_back(0x0101 * k);
    return encode(p);
}
Flits marked(Flits flits) {
    std::fill(flits.begin() + 3, flits.end(), 0);
    return flits;
}

// A packet that comes in, from some cycle on, and ends with flit `last`.
struct Comes {
    Flits flits;
    uint32_t vc;
    uint32_t last;
    int from;
};

// The pass of `read` has begun; another packet comes in meanwhile. Each cycle calls at(cycle).
template <typename Bench, typename At>
void read_while(Bench& b, const Flits& read, const Comes& other, At at, uint32_t out_vc = 0) {
    const int end = std::max(int(read.size()), other.from + int(other.last) + 1);
    for (int n = 0; n < end; ++n) {
        if (n < int(read.size())) {
            EXPECT_EQ(b.rd_x(), stream_of(read, uint32_t(n), out_vc)) << "flit " << n;
        }
        at(n - other.from);
        const int k = n - other.from;
        if (k >= 0 && k <= int(other.last))
            b.flit(uint32_t(other.flits[size_t(k)]), k == 0, k == int(other.last), other.vc);
        else b.tick();
        b.settle();
    }
}
void nothing(int) {}

template <typename Bench>
void renew(Bench& b) {
    b.rst_n = b.halt = b.dump = b.look = b.gnt = b.slow = b.tick_ent = b.retry_ack = 0;
    b.tick(2);
    b.rst_n = 1;
    b.credit = AllCredits;
    b.seen = {};
}

// Packet of VC `vc` is read next, and marked corrupt.
template <typename Bench>
void expect_marked(Bench& b, const Flits& flits) {
    b.credit = AllCredits;
    b.tick();
    b.grant();
    EXPECT_EQ(b.read(uint32_t(flits.size()), 0), marked(flits));
}

}  // namespace

TEST_F(input_unit_short, packet_that_is_read_is_not_marked_if_another_vc_ends_short) {
    FromE0 b;
    for (int from = 0; from < 14; ++from)
        for (uint32_t last = 2; last < 9; ++last) {
            const uint32_t first = uint32_t(from) % 3;
            renew(b);
            const Flits read = unicast(2, Long);
            const Flits other = unicast(-3, Long);
            b.arrive(read, first);
            b.credit = 0;
            b.grant();
            read_while(b, read, {other, (first + 1 + last % 2) % 3, last, from}, nothing);
            EXPECT_EQ(b.seen.frame, 1u);
            expect_marked(b, other);
        }
}

TEST_F(input_unit_short, multicast_with_more_passes_is_not_marked_if_another_vc_ends_short) {
    FromE0 b;
    for (int from = 0; from < 14; ++from)
        for (uint32_t last = 2; last < 9; ++last) {
            renew(b);
            McSpec p;
            p.map[0] = 0x60;
            for (uint32_t k = 3; k < Long; ++k) p.body.push_back(0x0202 * k);
            const uint32_t vc = uint32_t(from) % 2;
            b.arrive(encode(p), vc);
            const uint32_t outputs = b.want();
            ASSERT_GT(outputs & (outputs - 1), 0u) << "it needs two passes";
            p.map[0] = 0;
            b.grant_part(outputs & -outputs);
            b.credit = 0;
            const Flits other = unicast(-3, Long);
            read_while(b, encode(p), {other, vc ^ 1, last, from}, nothing, (b.rd_x() >> 18) - 1);
            EXPECT_EQ(b.seen.frame, 1u);
            b.credit = AllCredits;
            bool is_read[2] = {};
            for (int pass = 0; pass < 2; ++pass) {
                b.tick();
                const bool is_other = b.grant() != vc;
                is_read[is_other] = true;
                const Flits flits = b.read(Long, (b.rd_x() >> 18) - 1);
                EXPECT_EQ(flits, is_other ? marked(other) : encode(p));
            }
            EXPECT_TRUE(is_read[0] && is_read[1]);
        }
}

// The buffer of a packet whose last pass has begun is free for the next one.
TEST_F(input_unit_short, packet_that_is_read_is_not_marked_if_the_next_in_its_buffer_ends_short) {
    FromE0 b;
    for (int from = 2; from < 14; ++from)
        for (uint32_t last = 2; last < 9; ++last) {
            renew(b);
            const Flits read = unicast(2, Long);
            const Flits other = unicast(-3, Long);
            b.arrive(read, 1);
            b.credit = 0;
            b.grant();
            read_while(b, read, {other, 1, last, from}, nothing);
            EXPECT_EQ(b.seen.frame, 1u);
            expect_marked(b, other);
        }
}

// A multicast gets RETRY while it still comes in, and then ends short: no packet is marked.
void retried_while_another_is_read(FromE0& b, uint32_t read_vc, uint32_t vc) {
    for (int from = vc == read_vc ? 2 : 0; from < 8; ++from)
        for (uint32_t last = 7; last < 12; ++last) {
            renew(b);
            const Flits read = unicast(2, Long);
            b.arrive(read, read_vc);
            b.grant();
            uint32_t retries = 0;
            read_while(b, read, {multicast(Long), vc, last, from}, [&](int k) {
                b.slow = k == 3;
                b.tick_ent = k == 4 || k == 5;
                b.settle();
                b.retry_ack = b.retry();
                retries += b.retry();
            });
            b.slow = b.tick_ent = b.retry_ack = 0;
            EXPECT_EQ(retries, 1u);
            EXPECT_EQ(b.seen.frame, 1u);
            EXPECT_EQ(b.pkt(), 0u) << "RETRY has consumed it";
            const Flits next = unicast(2, 5);
            b.arrive(next, vc);
            b.tick();
            b.grant();
            EXPECT_EQ(b.read(5, 0), next) << "the mark of the short one is gone";
        }
}
TEST_F(input_unit_short, packet_that_is_read_is_not_marked_if_a_retried_one_ends_short) {
    FromE0 b;
    retried_while_another_is_read(b, 0, 1);
    retried_while_another_is_read(b, 2, 0);
}
TEST_F(input_unit_short, packet_that_is_read_is_not_marked_if_a_retried_one_in_its_buffer_ends) {
    FromE0 b;
    retried_while_another_is_read(b, 1, 1);
}
// Without a pass in between, the next packet is not marked either.
TEST_F(input_unit_short, packet_after_a_retried_short_one_is_not_marked) {
    FromE0 b;
    for (uint32_t last = 7; last < 12; ++last) {
        renew(b);
        const Flits short_one = multicast(Long);
        for (uint32_t k = 0; k <= last; ++k) {
            b.slow = k == 3;
            b.tick_ent = k == 4 || k == 5;
            b.settle();
            b.retry_ack = b.retry();
            b.flit(uint32_t(short_one[k]), k == 0, k == last, 1);
        }
        b.slow = b.tick_ent = b.retry_ack = 0;
        const Flits next = unicast(2, Long);
        b.arrive(next, 0);
        b.tick();
        b.grant();
        EXPECT_EQ(b.read(Long, 0), next);
    }
}

// The same while a packet is dumped: of another VC, and, with MBP 0, of the same buffer.
template <typename Bench>
void dumped_while_another_ends(Bench& b, uint32_t dumped_vc, uint32_t vc) {
    for (int from = vc == dumped_vc ? 2 : 0; from < 14; ++from)
        for (uint32_t last = 2; last < 9; ++last) {
            renew(b);
            b.halt = 1;
            const Flits dumped = unicast(2, Long);
            const Flits other = unicast(-3, Long);
            b.arrive(dumped, dumped_vc);
            b.look = 1u << dumped_vc;
            b.dump = 1;
            b.settle();
            while (b.want() == 0) b.tick();
            b.gnt = 1u << PortM0;
            b.tick();
            b.gnt = b.dump = 0;
            b.settle();
            read_while(b, dumped, {other, vc, last, from}, nothing);
            EXPECT_EQ(b.seen.frame, 1u);
            b.halt = 0;
            expect_marked(b, other);
        }
}
TEST_F(input_unit_short, packet_that_is_dumped_is_not_marked_if_another_ends_short) {
    FromE0 b;
    dumped_while_another_ends(b, 0, 1);
    dumped_while_another_ends(b, 2, 0);
}
TEST_F(input_unit_short, packet_of_an_upper_link_that_is_dumped_is_not_marked) {
    FromN1 b;
    dumped_while_another_ends(b, 1, 0);
}
TEST_F(input_unit_short, packet_of_mbp_0_that_is_dumped_is_not_marked_if_the_next_ends_short) {
    FromM0 b;
    dumped_while_another_ends(b, 0, 0);
}

// A retried multicast ends short while another VC is dumped.
TEST_F(input_unit_short, packet_that_is_dumped_is_not_marked_if_a_retried_one_ends_short) {
    FromE0 b;
    for (uint32_t last = 10; last < 15; ++last) {
        renew(b);
        const Flits dumped = unicast(2, Long);
        b.credit = 0;
        b.arrive(dumped, 0);
        b.credit = AllCredits;
        b.look = 1;
        const Flits short_one = multicast(Long);
        uint32_t read = Long;
        for (uint32_t k = 0; k <= last || read < Long; ++k) {
            b.slow = k == 3;
            b.tick_ent = k == 4 || k == 5;
            b.settle();
            b.retry_ack = b.retry();
            if (k >= 6) b.halt = 1;
            b.dump = k >= 7 && read == Long;
            b.settle();
            b.gnt = b.dump() ? b.want() & 1u << PortM0 : 0;
            if (read < Long) {
                EXPECT_EQ(b.rd_x(), stream_of(dumped, read, 0)) << "flit " << read;
                ++read;
            }
            const bool begins = b.gnt() != 0;
            if (k <= last) b.flit(uint32_t(short_one[k]), k == 0, k == last, 1);
            else b.tick();
            if (begins) {
                read = 0;
                b.dump = 0;
            }
            b.settle();
            if (k > last && read == Long) break;
        }
        EXPECT_EQ(b.seen.frame, 1u);
    }
}

}  // namespace rdt::tb
