// SPDX-License-Identifier: MIT
#include <rdt/traces/netrace.h>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <unordered_map>

namespace rdt::traces {

namespace {

constexpr uint32_t Magic = 0x484A5455;
constexpr size_t HeaderBytes = 72, NameBytes = 30, RegionBytes = 24, PacketBytes = 21;
// Beyond these a file is taken for a damaged one.
constexpr uint32_t MostNotes = 8192, MostRegions = 100;
constexpr uint32_t Control = 8, CacheLine = 72;  // bytes of a message

// By type; 0: there is none. Reads, writes and their answers, upgrades, invalidations, downgrades.
constexpr std::array<uint32_t, 31> BytesOfType = {
    0, Control, CacheLine, CacheLine, CacheLine, Control,   CacheLine, 0,       0,        0, 0,
    0, 0,       Control,   Control,   Control,   CacheLine, 0,         0,       0,        0, 0,
    0, 0,       0,         Control,   0,         Control,   Control,   Control, CacheLine};

template <typename T>
T number_at(const char* bytes) {
    T value = 0;
    for (size_t i = sizeof(T); i-- > 0;)
        value = T(value << 7 << 1) | T(static_cast<unsigned char>(bytes[i]));
    return value;
}

}  // namespace

NetraceReader::NetraceReader(const std::string& path) : m_file(path) { read_header(); }

void NetraceReader::fail(const std::string& what) const {
    throw ImportError(fmt::format("{}: {}", m_file.path(), what));
}

void NetraceReader::read_header() {
    std::array<char, HeaderBytes> bytes{};
    const size_t count = m_file.read(bytes.data(), bytes.size());
    const char* at = bytes.data();
    if (count < 4 || number_at<uint32_t>(at) != Magic) fail("is no netrace file");
    if (count < bytes.size()) fail("ends within its header");
    const auto bits = number_at<uint32_t>(at + 4);
    float version = 0;
    std::memcpy(&version, &bits, sizeof version);
    if (version != 1.0F) fail(fmt::format("is of version {:g}, not 1.0", version));
    m_header.benchmark.assign(at + 8, strnlen(at + 8, NameBytes));
    for (char& c : m_header.benchmark)
        if (std::isprint(static_cast<unsigned char>(c)) == 0) c = '?';
    m_header.nodes = number_at<uint8_t>(at + 38);
    m_header.clocks = number_at<uint64_t>(at + 40);
    m_header.packets = number_at<uint64_t>(at + 48);
    const auto notes = number_at<uint32_t>(at + 56);
    const auto regions = number_at<uint32_t>(at + 60);
    if (m_header.nodes == 0) fail("has no nodes");
    if (notes >= MostNotes) fail(fmt::format("has notes of {} bytes", notes));
    if (regions > MostRegions) fail(fmt::format("has {} regions", regions));
    std::string rest(notes + RegionBytes * regions, '\0');
    if (m_file.read(rest.data(), rest.size()) < rest.size()) fail("ends within its header");
    uint64_t sum = 0;
    for (uint32_t i = 0; i < regions; ++i) {
        const char* region = rest.data() + notes + RegionBytes * i;
        m_header.regions.push_back(
            {number_at<uint64_t>(region + 8), number_at<uint64_t>(region + 16)});
        sum += m_header.regions.back().packets;
    }
    if (regions > 0 && sum != m_header.packets)
        fail(fmt::format("has {} packets, and its regions {}", m_header.packets, sum));
}

std::optional<NetracePacket> NetraceReader::next() {
    std::array<char, PacketBytes> bytes{};
    const size_t count = m_file.read(bytes.data(), bytes.size());
    if (count == 0) {
        if (m_read < m_header.packets)
            fail(fmt::format("ends after {} of {} packets", m_read, m_header.packets));
        return std::nullopt;
    }
    const std::string name = fmt::format("packet {}", m_read);
    if (count < bytes.size()) fail("ends within " + name);
    if (m_read == m_header.packets)
        fail(fmt::format("has more packets than the {} of its header", m_header.packets));
    const char* at = bytes.data();
    NetracePacket p;
    p.clock = number_at<uint64_t>(at);
    p.id = number_at<uint32_t>(at + 8);
    const auto type = number_at<uint8_t>(at + 16);
    p.source = number_at<uint8_t>(at + 17);
    p.destination = number_at<uint8_t>(at + 18);
    const auto waiting = number_at<uint8_t>(at + 20);
    if (type >= BytesOfType.size() || BytesOfType[type] == 0)
        fail(fmt::format("{} has the unknown type {}", name, type));
    p.bytes = BytesOfType[type];
    for (const uint32_t node : {p.source, p.destination})
        if (node >= m_header.nodes)
            fail(fmt::format("{} is of node {}, and there are {}", name, node, m_header.nodes));
    if (m_read > 0 && p.clock < m_clock)
        fail(fmt::format("{} has cycle {} after cycle {}", name, p.clock, m_clock));
    if (m_read > 0 && p.id <= m_id) fail(fmt::format("{} has id {} after id {}", name, p.id, m_id));
    std::array<char, 4 * 255> ids{};
    if (m_file.read(ids.data(), 4 * size_t(waiting)) < 4 * size_t(waiting))
        fail("ends within " + name);
    for (uint32_t i = 0; i < waiting; ++i) {
        p.waiting.push_back(number_at<uint32_t>(ids.data() + 4 * i));
        if (p.waiting.back() <= p.id)
            fail(fmt::format("{} with id {} is waited for by id {}, which is not after it", name,
                             p.id, p.waiting.back()));
    }
    m_clock = p.clock;
    m_id = p.id;
    ++m_read;
    return p;
}

NetraceFigures convert(NetraceReader& reader, const NetraceOptions& options,
                       const WriteLine& write) {
    const NetraceHeader& header = reader.header();
    if (header.nodes > options.nodes)
        throw ImportError(fmt::format("{} has {} nodes, and the machine {}", reader.path(),
                                      header.nodes, options.nodes));
    uint64_t skipped = 0, first_clock = 0, last = header.packets;
    if (options.region) {
        if (*options.region >= header.regions.size())
            throw ImportError(fmt::format("{} has no region {}: they are numbered from 0, and {}",
                                          reader.path(), *options.region, header.regions.size()));
        for (uint32_t i = 0; i < *options.region; ++i) {
            skipped += header.regions[i].packets;
            first_clock += header.regions[i].clocks;
        }
        last = skipped + header.regions[*options.region].packets;
    }
    last = std::min(last - skipped, options.packets) + skipped;
    write(fmt::format("# netrace {}: {} of {} messages of {} nodes\n",
                      header.benchmark.empty() ? "file" : header.benchmark, last - skipped,
                      header.packets, header.nodes));
    NetraceFigures figures;
    std::unordered_map<uint32_t, std::vector<uint64_t>>
        waited_for;  // dependencies, by the waiting packet
    uint64_t index = 0;
    for (; index < last; ++index) {
        const auto p = reader.next();
        if (!p) break;
        if (index < skipped) continue;
        Line line;
        line.clock = p->clock - std::min(p->clock, first_clock);
        line.source = p->source;
        line.destination = p->destination;
        line.delay = options.delay;
        if (const auto it = waited_for.find(p->id); it != waited_for.end()) {
            line.after = std::move(it->second);
            waited_for.erase(it);
        }
        ++figures.messages;
        for (const uint32_t flits : flits_of(p->bytes)) {
            line.flits = flits;
            write(to_text(line));
            for (const uint32_t id : p->waiting) waited_for[id].push_back(figures.packets);
            ++figures.packets;
        }
        figures.waits += p->waiting.size();
    }
    // To the end, unless only a part was requested, so that a damaged file is rejected.
    if (last == header.packets) reader.next();
    figures.beyond = waited_for.size();
    if (figures.messages == 0)
        throw ImportError(fmt::format("{}: there is no packet in it", reader.path()));
    return figures;
}

}  // namespace rdt::traces
