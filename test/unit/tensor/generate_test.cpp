#include "lacuna/tensor/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <thread>

#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/sort.h"
#include "unit/tensor/samples.h"

namespace lacuna::generate_test {
namespace {

using testing::entries_of;
using testing::Entry;

std::vector<Entry> entries_of(const CoordinateList& list) {
  return testing::entries_of(build(list, coo_format(static_cast<int>(list.dimensions.size()))));
}

void expect_well_made(const CoordinateList& list, std::int64_t count) {
  EXPECT_EQ(list.size(), count);
  if (!list.coordinates.empty()) {
    EXPECT_EQ(sortedness(list.coordinates), Sortedness::SortedUnique);
  }
  for (const Entry& entry : entries_of(list)) {
    EXPECT_GT(entry.value, 0);
    if (list.values.type() == Type::Float64) {
      EXPECT_LE(entry.value, 1);
    }
  }
}

TEST(GenerateUniform, DrawsDistinctEntriesOfAnyOrder) {
  expect_well_made(generate_uniform({}, 1, 1), 1);
  expect_well_made(generate_uniform({100}, 10, 1), 10);
  expect_well_made(generate_uniform({30, 40}, 200, 2, Type::Int8), 200);
  expect_well_made(generate_uniform({3, 4, 5, 6, 7}, 500, 3, Type::Float32), 500);
  expect_well_made(generate_uniform({std::int64_t{1} << 40, std::int64_t{1} << 40}, 300, 4), 300);
}

TEST(GenerateUniform, FillsATensorToTheLastPosition) {
  for (const std::int64_t count : {0, 59, 60, 61, 119, 120})
    expect_well_made(generate_uniform({4, 5, 6}, count, 5), count);
}

TEST(GenerateUniform, RefusesMoreEntriesThanPositions) {
  EXPECT_THROW(generate_uniform({4, 5}, 21, 1), Error);
  EXPECT_THROW(generate_uniform({0, 5}, 1, 1), Error);
  EXPECT_THROW(generate_uniform({4, 5}, -1, 1), Error);
  EXPECT_THROW(generate_uniform({-4, 5}, 0, 1), Error);
}

TEST(GenerateUniform, GivesTheSameForTheSameSeedOnEveryMachine) {
  EXPECT_EQ(entries_of(generate_uniform({100, 100}, 50, 9)), entries_of(generate_uniform({100, 100}, 50, 9)));
  EXPECT_NE(entries_of(generate_uniform({100, 100}, 50, 9)), entries_of(generate_uniform({100, 100}, 50, 10)));
  const CoordinateList fixed = generate_uniform({1000}, 3, 1, Type::Int32);
  EXPECT_EQ(entries_of(fixed), (std::vector<Entry>{{{580}, 9}, {{763}, 2}, {{994}, 1}}));
}

TEST(GenerateRmat, GathersEntriesInTheFirstRows) {
  const CoordinateList list = generate_rmat(1000, 700, 5000, 1);
  expect_well_made(list, 5000);
  const auto rows = list.coordinates[0].view<std::int32_t>();
  EXPECT_GT(std::count_if(rows.begin(), rows.end(), [](int row) { return row < 500; }), 3500);
  expect_well_made(generate_rmat(1, 1, 1, 1), 1);
  EXPECT_EQ(generate_rmat(0, 5, 0, 1).size(), 0);
}

TEST(GenerateSkewed, FavoursSmallCoordinatesMoreTheSkewerItIs) {
  const auto small = [](double skew) {
    const CoordinateList list = generate_skewed({1000, 1000, 1000}, 3000, skew, 1);
    EXPECT_EQ(sortedness(list.coordinates), Sortedness::SortedUnique);
    const auto first = list.coordinates[0].view<std::int32_t>();
    return std::count_if(first.begin(), first.end(), [](int c) { return c < 10; });
  };
  EXPECT_GT(small(1.0), 300);
  EXPECT_LT(small(0.1), 100);
  EXPECT_THROW(generate_skewed({10}, 3, 0, 1), Error);
}

TEST(GenerateBanded, HoldsEveryEntryOfTheBand) {
  const CoordinateList list = generate_banded(5, 4, 1, 1);
  std::int64_t count = 0;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 4; ++j) count += std::abs(i - j) <= 1;
  }
  expect_well_made(list, count);
  for (const Entry& entry : entries_of(list)) EXPECT_LE(std::abs(entry.coordinate[0] - entry.coordinate[1]), 1);
  EXPECT_EQ(generate_banded(3, 3, std::numeric_limits<std::int64_t>::max(), 1).size(), 9);
  EXPECT_THROW(generate_banded(3, 3, -1, 1), Error);
}

TEST(GenerateStencil, HasRowsThatSumToTheMissingNeighbours) {
  const CoordinateList plane = generate_stencil_2d(4, 3);
  EXPECT_EQ(sortedness(plane.coordinates), Sortedness::SortedUnique);
  EXPECT_EQ(plane.size(), 5 * 12 - 2 * 4 - 2 * 3);
  std::map<std::int64_t, double> sums;
  for (const Entry& entry : entries_of(plane)) sums[entry.coordinate[0]] += entry.value;
  EXPECT_EQ(sums[0], 2);  // a corner lacks two neighbours
  EXPECT_EQ(sums[5], 0);
  const CoordinateList space = generate_stencil_3d(3, 3, 3, Type::Int16);
  EXPECT_EQ(sortedness(space.coordinates), Sortedness::SortedUnique);
  EXPECT_EQ(value_at(build(space, csr_format()), std::vector<std::int64_t>{13, 13}), Scalar(std::int16_t{6}));
  EXPECT_EQ(space.size(), 7 * 27 - 6 * 9);
  const Storage turned = transpose(build(plane, csr_format()), {1, 0});
  EXPECT_EQ(difference(turned, build(plane, csr_format()), {0, 0, true}), std::nullopt);
}

