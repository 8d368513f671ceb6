// SPDX-License-Identifier: MIT
#include <rdt/machine/engines/router_check.h>

#include <fmt/core.h>

#include <algorithm>
#include <deque>

#include <rdt/cosim/blame_finder.h>
#include <rdt/cosim/lockstep.h>
#include <rdt/cosim/module_tree.h>
#include <rdt/cosim/rtl_beside.h>

namespace rdt::machine {

namespace {

std::vector<Inside> boundaries_of(std::vector<Inside> sides) {
    keep_boundaries(sides[0]);
    keep_paths_of(sides[1], sides[0]);
    return sides;
}

}  // namespace

BlameFinder& blame_finder() {
    static BlameFinder finder = nullptr;
    return finder;
}

struct RouterCheck::Blocks {
    Blocks(uint32_t node, std::vector<Inside> insides)
        : node(node),
          systemc(std::move(insides[0])),
          rtl(std::move(insides[1])),
          pair(systemc, rtl, module_kinds()) {}

    uint32_t node;
    InsideValues systemc;
    InsideValues rtl;
    InsidePair pair;
};

RouterCheck::RouterCheck(Machine& machine, const Config& config)
    : m_machine(machine),
      m_config(config),
      m_in(machine.nodes()),
      m_last(machine.nodes()),
      m_record(machine.nodes()) {
    std::vector<uint32_t> nodes(machine.nodes());
    for (uint32_t n = 0; n < nodes.size(); ++n) nodes[n] = n;
    for (const uint32_t n : nodes) {
        if (machine.routers() != nullptr) {
            m_signal_views.push_back(machine.routers()->signal_view(n));
            continue;
        }
        // The fast engine shows neither D that is not driven nor the signature of its grants: these
        // are as in the first of the others.
        const auto pins = [this, n] {
            ChipPins all = m_others[0].routers->pins(n);
            for (uint32_t p = 0; p < NumPorts; ++p) {
                const core::LinkPinsOut own = m_machine.pins(n, p);
                const flit_t d = own.oe ? own.d : all.link[p].d;
                all.link[p] = {d, own.oe, own.req, own.cred};
            }
            all.err = m_machine.err(n);
            return all;
        };
        m_signal_views.emplace_back(EngineKind::of(machine.config().engine).name, pins,
                                    Registers());
    }
    for (const Engine engine : machine.config().check) {
        Other other{engine, EngineKind::of(engine).make_routers(config, nodes), {}};
        for (const uint32_t n : nodes) other.views.push_back(other.routers->signal_view(n));
        for (size_t i = 0; i < chip_signals().size(); ++i)
            if (m_signal_views[0].has(i) && other.views[0].has(i)) m_signals += nodes.size();
        m_others.push_back(std::move(other));
    }
    add_blocks(config.check_blocks.value_or(default_check_blocks(machine.nodes())));
}

RouterCheck::~RouterCheck() = default;

RouterArray* RouterCheck::routers_with_insides() {
    for (const Other& other : m_others)
        if (other.routers->has_insides()) return other.routers.get();
    return nullptr;
}

RouterArray& RouterCheck::routers(Engine engine) {
    for (const Other& other : m_others)
        if (other.engine == engine) return *other.routers;
    if (m_machine.config().engine != engine || m_machine.routers() == nullptr)
        throw std::invalid_argument("--check: no router of this engine is compared");
    return *m_machine.routers();
}

// Only if the RTL takes part, because the RTL functions exist only in builds with it.
void RouterCheck::add_blocks(const std::vector<uint32_t>& nodes) {
    const Config& c = m_machine.config();
    const bool has_rtl = c.engine == Engine::Rtl ||
                         std::find(c.check.begin(), c.check.end(), Engine::Rtl) != c.check.end();
    RouterArray* array = routers_with_insides();
    if (m_machine.routers() != nullptr && m_machine.routers()->has_insides())
        array = m_machine.routers();
    if (!has_rtl || array == nullptr || RtlBeside::maker() == nullptr) return;
    for (const uint32_t n : nodes) {
        m_blocks.push_back(std::make_unique<Blocks>(n, boundaries_of(array->insides(n))));
        m_signals += m_blocks.back()->pair.both().size();
    }
}

std::vector<SignalView> RouterCheck::signal_views(uint32_t node) {
    std::vector<SignalView> all;
    for (const Other& other : m_others) all.push_back(other.routers->signal_view(node));
    return all;
}

bool RouterCheck::settle(bool rst_n) {
    m_is_in_reset = !rst_n;
    const auto pins_of = [this](uint32_t n, uint32_t p) {
        return m_signal_views[n].pins().link[p];
    };
    for (uint32_t n = 0; n < m_machine.nodes(); ++n) {
        m_in[n] = m_has_pins ? m_machine.inputs(n, pins_of) : m_machine.inputs(n);
        m_record.add(m_in[n], rst_n);
    }
    m_is_shared = can_share();
    if (!m_is_shared) {
        for (Other& other : m_others) other.routers->settle(m_in, rst_n);
        return routers_with_insides() != nullptr;
    }
    m_beside = std::async(std::launch::async, [this, rst_n] { advance(m_others.back(), rst_n); });
    if (m_others.size() == 1) return false;
    for (size_t i = 0; i + 1 < m_others.size(); ++i) advance(m_others[i], rst_n);
    join();
    return false;
}

// The fast engine takes so little time that it needs no thread of its own. An observer of insides
// reads both sides when all signals have settled, which is in one thread.
bool RouterCheck::can_share() const {
    const size_t engines = m_others.size() + (m_machine.routers() != nullptr ? 1 : 0);
    return m_config.threads > 1 && engines > 1 && !m_machine.on_settled;
}

// All of a cycle of the routers of an engine, in any thread. Only the thread of the engine with
// insides, which is SystemC, uses m_block_difference before join().
void RouterCheck::advance(Other& other, bool rst_n) {
    other.routers->settle(m_in, rst_n);
    if (other.routers->has_insides()) {
        find_block_difference();
        if (m_block_difference) return;
    }
    finish(other, rst_n);
}

void RouterCheck::finish(Other& other, bool rst_n) {
    other.routers->edge();
    if (!rst_n) return;
    for (SignalView& view : other.views) view.read();
}

void RouterCheck::join() {
    if (!m_beside.valid()) return;
    m_beside.get();
    report_block_difference();
}

void RouterCheck::clock(bool rst_n) {
    if (!m_is_shared)
        for (Other& other : m_others) finish(other, rst_n);
    m_has_pins = rst_n;
    if (!rst_n) return;
    for (uint32_t n = 0; n < m_machine.nodes(); ++n) {
        m_signal_views[n].read();
        for (const Other& other : m_others) compare(n, other);
        keep(n);
    }
    for (const Other& other : m_others)
        if (const auto node = other.routers->failed())
            throw MachineError(
                explain(fmt::format("assertion of the RTL failed at node {} in cycle {}", *node,
                                    m_machine.now()),
                        *node));
}

void RouterCheck::compare(uint32_t node, const Other& other) {
    if (first_difference(m_signal_views[node], other.views[node]))
        throw MachineError(explain(difference(node, other), node));
}

void RouterCheck::compare_blocks() {
    find_block_difference();
    if (m_block_difference && m_beside.valid()) m_beside.wait();
    report_block_difference();
}

void RouterCheck::find_block_difference() {
    if (m_is_in_reset) return;
    for (const auto& blocks : m_blocks) {
        blocks->systemc.read();
        blocks->rtl.read();
        const std::vector<InsidePair::Both> found = blocks->pair.differences();
        if (found.empty()) continue;
        const InsidePair::Both& first = found.front();
        m_block_difference.emplace(
            blocks->node,
            fmt::format(
                "difference in cycle {}: n{}.{} rtl={} systemc={}{}\n  seed={}\n  rerun: {}",
                m_machine.now(), blocks->node, blocks->systemc.signals()[first.systemc].path(),
                blocks->rtl.text(first.rtl), blocks->systemc.text(first.systemc),
                found.size() > 1 ? fmt::format(" and {} more", found.size() - 1) : "",
                m_config.seed, m_config.rerun));
        return;
    }
}

void RouterCheck::report_block_difference() {
    if (!m_block_difference) return;
    const auto [node, report] = *std::exchange(m_block_difference, std::nullopt);
    throw MachineError(explain(report, node));
}

// All sides were equal until the last cycle, so the values of one of them are kept for all.
void RouterCheck::keep(uint32_t node) {
    m_last[node].resize(Lockstep::WaveClocks);
    Past& past = m_last[node][(m_machine.now() + 1) % Lockstep::WaveClocks];
    past.pins = PackedPins(m_signal_views[node].pins());
    past.registers = m_signal_views[node].registers();
}

// Repeats the last cycles of the node for the report and the waveform. The pins show the result of
// one clock edge in the next cycle.
std::string RouterCheck::difference(uint32_t node, const Other& other) {
    const size_t signals = chip_signals().size();
    std::deque<core::PinsIn> inputs;
    const auto add = [&inputs](const core::PinsIn& in) {
        inputs.push_back(in);
        if (inputs.size() > Lockstep::WaveClocks) inputs.pop_front();
    };
    for (PinRecord::Reader pins(m_record, node); pins.next();) add(pins.in());
    if (!inputs.empty()) add(m_machine.inputs(node));
    const uint64_t last_cycle = m_machine.now() + 1;
    uint64_t cycle = last_cycle < Lockstep::WaveClocks ? 1 : last_cycle - Lockstep::WaveClocks + 1;
    const SignalView* const views[] = {&m_signal_views[node], &other.views[node]};
    Lockstep last(fmt::format("check_n{}", node), m_config.seed, m_config.rerun, cycle,
                  {views[0]->name(), views[1]->name()});
    for (size_t i = 0; i < signals; ++i) {
        if (!views[0]->has(i) || !views[1]->has(i)) continue;
        const auto value = [&, i](size_t side) {
            return [&, i, side] {
                return cycle == last_cycle
                           ? views[side]->value(i)
                           : m_last[node][cycle % Lockstep::WaveClocks].value(chip_signals()[i]);
            };
        };
        const NamedSignal& s = chip_signals()[i];
        last.add(fmt::format("n{}.{}", node, s.name), s.signal->width, value(0), value(1));
    }
    const auto in = [&]() -> const core::PinsIn& {
        return inputs[inputs.size() - 1 - (last_cycle - cycle)];
    };
    if (!inputs.empty())
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const std::string at = fmt::format("n{}.{}.", node, to_string(Port(p)));
            last.note(at + "d_i", FlitW, [&, p] { return in().link[p].d; });
            last.note(at + "req_i", 2, [&, p] { return in().link[p].req; });
            last.note(at + "cred_i", 2, [&, p] { return in().link[p].cred; });
        }
    std::optional<std::string> report;
    for (; !report && cycle <= last_cycle; ++cycle) report = last.compare();
    return *report;
}

std::string RouterCheck::explain(const std::string& report, uint32_t node) {
    if (blame_finder() == nullptr)
        return report + "\n  block: not located, which needs SystemC and Verilator";
    const std::string name = fmt::format("check_n{}_seed{}", node, m_config.seed);
    std::string text = report + blame_finder()(m_record, node, name + "_blocks.fst");
    // The blocks' waveform has the last cycles only.
    if (m_config.rerun.find("rdt run ") != std::string::npos &&
        m_config.rerun.find(" --wave") == std::string::npos)
        text += fmt::format("\n  record from reset: {} --wave {}_long.fst --wave-nodes {}",
                            m_config.rerun, name, node);
    return text;
}

}  // namespace rdt::machine
