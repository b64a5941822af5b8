#include "lacuna/distribute/sets/index_set.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "fuzz/statement/random.h"

namespace lacuna::index_set_test {
namespace {

using fuzz::Random;

IndexSet set_of(const std::set<std::int64_t>& numbers) {
  return IndexSet::of_coordinates({numbers.begin(), numbers.end()});
}

/// Long stretches, or single numbers; few or many; or blocks, now and then with something more or less.
std::set<std::int64_t> draw(Random& random) {
  std::set<std::int64_t> numbers;
  if (random.percent(40)) {
    const int length = 1 + random.below(3), period = length + 1 + random.below(3), first = random.below(6);
    for (int i = first; i < first + 200 + random.below(200); ++i)
      if (i % period < length) numbers.insert(i);
    if (random.percent(20)) numbers.erase(random.below(400));
    if (random.percent(20)) numbers.insert(random.below(400));
    return numbers;
  }
  const bool many = random.percent(40);
  const int stretches = random.below(many ? 150 : 6), longest = random.percent(50) ? 1 : 20;
  for (int s = 0; s < stretches; ++s) {
    const int begin = random.below(many ? 400 : 60);
    for (int i = begin; i < begin + 1 + random.below(longest); ++i) numbers.insert(i);
  }
  return numbers;
}

TEST(IndexSet, DoesWhatSetsDo) {
  std::array<int, 4> kept{};  // ways
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    const std::set<std::int64_t> a = draw(random), b = draw(random);
    std::set<std::int64_t> both, either = a, only;
    for (const std::int64_t i : a) (b.count(i) > 0 ? both : only).insert(i);
    either.insert(b.begin(), b.end());
    const IndexSet x = set_of(a), y = set_of(b);
    SCOPED_TRACE(x.to_string() + " and " + y.to_string());
    ASSERT_EQ(x & y, set_of(both));
    ASSERT_EQ(x | y, set_of(either));
    ASSERT_EQ(x - y, set_of(only));
    ASSERT_EQ(x.size(), std::ssize(a));
    std::vector<std::int64_t> ranks_of_both;
    for (const std::int64_t i : both) ranks_of_both.push_back(std::distance(a.begin(), a.find(i)));
    ASSERT_EQ(ranks_of(x & y, x), IndexSet::of_coordinates(ranks_of_both));
    std::int64_t less = 0;
    for (std::int64_t i = -1; i < 430; ++i) {
      ASSERT_EQ(x.contains(i), a.count(i) > 0) << i;
      ASSERT_EQ(x.rank(i), less) << i;
      less += a.count(i) > 0 ? 1 : 0;
    }
    kept[x.keeps_bits() ? 0 : x.keeps_coordinates() ? 1 : x.keeps_blocks() ? 2 : 3]++;
    ASSERT_EQ(x.stretches(), std::ssize(x.intervals()));
    std::int64_t at_rank = 0;
    for (const std::int64_t i : a) ASSERT_EQ(x.number(at_rank++), i);
    const Interval part{random.below(60), 20 + random.below(300)};
    std::set<std::int64_t> inside;
    for (const std::int64_t i : a)
      if (part.contains(i)) inside.insert(i);
    ASSERT_EQ(x.within(part), set_of(inside));
    for (const Interval& around :
         {part, Interval{0, 430}, Interval{x.bounds().begin - 1, x.bounds().end + 1}, x.bounds()}) {
      std::set<std::int64_t> rest;
      for (std::int64_t i = around.begin; i < around.end; ++i)
        if (a.count(i) == 0) rest.insert(i);
      ASSERT_EQ(IndexSet::range(around) - x, set_of(rest));
    }
    std::vector<Interval> runs;
    x.for_each_interval_within(part, [&](const Interval& run) { runs.push_back(run); });
    ASSERT_EQ(runs, set_of(inside).intervals());
    std::vector<std::uint8_t> marks(500);
    for (const std::int64_t i : a) marks[static_cast<std::size_t>(i)] = 1;
    const int first = random.between(-100, 100);
    std::set<std::int64_t> shifted;
    for (const std::int64_t i : a) shifted.insert(i + first);
    ASSERT_EQ(IndexSet::of_marks(first, marks), set_of(shifted));
    ASSERT_EQ(x.shifted(first), set_of(shifted));
    std::vector<std::int64_t> numbers{7};
    x.append_to(numbers);
    y.append_to(numbers);
    std::size_t at = 1;
    ASSERT_EQ(IndexSet::read_from(numbers, at), x);
    ASSERT_EQ(IndexSet::read_from(numbers, at), y);
    ASSERT_EQ(at, numbers.size());
    const Interval ranks{random.below(10), 3 + random.below(40)};
    std::set<std::int64_t> some;
    std::int64_t rank = 0;
    for (const std::int64_t i : a) {
      if (ranks.contains(rank++)) some.insert(i);
    }
    ASSERT_EQ(x.slice(ranks), set_of(some));
  }
  for (const int times : kept) EXPECT_GT(times, 100);
}

enum class Way { Bits, Coordinates, Blocks, Intervals };

Way way_of(const IndexSet& set) {
  if (set.keeps_bits()) return Way::Bits;
  if (set.keeps_coordinates()) return Way::Coordinates;
  return set.keeps_blocks() ? Way::Blocks : Way::Intervals;
}

/// Ascending numbers from `first` on that a set keeps in the given way.
std::vector<std::int64_t> numbers_kept(Way way, std::int64_t first, Random& random) {
  std::vector<std::int64_t> numbers;
  std::int64_t at = first + random.below(1000);
  for (int k = 0; k < 300; ++k) {
    if (way == Way::Bits) at += 1 + random.below(3);
    if (way == Way::Coordinates) at += 1 + random.below(400);
    if (way == Way::Blocks) at += k % 2 == 0 ? 1 : 6;
    if (way == Way::Intervals) at += k % 30 == 0 ? 1 + random.below(900) : 1;
    numbers.push_back(at);
  }
  return numbers;
}

TEST(IndexSet, CombinesSetsThatAreKeptInAnyTwoWays) {
  constexpr std::array ways = {Way::Bits, Way::Coordinates, Way::Blocks, Way::Intervals};
  const auto made = [](const std::vector<std::int64_t>& numbers) {
    IndexSetBuilder builder;
    for (const std::int64_t i : numbers) builder.add(i);
    return builder.finish();
  };
  for (const std::int64_t first : {std::int64_t{0}, std::int64_t{-500}, std::int64_t{1} << 50}) {
    for (std::size_t k = 0; k < 16 * 20; ++k) {
      Random random(k);
      // Now and then the second set is far away from the first one.
      const std::vector<std::int64_t> a = numbers_kept(ways[k % 4], first, random);
      const std::vector<std::int64_t> b = numbers_kept(ways[k / 4 % 4], random.percent(10) ? 1 << 30 : first, random);
      std::vector<std::int64_t> either, both, only;
      std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(either));
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
      std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only));
      const IndexSet x = IndexSet::of_coordinates(a), y = made(b);
      ASSERT_EQ(x, made(a));
      ASSERT_EQ(way_of(x), ways[k % 4]);
      ASSERT_EQ(way_of(y), ways[k / 4 % 4]);
      ASSERT_EQ(x | y, made(either)) << "seed " << k;
      ASSERT_EQ(x & y, made(both)) << "seed " << k;
      ASSERT_EQ(x - y, made(only)) << "seed " << k;
    }
  }
}

