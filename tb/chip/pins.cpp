// SPDX-License-Identifier: MIT
// The package: 299 pins, of which the ten links take 260.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <string>

#include <rdt/core/format.h>

namespace {

// "DataW*rdt_pkg::NumPorts-1:0" and the like; nothing: one bit.
int width_of(std::string range) {
    if (range.empty()) return 1;
    EXPECT_EQ(range.substr(range.size() - 4), "-1:0") << range;
    range.erase(range.size() - 4);
    const std::map<std::string, int> known{
        {"DataW", rdt::FlitW}, {"rdt_pkg::NumPorts", rdt::NumPorts}, {"2", 2}};
    int width = 1;
    for (size_t from = 0, to = 0; to != std::string::npos; from = to + 1) {
        to = range.find('*', from);
        const auto factor = known.find(range.substr(from, to - from));
        EXPECT_NE(factor, known.end()) << range;
        if (factor != known.end()) width *= factor->second;
    }
    return width;
}

// Width of every port in a module's header.
std::map<std::string, int> ports_of(const std::string& file_name) {
    std::ifstream file(RDT_SOURCE_DIR "/rtl/" + file_name);
    EXPECT_TRUE(file) << file_name;
    const std::regex port(
        R"(^\s*(input|output|inout)\s+(logic|wire)\s*(\[([^\]]+)\])?\s*(\w+),?\s*(//.*)?$)");
    std::map<std::string, int> ports;
    std::smatch m;
    for (std::string line; std::getline(file, line) && line != ");";)
        if (std::regex_match(line, m, port)) ports[m[5]] = width_of(m[4]);
    return ports;
}

TEST(pins, ten_links_take_260_pins_and_the_package_holds_the_rest) {
    auto ports = ports_of("rdt_router.sv");
    ASSERT_EQ(ports.size(), 13u);
    // d_i, d_o and d_oe_o are the two directions and the enable of the same pins.
    EXPECT_EQ(ports["d_i"], ports["d_o"]);
    EXPECT_EQ(ports["d_i"], 18 * ports["d_oe_o"]);
    const int links =
        ports["d_i"] + ports["req_i"] + ports["req_o"] + ports["cred_i"] + ports["cred_o"];
    EXPECT_EQ(links, 260);
    EXPECT_EQ(links / ports["d_oe_o"], 26);
    int others = 0;
    for (const char* name : {"clk_i", "rst_ni", "err_o", "shoot_i", "slice_i", "slice_o"}) {
        EXPECT_EQ(ports[name], 1) << name;
        others += ports[name];
    }
    EXPECT_EQ(links + others, 266);
}

TEST(pins, package_has_270_of_299_pins) {
    auto ports = ports_of("rdt_pads.sv");
    EXPECT_EQ(ports["d_io"], 180);
    int all = 0;
    for (const auto& port : ports) all += port.second;
    EXPECT_EQ(all, 270);
    EXPECT_LT(all, 299);
}

}  // namespace
