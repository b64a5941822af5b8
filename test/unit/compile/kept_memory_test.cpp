#include "lacuna/compile/kept_memory.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace lacuna {
namespace {

constexpr std::size_t large = std::size_t{64} << 20;

TEST(KeptMemory, HandsALargeBlockOutAgain) {
  KeptMemory kept;
  EXPECT_EQ(kept.take(large), nullptr);
  void* block = std::malloc(large);
  kept.give(block);
  EXPECT_EQ(kept.take(large), block);
  EXPECT_EQ(kept.take(large), nullptr) << "handed out twice";
  kept.give(block);
}

TEST(KeptMemory, KeepsWhatFits) {
  KeptMemory kept;
  void* block = std::malloc(large);
  kept.give(block);
  EXPECT_EQ(kept.take(2 * large), nullptr) << "too small";
  EXPECT_EQ(kept.take(large / 2), nullptr) << "a waste";
  EXPECT_EQ(kept.take(large - large / 16), block);
  kept.give(block);
  kept.give(nullptr);
  kept.give(std::malloc(100));
  EXPECT_EQ(kept.take(100), nullptr) << "small blocks are malloc's business";
}

}  // namespace
}  // namespace lacuna
