// SPDX-License-Identifier: MIT
// Every rank sends a block to every rank, as a parallel FFT does when it transposes its matrix.
//
//   all_to_all [times] [numbers of a block]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int times = argc > 1 ? atoi(argv[1]) : 2;
    const int count = argc > 2 ? atoi(argv[2]) : 8;
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int* from = malloc(sizeof(int) * (size_t)(ranks * count));
    int* to = malloc(sizeof(int) * (size_t)(ranks * count));
    for (int i = 0; i < ranks * count; ++i) from[i] = rank * ranks + i / count;
    int wrong = 0;
    for (int t = 0; t < times; ++t) {
        MPI_Alltoall(from, count, MPI_INT, to, count, MPI_INT, MPI_COMM_WORLD);
        for (int i = 0; i < ranks * count; ++i) wrong += to[i] != i / count * ranks + rank;
    }
    if (rank == 0) printf("%d ranks, %d times, %d wrong\n", ranks, times, wrong);
    free(from);
    free(to);
    MPI_Finalize();
    return wrong != 0;
}
