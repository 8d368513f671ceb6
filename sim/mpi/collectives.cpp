// SPDX-License-Identifier: MIT
// Collective operations as the messages that they are made of.
#include <algorithm>
#include <iterator>

#include "notes.h"

using rdt::mpi::bytes_of;
using rdt::mpi::Collective;
using rdt::mpi::notes;

namespace {

// All ranks contribute the same number of bytes, or different ones.
auto same(unsigned long bytes) {
    return [bytes](int) { return bytes; };
}
auto each(const int* counts, MPI_Datatype type) {
    return [counts, type](int rank) { return bytes_of(counts[rank], type); };
}

// Routers combine operands of one integer of at most 32 bits.
bool is_for_routers(int count, MPI_Datatype type, MPI_Op op) {
    const MPI_Datatype types[] = {MPI_SIGNED_CHAR,    MPI_UNSIGNED_CHAR, MPI_SHORT,
                                  MPI_UNSIGNED_SHORT, MPI_INT,           MPI_UNSIGNED,
                                  MPI_INT8_T,         MPI_UINT8_T,       MPI_INT16_T,
                                  MPI_UINT16_T,       MPI_INT32_T,       MPI_UINT32_T};
    const MPI_Op ops[] = {MPI_BOR, MPI_BAND, MPI_MIN, MPI_MAX, MPI_SUM};
    return count == 1 && std::find(std::begin(types), std::end(types), type) != std::end(types) &&
           std::find(std::begin(ops), std::end(ops), op) != std::end(ops);
}

// Intercommunicators are not supported.
bool is_known(MPI_Comm comm, const char* name) {
    int is_inter = 0;
    PMPI_Comm_test_inter(comm, &is_inter);
    if (is_inter != 0) notes().unknown(name);
    return is_inter == 0;
}

}  // namespace

