// SPDX-License-Identifier: MIT
#include "cli/old_names.h"

#include <fmt/format.h>

#include <map>

#include <rdt/support/complain.h>

namespace rdt {

std::vector<std::string> with_new_names(const std::vector<std::string>& arguments) {
    using Words = std::vector<std::string>;
    static const std::map<std::string, Words> names{
        {"blocks", {"--engine", "systemc"}},
        {"events", {"--engine", "fast"}},
        {"lockstep", {"--engine", "rtl", "--check", "systemc"}},
    };
    const std::string option = "--engine";
    Words words;
    for (size_t i = 0; i < arguments.size(); ++i) {
        const bool has_value = arguments[i].rfind(option + "=", 0) == 0;
        const bool is_next = arguments[i] == option && i + 1 < arguments.size();
        const auto found = names.find(has_value ? arguments[i].substr(option.size() + 1)
                                      : is_next ? arguments[i + 1]
                                                : "");
        if (found == names.end()) {
            words.push_back(arguments[i]);
            continue;
        }
        complain(fmt::format("warning: --engine {} is now {}", found->first,
                             fmt::join(found->second, " ")));
        words.insert(words.end(), found->second.begin(), found->second.end());
        if (is_next) ++i;
    }
    return words;
}

}  // namespace rdt
