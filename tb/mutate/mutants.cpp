// SPDX-License-Identifier: MIT
// Runs copies of a netlist, each with one gate changed, beside unchanged ones under the fuzz.
//
//     mutants NETLIST MUTANTS SEED CYCLES
//
// MUTANTS has a line per mutant: its number, the gate's number in NETLIST, its truth table.
// Survivors of a few cycles run for up to CYCLES; few mutants share all eight routers. Prints a
// line per mutant: `killed NUMBER seed cycle kind where` (kind: pin, block or register), or at the
// end `alive NUMBER cycles active flip-flops`: cycles seen, cycles with another value of the gate,
// and flip-flops that ever differed. Exit code 1 if the unchanged netlist differs. Run by `python3
// -m tb.mutate`.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>

#include "fuzz/seed_run.h"
#include "mutate/gate_chip.h"

namespace rdt::tb {
namespace {

constexpr unsigned OfChip = Copies::OfChip - 1;  // mutants
constexpr unsigned Most = Copies::Chips * OfChip;
constexpr uint64_t OfSeed = 10000;  // cycles

struct Mutant {
    uint64_t number;
    size_t gate;
    uint32_t table;
    uint64_t clocks = 0;
    uint64_t active = 0;                // cycles in which its gate gave something else
    std::set<uint32_t> elsewhere = {};  // flip-flops that held something else
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
        : m_gates(gates), m_mutants(std::move(mutants)), m_left(m_mutants.size()), m_seed(seed) {
        Dice random(seed);
        gates.begin(random);
        const size_t groups = (m_mutants.size() + OfChip - 1) / OfChip;
        m_chips = Copies::Chips / groups;
        m_traces = groups == 1;
        m_copies.resize(m_mutants.size());
        for (unsigned c = 0; c < Copies::Chips; ++c)
            for (size_t i = c % groups; i < m_mutants.size(); i += groups) {
                const auto copy = unsigned(c * Copies::OfChip + 1 + i / groups);
                gates.inject(m_mutants[i].gate, copy, m_mutants[i].table);
                m_copies[i].push_back(copy);
                m_alive.set(copy);
            }
    }

    // Those that nothing has shown in so many cycles. Throws if the netlist is not the chip.
    std::vector<Mutant> run(uint64_t clocks) {
        clocks = (clocks + m_chips - 1) / m_chips;
        fuzz::Totals totals;
        uint64_t done = 0;
        for (; done < clocks && m_left != 0; ++m_seed) {
            fuzz::SeedRun<GateChips> run(
                m_seed, ~0u, totals, m_gates, m_alive, m_traces,
                [&](const Copies& copies, const WideGates::Watched& where) {
                    seen(copies, where);
                });
            for (m_now = 0; m_now < OfSeed && done < clocks && m_left != 0; ++m_now, ++done)
                if (const std::string found = run.clock(); !found.empty())
                    throw std::runtime_error(
                        fmt::format("seed {}, cycle {}: {}", m_seed, m_now, found));
            trace(run.models().spread());
        }
        std::vector<Mutant> left;
        for (size_t i = 0; i < m_mutants.size(); ++i) {
            if (!m_alive.has(m_copies[i][0])) continue;
            left.push_back(m_mutants[i]);
            left.back().clocks += done * m_copies[i].size();
            for (unsigned copy : m_copies[i]) left.back().active += m_gates.active(copy);
        }
        return left;
    }

private:
    void trace(const std::vector<Copies>& spread) {
        for (size_t f = 0; f < spread.size(); ++f) {
            Copies copies = spread[f];
            copies &= m_alive;
            if (!copies.any()) continue;
            for (size_t i = 0; i < m_mutants.size(); ++i)
                for (unsigned copy : m_copies[i])
                    if (copies.has(copy))
                        m_mutants[i].elsewhere.insert(m_gates.number_of(m_gates.hidden()[f]));
        }
    }
    void seen(const Copies& copies, const WideGates::Watched& where) {
        for (size_t i = 0; i < m_mutants.size(); ++i) {
            const auto has = [&](unsigned copy) { return copies.has(copy) && m_alive.has(copy); };
            if (std::none_of(m_copies[i].begin(), m_copies[i].end(), has)) continue;
            std::printf("killed %" PRIu64 " %" PRIu64 " %" PRIu64 " %s %s\n", m_mutants[i].number,
                        m_seed, m_now, where.kind.c_str(), where.name.c_str());
            for (unsigned copy : m_copies[i]) m_alive.set(copy, false);
            --m_left;
        }
        std::fflush(stdout);
    }

    WideGates& m_gates;
    std::vector<Mutant> m_mutants;
    std::vector<std::vector<unsigned>> m_copies;  // cycles of each
    size_t m_left;
    size_t m_chips;  // each is in, at least
    bool m_traces;
    uint64_t m_seed;
    uint64_t m_now = 0;
    Copies m_alive;
};

int run(char** argv) {
    WideGates gates(argv[1]);
    std::vector<Mutant> left = read_mutants(argv[2]);
    uint64_t seed = std::strtoull(argv[3], nullptr, 10);
    const uint64_t clocks = std::strtoull(argv[4], nullptr, 10);
    for (uint64_t round = std::min<uint64_t>(1000, clocks);; round = std::min(4 * round, clocks)) {
        std::vector<Mutant> next;
        for (size_t first = 0; first < left.size(); first += Most) {
            const size_t end = std::min(left.size(), first + Most);
            const std::vector<Mutant> some(left.begin() + ptrdiff_t(first),
                                           left.begin() + ptrdiff_t(end));
            for (const Mutant& m : Batch(gates, some, seed).run(round)) next.push_back(m);
        }
        left = std::move(next);
        if (round == clocks || left.empty()) break;
        seed += round;  // earlier detections are not repeated
    }
    for (const Mutant& m : left) {
        std::printf("alive %" PRIu64 " %" PRIu64 " %" PRIu64, m.number, m.clocks, m.active);
        for (uint32_t net : m.elsewhere) std::printf(" %" PRIu32, net);
        std::printf("\n");
    }
    return 0;
}

}  // namespace
}  // namespace rdt::tb

int main(int argc, char** argv) {
    if (argc != 5) {
        std::fprintf(stderr, "usage: mutants NETLIST MUTANTS SEED CYCLES\n");
        return 2;
    }
    try {
        return rdt::tb::run(argv);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "mutants: %s\n", e.what());
        return 1;
    }
}
