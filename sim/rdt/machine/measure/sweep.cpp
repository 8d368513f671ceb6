// SPDX-License-Identifier: MIT
#include <rdt/machine/measure/sweep.h>

#include <fmt/core.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>

#include <rdt/machine/measure/parts.h>
#include <rdt/support/csv.h>

namespace rdt::machine {

namespace {

constexpr int PollMilliseconds = 200;

const std::string Comment = "# rdt sweep ";

std::string columns_of(Swept swept) {
    const bool is_packets = swept == Swept::Packets;
    return fmt::format(
        "load,offered,accepted,accepted_half_interval,latency_mean,latency_half_interval,"
        "latency_p99,latency_max,{0}_latency_mean,{0}_latency_half_interval,hops_mean,{1},"
        "saturated",
        is_packets ? "network" : "processing", is_packets ? "packets" : "operations");
}

// Nothing for what is not known.
std::string row_of(const SweepPoint& p) {
    const auto half = [](double value) {
        return std::isnan(value) ? std::string() : fmt::format("{}", value);
    };
    const auto known = [&p](auto value) {
        return p.count == 0 ? std::string() : fmt::format("{}", value);
    };
    return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}", p.load, p.offered, p.accepted,
                       half(p.accepted_half), known(p.latency_mean), half(p.latency_half),
                       known(p.latency_p99), known(p.latency_max), known(p.unqueued_mean),
                       half(p.unqueued_half), known(p.hops_mean), p.count, int(p.saturated));
}

std::optional<SweepPoint> read_row(const std::string& line) {
    const std::optional<std::vector<double>> values = read_fields(line);
    if (!values || values->size() != 13) return std::nullopt;
    const std::vector<double>& v = *values;
    for (const size_t needed : {0, 1, 2, 11, 12})
        if (std::isnan(v[needed])) return std::nullopt;
    if (v[12] != 0 && v[12] != 1) return std::nullopt;
    SweepPoint p;
    p.load = v[0];
    p.offered = v[1];
    p.accepted = v[2];
    p.count = uint64_t(v[11]);
    p.saturated = v[12] == 1;
    p.accepted_half = v[3];
    p.latency_half = v[5];
    p.unqueued_half = v[9];
    if (p.count == 0) return p;
    for (const size_t needed : {4, 6, 7, 8, 10})
        if (std::isnan(v[needed])) return std::nullopt;
    p.latency_mean = v[4];
    p.latency_p99 = uint64_t(v[6]);
    p.latency_max = uint64_t(v[7]);
    p.unqueued_mean = v[8];
    p.hops_mean = v[10];
    return p;
}

