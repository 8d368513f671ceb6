// SPDX-License-Identifier: MIT
#include <rdt/exec/gdb.h>

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <cstring>
#include <stdexcept>

namespace rdt::exec {

namespace {

constexpr uint32_t NumIntegers = 33;  // x0 to x31 and pc
constexpr uint32_t FirstFloat = 33;
constexpr uint32_t FirstCsr = 65;  // fflags, frm, fcsr
constexpr uint32_t NumRegisters = 68;
constexpr uint64_t MaxBytes = 2048;
constexpr uint64_t PollCycles = 256;

std::string hex(const void* bytes, size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i)
        text += fmt::format("{:02x}", static_cast<const uint8_t*>(bytes)[i]);
    return text;
}
bool number(const std::string& text, uint64_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
}
bool bytes_of(const std::string& text, std::vector<uint8_t>& bytes) {
    for (size_t i = 0; i + 1 < text.size(); i += 2) {
        uint64_t value = 0;
        if (!number(text.substr(i, 2), value)) return false;
        bytes.push_back(uint8_t(value));
    }
    return text.size() % 2 == 0;
}

std::string target_description() {
    std::string xml =
        "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
        "<architecture>riscv:rv64</architecture><feature name=\"org.gnu.gdb.riscv.cpu\">";
    const char* const names[] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                 "fp",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                 "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                 "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
    for (const char* name : names)
        xml += fmt::format("<reg name=\"{}\" bitsize=\"64\" type=\"int\"/>", name);
    xml +=
        "<reg name=\"pc\" bitsize=\"64\" type=\"code_ptr\"/></feature>"
        "<feature name=\"org.gnu.gdb.riscv.fpu\">";
    const char* const floats[] = {"ft0", "ft1", "ft2",  "ft3",  "ft4", "ft5", "ft6",  "ft7",
                                  "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
                                  "fa6", "fa7", "fs2",  "fs3",  "fs4", "fs5", "fs6",  "fs7",
                                  "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};
    for (const char* name : floats)
        xml += fmt::format("<reg name=\"{}\" bitsize=\"64\" type=\"ieee_double\"/>", name);
    for (const char* name : {"fflags", "frm", "fcsr"})
        xml += fmt::format("<reg name=\"{}\" bitsize=\"32\" type=\"int\"/>", name);
    return xml + "</feature></target>";
}

}  // namespace

GdbServer::GdbServer(uint16_t port) {
    m_listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const int on = 1;
    setsockopt(m_listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (m_listener < 0 || bind(m_listener, generic, size) != 0 || listen(m_listener, 1) != 0 ||
        getsockname(m_listener, generic, &size) != 0) {
        if (m_listener >= 0) close(m_listener);
        throw std::invalid_argument(
            fmt::format("--gdb {}: the port cannot be used: {}", port, std::strerror(errno)));
    }
    m_port = ntohs(address.sin_port);
}

GdbServer::~GdbServer() {
    if (m_connection >= 0) close(m_connection);
    close(m_listener);
}

bool GdbServer::wait_for_gdb(const std::function<bool()>& is_interrupted) {
    while (!is_interrupted()) {
        pollfd p{m_listener, POLLIN, 0};
        if (poll(&p, 1, 200) <= 0) continue;
        m_connection = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (m_connection >= 0) return true;
    }
    return false;
}

void GdbServer::serve(Programs& programs, const std::function<bool()>& step,
                      const std::function<bool()>& is_interrupted) {
    m_programs = &programs;
    m_step = step;
    if (!wait_for_gdb(is_interrupted)) return;
    m_instructions.assign(programs.options().harts, 0);
    std::string packet;
    while (receive(packet) && handle(packet) == Next::Stay) {
    }
    programs.on_access = nullptr;
}

// -1: the connection is closed.
int GdbServer::next_byte() {
    if (m_input.empty()) {
        char part[4096];
        const ssize_t got = recv(m_connection, part, sizeof part, 0);
        if (got <= 0) return -1;
        m_input.assign(part, size_t(got));
    }
    const int byte = uint8_t(m_input[0]);
    m_input.erase(0, 1);
    return byte;
}

bool GdbServer::receive(std::string& packet) {
    for (;;) {
        int c = next_byte();
        while (c >= 0 && c != '$') c = next_byte();
        packet.clear();
        unsigned sum = 0;
        for (c = next_byte(); c >= 0 && c != '#'; c = next_byte()) {
            if (packet.size() > 4 * MaxBytes) return false;
            packet += char(c);
            sum += unsigned(c);
        }
        const int high = next_byte();
        const int low = next_byte();
        if (c < 0 || high < 0 || low < 0) return false;
        uint64_t expected = 0;
        const bool is_good =
            number(std::string{char(high), char(low)}, expected) && expected == (sum & 0xff);
        if (m_acknowledges && ::send(m_connection, is_good ? "+" : "-", 1, MSG_NOSIGNAL) != 1)
            return false;
        if (is_good) return true;
    }
}

void GdbServer::send(const std::string& packet) {
    unsigned sum = 0;
    for (const char c : packet) sum += uint8_t(c);
    const std::string text = fmt::format("${}#{:02x}", packet, sum & 0xff);
    for (size_t at = 0; at < text.size();) {
        const ssize_t sent = ::send(m_connection, text.data() + at, text.size() - at, MSG_NOSIGNAL);
        if (sent <= 0) return;
        at += size_t(sent);
    }
}

bool GdbServer::has_interrupt() {
    pollfd p{m_connection, POLLIN, 0};
    if (poll(&p, 1, 0) <= 0) return false;
    char byte = 0;
    return recv(m_connection, &byte, 1, 0) <= 0 || byte == 3;
}

std::string GdbServer::stop_reply(uint32_t hart, const std::string& more) {
    m_stopped = m_thread = hart;
    return fmt::format("T05{}thread:{:x};", more, hart + 1);
}

GdbServer::Next GdbServer::handle(const std::string& packet) {
    const std::string rest = packet.empty() ? "" : packet.substr(1);
    switch (packet.empty() ? '\0' : packet[0]) {
    case '?': send(stop_reply(m_stopped)); break;
    case 'g': send(read_registers()); break;
    case 'p': send(read_register(rest)); break;
    case 'P': send(write_register(rest)); break;
    case 'm': send(read_memory(rest)); break;
    case 'M': send(write_memory(rest)); break;
    case 'Z':
    case 'z': send(change_point(packet)); break;
    case 'c': return resume(false, m_stopped);
    case 's': return resume(true, m_stopped);
    case 'D': send("OK"); return Next::Leave;
    case 'k': m_is_killed = true; return Next::Leave;
    case 'H': {
        uint64_t thread = 0;
        if (rest.size() > 1 && number(rest.substr(1), thread) && thread >= 1 &&
            thread <= m_programs->options().harts && rest[0] == 'g')
            m_thread = uint32_t(thread - 1);
        send("OK");
        break;
    }
    case 'T': {
        uint64_t thread = 0;
        const bool is_there =
            number(rest, thread) && thread >= 1 && thread <= m_programs->options().harts;
        send(is_there ? "OK" : "E01");
        break;
    }
    case 'v':
        if (packet == "vCont?") {
            send("vCont;c;C;s;S");
        } else if (packet.rfind("vCont;", 0) == 0) {
            // The first action with a thread is that of the thread to step.
            const size_t colon = packet.find(':');
            uint64_t thread = m_stopped + 1;
            if (colon != std::string::npos)
                number(packet.substr(colon + 1, packet.find(';', colon) - colon - 1), thread);
            if (thread < 1 || thread > m_programs->options().harts) thread = m_stopped + 1;
            const char action = packet[6];
            return resume(action == 's' || action == 'S', uint32_t(thread - 1));
        } else {
            send("");
        }
        break;
    case 'q':
    case 'Q': send(query(packet)); break;
    default: send("");
    }
    return Next::Stay;
}

std::string GdbServer::query(const std::string& packet) {
    if (packet.rfind("qSupported", 0) == 0)
        return fmt::format("PacketSize={:x};qXfer:features:read+;QStartNoAckMode+;vContSupported+",
                           2 * MaxBytes);
    if (packet == "QStartNoAckMode") {
        m_acknowledges = false;
        return "OK";
    }
    if (packet == "qC") return fmt::format("QC{:x}", m_stopped + 1);
    if (packet == "qAttached") return "1";
    if (packet == "qsThreadInfo") return "l";
    if (packet == "qfThreadInfo") {
        std::string list = "m";
        for (uint32_t h = 0; h < m_programs->options().harts; ++h)
            list += fmt::format("{}{:x}", h == 0 ? "" : ",", h + 1);
        return list;
    }
    const std::string extra = "qThreadExtraInfo,";
    uint64_t thread = 0;
    if (packet.rfind(extra, 0) == 0 && number(packet.substr(extra.size()), thread)) {
        const std::string text = fmt::format("node {}", thread - 1);
        return hex(text.data(), text.size());
    }
    const std::string features = "qXfer:features:read:target.xml:";
    if (packet.rfind(features, 0) == 0) {
        const std::string xml = target_description();
        const size_t comma = packet.find(',');
        uint64_t offset = 0;
        uint64_t count = 0;
        if (comma == std::string::npos ||
            !number(packet.substr(features.size(), comma - features.size()), offset) ||
            !number(packet.substr(comma + 1), count))
            return "E01";
        if (offset >= xml.size()) return "l";
        const std::string part = xml.substr(offset, count);
        return (offset + part.size() < xml.size() ? "m" : "l") + part;
    }
    return "";
}

std::string GdbServer::read_register(const std::string& text) {
    uint64_t n = 0;
    if (!number(text, n) || n >= NumRegisters) return "E01";
    const hart::Hart& h = m_programs->hart(m_thread);
    if (n >= FirstCsr) {
        const uint32_t values[] = {h.fcsr & 31, h.fcsr >> 5, h.fcsr};
        return hex(&values[n - FirstCsr], 4);
    }
    const uint64_t value = n >= FirstFloat ? h.f[n - FirstFloat] : n == 32 ? h.pc : h.x[n];
    return hex(&value, 8);
}

std::string GdbServer::read_registers() {
    std::string all;
    for (uint32_t n = 0; n < NumIntegers; ++n) all += read_register(fmt::format("{:x}", n));
    return all;
}

std::string GdbServer::write_register(const std::string& text) {
    const size_t equals = text.find('=');
    uint64_t n = 0;
    std::vector<uint8_t> bytes;
    if (equals == std::string::npos || !number(text.substr(0, equals), n) || n >= NumRegisters ||
        !bytes_of(text.substr(equals + 1), bytes) || bytes.empty() || bytes.size() > 8)
        return "E01";
    uint64_t value = 0;
    std::memcpy(&value, bytes.data(), bytes.size());
    hart::Hart& h = m_programs->hart(m_thread);
    if (n == FirstCsr) h.fcsr = (h.fcsr & ~31u) | (value & 31);
    else if (n == FirstCsr + 1) h.fcsr = (h.fcsr & 31u) | uint32_t(value & 7) << 5;
    else if (n > FirstCsr) h.fcsr = value & 255;
    else if (n >= FirstFloat) h.f[n - FirstFloat] = value;
    else if (n == 32) h.pc = value;
    else if (n != 0) h.x[n] = value;
    return "OK";
}

// Private memory of the thread's hart, code and constants.
uint8_t* GdbServer::local_bytes(uint64_t address, uint64_t count) {
    const hart::Hart& h = m_programs->hart(m_thread);
    for (const hart::Window& w : {h.memory, h.constants})
        if (w.has(address, count)) return w.at(address);
    return nullptr;
}

std::string GdbServer::read_memory(const std::string& text) {
    const size_t comma = text.find(',');
    uint64_t address = 0;
    uint64_t count = 0;
    if (comma == std::string::npos || !number(text.substr(0, comma), address) ||
        !number(text.substr(comma + 1), count) || count > MaxBytes)
        return "E01";
    if (const uint8_t* bytes = local_bytes(address, count)) return hex(bytes, count);
    const Image& image = m_programs->image();
    const uint64_t offset = address - image.shared_base();
    if (offset >= image.shared().size() || count > image.shared().size() - offset) return "E14";
    std::vector<uint8_t> bytes(count);
    m_programs->memory().peek(offset, bytes.data(), count);
    return hex(bytes.data(), count);
}

std::string GdbServer::write_memory(const std::string& text) {
    const size_t comma = text.find(',');
    const size_t colon = text.find(':');
    uint64_t address = 0;
    std::vector<uint8_t> bytes;
    if (comma == std::string::npos || colon == std::string::npos ||
        !number(text.substr(0, comma), address) || !bytes_of(text.substr(colon + 1), bytes))
        return "E01";
    const hart::Window& own = m_programs->hart(m_thread).memory;
    if (own.has(address, bytes.size())) {
        std::memcpy(own.at(address), bytes.data(), bytes.size());
        return "OK";
    }
    const Image& image = m_programs->image();
    const uint64_t offset = address - image.shared_base();
    if (offset >= image.shared().size() || bytes.size() > image.shared().size() - offset)
        return "E14";
    m_programs->memory().poke(offset, bytes.data(), bytes.size());
    return "OK";
}

std::string GdbServer::change_point(const std::string& packet) {
    const size_t first = packet.find(',');
    const size_t second = packet.find(',', first + 1);
    uint64_t address = 0;
    uint64_t length = 0;
    if (first == std::string::npos || second == std::string::npos ||
        !number(packet.substr(first + 1, second - first - 1), address) ||
        !number(packet.substr(second + 1), length))
        return "E01";
    const bool is_set = packet[0] == 'Z';
    const char kind = packet[1];
    if (kind == '0' || kind == '1') {
        if (is_set) m_breakpoints.insert(address);
        else m_breakpoints.erase(address);
        return "OK";
    }
    if (kind < '2' || kind > '4') return "";
    const Watch watch{address, address + length, kind};
    if (is_set) m_watches.insert(watch);
    else m_watches.erase(watch);
    return "OK";
}

GdbServer::Next GdbServer::resume(bool is_step, uint32_t hart) {
    Programs& programs = *m_programs;
    const uint32_t harts = programs.options().harts;
    for (uint32_t h = 0; h < harts; ++h) m_instructions[h] = programs.hart(h).instructions();
    std::string reply;
    programs.on_access = [&](uint32_t h, const hart::MemoryRequest& q) {
        const bool is_load = dsm::is_load(q.op);
        for (const Watch& w : m_watches) {
            const bool is_meant = w.kind == '4' || (w.kind == '3') == is_load;
            if (!is_meant || q.address >= w.end || q.address + q.size <= w.begin) continue;
            const char* name = w.kind == '2' ? "watch" : w.kind == '3' ? "rwatch" : "awatch";
            if (reply.empty()) reply = stop_reply(h, fmt::format("{}:{:x};", name, w.begin));
        }
    };
    for (uint64_t cycle = 1; reply.empty(); ++cycle) {
        const bool goes_on = m_step();
        if (programs.is_over() || !goes_on) {
            m_is_over = true;
            send(fmt::format("W{:02x}", programs.has_ended() ? programs.exit_code() : 1));
            return Next::Leave;
        }
        for (uint32_t h = 0; h < harts && reply.empty(); ++h) {
            const uint64_t now = programs.hart(h).instructions();
            if (now == m_instructions[h]) continue;
            m_instructions[h] = now;
            const bool is_break = m_breakpoints.count(programs.hart(h).pc) != 0;
            if (is_break || (is_step && h == hart)) reply = stop_reply(h);
        }
        if (reply.empty() && cycle % PollCycles == 0 && has_interrupt()) reply = stop_reply(hart);
    }
    programs.on_access = nullptr;
    send(reply);
    return Next::Stay;
}

}  // namespace rdt::exec
