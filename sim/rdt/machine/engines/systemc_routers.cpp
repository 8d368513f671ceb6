// SPDX-License-Identifier: MIT
#include <rdt/machine/engines/systemc_routers.h>

#include <cxxabi.h>
#include <fmt/core.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <typeinfo>

#include <rdt/cosim/kernel.h>
#include <rdt/cosim/module_tree.h>
#include <rdt/cosim/rtl_blocks.h>
#include <rdt/cosim/systemc_inside.h>
#include <rdt/cosim/systemc_wires.h>
#include <rdt/router.h>

namespace rdt::machine {

namespace {

const EngineRegistration registration{
    Engine::SystemC,
    [](const Config& config, const std::vector<uint32_t>& nodes) -> std::unique_ptr<RouterArray> {
        return std::make_unique<SystemcRouters>(
            config, nodes, ChipOptions{OneLane, config.entries, false, config.reduce_width});
    }};

// The next `bytes` of the heap use huge pages. Each router is 0.7 MB of small objects; with pages
// of 4 kB most of the time goes into misses of the TLB. Does nothing where the C library or the
// system is another one.
void use_huge_pages([[maybe_unused]] size_t bytes) {
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
    constexpr uintptr_t HugePage = 2u << 20;
    constexpr size_t Block = 64u << 10;  // small enough for malloc() to take it from the heap
    mallopt(M_TOP_PAD, int(std::min<size_t>(bytes, 1u << 30)));
    const auto begin = reinterpret_cast<uintptr_t>(sbrk(0));
    std::vector<std::unique_ptr<char[]>> blocks;  // until the heap has to grow
    while (reinterpret_cast<uintptr_t>(sbrk(0)) == begin && blocks.size() < 16)
        blocks.push_back(std::make_unique<char[]>(Block));
    const auto end = reinterpret_cast<uintptr_t>(sbrk(0));
    const uintptr_t first = (begin + HugePage - 1) / HugePage * HugePage;
    if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
#endif
}

std::vector<uint32_t> first_nodes(int side) {
    std::vector<uint32_t> nodes(size_t(side) * size_t(side));
    std::iota(nodes.begin(), nodes.end(), 0);
    return nodes;
}

}  // namespace

SystemcRouters::SystemcRouters(const Config& config, const std::vector<uint32_t>& nodes,
                               const blocks& parts)
    : m_rtl_number(nodes.size()), m_beside(nodes.size()) {
    const std::vector<uint32_t>& verilated = config.rtl_nodes;
    std::vector<uint32_t> names;
    for (uint32_t i = 0; i < nodes.size(); ++i) {
        if (std::find(verilated.begin(), verilated.end(), nodes[i]) == verilated.end()) continue;
        m_rtl_number[i] = uint32_t(m_rtl_at.size());
        m_rtl_at.push_back(i);
        names.push_back(nodes[i]);
    }
    if (!names.empty()) {
        const EngineKind& rtl = EngineKind::of(Engine::Rtl);
        if (!rtl.is_linked())
            throw std::invalid_argument("--rtl-nodes: not in this build: needs Verilator");
        m_rtl = rtl.make_routers(config, names);
        m_rtl_in.resize(names.size());
    }
    if (!config.rtl_blocks.empty()) m_rtl_blocks = RtlBlocks::make(config.rtl_blocks);
    const blocks mixed = m_rtl_blocks ? m_rtl_blocks->in(parts) : parts;
    constexpr size_t BytesOfRouter = 3u << 18;
    use_huge_pages(nodes.size() * BytesOfRouter);
    m_chips.resize(nodes.size());
    for (uint32_t i = 0; i < nodes.size(); ++i) {
        if (m_rtl_number[i]) continue;
        m_chips[i] = std::make_unique<Chip>();
        m_chips[i]->chip = std::make_unique<ModuleChip<router>>(fmt::format("n{}", nodes[i]),
                                                                m_chips[i]->clk, mixed);
        m_chips[i]->kernel.rest();
    }
}

// The modules stay: the kernel searches all signals for each of the half a million that goes, which
// takes longer than most runs.
SystemcRouters::~SystemcRouters() {
    for (auto& chip : m_chips) (void)chip.release();
    if (m_rtl_blocks) (void)m_rtl_blocks.release();
}

void SystemcRouters::run(Chip& chip, bool clk) {
    const ContextChange change(chip.kernel.context());
    chip.clk.write(clk);
    sc_core::sc_start(1, sc_core::SC_NS);
}

// Inputs have to settle before the edge: REQ reaches the blocks without a register.
void SystemcRouters::settle(const std::vector<core::PinsIn>& in, bool rst_n) {
    m_is_clocked = true;
    for (size_t i = 0; i < m_beside.size(); ++i)
        if (m_beside[i]) m_beside[i]->settle(in[i], rst_n);
    for (size_t i = 0; i < m_rtl_at.size(); ++i) m_rtl_in[i] = in[m_rtl_at[i]];
    if (m_rtl) m_rtl->settle(m_rtl_in, rst_n);
    if (m_rtl_blocks) m_rtl_blocks->take_errors();
    for (size_t i = 0; i < m_chips.size(); ++i)
        if (m_chips[i]) {
            m_chips[i]->chip->drive(in[i], rst_n);
            run(*m_chips[i], false);
            if (rst_n != m_rst_n) m_chips[i]->pins = m_chips[i]->chip->pins();
        }
    m_rst_n = rst_n;
}

void SystemcRouters::edge() {
    for (auto& rtl : m_beside)
        if (rtl) rtl->edge();
    if (m_rtl) m_rtl->edge();
    if (m_rtl_blocks) m_rtl_blocks->take_errors();
    for (const auto& chip : m_chips)
        if (chip) {
            run(*chip, true);
            chip->pins = chip->chip->pins();  // while they are in the caches
        }
}

ChipPins SystemcRouters::pins(uint32_t router) const {
    return m_chips[router] ? m_chips[router]->pins : m_rtl->pins(*m_rtl_number[router]);
}

SignalView SystemcRouters::signal_view(uint32_t router) {
    return {"systemc", [this, router] { return pins(router); }, {}};
}

std::optional<uint32_t> SystemcRouters::failed() const {
    if (m_rtl_blocks && m_rtl_blocks->failed()) return 0;
    if (m_rtl && m_rtl->failed()) return m_rtl_at[*m_rtl->failed()];
    for (uint32_t i = 0; i < m_beside.size(); ++i)
        if (m_beside[i] && m_beside[i]->failed()) return i;
    return std::nullopt;
}

std::vector<Inside> SystemcRouters::insides(uint32_t router) {
    if (m_is_clocked)
        throw std::logic_error("internal signals of a router must be recorded from reset");
    if (!m_chips[router])
        throw std::invalid_argument("a node simulated as RTL has no recorded internal signals");
    std::vector<Inside> sides{systemc_inside(module(router))};
    if (RtlBeside::maker() == nullptr) return sides;
    if (!m_beside[router]) m_beside[router] = RtlBeside::maker()();
    sides.push_back(m_beside[router]->inside());
    return sides;
}

size_t SystemcRouters::bytes() const {
    return m_chips.size() * (sizeof(Chip) + sizeof(ModuleChip<router>)) +
           (m_rtl ? m_rtl->bytes() : 0);
}

SystemcMachine::SystemcMachine(const Config& config, const blocks& parts)
    : ArrayMachine(config,
                   std::make_unique<SystemcRouters>(config, first_nodes(config.side), parts)) {}

RtlBlocks::Make& RtlBlocks::maker() {
    static Make make = nullptr;
    return make;
}

std::unique_ptr<RtlBlocks> RtlBlocks::make(const std::set<std::string>& kinds) {
    check_kinds(kinds);
    if (maker() == nullptr)
        throw std::invalid_argument("--rtl-blocks: not in this build: needs Verilator");
    return maker()(kinds);
}

namespace {

// rdt::tick<16u> is a tick.
std::string class_of(const sc_core::sc_object& object) {
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(typeid(object).name(), nullptr, nullptr, nullptr), std::free);
    std::string kind = name ? name.get() : typeid(object).name();
    kind = kind.substr(0, kind.find('<'));
    return kind.substr(kind.rfind(':') + 1);
}

void walk(const sc_core::sc_module& module, std::vector<Module>& tree) {
    Module entry{module.name(), class_of(module), {}};
    for (const SystemcWire& wire : wires_of(module))
        if (!wire.direction.empty())
            entry.ports.push_back(
                {wire.name, wire.direction, wire.width * uint32_t(wire.elements.size())});
    tree.push_back(std::move(entry));
    for (const sc_core::sc_object* child : module.get_child_objects())
        if (const auto* inner = dynamic_cast<const sc_core::sc_module*>(child)) walk(*inner, tree);
}

std::vector<Module> read_tree() {
    const Kernel kernel;
    const auto chip = std::make_unique<router>("router");
    std::vector<Module> tree;
    walk(*chip, tree);
    return tree;
}

const TreeReader reader{"SystemC design", read_tree};

}  // namespace

}  // namespace rdt::machine
