// SPDX-License-Identifier: MIT
#include <rdt/traces/mpi.h>

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <sstream>
#include <tuple>

namespace rdt::traces {

namespace {

constexpr const char* Mark = "rdt-mpi 1 ";

struct Event {
    char kind = 'e';  // s, r or e: the end
    uint32_t peer = 0;
    int64_t tag = 0;
    uint64_t bytes = 0;
};

// The events of a rank, one ahead.
class Rank {
public:
    Rank(const std::string& folder, uint32_t rank)
        : m_path(fmt::format("{}/rank.{}", folder, rank)), m_file(m_path) {
        if (!m_file)
            throw ImportError(fmt::format("cannot read {}: {}", m_path, std::strerror(errno)));
        std::string line;
        std::getline(m_file, line);
        std::istringstream words(line);
        uint32_t version = 0, of = 0;
        std::string mark;
        if (line.rfind(Mark, 0) != 0 || !(words >> mark >> version >> m_ranks >> of) || of != rank)
            throw ImportError(fmt::format("{} is no file of rank {}", m_path, rank));
        next();
    }

    uint32_t ranks() const { return m_ranks; }
    const Event& event() const { return m_event; }
    const std::string& path() const { return m_path; }
    uint64_t line() const { return m_line; }

    void next() {
        std::string line;
        if (!std::getline(m_file, line))
            throw ImportError(
                fmt::format("{} has no end: the program did not come to MPI_Finalize", m_path));
        ++m_line;
        std::istringstream words(line);
        Event e;
        std::string kind, more;
        words >> kind;
        const bool is_right =
            kind == "end" ||
            (kind == "s" && words >> e.peer >> e.tag >> e.bytes && e.peer < m_ranks) ||
            (kind == "r" && words >> e.peer >> e.tag && e.peer < m_ranks);
        if (!is_right || words >> more)
            throw ImportError(fmt::format("{}:{}: is no event: {}", m_path, m_line, line));
        e.kind = kind[0];
        m_event = e;
    }

private:
    std::string m_path;
    std::ifstream m_file;
    uint32_t m_ranks = 0;
    uint64_t m_line = 1;
    Event m_event;
};

class Merger {
public:
    Merger(const std::string& folder, uint32_t nodes, const WriteLine& write) : m_write(write) {
        m_ranks.push_back(std::make_unique<Rank>(folder, 0));
        const uint32_t ranks = m_ranks[0]->ranks();
        if (ranks > nodes)
            throw ImportError(
                fmt::format("{} has {} ranks, and the machine {} nodes", folder, ranks, nodes));
        for (uint32_t r = 1; r < ranks; ++r) {
            m_ranks.push_back(std::make_unique<Rank>(folder, r));
            if (m_ranks[r]->ranks() != ranks)
                throw ImportError(
                    fmt::format("{} is of another run than rank.0", m_ranks[r]->path()));
        }
        m_latest.resize(ranks);
        m_figures.ranks = ranks;
        m_write(fmt::format("# MPI, {} ranks\n", ranks));
    }

    // Alternates between ranks, so that dependent packets are near each other in the file.
    MpiFigures run() {
        for (bool goes_on = true; goes_on;) {
            goes_on = false;
            for (uint32_t r = 0; r < m_ranks.size(); ++r)
                for (uint32_t i = 0; i < Turn && step(r); ++i) goes_on = true;
        }
        for (const auto& rank : m_ranks)
            if (rank->event().kind != 'e')
                throw ImportError(fmt::format("{}:{}: receives what rank {} does not send",
                                              rank->path(), rank->line(), rank->event().peer));
        if (m_figures.messages == 0) throw ImportError("there is no message in it");
        return m_figures;
    }

private:
    static constexpr uint32_t Turn = 16;
    using Way = std::tuple<uint32_t, uint32_t, int64_t>;  // source, destination, tag

    bool step(uint32_t rank) {
        const Event e = m_ranks[rank]->event();
        if (e.kind == 'e') return false;
        if (e.kind == 's') {
            send(rank, e);
        } else {
            const auto it = m_under_way.find({e.peer, rank, e.tag});
            if (it == m_under_way.end()) return false;
            uint64_t& latest = m_latest[rank][e.peer];
            latest = std::max(latest, it->second.front());
            it->second.pop();
            if (it->second.empty()) m_under_way.erase(it);
        }
        m_ranks[rank]->next();
        return true;
    }

    void send(uint32_t rank, const Event& e) {
        Line line;
        line.source = rank;
        line.destination = e.peer;
        for (const auto& [source, packet] : m_latest[rank]) line.after.push_back(packet);
        for (const uint32_t flits : flits_of(e.bytes)) {
            line.flits = flits;
            m_write(to_text(line));
            ++m_figures.packets;
        }
        m_under_way[{rank, e.peer, e.tag}].push(m_figures.packets - 1);
        ++m_figures.messages;
        m_figures.bytes += e.bytes;
    }

    const WriteLine& m_write;
    std::vector<std::unique_ptr<Rank>> m_ranks;
    std::vector<std::map<uint32_t, uint64_t>> m_latest;  // by rank and source: last packet received
    std::map<Way, std::queue<uint64_t>> m_under_way;     // last packets of messages
    MpiFigures m_figures;
};

}  // namespace

MpiFigures convert_mpi(const std::string& folder, uint32_t nodes, const WriteLine& write) {
    return Merger(folder, nodes, write).run();
}

}  // namespace rdt::traces
