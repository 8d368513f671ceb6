// SPDX-License-Identifier: MIT
// librdt_mpi.so: records the messages of a program through the MPI profiling interface (PMPI).
// Preloaded, so that the program stays as it is:
//
//   RDT_MPI_TRACE=folder mpirun -x LD_PRELOAD=librdt_mpi.so -x RDT_MPI_TRACE -n 64 ./program
//   rdt trace mpi folder | rdt run --trace /dev/stdin
//
// The format is in rdt/traces/mpi.h. A receive is noted when it is complete, that is, when the
// program may use what it got. Collective operations are noted as messages: a tree of doubling
// distances for broadcasts and reductions, one message a pair for the others. Unsupported calls are
// counted and reported at the end.
#pragma once

#include <mpi.h>

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace rdt::mpi {

constexpr int FirstCollectiveTag = -1000;  // programs have none below 0

class Notes {
public:
    void open() {
        int is_initialized = 0;
        PMPI_Initialized(&is_initialized);
        if (is_initialized == 0 || m_file != nullptr) return;
        PMPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
        PMPI_Comm_size(MPI_COMM_WORLD, &m_size);
        const char* given = std::getenv("RDT_MPI_TRACE");
        const std::string folder = given != nullptr && *given != '\0' ? given : "rdt-mpi";
        const std::string path = folder + "/rank." + std::to_string(m_rank);
        mkdir(folder.c_str(), 0777);  // or another library has
        m_file = std::fopen(path.c_str(), "w");
        if (m_file == nullptr) {
            std::fprintf(stderr, "rdt_mpi: cannot write %s: %s\n", path.c_str(),
                         std::strerror(errno));
            PMPI_Abort(MPI_COMM_WORLD, 2);
        }
        std::fprintf(m_file, "rdt-mpi 1 %d %d\n", m_size, m_rank);
    }
    void close() {
        if (m_file == nullptr) return;
        std::fputs("end\n", m_file);
        if (std::fclose(m_file) != 0) {
            std::fprintf(stderr, "rdt_mpi: cannot write: %s\n", std::strerror(errno));
            PMPI_Abort(MPI_COMM_WORLD, 2);
        }
        m_file = nullptr;
        if (m_rank == 0)
            for (const auto& [name, count] : m_unknown)
                std::fprintf(stderr, "rdt_mpi: %s is not in the trace (%lu calls of rank 0)\n",
                             name.c_str(), count);
    }

    void sent(int rank, MPI_Comm comm, long tag, unsigned long bytes) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        if (m_file == nullptr || rank == MPI_PROC_NULL) return;
        std::fprintf(m_file, "s %d %ld %lu\n", in_world(rank, comm), tag, bytes);
    }
    void received(int rank, MPI_Comm comm, long tag) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        if (m_file == nullptr || rank == MPI_PROC_NULL || rank < 0) return;
        std::fprintf(m_file, "r %d %ld\n", in_world(rank, comm), tag);
    }
    // A collective of all ranks begins.
    void broadcast(int root, MPI_Comm comm, long tag, unsigned long bytes) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        if (m_file != nullptr)
            std::fprintf(m_file, "b %d %ld %lu\n", in_world(root, comm), tag, bytes);
    }
    void barrier(long tag) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        if (m_file != nullptr) std::fprintf(m_file, "w %ld\n", tag);
    }
    // One that routers can combine, before its messages.
    void all_reduce(long tag, unsigned long bytes) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        if (m_file != nullptr) std::fprintf(m_file, "a %ld %lu\n", tag, bytes);
    }
    int ranks() const { return m_size; }
    void unknown(const char* name) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        ++m_unknown[name];
    }

    // Requests of receives; those that stay when they are complete are persistent.
    void posted(MPI_Request request, MPI_Comm comm, bool persistent = false) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_receives[request] = {comm, persistent};
    }
    struct Start {
        int rank;
        MPI_Comm comm;
        int tag;
        unsigned long bytes;
    };
    void prepared(MPI_Request request, const Start& send) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_sends[request] = send;
    }
    void started(MPI_Request request) {
        Start s{};
        {
            const std::lock_guard<std::mutex> lock(m_mutex);
            const auto it = m_sends.find(request);
            if (it == m_sends.end()) return;
            s = it->second;
        }
        sent(s.rank, s.comm, s.tag, s.bytes);
    }
    // `request` is what the handle was before the call that completed it.
    void completed(MPI_Request request, const MPI_Status& status) {
        MPI_Comm comm;
        {
            const std::lock_guard<std::mutex> lock(m_mutex);
            const auto it = m_receives.find(request);
            if (it == m_receives.end()) return;
            comm = it->second.comm;
            if (!it->second.persistent) m_receives.erase(it);
        }
        int is_cancelled = 0;
        PMPI_Test_cancelled(const_cast<MPI_Status*>(&status), &is_cancelled);
        if (is_cancelled == 0) received(status.MPI_SOURCE, comm, status.MPI_TAG);
    }
    void freed(MPI_Request request) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_receives.erase(request);
        m_sends.erase(request);
    }

    // A tag that the members of a communicator agree about: they call collectives in one order.
    long next_collective(MPI_Comm comm) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        return FirstCollectiveTag - long(m_collectives[comm]++);
    }

