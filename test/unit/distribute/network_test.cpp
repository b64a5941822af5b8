#include "lacuna/distribute/simulate/simulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/message_of.h"

namespace lacuna {
namespace {

TEST(Network, IsReadWithUnits) {
  const Network network = parse_network("alpha=500ns,beta=12.5GB/s,rate=2e9/s");
  EXPECT_DOUBLE_EQ(network.latency, 5e-7);
  EXPECT_DOUBLE_EQ(network.bandwidth, 12.5e9);
  EXPECT_DOUBLE_EQ(network.rate, 2e9);
  EXPECT_DOUBLE_EQ(parse_network("alpha=1ms").bandwidth, Network().bandwidth);
  const Network all = parse_network("copy=5GB/s,ranks=3,overlap=no,in_place=64kB,again=yes");
  EXPECT_DOUBLE_EQ(all.copying, 5e9);
  EXPECT_EQ(all.ranks, 3);
  EXPECT_FALSE(all.overlaps);
  EXPECT_EQ(all.in_place, 64'000);
  EXPECT_TRUE(all.again);
  EXPECT_FALSE(Network().again);
}

TEST(Network, IsReadBackAsItIsPrinted) {
  for (const char* text :
       {"alpha=2us,beta=25GB/s,rate=1e+09/s", "alpha=2us,beta=25GB/s,rate=1e+09/s,in_place=1MB",
        "alpha=0.51us,beta=8.25GB/s,rate=3.2e+08/s,copy=4.5GB/s,ranks=4,overlap=no,in_place=1500kB,again=yes"})
    EXPECT_EQ(to_string(parse_network(text)), text);
}

TEST(Network, RefusesWhatItIsNot) {
  for (const char* text : {"alpha", "alpha=", "alpha=us", "alpha=-2us", "alpha=2", "beta=3Gb/s", "speed=3GB/s", ",",
                           "ranks=0", "ranks=1.5", "ranks=", "alpha=infs", "alpha=2us,alpha=3us", "overlap=maybe",
                           "again=often", "copy=3", "in_place=1", "in_place=no"})
    EXPECT_THAT(message_of([&] { parse_network(text); }), testing::StartsWith("--network: ")) << text;
}

}  // namespace
}  // namespace lacuna
