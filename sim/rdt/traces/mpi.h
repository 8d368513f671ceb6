// SPDX-License-Identifier: MIT
// What a program sends with MPI, as librdt_mpi.so (sim/mpi) noted it: a folder with a file a rank,
// rank.0, rank.1, ...
//
//   rdt-mpi 1 RANKS RANK       first line
//   s RANK TAG BYTES           sent a message
//   r RANK TAG                 has received one
//   b ROOT TAG BYTES           a broadcast of all ranks begins: the messages with this tag are its
//   w TAG                      a barrier of all ranks begins: the messages with this tag are its
//   a TAG BYTES                an all-reduce of all ranks begins that routers can combine: one
//                              integer by or, and, minimum, maximum or sum. The messages with this
//                              tag are its, and so is the broadcast that follows
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

struct MpiOptions {
    uint32_t nodes = 64;
    // Map bytes of a multicast to all nodes, as "ff:ff": broadcasts are such multicasts. A barrier
    // gathers by unicasts up a tree, and such a multicast ends it. Empty: all are unicasts.
    std::string broadcast_maps;
    // By node: root of its territory, if routers combine operands of so many bytes. Empty: none.
    std::vector<uint32_t> roots;
    std::string root_maps;  // map bytes of a multicast to a territory
    uint64_t operand_bytes = 0;
};

// One trace of all ranks, in which rank r is node r. A message waits for the last one that its rank
// had received from each other rank before: those before that one come in order. How long a program
// computed in between is not known. Throws ImportError.
MpiFigures convert_mpi(const std::string& folder, const MpiOptions& options,
                       const WriteLine& write);

}  // namespace rdt::traces