// A process that measures one point and writes the line to a pipe; or "!" and what went wrong.
class Worker {
public:
    Worker(double load, const Measure& measure) : m_load(load) {
        int ends[2];
        if (pipe(ends) != 0)
            throw std::runtime_error(std::string("cannot start a process for a point: ") +
                                     std::strerror(errno));
        const pid_t parent = getpid();
        m_process = fork();
        if (m_process < 0) {
            const int error = errno;
            close(ends[0]);
            close(ends[1]);
            throw std::runtime_error(std::string("cannot start a process for a point: ") +
                                     std::strerror(error));
        }
        if (m_process == 0) {
            close(ends[0]);
            work(load, measure, ends[1], parent);
        }
        close(ends[1]);
        m_from = ends[0];
    }
    ~Worker() {
        if (m_process == 0) return;
        close(m_from);
        kill(m_process, SIGKILL);
        while (waitpid(m_process, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    Worker(Worker&& other) noexcept { swap(other); }
    Worker& operator=(Worker&& other) noexcept {
        swap(other);
        return *this;
    }

    double load() const { return m_load; }
    int from() const { return m_from; }

    // Takes what has come; true once that is all.
    bool read_some() {
        char buffer[512];
        const ssize_t count = read(m_from, buffer, sizeof buffer);
        if (count > 0) m_text.append(buffer, size_t(count));
        return count == 0 || (count < 0 && errno != EINTR);
    }
    const std::string& text() const { return m_text; }

private:
    [[noreturn]] static void work(double load, const Measure& measure, int to, pid_t parent) {
        // They are for the parent, which ends this one, or takes it with it.
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);  // it was gone before that
        std::string text;
        try {
            text = row_of(measure(load));
        } catch (const std::exception& e) {
            text = std::string("!") + e.what();
        } catch (...) {
            text = "!an exception that is not a std::exception";
        }
        for (size_t done = 0; done < text.size();) {
            const ssize_t count = write(to, text.data() + done, text.size() - done);
            if (count < 0) _exit(1);
            done += size_t(count);
        }
        _exit(0);
    }
    void swap(Worker& other) {
        std::swap(m_load, other.m_load);
        std::swap(m_process, other.m_process);
        std::swap(m_from, other.m_from);
        std::swap(m_text, other.m_text);
    }

    double m_load = 0;
    pid_t m_process = 0;
    int m_from = -1;
    std::string m_text;
};

class Sweeper {
public:
    Sweeper(const SweepOptions& options, const Measure& measure, const OnPoint& on_point)
        : m_options(options), m_order(options), m_measure(measure), m_on_point(on_point) {}

    Sweep run(const std::vector<SweepPoint>& known) {
        for (const SweepPoint& p : known) {
            m_order.skip(p.load);
            add(p);
        }
        while (!stopped()) {
            start();
            if (m_workers.empty()) break;
            wait();
        }
        return {points(), m_order.saturated(), !m_workers.empty()};
    }

private:
    bool stopped() const { return m_options.is_stopped && m_options.is_stopped(); }

    std::vector<SweepPoint> points() const {
        std::vector<SweepPoint> all;
        for (const auto& [load, point] : m_done) all.push_back(point);
        return all;
    }

    // The first saturated point is the last one that counts.
    void add(const SweepPoint& point) {
        m_done[point.load] = point;
        m_order.found(point.load, point.saturated);
        while (!m_done.empty() && !m_order.counts(m_done.rbegin()->first))
            m_done.erase(std::prev(m_done.end()));
        const auto in_vain = [this](const Worker& w) { return !m_order.counts(w.load()); };
        m_workers.erase(std::remove_if(m_workers.begin(), m_workers.end(), in_vain),
                        m_workers.end());
    }

    void start() {
        while (m_workers.size() < m_options.jobs) {
            if (m_options.saturated_elsewhere)
                if (const auto end = m_options.saturated_elsewhere()) m_order.end_at(*end);
            const std::optional<double> load = m_order.next();
            if (!load) return;
            m_workers.emplace_back(*load, m_measure);
        }
    }

    void wait() {
        std::vector<pollfd> files;
        for (const Worker& w : m_workers) files.push_back({w.from(), POLLIN, 0});
        if (poll(files.data(), files.size(), PollMilliseconds) <= 0) return;
        std::vector<SweepPoint> found;
        for (size_t i = files.size(); i-- > 0;) {
            if (files[i].revents == 0 || !m_workers[i].read_some()) continue;
            found.push_back(taken(m_workers[i]));
            m_workers.erase(m_workers.begin() + long(i));
        }
        if (found.empty()) return;
        for (const SweepPoint& p : found) add(p);
        if (m_on_point) m_on_point(points());
        if (m_options.progress) m_options.progress(m_done.size(), m_options.loads.size());
    }

    static SweepPoint taken(const Worker& worker) {
        const std::string& text = worker.text();
        const auto fail = [&](const std::string& why) {
            throw SweepError(fmt::format("at injection rate {:g}: {}", worker.load(), why));
        };
        if (!text.empty() && text[0] == '!') fail(text.substr(1));
        std::optional<SweepPoint> point = read_row(text);
        if (!point) fail("the process ended without a result");
        point->load = worker.load();
        return *point;
    }

    const SweepOptions& m_options;
    SweepOrder m_order;
    const Measure& m_measure;
    const OnPoint& m_on_point;
    std::map<double, SweepPoint> m_done;
    std::vector<Worker> m_workers;
};

}  // namespace

SweepPoint point_of(double load, const RunResult& r) {
    const bool has_unicasts = r.hops_max != 0;
    const Latency& latency = has_unicasts ? r.total : r.multicast;
    return {load,           r.offered,   r.accepted, latency.mean, latency.p99,     latency.max,
            r.network.mean, r.hops_mean, r.packets,  r.saturated,  r.accepted_half, latency.half,
            r.network.half};
}

Sweep sweep(const SweepOptions& options, const std::vector<SweepPoint>& known,
            const Measure& measure, const OnPoint& on_point) {
    if (options.loads.empty()) return {};
    return Sweeper(options, measure, on_point).run(known);
}

std::string to_csv(const std::vector<SweepPoint>& points, Swept swept,
                   const std::string& parameters) {
    std::string text = Comment + parameters + "\n" + columns_of(swept) + "\n";
    for (const SweepPoint& p : points) text += row_of(p) + "\n";
    return text;
}

std::vector<SweepPoint> from_csv(const std::string& text, Swept swept,
                                 const std::string& parameters) {
    std::vector<std::string> lines;
    size_t from = 0;
    for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', from)) {
        lines.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    if (lines.empty() || lines[0].rfind(Comment, 0) != 0)
        throw std::invalid_argument("is not a file of rdt sweep");
    if (lines[0] != Comment + parameters)
        throw std::invalid_argument("was made with other parameters: " +
                                    lines[0].substr(Comment.size()));
    if (lines.size() > 1 && lines[1] != columns_of(swept))
        throw std::invalid_argument("has unknown columns in line 2");
    std::vector<SweepPoint> points;
    for (size_t i = 2; i < lines.size(); ++i) {
        const std::optional<SweepPoint> p = read_row(lines[i]);
        if (!p)
            throw std::invalid_argument(fmt::format("line {} is not a point: {}", i + 1, lines[i]));
        if (!points.empty() && !(points.back().load < p->load))
            throw std::invalid_argument(
                fmt::format("line {}: injection rate {:g} follows {:g}: rates must ascend", i + 1,
                            p->load, points.back().load));
        points.push_back(*p);
    }
    return points;
}

namespace {

constexpr uint32_t MostParts = 10000;  // as many as a sweep has points

std::optional<Part> between(const std::string& text, const std::string& sign) {
    const size_t at = text.find(sign);
    if (at == std::string::npos) return std::nullopt;
    const auto read = [](const std::string& digits, uint32_t& value) {
        const char* end = digits.data() + digits.size();
        const auto [to, error] = std::from_chars(digits.data(), end, value);
        return error == std::errc() && to == end;
    };
    Part part;
    const bool are_numbers =
        read(text.substr(0, at), part.number) && read(text.substr(at + sign.size()), part.of);
    if (!are_numbers || part.number >= part.of || part.of > MostParts) return std::nullopt;
    return part;
}

}  // namespace

Part read_part(const std::string& text) {
    const std::optional<Part> part = between(text, "/");
    if (!part)
        throw std::invalid_argument(fmt::format(
            "--part {1}: must be K/N with K from 0 to N-1 and N up to {0}, for example 3/16",
            MostParts, text));
    return *part;
}

std::string to_string(const Part& part) { return fmt::format("{}/{}", part.number, part.of); }

std::string part_file(const std::string& csv, const Part& part) {
    return fmt::format("{}.{}-of-{}", csv, part.number, part.of);
}

std::vector<std::string> part_files(const std::string& csv) {
    const std::filesystem::path path(csv);
    const std::string prefix = path.filename().string() + ".";
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    std::vector<std::string> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.rfind(prefix, 0) == 0 && between(name.substr(prefix.size()), "-of-"))
            files.push_back((path.parent_path() / name).string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<double> loads_of(const std::vector<double>& all, const Part& part) {
    std::vector<double> loads;
    for (size_t i = part.number; i < all.size(); i += part.of) loads.push_back(all[i]);
    return loads;
}

std::vector<SweepPoint> merged(const std::vector<PointsOfFile>& files) {
    struct Found {
        SweepPoint point;
        std::string file;
    };
    std::map<double, Found> all;
    const auto is_same = [](const SweepPoint& a, const SweepPoint& b) {
        return to_csv({a}, Swept::Packets, "") == to_csv({b}, Swept::Packets, "");
    };
    for (const PointsOfFile& file : files)
        for (const SweepPoint& p : file.points) {
            const auto [it, is_new] = all.insert({p.load, {p, file.name}});
            if (!is_new && !is_same(it->second.point, p))
                throw std::invalid_argument(fmt::format(
                    "{} and {} have different results for injection rate {:g}: remove one of them",
                    it->second.file, file.name, p.load));
        }
    std::vector<SweepPoint> points;
    for (const auto& [load, found] : all) points.push_back(found.point);
    return points;
}

std::optional<double> saturated_in(const std::vector<SweepPoint>& points) {
    for (const SweepPoint& p : points)
        if (p.saturated) return p.load;
    return std::nullopt;
}

}  // namespace rdt::machine
