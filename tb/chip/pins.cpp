// SPDX-License-Identifier: MIT
// The package: 299 pins, of which the ten links take 260.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <string>

namespace {

// Width of every port in the chip's module header.
std::map<std::string, int> ports_of_chip() {
    std::ifstream file(RDT_SOURCE_DIR "/rtl/rdt_router.sv");
    EXPECT_TRUE(file) << "rtl/rdt_router.sv";
    const std::regex port(R"(^\s*(input|output)\s+logic\s*(\[(\d+):0\])?\s*(\w+),?\s*$)");
    std::map<std::string, int> ports;
    std::smatch m;
    for (std::string line; std::getline(file, line) && line != ");";)
        if (std::regex_match(line, m, port)) ports[m[4]] = m[2].matched ? std::stoi(m[3]) + 1 : 1;
    return ports;
}

TEST(pins, ten_links_take_260_pins_and_the_package_holds_the_rest) {
    auto ports = ports_of_chip();
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
    EXPECT_LE(links + others, 299);
}

}  // namespace
