// SPDX-License-Identifier: MIT
#include "cli/program.h"

// libsystemc calls sc_main() from a main() of its own; this program has its own main().
extern "C" int sc_main(int, char**) { return 0; }

int main(int argc, char** argv) { return rdt::run_program(argc, argv); }
