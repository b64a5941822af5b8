#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/convert.h"
#include "unit/tensor/samples.h"

namespace lacuna::round_trip_test {
namespace {

using testing::entries_of;
using testing::Entry;
using testing::every_format;
using testing::random_list;

/// The sums by coordinate, computed without the library.
std::map<std::vector<std::int64_t>, double> sums_of(const CoordinateList& list) {
  std::map<std::vector<std::int64_t>, double> sums;
  for (std::int64_t e = 0; e < list.size(); ++e) {
    std::vector<std::int64_t> coordinate;
    for (const Array& column : list.coordinates) coordinate.push_back(column.integer(e));
    sums[coordinate] += list.values.view<double>()[static_cast<std::size_t>(e)];
  }
  return sums;
}

std::vector<Entry> sorted(std::vector<Entry> entries) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.coordinate < b.coordinate; });
  return entries;
}

/// A tensor holds the sums when each of its entries is one of them, or a zero that a dense level had to store.
void expect_holds(const Storage& tensor, const std::map<std::vector<std::int64_t>, double>& sums) {
  std::size_t found = 0;
  const std::vector<Entry> entries = entries_of(tensor);
  EXPECT_EQ(tensor.stored(), static_cast<std::int64_t>(entries.size()));
  for (const Entry& entry : entries) {
    const auto sum = sums.find(entry.coordinate);
    if (sum != sums.end()) ++found;
    EXPECT_EQ(entry.value, sum == sums.end() ? 0 : sum->second);
    EXPECT_EQ(value_at(tensor, entry.coordinate).as<double>(), entry.value);
  }
  EXPECT_EQ(found, sums.size());
  const bool has_dense = std::any_of(tensor.format.levels().begin(), tensor.format.levels().end(),
                                     [](const LevelFormat& level) { return level.full(); });
  if (!has_dense && tensor.order() > 0) {
    EXPECT_EQ(entries.size(), sums.size());
  }
}

/// The walk and the bulk reading of one tensor are two programs that must agree.
void expect_same_reading(const Storage& tensor) {
  const CoordinateList list = coordinates_of(tensor);
  const std::vector<Entry> entries = entries_of(tensor);
  ASSERT_EQ(list.size(), static_cast<std::int64_t>(entries.size()));
  for (std::size_t e = 0; e < entries.size(); ++e) {
    for (std::size_t m = 0; m < list.coordinates.size(); ++m) {
      ASSERT_EQ(list.coordinates[m].integer(static_cast<std::int64_t>(e)), entries[e].coordinate[m]);
    }
    ASSERT_EQ(list.values.view<double>()[e], entries[e].value);
  }
}

class EveryFormat : public ::testing::TestWithParam<int> {};

TEST_P(EveryFormat, HoldsWhatWasBuilt) {
  const std::vector<std::int64_t> shapes[] = {{5, 4, 6}, {1, 7, 2}, {3, 0, 2}, {2, 3, 1}};
  for (const auto& shape : shapes) {
    const std::vector<std::int64_t> dimensions(shape.begin(), shape.begin() + GetParam());
    for (const std::int64_t count : {0, 1, 12, 40}) {
      const CoordinateList list = random_list(dimensions, count, static_cast<std::uint64_t>(count) + 7);
      const auto sums = sums_of(list);
      for (const Format& format : every_format(GetParam())) {
        SCOPED_TRACE(format.to_string());
        const Storage tensor = build(list, format);
        expect_holds(tensor, sums);
        expect_same_reading(tensor);
      }
    }
  }
}

TEST_P(EveryFormat, ConvertsToEveryOtherWithTheSamePattern) {
  const std::vector<std::int64_t> all = {3, 4, 2};
  const std::vector<std::int64_t> dimensions(all.begin(), all.begin() + GetParam());
  const CoordinateList list = random_list(dimensions, 9, 3);
  for (const Format& from : every_format(GetParam())) {
    const Storage source = build(list, from);
    const std::vector<Entry> entries = sorted(entries_of(source));
    for (const Format& to : every_format(GetParam())) {
      SCOPED_TRACE(from.to_string() + " to " + to.to_string());
      const Storage target = convert(source, to);
      EXPECT_EQ(target.format, to);
      EXPECT_EQ(difference(source, target), std::nullopt);
      const bool keeps_pattern = !from.is_dense() && std::none_of(to.levels().begin(), to.levels().end(),
                                                                  [](const LevelFormat& l) { return l.full(); });
      if (keeps_pattern) {
        EXPECT_EQ(sorted(entries_of(target)), entries);
        EXPECT_EQ(difference(source, target, {0, 0, true}), std::nullopt);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OfOrder, EveryFormat, ::testing::Range(0, 4));

TEST(RoundTrip, OfRandomFormatsUpToOrderEightKeepsEveryEntry) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 200; ++round) {
    const int order = 4 + static_cast<int>(random() % 5);
    std::vector<std::int64_t> dimensions;
    for (int m = 0; m < order; ++m) dimensions.push_back(1 + static_cast<std::int64_t>(random() % 3));
    const auto random_format = [&] {
      std::vector<LevelFormat> levels;
      for (int k = 0; k < order; ++k) {
        const bool chain = k > 0 && !levels.back().unique;
        const LevelKind kinds[] = {LevelKind::Dense, LevelKind::Compressed, LevelKind::Bitmap, LevelKind::Hashed};
        LevelFormat level{chain ? LevelKind::Singleton : kinds[random() % 4], true, true};
        const bool may_chain = level.kind == LevelKind::Compressed || chain;
        level.unique = !(may_chain && k + 1 < order && random() % 2 == 0);
        levels.push_back(level);
      }
      std::vector<int> modes(static_cast<std::size_t>(order));
      std::iota(modes.begin(), modes.end(), 0);
      std::shuffle(modes.begin(), modes.end(), random);
      return Format(levels, LevelMap(modes));
    };
    const CoordinateList list = random_list(dimensions, 30, random());
    const auto sums = sums_of(list);
    const Storage first = build(list, random_format());
    expect_holds(first, sums);
    expect_same_reading(first);
    const Storage second = convert(first, random_format());
    EXPECT_EQ(difference(first, second), std::nullopt)
        << first.format.to_string() << " to " << second.format.to_string();
  }
}

}  // namespace
}  // namespace lacuna::round_trip_test
