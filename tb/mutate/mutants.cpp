// SPDX-License-Identifier: MIT
// Runs copies of a netlist, each with one gate changed, beside unchanged ones under the fuzz.
//
//     mutants NETLIST MUTANTS SEED CYCLES
//     mutants NETLIST MUTANTS RUNS
//
// MUTANTS has a line per mutant: its number, the gate's number in NETLIST, its truth table.
// Survivors of a few cycles run for up to CYCLES; few mutants share all eight routers. Prints a
// line per mutant: `killed NUMBER seed cycle kind where` (kind: pin, block or register), or at the
// end `alive NUMBER cycles active flip-flops`: cycles seen, cycles with another value of the gate,
// and flip-flops that ever differed. Exit code 1 if the unchanged netlist differs. Run by `python3
// -m tb.mutate`.
//
// RUNS has a line per run of a test: `TEST STIMULUS COMPARES SEED SEEDS CYCLES`. Each mutant sees
// exactly the stimulus of these runs until what the test compares differs. STIMULUS: `four` chips
// (fuzz_chip), `one` (fuzz_inside) or a `lone` chip (fuzz_blame). COMPARES: `chip` (pins and a few
// registers), `pins`, `blocks` (their outputs, and pins) or `registers`. `killed` lines end with
// the TEST then.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>

#include "fuzz/lone_chip.h"
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
            fuzz::SeedRun<GateChips<>> run(
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
    std::vector<std::vector<unsigned>> m_copies;  // copies of each
    size_t m_left;
    size_t m_chips;  // each is in, at least
    bool m_traces;
    uint64_t m_seed;
    uint64_t m_now = 0;
    Copies m_alive;
};

// A line of RUNS.
struct TestRun {
    std::string test, stimulus, compares;
    uint64_t seed, seeds, cycles;
};

// Registers that lockstep compares with the pins (rdt/cosim/lockstep.cpp).
bool is_of_chip(const WideGates::Watched& w) {
    if (w.kind == "pin") return true;
    static const std::array<const char*, 7> names = {"u_input_unit.u_arrival.wr_idx_q",
                                                     "u_input_unit.pkt_q",
                                                     "u_input_unit.u_read_pass.rd_busy_q",
                                                     "u_input_unit.u_read_pass.rd_vc_q",
                                                     "u_input_unit.u_read_pass.rd_idx_q",
                                                     "u_link_io.st_q",
                                                     "u_link_io.mine_q"};
    return std::any_of(names.begin(), names.end(), [&](const char* name) {
        const size_t at = w.name.find("].");
        return at != std::string::npos && w.name.compare(at + 2, std::string::npos, name) == 0;
    });
}
bool does_compare(const std::string& compares, const WideGates::Watched& w) {
    if (compares == "chip") return is_of_chip(w);
    if (compares == "blocks") return w.kind == "block" || w.kind == "pin";
    return w.kind == (compares == "pins" ? "pin" : "register");
}

// The stimulus of a lone chip, by the steps of a SeedRun.
class LoneRun {
public:
    template <typename... Args>
    LoneRun(uint64_t seed, uint32_t, fuzz::Totals& totals, Args&&... args)
        : m_around(seed, totals), m_chips(std::forward<Args>(args)...) {}
    std::string clock() {
        const core::PinsIn& in = m_around.drive(m_chips.pins(0));
        m_chips.clock({&in}, m_around.rst_n());
        m_around.next();
        return m_chips.difference();
    }

private:
    fuzz::LoneChip m_around;
    GateChips<1> m_chips;
};

// Those that the run does not detect.
template <typename Run, uint32_t Number>
std::vector<Mutant> test_some(WideGates& gates, const TestRun& test, std::vector<Mutant> mutants) {
    Dice random(test.seed);
    gates.begin(random);
    std::vector<std::vector<unsigned>> copies(mutants.size());
    Copies alive;
    for (size_t i = 0; i < mutants.size(); ++i)
        for (unsigned c = 0; c < Number; ++c) {
            const auto chip = unsigned(i / OfChip) * Number + c;
            copies[i].push_back(unsigned(chip * Copies::OfChip + 1 + i % OfChip));
            gates.inject(mutants[i].gate, copies[i].back(), mutants[i].table);
            alive.set(copies[i].back());
        }
    size_t left = mutants.size();
    fuzz::Totals totals;
    for (uint64_t seed = test.seed; seed < test.seed + test.seeds && left != 0; ++seed) {
        uint64_t now = 0;
        const auto seen = [&](const Copies& differ, const WideGates::Watched& where) {
            for (size_t i = 0; i < mutants.size(); ++i) {
                const auto has = [&](unsigned copy) { return differ.has(copy) && alive.has(copy); };
                if (std::none_of(copies[i].begin(), copies[i].end(), has)) continue;
                std::printf("killed %" PRIu64 " %" PRIu64 " %" PRIu64 " %s %s %s\n",
                            mutants[i].number, seed, now, where.kind.c_str(), where.name.c_str(),
                            test.test.c_str());
                for (unsigned copy : copies[i]) alive.set(copy, false);
                --left;
            }
            std::fflush(stdout);
        };
        Run run(seed, ~0u, totals, gates, alive, false, seen,
                [&](const WideGates::Watched& w) { return does_compare(test.compares, w); });
        for (; now < test.cycles && left != 0; ++now)
            if (const std::string found = run.clock(); !found.empty())
                throw std::runtime_error(
                    fmt::format("{}, seed {}, cycle {}: {}", test.test, seed, now, found));
    }
    std::vector<Mutant> next;
    for (size_t i = 0; i < mutants.size(); ++i) {
        mutants[i].clocks += test.seeds * test.cycles * Number;
        for (unsigned copy : copies[i]) mutants[i].active += gates.active(copy);
        if (alive.has(copies[i][0])) next.push_back(mutants[i]);
    }
    return next;
}

template <typename Run, uint32_t Number>
std::vector<Mutant> test_all(WideGates& gates, const TestRun& test,
                             const std::vector<Mutant>& mutants) {
    constexpr size_t AtOnce = Copies::Chips / Number * OfChip;
    std::vector<Mutant> next;
    for (size_t first = 0; first < mutants.size(); first += AtOnce) {
        const size_t end = std::min(mutants.size(), first + AtOnce);
        for (const Mutant& m : test_some<Run, Number>(
                 gates, test,
                 {mutants.begin() + ptrdiff_t(first), mutants.begin() + ptrdiff_t(end)}))
            next.push_back(m);
    }
    return next;
}

int run_tests(char** argv) {
    WideGates gates(argv[1]);
    std::vector<Mutant> left = read_mutants(argv[2]);
    std::ifstream file(argv[3]);
    for (TestRun t; file >> t.test >> t.stimulus >> t.compares >> t.seed >> t.seeds >> t.cycles;) {
        if (t.stimulus == "four") left = test_all<fuzz::SeedRun<GateChips<4>>, 4>(gates, t, left);
        else if (t.stimulus == "one")
            left = test_all<fuzz::SeedRun<GateChips<1>>, 1>(gates, t, left);
        else left = test_all<LoneRun, 1>(gates, t, left);
    }
    for (const Mutant& m : left)
        std::printf("alive %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", m.number, m.clocks, m.active);
    return 0;
}

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
    if (argc != 4 && argc != 5) {
        std::fprintf(stderr, "usage: mutants NETLIST MUTANTS (SEED CYCLES | RUNS)\n");
        return 2;
    }
    try {
        return argc == 4 ? rdt::tb::run_tests(argv) : rdt::tb::run(argv);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "mutants: %s\n", e.what());
        return 1;
    }
}
