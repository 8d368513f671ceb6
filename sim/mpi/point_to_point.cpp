// SPDX-License-Identifier: MIT
// Messages from one rank to another, and the calls that complete them.
#include "notes.h"

#include <vector>

using rdt::mpi::bytes_of;
using rdt::mpi::notes;

namespace {

// Statuses are needed here even if the program ignores them.
class Status {
public:
    explicit Status(MPI_Status* given) : m_given(given) {}
    MPI_Status* get() { return m_given == MPI_STATUS_IGNORE ? &m_own : m_given; }

private:
    MPI_Status* m_given;
    MPI_Status m_own{};
};
class Statuses {
public:
    Statuses(MPI_Status* given, int count)
        : m_given(given), m_own(given == MPI_STATUSES_IGNORE ? size_t(count) : 0) {}
    MPI_Status* get() { return m_given == MPI_STATUSES_IGNORE ? m_own.data() : m_given; }

private:
    MPI_Status* m_given;
    std::vector<MPI_Status> m_own;
};
using Requests = std::vector<MPI_Request>;

}  // namespace

extern "C" {

int MPI_Init(int* argc, char*** argv) {
    const int code = PMPI_Init(argc, argv);
    notes().open();
    return code;
}
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    const int code = PMPI_Init_thread(argc, argv, required, provided);
    notes().open();
    return code;
}
int MPI_Finalize(void) {
    notes().close();
    return PMPI_Finalize();
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    notes().sent(to, comm, tag, bytes_of(count, type));
    return PMPI_Send(data, count, type, to, tag, comm);
}
int MPI_Ssend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    notes().sent(to, comm, tag, bytes_of(count, type));
    return PMPI_Ssend(data, count, type, to, tag, comm);
}
int MPI_Bsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    notes().sent(to, comm, tag, bytes_of(count, type));
    return PMPI_Bsend(data, count, type, to, tag, comm);
}
int MPI_Rsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    notes().sent(to, comm, tag, bytes_of(count, type));
    return PMPI_Rsend(data, count, type, to, tag, comm);
}
int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
    notes().sent(to, comm, tag, bytes_of(count, type));
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}
int MPI_Issend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
    notes().sent(to, comm, tag, bytes_of(count, type));
    return PMPI_Issend(data, count, type, to, tag, comm, request);
}
int MPI_Ibsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
    notes().sent(to, comm, tag, bytes_of(count, type));
    return PMPI_Ibsend(data, count, type, to, tag, comm, request);
}
int MPI_Irsend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
    notes().sent(to, comm, tag, bytes_of(count, type));
    return PMPI_Irsend(data, count, type, to, tag, comm, request);
}
int MPI_Send_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
    const int code = PMPI_Send_init(data, count, type, to, tag, comm, request);
    notes().prepared(*request, {to, comm, tag, bytes_of(count, type)});
    return code;
}
int MPI_Ssend_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request) {
    const int code = PMPI_Ssend_init(data, count, type, to, tag, comm, request);
    notes().prepared(*request, {to, comm, tag, bytes_of(count, type)});
    return code;
}
int MPI_Bsend_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request) {
    const int code = PMPI_Bsend_init(data, count, type, to, tag, comm, request);
    notes().prepared(*request, {to, comm, tag, bytes_of(count, type)});
    return code;
}
int MPI_Rsend_init(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request* request) {
    const int code = PMPI_Rsend_init(data, count, type, to, tag, comm, request);
    notes().prepared(*request, {to, comm, tag, bytes_of(count, type)});
    return code;
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* given) {
    Status status(given);
    const int code = PMPI_Recv(data, count, type, from, tag, comm, status.get());
    if (code == MPI_SUCCESS)
        notes().received(status.get()->MPI_SOURCE, comm, status.get()->MPI_TAG);
    return code;
}
int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
    const int code = PMPI_Irecv(data, count, type, from, tag, comm, request);
    notes().posted(*request, comm);
    return code;
}
int MPI_Recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                  MPI_Request* request) {
    const int code = PMPI_Recv_init(data, count, type, from, tag, comm, request);
    notes().posted(*request, comm, true);
    return code;
}
int MPI_Sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* room,
                 int most, MPI_Datatype room_type, int from, int room_tag, MPI_Comm comm,
                 MPI_Status* given) {
    Status status(given);
    notes().sent(to, comm, tag, bytes_of(count, type));
    const int code = PMPI_Sendrecv(data, count, type, to, tag, room, most, room_type, from,
                                   room_tag, comm, status.get());
    if (code == MPI_SUCCESS)
        notes().received(status.get()->MPI_SOURCE, comm, status.get()->MPI_TAG);
    return code;
}
int MPI_Sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int tag, int from,
                         int room_tag, MPI_Comm comm, MPI_Status* given) {
    Status status(given);
    notes().sent(to, comm, tag, bytes_of(count, type));
    const int code =
        PMPI_Sendrecv_replace(data, count, type, to, tag, from, room_tag, comm, status.get());
    if (code == MPI_SUCCESS)
        notes().received(status.get()->MPI_SOURCE, comm, status.get()->MPI_TAG);
    return code;
}

