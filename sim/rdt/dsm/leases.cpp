// SPDX-License-Identifier: MIT
#include <rdt/dsm/leases.h>

#include <algorithm>

namespace rdt::dsm {

void Leases::wait(const Message& request) { m_lines[request.line].waiting.push_back({request, 0}); }

std::optional<Message> Leases::begin(uint32_t at) {
    const auto found = m_lines.find(at);
    if (found == m_lines.end() || found->second.has_lease) return std::nullopt;
    Line& line = found->second;
    if (line.waiting.empty()) {
        if (!line.has_expired) m_lines.erase(found);
        return std::nullopt;
    }
    const Message request = line.waiting.front().request;
    line.waiting.pop_front();
    line.has_lease = true;
    line.lease = 0;
    return request;
}

uint64_t Leases::answer(uint32_t at, uint32_t client, uint64_t version) {
    Line& line = m_lines[at];
    line.lease = ++m_leases;
    line.client = client;
    line.version = version;
    if (line.expired != version) line.has_expired = false;
    return line.lease;
}

bool Leases::refuses(uint32_t at, uint32_t client, uint64_t version) const {
    const auto found = m_lines.find(at);
    if (found == m_lines.end()) return false;
    const Line& line = found->second;
    return line.has_lease && line.lease != 0 && line.client != client && line.version == version &&
           !line.has_expired;
}

bool Leases::ended(uint32_t at, uint32_t client, bool has_written) {
    const auto found = m_lines.find(at);
    if (found == m_lines.end()) return false;
    Line& line = found->second;
    if (has_written) line.has_expired = false;
    if (!line.has_lease && line.waiting.empty() && !line.has_expired) m_lines.erase(found);
    else if (line.has_lease && line.lease != 0 && (has_written || line.client == client))
        return !(line.has_lease = false);
    return false;
}

bool Leases::expired(uint32_t at, uint64_t lease) {
    const auto found = m_lines.find(at);
    if (found == m_lines.end() || !found->second.has_lease || found->second.lease != lease)
        return false;
    Line& line = found->second;
    line.has_lease = false;
    line.has_expired = true;
    line.expired = line.version;
    return true;
}

bool Leases::repeated(const Message& request, uint32_t times) {
    const auto found = m_lines.find(request.line);
    if (found == m_lines.end()) return false;
    auto& waiting = found->second.waiting;
    const auto it = std::find_if(waiting.begin(), waiting.end(), [&](const Waiting& w) {
        return w.request.node == request.node && w.request.number == request.number;
    });
    if (it == waiting.end() || ++it->repeats < times) return false;
    waiting.erase(it);
    return true;
}

uint32_t Leases::clear(uint32_t at) {
    const auto found = m_lines.find(at);
    if (found == m_lines.end()) return 0;
    const auto waited = uint32_t(found->second.waiting.size());
    m_lines.erase(found);
    return waited;
}

}  // namespace rdt::dsm
