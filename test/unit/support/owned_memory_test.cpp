#include "lacuna/support/owned_memory.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace lacuna::owned_memory_test {
namespace {

constexpr std::size_t large = std::size_t{5} << 20;

std::span<std::uint8_t> bytes_of(const OwnedMemory& memory, std::size_t bytes) {
  return {static_cast<std::uint8_t*>(memory.get()), bytes};
}

TEST(OwnedMemory, IsAsLargeAsAskedForAndForAnyType) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{100}, large, large + 1}) {
    for (void* (*allocate)(std::size_t) : {allocate_unzeroed, allocate_zeroed}) {
      const OwnedMemory memory(allocate(bytes));
      ASSERT_NE(memory, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.get()) % alignof(std::max_align_t), 0U);
      EXPECT_GE(usable_bytes(memory.get()), bytes);
      const auto is_zero = [&] { return std::ranges::all_of(bytes_of(memory, bytes), [](auto b) { return b == 0; }); };
      EXPECT_TRUE(allocate == allocate_unzeroed || is_zero()) << bytes;
      std::ranges::fill(bytes_of(memory, bytes), std::uint8_t{7});
    }
  }
  EXPECT_EQ(usable_bytes(nullptr), 0U);
}

TEST(OwnedMemory, KeepsItsContentsWhenItIsResized) {
  OwnedMemory memory(resized(nullptr, 3));
  std::size_t size = 3;
  std::ranges::fill(bytes_of(memory, size), std::uint8_t{7});
  for (const std::size_t next : {std::size_t{1000}, large, 2 * large, large + 5, std::size_t{10}, std::size_t{20}}) {
    memory.reset(resized(memory.release(), next));
    ASSERT_NE(memory, nullptr);
    const auto kept = bytes_of(memory, std::min(size, next));
    EXPECT_TRUE(std::ranges::all_of(kept, [](std::uint8_t b) { return b == 7; })) << next;
    size = next;
    std::ranges::fill(bytes_of(memory, size), std::uint8_t{7});
  }
}

/// A processor takes a load for what is being stored where both have the same place in a megabyte.
TEST(OwnedMemory, OfLargeArraysBeginsAtDifferentPlacesOfAMegabyte) {
  std::vector<OwnedMemory> all;
  std::set<std::uintptr_t> places;
  for (int k = 0; k < 10; ++k) {
    all.emplace_back(allocate_unzeroed(large));
    const auto place = reinterpret_cast<std::uintptr_t>(all.back().get()) % (std::uintptr_t{1} << 20U);
    EXPECT_EQ(place % 64, 0U);
    places.insert(place);
  }
  EXPECT_EQ(places.size(), all.size());
}

TEST(OwnedMemory, IsNoneWhereThereIsNotSoMuch) {
  constexpr std::size_t too_much = std::numeric_limits<std::size_t>::max() - 5;
  EXPECT_EQ(allocate_unzeroed(too_much), nullptr);
  EXPECT_EQ(allocate_zeroed(too_much), nullptr);
  const OwnedMemory memory(allocate_unzeroed(8));
  EXPECT_EQ(resized(memory.get(), too_much), nullptr);
}

}  // namespace
}  // namespace lacuna::owned_memory_test
