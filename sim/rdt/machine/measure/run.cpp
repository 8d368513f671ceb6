// SPDX-License-Identifier: MIT
#include <rdt/machine/measure/step_run.h>

#include <algorithm>
#include <chrono>

#include <rdt/support/random.h>
#include <rdt/support/saturation.h>
#include <rdt/support/usage.h>
#include <rdt/machine/measure/meter.h>

namespace rdt::machine {

namespace {

constexpr uint64_t ProgressClocks = 256;
constexpr uint64_t Patience = 4096;
// Whether cycles can be skipped is a question to all nodes: not worth it for fewer than this, nor
// again as soon.
constexpr uint64_t LeastSkip = 64;

// Inverts pins of links at random: every pin of every link end is as likely as the others.
class Noise {
public:
    Noise(Machine& machine, double per_clock, uint64_t seed)
        : m_machine(machine),
          m_random(seed ^ 0x6E6F697365),
          m_trials(machine.nodes() * NumNetworkPorts,
                   per_clock / double(machine.nodes() * NumNetworkPorts), m_random) {}

    void clock() {
        m_trials.clock(m_clock++, [this](uint32_t at) {
            const uint32_t port = at % NumNetworkPorts;
            if (!m_machine.has_link(port)) return;
            Flip f{at / NumNetworkPorts, port, {}};
            const uint32_t pin = m_random.below(PinsIn);
            if (pin < FlitW) f.bits.d = flit_t(1) << pin;
            else if (pin < FlitW + 2) f.bits.req = 1u << (pin - FlitW);
            else f.bits.cred = 1u << (pin - FlitW - 2);
            m_machine.flip(f);
            ++m_count;
        });
    }
    uint64_t count() const { return m_count; }
    uint64_t idle_cycles() const { return m_trials.next_clock() - m_clock; }
    void skip(uint64_t cycles) { m_clock += cycles; }

private:
    static constexpr uint32_t PinsIn = FlitW + 4;  // D, REQ and CRED of the other end
    Machine& m_machine;
    Random m_random;
    BernoulliTrials m_trials;
    uint64_t m_clock = 0;
    uint64_t m_count = 0;
};

}  // namespace

class StepRun::Runner {
public:
    Runner(Machine& machine, Workload& workload, const RunOptions& options)
        : m_machine(machine),
          m_workload(workload),
          m_options(options),
          m_transport(machine),
          m_meter(machine),
          m_noise(machine, options.flips, options.seed),
          m_first(machine.now()) {
        m_transport.on_send = [this](const Packet& p) {
            m_meter.sent(p);
            if (m_options.after_send) m_options.after_send(p);
        };
        m_transport.on_delivery = [this](const Packet& p, const Delivery& d) {
            m_meter.delivered(p, d);
            if (m_options.after_delivery) m_options.after_delivery(p, d);
            m_workload.delivered(m_transport, p, d);
        };
        m_transport.on_ack = [this](const Packet& p, uint32_t status) {
            m_meter.acked(p, status, m_machine.now());
            m_workload.acked(m_transport, p, status);
        };
        m_transport.on_done = [this](const Packet& p) {
            if (m_options.after_packet) m_options.after_packet(p);
            m_workload.done(m_transport, p);
        };
        if (m_workload.ignores_deliveries() && !m_options.after_send && !m_options.after_delivery &&
            !m_options.after_packet)
            m_transport.observe(m_meter);
        m_transport.on_stray = [this](uint32_t, const Flits&) { m_meter.stray(); };
    }

    bool step() {
        try {
            return m_phase != Phase::Over && go_on();
        } catch (const MachineError& e) {
            m_error = e.what();
            m_meter.end();
            m_phase = Phase::Over;
            return false;
        }
    }

    RunResult result() {
        RunResult r;
        r.error = m_error;
        r.converged = m_converged;
        r.wants_convergence = m_options.tolerance > 0;
        r.stopped = m_stopped;
        r.seconds = std::chrono::duration<double>(Clock::now() - m_start).count();
        m_meter.fill(r);
        r.saturated =
            is_saturated(r.packets_offered, r.packets, m_workload.refused(), m_machine.nodes());
        m_meter.fill_intervals(r);
        r.sent = m_transport.sent();
        r.open = m_transport.open();
        r.drained = r.open == 0;
        r.waited = m_options.drain != 0;
        r.flips = m_noise.count();
        r.links_down = m_machine.links_down();
        r.simulated = m_machine.now();
        r.compared_signals = m_machine.compared_signals();
        r.cpu_seconds = cpu_seconds(m_has_threads) - m_cpu_start;
        r.cycles_per_second = double(m_machine.now() - m_first) / r.seconds;
        r.cycles_per_cpu_second = double(m_machine.now() - m_first) / r.cpu_seconds;
        r.bytes_per_node = double(m_machine.bytes_used()) / m_machine.nodes();
        m_workload.add_figures(r.workload);
        r.workload_table = m_workload.table();
        if (r.error.empty()) r.error = m_workload.error();
        if (m_phase != Phase::Over || m_options.drain == 0 || r.stopped) return r;
        if (r.error.empty() && !m_workload.finished())
            r.error = "the workload did not finish within the drain limit";
        if (!r.drained) r.waits = waits_of(m_machine);
        return r;
    }
    const Transport& transport() const { return m_transport; }

private:
    using Clock = std::chrono::steady_clock;
    enum class Phase { Warmup, Measure, Drain, Over };

