// SPDX-License-Identifier: MIT
// The chip as a library, for builds in which many files use it.
#define RDT_INLINE
#include <rdt/router.h>

#include <rdt/router_body.h>
