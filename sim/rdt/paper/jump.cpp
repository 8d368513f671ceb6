// SPDX-License-Identifier: MIT
// JUMP-1 as it was measured: latencies of the shared memory, and the speed-up of a matrix product,
// on the machine of figure 12, with the cycles of its MBPs.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <vector>

#include <rdt/dsm/memory.h>
#include <rdt/paper/report.h>

namespace rdt::paper {

namespace {

constexpr int Side = 4;
constexpr uint32_t Clusters = Side * Side;
constexpr uint32_t ProcessorsPerCluster = 4;

dsm::Options options_of(const dsm::MbpCosts& costs) {
    dsm::Options o;
    o.operations = 0;
    o.processors = ProcessorsPerCluster;
    o.mbp = costs;
    return o;
}

// The machine, driven by processors that wait for their operations.
class Jump1 {
public:
    explicit Jump1(const dsm::Options& options)
        : m_machine(make()), m_memory(*m_machine, options), m_transport(*m_machine) {
        m_transport.on_delivery = [this](const machine::Packet& p, const machine::Delivery& d) {
            m_memory.delivered(m_transport, p, d);
        };
        m_transport.on_ack = [this](const machine::Packet& p, uint32_t status) {
            m_memory.acked(m_transport, p, status);
        };
        m_memory.on_completed = [this](uint32_t, const dsm::Result&) { --m_pending; };
    }

    uint64_t now() const { return m_machine->now(); }
    dsm::Memory& memory() { return m_memory; }
    // Begins an operation. Between two cycles.
    void access(uint32_t processor, uint64_t address, dsm::Op op) {
        dsm::Access a;
        a.address = address;
        a.op = op;
        dsm::Result result;
        if (!m_memory.access(processor, a, result)) ++m_pending;
    }
    // The rest of this cycle, and the beginning of the next.
    void clock() {
        m_transport.clock();
        m_memory.clock(m_transport);
    }
    // While nothing is in flight.
    void advance_to(uint64_t cycle) {
        while (now() < cycle) {
            const bool is_quiet = m_pending == 0 && m_transport.open() == 0 && now() + 2 < cycle;
            const uint64_t cycles = is_quiet ? cycle - now() - 2 : 0;
            if (cycles != 0 && m_machine->skip(cycles)) m_memory.skip(cycles);
            clock();
        }
    }

private:
    static std::unique_ptr<machine::Machine> make() {
        machine::Config config;
        config.side = Side;
        config.t_ent = dsm::DefaultTEnt;
        config.t_ack = dsm::DefaultTAck;
        auto machine = machine::make_machine(config);
        machine->bring_up();
        return machine;
    }

    std::unique_ptr<machine::Machine> m_machine;
    dsm::Memory m_memory;
    machine::Transport m_transport;
    uint64_t m_pending = 0;
};

// Mean cycles of a read whose home is another cluster, on an empty machine. `cache_lines` 1: every
// read replaces the previous line.
double remote_read(const dsm::MbpCosts& costs, uint32_t cache_lines) {
    dsm::Options o = options_of(costs);
    o.lines = Clusters * Clusters;
    o.cache_lines = cache_lines;
    o.cache_ways = 1;
    Jump1 machine(o);
    machine.clock();
    uint64_t total = 0, reads = 0;
    for (uint32_t reader = 0; reader < Clusters; ++reader)
        for (uint32_t distance = 0; distance < Clusters; ++distance) {
            const uint32_t home = (reader + distance) % Clusters;
            const uint32_t processor = reader * ProcessorsPerCluster;
            const uint64_t begin = machine.now();
            // A line of this home that no other cluster reads.
            machine.access(processor, (uint64_t(reader) * Clusters + home) * dsm::LineBytes,
                           dsm::Op::Load);
            while (machine.memory().is_pending(processor)) machine.clock();
            if (reader == home) continue;
            total += machine.now() - begin;
            ++reads;
        }
    return double(total) / double(reads);
}

// A processor that computes rows of C = A B, element by element. Only lines that it has not
// touched before take time: its cluster keeps them.
class MatrixRows {
public:
    MatrixRows(uint32_t index, uint32_t processors, uint32_t order, uint32_t cycles)
        : m_index(index), m_processors(processors), m_order(order), m_cycles(cycles) {
        m_lines_per_row = order * dsm::WordBytes / dsm::LineBytes;
        m_rows = order / processors;
    }
    uint32_t node() const { return m_index; }
    uint32_t processor() const { return m_index * ProcessorsPerCluster; }
    static uint32_t lines_of_page(uint32_t processors, uint32_t order) {
        return 3 * order / processors * (order * dsm::WordBytes / dsm::LineBytes);
    }

    struct Step {
        uint64_t work;     // cycles before the access
        uint64_t address;  // of a line that is touched for the first time
        dsm::Op op;
        bool is_last;
    };
    // Work up to the next line, and that line.
    Step next() {
        uint64_t work = 0;
        for (;;) {
            if (m_row == m_rows) return {work, 0, dsm::Op::Load, true};
            const uint32_t row = m_index * m_rows + m_row;
            if (m_term == m_order) {
                const bool is_new = m_column % WordsPerLine == 0;
                const uint64_t at = address(2, row, m_column);
                m_term = 0;
                if (++m_column == m_order) m_column = 0, ++m_row;
                if (is_new) return {work, at, dsm::Op::Store, false};
                continue;
            }
            if (!m_has_a) {
                m_has_a = true;
                if (m_column == 0 && m_term % WordsPerLine == 0)
                    return {work, address(0, row, m_term), dsm::Op::Load, false};
            }
            if (!m_has_b) {
                m_has_b = true;
                if (m_row == 0 && m_column % WordsPerLine == 0)
                    return {work, address(1, m_term, m_column), dsm::Op::Load, false};
            }
            m_has_a = m_has_b = false;
            work += m_cycles;
            ++m_term;
        }
    }

private:
    static constexpr uint32_t WordsPerLine = dsm::LineBytes / dsm::WordBytes;
    // Rows of all three matrices are spread evenly over the clusters that compute.
    uint64_t address(uint32_t matrix, uint32_t row, uint32_t column) const {
        const uint64_t page = lines_of_page(m_processors, m_order);
        const uint64_t in_page =
            (uint64_t(matrix) * m_rows + row % m_rows) * m_lines_per_row + column / WordsPerLine;
        return (row / m_rows * page + in_page) * dsm::LineBytes;
    }

