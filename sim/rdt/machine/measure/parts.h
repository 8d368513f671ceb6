// SPDX-License-Identifier: MIT
// A sweep that is measured in parts: part k of n has every n-th load from the k-th on, and a file
// of its own beside that of the sweep, FILE.k-of-n. So parts can run anywhere at any time, as tasks
// of a batch system; the next task measures the rest of one that was ended.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <rdt/machine/measure/sweep.h>

namespace rdt::machine {

struct Part {
    uint32_t number = 0;  // from 0 on
    uint32_t of = 1;
};
// "3/16". Throws std::invalid_argument.
Part read_part(const std::string& text);
std::string to_string(const Part& part);  // "3/16"

std::string part_file(const std::string& csv, const Part& part);
// Those that are there, by name.
std::vector<std::string> part_files(const std::string& csv);

std::vector<double> loads_of(const std::vector<double>& all, const Part& part);

struct PointsOfFile {
    std::string name;
    std::vector<SweepPoint> points;
};
// In the order of their loads, each once. Throws std::invalid_argument if two files do not agree
// about one: they were made by different programs.
std::vector<SweepPoint> merged(const std::vector<PointsOfFile>& files);
// The first of them that is saturated.
std::optional<double> saturated_in(const std::vector<SweepPoint>& points);

}  // namespace rdt::machine