TEST(GenerateDense, FillsEveryPosition) {
  const Storage tensor = generate_dense({3, 4}, 1, Type::Complex64);
  EXPECT_EQ(tensor.stored(), 12);
  EXPECT_EQ(coordinates_of(tensor, false).size(), 12);
  EXPECT_THROW(generate_dense({std::int64_t{1} << 40, std::int64_t{1} << 40}, 1), Error);
}

/// What several make together, each in a thread of its own that waits for the others where they say something.
std::vector<CoordinateList> made_together(int count, const std::function<CoordinateList(const GeneratorShare&)>& make) {
  std::vector<CoordinateList> made(static_cast<std::size_t>(count));
  std::vector<std::int64_t> said(made.size());
  std::barrier all(count);
  std::vector<std::thread> threads;
  for (int k = 0; k < count; ++k) {
    const auto gather = [&, k](std::int64_t mine) {
      said[static_cast<std::size_t>(k)] = mine;
      all.arrive_and_wait();
      std::vector<std::int64_t> each = said;
      all.arrive_and_wait();
      return each;
    };
    threads.emplace_back([&, k, gather] { made[static_cast<std::size_t>(k)] = make({k, count, gather}); });
  }
  for (std::thread& each : threads) each.join();
  return made;
}

/// The shares, one behind the other, are all that one alone makes.
void expect_shares_of_all(const std::function<CoordinateList(const GeneratorShare&)>& make) {
  const CoordinateList all = make({});
  for (const int count : {2, 3, 7}) {
    std::int64_t at = 0;
    for (const CoordinateList& share : made_together(count, make)) {
      EXPECT_EQ(share.dimensions, all.dimensions);
      for (std::int64_t e = 0; e < share.size(); ++e, ++at) {
        ASSERT_LT(at, all.size());
        for (std::size_t m = 0; m < all.coordinates.size(); ++m)
          EXPECT_EQ(share.coordinates[m].integer(e), all.coordinates[m].integer(at));
        const int width = size_of(all.values.type());
        EXPECT_EQ(
            std::memcmp(static_cast<const char*>(share.values.data()) + e * width,
                        static_cast<const char*>(all.values.data()) + at * width, static_cast<std::size_t>(width)),
            0);
      }
    }
    EXPECT_EQ(at, all.size());
  }
}

TEST(GeneratorShare, IsAStretchOfWhatOneAloneMakes) {
  for (const Type type : {Type::Float64, Type::Int8, Type::Complex64}) {
    expect_shares_of_all([&](const GeneratorShare& s) { return generate_rmat(300, 200, 3000, 1, type, s); });
    expect_shares_of_all([&](const GeneratorShare& s) { return generate_banded(40, 30, 3, 1, type, s); });
    expect_shares_of_all([&](const GeneratorShare& s) { return generate_stencil_2d(5, 3, type, s); });
    expect_shares_of_all([&](const GeneratorShare& s) { return generate_stencil_3d(2, 3, 4, type, s); });
    expect_shares_of_all([&](const GeneratorShare& s) { return generate_skewed({9, 50, 40}, 900, 1.5, 1, type, s); });
    for (const std::int64_t count : {0, 1, 59, 61, 119, 120})
      expect_shares_of_all([&](const GeneratorShare& s) { return generate_uniform({2, 20, 3}, count, 1, type, s); });
  }
}

TEST(GeneratorShare, MayBeOfNothing) {
  expect_shares_of_all([](const GeneratorShare& s) { return generate_uniform({}, 1, 1, Type::Float64, s); });
  expect_shares_of_all([](const GeneratorShare& s) { return generate_uniform({0, 5}, 0, 1, Type::Float64, s); });
  expect_shares_of_all([](const GeneratorShare& s) { return generate_skewed({7}, 0, 1, 1, Type::Float64, s); });
  expect_shares_of_all([](const GeneratorShare& s) { return generate_rmat(0, 5, 0, 1, Type::Float64, s); });
  expect_shares_of_all([](const GeneratorShare& s) { return generate_rmat(1, 1, 1, 1, Type::Float64, s); });
}

/// Also where most entries have few coordinates of the first mode.
TEST(GeneratorShare, IsAboutAsLargeAsTheOthers) {
  const std::vector<CoordinateList> skewed = made_together(
      4, [](const GeneratorShare& s) { return generate_rmat(1 << 12, 1 << 12, 20000, 1, Type::Float64, s); });
  for (const CoordinateList& share : skewed) {
    EXPECT_GT(share.size(), 4000);
    EXPECT_LT(share.size(), 6500);
  }
}

/// What is left out is left out of what comes after it, too.
TEST(DenseValues, AreThoseOfADenseTensorWhereverTheyBegin) {
  for (const Type type : {Type::Bool, Type::Int8, Type::UInt64, Type::Float32, Type::Float64, Type::Complex128}) {
    const Storage all = generate_dense({6, 7}, 3, type);
    Storage some = generate_dense({6, 7}, 4, type);
    DenseValues values(3, type);
    auto* to = static_cast<std::byte*>(some.values.mutable_data());
    for (const auto& [first, count] : {std::pair(0, 2), {2, 5}, {9, 1}, {20, 0}, {30, 12}, {4, 8}}) {
      values.write(first, count, to + first * size_of(type));
      for (std::int64_t e = first; e < first + count; ++e) {
        const auto* expected = static_cast<const std::byte*>(all.values.data()) + e * size_of(type);
        EXPECT_EQ(Scalar::load(type, to + e * size_of(type)), Scalar::load(type, expected)) << type_name(type) << e;
      }
    }
  }
}

}  // namespace
}  // namespace lacuna::generate_test
