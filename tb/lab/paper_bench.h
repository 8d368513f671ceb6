// SPDX-License-Identifier: MIT
// An item of rdt paper --quick, and its values beside the paper's.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include <rdt/paper/report.h>

namespace rdt::tb {

inline paper::Report quick(const std::string& id) {
    paper::Options options;
    options.quick = true;
    for (const paper::Entry& entry : paper::entries())
        if (entry.id == id) return entry.make(options);
    ADD_FAILURE() << "there is no " << id;
    return {};
}

inline const paper::Value& value(const paper::Report& report, const std::string& name) {
    for (const paper::Value& v : report.values)
        if (v.name == name) return v;
    ADD_FAILURE() << report.id << " has no value " << name;
    return report.values.at(0);
}

// As far as the paper prints it.
inline bool is_equal(const paper::Value& v) {
    return v.ours && v.paper && std::abs(*v.ours - *v.paper) < 0.501 * std::pow(10, -v.digits);
}

}  // namespace rdt::tb
