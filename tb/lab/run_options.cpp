// SPDX-License-Identifier: MIT
// Seed and length of the tests themselves, as the environment gives them.
#include <gtest/gtest.h>

#include "common/run_options.h"

namespace rdt::tb {
namespace {

// Options with the value of a variable.
uint64_t read(const char* text) {
    setenv("RDT_TRIED", text, 1);
    return from_environment("RDT_TRIED", 7);
}

TEST(run_options, are_read_as_numbers_of_64_bits) {
    EXPECT_EQ(read(""), 7u);
    EXPECT_EQ(read("0"), 0u);
    EXPECT_EQ(read("010"), 10u);
    EXPECT_EQ(read("0x10"), 16u);
    EXPECT_EQ(read("18446744073709551615"), 18446744073709551615u);
}

// A length of -5 would be one of 2^64 - 5 cycles.
TEST(run_options, options_that_are_not_a_number_are_refused) {
    for (const char* text : {"-5", "+5", "5 ", " 5", "0x", "1e3", "18446744073709551616", "x"})
        EXPECT_THROW(read(text), std::invalid_argument) << text;
}

TEST(run_options, a_seed_is_printed) {
    testing::internal::CaptureStdout();
    setenv("RDT_SEED", "41", 1);
    EXPECT_EQ(seed_or(1), 41u);
    unsetenv("RDT_SEED");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "seed=41\n");
}

}  // namespace
}  // namespace rdt::tb
