// SPDX-License-Identifier: MIT
// The program `rdt`: one subcommand for each thing one can do with the machine.
#pragma once

namespace rdt {

// Returns the exit code. Results go to standard output, errors to standard error.
int run_program(int argc, char** argv);

}  // namespace rdt
