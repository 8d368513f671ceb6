// SPDX-License-Identifier: MIT
#include "Vrdt_buffer_ram.h"
#include <rdt/buffer_ram.h>
#include "common/block_bench.h"
#include "common/dice.h"
#include "common/single_block.h"

namespace rdt::tb {

struct BufferRamBench : BlockBench<Vrdt_buffer_ram, single_block<rdt::buffer_ram>> {
    explicit BufferRamBench(const TestRun& run) : BlockBench(run, "buffer_ram") {}

    bool clocked = has_clock(rtl().clk_i, model().clk_i);
    Input we = in("we_i", 1, rtl().we_i, model().we_i);
    Input waddr = in("waddr_i", 4, rtl().waddr_i, model().waddr_i);
    Input wdata = in("wdata_i", 18, rtl().wdata_i, model().wdata_i);
    Input raddr = in("raddr_i", 4, rtl().raddr_i, model().raddr_i);
    Output rdata = out("rdata_o", 18, rtl().rdata_o, model().rdata_o);

    void write(uint32_t addr, uint32_t flit) {
        we = 1;
        waddr = addr;
        wdata = flit;
        tick();
        we = 0;
    }
    uint32_t read(uint32_t addr) {
        raddr = addr;
        settle();
        return rdata();
    }
};

using buffer_ram = BlockTest;

TEST_F(buffer_ram, every_address_keeps_its_flit) {
    BufferRamBench b{TestRun{}};
    for (uint32_t a = 0; a < 16; ++a) b.write(a, 0x2AAAA ^ a * 0x1357);
    for (uint32_t a = 0; a < 16; ++a) EXPECT_EQ(b.read(a), 0x2AAAA ^ a * 0x1357) << "address " << a;
}

TEST_F(buffer_ram, read_in_the_cycle_of_a_write_gives_the_old_flit) {
    BufferRamBench b{TestRun{}};
    b.write(5, 0x11111);
    b.we = 1;
    b.waddr = 5;
    b.wdata = 0x22222;
    EXPECT_EQ(b.read(5), 0x11111u);
    b.tick();
    b.we = 0;
    EXPECT_EQ(b.read(5), 0x22222u);
}

TEST_F(buffer_ram, nothing_is_written_without_we) {
    BufferRamBench b{TestRun{}};
    b.write(9, 0x12345);
    b.waddr = 9;
    b.wdata = 0x3FFFF;
    b.tick(3);
    EXPECT_EQ(b.read(9), 0x12345u);
}

TEST_F(buffer_ram, random_lockstep) {
    const TestRun run(100000);
    BufferRamBench b(run);
    Dice rng(run.seed);
    for (uint32_t a = 0; a < 16; ++a) b.write(a, rng.bits(18));
    uint32_t same_address = 0;
    while (b.clock() < run.cycles) {
        b.we = rng.chance(60);
        b.waddr = rng.bits(4);
        b.wdata = rng.bits(18);
        b.raddr = rng.chance(30) ? b.waddr() : rng.bits(4);
        same_address += b.we() && b.raddr() == b.waddr();
        b.tick();
    }
    EXPECT_GT(same_address, 0u);
}

}  // namespace rdt::tb
