// SPDX-License-Identifier: MIT
// Entry point of every test program: libsystemc owns main() and calls this.
#include <gtest/gtest.h>

#include <systemc>

int sc_main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