TEST(IndexSet, KeepsWhatIsTheLeast) {
  const IndexSet stretches = IndexSet::of_intervals({{100, 200}, {0, 50}, {40, 60}});
  const IndexSet far = IndexSet::of_coordinates({900, 1, 500, 500, 300});
  const IndexSet near = IndexSet::of_coordinates({9, 1, 5, 5, 3});
  EXPECT_FALSE(stretches.keeps_coordinates() || stretches.keeps_bits());
  EXPECT_EQ(stretches.intervals(), (std::vector<Interval>{{0, 60}, {100, 200}}));
  EXPECT_TRUE(far.keeps_coordinates());
  EXPECT_TRUE(near.keeps_bits());
  EXPECT_EQ(far.to_string(), "{1, 300, 500, 900}");
  EXPECT_EQ(near.to_string(), "{1, 3, 5, 9}");
  EXPECT_EQ(stretches.to_string(), "{0-59, 100-199}");
  EXPECT_EQ(IndexSet::of_coordinates({2, 3, 4}), IndexSet::range(2, 5));
}

/// More than are kept as intervals while they come: close to each other, then far, then again close, and few of them
/// long.
TEST(IndexSet, IsMadeOfVeryManyIntervals) {
  const auto expect = [](const std::vector<Interval>& intervals) {
    IndexSetBuilder builder;
    std::int64_t size = 0;
    for (const Interval& each : intervals) {
      builder.add(each);
      size += each.size();
    }
    const IndexSet set = builder.finish();
    EXPECT_EQ(set.size(), size);
    EXPECT_TRUE(set.intervals() == intervals);
    EXPECT_EQ(builder.finish(), IndexSet());  // begins anew
    return set;
  };
  std::vector<Interval> all;
  for (std::int64_t k = 0; k < 200000; ++k) all.push_back({4 * k + 1, 4 * k + 3});
  EXPECT_TRUE(expect(all).keeps_blocks());
  for (std::int64_t k = 0; k < 200000; k += 7) --all[static_cast<std::size_t>(k)].end;
  EXPECT_TRUE(expect(all).keeps_bits());
  const std::int64_t far = std::int64_t{1} << 50;
  std::vector<Interval> apart = all;
  apart.push_back({far, far + 5});
  expect(apart);
  for (const Interval& each : all) apart.push_back({far + 10 + each.begin, far + 10 + each.end});
  expect(apart);
  all.clear();
  for (std::int64_t k = 0; k < 200000; ++k) all.push_back({90 * k, 90 * k + 1});  // numbers take less than bits
  expect(all);
  all.clear();
  for (std::int64_t k = 0; k < 200000; ++k) all.push_back({k * k, k * k + (k > 10 ? 7 : 1)});
  all.erase(all.begin(), all.begin() + 2);
  expect(all);
}

