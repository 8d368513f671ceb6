// SPDX-License-Identifier: MIT
#include <rdt/exec/flat.h>

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace rdt::exec {

FlatRun::FlatRun(Elf elf, uint32_t harts, const std::string& arguments, Console::Write console)
    : m_elf(std::move(elf)),
      m_ram(StackBase - RamBase + harts * StackBytes),
      m_window{RamBase, m_ram.size(), &m_ram[0]},
      m_text(code_window()),
      m_console(harts, false, std::move(console)),
      m_is_halted(harts) {
    if (harts == 0 || harts > MaxHarts)
        throw std::invalid_argument(fmt::format("--nodes {}: must be 1 to {}", harts, MaxHarts));
    load(harts, arguments);
    if (const Symbol* s = m_elf.find("tohost")) m_to_host = s->address;
    for (uint32_t h = 0; h < harts; ++h) {
        hart::Hart& hart = m_harts.emplace_back(h, m_text);
        hart.pc = m_elf.entry;
        hart.memory = m_window;
    }
}

hart::Window FlatRun::code_window() {
    uint64_t begin = ~uint64_t(0);
    uint64_t end = 0;
    for (const Segment& s : m_elf.segments) {
        if (!s.is_executable) continue;
        begin = std::min(begin, s.address);
        end = std::max(end, s.end());
    }
    return {begin, end - begin, m_window.at(begin)};
}

void FlatRun::load(uint32_t harts, const std::string& arguments) {
    for (const Segment& s : m_elf.segments)
        if (!s.bytes.empty()) std::memcpy(m_window.at(s.address), s.bytes.data(), s.bytes.size());
    const auto set = [&](const char* name, const void* bytes, uint64_t count) {
        const Symbol* s = m_elf.find(name);
        if (s == nullptr || !m_window.has(s->address, count)) return false;
        std::memcpy(m_window.at(s->address), bytes, count);
        return true;
    };
    set("rdt_nodes_", &harts, sizeof harts);
    const Symbol* s = m_elf.find("rdt_arguments_");
    if (!arguments.empty() && (s == nullptr || arguments.size() >= s->size))
        throw std::invalid_argument("--args: the program takes none, or shorter ones");
    if (!arguments.empty()) set("rdt_arguments_", arguments.c_str(), arguments.size() + 1);
}

uint64_t FlatRun::instructions() const {
    uint64_t sum = 0;
    for (const hart::Hart& h : m_harts) sum += h.instructions();
    return sum;
}

bool FlatRun::run(uint64_t instructions) {
    while (instructions > 0 && !m_has_ended) {
        const uint64_t turn_length = std::min(instructions, Turn);
        instructions -= turn_length;
        for (uint32_t h = 0; h < m_harts.size() && !m_has_ended; ++h)
            if (!m_is_halted[h]) turn(h, turn_length);
        if (std::find(m_is_halted.begin(), m_is_halted.end(), false) != m_is_halted.end()) continue;
        m_error = "all harts have halted, and none has ended the program";
        m_has_ended = true;
    }
    if (m_has_ended) m_console.flush();
    return m_has_ended;
}

void FlatRun::turn(uint32_t h, uint64_t instructions) {
    hart::Hart& hart = m_harts[h];
    if (m_harts.size() > 1) hart.clear_reservation();
    while (instructions > 0 && !m_has_ended) {
        const hart::Hart::Stop stop = hart.run(instructions, hart.instructions());
        instructions -= hart.executed();
        if (stop == hart::Hart::Stop::Access) {
            access(h);
            --instructions;
        } else if (stop == hart::Hart::Stop::Halt) {
            m_is_halted[h] = true;
            break;
        } else if (stop == hart::Hart::Stop::Trap) {
            m_error = fmt::format("node {}, {}: {} ({:#x})", h, m_elf.name_of(hart.pc, true),
                                  hart::to_string(hart::Cause(hart.cause())), hart.trap_value());
            m_has_ended = true;
        }
    }
    uint32_t code = 0;
    if (m_to_host != 0 && m_window.has(m_to_host, sizeof code))
        std::memcpy(&code, m_window.at(m_to_host), sizeof code);
    if (code == 0) return;
    m_has_ended = true;
    m_exit_code = int(code >> 1);
}

void FlatRun::access(uint32_t h) {
    hart::Hart& hart = m_harts[h];
    const hart::MemoryRequest& q = hart.request();
    const bool is_load = dsm::is_load(q.op);
    if (q.address - SerialPort < 8) {
        if (!is_load && q.address == SerialPort) m_console.put(h, char(q.value));
        return hart.complete(is_load && q.address == SerialPort + 5 ? 0x60 : 0);
    }
    if (!is_load && q.address == EndDevice) {
        const uint32_t code = q.value >> 16 & 0xff;
        m_exit_code = (q.value & 0xffff) != 0x3333 ? 0 : code == 0 ? 1 : int(code);
        m_has_ended = true;
        return;
    }
    const hart::Cause cause = is_load ? hart::LoadFault : hart::StoreFault;
    if (hart.fault(cause, q.address)) return;
    m_error = fmt::format("node {}, {}: {} at {:#x}", h, m_elf.name_of(hart.pc, true),
                          hart::to_string(cause), q.address);
    m_has_ended = true;
}

}  // namespace rdt::exec
