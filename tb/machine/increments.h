// SPDX-License-Identifier: MIT
// Nodes that increment one word of the shared memory by LoadReserved and StoreConditional.
#pragma once

#include "machine/memory_bench.h"

#include <fmt/core.h>

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "common/run_options.h"

namespace rdt::tb {

struct MemoryKind {
    dsm::Protocol protocol;
    dsm::DirectoryKind directory;
};
constexpr MemoryKind MemoryKinds[] = {{dsm::Protocol::Update, dsm::DirectoryKind::Multicast},
                                      {dsm::Protocol::Invalidate, dsm::DirectoryKind::Multicast},
                                      {dsm::Protocol::Update, dsm::DirectoryKind::Exact},
                                      {dsm::Protocol::Invalidate, dsm::DirectoryKind::Exact}};

inline dsm::Options options_of(const MemoryKind& kind) {
    dsm::Options o;
    o.protocol = kind.protocol;
    o.directory = kind.directory;
    o.lines = 64;
    o.seed = seed_or(1);
    return o;
}
inline std::string name_of(const MemoryKind& kind) {
    return fmt::format("{}, {}", to_string(kind.protocol), to_string(kind.directory));
}

struct Increments {
    uint64_t total = 0;
    uint64_t cycles = 0;
    uint64_t attempts = 0;
    std::string error;
    bool operator==(const Increments& o) const {
        return total == o.total && cycles == o.cycles && attempts == o.attempts && error == o.error;
    }
};
inline void PrintTo(const Increments& i, std::ostream* out) {
    *out << i.total << " increments, " << i.cycles << " cycles, " << i.attempts << " attempts "
         << i.error;
}

// The first `nodes` nodes do `each` increments; AllNodes: all of the machine.
constexpr uint32_t AllNodes = 0;
inline Increments increment(const machine::Config& config, const dsm::Options& o, uint32_t each,
                            uint64_t limit, uint32_t nodes = AllNodes) {
    MemoryBench bench(config, o);
    if (nodes == AllNodes) nodes = bench.memory.processors();
    std::vector<uint32_t> left(nodes, each);
    uint64_t open = nodes;
    std::function<void(uint32_t)> reserve;
    const auto conditional = [&](uint32_t p, uint64_t value) {
        dsm::Access a;
        a.address = 16;
        a.op = dsm::Op::StoreConditional;
        a.value = value + 1;
        bench.memory.request(p, {a, [&, p](const dsm::Result& r) {
                                     if (r.is_success && --left[p] == 0) --open;
                                     if (left[p] != 0) reserve(p);
                                 }});
    };
    reserve = [&](uint32_t p) {
        dsm::Access a;
        a.address = 16;
        a.op = dsm::Op::LoadReserved;
        bench.memory.request(p, {a, [&, p](const dsm::Result& r) { conditional(p, r.value); }});
    };
    for (uint32_t p = 0; p < nodes; ++p) reserve(p);
    const uint64_t from = bench.now();
    bench.run_until([&] { return open == 0; }, limit);
    const uint64_t cycles = bench.now() - from;
    Increments result{0, cycles, bench.memory.statistics().conditionals, bench.finish()};
    bench.memory.peek(16, &result.total, 8);
    return result;
}

}  // namespace rdt::tb
