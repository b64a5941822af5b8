#include "lacuna/tensor/sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "lacuna/tensor/integers.h"

namespace lacuna::sort_test {
namespace {

/// Random columns below `extents`; few distinct values so that stability shows.
std::vector<Array> random_columns(const std::vector<std::int64_t>& extents, std::int64_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Array> columns;
  for (const std::int64_t extent : extents) {
    Array column = Array::allocate(extent <= 0x7fffffff ? Type::Int32 : Type::Int64, size, false);
    with_mutable_coordinates(column, [&](auto view) {
      using T = typename decltype(view)::value_type;
      for (auto& c : view) {
        const auto few = static_cast<std::int64_t>(random() % 50) * (extent / 50 + 1);
        c = static_cast<T>(std::min(few, extent - 1));
      }
    });
    columns.push_back(column);
  }
  return columns;
}

void expect_sorts(const std::vector<std::int64_t>& extents, std::int64_t size, int threads) {
  const std::vector<Array> columns = random_columns(extents, size, static_cast<std::uint64_t>(size) + extents.size());
  std::vector<std::int64_t> expected(static_cast<std::size_t>(size));
  std::iota(expected.begin(), expected.end(), 0);
  std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t a, std::int64_t b) {
    for (const Array& column : columns) {
      if (column.integer(a) != column.integer(b)) return column.integer(a) < column.integer(b);
    }
    return false;
  });
  const Array order = sorted_order(columns, extents, threads);
  ASSERT_EQ(order.size(), size);
  for (std::int64_t e = 0; e < size; ++e) ASSERT_EQ(order.integer(e), expected[static_cast<std::size_t>(e)]);
}

TEST(SortedOrder, IsThatOfAStableSort) {
  constexpr std::int64_t huge = std::int64_t{1} << 60;
  for (const std::int64_t size : {0, 1, 2, 1000, 1025, 20000}) {
    expect_sorts({7}, size, 1);
    expect_sorts({1000000}, size, 1);
    expect_sorts({1000, 1, 3000}, size, 1);
    expect_sorts({huge}, size, 1);
    expect_sorts({huge, 100, huge}, size, 1);
    expect_sorts({1, 1}, size, 1);
    expect_sorts({1 << 20, 1 << 20, 1 << 20, 16}, size, 1);  // exactly 64 bits
  }
}

TEST(SortedOrder, IsTheSameForEveryThreadCount) {
  expect_sorts({3000, 4000}, 300000, 4);
  expect_sorts({std::int64_t{1} << 50, 4000}, 300000, 4);
}

TEST(SortednessOfColumns, TellsOrderAndRepetition) {
  const auto column = [](std::vector<std::int32_t> c) { return Array::of<std::int32_t>(c); };
  EXPECT_EQ(sortedness(std::vector<Array>{column({1, 2, 3})}), Sortedness::SortedUnique);
  EXPECT_EQ(sortedness(std::vector<Array>{column({1, 2, 2})}), Sortedness::Sorted);
  EXPECT_EQ(sortedness(std::vector<Array>{column({1, 3, 2})}), Sortedness::Unsorted);
  EXPECT_EQ(sortedness(std::vector<Array>{column({1, 1, 2}), column({0, 5, 0})}), Sortedness::SortedUnique);
  EXPECT_EQ(sortedness(std::vector<Array>{column({1, 1, 2}), column({5, 0, 0})}), Sortedness::Unsorted);
  EXPECT_EQ(sortedness(std::vector<Array>{column({1, 1, 2}), column({5, 5, 0})}), Sortedness::Sorted);
  EXPECT_EQ(sortedness(std::vector<Array>{column({})}), Sortedness::SortedUnique);
}

}  // namespace
}  // namespace lacuna::sort_test