    const uint32_t m_index;
    const uint32_t m_processors;
    const uint32_t m_order;
    const uint32_t m_cycles;  // cycles of a multiplication and addition
    uint32_t m_lines_per_row;
    uint32_t m_rows;
    uint32_t m_row = 0;
    uint32_t m_column = 0;
    uint32_t m_term = 0;
    bool m_has_a = false;
    bool m_has_b = false;
};

// Cycles until the last of so many processors, each of another cluster, has its rows.
uint64_t product_cycles(uint32_t processors, uint32_t order, uint32_t cycles) {
    dsm::Options o = options_of(dsm::MbpCosts::jump_1());
    o.page = MatrixRows::lines_of_page(processors, order);
    o.lines = o.page * Clusters;
    Jump1 machine(o);
    struct Worker {
        MatrixRows rows;
        MatrixRows::Step step;
        uint64_t at;  // cycle of the access, when it is known
        bool waits;   // for the memory
    };
    std::vector<Worker> workers;
    for (uint32_t p = 0; p < processors; ++p) {
        MatrixRows rows(p, processors, order, cycles);
        const MatrixRows::Step first = rows.next();
        workers.push_back({rows, first, machine.now() + first.work, false});
    }
    const uint64_t begin = machine.now();
    machine.clock();
    uint64_t end = begin;
    for (uint32_t left = processors; left > 0;) {
        uint64_t next = ~uint64_t(0);
        bool is_waiting = false;
        for (Worker& w : workers) {
            if (w.waits && !machine.memory().is_pending(w.rows.processor())) {
                w.waits = false;
                w.step = w.rows.next();
                w.at = machine.now() + w.step.work;
            }
            if (!w.waits && w.at <= machine.now()) {
                if (w.step.is_last) {
                    end = std::max(end, w.at);
                    w.at = ~uint64_t(0);
                    --left;
                } else {
                    machine.access(w.rows.processor(), w.step.address, w.step.op);
                    w.waits = true;
                }
            }
            is_waiting |= w.waits;
            if (!w.waits) next = std::min(next, w.at);
        }
        if (left == 0) break;
        if (is_waiting) machine.clock();
        else machine.advance_to(next);
    }
    return end - begin;
}

}  // namespace

Report jump_1(const Options& options) {
    Report r{"jump-1", "JUMP-1 as it was measured: 4 x 4 clusters of four processors", {}, {}, {}};
    const dsm::MbpCosts costs = dsm::MbpCosts::jump_1();
    options.say("jump-1, latencies");
    const double hardware = remote_read(costs.without_software(), 0);
    const double read = remote_read(costs, 0);
    const double replaced = remote_read(costs, 1);
    r.values.push_back({"clusters", Clusters, 16, 0, ""});
    r.values.push_back({"processors", Clusters * ProcessorsPerCluster, 64, 0, ""});
    r.values.push_back({"remote memory read, cycles", read, 441, 1, ""});
    r.values.push_back({"remote memory read, hardware alone, cycles", hardware, 181, 1, ""});
    r.values.push_back({"remote-cache miss, cycles", replaced, 469, 1, "replaces another line"});
    const auto overhead = [hardware](double cycles) {
        return 100 * (cycles - hardware) / hardware;
    };
    r.values.push_back(
        {"remote memory read, software over hardware, %", overhead(read), 143.6, 1, ""});
    r.values.push_back(
        {"remote-cache miss, software over hardware, %", overhead(replaced), 159.1, 1, ""});
    // Order times cycles decide the speed-up; a small order saves time.
    constexpr uint32_t Order = 32;
    constexpr uint32_t OrderTimesCycles = 4096;
    options.say("jump-1, matrix product");
    const uint64_t alone = product_cycles(1, Order, OrderTimesCycles / Order);
    for (const auto& [processors, paper] : {std::pair{2u, 1.93}, std::pair{4u, 3.73}})
        r.values.push_back(
            {fmt::format("matrix product, speed-up on {} processors", processors),
             double(alone) / double(product_cycles(processors, Order, OrderTimesCycles / Order)),
             paper, 2, ""});
    r.notes = {
        "Published: 441 cycles and 143.6 % in \"Implementation of Distributed Shared Memory",
        "Management of the JUMP-1 Multiprocessor\" (IPSJ; abstract, NII CRID 1050001337885175936);",
        "469, 159.1 %, 1.93 and 3.73 in later reports of the same group at Kyoto. 181 cycles of",
        "hardware follow from both. Fitted: the cycles of the MBPs (rdt run --mbp jump-1), whose",
        "sums alone are published, and one number for the matrix product, order times cycles of a",
        "multiplication and addition. Its processors are in different clusters."};
    return r;
}

}  // namespace rdt::paper
