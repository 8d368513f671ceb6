// SPDX-License-Identifier: MIT
// The version of the project. CMake and the Python package read it here; scripts/check_version.py
// compares the other files that state it.
#pragma once

#define RDT_VERSION "0.2.0"
