// SPDX-License-Identifier: MIT
// Checks the waveform named in a report of a difference: it exists, is valid, and contains the
// signals of its save file.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "gtkwave/fstapi.h"

namespace rdt::tb {

// The text after a word of the report, up to the end of the line.
inline std::string told(const std::string& report, const std::string& label) {
    const size_t at = report.find(label);
    if (at == std::string::npos) return {};
    const size_t from = at + label.size();
    return report.substr(from, report.find('\n', from) - from);
}

// Names of all signals, as a save file has them.
inline std::set<std::string> signals_of(decltype(fstReaderOpen("")) wave) {
    std::set<std::string> names;
    fstReaderIterateHierRewind(wave);
    while (const fstHier* h = fstReaderIterateHier(wave)) {
        if (h->htyp == FST_HT_SCOPE) fstReaderPushScope(wave, h->u.scope.name, nullptr);
        if (h->htyp == FST_HT_UPSCOPE) fstReaderPopScope(wave);
        if (h->htyp != FST_HT_VAR) continue;
        const char* scope = fstReaderGetCurrentFlatScope(wave);
        std::string name = std::string(scope) + "." + h->u.var.name;
        name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
        names.insert(name);
    }
    return names;
}

// The rows of a save file that are signals.
inline std::set<std::string> shown_by(const std::string& save) {
    std::set<std::string> names;
    std::ifstream in(save);
    for (std::string line; std::getline(in, line);)
        if (!line.empty() && std::string("[@*-").find(line[0]) == std::string::npos)
            names.insert(line[0] == '+' ? line.substr(line.find("} ") + 2) : line);
    return names;
}

// It has that many signals, all of them in the save file, and ends at this cycle. Both files go.
inline void expect_wave(const std::string& report, uint64_t signals, uint64_t end) {
    const std::string path = told(report, "waveform: ");
    const std::string save = told(report, "show: gtkwave ");
    ASSERT_TRUE(std::filesystem::exists(path)) << report;
    ASSERT_TRUE(std::filesystem::exists(save)) << report;
    auto* wave = fstReaderOpen(path.c_str());
    ASSERT_NE(wave, nullptr) << path;
    EXPECT_EQ(fstReaderGetVarCount(wave), signals);
    EXPECT_EQ(fstReaderGetEndTime(wave), end);
    EXPECT_EQ(signals_of(wave), shown_by(save));
    fstReaderClose(wave);
    std::filesystem::remove(path);
    std::filesystem::remove(save);
}

}  // namespace rdt::tb
