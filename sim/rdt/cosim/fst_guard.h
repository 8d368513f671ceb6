/* SPDX-License-Identifier: MIT */
/* Put before the FST library (FST_CONFIG_INCLUDE). It maps files without checking that all writes
 * succeeded; on a full disk that raises SIGBUS. Here its temporary files are in memory, and a file
 * that is too short maps to empty memory; rdt_fst_has_failed() then returns true. */
#ifndef RDT_FST_GUARD_H
#define RDT_FST_GUARD_H

#ifdef __cplusplus
extern "C" {
#endif
/* Since the last call, in this process. */
int rdt_fst_has_failed(void);
#ifdef __cplusplus
}
#endif

#ifdef RDT_IN_FST_LIBRARY
#include "fst_config.h"
#include <stdio.h>
#include <sys/mman.h>
#include <sys/types.h>
FILE* rdt_fst_tmpfile(void);
void* rdt_fst_mmap(void* address, size_t length, int protection, int flags, int file, off_t from);
#define tmpfile rdt_fst_tmpfile
#define mmap rdt_fst_mmap
#endif

#endif
