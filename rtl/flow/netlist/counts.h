// SPDX-License-Identifier: MIT
// What has happened to the chip in a run, so that one in which nothing did is not
// taken for one in which nothing was found.
#pragma once

#include <array>
#include <cinttypes>
#include <cstdio>
#include <string>

#include <rdt/core/format.h>

namespace rdt::tb {

struct Counts {
    std::array<uint64_t, NumPorts> delivered{};  // packets
    std::array<uint64_t, 16> reports{};          // ERR packets by code
    uint64_t answers = 0, copies = 0, acks = 0;
    uint64_t dumped = 0, entries = 0, restarts = 0;
    uint64_t syncs = 0, flipped = 0;

    std::string missing() const {
        std::string text;
        for (uint32_t p = 0; p < NumPorts; ++p)
            if (delivered[p] == 0) text += std::string(" packets-at-") + to_string(Port(p));
        for_all([&text](const char* what, uint64_t n) {
            if (n == 0) text += std::string(" ") + what;
        });
        return text;
    }

    void print() const {
        for_all([](const char* what, uint64_t n) { std::printf("%s %" PRIu64 "\n", what, n); });
    }

private:
    static uint64_t sum(const uint64_t* from, size_t n) {
        uint64_t all = 0;
        for (size_t i = 0; i < n; ++i) all += from[i];
        return all;
    }

    template <typename F>
    void for_all(F&& tell) const {
        tell("packets", sum(delivered.data(), delivered.size()));
        tell("error_reports", sum(reports.data(), reports.size()) - reports[ErrTimeout]);
        tell("timeout_reports", reports[ErrTimeout]);
        tell("link_reports", reports[ErrLinkSync]);
        tell("stray_ack_reports", reports[ErrUnexpectedAck]);
        tell("refused_contexts", reports[ErrBadShot]);
        tell("refused_writes", reports[ErrRefused]);
        tell("sunk_reports", reports[ErrSunk]);
        tell("register_answers", answers);
        tell("multicast_copies", copies);
        tell("acks", acks);
        tell("dumped_packets", dumped);
        tell("dumped_entries", entries);
        tell("restarts", restarts);
        tell("links_down", syncs);
        tell("flips", flipped);
    }
};

}  // namespace rdt::tb
