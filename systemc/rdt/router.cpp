// SPDX-License-Identifier: MIT
// The chip as a library, for builds in which many files use it.
#include <rdt/router.h>

#define RDT_INLINE
#include <rdt/router_body.h>
