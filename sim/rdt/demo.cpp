// SPDX-License-Identifier: MIT
// rdt demo: two router chips joined by one link, each as RTL and as SystemC on
// the same pins, with traffic from all four MBPs.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

#include "common/bring_up.h"
#include "machine/save_file.h"
#include "common/scoreboard.h"
#include "rdt/command.h"
#include "io/output.h"

// libsystemc calls sc_main() from a main() of its own; this program has its own main().
int sc_main(int, char**) { return 0; }

namespace rdt {
namespace {

struct Options {
    uint64_t clocks = 20000;
    uint64_t seed = 1;
    double load = 0.5;
    std::string wave;
    std::string json;
};

class Demo {
public:
    explicit Demo(const Options& options)
        : m_options(options),
          m_random(options.seed),
          m_net(2, "rdt_demo", options.seed,
                fmt::format("build/bin/rdt demo --seed {} --clocks {}", options.seed,
                            options.clocks)) {
        m_net.wire(0, PortE0, 1, PortW0);
        for (uint32_t from = 0; from < 4; ++from) attach(from);
        if (!options.wave.empty()) m_net.record(options.wave);
        m_net.reset();
        tb::configure(m_net, 0, {{1, 0, 0}, 1u << PortE0, 0, 0, 0});
        tb::configure(m_net, 1, {{1, 0, 0}, 1u << PortW0, 0, 1, 0});
        m_net.drain(1000);
        m_sending_begins = m_net.now();
    }

    uint64_t sending_begins() const { return m_sending_begins; }

    // False if the models differed or a packet went wrong; see error().
    bool run() {
        const auto start = std::chrono::steady_clock::now();
        const bool watched = isatty(STDERR_FILENO) != 0;
        for (uint64_t n = 0; n < m_options.clocks && ok(); ++n) {
            if (watched && n % 1000 == 0)
                fmt::print(stderr, "\r{:3} %", 100 * n / m_options.clocks);
            offer();
            m_net.clock();
        }
        if (watched) fmt::print(stderr, "\r     \r");
        m_sending_ends = m_net.now();
        if (ok()) m_net.drain(100000);
        m_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (ok() && !m_board.empty()) m_error = m_board.missing();
        return ok();
    }

    std::string error() const { return m_net.error().empty() ? m_error : m_net.error(); }

    nlohmann::ordered_json figures() const {
        nlohmann::ordered_json j;
        const auto& line = m_net.link(0, PortE0);
        std::vector<uint64_t> sorted = m_latency;
        std::sort(sorted.begin(), sorted.end());
        const auto at = [&](double share) {
            return sorted.empty() ? 0 : sorted[size_t(share * double(sorted.size() - 1))];
        };
        j["clocks"] = m_net.now();
        j["seed"] = m_options.seed;
        j["load"] = m_options.load;
        j["packets"] = m_board.received();
        j["link_flits_per_clock"] =
            double(line.flits(0) + line.flits(1)) / double(m_sending_ends - m_sending_begins);
        j["link_flits_eastward"] = line.flits(0);
        j["link_flits_westward"] = line.flits(1);
        j["latency_min"] = at(0);
        j["latency_median"] = at(0.5);
        j["latency_p99"] = at(0.99);
        j["latency_max"] = at(1);
        j["signals_compared_every_clock"] = m_net.compared_signals();
        j["differences"] = ok() ? 0 : 1;
        j["clocks_per_second"] = double(m_net.now()) / m_seconds;
        return j;
    }

private:
    bool ok() const { return m_net.error().empty() && m_error.empty(); }

    // MBP `from` is at node from / 2.
    void attach(uint32_t from) {
        machine::Endpoint& end = m_net.attach(from / 2, PortM0 + from % 2);
        end.on_start = [this](const machine::Endpoint::Sent& s, uint64_t clock) {
            if (s.flits.size() > 3) m_born[s.flits[3]] = clock;
        };
        end.on_receive = [this, from](const machine::Endpoint::Received& r) {
            if (auto wrong = m_board.receive(from, r.vc, r.flits)) m_error = *wrong;
            const auto it = m_born.find(r.flits[3]);
            if (it == m_born.end()) return;
            m_latency.push_back(r.clock - it->second);
            m_born.erase(it);
        };
    }