private:
    int in_world(int rank, MPI_Comm comm) {
        if (comm == MPI_COMM_WORLD) return rank;
        int is_inter = 0, translated = 0;
        PMPI_Comm_test_inter(comm, &is_inter);
        MPI_Group group, world;
        if (is_inter != 0) PMPI_Comm_remote_group(comm, &group);
        else PMPI_Comm_group(comm, &group);
        PMPI_Comm_group(MPI_COMM_WORLD, &world);
        PMPI_Group_translate_ranks(group, 1, &rank, world, &translated);
        PMPI_Group_free(&group);
        PMPI_Group_free(&world);
        return translated;
    }

    struct Receive {
        MPI_Comm comm;
        bool persistent;
    };
    std::mutex m_mutex;
    std::FILE* m_file = nullptr;
    int m_rank = 0;
    int m_size = 0;
    std::map<MPI_Request, Receive> m_receives;
    std::map<MPI_Request, Start> m_sends;
    std::map<MPI_Comm, unsigned long> m_collectives;
    std::map<std::string, unsigned long> m_unknown;
};

inline Notes& notes() {
    static Notes all;
    return all;
}

inline unsigned long bytes_of(int count, MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return static_cast<unsigned long>(count) * static_cast<unsigned long>(size);
}

// The messages of a collective operation on this rank.
class Collective {
public:
    explicit Collective(MPI_Comm comm) : m_comm(comm), m_tag(notes().next_collective(comm)) {
        PMPI_Comm_rank(comm, &m_rank);
        PMPI_Comm_size(comm, &m_size);
    }
    int rank() const { return m_rank; }
    int size() const { return m_size; }
    void send(int rank, unsigned long bytes) const { notes().sent(rank, m_comm, m_tag, bytes); }
    void receive(int rank) const { notes().received(rank, m_comm, m_tag); }

    // Down a binomial tree: each rank that has the message forwards it, over half the distance each
    // time.
    void broadcast(int root, unsigned long bytes) const {
        if (m_size == notes().ranks()) notes().broadcast(root, m_comm, m_tag, bytes);
        const int own = from_root(root);
        int distance = 1;
        while (distance < m_size && (own & distance) == 0) distance <<= 1;
        if (own != 0) receive(rank_at(own - distance, root));
        for (distance >>= 1; distance > 0; distance >>= 1)
            if (own + distance < m_size) send(rank_at(own + distance, root), bytes);
    }
    // The same, upwards.
    void reduce(int root, unsigned long bytes) const {
        const int own = from_root(root);
        for (int distance = 1; distance < m_size; distance <<= 1) {
            if ((own & distance) != 0) {
                send(rank_at(own - distance, root), bytes);
                return;
            }
            if (own + distance < m_size) receive(rank_at(own + distance, root));
        }
    }
    // Begins an all-reduce of one integer by an operation of the routers.
    void note_all_reduce(unsigned long bytes) const {
        if (m_size == notes().ranks()) notes().all_reduce(m_tag, bytes);
    }
    void barrier() const {
        if (m_size == notes().ranks()) notes().barrier(m_tag);
        for (int distance = 1; distance < m_size; distance <<= 1) {
            send((m_rank + distance) % m_size, 0);
            receive((m_rank - distance + m_size) % m_size);
        }
    }
    // bytes(rank) to every other rank, nearest first, and then theirs.
    template <typename Bytes>
    void all_to_all(Bytes&& bytes) const {
        for (int i = 1; i < m_size; ++i) send((m_rank + i) % m_size, bytes((m_rank + i) % m_size));
        for (int i = 1; i < m_size; ++i) receive((m_rank - i + m_size) % m_size);
    }
    void gather(int root, unsigned long bytes) const {
        if (m_rank != root) send(root, bytes);
        else
            for (int i = 0; i < m_size; ++i)
                if (i != root) receive(i);
    }
    template <typename Bytes>
    void scatter(int root, Bytes&& bytes) const {
        if (m_rank != root) receive(root);
        else
            for (int i = 0; i < m_size; ++i)
                if (i != root) send(i, bytes(i));
    }

private:
    int from_root(int root) const { return (m_rank - root + m_size) % m_size; }
    int rank_at(int place, int root) const { return (place + root) % m_size; }

    MPI_Comm m_comm;
    int m_rank = 0;
    int m_size = 1;
    long m_tag;
};

}  // namespace rdt::mpi
