// SPDX-License-Identifier: MIT
#include <rdt/machine/measure/page.h>

#include <fmt/core.h>

#include <cmath>

#include <algorithm>

#include <rdt/machine/measure/heatmap.h>
#include <rdt/support/plot.h>
#include <rdt/version.h>

namespace rdt::machine {

namespace {

// Nothing is fetched from anywhere: the policy would refuse it.
constexpr const char* PageHead = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>rdt run</title>
<style>
body{margin:0 auto;padding:1rem;max-width:80rem;font:16px/1.45 system-ui,sans-serif;color:#1a1a1a;
background:#fff}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.15rem;margin:1.6rem 0 .4rem}
code,pre{font:13px/1.4 ui-monospace,monospace}
pre{background:#f4f4f4;padding:.7rem;overflow-x:auto}
code{overflow-wrap:anywhere}
.error{border-left:4px solid #d55e00;padding-left:.6rem}
.figures{display:flex;flex-wrap:wrap;gap:.6rem;margin:1rem 0}
.figures div{border:1px solid #ccc;border-radius:4px;padding:.4rem .8rem}
.figures b{display:block;font-size:1.3rem}
.figures span{color:#555;font-size:.85rem}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,25rem),1fr));gap:1rem}
figure{margin:0;overflow-x:auto}
figure svg{width:100%;height:auto}
.map svg{max-width:52rem;min-width:30rem}
figcaption{color:#555;font-size:.85rem}
</style>
)";

struct Series {
    const char* histogram;  // its name in JSON
    const char* label;
    const Latency& latency;
};

class Page {
public:
    Page(const Machine& machine, const RunResult& result, const Config& config,
         const std::vector<Stretch>& stretches)
        : m_machine(machine), m_result(result), m_config(config), m_stretches(stretches) {}

    std::string html() {
        const std::string table = to_table(m_result, m_config);
        std::string text = PageHead;
        text += fmt::format("<h1>{}</h1>\n<p><code>{}</code><br>rdt {}</p>\n",
                            escaped(table.substr(0, table.find('\n'))), escaped(m_config.rerun),
                            RDT_VERSION);
        if (!m_result.error.empty())
            text += fmt::format("<p class=\"error\">{}</p>\n", escaped(m_result.error));
        text += figures() + "<h2>Table</h2>\n<pre>" + escaped(table) + "</pre>\n";
        text += "<h2>Latency</h2>\n<div class=\"plots\">\n" + latencies() + "</div>\n";
        text += "<h2>Over time</h2>\n<div class=\"plots\">\n" + times() + "</div>\n";
        text += "<h2>Links</h2>\n<figure class=\"map\">\n" + draw_heatmap(m_machine, m_result) +
                "<figcaption>Both directions of every link; circles are nodes, in the colour of "
                "what they send and receive. The number shows where one points.</figcaption>"
                "</figure>\n";
        return text + "</html>\n";
    }

private:
    std::string figures() const {
        std::string text = "<div class=\"figures\">\n";
        const auto add = [&text](const std::string& value, const char* what) {
            text += fmt::format("<div><b>{}</b><span>{}</span></div>\n", value, what);
        };
        add(fmt::format("{:.4f}", m_result.accepted),
            "flits per node and clock accepted, copies counted");
        add(fmt::format("{:.4f}", m_result.offered), "flits per node and clock offered");
        const Latency& latency = m_result.total;
        add(latency.count == 0         ? "-"
            : std::isnan(latency.half) ? fmt::format("{:.1f}", latency.mean)
                                       : fmt::format("{:.1f} ± {:.1f}", latency.mean, latency.half),
            m_result.saturated
                ? "clocks, mean latency of unicasts: saturated, it grows with the run"
                : "clocks, mean latency of unicasts");
        add(latency.count == 0 ? "-" : fmt::format("{}", latency.p99),
            "clocks, 99 % are not above");
        add(fmt::format("{}", m_result.delivered), "unicasts and copies delivered");
        if (m_result.compared_signals != 0)
            add(fmt::format("{} x {}", m_result.compared_signals, m_result.simulated),
                "signals x cycles compared");
        return text + "</div>\n";
    }

    std::string figure(Plot plot, const std::string& caption) {
        plot.id = fmt::format("plot{}", ++m_plots);
        plot.compact = true;
        return "<figure>\n" + to_svg(plot) + "<figcaption>" + escaped(caption) +
               "</figcaption></figure>\n";
    }

    std::string latencies() {
        std::string text =
            histogram("Unicasts", {{"latency", "in all", m_result.total},
                                   {"latency_network", "network", m_result.network}}) +
            histogram("Unicasts, queueing", {{"latency_queueing", "queueing", m_result.queueing}});
        if (m_result.copies != 0)
            text += histogram("Multicasts", {{"multicast_latency", "last copy", m_result.multicast},
                                             {"ack_latency", "ack, round trip", m_result.ack}});
        return text;
    }
    const RunResult::Counts& counts_of(const char* name) const {
        static const RunResult::Counts none;
        for (const auto& [key, counts] : m_result.histograms)
            if (key == name) return counts;
        return none;
    }
    // Up to a bit more than 99 %, since the last one may be far away; what is beyond is told.
    std::string histogram(const std::string& title, const std::vector<Series>& series) {
        constexpr uint64_t Classes = 60;
        uint64_t last = 0;
        for (const Series& s : series)
            last = std::max(last, std::min(s.latency.max, s.latency.p99 + s.latency.p99 / 2));
        const uint64_t width = last / Classes + 1;
        Plot plot{title, "clocks", fmt::format("packets in {} clocks", width), {}};
        if (width == 1) plot.y_label = "packets";
        std::string caption;
        for (const Series& s : series) {
            std::vector<uint64_t> packets(last / width + 1);
            uint64_t beyond = 0;
            for (const auto& [clocks, count] : counts_of(s.histogram))
                (clocks <= last ? packets[clocks / width] : beyond) += count;
            if (s.latency.max == 0) continue;
            Curve curve{s.label, {}};
            curve.steps = true;
            for (size_t i = 0; i < packets.size(); ++i)
                curve.points.emplace_back(double(i * width), double(packets[i]));
            curve.points.emplace_back(double(packets.size() * width), 0);
            plot.curves.push_back(curve);
            caption += fmt::format("{}{}: mean {:.1f}, median {}, 99 % {}, max {}",
                                   caption.empty() ? "" : "; ", s.label, s.latency.mean,
                                   s.latency.median, s.latency.p99, s.latency.max);
            if (beyond != 0) caption += fmt::format(" ({} beyond the plot)", beyond);
        }
        return plot.curves.empty() ? "" : figure(plot, caption);
    }

    template <typename F>
    Curve curve(const char* name, F&& value) const {
        Curve c{name, {}};
        c.dots = m_stretches.size() < 60;
        for (const Stretch& s : m_stretches)
            c.points.emplace_back(double(s.end) - double(s.clocks) / 2, value(s));
        return c;
    }
    std::string times() {
        if (m_stretches.empty()) return "<p>No clock was run.</p>\n";
        const auto per_node = [this](uint64_t flits, const Stretch& s) {
            return double(flits) / double(s.clocks) / m_machine.nodes();
        };
        const auto use = [&](size_t rank) {
            return [&per_node, rank](const Stretch& s) { return per_node(s.links[rank], s) / 2; };
        };
        const std::string means =
            fmt::format("Means of {} clocks, warm-up included.", m_stretches.front().clocks);
        const std::string clock = "clock";
        return figure({"Throughput",
                       clock,
                       "flits per node and clock",
                       {curve("offered", [&](auto& s) { return per_node(s.offered, s); }),
                        curve("accepted", [&](auto& s) { return per_node(s.accepted, s); })}},
                      means) +
               figure({"Latency",
                       clock,
                       "clocks",
                       {curve("mean of arrivals", [](auto& s) { return s.latency_mean(); })}},
                      means + " Unicasts and copies of multicasts.") +
               figure(
                   {"Use of links",
                    clock,
                    "flits per link and clock",
                    {curve("rank 0", use(0)), curve("upper rank", use(1)), curve("MBPs", use(2))}},
                   means) +
               figure({"Packets under way",
                       clock,
                       "packets",
                       {curve("not done", [](auto& s) { return double(s.open); })}},
                      "At the end of each stretch, those that wait at their nodes included.");
    }

    const Machine& m_machine;
    const RunResult& m_result;
    const Config& m_config;
    const std::vector<Stretch>& m_stretches;
    int m_plots = 0;
};

}  // namespace

std::string draw_page(const Machine& machine, const RunResult& result, const Config& config,
                      const std::vector<Stretch>& stretches) {
    return Page(machine, result, config, stretches).html();
}

}  // namespace rdt::machine
