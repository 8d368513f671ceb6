// SPDX-License-Identifier: MIT
// What a program sends with MPI, as librdt_mpi.so (sim/mpi) noted it: a folder with a file a rank,
// rank.0, rank.1, ...
//
//   rdt-mpi 1 RANKS RANK       first line
//   s RANK TAG BYTES           sent a message
//   r RANK TAG                 has received one
//   end                        the program came to MPI_Finalize
//
// in the order of the rank's own program. Collective operations are there as their messages.
#pragma once

#include <rdt/traces/packed_file.h>
#include <rdt/traces/trace_text.h>

namespace rdt::traces {

struct MpiFigures {
    uint32_t ranks = 0;
    uint64_t messages = 0;
    uint64_t packets = 0;
    uint64_t bytes = 0;
};

// One trace of all ranks, in which rank r is node r. A message waits for the last one that its rank
// had received from each other rank before: those before that one come in order. How long a program
// computed in between is not known. Throws ImportError.
MpiFigures convert_mpi(const std::string& folder, uint32_t nodes, const WriteLine& write);

}  // namespace rdt::traces
