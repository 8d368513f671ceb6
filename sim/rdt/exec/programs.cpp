// SPDX-License-Identifier: MIT
#include <rdt/exec/programs.h>

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace rdt::exec {

namespace {

constexpr uint64_t DeadlockCycles = 1'000'000;
constexpr uint64_t DrainCycles = 300'000;

const Options& checked(const machine::Machine& machine, const Options& o) {
    const uint32_t most = std::min(machine.nodes(), MaxHarts);
    if (o.harts == 0 || o.harts > most)
        throw std::invalid_argument(fmt::format("--nodes {}: must be 1 to {}", o.harts, most));
    const uint64_t page = uint64_t(o.memory.page) * dsm::LineBytes;
    if (o.memory.page == 0 || PageBytes % page != 0)
        throw std::invalid_argument(fmt::format("--page {}: must be 1, 2, 4, ... {} lines",
                                                o.memory.page, PageBytes / dsm::LineBytes));
    return o;
}

Facts facts_of(const machine::Machine& machine, const Options& o) {
    Facts f;
    f.harts = o.harts;
    f.machine = NetworkBarrier::is_possible(machine) ? 3 : 1;
    f.homes = machine.nodes();
    f.page_bytes = o.memory.page * dsm::LineBytes;
    f.arguments = o.arguments;
    return f;
}

dsm::Options memory_options(const Options& o, const Image& image) {
    dsm::Options m = o.memory;
    m.operations = 0;
    m.processors = 1;
    m.lines = uint32_t(image.shared().size() / dsm::LineBytes);
    return m;
}

// Data and protocols. Memory begins as zeros.
void load(dsm::Memory& memory, const Image& image) {
    const std::vector<uint8_t>& shared = image.shared();
    for (uint64_t at = 0; at < shared.size(); at += dsm::LineBytes) {
        const auto line = shared.begin() + int64_t(at);
        if (std::any_of(line, line + dsm::LineBytes, [](uint8_t b) { return b != 0; }))
            memory.poke(at, &*line, dsm::LineBytes);
    }
    const Image::Range update = image.between("rdt_update_begin_", "rdt_update_end_");
    for (uint64_t a = update.begin; a < update.end; a += dsm::LineBytes)
        if (a - image.shared_base() < shared.size())
            memory.set_protocol(uint32_t((a - image.shared_base()) / dsm::LineBytes),
                                dsm::Protocol::Update);
}

}  // namespace

Programs::Programs(const machine::Machine& machine, Elf elf, const Options& options)
    : m_options(checked(machine, options)),
      m_side(uint32_t(machine.config().side)),
      m_hits_ahead(options.runs_ahead && options.memory.store_buffer == 0 &&
                   options.memory.cache_lines == 0 && options.memory.bug == dsm::InjectedBug::None),
      m_image(std::move(elf), facts_of(machine, options)),
      m_text(m_image.code()),
      m_memory(machine, memory_options(options, m_image)),
      m_profile(m_image, options.harts, m_memory.options().lines),
      m_console(options.harts, options.has_prefix, options.console) {
    if (NetworkBarrier::is_possible(machine) && m_image.elf().find("rdt_machine_") != nullptr) {
        m_barrier = std::make_unique<NetworkBarrier>(machine, options.harts);
        m_barrier->on_released = [this](uint32_t h, uint32_t bits) {
            if (m_is_over) return;
            if (m_nodes[h].state == State::AtBarrier) resume(h, bits);
            else m_nodes[h].barrier_result = bits;
        };
    }
    load(m_memory, m_image);
    m_memory.on_completed = [this](uint32_t h, const dsm::Result& r) { completed(h, r); };
    m_memory.on_cache_message = [this](uint32_t node, uint32_t line) {
        if (node >= m_nodes.size()) return;
        ++m_nodes[node].ahead.messages;
        if (m_is_over) return;
        if (m_nodes[node].state == State::Asleep) wake(node);
        else if (m_nodes[node].ahead.touches(line)) settle(node, next_cycle());
    };
    const Image::Range sync = m_image.between("rdt_sync_begin_", "rdt_sync_end_");
    for (uint32_t h = 0; h < options.harts; ++h) {
        Node& node = m_nodes.emplace_back(h, m_text, m_memory, m_image);
        node.hart.pc = m_image.elf().entry;
        node.hart.memory = {StackBase + h * StackBytes, StackBytes, node.stack.data()};
        node.hart.constants = m_image.constants();
        node.hart.region_base = sync.begin;
        node.hart.region_size = sync.end - sync.begin;
        node.hart.requests_fences = options.memory.store_buffer != 0;
    }
    m_interest.resize(options.harts);
}

void Programs::schedule(uint32_t h, uint64_t cycle) {
    Node& node = m_nodes[h];
    node.state = State::Ready;
    node.due = cycle;
    m_ready.add(h, cycle);
}

void Programs::commit(uint32_t h) {
    Node& node = m_nodes[h];
    RunAhead& ahead = node.ahead;
    node.counts.loads += ahead.num_loads();
    node.counts.stores += ahead.stores().size();
    node.access_cycle = ahead.last_cycle();
    node.access_loads = ahead.last_is_load();
    for (const RunAhead::Store& s : ahead.stores()) m_profile.writes(h, s.offset, s.cycle);
    ahead.commit();
}

void Programs::settle(uint32_t h, uint64_t cycle) {
    Node& node = m_nodes[h];
    if (!node.ahead.is_open()) return;
    if (node.due <= cycle) return commit(h);
    m_ready.remove(h, node.due);
    ++m_hits_taken_back;
    const uint64_t first = node.ahead.undo();
    node.spin = {};
    node.counts.of(node.kind) -= node.due - first;
    node.counts.instructions -= node.due - first;
    if (cycle > first) {
        node.ahead.spin = nullptr;
        if (node.ahead.run(cycle - first, first) != hart::Hart::Stop::Budget)
            throw std::logic_error("a hart executes other instructions the second time");
        node.counts.of(node.kind) += cycle - first;
        node.counts.instructions += cycle - first;
        commit(h);
    }
    schedule(h, std::max(cycle, first));
}

void Programs::settle_all() {
    for (uint32_t h = 0; h < m_nodes.size(); ++h)
        settle(h, m_is_early || h > m_stepping ? m_now : m_now + 1);
}

void Programs::clock(machine::Transport& transport) {
    m_transport = &transport;
    m_now = transport.machine().now();
    if (!m_has_begun) {
        m_has_begun = true;
        m_first = m_end = m_last_active = m_now;
        if (m_barrier) m_barrier->start(transport);
        for (uint32_t h = 0; h < m_nodes.size(); ++h) schedule(h, m_now);
    }
    m_is_early = true;
    m_memory.clock(transport);
    m_is_early = false;
    if (m_is_over) return drain(transport);
    for (uint32_t h = 0; !m_is_over; ++h) {
        h = m_stepping = m_ready.take(m_now, h);
        if (h == MaxHarts) break;
        step(h);
    }
    m_stepping = MaxHarts;
    if (m_is_over) return;
    m_end = m_now + 1;
    if (!m_ready.is_empty() || m_num_pending != 0) m_last_active = m_now;
    else if (m_now - m_last_active >= DeadlockCycles) check_deadlock();
}

void Programs::delivered(machine::Transport& transport, const machine::Packet& packet,
                         const machine::Delivery& delivery) {
    if (packet.message.lane) m_barrier->delivered(transport, packet, delivery);
    else m_memory.delivered(transport, packet, delivery);
}

void Programs::acked(machine::Transport& transport, const machine::Packet& packet,
                     uint32_t status) {
    if (!packet.message.lane) return m_memory.acked(transport, packet, status);
    m_barrier->acked(transport, status);
    if (!m_barrier->error().empty() && m_error.empty()) {
        m_error = m_barrier->error();
        finish();
    }
}

uint64_t Programs::idle_cycles() const {
    if (!m_has_begun || m_is_over) return 0;
    const uint64_t deadlock = m_last_active + DeadlockCycles;
    const uint64_t next = std::min(deadlock, m_ready.next_after(m_now, deadlock));
    return next <= m_now + 1 ? 0 : std::min(next - m_now - 1, m_memory.quiet_cycles());
}

void Programs::skip(uint64_t cycles) {
    m_now += cycles;
    m_end += cycles;
    m_memory.skip(cycles);
}

// The next instruction of a hart is that of this cycle.
void Programs::step(uint32_t h) {
    Node& node = m_nodes[h];
    hart::Hart& a = node.hart;
    if (node.ahead.is_open()) commit(h);
    const uint64_t limit = m_options.runs_ahead ? HartWheel::Cycles - 1 : 1;
    uint64_t now = m_now;
    node.kind = a.in_region() ? CycleKind::Sync : CycleKind::Busy;
    node.ahead.spin = m_options.sleeps ? &node.spin : nullptr;
    while (now - m_now < limit) {
        const uint64_t budget = limit - (now - m_now);
        const hart::Hart::Stop stop =
            m_hits_ahead ? node.ahead.run(budget, now) : a.run(budget, now);
        node.counts.of(node.kind) += a.executed();
        node.counts.instructions += a.executed();
        now += a.executed();
        if (stop == hart::Hart::Stop::Budget) break;
        if (stop == hart::Hart::Stop::Region) {
            node.spin.forget_registers();
            break;
        }
        if (now != m_now) break;  // concerns others: in its cycle
        if (stop == hart::Hart::Stop::Halt) {
            node.state = State::Halted;
            node.since = now;
            return;
        }
        if (stop == hart::Hart::Stop::Trap)
            return fail(h, fmt::format("{} ({:#x})", hart::to_string(hart::Cause(a.cause())),
                                       a.trap_value()));
        if (!access(h)) return;
        ++node.counts.of(node.kind);
        ++node.counts.instructions;
        ++now;
    }
    schedule(h, now);
}

bool Programs::access(uint32_t h) {
    const hart::MemoryRequest& q = m_nodes[h].hart.request();
    const uint64_t offset = q.address - m_image.shared_base();
    if (q.op == dsm::Op::Fence) return access_shared(h, 0);
    if (offset >= m_image.shared().size()) return access_device(h);
    if (offset % dsm::WordBytes + q.size > dsm::WordBytes)
        return refuse(h, dsm::is_load(q.op) ? hart::LoadMisaligned : hart::StoreMisaligned);
    return access_shared(h, offset);
}

bool Programs::access_shared(uint32_t h, uint64_t offset) {
    Node& node = m_nodes[h];
    const hart::MemoryRequest& q = node.hart.request();
    if (q.op == dsm::Op::Load && m_options.sleeps &&
        node.spin.repeats(node.hart, m_now, node.ahead.messages)) {
        const auto presence = m_memory.presence(h, uint32_t(offset / dsm::LineBytes));
        if (presence == dsm::Memory::Presence::Shared || presence == dsm::Memory::Presence::Owned) {
            sleep(h);
            return false;
        }
    }
    if (dsm::is_load(q.op)) ++node.counts.loads;
    else if (q.op != dsm::Op::Fence) ++node.counts.stores;
    if (q.op != dsm::Op::Fence) {
        node.access_cycle = m_now;
        node.access_loads = dsm::is_load(q.op);
    }
    dsm::Access a;
    a.address = offset;
    a.op = q.op;
    a.size = q.size;
    a.value = q.value;
    dsm::Result result;
    if (m_memory.access(h, a, result)) {
        const bool is_refused = q.op == dsm::Op::StoreConditional && !result.is_success;
        if (!dsm::is_load(q.op) && q.op != dsm::Op::Fence && !is_refused)
            m_profile.writes(h, offset, m_now);
        if (on_access) on_access(h, q);
        node.hart.complete(q.op == dsm::Op::StoreConditional ? (is_refused ? 1 : 0) : result.value);
        return true;
    }
    ++node.counts.misses;
    ++m_num_pending;
    node.state = State::Pending;
    node.since = m_now;
    node.cause = m_profile.cause_of(h, offset, !dsm::is_load(q.op),
                                    m_memory.protocol_of(offset) == dsm::Protocol::Update,
                                    m_memory.presence(h, uint32_t(offset / dsm::LineBytes)));
    return false;
}

void Programs::completed(uint32_t h, const dsm::Result& result) {
    Node& node = m_nodes[h];
    const hart::MemoryRequest& q = node.hart.request();
    --m_num_pending;
    if (m_is_over) return;
    if (result.is_failed)
        return fail(h, fmt::format("the home of {:#x} does not answer", q.address));
    const uint64_t offset = q.address - m_image.shared_base();
    const bool is_fence = q.op == dsm::Op::Fence;
    const bool is_write = !dsm::is_load(q.op) && !is_fence;
    // Which words others have written is known when the line is there.
    if (!is_fence && is_sharing(node.cause))
        node.cause = m_profile.cause_of(h, offset, is_write, false, dsm::Memory::Presence::None);
    if (!is_fence && (m_is_interest || !m_has_interest))
        m_profile.misses(h, offset, is_write, node.cause, next_cycle() - node.since - 1,
                         node.hart.pc);
    if (!is_fence && node.cause != Cause::Update)
        m_profile.fetches(h, uint32_t(offset / dsm::LineBytes), m_now);
    if (is_write && result.is_success) m_profile.writes(h, offset, m_now);
    if (on_access) on_access(h, q);
    resume(h, q.op == dsm::Op::StoreConditional ? (result.is_success ? 0 : 1) : result.value);
}

CycleKind Programs::Node::wait_kind() const {
    if (kind == CycleKind::Sync || state == State::AtBarrier) return CycleKind::Sync;
    switch (hart.request().op) {
    case dsm::Op::Load: return CycleKind::Read;
    case dsm::Op::Store:
    case dsm::Op::Fence: return CycleKind::Write;
    default: return CycleKind::Atomic;
    }
}

void Programs::resume(uint32_t h, uint64_t value) {
    Node& node = m_nodes[h];
    ++node.counts.of(node.kind);
    ++node.counts.instructions;
    node.counts.of(node.wait_kind()) += next_cycle() - node.since - 1;
    node.hart.complete(value);
    schedule(h, next_cycle());
}

bool Programs::access_device(uint32_t h) {
    hart::Hart& a = m_nodes[h].hart;
    const hart::MemoryRequest& q = a.request();
    const bool is_load = q.op == dsm::Op::Load;
    const bool is_plain = is_load || q.op == dsm::Op::Store;
    if (is_plain && q.address - NodeRegisters < 8 * 3 && q.address % 8 == 0)
        return access_register(h, (q.address - NodeRegisters) / 8);
    if (is_plain && q.address - SerialPort < 8) {
        if (!is_load && q.address == SerialPort) m_console.put(h, char(q.value));
        a.complete(is_load && q.address == SerialPort + 5 ? 0x60 : 0);  // ready to send
        return true;
    }
    if (!is_load && is_plain && q.address == EndDevice) {
        const uint32_t code = q.value >> 16 & 0xff;
        m_exit_code = (q.value & 0xffff) != 0x3333 ? 0 : code == 0 ? 1 : int(code);
        m_has_ended = true;
        finish();
        return false;
    }
    return refuse(h, dsm::is_load(q.op) ? hart::LoadFault : hart::StoreFault);
}

bool Programs::access_register(uint32_t h, uint64_t number) {
    Node& node = m_nodes[h];
    const hart::MemoryRequest& q = node.hart.request();
    const bool is_load = q.op == dsm::Op::Load;
    switch (Register(number)) {
    case Register::Interest:
        if (!is_load) set_interest((q.value & 1) != 0);
        node.hart.complete(m_is_interest ? 1 : 0);
        return true;
    case Register::Side: node.hart.complete(m_side); return true;
    case Register::Barrier: break;
    }
    if (!m_barrier) return refuse(h, is_load ? hart::LoadFault : hart::StoreFault);
    if (is_load && m_barrier->has_arrived(h)) {
        node.state = State::AtBarrier;
        node.since = m_now;
        return false;
    }
    if (is_load) {
        node.hart.complete(node.barrier_result);
        return true;
    }
    if (m_barrier->has_arrived(h)) {
        fail(h, "arrives at the barrier twice");
        return false;
    }
    m_barrier->arrive(*m_transport, h, uint32_t(q.value));
    node.hart.complete(0);
    return true;
}

bool Programs::refuse(uint32_t h, hart::Cause cause) {
    Node& node = m_nodes[h];
    const uint64_t address = node.hart.request().address;
    if (node.hart.fault(cause, address)) {
        ++node.counts.of(node.kind);
        schedule(h, m_now + 1);
        return false;
    }
    std::string where;
    if (address - StackBase < MaxHarts * StackBytes)
        where = fmt::format(", private to node {}", (address - StackBase) / StackBytes);
    else if (m_image.constants().has(address, 1)) where = ", code and constants";
    fail(h, fmt::format("{} at {:#x}{}", hart::to_string(cause), address, where));
    return false;
}

// The region begins, or ends, with this cycle.
void Programs::set_interest(bool is_on) {
    if (is_on == m_is_interest) return;
    settle_all();
    m_end = m_now;
    m_is_interest = is_on;
    if (is_on) {
        if (!m_has_interest) m_profile.clear();
        m_has_interest = true;
        m_interest_from = m_now;
        for (Node& node : m_nodes) node.before = counts_now(node);
        return;
    }
    m_interest_cycles += m_now - m_interest_from;
    for (uint32_t h = 0; h < m_nodes.size(); ++h) {
        m_interest[h].add(counts_now(m_nodes[h]));
        m_interest[h].add(m_nodes[h].before, true);
    }
}

// No hart executes any more. Called within a cycle, it is not counted.
void Programs::finish() {
    if (m_is_over) return;
    settle_all();
    for (const Node& node : m_nodes)
        if (node.state == State::Asleep) m_memory.count_loads(loads_asleep(node, m_end));
    m_is_over = true;
    m_drain_from = m_now;
    m_console.flush();
}

void Programs::stop() { finish(); }

void Programs::fail(uint32_t h, const std::string& why) {
    if (m_error.empty())
        m_error =
            fmt::format("node {}, cycle {}, {}: {}", h, m_now - m_first, place_of(m_nodes[h]), why);
    finish();
}

void Programs::check_deadlock() {
    const bool all_halted = std::all_of(m_nodes.begin(), m_nodes.end(), [](const Node& node) {
        return node.state == State::Halted;
    });
    m_error = all_halted ? "all harts have halted, and none has ended the program"
                         : "the harts wait for each other for ever: " + places();
    finish();
}

void Programs::drain(machine::Transport& transport) {
    if (m_is_done) return;
    if (m_barrier) m_barrier->stop(transport);
    const bool is_quiet =
        m_num_pending == 0 && transport.open() == 0 && m_memory.quiet_cycles() != 0;
    if (!is_quiet && m_now - m_drain_from < DrainCycles) return;
    m_is_done = true;
    m_memory.check();
}

std::string Programs::error() const { return m_error.empty() ? m_memory.error() : m_error; }

}  // namespace rdt::exec
