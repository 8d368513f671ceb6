// SPDX-License-Identifier: MIT
// The one place of the version (CHANGELOG.md says what it means); CMake reads it here, and
// a test holds rdt.core, CITATION.cff and the changelog against it.
#pragma once

#define RDT_VERSION "0.1.0"
