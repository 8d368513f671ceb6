// SPDX-License-Identifier: MIT
// Observers of a run of the machine: waveform, packet log, timeline and page.
#pragma once

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <rdt/machine/measure/packet_log.h>
#include <rdt/machine/measure/page.h>
#include <rdt/machine/measure/recorder.h>
#include <rdt/machine/measure/run.h>
#include <rdt/machine/measure/timeline.h>
#include <rdt/support/output.h>

namespace rdt {

// Empty paths are not written.
struct ObserverOptions {
    // Adds --wave, its details, --packet-log, --heatmap and --report.
    void add_observers_to(CLI::App& cmd);

    machine::WaveOptions wave;
    std::string packet_log;
    std::string timeline;
    uint64_t interval = 1000;
    std::string report;
    std::string heatmap;
};

// The page of a run; its folder is made.
class ReportPage {
public:
    ReportPage(const machine::Machine& machine, const std::string& folder) : m_curve(machine) {
        make_folder(folder);
        m_path = (std::filesystem::path(folder) / "index.html").string();
        m_file = std::make_unique<OutputFile>(m_path);
    }
    machine::Timeline& timeline() { return m_curve; }
    void write(const machine::Machine& machine, const machine::RunResult& result,
               const machine::Config& config) {
        m_file->write(machine::draw_page(machine, result, config, m_curve.stretches()));
        m_file->commit();
    }
    const std::string& path() const { return m_path; }

private:
    machine::TimelineCurve m_curve;
    std::string m_path;
    std::unique_ptr<OutputFile> m_file;
};

// Waveform, packet log, timeline and page, if requested.
class Observers {
public:
    Observers(machine::Machine& machine, const ObserverOptions& o) : m_machine(machine) {
        if (!o.wave.path.empty()) m_recorder = std::make_unique<machine::Recorder>(machine, o.wave);
        if (!o.packet_log.empty())
            m_log = std::make_unique<machine::PacketLog>(machine, o.packet_log);
        if (!o.timeline.empty())
            m_timeline = std::make_unique<machine::TimelineFile>(machine, o.timeline, o.interval);
        if (!o.report.empty()) m_page = std::make_unique<ReportPage>(machine, o.report);
        if (m_timeline) m_timelines.push_back(m_timeline.get());
        if (m_page) m_timelines.push_back(&m_page->timeline());
    }
    void attach(machine::RunOptions& run) {
        if (m_recorder || m_log || !m_timelines.empty())
            run.after_clock = [this](const machine::Transport& transport) {
                if (m_recorder) m_recorder->clock();
                if (m_log) m_log->clock(transport);
                for (machine::Timeline* t : m_timelines) t->clock(transport);
            };
        // A waveform has every cycle.
        if (!m_recorder)
            run.after_skip = [this](const machine::Transport& transport, uint64_t cycles) {
                for (machine::Timeline* t : m_timelines) t->skip(transport, cycles);
            };
        if (!m_timelines.empty()) {
            run.after_send = [this](const machine::Packet& packet) {
                for (machine::Timeline* t : m_timelines) t->sent(packet);
            };
            run.after_delivery = [this](const machine::Packet& packet,
                                        const machine::Delivery& delivery) {
                for (machine::Timeline* t : m_timelines) t->delivered(packet, delivery);
            };
        }
        if (m_log)
            run.after_packet = [this](const machine::Packet& packet) {
                m_log->done(packet, m_machine.now());
            };
    }
    ReportPage* page() { return m_page.get(); }
    // The first difference between the models in the waveform.
    std::string difference() const { return m_recorder ? m_recorder->difference() : ""; }
    // Returns the path of the waveform's save file.
    std::string finish() {
        if (m_log) m_log->finish();
        for (machine::Timeline* t : m_timelines) t->finish();
        return m_recorder ? m_recorder->finish() : "";
    }

private:
    machine::Machine& m_machine;
    std::unique_ptr<machine::Recorder> m_recorder;
    std::unique_ptr<machine::PacketLog> m_log;
    std::unique_ptr<machine::Timeline> m_timeline;
    std::unique_ptr<ReportPage> m_page;
    std::vector<machine::Timeline*> m_timelines;
};

}  // namespace rdt
