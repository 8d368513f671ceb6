/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "fst_guard.h"

#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int failed;

int rdt_fst_has_failed(void) { return atomic_exchange(&failed, 0); }

FILE* rdt_fst_tmpfile(void) {
    const int file = memfd_create("fst", MFD_CLOEXEC);
    return file < 0 ? NULL : fdopen(file, "w+b");
}

void* rdt_fst_mmap(void* address, size_t length, int protection, int flags, int file, off_t from) {
    struct stat status;
    if (fstat(file, &status) == 0 && (size_t)status.st_size >= (size_t)from + length) {
        void* const memory = mmap(address, length, protection, flags, file, from);
        if (memory != MAP_FAILED) return memory;
    }
    atomic_store(&failed, 1);
    return mmap(NULL, length, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
