// SPDX-License-Identifier: MIT
// A run cycle by cycle, for observers in between: run() only calls step() until the run is over.
#pragma once

#include <memory>

#include <rdt/machine/measure/run.h>

namespace rdt::machine {

class StepRun {
public:
    // The machine is up.
    StepRun(Machine& machine, Workload& workload, const RunOptions& options);
    ~StepRun();
    // One cycle of machine and workload. False, and no cycle, if the run is over.
    bool step();
    // Results so far.
    RunResult result();
    const Transport& transport() const;

private:
    class Runner;
    std::unique_ptr<Runner> m_runner;
};

}  // namespace rdt::machine
