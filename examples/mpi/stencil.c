// SPDX-License-Identifier: MIT
// A stencil of five points on a grid of ranks: every rank exchanges the borders of its part with
// its four neighbors, computes, and every tenth time all of them look how much has changed.
//
//   stencil [steps] [side of a rank's part]
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int steps = argc > 1 ? atoi(argv[1]) : 20;
    const int side = argc > 2 ? atoi(argv[2]) : 16;
    int ranks, dims[2] = {0, 0}, periods[2] = {1, 1};
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, dims);
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    int rank, north, south, west, east;
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_shift(grid, 0, 1, &north, &south);
    MPI_Cart_shift(grid, 1, 1, &west, &east);

    const int width = side + 2;
    double* now = calloc((size_t)(width * width), sizeof(double));
    double* next = calloc((size_t)(width * width), sizeof(double));
    now[width + 1] = rank == 0 ? 1000 : 0;
    MPI_Datatype column;
    MPI_Type_vector(side, 1, width, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    double change = 0;
    for (int step = 1; step <= steps; ++step) {
        MPI_Request requests[8];
        MPI_Irecv(now + 1, side, MPI_DOUBLE, north, 0, grid, &requests[0]);
        MPI_Irecv(now + width * (side + 1) + 1, side, MPI_DOUBLE, south, 1, grid, &requests[1]);
        MPI_Irecv(now + width, 1, column, west, 2, grid, &requests[2]);
        MPI_Irecv(now + width + side + 1, 1, column, east, 3, grid, &requests[3]);
        MPI_Isend(now + width * side + 1, side, MPI_DOUBLE, south, 0, grid, &requests[4]);
        MPI_Isend(now + width + 1, side, MPI_DOUBLE, north, 1, grid, &requests[5]);
        MPI_Isend(now + width + side, 1, column, east, 2, grid, &requests[6]);
        MPI_Isend(now + width + 1, 1, column, west, 3, grid, &requests[7]);
        MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
        double own = 0;
        for (int y = 1; y <= side; ++y)
            for (int x = 1; x <= side; ++x) {
                const int i = y * width + x;
                next[i] = (now[i] + now[i - 1] + now[i + 1] + now[i - width] + now[i + width]) / 5;
                own += fabs(next[i] - now[i]);
            }
        double* other = now;
        now = next;
        next = other;
        if (step % 10 == 0) MPI_Allreduce(&own, &change, 1, MPI_DOUBLE, MPI_SUM, grid);
    }
    if (rank == 0) printf("%d ranks, %d steps, change %g\n", ranks, steps, change);
    free(now);
    free(next);
    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
