// SPDX-License-Identifier: MIT
#include <rdt/machine/measure/waits.h>

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include <rdt/machine/traffic/workload.h>

namespace rdt::machine {

namespace {

std::string name_of(uint32_t node, uint32_t port) {
    return fmt::format("{}.{}", node, to_string(Port(port)));
}

// What a packet at the front of a buffer needs of one output.
Wait wait_of(const Machine& machine, const fast::ChipState& chip, const BufferName& at,
             const fast::Slot& slot, uint32_t output) {
    Wait w{at, output, "", std::nullopt};
    if (slot.ent) {
        w.why = "no entry of the ack table is free";
        return w;
    }
    if (output == PortLocal) {
        w.why = "the chip itself does not take it";
        return w;
    }
    const std::string out = name_of(at.node, output);
    if (!chip.link(output).up()) {
        w.why = out + " is down";
        return w;
    }
    const uint32_t credit = slot.credit_needed(output);
    if ((chip.credits() & credit) != 0) {
        w.why = out + " sends another";
        return w;
    }
    if (!is_network(output)) {
        w.why = fmt::format("MBP {} of node {} takes nothing", output - PortM0, at.node);
        return w;
    }
    w.next = BufferName{machine.geometry().neighbour(at.node, output), opposite(output),
                        uint32_t(__builtin_ctz(credit)) - 3 * output};
    w.why = to_string(*w.next) + " is full";
    return w;
}

}  // namespace

std::string to_string(const BufferName& b) {
    return fmt::format("{}/{}", name_of(b.node, b.port), b.vc);
}

std::vector<Wait> waits_of(const Machine& machine) {
    std::vector<Wait> waits;
    for (uint32_t n = 0; n < machine.nodes(); ++n) {
        const fast::ChipState* chip = machine.state(n);
        if (chip == nullptr) continue;
        for (uint32_t p = 0; p < NumPorts; ++p) {
            const fast::InputUnit& input = chip->input(p);
            for (uint32_t v = 0; v < fast::MaxVc; ++v) {
                const fast::Slot& slot = input.q().slot[v];
                if ((input.pkt_mask() >> v & 1) == 0) continue;
                for (uint32_t left = slot.pend; left != 0; left &= left - 1)
                    waits.push_back(
                        wait_of(machine, *chip, {n, p, v}, slot, uint32_t(__builtin_ctz(left))));
            }
        }
    }
    return waits;
}

std::vector<BufferName> cycle_of(const std::vector<Wait>& waits) {
    std::map<BufferName, std::vector<BufferName>> next;
    for (const Wait& w : waits)
        if (w.next) next[w.buffer].push_back(*w.next);
    enum class Mark { New, Open, Done };
    std::map<BufferName, Mark> marks;
    std::vector<BufferName> way;
    // Depth first without recursion: a chain may be as long as there are buffers.
    for (const auto& [start, unused] : next) {
        if (marks[start] != Mark::New) continue;
        std::vector<std::pair<BufferName, size_t>> stack{{start, 0}};
        marks[start] = Mark::Open;
        while (!stack.empty()) {
            auto& [at, tried] = stack.back();
            const auto found = next.find(at);
            if (found == next.end() || tried == found->second.size()) {
                marks[at] = Mark::Done;
                stack.pop_back();
                continue;
            }
            const BufferName to = found->second[tried++];
            if (marks[to] == Mark::Open) {
                const auto first = std::find_if(stack.begin(), stack.end(),
                                                [&](const auto& s) { return s.first == to; });
                for (auto it = first; it != stack.end(); ++it) way.push_back(it->first);
                return way;
            }
            if (marks[to] == Mark::New) {
                marks[to] = Mark::Open;
                stack.emplace_back(to, 0);
            }
        }
    }
    return {};
}

std::string to_text(const std::vector<Wait>& waits) {
    constexpr size_t Shown = 8;
    if (waits.empty()) return "";
    std::string text;
    const std::vector<BufferName> cycle = cycle_of(waits);
    if (!cycle.empty()) {
        std::string names;
        for (const BufferName& b : cycle) names += to_string(b) + " -> ";
        text += table_row("deadlock", names + to_string(cycle.front()));
    }
    // What waits for no other buffer is where it begins.
    std::map<std::string, size_t> roots;
    for (const Wait& w : waits)
        if (!w.next) ++roots[w.why];
    std::vector<std::pair<size_t, std::string>> by_count;
    for (const auto& [why, count] : roots) by_count.emplace_back(count, why);
    std::sort(by_count.rbegin(), by_count.rend());
    size_t shown = 0;
    for (const auto& [count, why] : by_count)
        if (shown++ < Shown)
            text += table_row(shown == 1 ? "waiting" : "", fmt::format("{}: {}", count, why));
    const size_t behind =
        waits.size() -
        size_t(std::count_if(waits.begin(), waits.end(), [](const Wait& w) { return !w.next; }));
    if (behind != 0)
        text += table_row(shown == 0 ? "waiting" : "",
                          fmt::format("{}: behind others (--json and --heatmap have all)", behind));
    return text;
}

}  // namespace rdt::machine
