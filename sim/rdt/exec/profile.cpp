// SPDX-License-Identifier: MIT
#include <rdt/exec/profile.h>

#include <algorithm>

namespace rdt::exec {

const std::array<const char*, NumCycleKinds> CycleKindNames{
    {"busy", "read_miss", "write_miss", "atomic", "sync", "idle"}};
const std::array<const char*, NumCauses> CauseNames{
    {"cold", "true_sharing", "false_sharing", "replacement", "ownership", "update", "release"}};

void Counts::add(const Counts& other, bool is_minus) {
    const auto add = [is_minus](uint64_t& to, uint64_t v) { to += is_minus ? ~v + 1 : v; };
    for (uint32_t k = 0; k < NumCycleKinds; ++k) add(cycles[k], other.cycles[k]);
    add(instructions, other.instructions);
    add(loads, other.loads);
    add(stores, other.stores);
    add(misses, other.misses);
}

Profile::Profile(const Image& image, uint32_t harts, uint32_t lines)
    : m_image(image),
      m_lines(lines),
      m_written(size_t(lines) * (dsm::LineBytes / dsm::WordBytes)),
      m_fetched(size_t(harts) * lines),
      m_by_line(lines) {}

Cause Profile::cause_of(uint32_t hart, uint64_t offset, bool is_write, bool is_update_page,
                        dsm::Memory::Presence presence) const {
    using Presence = dsm::Memory::Presence;
    if (is_write && is_update_page) return Cause::Update;
    if (presence == Presence::Locked) return Cause::Release;
    if (presence != Presence::None) return Cause::Ownership;
    const auto line = uint32_t(offset / dsm::LineBytes);
    const uint64_t fetched = m_fetched[size_t(hart) * m_lines + line];
    if (fetched == 0) return Cause::Cold;
    // Another node can write only when this one has lost its copy.
    const auto is_newer = [&](uint64_t word) {
        const uint64_t written = m_written[word];
        return written >> 8 >= fetched && (written & 0xff) != hart;
    };
    if (is_newer(offset / dsm::WordBytes)) return Cause::TrueSharing;
    constexpr uint64_t Words = dsm::LineBytes / dsm::WordBytes;
    for (uint64_t w = 0; w < Words; ++w)
        if (is_newer(line * Words + w)) return Cause::FalseSharing;
    return Cause::Replacement;
}

void Profile::misses(uint32_t hart, uint64_t offset, bool is_write, Cause cause, uint64_t stall,
                     uint64_t pc) {
    ++m_causes[size_t(cause)];
    m_latency.add(stall);
    Line& line = m_by_line[uint32_t(offset / dsm::LineBytes)];
    ++line.misses;
    line.stall += stall;
    ++line.causes[size_t(cause)];
    (is_write ? line.writers : line.readers).set(hart);
    Function& function = m_by_function[function_of(pc)];
    ++function.misses;
    function.stall += stall;
}

uint64_t Profile::function_of(uint64_t pc) {
    const auto known = m_functions.find(pc);
    if (known != m_functions.end()) return known->second;
    const Symbol* s = m_image.elf().at(pc, true);
    return m_functions[pc] = s == nullptr ? pc : s->address;
}

void Profile::clear() {
    m_causes = {};
    m_latency = {};
    m_by_line.for_each([this](uint32_t line, const Line&) { m_by_line[line] = {}; });
    m_by_function.clear();
}

namespace {

// By stall cycles, those of equal ones by key.
template <class Entry>
std::vector<Entry> first_of(std::vector<Entry> all, size_t count) {
    std::sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) {
        return a.second.stall != b.second.stall ? a.second.stall > b.second.stall
                                                : a.first < b.first;
    });
    if (all.size() > count) all.resize(count);
    return all;
}

}  // namespace

std::vector<std::pair<uint32_t, Profile::Line>> Profile::hottest_lines(size_t count) const {
    std::vector<std::pair<uint32_t, Line>> all;
    m_by_line.for_each([&all](uint32_t line, const Line& l) {
        if (l.misses != 0) all.emplace_back(line, l);
    });
    return first_of(std::move(all), count);
}

std::vector<std::pair<uint64_t, Profile::Function>> Profile::functions(size_t count) const {
    return first_of(
        std::vector<std::pair<uint64_t, Function>>(m_by_function.begin(), m_by_function.end()),
        count);
}

}  // namespace rdt::exec