    // Each MBP makes packets of 4 to 16 flits at the wished load, for any of the four MBPs.
    void offer() {
        for (uint32_t from = 0; from < 4; ++from) {
            machine::Endpoint& end = m_net.endpoint(from / 2, PortM0 + from % 2);
            if (end.queued() > 8 ||
                std::uniform_real_distribution<>()(m_random) >= m_options.load / 10)
                continue;
            const auto to = uint32_t(m_random() % 4);
            tb::PacketSpec p;
            p.mbp = to % 2;
            p.v[0].x = int(to / 2) - int(from / 2);
            p.body.resize(1 + m_random() % 13);
            p.body[0] = uint32_t(m_serial++ & 0x1FFFF);
            for (size_t k = 1; k < p.body.size(); ++k) p.body[k] = uint32_t(m_random()) & 0x1FFFF;
            end.send(0, tb::encode(p));
            p.hop -= p.v[0].x != 0 ? 1 : 0;
            p.v[0].x = 0;
            m_board.expect(to, 0, tb::encode(p));
        }
    }

    Options m_options;
    std::mt19937_64 m_random;
    tb::ChipNet m_net;
    tb::Scoreboard m_board;
    std::map<uint32_t, uint64_t> m_born;  // first body flit to clock of H0
    std::vector<uint64_t> m_latency;
    uint64_t m_serial = 0;
    uint64_t m_sending_begins = 0;
    uint64_t m_sending_ends = 0;
    double m_seconds = 0;
    std::string m_error;
};

void print(const nlohmann::ordered_json& j) {
    const auto number = [&](const char* key) { return j.at(key).get<double>(); };
    fmt::print("two chips, RTL and SystemC in lockstep, {} clocks, seed {}\n",
               j.at("clocks").dump(), j.at("seed").dump());
    fmt::print("  packets delivered        {:>10}\n", j.at("packets").dump());
    fmt::print("  link E0-W0               {:>10.3f} flits a clock (east {}, west {})\n",
               number("link_flits_per_clock"), j.at("link_flits_eastward").dump(),
               j.at("link_flits_westward").dump());
    fmt::print("  latency, H0 to H0        {:>10} min, {} median, {} p99, {} max (clocks)\n",
               j.at("latency_min").dump(), j.at("latency_median").dump(),
               j.at("latency_p99").dump(), j.at("latency_max").dump());
    fmt::print("  signals compared         {:>10} in every clock, {} differences\n",
               j.at("signals_compared_every_clock").dump(), j.at("differences").dump());
    fmt::print("  speed                    {:>10.0f} clocks a second\n",
               number("clocks_per_second"));
}

int run(const Options& options) {
    check_writable(options.json.empty() ? "-" : options.json);
    if (!options.wave.empty()) check_writable(options.wave);
    auto demo = std::make_unique<Demo>(options);
    const bool good = demo->run();
    if (!good) fmt::print(stderr, "rdt: {}\n", demo->error());
    const nlohmann::ordered_json figures = demo->figures();
    const uint64_t sending_from = demo->sending_begins();
    demo.reset();  // closes the wave file
    if (options.json != "-") print(figures);
    if (!options.json.empty()) write_file(options.json, figures.dump(2) + "\n");
    if (!options.wave.empty()) {
        const std::string save = machine::write_save_file(
            options.wave, {{0, PortE0}, {0, PortM0}, {1, PortW0}, {1, PortM0}}, sending_from);
        if (options.json != "-") fmt::print("  waveform                 gtkwave {}\n", save);
    }
    return good ? ExitOk : ExitFound;
}

void add(CLI::App& program, Action& action) {
    const auto options = std::make_shared<Options>();
    CLI::App* cmd = program.add_subcommand(
        "demo", "Two chips in lockstep, RTL beside SystemC, with a waveform");
    cmd->add_option("--clocks", options->clocks, "how long to send")
        ->capture_default_str()
        ->check(CLI::Range(uint64_t(100), uint64_t(1) << 40));
    cmd->add_option("--seed", options->seed, "of the random traffic")->capture_default_str();
    cmd->add_option("--load", options->load, "flits a clock and MBP, about")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1.0));
    cmd->add_option("--wave", options->wave,
                    "write an FST waveform there, and a .gtkw save file beside it")
        ->type_name("FILE");
    cmd->add_option("--json", options->json, "write the result as JSON; - is standard output")
        ->type_name("FILE");
    cmd->footer(
        "Exit code 0: no difference. 1: a difference or a lost packet. 2: wrong option or file.");
    cmd->callback([options, &action] { action = [options] { return run(*options); }; });
}

const Command command{"demo", add};

}  // namespace
}  // namespace rdt