int MPI_Start(MPI_Request* request) {
    notes().started(*request);
    return PMPI_Start(request);
}
int MPI_Startall(int count, MPI_Request* requests) {
    for (int i = 0; i < count; ++i) notes().started(requests[i]);
    return PMPI_Startall(count, requests);
}
int MPI_Request_free(MPI_Request* request) {
    notes().freed(*request);
    return PMPI_Request_free(request);
}

int MPI_Wait(MPI_Request* request, MPI_Status* given) {
    Status status(given);
    const MPI_Request before = *request;
    const int code = PMPI_Wait(request, status.get());
    notes().completed(before, *status.get());
    return code;
}
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* given) {
    Status status(given);
    const MPI_Request before = *request;
    const int code = PMPI_Test(request, flag, status.get());
    if (*flag != 0) notes().completed(before, *status.get());
    return code;
}
int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* given) {
    Statuses statuses(given, count);
    const Requests before(requests, requests + count);
    const int code = PMPI_Waitall(count, requests, statuses.get());
    for (int i = 0; i < count; ++i) notes().completed(before[size_t(i)], statuses.get()[i]);
    return code;
}
int MPI_Testall(int count, MPI_Request* requests, int* flag, MPI_Status* given) {
    Statuses statuses(given, count);
    const Requests before(requests, requests + count);
    const int code = PMPI_Testall(count, requests, flag, statuses.get());
    for (int i = 0; *flag != 0 && i < count; ++i)
        notes().completed(before[size_t(i)], statuses.get()[i]);
    return code;
}
int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* given) {
    Status status(given);
    const Requests before(requests, requests + count);
    const int code = PMPI_Waitany(count, requests, index, status.get());
    if (*index != MPI_UNDEFINED) notes().completed(before[size_t(*index)], *status.get());
    return code;
}
int MPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* given) {
    Status status(given);
    const Requests before(requests, requests + count);
    const int code = PMPI_Testany(count, requests, index, flag, status.get());
    if (*flag != 0 && *index != MPI_UNDEFINED)
        notes().completed(before[size_t(*index)], *status.get());
    return code;
}
int MPI_Waitsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* given) {
    Statuses statuses(given, count);
    const Requests before(requests, requests + count);
    const int code = PMPI_Waitsome(count, requests, done, indices, statuses.get());
    for (int i = 0; *done != MPI_UNDEFINED && i < *done; ++i)
        notes().completed(before[size_t(indices[i])], statuses.get()[i]);
    return code;
}
int MPI_Testsome(int count, MPI_Request* requests, int* done, int* indices, MPI_Status* given) {
    Statuses statuses(given, count);
    const Requests before(requests, requests + count);
    const int code = PMPI_Testsome(count, requests, done, indices, statuses.get());
    for (int i = 0; *done != MPI_UNDEFINED && i < *done; ++i)
        notes().completed(before[size_t(indices[i])], statuses.get()[i]);
    return code;
}

}  // extern "C"
