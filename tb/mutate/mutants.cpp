// SPDX-License-Identifier: MIT
// Which mistakes in the chip's logic would the fuzz miss? 255 copies of a netlist at a time, each
// with one gate changed, beside a sound one.
//
//     mutants NETLIST MUTANTS SEED CLOCKS
//
// MUTANTS has a line for each: its number, the gate's number in NETLIST, the truth table that it
// gets instead. All run for a few clocks, those that are left for more, and the last for CLOCKS.
// Prints a line a mutant as soon as its fate is known: `killed NUMBER seed clock kind where`, the
// kind being pin, block or register, and at the end `alive NUMBER active`, with the number of
// clocks in which its gate gave another value than the right one. Exit code 1 if the netlist itself
// is not the chip. Run by scripts/mutate.py.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "fuzz/seed_run.h"
#include "mutate/gate_chip.h"

namespace rdt::tb {
namespace {

constexpr unsigned Mutants = Copies::Number - 1;  // at once
constexpr uint64_t OfSeed = 10000;                // clocks

struct Mutant {
    uint64_t number;
    size_t gate;
    uint32_t table;
    uint64_t active = 0;  // clocks in which its gate gave something else
};

std::vector<Mutant> read_mutants(const std::string& path) {
    std::ifstream file(path);
    std::vector<Mutant> list;
    for (Mutant m; file >> m.number >> m.gate >> m.table;) list.push_back(m);
    return list;
}

class Batch {
public:
    Batch(WideGates& gates, std::vector<Mutant> mutants, uint64_t seed)
        : m_gates(gates), m_mutants(std::move(mutants)), m_seed(seed) {
        Dice random(seed);
        gates.begin(random);
        for (unsigned i = 0; i < m_mutants.size(); ++i) {
            gates.plant(m_mutants[i].gate, i + 1, m_mutants[i].table);
            m_alive.set(i + 1);
        }
    }

    // Those that nothing has shown. Throws if the netlist is not the chip.
    std::vector<Mutant> run(uint64_t clocks) {
        fuzz::Totals totals;
        for (uint64_t done = 0; done < clocks && m_alive.any(); ++m_seed) {
            fuzz::SeedRun<GateChip> run(m_seed, ~0u, totals, m_gates,
                                        [&](const Copies& copies, const WideGates::Watched& where) {
                                            seen(copies, where);
                                        });
            for (m_now = 0; m_now < OfSeed && done < clocks && m_alive.any(); ++m_now, ++done)
                if (const std::string found = run.clock(); !found.empty())
                    throw std::runtime_error(
                        fmt::format("seed {}, clock {}: {}", m_seed, m_now, found));
        }
        std::vector<Mutant> left;
        for (unsigned i = 0; i < m_mutants.size(); ++i) {
            if (!m_alive.has(i + 1)) continue;
            left.push_back(m_mutants[i]);
            left.back().active += m_gates.active(i + 1);
        }
        return left;
    }

private:
    void seen(const Copies& differ, const WideGates::Watched& where) {
        Copies copies = differ;
        copies &= m_alive;
        if (!copies.any()) return;
        for (unsigned i = 0; i < m_mutants.size(); ++i)
            if (copies.has(i + 1))
                std::printf("killed %" PRIu64 " %" PRIu64 " %" PRIu64 " %s %s\n",
                            m_mutants[i].number, m_seed, m_now, where.kind.c_str(),
                            where.name.c_str());
        std::fflush(stdout);
        m_alive = m_alive.without(copies);
    }

    WideGates& m_gates;
    std::vector<Mutant> m_mutants;
    uint64_t m_seed;
    uint64_t m_now = 0;
    Copies m_alive;
};

int run(char** argv) {
    WideGates gates(argv[1]);
    std::vector<Mutant> left = read_mutants(argv[2]);
    uint64_t seed = std::strtoull(argv[3], nullptr, 10);
    const uint64_t clocks = std::strtoull(argv[4], nullptr, 10);
    for (uint64_t round = std::min<uint64_t>(2000, clocks);; round = std::min(10 * round, clocks)) {
        std::vector<Mutant> next;
        for (size_t first = 0; first < left.size(); first += Mutants) {
            const size_t end = std::min(left.size(), first + Mutants);
            const std::vector<Mutant> some(left.begin() + ptrdiff_t(first),
                                           left.begin() + ptrdiff_t(end));
            for (const Mutant& m : Batch(gates, some, seed).run(round)) next.push_back(m);
        }
        left = std::move(next);
        if (round == clocks) break;
        seed += round / OfSeed + 1;  // what they have seen before is nothing new
    }
    for (const Mutant& m : left) std::printf("alive %" PRIu64 " %" PRIu64 "\n", m.number, m.active);
    return 0;
}

}  // namespace
}  // namespace rdt::tb

int main(int argc, char** argv) {
    if (argc != 5) {
        std::fprintf(stderr, "usage: mutants NETLIST MUTANTS SEED CLOCKS\n");
        return 2;
    }
    try {
        return rdt::tb::run(argv);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "mutants: %s\n", e.what());
        return 1;
    }
}