    // The next cycle of this phase, or of one that follows.
    bool go_on() {
        if (m_phase == Phase::Warmup) {
            if (m_clocks < m_options.warmup && !over()) return go_on_until(m_options.warmup);
            m_meter.begin();
            m_workload.measure(true);
            enter(Phase::Measure);
        }
        if (m_phase == Phase::Measure) {
            if (!m_converged && m_clocks < m_options.cycles && !over()) {
                go_on_until(m_options.cycles);
                m_converged = m_options.tolerance > 0 && m_meter.converged(m_options.tolerance);
                return true;
            }
            m_meter.end();
            m_workload.measure(false);
            m_workload.stop();
            enter(Phase::Drain);
        }
        if (m_clocks < m_options.drain && !is_finished() && !m_stopped) {
            clock();
            is_stopped();
            return true;
        }
        enter(Phase::Over);
        return false;
    }
    void enter(Phase phase) {
        m_phase = phase;
        m_clocks = 0;
    }

    // Packets that were lost stay open for ever. A machine of whose chips only the pins are seen
    // may hold some while it is silent, until a time-out.
    bool is_finished() {
        const bool is_idle = m_workload.finished() && m_machine.idle();
        if (!is_idle) m_busy = m_clock;
        if (m_workload.finished() && m_transport.open() == 0) return true;
        return is_idle && m_clock - m_busy >= (is_seen() ? 0 : Patience);
    }
    bool is_seen() const { return EngineKind::of(m_machine.config().engine).shows_registers; }
    // Those that are stuck keep the machine from ever being idle.
    bool over() {
        if (m_workload.finished() && m_options.drain != 0) ++m_clocks_after;
        return is_stopped() || is_finished() || m_clocks_after > m_options.drain;
    }
    bool is_stopped() {
        if (!m_options.progress || m_clock < m_next_progress) return m_stopped;
        m_next_progress = m_clock - m_clock % ProgressClocks + ProgressClocks;
        if (!m_options.progress(m_clock, m_options.warmup + m_options.cycles)) m_stopped = true;
        return m_stopped;
    }

    // One cycle, or all up to the next in which anything happens.
    bool go_on_until(uint64_t end) {
        const bool sees_all = m_options.after_clock && !m_options.after_skip;
        if (sees_all || m_clock < m_try_skip_at) return clock();
        uint64_t cycles = std::min(end - m_clocks, m_workload.idle_cycles());
        if (m_options.flips > 0) cycles = std::min(cycles, m_noise.idle_cycles());
        if (m_options.tolerance > 0) cycles = std::min(cycles, m_meter.cycles_to_batch_end());
        if (cycles < m_least_skip) return clock();
        cycles = std::min(cycles, m_transport.idle_cycles());
        if (cycles < m_least_skip || !m_machine.skip(cycles)) {
            m_try_skip_at = m_clock + m_least_skip;
            return clock();
        }
        m_workload.skip(cycles);
        m_noise.skip(cycles);
        m_meter.skip(cycles);
        if (m_options.after_skip) m_options.after_skip(m_transport, cycles);
        m_clock += cycles;
        m_clocks += cycles;
        return true;
    }

    bool clock() {
        m_workload.clock(m_transport);
        if (m_options.flips > 0) m_noise.clock();
        m_transport.clock();
        m_meter.clock();
        if (m_options.after_clock) m_options.after_clock(m_transport);
        ++m_clock;
        ++m_clocks;
        return true;
    }

    Machine& m_machine;
    Workload& m_workload;
    const RunOptions m_options;
    Transport m_transport;
    Meter m_meter;
    Noise m_noise;
    const Clock::time_point m_start = Clock::now();
    const bool m_has_threads = m_machine.config().threads > 1;
    const double m_cpu_start = cpu_seconds(m_has_threads);
    const uint64_t m_first;  // cycle of the machine
    Phase m_phase = Phase::Warmup;
    uint64_t m_clock = 0;
    uint64_t m_clocks = 0;  // cycles of this phase
    uint64_t m_next_progress = 0;
    const uint64_t m_least_skip = std::max<uint64_t>(LeastSkip, m_machine.nodes());
    uint64_t m_try_skip_at = 0;
    uint64_t m_clocks_after = 0;  // the workload has finished
    uint64_t m_busy = 0;          // the last cycle in which the machine was not idle
    bool m_converged = false;
    bool m_stopped = false;
    std::string m_error;
};

StepRun::StepRun(Machine& machine, Workload& workload, const RunOptions& options)
    : m_runner(std::make_unique<Runner>(machine, workload, options)) {}
StepRun::~StepRun() = default;

bool StepRun::step() { return m_runner->step(); }
RunResult StepRun::result() { return m_runner->result(); }
const Transport& StepRun::transport() const { return m_runner->transport(); }

RunResult run(Machine& machine, Workload& workload, const RunOptions& options) {
    StepRun run(machine, workload, options);
    while (run.step()) {
    }
    return run.result();
}

}  // namespace rdt::machine
