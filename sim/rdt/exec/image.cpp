// SPDX-License-Identifier: MIT
#include <rdt/exec/image.h>

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace rdt::exec {

Image::Image(Elf elf, const Facts& facts) : m_elf(std::move(elf)) {
    load();
    set("rdt_nodes_", facts.harts);
    set("rdt_machine_", facts.machine);
    set("rdt_homes_", facts.homes);
    set("rdt_page_bytes_", facts.page_bytes);
    if (!facts.arguments.empty()) set_arguments(facts.arguments);
}

void Image::load() {
    Range constants{~uint64_t(0), 0};
    Range shared{~uint64_t(0), 0};
    Range code{~uint64_t(0), 0};
    const auto extend = [](Range& r, const Segment& s) {
        r.begin = std::min(r.begin, s.address);
        r.end = std::max(r.end, s.end());
    };
    for (const Segment& s : m_elf.segments) {
        if (s.is_writable && s.is_executable)
            throw std::invalid_argument(fmt::format(
                "the segment at {:#x} is writable and executable; code is read only", s.address));
        extend(s.is_writable ? shared : constants, s);
        if (s.is_executable) extend(code, s);
    }
    m_constants_base = constants.begin;
    m_constants.resize(constants.end - constants.begin);
    m_code_begin = code.begin;
    m_code_end = code.end;
    if (shared.end == 0) shared = {RamBase, RamBase};
    m_shared_base = shared.begin / PageBytes * PageBytes;
    if (shared.end > shared.begin && m_shared_base < constants.end && constants.begin < shared.end)
        throw std::invalid_argument(
            fmt::format("shared data at {:#x} need pages of {} bytes of their own, after code and "
                        "constants, which end at {:#x}",
                        shared.begin, PageBytes, constants.end));
    const uint64_t bytes = std::max<uint64_t>(shared.end - m_shared_base, 1);
    m_shared.resize((bytes + PageBytes - 1) / PageBytes * PageBytes);
    if (m_shared.size() > MaxSharedBytes)
        throw std::invalid_argument(fmt::format("{} bytes of shared data; at most {} are allowed",
                                                m_shared.size(), MaxSharedBytes));
    for (const Segment& s : m_elf.segments)
        if (!s.bytes.empty())
            std::memcpy(at(s.address, s.bytes.size()), s.bytes.data(), s.bytes.size());
}

hart::Window Image::code() {
    return {m_code_begin, m_code_end - m_code_begin,
            m_constants.data() + (m_code_begin - m_constants_base)};
}

hart::Window Image::constants() {
    return {m_constants_base, m_constants.size(), m_constants.data()};
}

uint8_t* Image::at(uint64_t address, uint64_t count) {
    const hart::Window all[] = {{m_constants_base, m_constants.size(), m_constants.data()},
                                {m_shared_base, m_shared.size(), m_shared.data()}};
    for (const hart::Window& w : all)
        if (w.has(address, count)) return w.at(address);
    return nullptr;
}

Image::Range Image::between(const std::string& begin, const std::string& end) const {
    const Symbol* first = m_elf.find(begin);
    const Symbol* last = m_elf.find(end);
    if (first == nullptr || last == nullptr || last->address < first->address) return {};
    return {first->address, last->address};
}

void Image::set(const std::string& name, uint32_t value) {
    const Symbol* s = m_elf.find(name);
    if (s == nullptr) return;
    if (uint8_t* to = at(s->address, sizeof value)) std::memcpy(to, &value, sizeof value);
}

void Image::set_arguments(const std::string& arguments) {
    const Symbol* s = m_elf.find("rdt_arguments_");
    uint8_t* to = s == nullptr ? nullptr : at(s->address, s->size);
    if (to == nullptr || s->size == 0)
        throw std::invalid_argument("--args: the program takes no arguments (no rdt_arguments_)");
    if (arguments.size() >= s->size)
        throw std::invalid_argument(fmt::format("--args: at most {} characters", s->size - 1));
    std::memcpy(to, arguments.c_str(), arguments.size() + 1);
}

}  // namespace rdt::exec