TEST(IndexSet, IsMadeOfBlocks) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    const int begin = random.below(300) - 150, end = begin + random.below(random.percent(50) ? 2000 : 20);
    const int length = 1 + random.below(random.percent(50) ? 3 : 200), period = length + random.below(300);
    std::vector<std::int64_t> numbers;
    for (int i = begin; i < end; ++i)
      if ((i - begin) % period < length) numbers.push_back(i);
    EXPECT_EQ(IndexSet::of_blocks({begin, end}, length, period), IndexSet::of_coordinates(numbers))
        << length << " of each " << period << " from " << begin << " to " << end;
  }
  // However many there are; and what is found out about single numbers is the same.
  const IndexSet very_many = IndexSet::of_blocks({0, std::int64_t{1} << 60}, 3, 8);
  EXPECT_TRUE(very_many.keeps_blocks());
  EXPECT_EQ(very_many.size(), 3 * (std::int64_t{1} << 57));
  EXPECT_EQ((IndexSet::range(0, std::int64_t{1} << 60) - very_many).size(), 5 * (std::int64_t{1} << 57));
  EXPECT_EQ(very_many & IndexSet::of_blocks({4, std::int64_t{1} << 60}, 3, 8), IndexSet());
  EXPECT_EQ(very_many & IndexSet::of_blocks({16, std::int64_t{1} << 59}, 3, 8),
            very_many.within({16, std::int64_t{1} << 59}));
  EXPECT_EQ(very_many.within({1, 8 * 64 + 1}), very_many.within({1, 8 * 64 + 1}) & very_many);
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 80; i < 80 + 8 * 64; ++i)
    if (i % 8 < 3) numbers.push_back(i);
  EXPECT_EQ(very_many.within({80, 80 + 8 * 64}), IndexSet::of_coordinates(numbers));
  constexpr std::int64_t many = std::int64_t{1} << 60;
  EXPECT_EQ(IndexSet::of_blocks({0, many + 3}, 5, many).intervals(), (std::vector<Interval>{{0, 5}, {many, many + 3}}));
}

TEST(IndexSet, TheEmptySetIsOne) {
  EXPECT_TRUE(IndexSet().empty());
  EXPECT_EQ(IndexSet::range(5, 5), IndexSet());
  EXPECT_EQ(IndexSet::range(0, 3) & IndexSet::range(7, 9), IndexSet());
  EXPECT_TRUE(IndexSet().is_interval());
  EXPECT_EQ(IndexSet().to_string(), "{}");
}

}  // namespace
}  // namespace lacuna::index_set_test
