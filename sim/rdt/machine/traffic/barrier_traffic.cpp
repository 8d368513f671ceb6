// SPDX-License-Identifier: MIT
#include <rdt/machine/traffic/barrier_traffic.h>

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include <rdt/machine/packets.h>
#include <rdt/net/rdt/barrier_roots.h>

namespace rdt::machine {

namespace {

constexpr uint64_t Never = ~uint64_t(0);
constexpr uint32_t Mbp = 1;            // MBP of the processes
constexpr uint64_t Patience = 20'000;  // cycles beyond the jitter
constexpr uint32_t Failed = 1u << AckRetry | 1u << AckTimeout | 1u << AckError;

}  // namespace

BarrierTraffic::BarrierTraffic(const Machine& machine, const SyntheticOptions& options)
    : m_options(options),
      m_timeout(options.jitter + Patience),
      m_recovery(7 * (uint64_t(machine.config().t_ack) + 1) + 2112 + 2 * SlowTick),
      m_ctrl(machine.config().ctrl()),
      m_has_faults(machine.config().faults),
      m_random(options.seed),
      m_processes(machine.nodes()),
      m_root_of(machine.nodes()),
      m_maps(barrier_maps()) {
    if (!machine.config().upper_rank) throw std::invalid_argument("barriers need the upper rank");
    if (options.pattern == AllReduceName) {
        if (machine.config().reduce_width == 0)
            throw std::invalid_argument("--traffic all-reduce: needs --reduce-width 16 or 32");
        m_all_reduce.emplace(machine.config().reduce_width, options.seed);
        m_nodes.resize(machine.nodes());
        std::iota(m_nodes.begin(), m_nodes.end(), 0);
    }
    if (options.load > 0 || options.outstanding != 0) {
        SyntheticOptions others = options;
        others.pattern = SyntheticOptions().pattern;
        others.only_mbp0 = true;
        m_background = std::make_unique<Synthetic>(machine, others);
    }
    const std::vector<uint32_t> roots = barrier_roots(machine.geometry());
    for (uint32_t node = 0; node < roots.size(); ++node) {
        if (roots[node] != node) continue;
        Root root;
        root.node = node;
        for (uint32_t n = 0; n < roots.size(); ++n) {
            if (roots[n] != node) continue;
            root.territory.push_back(n);
            m_root_of[n] = uint32_t(m_roots.size());
        }
        m_roots.push_back(std::move(root));
    }
    const Config& config = machine.config();
    m_arms_early = m_roots.size() == 1 && config.t_ent == 0 && !m_has_faults && !m_all_reduce;
}

void BarrierTraffic::clock(Transport& transport) {
    m_now = transport.machine().now();
    if (m_background) m_background->clock(transport);
    if (m_barrier == 0) {
        if (m_all_reduce)
            transport.on_result = [this](const Packet& p, const core::Operand& o) {
                reduced(p, o);
            };
        start_next(transport);
    }
    while (!m_arrivals.empty() && m_arrivals.begin()->first <= m_now) {
        const uint32_t node = m_arrivals.begin()->second;
        m_arrivals.erase(m_arrivals.begin());
        arrive(transport, node);
    }
    check_timers(transport);
}

// Releases those that wait at the current barrier, by arming the next.
void BarrierTraffic::start_next(Transport& transport) {
    if (m_stopped && m_roots[0].armed == m_barrier) {
        m_finished = true;
        return;
    }
    ++m_barrier;
    m_released_from = m_last_arrival;
    m_num_arrived = m_num_released = 0;
    m_deadline = m_arms_early ? Never : m_now + m_timeout;
    if (m_roots[0].armed != m_barrier) arm(transport, m_roots[0], m_barrier);
    for (size_t r = 1; r < m_roots.size(); ++r) tell(transport, m_roots[0], m_roots[r]);
}

void BarrierTraffic::arm(Transport& transport, Root& root, uint32_t barrier) {
    root.armed = barrier;
    Message m;
    m.source = root.node;
    m.source_mbp = m.mbp = Mbp;
    m.maps = m_maps;
    m.flits = LaneFlits;
    m.wants_ack = m.lane = true;
    m.user = barrier;
    if (m_all_reduce && barrier > 1) m_all_reduce->append(m_sum, m.data);
    transport.send(m);
}

void BarrierTraffic::tell(Transport& transport, const Root& from, const Root& to) {
    Message m;
    m.source = from.node;
    m.destination = to.node;
    m.source_mbp = m.mbp = Mbp;
    m.flits = MinFlits;
    m.user = m_barrier;
    // To the first root the result of a territory, from it that of all for the next arm.
    if (m_all_reduce) m_all_reduce->append(&to == &m_roots[0] ? from.sum.value : m_sum, m.data);
    transport.send(m);
}

void BarrierTraffic::arrive(Transport& transport, uint32_t node) {
    Process& p = m_processes[node];
    p.arrived = p.released;
    ++m_num_arrived;
    m_last_arrival = m_now;
    if (p.armed == p.arrived) answer(transport, node, p.arm);
    if (m_arms_early && !m_stopped && node == m_roots[0].node)
        arm(transport, m_roots[0], m_barrier + 1);
}

// The operand is the same if the barrier is armed again.
void BarrierTraffic::answer(Transport& transport, uint32_t node, const Delivery& arm) {
    const core::Operand operand =
        m_all_reduce ? m_all_reduce->operand(m_barrier, node) : core::Operand{};
    transport.answer(arm, 1u << AckUser, operand);
}

void BarrierTraffic::delivered(Transport& transport, const Packet& packet, const Delivery& d) {
    if (d.mbp != Mbp) {
        if (m_background) m_background->delivered(transport, packet, d);
        return;
    }
    m_now = transport.machine().now();
    const auto barrier = uint32_t(packet.message.user);
    if (!packet.is_multicast()) {
        // Between roots; the timer repeats one that was damaged.
        if (m_all_reduce && !d.sound) return;
        Root& to = m_roots[m_root_of[d.node]];
        if (d.node != m_roots[0].node) {
            if (barrier == m_barrier && to.armed != m_barrier) arm(transport, to, m_barrier);
            return;
        }
        Root& from = m_roots[m_root_of[packet.message.source]];
        if (barrier != m_barrier) return;
        if (m_all_reduce) from.sum.value = m_all_reduce->value_of(d.data);
        note_arrived(transport, from);
        return;
    }
    if (!d.sound) return;
    // The release is here before the answer.
    if (m_arms_early && barrier == m_barrier + 1) note_arrived(transport, m_roots[0]);
    if (barrier != m_barrier) return;
    Process& p = m_processes[d.node];
    p.arm = d;
    p.armed = barrier;
    if (p.released != barrier) release(d.node, d);
    else if (p.arrived == barrier) answer(transport, d.node, d);
}

void BarrierTraffic::release(uint32_t node, const Delivery& arm) {
    Process& p = m_processes[node];
    if (p.arrived != p.released) ++m_early;
    p.released = p.armed;
    if (m_all_reduce && m_barrier > 1) check_result(arm);
    m_arrivals.emplace(m_now + m_random.below(m_options.jitter + 1), node);
    if (++m_num_released != m_processes.size()) return;
    if (m_barrier == 1) return;
    ++m_completed;
    if (m_is_measured) m_latency.add(arm.tail + 1 - m_released_from);
}

// All of a root's territory have.
void BarrierTraffic::note_arrived(Transport& transport, Root& root) {
    root.known = m_barrier;
    const auto is_known = [this](const Root& r) { return r.known == m_barrier; };
    if (!std::all_of(m_roots.begin(), m_roots.end(), is_known)) return;
    if (m_num_arrived != m_processes.size()) ++m_early;
    if (m_all_reduce) combine();
    if (m_is_measured) m_answers.add(m_now - m_last_arrival);
    start_next(transport);
}

// Before the status of the same answer is known.
void BarrierTraffic::reduced(const Packet& packet, const core::Operand& sum) {
    Root& root = m_roots[m_root_of[packet.message.source]];
    if (packet.message.user == m_barrier && root.acked != m_barrier) root.sum = sum;
}

// The roots' software. The first root knows the operands of its own territory from its answer.
void BarrierTraffic::combine() {
    const Reduce operation = core::operation_of(m_all_reduce->operation(m_barrier));
    m_sum = m_roots[0].sum.value;
    for (size_t r = 1; r < m_roots.size(); ++r)
        m_sum = core::combined(operation, m_sum, m_roots[r].sum.value, m_all_reduce->width());
    m_expected = m_all_reduce->expected(m_barrier, m_nodes);
}

void BarrierTraffic::check_result(const Delivery& arm) {
    ++m_results;
    const uint32_t sum = m_all_reduce->value_of(arm.data);
    if (m_all_reduce->result(m_barrier - 1, sum) != m_expected) ++m_wrong;
}

void BarrierTraffic::acked(Transport& transport, const Packet& packet, uint32_t status) {
    if (!packet.message.lane) {
        if (m_background) m_background->acked(transport, packet, status);
        return;
    }
    m_now = transport.machine().now();
    Root& root = m_roots[m_root_of[packet.message.source]];
    if (root.ready_at != 0 || packet.message.user != m_barrier) return;
    const bool is_valid = !m_all_reduce || root.sum.is_good;
    if (!is_valid) ++m_invalid;
    if ((status & Failed) != 0 || !is_valid) {
        recover(transport, root);
        return;
    }
    root.acked = m_barrier;
    if (&root == &m_roots[0]) note_arrived(transport, root);
    else tell(transport, root, m_roots[0]);
}

void BarrierTraffic::done(Transport& transport, const Packet& packet) {
    const bool is_own = packet.message.lane || packet.message.mbp == Mbp;
    if (m_background && !is_own) m_background->done(transport, packet);
}

// The routers of the territory end the wait of their lane entries; when no answer to the old arm
// can come any more, the barrier is armed again.
void BarrierTraffic::recover(Transport& transport, Root& root) {
    ++m_recoveries;
    root.ready_at = m_now + m_recovery;
    for (const uint32_t node : root.territory)
        transport.machine().mbp(node, 0).send_first(
            setup_packet({{RegCtrl, m_ctrl | core::Config::CtrlEndLane}}));
}

void BarrierTraffic::check_timers(Transport& transport) {
    if (m_finished) return;
    for (Root& root : m_roots) {
        if (root.ready_at == 0 || m_now < root.ready_at) continue;
        root.ready_at = 0;
        transport.expire_lane(root.node, Mbp);
        m_deadline = m_now + m_timeout;
        arm(transport, root, m_barrier);
    }
    if (m_now < m_deadline) return;
    m_deadline = m_now + m_timeout;
    for (size_t r = 0; r < m_roots.size(); ++r) {
        Root& root = m_roots[r];
        if (root.ready_at != 0 || root.known == m_barrier) continue;
        if (root.armed != m_barrier) tell(transport, m_roots[0], root);
        else if (root.acked != m_barrier) recover(transport, root);
        else tell(transport, root, m_roots[0]);
    }
}

uint64_t BarrierTraffic::next_event() const {
    if (m_finished) return Never;
    uint64_t next = m_deadline;
    if (!m_arrivals.empty()) next = std::min(next, m_arrivals.begin()->first);
    for (const Root& root : m_roots)
        if (root.ready_at != 0) next = std::min(next, root.ready_at);
    return next;
}

uint64_t BarrierTraffic::idle_cycles() const {
    if (m_barrier == 0) return 0;
    const uint64_t next = next_event();
    // The coming call of clock() is in the cycle after m_now.
    const uint64_t own = next == Never ? Never : next > m_now + 1 ? next - m_now - 1 : 0;
    return m_background ? std::min(own, m_background->idle_cycles()) : own;
}

void BarrierTraffic::skip(uint64_t cycles) {
    m_now += cycles;
    if (m_background) m_background->skip(cycles);
}

void BarrierTraffic::stop() {
    m_stopped = true;
    if (m_background) m_background->stop();
}

void BarrierTraffic::add_figures(nlohmann::ordered_json& json) const {
    const Latency l = latency();
    json["pattern"] = m_all_reduce ? AllReduceName : Name;
    json["jitter"] = m_options.jitter;
    json["load"] = m_background ? m_options.load : 0;
    json["barriers"] = m_completed;
    json["barrier_latency"] = l.mean;
    json["barrier_latency_max"] = l.max;
    json["barrier_answer_latency"] = m_answers.summary().mean;
    json["barrier_recoveries"] = m_recoveries;
    json["barrier_early_releases"] = m_early;
    if (!m_all_reduce) return;
    json["results"] = m_results;
    json["results_wrong"] = m_wrong;
    json["results_invalid"] = m_invalid;
}

std::string BarrierTraffic::table() const {
    const Latency l = latency();
    return table_row("barriers", fmt::format("{} of {} nodes, {} recovered", m_completed,
                                             m_processes.size(), m_recoveries)) +
           table_row("last arrival to release",
                     fmt::format("{:.1f} cycles mean, {} max; {:.1f} until the root has the answer",
                                 l.mean, l.max, m_answers.summary().mean)) +
           (m_all_reduce ? table_row("results", fmt::format("{} of {} bits received, {} wrong; {} "
                                                            "invalid and computed again",
                                                            m_results, m_all_reduce->width(),
                                                            m_wrong, m_invalid))
                         : "");
}

std::string BarrierTraffic::error() const {
    if (m_wrong != 0)
        return fmt::format("{} of {} results of all-reduces are wrong", m_wrong, m_results);
    if (m_invalid != 0 && !m_has_faults)
        return fmt::format("{} results of all-reduces are marked as invalid", m_invalid);
    if (m_early == 0) return {};
    return fmt::format("{} processes were released before all had arrived", m_early);
}

void set_ack_periods(Config& config, const SyntheticOptions& traffic) {
    const bool is_barrier = BarrierTraffic::is_name(traffic.pattern);
    if (!config.faults || (!traffic.acks && !is_barrier)) return;
    if (config.t_ent == 0) config.t_ent = traffic.acks ? 16'000 : 200;
    if (config.t_ack == 0) config.t_ack = traffic.acks ? 40'000 : 2'200;
}

}  // namespace rdt::machine
