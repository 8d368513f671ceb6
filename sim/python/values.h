// SPDX-License-Identifier: MIT
// Results as Python has them.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace rdt::python {

// The Python value that json.loads() returns for the same text.
inline pybind11::object to_python(const nlohmann::ordered_json& json) {
    namespace py = pybind11;
    using Type = nlohmann::ordered_json::value_t;
    switch (json.type()) {
    case Type::boolean: return py::bool_(json.get<bool>());
    case Type::number_integer: return py::int_(json.get<int64_t>());
    case Type::number_unsigned: return py::int_(json.get<uint64_t>());
    case Type::number_float:  // JSON writes a figure that is not known as null
        if (std::isnan(json.get<double>())) return py::none();
        return py::float_(json.get<double>());
    case Type::string: return py::str(json.get<std::string>());
    case Type::array: {
        py::list list;
        for (const auto& value : json) list.append(to_python(value));
        return list;
    }
    case Type::object: {
        py::dict dict;
        for (const auto& [key, value] : json.items()) dict[py::str(key)] = to_python(value);
        return dict;
    }
    default: return py::none();
    }
}

// A column of a table.
template <class T, class Points, class F>
pybind11::array_t<T> column(const Points& points, F&& value) {
    pybind11::array_t<T> array(static_cast<pybind11::ssize_t>(points.size()));
    T* out = array.mutable_data();
    for (const auto& point : points) *out++ = T(value(point));
    return array;
}

// Rows of numbers.
template <class T>
pybind11::array_t<T> table(const std::vector<T>& values, size_t columns) {
    pybind11::array_t<T> array({values.size() / columns, columns});
    std::copy(values.begin(), values.end(), array.mutable_data());
    return array;
}

}  // namespace rdt::python