extern "C" {

int MPI_Barrier(MPI_Comm comm) {
    if (is_known(comm, "MPI_Barrier of an intercommunicator")) Collective(comm).barrier();
    return PMPI_Barrier(comm);
}
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    if (is_known(comm, "MPI_Bcast of an intercommunicator"))
        Collective(comm).broadcast(root, bytes_of(count, type));
    return PMPI_Bcast(data, count, type, root, comm);
}
int MPI_Reduce(const void* data, void* room, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
    if (is_known(comm, "MPI_Reduce of an intercommunicator"))
        Collective(comm).reduce(root, bytes_of(count, type));
    return PMPI_Reduce(data, room, count, type, op, root, comm);
}
int MPI_Allreduce(const void* data, void* room, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
    if (is_known(comm, "MPI_Allreduce of an intercommunicator")) {
        const Collective upwards(comm);
        if (is_for_routers(count, type, op)) upwards.note_all_reduce(bytes_of(count, type));
        upwards.reduce(0, bytes_of(count, type));
        Collective(comm).broadcast(0, bytes_of(count, type));
    }
    return PMPI_Allreduce(data, room, count, type, op, comm);
}
int MPI_Gather(const void* data, int count, MPI_Datatype type, void* room, int most,
               MPI_Datatype room_type, int root, MPI_Comm comm) {
    if (is_known(comm, "MPI_Gather of an intercommunicator"))
        Collective(comm).gather(root, data == MPI_IN_PLACE ? 0 : bytes_of(count, type));
    return PMPI_Gather(data, count, type, room, most, room_type, root, comm);
}
int MPI_Gatherv(const void* data, int count, MPI_Datatype type, void* room, const int* counts,
                const int* places, MPI_Datatype room_type, int root, MPI_Comm comm) {
    if (is_known(comm, "MPI_Gatherv of an intercommunicator"))
        Collective(comm).gather(root, data == MPI_IN_PLACE ? 0 : bytes_of(count, type));
    return PMPI_Gatherv(data, count, type, room, counts, places, room_type, root, comm);
}
int MPI_Scatter(const void* data, int count, MPI_Datatype type, void* room, int most,
                MPI_Datatype room_type, int root, MPI_Comm comm) {
    if (is_known(comm, "MPI_Scatter of an intercommunicator")) {
        const Collective c(comm);
        c.scatter(root, same(c.rank() == root ? bytes_of(count, type) : 0));
    }
    return PMPI_Scatter(data, count, type, room, most, room_type, root, comm);
}
int MPI_Scatterv(const void* data, const int* counts, const int* places, MPI_Datatype type,
                 void* room, int most, MPI_Datatype room_type, int root, MPI_Comm comm) {
    if (is_known(comm, "MPI_Scatterv of an intercommunicator"))
        Collective(comm).scatter(root, each(counts, type));
    return PMPI_Scatterv(data, counts, places, type, room, most, room_type, root, comm);
}
int MPI_Allgather(const void* data, int count, MPI_Datatype type, void* room, int most,
                  MPI_Datatype room_type, MPI_Comm comm) {
    if (is_known(comm, "MPI_Allgather of an intercommunicator"))
        Collective(comm).all_to_all(same(bytes_of(most, room_type)));
    return PMPI_Allgather(data, count, type, room, most, room_type, comm);
}
int MPI_Allgatherv(const void* data, int count, MPI_Datatype type, void* room, const int* counts,
                   const int* places, MPI_Datatype room_type, MPI_Comm comm) {
    if (is_known(comm, "MPI_Allgatherv of an intercommunicator")) {
        const Collective c(comm);
        c.all_to_all(same(bytes_of(counts[c.rank()], room_type)));
    }
    return PMPI_Allgatherv(data, count, type, room, counts, places, room_type, comm);
}
int MPI_Alltoall(const void* data, int count, MPI_Datatype type, void* room, int most,
                 MPI_Datatype room_type, MPI_Comm comm) {
    if (is_known(comm, "MPI_Alltoall of an intercommunicator"))
        Collective(comm).all_to_all(same(bytes_of(most, room_type)));
    return PMPI_Alltoall(data, count, type, room, most, room_type, comm);
}
int MPI_Alltoallv(const void* data, const int* counts, const int* places, MPI_Datatype type,
                  void* room, const int* most, const int* room_places, MPI_Datatype room_type,
                  MPI_Comm comm) {
    if (is_known(comm, "MPI_Alltoallv of an intercommunicator")) {
        if (data == MPI_IN_PLACE) Collective(comm).all_to_all(each(most, room_type));
        else Collective(comm).all_to_all(each(counts, type));
    }
    return PMPI_Alltoallv(data, counts, places, type, room, most, room_places, room_type, comm);
}

// Not in the trace; reported at the end.
int MPI_Scan(const void* data, void* room, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    notes().unknown("MPI_Scan");
    return PMPI_Scan(data, room, count, type, op, comm);
}
int MPI_Exscan(const void* data, void* room, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm) {
    notes().unknown("MPI_Exscan");
    return PMPI_Exscan(data, room, count, type, op, comm);
}
int MPI_Reduce_scatter(const void* data, void* room, const int* counts, MPI_Datatype type,
                       MPI_Op op, MPI_Comm comm) {
    notes().unknown("MPI_Reduce_scatter");
    return PMPI_Reduce_scatter(data, room, counts, type, op, comm);
}
int MPI_Reduce_scatter_block(const void* data, void* room, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm) {
    notes().unknown("MPI_Reduce_scatter_block");
    return PMPI_Reduce_scatter_block(data, room, count, type, op, comm);
}
int MPI_Mrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
    notes().unknown("MPI_Mrecv");
    return PMPI_Mrecv(data, count, type, message, status);
}
int MPI_Imrecv(void* data, int count, MPI_Datatype type, MPI_Message* message,
               MPI_Request* request) {
    notes().unknown("MPI_Imrecv");
    return PMPI_Imrecv(data, count, type, message, request);
}
int MPI_Win_create(void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                   MPI_Win* win) {
    notes().unknown("one-sided communication (MPI_Win_create)");
    return PMPI_Win_create(base, size, unit, info, comm, win);
}

}  // extern "C"
