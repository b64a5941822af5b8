#include "lacuna/distribute/simulate/simulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/message_of.h"

namespace lacuna::network_test {
namespace {

TEST(Network, IsReadWithUnits) {
  const Network network = parse_network("alpha=500ns,beta=12.5GB/s,rate=2e9/s");
  EXPECT_DOUBLE_EQ(network.latency, 5e-7);
  EXPECT_DOUBLE_EQ(network.bandwidth, 12.5e9);
  EXPECT_DOUBLE_EQ(network.rate, 2e9);
  EXPECT_DOUBLE_EQ(parse_network("alpha=1ms").bandwidth, Network().bandwidth);
  EXPECT_TRUE(network.overlaps);
  EXPECT_FALSE(parse_network("overlap=no").overlaps);
  EXPECT_TRUE(parse_network("overlap=yes").overlaps);
}

TEST(Network, IsReadBackAsItIsPrinted) {
  for (const char* text :
       {"alpha=2us,beta=25GB/s,rate=1e+09/s", "alpha=0.51us,beta=8.25GB/s,rate=3.2e+08/s,overlap=no"})
    EXPECT_EQ(to_string(parse_network(text)), text);
}

TEST(Network, RefusesWhatItIsNot) {
  for (const char* text : {"alpha", "alpha=", "alpha=us", "alpha=-2us", "alpha=2", "beta=3Gb/s", "speed=3GB/s", ",",
                           "alpha=infs", "alpha=2us,alpha=3us", "overlap=maybe", "overlap=0"})
    EXPECT_THAT(message_of([&] { parse_network(text); }), ::testing::StartsWith("--network: ")) << text;
}

TEST(Network, HasNoOtherSettings) {
  for (const char* name : {"copy", "ranks", "in_place", "again", "gamma"})
    EXPECT_EQ(message_of([&] { parse_network(std::string("alpha=2us,") + name + "=1"); }),
              "--network: there is no '" + std::string(name) +
                  "'; there are alpha (latency), beta (bandwidth), rate (of loops) and overlap");
}

}  // namespace
}  // namespace lacuna::network_test
