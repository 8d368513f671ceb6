// SPDX-License-Identifier: MIT
// Instructions of a hart, one by one: expected values are those of the RISC-V specification.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <initializer_list>

#include <rdt/hart/hart.h>

namespace rdt::hart {
namespace {

constexpr uint64_t Base = 0x80000000;

// A hart with these instructions, of 32 bits each, and 256 bytes of memory at 0.
class Bench {
public:
    explicit Bench(std::initializer_list<uint32_t> code)
        : m_code(code),
          m_text({Base, 4 * m_code.size(), reinterpret_cast<uint8_t*>(m_code.data())}),
          hart(3, m_text) {
        hart.pc = Base;
        hart.memory = {0, m_memory.size(), m_memory.data()};
    }
    Hart::Stop run() { return hart.run(m_code.size(), 100); }
    uint8_t* memory() { return m_memory.data(); }

private:
    std::vector<uint32_t> m_code;
    std::array<uint8_t, 256> m_memory{};
    Text m_text;

public:
    Hart hart;
};

uint64_t bits_of(double v) {
    uint64_t b = 0;
    std::memcpy(&b, &v, sizeof b);
    return b;
}

TEST(Decoder, expands_compressed_instructions) {
    const Instruction n = decode(0x0505);  // c.addi a0, 1
    EXPECT_EQ(n.op, Opcode::Addi);
    EXPECT_EQ(n.length, 2);
    EXPECT_EQ(n.rd, 10);
    EXPECT_EQ(n.rs1, 10);
    EXPECT_EQ(n.imm, 1);
    EXPECT_EQ(decode(0x8082).op, Opcode::Jalr);  // ret
    EXPECT_EQ(decode(0x9002).op, Opcode::Ebreak);
}

TEST(Decoder, refuses_what_is_no_instruction) {
    EXPECT_EQ(decode(0).op, Opcode::Illegal);
    EXPECT_EQ(decode(0xffffffff).op, Opcode::Illegal);
    EXPECT_EQ(decode(0x02007033 | 1u << 31).op, Opcode::Illegal);  // funct7 of no operation
    EXPECT_EQ(decode(0x0005d553 | 5u << 12).op, Opcode::Illegal);  // reserved rounding mode
}

TEST(Hart, writes_to_x0_have_no_effect) {
    Bench b{0x00500013};  // addi x0, x0, 5
    EXPECT_EQ(b.run(), Hart::Stop::Budget);
    EXPECT_EQ(b.hart.x[0], 0u);
    EXPECT_EQ(b.hart.pc, Base + 4);
}

TEST(Hart, divides_by_zero_and_overflows_as_specified) {
    Bench b{0x02b54633, 0x02b566b3, 0x02a54733};  // div a2,a0,a1; rem a3,a0,a1; div a4,a0,a0
    b.hart.x[10] = uint64_t(1) << 63;
    b.run();
    EXPECT_EQ(b.hart.x[12], ~uint64_t(0));
    EXPECT_EQ(b.hart.x[13], uint64_t(1) << 63);
    EXPECT_EQ(b.hart.x[14], 1u);
    Bench overflow{0x02b54633, 0x02b566b3};
    overflow.hart.x[10] = uint64_t(1) << 63;
    overflow.hart.x[11] = ~uint64_t(0);
    overflow.run();
    EXPECT_EQ(overflow.hart.x[12], uint64_t(1) << 63);
    EXPECT_EQ(overflow.hart.x[13], 0u);
}

TEST(Hart, requests_shared_memory) {
    Bench b{0x0005b503};  // ld a0, 0(a1)
    b.hart.x[11] = 0x90000000;
    EXPECT_EQ(b.run(), Hart::Stop::Access);
    EXPECT_EQ(b.hart.request().address, 0x90000000u);
    EXPECT_EQ(b.hart.request().op, dsm::Op::Load);
    EXPECT_EQ(b.hart.pc, Base);
    b.hart.complete(7);
    EXPECT_EQ(b.hart.x[10], 7u);
    EXPECT_EQ(b.hart.pc, Base + 4);
    EXPECT_EQ(b.hart.instructions(), 1u);
}

TEST(Hart, loads_are_extended_by_their_sign) {
    Bench b{0x00058503, 0x0005c603};  // lb a0, 0(a1); lbu a2, 0(a1)
    b.memory()[16] = 0x80;
    b.hart.x[11] = 16;
    b.run();
    EXPECT_EQ(b.hart.x[10], ~uint64_t(0x7f));
    EXPECT_EQ(b.hart.x[12], 0x80u);
}

TEST(Hart, conditional_stores_need_their_reservation) {
    // sc.d a2, a3, (a1); lr.d a4, (a1); sc.d a5, a3, (a1)
    Bench b{0x18d5b62f, 0x1005b72f, 0x18d5b7af};
    b.hart.x[11] = 8;
    b.hart.x[13] = 42;
    b.run();
    EXPECT_EQ(b.hart.x[12], 1u);
    EXPECT_EQ(b.hart.x[15], 0u);
    EXPECT_EQ(b.memory()[8], 42);
}

TEST(Hart, misaligned_atomic_operations_trap) {
    Bench b{0x00d5b62f};  // amoadd.d a2, a3, (a1)
    b.hart.x[11] = 4;
    EXPECT_EQ(b.run(), Hart::Stop::Trap);
    EXPECT_EQ(b.hart.cause(), StoreMisaligned);
    EXPECT_EQ(b.hart.trap_value(), 4u);
}

TEST(Hart, traps_go_to_the_handler) {
    // csrw mtvec, a0; illegal; addi a1, x0, 1
    Bench b{0x30551073, 0x00000000, 0x00100593};
    b.hart.x[10] = Base + 8;
    EXPECT_EQ(b.run(), Hart::Stop::Budget);
    EXPECT_EQ(b.hart.cause(), IllegalInstruction);
    EXPECT_EQ(b.hart.x[11], 1u);
}

TEST(Hart, a_handler_that_traps_again_comes_to_an_end) {
    Bench b{0x30551073, 0x00000000};  // csrw mtvec, a0; illegal
    b.hart.x[10] = Base + 4;
    EXPECT_EQ(b.hart.run(1000, 0), Hart::Stop::Budget);
    EXPECT_EQ(b.hart.executed(), 1000u);
}

TEST(Hart, leaves_its_code_with_a_trap) {
    Bench b{0x00050067};  // jr a0
    b.hart.x[10] = 0x40;
    EXPECT_EQ(b.hart.run(10, 0), Hart::Stop::Trap);
    EXPECT_EQ(b.hart.cause(), FetchFault);
}

TEST(Hart, counts_cycles_and_instructions) {
    // nop; csrr a0, mcycle; csrr a1, minstret; csrr a2, mhartid
    Bench b{0x00000013, 0xb0002573, 0xb02025f3, 0xf1402673};
    b.run();
    EXPECT_EQ(b.hart.x[10], 101u);
    EXPECT_EQ(b.hart.x[11], 2u);
    EXPECT_EQ(b.hart.x[12], 3u);
}

TEST(FloatingPoint, notes_exceptions) {
    // fdiv.d fa0, fa1, fa2; csrr a0, fflags
    Bench b{0x1ac5f553, 0x00102573};
    b.hart.f[11] = bits_of(1);
    b.hart.f[12] = bits_of(3);
    b.run();
    EXPECT_EQ(b.hart.f[10], bits_of(1.0 / 3));
    EXPECT_EQ(b.hart.x[10], 1u);  // inexact
    Bench zero{0x1ac5f553, 0x00102573};
    zero.hart.f[11] = bits_of(1);
    zero.run();
    EXPECT_EQ(zero.hart.f[10], bits_of(INFINITY));
    EXPECT_EQ(zero.hart.x[10], 8u);  // division by zero
}

TEST(FloatingPoint, rounds_as_the_instruction_specifies) {
    Bench up{0x1ac5b553};    // fdiv.d fa0, fa1, fa2, rup
    Bench down{0x1ac5a553};  // rdn
    for (Bench* b : {&up, &down}) {
        b->hart.f[11] = bits_of(1);
        b->hart.f[12] = bits_of(3);
        b->run();
    }
    EXPECT_EQ(up.hart.f[10], down.hart.f[10] + 1);
}

TEST(FloatingPoint, makes_canonical_nans) {
    Bench b{0x02c5f553};  // fadd.d fa0, fa1, fa2
    b.hart.f[11] = 0x7ff8000000000123;
    b.run();
    EXPECT_EQ(b.hart.f[10], 0x7ff8000000000000u);
}

TEST(FloatingPoint, singles_are_boxed) {
    Bench b{0x00c5f553};        // fadd.s fa0, fa1, fa2
    b.hart.f[11] = 0x3f800000;  // not boxed: a NaN
    b.hart.f[12] = 0xffffffff3f800000;
    b.run();
    EXPECT_EQ(b.hart.f[10], 0xffffffff7fc00000u);
}

// Both products are rounded to the least normal number. With an exponent of any range the first
// would be, too; the second would be less.
TEST(FloatingPoint, underflow_is_detected_after_rounding) {
    Bench normal{0x12c5f553, 0x00102573};    // fmul.d fa0, fa1, fa2; csrr a0, fflags
    normal.hart.f[11] = 0x000fffffffffffff;  // the largest subnormal
    normal.hart.f[12] = 0x3ff0000000000001;  // the least above 1
    normal.run();
    EXPECT_EQ(normal.hart.f[10], 0x0010000000000000u);
    EXPECT_EQ(normal.hart.x[10], 1u);  // inexact
    Bench tiny{0x12c5f553, 0x00102573};
    tiny.hart.f[11] = 0x0010000000000000;
    tiny.hart.f[12] = 0x3fefffffffffffff;  // the largest below 1
    tiny.run();
    EXPECT_EQ(tiny.hart.f[10], 0x0010000000000000u);
    EXPECT_EQ(tiny.hart.x[10], 3u);  // underflow and inexact
}

TEST(FloatingPoint, conversions_saturate) {
    Bench b{0xc2059553, 0x00102673};  // fcvt.w.d a0, fa1, rtz; csrr a2, fflags
    b.hart.f[11] = bits_of(1e20);
    b.run();
    EXPECT_EQ(b.hart.x[10], 0x7fffffffu);
    EXPECT_EQ(b.hart.x[12], 16u);
}

TEST(FloatingPoint, refuses_ties_away_in_arithmetic) {
    Bench b{0x02c5c553};  // fadd.d fa0, fa1, fa2, rmm
    EXPECT_EQ(b.run(), Hart::Stop::Trap);
    EXPECT_EQ(b.hart.cause(), IllegalInstruction);
}

}  // namespace
}  // namespace rdt::hart
