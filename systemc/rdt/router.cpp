// SPDX-License-Identifier: MIT
// The chip as a library, for builds in which many files use it.
#include <rdt/router.h>

#define RDT_INLINE
#include <rdt/router_body.h>
#include <rdt/scheduler_body.h>

namespace rdt {

template class wire<bool>;
template class wire<uint64_t>;
template class in_port<bool>;
template class in_port<uint64_t>;
template class out_port<bool>;
template class out_port<uint64_t>;

}  // namespace rdt
