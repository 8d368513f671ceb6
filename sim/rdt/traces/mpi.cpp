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
#include <set>
#include <sstream>
#include <tuple>

namespace rdt::traces {

namespace {

constexpr const char* Mark = "rdt-mpi 1 ";

struct Event {
    char kind = 'e';    // s, r, b (broadcast), w (barrier), a (all-reduce) or e: the end
    uint32_t peer = 0;  // of a broadcast: its root
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
            (kind == "r" && words >> e.peer >> e.tag && e.peer < m_ranks) ||
            (kind == "b" && words >> e.peer >> e.tag >> e.bytes && e.peer < m_ranks) ||
            (kind == "a" && words >> e.tag >> e.bytes) || (kind == "w" && words >> e.tag);
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
    Merger(const std::string& folder, const MpiOptions& options, const WriteLine& write)
        : m_write(write), m_maps(options.broadcast_maps), m_options(options) {
        m_ranks.push_back(std::make_unique<Rank>(folder, 0));
        const uint32_t ranks = m_ranks[0]->ranks();
        if (ranks > options.nodes || (ranks != options.nodes && !m_maps.empty()))
            throw ImportError(fmt::format(
                "{} has {} ranks, and the machine {} nodes{}", folder, ranks, options.nodes,
                m_maps.empty() ? "" : "; collectives of the chip need a rank on every node"));
        for (uint32_t r = 1; r < ranks; ++r) {
            m_ranks.push_back(std::make_unique<Rank>(folder, r));
            if (m_ranks[r]->ranks() != ranks)
                throw ImportError(
                    fmt::format("{} is of another run than rank.0", m_ranks[r]->path()));
        }
        m_latest.resize(ranks);
        m_times.resize(ranks);
        m_has_arrived.resize(ranks);
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
    static constexpr uint64_t None = ~uint64_t(0);
    struct Reduction {
        std::map<uint32_t, uint64_t> arms;  // by root
        uint32_t root = 0;                  // first of them
        uint32_t arrived = 0;               // ranks
        uint32_t left = 0;
        uint64_t result = None;  // multicast
    };
    using Way = std::tuple<uint32_t, uint32_t, int64_t>;  // source, destination, tag

    bool step(uint32_t rank) {
        const Event e = m_ranks[rank]->event();
        if (e.kind == 'e') return false;
        if (e.kind == 's') {
            send(rank, e);
        } else if (e.kind == 'r') {
            if (!has_received(rank, e.peer, e.tag)) return false;
        } else if (e.kind == 'a') {
            if (!m_options.roots.empty() && e.bytes <= m_options.operand_bytes)
                return reduce(rank, e);
        } else if (!m_maps.empty()) {
            if (e.kind == 'w' && !m_has_arrived[rank]) return arrive(rank, e);
            if (!has_ended(rank, e)) return false;
            m_has_arrived[rank] = false;
            ++m_times[rank][e.tag];
            skip(rank, e.tag);
            return true;
        }
        m_ranks[rank]->next();
        return true;
    }

    // Takes a message of this source if one is in flight: later messages of the rank wait for it.
    bool has_received(uint32_t rank, uint32_t source, int64_t tag) {
        const auto it = m_under_way.find({source, rank, tag});
        if (it == m_under_way.end()) return false;
        note_received(rank, source, it->second.front());
        it->second.pop();
        if (it->second.empty()) m_under_way.erase(it);
        return true;
    }
    void note_received(uint32_t rank, uint32_t source, uint64_t packet) {
        uint64_t& latest = m_latest[rank][source];
        latest = std::max(latest, packet);
    }

    void send(uint32_t rank, const Event& e) {
        write(rank, e.peer, e.bytes, false);
        m_under_way[{rank, e.peer, e.tag}].push(m_figures.packets - 1);
    }
    // The packets of a message, to one rank or to all.
    void write(uint32_t rank, uint32_t destination, uint64_t bytes, bool to_all) {
        Line line = line_of(rank);
        line.destination = destination;
        if (to_all) line.maps = m_maps;
        for (const uint32_t flits : flits_of(bytes)) {
            line.flits = flits;
            write_line(line);
        }
        ++m_figures.messages;
        m_figures.bytes += bytes;
    }

    // The messages of a collective that the chip carries out in another way.
    void skip(uint32_t rank, int64_t tag) {
        Rank& events = *m_ranks[rank];
        do events.next();
        while ((events.event().kind == 's' || events.event().kind == 'r') &&
               events.event().tag == tag);
    }
    void multicast(uint32_t rank, const Event& e) {
        write(rank, rank, e.bytes, true);
        if (m_ranks.size() == 1) return;
        m_multicasts[{e.tag, m_times[rank][e.tag]}] = {m_figures.packets - 1,
                                                       uint32_t(m_ranks.size()) - 1};
    }
    bool has_multicast(uint32_t rank, const Event& e) {
        const auto it = m_multicasts.find({e.tag, m_times[rank][e.tag]});
        if (it == m_multicasts.end()) return false;
        note_received(rank, e.peer, it->second.packet);
        if (--it->second.readers == 0) m_multicasts.erase(it);
        return true;
    }
    // A broadcast, or a barrier at which the rank has arrived.
    bool has_ended(uint32_t rank, const Event& e) {
        if (rank != e.peer) return has_multicast(rank, e);
        if (e.kind == 'b') multicast(rank, e);
        return true;
    }
    // At a barrier: up a binomial tree to rank 0, which then sends the multicast.
    bool arrive(uint32_t rank, const Event& e) {
        std::vector<uint32_t> children;
        uint32_t distance = 1;
        for (; (rank & distance) == 0 && distance < m_ranks.size(); distance <<= 1)
            if (rank + distance < m_ranks.size()) children.push_back(rank + distance);
        for (const uint32_t child : children)
            if (m_under_way.count({child, rank, e.tag}) == 0) return false;
        for (const uint32_t child : children) has_received(rank, child, e.tag);
        Event up = e;
        up.peer = rank - distance;
        if (rank == 0) multicast(rank, e);
        else send(rank, up);
        m_has_arrived[rank] = true;
        return true;
    }

    // An all-reduce by the routers: the rank answers the reduction of its territory once, and
    // continues when the multicast with the result is written.
    bool reduce(uint32_t rank, const Event& e) {
        Reduction& r = m_reductions[{e.tag, m_times[rank][e.tag]}];
        if (r.arms.empty()) begin(r);
        if (!m_has_arrived[rank]) {
            Line answer = line_of(rank);
            answer.to = fmt::format("answer:{}", r.arms.at(m_options.roots[rank]));
            write_line(answer);
            m_has_arrived[rank] = true;
            if (++r.arrived == m_ranks.size()) end(r, e.bytes);
            return true;
        }
        if (r.result == None) return false;
        note_received(rank, r.root, r.result);
        m_has_arrived[rank] = false;
        if (++r.left == m_ranks.size()) m_reductions.erase({e.tag, m_times[rank][e.tag]});
        ++m_times[rank][e.tag];
        skip(rank, e.tag);
        const Event next = m_ranks[rank]->event();
        if (next.kind != 'b')
            throw ImportError(fmt::format("{}:{}: needs the broadcast of the all-reduce",
                                          m_ranks[rank]->path(), m_ranks[rank]->line()));
        skip(rank, next.tag);
        return true;
    }
    // A root begins its reduction when it has the result of the one before.
    void begin(Reduction& r) {
        for (const uint32_t root :
             std::set<uint32_t>(m_options.roots.begin(), m_options.roots.end())) {
            Line arm;
            arm.source = root;
            arm.to = "reduce:" + m_options.root_maps;
            if (const auto it = m_last_arm.find(root); it != m_last_arm.end())
                arm.after.push_back(it->second);
            m_last_arm[root] = r.arms[root] = write_line(arm);
        }
        r.root = r.arms.begin()->first;
    }
    // The other roots send the first one their results; that sends the result to all.
    void end(Reduction& r, uint64_t bytes) {
        Line result;
        result.source = r.root;
        result.maps = m_maps;
        result.flits = flits_of(bytes).front();
        for (const auto& [root, arm] : r.arms) {
            Line partial;
            partial.source = root;
            partial.destination = r.root;
            partial.flits = result.flits;
            partial.after.push_back(arm);
            result.after.push_back(root == r.root ? arm : write_line(partial));
        }
        r.result = write_line(result);
        ++m_figures.messages;
        m_figures.bytes += bytes;
    }
    // A line that waits for the last packets that the rank has received.
    Line line_of(uint32_t rank) const {
        Line line;
        line.source = rank;
        for (const auto& [source, packet] : m_latest[rank]) line.after.push_back(packet);
        return line;
    }
    uint64_t write_line(const Line& line) {
        m_write(to_text(line));
        return m_figures.packets++;
    }

    struct Multicast {
        uint64_t packet;   // the last
        uint32_t readers;  // ranks that have not received it
    };

    const WriteLine& m_write;
    const std::string m_maps;
    const MpiOptions m_options;
    std::map<std::pair<int64_t, uint32_t>, Reduction> m_reductions;  // as m_multicasts
    std::map<uint32_t, uint64_t> m_last_arm;                         // by root
    std::vector<std::unique_ptr<Rank>> m_ranks;
    std::vector<std::map<uint32_t, uint64_t>> m_latest;  // by rank and source: last packet received
    std::map<Way, std::queue<uint64_t>> m_under_way;     // last packets of messages
    // By tag, and how often it was used: communicators count their own collectives.
    std::map<std::pair<int64_t, uint32_t>, Multicast> m_multicasts;
    std::vector<std::map<int64_t, uint32_t>> m_times;  // by rank: uses of a tag
    std::vector<bool> m_has_arrived;                   // by rank: at a barrier
    MpiFigures m_figures;
};

}  // namespace

MpiFigures convert_mpi(const std::string& folder, const MpiOptions& options,
                       const WriteLine& write) {
    return Merger(folder, options, write).run();
}

}  // namespace rdt::traces
