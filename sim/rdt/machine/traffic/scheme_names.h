// SPDX-License-Identifier: MIT
// Names of the schemes by which multicasts name their receivers.
#pragma once

#include <optional>
#include <string>

#include <rdt/core/format.h>

namespace rdt::machine {

inline const char* scheme_name(Type scheme) {
    return scheme == TypeMcLpra ? "lpra" : scheme == TypeMcLarp ? "larp" : "sm";
}

// None for anything that is no scheme.
inline std::optional<Type> multicast_scheme(const std::string& name) {
    for (const Type type : {TypeMcSm, TypeMcLpra, TypeMcLarp})
        if (name == scheme_name(type)) return type;
    return std::nullopt;
}

}  // namespace rdt::machine
