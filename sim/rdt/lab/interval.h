// SPDX-License-Identifier: MIT
// Statistics of repeated measurements.
#pragma once

#include <cstddef>
#include <vector>

#include <rdt/support/batches.h>

namespace rdt::lab {

// The mean and half of its 95 % confidence interval.
struct Interval {
    double mean = 0;
    double half = 0;

    double low() const { return mean - half; }
    double high() const { return mean + half; }
};

// By Student's t; fewer than two values give no interval.
Interval interval_of(const std::vector<double>& values);

// How many of the values at the beginning of a series to leave out: the number, at most half of
// them, for which the mean of the others has the smallest standard error (White's marginal standard
// error rule, MSER). The initial transient is excluded, because it adds to the error.
size_t truncation_by_mser(const std::vector<double>& series);

// A series put together to `batches` means of equally many values each; those left over at the
// beginning are not used. Long enough, they are as good as independent.
std::vector<double> batch_means(const std::vector<double>& series, size_t batches);

}  // namespace rdt::lab
