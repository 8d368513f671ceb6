// SPDX-License-Identifier: MIT
#include <rdt/machine/measure/parts.h>

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <stdexcept>

namespace rdt::machine {

namespace {

constexpr uint32_t MostParts = 10000;  // as many as a sweep has points

std::optional<Part> between(const std::string& text, const std::string& sign) {
    const size_t at = text.find(sign);
    if (at == std::string::npos) return std::nullopt;
    const auto read = [](const std::string& digits, uint32_t& value) {
        const char* end = digits.data() + digits.size();
        const auto [to, error] = std::from_chars(digits.data(), end, value);
        return error == std::errc() && to == end;
    };
    Part part;
    const bool are_numbers =
        read(text.substr(0, at), part.number) && read(text.substr(at + sign.size()), part.of);
    if (!are_numbers || part.number >= part.of || part.of > MostParts) return std::nullopt;
    return part;
}

}  // namespace

Part read_part(const std::string& text) {
    const std::optional<Part> part = between(text, "/");
    if (!part)
        throw std::invalid_argument(fmt::format(
            "--part is 0/N to N-1/N with N up to {}, as 3/16, not {}", MostParts, text));
    return *part;
}

std::string to_string(const Part& part) { return fmt::format("{}/{}", part.number, part.of); }

std::string part_file(const std::string& csv, const Part& part) {
    return fmt::format("{}.{}-of-{}", csv, part.number, part.of);
}

std::vector<std::string> part_files(const std::string& csv) {
    const std::filesystem::path path(csv);
    const std::string prefix = path.filename().string() + ".";
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    std::vector<std::string> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.rfind(prefix, 0) == 0 && between(name.substr(prefix.size()), "-of-"))
            files.push_back((path.parent_path() / name).string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<double> loads_of(const std::vector<double>& all, const Part& part) {
    std::vector<double> loads;
    for (size_t i = part.number; i < all.size(); i += part.of) loads.push_back(all[i]);
    return loads;
}

std::vector<SweepPoint> merged(const std::vector<PointsOfFile>& files) {
    struct Found {
        SweepPoint point;
        std::string file;
    };
    std::map<double, Found> all;
    const auto is_same = [](const SweepPoint& a, const SweepPoint& b) {
        return to_csv({a}, Swept::Packets, "") == to_csv({b}, Swept::Packets, "");
    };
    for (const PointsOfFile& file : files)
        for (const SweepPoint& p : file.points) {
            const auto [it, is_new] = all.insert({p.load, {p, file.name}});
            if (!is_new && !is_same(it->second.point, p))
                throw std::invalid_argument(
                    fmt::format("{} and {} do not agree about load {:g} (remove one of them)",
                                it->second.file, file.name, p.load));
        }
    std::vector<SweepPoint> points;
    for (const auto& [load, found] : all) points.push_back(found.point);
    return points;
}

std::optional<double> saturated_in(const std::vector<SweepPoint>& points) {
    for (const SweepPoint& p : points)
        if (p.saturated) return p.load;
    return std::nullopt;
}

}  // namespace rdt::machine
