// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include <rdt/machine/engines/array_machine.h>
#include <rdt/machine/engines/router_check.h>
#include <rdt/machine/machine.h>

namespace rdt::machine {

namespace {

std::vector<uint32_t> all_nodes(const Config& config) {
    std::vector<uint32_t> nodes(size_t(config.side) * size_t(config.side));
    for (uint32_t n = 0; n < nodes.size(); ++n) nodes[n] = n;
    return nodes;
}

}  // namespace

std::unique_ptr<Machine> make_machine(const Config& config) {
    const uint64_t resident = resident_bytes();
    check_config(config);
    Config c = config;
    c.engine = running_engine(config);
    if (c.engine != config.engine)
        std::replace(c.check.begin(), c.check.end(), c.engine, config.engine);
    const EngineKind& kind = EngineKind::of(c.engine);
    std::unique_ptr<Machine> machine;
    if (kind.make_machine != nullptr) machine = kind.make_machine(c);
    else machine = std::make_unique<ArrayMachine>(c, kind.make_routers(c, all_nodes(c)));
    if (!c.check.empty()) machine->m_check = std::make_unique<RouterCheck>(*machine, config);
    machine->set_resident_before(resident);
    return machine;
}

// The list of engines.
namespace {

std::vector<EngineKind>& kinds() {
    static std::vector<EngineKind> all{
        {Engine::Fast, "fast", "fast engine", "nothing", true, true, false},
        {Engine::SystemC, "systemc", "SystemC", "SystemC", false, false, true},
        {Engine::Rtl, "rtl", "RTL", "Verilator", false, false, false},
    };
    return all;
}
EngineKind& kind_of(Engine engine) { return kinds()[size_t(engine)]; }

void check_nodes(const char* what, const std::vector<uint32_t>& nodes, uint32_t of) {
    for (const uint32_t n : nodes)
        if (n >= of)
            throw std::invalid_argument(fmt::format("{} {}: must be 0 to {}", what, n, of - 1));
}

}  // namespace

EngineRegistration::EngineRegistration(Engine engine, EngineKind::MakeMachine make) {
    kind_of(engine).make_machine = make;
}
EngineRegistration::EngineRegistration(Engine engine, EngineKind::MakeRouters make) {
    kind_of(engine).make_routers = make;
}

const std::vector<EngineKind>& EngineKind::all() { return kinds(); }
const EngineKind& EngineKind::of(Engine engine) { return kind_of(engine); }
const EngineKind* EngineKind::named(const std::string& name) {
    for (const EngineKind& kind : kinds())
        if (name == kind.name) return &kind;
    return nullptr;
}

std::string title_of(const Config& c) {
    const auto name = [&c](Engine engine) {
        const std::string as = engine == Engine::Rtl && c.gates ? " as gates" : "";
        return EngineKind::of(engine).title + as;
    };
    std::string title = name(c.engine);
    if (!c.rtl_nodes.empty()) title += fmt::format(" with {} RTL nodes", c.rtl_nodes.size());
    if (!c.rtl_blocks.empty())
        title += fmt::format(" with RTL blocks {}", fmt::join(c.rtl_blocks, " "));
    for (const Engine other : c.check)
        title +=
            fmt::format("{} {}", other == c.check.front() ? " compared with" : " and", name(other));
    return title;
}

Engine running_engine(const Config& c) {
    const bool has_fast = std::find(c.check.begin(), c.check.end(), Engine::Fast) != c.check.end();
    return has_fast ? Engine::Fast : c.engine;
}

std::vector<uint32_t> default_check_blocks(uint32_t nodes) {
    return {0, (nodes - 1) / 3, 2 * (nodes - 1) / 3, nodes - 1};
}

void check_config(const Config& c) {
    if (!Geometry::is_supported(c.side))
        throw std::invalid_argument(
            fmt::format("--size {}: must be {}", c.side, Geometry::SidesText));
    const auto nodes = uint32_t(c.side * c.side);
    check_nodes("--rtl-nodes", c.rtl_nodes, nodes);
    if (c.check_blocks) check_nodes("--check-blocks", *c.check_blocks, nodes);
    if (c.sink && c.timeout == 0) throw std::invalid_argument("--sink: needs --timeout");
    if (c.drop && c.timeout == 0) throw std::invalid_argument("--drop: needs --timeout");
    if (c.pruning != 0 && (c.engine != Engine::Fast || !c.check.empty() || !c.event_driven ||
                           c.faults || c.timeout != 0 || c.threads != 1))
        throw std::invalid_argument(
            "--pruning: needs --engine fast with one thread, without --check, faults and "
            "--timeout");
    if (c.reduce_width != 0 && c.reduce_width != 16 && c.reduce_width != 32)
        throw std::invalid_argument(
            fmt::format("--reduce-width {}: must be 0, 16 or 32", c.reduce_width));
    if (!is_number_of_entries(c.entries))
        throw std::invalid_argument(
            fmt::format("--entries {}: must be 1 to 7, 13, 19 or 25", c.entries));
    if (c.entries != NumEntries && c.reduce_width != 0)
        throw std::invalid_argument("--entries: must be 7 with --reduce-width");
    // Bits of the map of level 4 are those of the bank.
    if (has_banks(c.entries) && c.upper_rank && c.side > MaxSideWithBanks)
        throw std::invalid_argument(fmt::format("--entries {}: needs --size {} at most, or --torus",
                                                c.entries, MaxSideWithBanks));
    std::vector<Engine> engines{c.engine};
    for (const Engine other : c.check) {
        if (std::find(engines.begin(), engines.end(), other) != engines.end())
            throw std::invalid_argument(
                fmt::format("--check {}: must differ from --engine and be named once",
                            EngineKind::of(other).name));
        engines.push_back(other);
    }
    // The Verilated router and its gates have none.
    const bool has_rtl = std::find(engines.begin(), engines.end(), Engine::Rtl) != engines.end() ||
                         !c.rtl_nodes.empty() || !c.rtl_blocks.empty();
    for (const auto& [option, is_given] :
         {std::pair("--reduce-width", c.reduce_width != 0), {"--entries", c.entries != NumEntries}})
        if (is_given && has_rtl)
            throw std::invalid_argument(
                fmt::format("{}: needs --engine and --check of fast and systemc alone, without "
                            "--rtl-nodes and --rtl-blocks",
                            option));
    const bool can_have_rtl = std::any_of(engines.begin(), engines.end(),
                                          [](Engine e) { return EngineKind::of(e).can_have_rtl; });
    if (!can_have_rtl && !(c.rtl_nodes.empty() && c.rtl_blocks.empty()))
        throw std::invalid_argument("--rtl-nodes and --rtl-blocks: need --engine systemc");
    for (const Engine engine : engines) {
        const EngineKind& kind = EngineKind::of(engine);
        if (!kind.is_linked())
            throw std::invalid_argument(
                fmt::format("engine {} is not in this build: it needs {}", kind.name, kind.needs));
    }
}

void ArrayMachine::step(bool rst_n) {
    for (uint32_t n = 0; n < nodes(); ++n) m_in[n] = inputs(n);
    m_routers->settle(m_in, rst_n);
    if (m_routers->has_insides()) settled();
    m_routers->edge();
    join_check();
    for (uint32_t n = 0; n < nodes(); ++n) {
        if (rst_n)
            for (uint32_t m = 0; m < 2; ++m)
                mbp(n, m).clock(seen_by_mbp(n, m, m_out[n].link[PortM0 + m]), now());
        m_out[n] = m_routers->pins(n);
    }
    constexpr uint32_t Nodes = LinkCounter::NodesOfWord;
    for (uint32_t word = 0; word < nodes() / Nodes; ++word) {
        uint64_t driven = 0;
        for (uint32_t k = 0; k < Nodes; ++k) {
            const uint32_t n = word * Nodes + k;
            const uint32_t first = k * LinkCounter::EndsOfNode;
            for (uint32_t p = 0; p < NumPorts; ++p)
                driven |= uint64_t(m_out[n].link[p].oe) << (first + p);
            for (uint32_t m = 0; m < 2; ++m)
                driven |= uint64_t(mbp(n, m).pins().oe) << (first + NumPorts + m);
        }
        flits().add(word, driven);
    }
    flits().end_clock();
}

}  // namespace rdt::machine
