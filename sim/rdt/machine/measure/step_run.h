// SPDX-License-Identifier: MIT
// A run cycle by cycle, for who looks on in between: run() does no more than step() until there is
// nothing left to do.
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
    // What was measured up to now.
    RunResult result();
    const Transport& transport() const;

private:
    class Runner;
    std::unique_ptr<Runner> m_runner;
};

}  // namespace rdt::machine
