// SPDX-License-Identifier: MIT
#include <rdt/machine/measure/run.h>

#include <chrono>

#include <rdt/support/random.h>
#include <rdt/support/saturation.h>
#include <rdt/machine/measure/meter.h>

namespace rdt::machine {

namespace {

constexpr uint64_t ProgressClocks = 256;

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

private:
    static constexpr uint32_t PinsIn = FlitW + 4;  // D, REQ and CRED of the other end
    Machine& m_machine;
    Random m_random;
    BernoulliTrials m_trials;
    uint64_t m_clock = 0;
    uint64_t m_count = 0;
};

class Runner {
public:
    Runner(Machine& machine, Workload& workload, const RunOptions& options)
        : m_machine(machine),
          m_workload(workload),
          m_options(options),
          m_transport(machine),
          m_meter(machine),
          m_noise(machine, options.flips, options.seed) {
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
        m_transport.on_stray = [this](uint32_t, const Flits&) { m_meter.stray(); };
    }

    RunResult run() {
        using Clock = std::chrono::steady_clock;
        RunResult r;
        const auto start = Clock::now();
        const uint64_t first = m_machine.now();
        try {
            all(r);
        } catch (const MachineError& e) {
            r.error = e.what();
        }
        m_meter.end();  // of a run that an error ended
        r.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        m_meter.fill(r);
        r.saturated =
            is_saturated(r.packets_offered, r.packets, m_workload.refused(), m_machine.nodes());
        r.sent = m_transport.sent();
        r.open = m_transport.open();
        r.drained = r.open == 0;
        r.flips = m_noise.count();
        r.links_down = m_machine.links_down();
        r.simulated = m_machine.now();
        r.compared_signals = m_machine.compared_signals();
        r.clocks_per_second = double(m_machine.now() - first) / r.seconds;
        r.bytes_per_node = double(m_machine.bytes()) / m_machine.nodes();
        m_workload.add_figures(r.workload);
        r.workload_table = m_workload.table();
        if (r.error.empty()) r.error = m_workload.error();
        if (r.error.empty() && m_options.drain != 0 && !r.stopped && !m_workload.finished())
            r.error = "the workload did not come to an end";
        if (m_options.drain != 0 && !r.stopped && !r.drained) r.waits = waits_of(m_machine);
        return r;
    }

private:
    void all(RunResult& r) {
        for (uint64_t n = 0; n < m_options.warmup && !over(r); ++n) clock();
        m_meter.begin();
        m_workload.measure(true);
        for (uint64_t n = 0; n < m_options.cycles && !over(r); ++n) {
            clock();
            if (m_options.tolerance > 0 && m_meter.converged(m_options.tolerance)) {
                r.converged = true;
                break;
            }
        }
        m_meter.end();
        m_workload.measure(false);
        m_workload.stop();
        for (uint64_t n = 0; n < m_options.drain && !is_finished() && !r.stopped; ++n) {
            clock();
            is_stopped(r);
        }
    }

    // Packets that were lost stay open for ever.
    bool is_finished() const {
        return m_workload.finished() && (m_transport.open() == 0 || m_machine.idle());
    }
    // Those that are stuck keep the machine from ever being idle.
    bool over(RunResult& r) {
        if (m_workload.finished() && m_options.drain != 0) ++m_clocks_after;
        return is_stopped(r) || is_finished() || m_clocks_after > m_options.drain;
    }
    bool is_stopped(RunResult& r) {
        if (m_options.progress && m_clock % ProgressClocks == 0 &&
            !m_options.progress(m_clock, m_options.warmup + m_options.cycles))
            r.stopped = true;
        return r.stopped;
    }

    void clock() {
        m_workload.clock(m_transport);
        if (m_options.flips > 0) m_noise.clock();
        m_transport.clock();
        m_meter.clock();
        if (m_options.after_clock) m_options.after_clock(m_transport);
        ++m_clock;
    }

    Machine& m_machine;
    Workload& m_workload;
    const RunOptions& m_options;
    Transport m_transport;
    Meter m_meter;
    Noise m_noise;
    uint64_t m_clock = 0;
    uint64_t m_clocks_after = 0;  // the workload has finished
};

}  // namespace

RunResult run(Machine& machine, Workload& workload, const RunOptions& options) {
    return Runner(machine, workload, options).run();
}

}  // namespace rdt::machine
