// SPDX-License-Identifier: MIT
// RCC-FULL SORT by real movements, for its tests.
#pragma once

#include <gtest/gtest.h>

#include <rdt/algo/inputs.h>
#include <rdt/algo/rcc_sort.h>

namespace rdt::algo {

using Keys = std::vector<uint64_t>;

inline std::vector<Record> records_of(const Keys& keys) {
    std::vector<Record> records;
    for (uint64_t k : keys) records.push_back({k, ~k});
    return records;
}

// The keys after sorting by real movements; counts the steps and checks that values go with their
// keys.
inline Keys sorted_by_movements(const Rcc& network, const Keys& keys, uint64_t* steps = nullptr,
                                const RccSorter::OnStep& on_step = {}) {
    StepMachine machine(network, PortModel::AllPort);
    RccSorter sorter(machine, network);
    std::vector<Record> records = records_of(keys);
    sorter.sort(records, on_step);
    if (steps != nullptr) *steps = machine.steps();
    Keys result;
    for (const Record& r : records) {
        EXPECT_EQ(r.value, ~r.key);
        result.push_back(r.key);
    }
    return result;
}

// The schedule recorded by a run with real movements.
inline RccSorter::Schedule schedule_of(const Rcc& network, const Keys& keys) {
    StepMachine machine(network, PortModel::AllPort);
    RccSorter sorter(machine, network);
    std::vector<Record> records = records_of(keys);
    return sorter.sort_and_record(records);
}

}  // namespace rdt::algo
