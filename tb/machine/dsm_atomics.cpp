// SPDX-License-Identifier: MIT
// Bytes, words and atomic operations of the shared memory, in both protocols and directories.
#include "machine/increments.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "common/dice.h"
#include "common/run_options.h"

namespace rdt::tb {
namespace {

using dsm::Access;
using dsm::DirectoryKind;
using dsm::InjectedBug;
using dsm::Op;
using dsm::Protocol;
using dsm::Result;
using machine::Config;
using machine::Engine;

TEST(dsm_atomics, stores_of_all_sizes_write_their_bytes_only) {
    for (const MemoryKind& kind : MemoryKinds) {
        MemoryBench bench({}, options_of(kind));
        Dice dice(seed_or(1));
        std::array<uint8_t, 64> bytes{};
        for (int i = 0; i < 300; ++i) {
            const uint32_t size = 1u << dice.below(4);
            const uint64_t address = dice.below(64 / size) * size;
            const uint64_t value = uint64_t(dice.below(1u << 30)) << 34 | dice.below(1u << 30);
            bench.store(dice.below(64), address, value, size);
            for (uint32_t b = 0; b < size; ++b) bytes[address + b] = uint8_t(value >> 8 * b);
            const uint64_t at = dice.below(64 - 8);
            const uint32_t part = at % 32 > 24 ? 32 - at % 32 : 8;
            uint64_t expected = 0;
            for (uint32_t b = 0; b < part; ++b) expected |= uint64_t(bytes[at + b]) << 8 * b;
            ASSERT_EQ(bench.load(dice.below(64), at, part), expected) << name_of(kind);
        }
        std::array<uint8_t, 64> seen{};
        bench.memory.peek(0, seen.data(), seen.size());
        EXPECT_EQ(seen, bytes) << name_of(kind);
        EXPECT_EQ(bench.finish(), "") << name_of(kind);
    }
}

TEST(dsm_atomics, every_operation_returns_the_old_value_and_leaves_the_new_one) {
    const uint64_t operands[] = {0,          1,          5,     0x7FFFFFFF,        0x80000000,
                                 0xFFFFFFFF, 1ull << 63, ~0ull, 0x123456789ABCDEF0};
    const auto expected = [](Op op, uint64_t old, uint64_t x, uint32_t size) -> uint64_t {
        const auto s = [size](uint64_t v) {
            return size == 4 ? int64_t(int32_t(uint32_t(v))) : int64_t(v);
        };
        switch (op) {
        case Op::Swap: return x;
        case Op::Add: return old + x;
        case Op::And: return old & x;
        case Op::Or: return old | x;
        case Op::Xor: return old ^ x;
        case Op::Min: return uint64_t(std::min(s(old), s(x)));
        case Op::Max: return uint64_t(std::max(s(old), s(x)));
        case Op::MinUnsigned: return std::min(old, x);
        default: return std::max(old, x);
        }
    };
    for (const MemoryKind& kind : MemoryKinds) {
        MemoryBench bench({}, options_of(kind));
        Dice dice(seed_or(1));
        for (const uint32_t size : {4u, 8u})
            for (uint32_t op = uint32_t(Op::Swap); op <= uint32_t(Op::MaxUnsigned); ++op) {
                const uint64_t address = dice.below(16) * 8 + (size == 4 ? dice.below(2) * 4 : 0);
                for (const uint64_t x : operands) {
                    const uint64_t mask = size == 4 ? 0xFFFFFFFF : ~0ull;
                    const uint64_t old = bench.load(dice.below(64), address, size);
                    const Result r = bench.store(dice.below(64), address, x, size, Op(op));
                    EXPECT_EQ(r.value, old) << name_of(kind) << " op " << op;
                    EXPECT_EQ(bench.load(dice.below(64), address, size),
                              expected(Op(op), old, x & mask, size) & mask)
                        << name_of(kind) << " op " << op << " size " << size << " " << old << " "
                        << x;
                }
            }
        EXPECT_EQ(bench.finish(), "") << name_of(kind);
    }
}

TEST(dsm_atomics, a_conditional_store_succeeds_unless_another_write_came_between) {
    for (const MemoryKind& kind : MemoryKinds) {
        MemoryBench bench({}, options_of(kind));
        bench.store(3, 8, 7);
        const auto conditional = [&](uint32_t node, uint64_t value) {
            return bench.store(node, 8, value, 8, Op::StoreConditional).is_success;
        };
        const auto reserve = [&](uint32_t node) {
            Access a;
            a.address = 8;
            a.op = Op::LoadReserved;
            return bench.perform(node, a).value;
        };
        EXPECT_FALSE(conditional(5, 1)) << "without a reservation";
        EXPECT_EQ(reserve(5), 7u);
        EXPECT_TRUE(conditional(5, 8)) << name_of(kind);
        EXPECT_FALSE(conditional(5, 9)) << "a reservation serves once";
        EXPECT_EQ(reserve(5), 8u);
        EXPECT_EQ(reserve(40), 8u);
        const uint64_t version = bench.store(9, 8, 20).version;
        EXPECT_FALSE(conditional(5, 9)) << name_of(kind);
        EXPECT_FALSE(conditional(40, 9)) << name_of(kind);
        EXPECT_EQ(bench.load(17, 8), 20u);
        EXPECT_EQ(bench.store(9, 8, 21).version, version + 1) << "a refused store made a version";
        EXPECT_EQ(bench.finish(), "") << name_of(kind);
    }
}

// Node 5 has a lease after a refused store, and does not use it.
TEST(dsm_atomics, a_lease_without_a_store_ends) {
    for (const MemoryKind& kind : MemoryKinds) {
        MemoryBench bench({}, options_of(kind));
        const auto reserve = [&](uint32_t node) {
            Access a;
            a.address = 8;
            a.op = Op::LoadReserved;
            return bench.perform(node, a).value;
        };
        const auto conditional = [&](uint32_t node, uint64_t value) {
            return bench.store(node, 8, value, 8, Op::StoreConditional).is_success;
        };
        reserve(5);
        bench.store(9, 8, 20);
        EXPECT_FALSE(conditional(5, 21)) << name_of(kind);
        EXPECT_EQ(reserve(5), 20u);
        const uint64_t begun = bench.now();
        EXPECT_EQ(reserve(40), 20u);
        EXPECT_FALSE(conditional(40, 21)) << name_of(kind) << ": it is node 5's lease";
        EXPECT_EQ(reserve(40), 20u);
        EXPECT_GE(bench.now() - begun, 400u) << name_of(kind);
        EXPECT_LT(bench.now() - begun, 2000u) << name_of(kind);
        EXPECT_TRUE(conditional(40, 21)) << name_of(kind);
        EXPECT_FALSE(conditional(5, 21)) << name_of(kind);
        EXPECT_EQ(bench.load(17, 8), 21u);
        EXPECT_EQ(bench.finish(), "") << name_of(kind);
    }
}

// Node 40's store is refused for the lease of node 5, so its reservation has ended.
TEST(dsm_atomics, a_conditional_store_after_a_failed_one_fails) {
    for (const MemoryKind& kind : MemoryKinds) {
        MemoryBench bench({}, options_of(kind));
        const auto reserve = [&](uint32_t node) {
            Access a;
            a.address = 8;
            a.op = Op::LoadReserved;
            return bench.perform(node, a).value;
        };
        const auto conditional = [&](uint32_t node, uint64_t value) {
            return bench.store(node, 8, value, 8, Op::StoreConditional).is_success;
        };
        reserve(5);
        bench.store(9, 8, 20);
        EXPECT_FALSE(conditional(5, 21)) << name_of(kind);
        EXPECT_EQ(reserve(5), 20u);
        EXPECT_EQ(reserve(40), 20u);
        EXPECT_FALSE(conditional(40, 21)) << name_of(kind);
        const uint64_t begun = bench.now();
        while (bench.now() < begun + 3000) {  // the lease ends
            bench.store(17, 1024, 1);
            bench.store(18, 1024, 1);
        }
        EXPECT_FALSE(conditional(40, 22)) << name_of(kind);
        EXPECT_EQ(bench.load(17, 8), 20u) << name_of(kind);
        EXPECT_EQ(bench.finish(), "") << name_of(kind);
    }
}

// RDT_INCREMENTS=1000 is the long run.
TEST(dsm_atomics, increments_by_conditional_stores_all_count_and_come_to_an_end) {
    const auto each = uint32_t(from_environment("RDT_INCREMENTS", 20));
    for (const MemoryKind& kind : MemoryKinds) {
        const Increments r = increment({}, options_of(kind), each, 40000ull * each * 64);
        print_count(r.total, "increments");
        EXPECT_EQ(r.total, 64u * each) << name_of(kind);
        EXPECT_EQ(r.error, "") << name_of(kind);
        fmt::print("{}: {} cycles, {} attempts for {} increments\n", name_of(kind), r.cycles,
                   r.attempts, 64 * each);
    }
}

// With eight nodes, because Verilated RTL takes minutes for 64; gates_collectives has all.
// RDT_INCREMENTS=1000 is the long run, RDT_KIND one of MemoryKinds.
TEST(dsm_atomics, increments_of_64_nodes_take_the_same_cycles_on_systemc) {
    const auto each = uint32_t(from_environment("RDT_INCREMENTS", 1));
    const dsm::Options o = options_of(MemoryKinds[from_environment("RDT_KIND", 1) % 4]);
    const uint64_t limit = 40'000ull * each * 64;
    const Increments fast = increment({}, o, each, limit);
    EXPECT_EQ(fast.total, 64u * each);
    EXPECT_EQ(fast.error, "");
    Config config;
    config.engine = Engine::SystemC;
    EXPECT_EQ(increment(config, o, each, limit), fast);
    print_count(fast.total, "increments");
    fmt::print("{} cycles on both engines\n", fast.cycles);
}

TEST(dsm_atomics, increments_take_the_same_cycles_on_every_engine) {
    const auto each = uint32_t(from_environment("RDT_ENGINE_INCREMENTS", 1));
    constexpr uint32_t Nodes = 8;
    for (const MemoryKind& kind : MemoryKinds) {
        const Increments fast = increment({}, options_of(kind), each, 10000000, Nodes);
        EXPECT_EQ(fast.total, Nodes * each) << name_of(kind);
        for (const Engine engine : {Engine::SystemC, Engine::Rtl}) {
            Config config;
            config.engine = engine;
            EXPECT_EQ(increment(config, options_of(kind), each, 10000000, Nodes), fast)
                << name_of(kind) << " " << machine::EngineKind::of(engine).name;
            print_count(Nodes * each, "increments");
        }
    }
}

TEST(dsm_atomics, the_checker_detects_conditional_stores_that_always_succeed) {
    for (const MemoryKind& kind : MemoryKinds) {
        dsm::Options o = options_of(kind);
        o.bug = InjectedBug::ConditionalAlwaysStores;
        const Increments r = increment({}, o, 5, 10000000);
        EXPECT_LT(r.total, 64u * 5) << name_of(kind);
        EXPECT_EQ(r.error.rfind("the memory was wrong", 0), 0u) << r.error;
    }
}

// Random operations of all kinds by all processors on few lines, with every option of a node.
TEST(dsm_atomics, random_operations_are_linearizable_with_every_option) {
    const auto rounds = from_environment("RDT_ROUNDS", 12);
    for (uint64_t round = 0; round < rounds; ++round) {
        Dice dice(seed_or(1) * 1000 + round);
        dsm::Options o = options_of(MemoryKinds[round % 4]);
        o.seed = seed_or(1) + round;
        o.lines = dice.chance(50) ? 8 : 64;
        o.page = dice.chance(50) ? 1 : 4;
        o.is_mixed = dice.chance(30);
        o.processors = dice.chance(50) ? 1 : 4;
        o.store_buffer = dice.chance(50) ? 0 : 1 + dice.below(4);
        o.cache_lines = dice.chance(50) ? 0 : 4;
        o.cache_ways = dice.chance(50) ? 2 : 4;
        o.home_cycles = dice.chance(50) ? 0 : dice.below(20);
        o.memory_cycles = dice.chance(50) ? 0 : dice.below(60);
        Config config;
        config.upper_rank = o.directory == DirectoryKind::Multicast || dice.chance(50);
        MemoryBench bench(config, o);
        uint64_t left = 4000;
        uint64_t open = 0;
        std::function<void(uint32_t)> next = [&](uint32_t p) {
            if (left == 0) return;
            --left;
            ++open;
            Access a;
            const uint32_t kind = dice.below(10);
            a.size = kind < 6 ? 1u << dice.below(4) : 4u << dice.below(2);
            a.address = dice.below(uint32_t(bench.memory.bytes()) / a.size) * a.size;
            a.value = uint64_t(dice.below(1u << 30)) * 0x9E3779B97F4A7C15;
            a.op = kind < 4    ? Op::Load
                   : kind < 6  ? Op::Store
                   : kind == 6 ? Op::LoadReserved
                   : kind == 7 ? Op::StoreConditional
                   : kind == 8 ? Op(uint32_t(Op::Swap) + dice.below(9))
                               : Op::Fence;
            bench.memory.request(p, {a, [&, p](const Result& r) {
                                         EXPECT_FALSE(r.is_failed);
                                         --open;
                                         next(p);
                                     }});
        };
        for (uint32_t p = 0; p < bench.memory.processors(); ++p) next(p);
        const std::string name = fmt::format(
            "round {}: {}, mixed {}, {} processors, {} stores, {} cache lines, torus {}", round,
            name_of(MemoryKinds[round % 4]), o.is_mixed, o.processors, o.store_buffer,
            o.cache_lines, !config.upper_rank);
        EXPECT_TRUE(bench.run_until([&] { return left == 0 && open == 0; }, 20000000)) << name;
        EXPECT_EQ(bench.finish(), "") << name;
    }
}

TEST(dsm_atomics, a_page_has_the_protocol_that_it_was_given) {
    dsm::Options o = options_of(MemoryKinds[1]);
    o.page = 4;
    MemoryBench bench({}, o);
    bench.memory.set_protocol(5, Protocol::Update);
    for (uint32_t line = 0; line < 12; ++line) {
        for (const uint32_t node : {1u, 20u, 40u}) bench.load(node, line * 32);
        bench.store(1, line * 32, line);
        const bool is_update = line / 4 == 1;
        const uint64_t misses = bench.memory.statistics().read_misses;
        EXPECT_EQ(bench.load(20, line * 32), line);
        EXPECT_EQ(bench.memory.statistics().read_misses - misses, is_update ? 0u : 1u) << line;
    }
    EXPECT_EQ(bench.finish(), "");
}

TEST(dsm_atomics, a_full_cache_replaces_lines_and_writes_owned_ones_back) {
    for (const MemoryKind& kind : MemoryKinds) {
        dsm::Options o = options_of(kind);
        o.cache_lines = 4;
        o.cache_ways = 2;
        MemoryBench bench({}, o);
        for (uint32_t line = 0; line < 16; ++line) bench.store(7, line * 32, line + 100);
        for (uint32_t line = 0; line < 16; ++line)
            EXPECT_EQ(bench.load(7, line * 32), line + 100) << name_of(kind);
        const dsm::Statistics& s = bench.memory.statistics();
        EXPECT_GE(s.evictions, 12u) << name_of(kind);
        EXPECT_EQ(s.write_backs > 0, kind.protocol == Protocol::Invalidate) << name_of(kind);
        EXPECT_EQ(bench.finish(), "") << name_of(kind);
    }
}

TEST(dsm_atomics, homes_and_memory_take_the_cycles_they_are_given) {
    for (const MemoryKind& kind : MemoryKinds) {
        const auto cycles_of = [&](uint32_t home, uint32_t memory) {
            dsm::Options o = options_of(kind);
            o.home_cycles = home;
            o.memory_cycles = memory;
            MemoryBench bench({}, o);
            const uint64_t from = bench.now();
            bench.load(9, 5 * 32);
            return bench.now() - from;
        };
        const uint64_t plain = cycles_of(0, 0);
        EXPECT_EQ(cycles_of(10, 0), plain + 10) << name_of(kind);
        EXPECT_EQ(cycles_of(10, 25), plain + 35) << name_of(kind);
    }
}

TEST(dsm_atomics, memory_is_preset_and_changed_without_messages) {
    for (const MemoryKind& kind : MemoryKinds) {
        MemoryBench bench({}, options_of(kind));
        std::array<uint8_t, 100> image{};
        for (uint32_t i = 0; i < image.size(); ++i) image[i] = uint8_t(3 * i + 1);
        bench.memory.poke(20, image.data(), image.size());
        EXPECT_EQ(bench.load(11, 24, 4), 0x1613100Du) << name_of(kind);
        bench.store(12, 24, 0xAABBCCDD, 4);
        const uint8_t one = 0x55;
        bench.memory.poke(24, &one, 1);
        EXPECT_EQ(bench.load(12, 24, 4), 0xAABBCC55u) << name_of(kind);
        EXPECT_EQ(bench.load(50, 24, 4), 0xAABBCC55u) << name_of(kind);
        EXPECT_EQ(bench.finish(), "") << name_of(kind);
    }
}

TEST(dsm_atomics, malformed_accesses_are_refused) {
    MemoryBench bench({}, options_of(MemoryKinds[0]));
    const auto refused = [&](uint64_t address, uint32_t size, Op op) {
        Access a;
        a.address = address;
        a.size = size;
        a.op = op;
        EXPECT_THROW(bench.memory.request(0, {a, nullptr}), std::invalid_argument)
            << address << " " << size;
    };
    refused(30, 4, Op::Load);
    refused(6, 4, Op::Store);
    refused(2, 4, Op::Add);
    refused(0, 2, Op::Add);
    refused(4, 8, Op::LoadReserved);
    refused(64 * 32, 4, Op::Load);
    refused(0, 0, Op::Load);
}

}  // namespace
}  // namespace rdt::tb
