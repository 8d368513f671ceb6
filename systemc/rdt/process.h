// SPDX-License-Identifier: MIT
// RDT_HAS_PROCESS(module); stands before the SC_METHOD and SC_THREAD of a constructor. SystemC 2.3
// needs SC_HAS_PROCESS there. SystemC 3 (IEEE 1666-2023) finds the module itself and rejects the
// macro as obsolete.
#pragma once

#include <systemc>

#if SC_VERSION_MAJOR >= 3
#define RDT_HAS_PROCESS(module)
#else
#define RDT_HAS_PROCESS(module) SC_HAS_PROCESS(module)
#endif
