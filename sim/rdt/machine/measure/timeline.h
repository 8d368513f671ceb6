// SPDX-License-Identifier: MIT
// A run in equal stretches of time, from its first cycle to its last. In a long idle phase the
// first hundred intervals are equal, and the rest is one interval.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <rdt/machine/measure/link_flits.h>
#include <rdt/machine/transport.h>
#include <rdt/support/output.h>

namespace rdt::machine {

// Activity in an interval of cycles. Sums, so that two that follow each other make one.
struct Stretch {
    uint64_t clocks = 0;
    uint64_t offered = 0;  // flits
    uint64_t accepted = 0;
    uint64_t packets = 0;             // unicasts and copies
    uint64_t latency = 0;             // of all of them
    std::array<uint64_t, 3> links{};  // flits on links of rank 0, of the upper rank, of MBPs
    // At its end.
    uint64_t end = 0;  // cycles since reset
    uint64_t open = 0;
    uint64_t links_down = 0;

    void append(const Stretch& next);
    double latency_mean() const { return double(latency) / double(packets); }  // NaN: no packet
};

class Timeline {
public:
    Timeline(const Machine& machine, uint64_t interval)
        : m_machine(machine), m_interval(interval) {}
    virtual ~Timeline() = default;
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    void sent(const Packet& packet) { m_now.offered += packet.message.flits; }
    void delivered(const Packet& packet, const Delivery& delivery);
    // After every cycle of the machine.
    void clock(const Transport& transport);
    // The same after so many cycles at once, in which nothing happened.
    void skip(const Transport& transport, uint64_t cycles);
    virtual void finish();

protected:
    // Each is over when it comes here; the last may be shorter.
    virtual void take(const Stretch& stretch) = 0;
    const Machine& machine() const { return m_machine; }

private:
    void end_stretch(uint64_t end);
    void pass_on(const Stretch& stretch);

    // Stretches without a flit: more than so many on end become one.
    static constexpr uint64_t MostIdle = 100;

    const Machine& m_machine;
    const uint64_t m_interval;
    Stretch m_now;
    LinkFlits m_links;    // since the stretch began
    uint64_t m_idle = 0;  // stretches without a flit, on end
    Stretch m_merged;     // of those, the last
};

// One line of CSV a stretch. The file is there after finish().
class TimelineFile : public Timeline {
public:
    // Throws OutputError.
    TimelineFile(const Machine& machine, const std::string& path, uint64_t interval);
    void finish() override;

private:
    void take(const Stretch& stretch) override;
    OutputFile m_file;
};

// A bounded number of intervals for a plot, independent of the length of the run: when there are
// too many, pairs are merged.
class TimelineCurve : public Timeline {
public:
    explicit TimelineCurve(const Machine& machine) : Timeline(machine, Interval) {}
    const std::vector<Stretch>& stretches() const { return m_stretches; }

private:
    static constexpr uint64_t Interval = 100;
    static constexpr size_t Most = 400;
    void take(const Stretch& stretch) override;

    std::vector<Stretch> m_stretches;
    uint64_t m_width = Interval;  // length of all but the last
};

}  // namespace rdt::machine
