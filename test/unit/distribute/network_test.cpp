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
}

TEST(Network, RefusesWhatItIsNot) {
  for (const char* text : {"alpha", "alpha=", "alpha=us", "alpha=-2us", "alpha=2", "beta=3Gb/s", "speed=3GB/s", ","})
    EXPECT_THAT(message_of([&] { parse_network(text); }), testing::StartsWith("--network: ")) << text;
}

}  // namespace
}  // namespace lacuna
