// Parts of tensors: what is cut out of them, and how dense ones are copied, against element by element.

#include <numeric>

#include <gtest/gtest.h>

#include <fmt/ranges.h>

#include "fuzz/statement/random.h"
#include "lacuna/distribute/parts/dense_copy.h"
#include "lacuna/distribute/parts/dense_part.h"
#include "lacuna/distribute/parts/dense_view.h"
#include "lacuna/distribute/parts/restrict.h"
#include "lacuna/distribute/parts/rows_within.h"
#include "lacuna/format/format.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::parts_test {
namespace {

using fuzz::Random;

IndexSet draw_set(Random& random, const IndexSet& of) {
  if (of.empty()) return of;
  std::vector<std::int64_t> some;
  const int how = random.below(4);
  if (how == 0) return of;
  std::int64_t rank = 0;
  const std::int64_t begin = random.below(static_cast<int>(of.size())),
                     end = random.between(static_cast<int>(begin), static_cast<int>(of.size()));
  of.for_each_interval([&](const Interval& run) {
    for (std::int64_t c = run.begin; c < run.end; ++c, ++rank)
      if (how == 1 ? rank >= begin && rank <= end : random.below(how) != 0) some.push_back(c);
  });
  return IndexSet::of_coordinates(std::move(some));
}

std::vector<IndexSet> draw_region(Random& random, const std::vector<IndexSet>& of) {
  std::vector<IndexSet> region;
  for (const IndexSet& set : of) region.push_back(draw_set(random, set));
  return region;
}

/// Entries by their coordinates in the whole.
std::map<std::vector<std::int64_t>, double> entries_of(const LocalPart& part) {
  const CoordinateList list = coordinates_of(part.storage);
  std::map<std::vector<std::int64_t>, double> entries;
  for (std::int64_t e = 0; e < list.size(); ++e) {
    std::vector<std::int64_t> at;
    for (std::size_t m = 0; m < part.sets.size(); ++m)
      at.push_back(
          part.sets[m].slice({list.coordinates[m].integer(e), list.coordinates[m].integer(e) + 1}).bounds().begin);
    entries[at] = list.values.view<double>()[static_cast<std::size_t>(e)];
  }
  return entries;
}

std::map<std::vector<std::int64_t>, double> entries_within(const LocalPart& part, const std::vector<IndexSet>& region) {
  std::map<std::vector<std::int64_t>, double> some;
  for (const auto& [at, value] : entries_of(part)) {
    bool inside = true;
    for (std::size_t m = 0; m < at.size(); ++m) inside = inside && region[m].contains(at[m]);
    if (inside) some[at] = value;
  }
  return some;
}

TEST(Restricted, KeepsTheEntriesOfARegion) {
  const std::vector<std::pair<const char*, int>> formats = {{"compressed", 1},
                                                            {"csr", 2},
                                                            {"csc", 2},
                                                            {"dcsr", 2},
                                                            {"compressed,dense", 2},
                                                            {"csf", 3},
                                                            {"dense,compressed,compressed", 3},
                                                            {"compressed,dense,compressed:2,0,1", 3},
                                                            {"dense,compressed,dense", 3},
                                                            {"compressed,compressed(unordered),dense", 3}};
  int cut_twice = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    for (const auto& [name, order] : formats) {
      SCOPED_TRACE(fmt::format("{}, seed {}", name, seed));
      Random random(seed);
      std::vector<std::int64_t> dimensions;
      std::int64_t size = 1;
      for (int m = 0; m < order; ++m) size *= dimensions.emplace_back(random.between(1, 12));
      const Storage whole = build(generate_uniform(dimensions, random.below(static_cast<int>(size) + 1), seed),
                                  parse_format(name, order));
      LocalPart part = whole_part(whole);
      for (int times = 0; times < 2; ++times) {  // of the whole, and of a part that has gaps itself
        const std::vector<IndexSet> region = draw_region(random, part.sets);
        if (volume_of(region) == 0) break;
        const std::optional<LocalPart> fewer = restricted(part, region);
        ASSERT_TRUE(fewer.has_value());
        ASSERT_NO_THROW(validate(fewer->storage, "the part"));
        EXPECT_EQ(fewer->sets, region);
        EXPECT_EQ(entries_of(*fewer), entries_within(part, region));
        for (int k = 1; k < order; ++k) {
          const LevelStorage& level = fewer->storage.levels[static_cast<std::size_t>(k)];
          for (std::int64_t p = 0; level.nonempty && p + 1 < level.pos.size(); ++p)
            EXPECT_LT(level.pos.integer(p), level.pos.integer(p + 1));
        }
        cut_twice += times;
        part = *fewer;
      }
    }
  }
  EXPECT_GT(cut_twice, 100);
}

TEST(Restricted, LeavesOtherLevelsToOthers) {
  for (const char* name : {"coo", "bitmap", "hashed", "dense"}) {
    const LocalPart part = whole_part(build(generate_uniform({4, 4}, 6, 1), parse_format(name, 2)));
    EXPECT_FALSE(restricted(part, {IndexSet::range(0, 2), IndexSet::range(1, 3)}).has_value()) << name;
  }
}

/// Nearly all entries lie under some coordinates of a mode; the first row or the last one may have others beside.
CoordinateList nearly_within(const std::vector<std::int64_t>& dimensions, std::size_t mode, const Interval& within,
                             int exceptions, std::uint64_t seed) {
  Random random(seed);
  CoordinateList list = generate_uniform(dimensions, 240, seed);
  auto cut = list.coordinates[mode].mutable_view<std::int32_t>();
  for (std::int32_t& c : cut) c = static_cast<std::int32_t>(within.begin + c % within.size());
  const std::int64_t row = random.below(2) * (dimensions[mode == 0 ? 1 : 0] - 1);
  for (std::size_t e = 0; e < cut.size() && exceptions > 0; ++e) {
    if (list.coordinates[mode == 0 ? 1 : 0].integer(static_cast<std::int64_t>(e)) != row) continue;
    cut[e] = static_cast<std::int32_t>(random.below(2) == 0 && within.begin > 0 ? 0 : dimensions[mode] - 1);
    --exceptions;
  }
  return list;
}

TEST(RowsWithin, AreAllEntriesOfTheseRows) {
  const std::vector<std::tuple<const char*, int, int>> formats = {{"csr", 2, 1},
                                                                  {"csc", 2, 0},
                                                                  {"dcsr", 2, 1},
                                                                  {"csf", 3, 1},
                                                                  {"csf", 3, 2},
                                                                  {"dense,compressed,compressed", 3, 2},
                                                                  {"dense,compressed,dense", 3, 1},
                                                                  {"dense,compressed(nonunique),singleton", 3, 1}};
  int with_others = 0, without = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const auto& [name, order, mode] : formats) {
      SCOPED_TRACE(fmt::format("{}, mode {}, seed {}", name, mode, seed));
      Random random(seed);
      const std::vector<std::int64_t> dimensions =
          order == 2 ? std::vector<std::int64_t>{60, 60} : std::vector<std::int64_t>{60, 20, 20};
      const auto m = static_cast<std::size_t>(mode);
      const Interval within{random.below(8), dimensions[m] - random.below(8) - 1};
      const LocalPart whole =
          whole_part(build(nearly_within(dimensions, m, within, random.below(3), seed), parse_format(name, order)));
      std::vector<IndexSet> region = whole.sets;  // a part that has gaps
      const std::size_t row_mode = mode == 0 ? 1 : 0;
      if (seed % 2 == 0) region[row_mode] = region[row_mode] - IndexSet::range(20, 23);
      const LocalPart part = cut(whole, region);
      std::optional<RowsWithin> rows = RowsWithin::of(part, mode, IndexSet::range(within));
      ASSERT_TRUE(rows.has_value());
      EXPECT_TRUE((rows->others() & part.sets[row_mode]) == rows->others());
      std::vector<IndexSet> theirs = part.sets;
      theirs[row_mode] = theirs[row_mode] - rows->others();
      const auto expected = entries_within(part, theirs);
      theirs[m] = IndexSet::range(within);
      LocalPart got{part.sets, rows->in(part.storage)};
      got.sets[m] = theirs[m];
      ASSERT_NO_THROW(validate(got.storage, "the rows"));
      EXPECT_EQ(entries_of(got), expected);
      EXPECT_EQ(expected, entries_within(part, theirs));  // nothing else is stored in these rows
      EXPECT_GE(16 * std::ssize(expected), 15 * part.storage.stored() - 16);
      EXPECT_EQ(got.storage.values.owner(), part.storage.values.owner());
      const LevelStorage& first = got.storage.levels[1];
      for (std::int64_t p = 0; first.nonempty && p + 1 < first.pos.size(); ++p)
        EXPECT_LT(first.pos.integer(p), first.pos.integer(p + 1));
      (rows->others().empty() ? without : with_others) += 1;
    }
  }
  EXPECT_GT(with_others, 60);
  EXPECT_GT(without, 60);
}

/// A plan keeps nothing of tensors of earlier runs.
TEST(RowsWithin, LieInThePartThatIsAskedFor) {
  const auto entries = [](std::uint64_t seed) {
    return whole_part(build(generate_banded(60, 60, 2, seed), csr_format()));
  };
  const LocalPart first = entries(1), next = entries(2);
  std::optional<RowsWithin> rows = RowsWithin::of(first, 1, IndexSet::range(0, 59));
  ASSERT_TRUE(rows.has_value());
  EXPECT_EQ(rows->in(first.storage).levels[1].crd.owner(), first.storage.levels[1].crd.owner());
  const Storage& now = rows->in(next.storage);
  EXPECT_EQ(now.levels[1].crd.owner(), next.storage.levels[1].crd.owner());
  EXPECT_EQ(now.values.owner(), next.storage.values.owner());
  std::optional<RowsWithin> counted = RowsWithin::of(first, 1, IndexSet::range(1, 60));
  ASSERT_TRUE(counted.has_value());
  EXPECT_NE(counted->in(first.storage).levels[1].crd.owner(), first.storage.levels[1].crd.owner());
  EXPECT_EQ(counted->in(next.storage).values.owner(), next.storage.values.owner());
}

TEST(RowsWithin, AreNoneWhereMuchLiesElsewhereOrCannotBeTold) {
  const CoordinateList list = generate_banded(60, 60, 2, 1);
  const auto rows = [&](const char* format, int mode, const IndexSet& within) {
    return RowsWithin::of(whole_part(build(list, parse_format(format, 2))), mode, within).has_value();
  };
  EXPECT_TRUE(rows("csr", 1, IndexSet::range(0, 59)));
  EXPECT_FALSE(rows("csr", 1, IndexSet::range(0, 50)));
  EXPECT_FALSE(rows("csr", 1, IndexSet::range(0, 10)));
  EXPECT_FALSE(rows("csr", 1, IndexSet::range(0, 30) | IndexSet::range(31, 60)));
  EXPECT_FALSE(rows("csr", 1, IndexSet()));
  EXPECT_FALSE(rows("csr", 0, IndexSet::range(0, 59)));
  EXPECT_FALSE(rows("dense,compressed(unordered)", 1, IndexSet::range(0, 59)));
  for (const char* format : {"coo", "bitmap", "hashed", "dense,dense", "compressed,dense"})
    EXPECT_FALSE(rows(format, 1, IndexSet::range(0, 59))) << format;
}

/// 1, 2, … in a dense part.
LocalPart counted(const std::vector<IndexSet>& region, const Format& format) {
  LocalPart part = dense_part(region, {format, Type::Float64, Scalar::zero(Type::Float64)});
  const std::span<double> values = part.storage.values.mutable_view<double>();
  std::iota(values.begin(), values.end(), 1.0);
  return part;
}

TEST(DenseCopies, CopyAndAddWhatBothHave) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const int order = random.between(1, 3);
    std::vector<IndexSet> all;
    for (int m = 0; m < order; ++m) all.push_back(IndexSet::range(0, random.between(1, 10)));
    const Format format = order == 2 && random.below(2) == 0 ? parse_format("dense,dense:1,0", 2) : dense_format(order);
    const LocalPart from = counted(draw_region(random, all), format), into = counted(draw_region(random, all), format);
    const std::vector<IndexSet> region = draw_region(random, common(from.sets, into.sets));
    const DenseCopy copy(from.sets, into.sets, region, format, Type::Float64);
    EXPECT_EQ(copy.bytes(), 8 * volume_of(region));

    auto expected = entries_of(into), sums = expected;
    for (const auto& [at, value] : entries_within(from, region)) {
      expected[at] = value;
      sums[at] += value;
    }
    LocalPart to = counted(into.sets, format), sum = counted(into.sets, format);
    copy.copy(from.storage.values.data(), to.storage.values.mutable_data());
    EXPECT_EQ(entries_of(to), expected);
    copy.add(from.storage.values.data(), sum.storage.values.mutable_data());
    EXPECT_EQ(entries_of(sum), sums);

    // Packed, and unpacked again.
    const DenseCopy packing(from.sets, region, region, format, Type::Float64),
        unpacking(region, into.sets, region, format, Type::Float64);
    std::vector<std::byte> message(static_cast<std::size_t>(packing.bytes()));
    packing.copy(from.storage.values.data(), message.data());
    LocalPart other = counted(into.sets, format);
    unpacking.copy(message.data(), other.storage.values.mutable_data());
    EXPECT_EQ(entries_of(other), expected);
    std::optional<DenseView> view = DenseView::of(from.sets, region, shape_of(from.storage));
    const bool is_stretch = packing.stretch_from().has_value() || region == from.sets;
    EXPECT_EQ(view.has_value(), volume_of(region) > 0 ? is_stretch : region == from.sets);
    if (view) {
      EXPECT_EQ(entries_of({region, view->in(from.storage.values)}), entries_within(from, region));
    }
    if (volume_of(region) == 0) continue;
    EXPECT_EQ(packing.stretch_to(), 0);
    if (const auto begin = packing.stretch_from()) {
      EXPECT_EQ(std::memcmp(static_cast<const std::byte*>(from.storage.values.data()) + *begin, message.data(),
                            message.size()),
                0);
    }
  }
}

TEST(DenseCopies, KnowStretches) {
  const std::vector<IndexSet> all{IndexSet::range(0, 10), IndexSet::range(0, 4)};
  const auto rows = [&](std::int64_t begin, std::int64_t end) {
    return std::vector<IndexSet>{IndexSet::range(begin, end), all[1]};
  };
  const Format format = dense_format(2);
  EXPECT_EQ(DenseCopy(all, rows(2, 5), rows(2, 5), format, Type::Float64).stretch_from(), 2 * 4 * 8);
  EXPECT_EQ(DenseCopy(all, rows(2, 5), rows(3, 5), format, Type::Float64).stretch_to(), 1 * 4 * 8);
  const std::vector<IndexSet> columns{all[0], IndexSet::range(1, 3)};
  EXPECT_EQ(DenseCopy(all, columns, columns, format, Type::Float64).stretch_from(), std::nullopt);
}

TEST(DenseViews, AreOfRowsInTheirOrder) {
  const IndexSet ten = IndexSet::range(0, 10), four = IndexSet::range(0, 4);
  const auto begin = [&](const std::vector<IndexSet>& region, const Format& format = dense_format(2)) {
    const auto view = DenseView::of({ten, four}, region, {format});
    return view ? std::optional(view->begin()) : std::nullopt;
  };
  EXPECT_EQ(begin({IndexSet::range(2, 5), four}), 2 * 4);
  EXPECT_EQ(begin({IndexSet::range(2, 3), IndexSet::range(1, 3)}), 2 * 4 + 1);
  EXPECT_EQ(begin({IndexSet::range(2, 4), IndexSet::range(1, 3)}), std::nullopt);
  EXPECT_EQ(begin({IndexSet::of_coordinates({2, 4}), four}), std::nullopt);
  EXPECT_EQ(begin({ten, IndexSet::range(1, 3)}), std::nullopt);
  EXPECT_EQ(begin({ten, IndexSet::range(1, 3)}, parse_format("dense,dense:1,0", 2)), 1 * 10);
  EXPECT_EQ(begin({IndexSet::range(8, 12), four}), std::nullopt);  // not all of it is there
  EXPECT_EQ(begin({ten, four}), 0);
  EXPECT_EQ(begin({ten, four}, csr_format()), std::nullopt);
}

TEST(AscendingRanks, AreThoseOfTheSet) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    const IndexSet set = draw_set(random, IndexSet::range(3, 40));
    AscendingRanks rank(set);
    for (std::int64_t i = 0; i < 45; i += random.between(0, 2)) {
      ASSERT_EQ(rank(i), set.rank(i)) << set.to_string() << " at " << i;
      if (random.below(3) == 0) ++i;
    }
  }
}

}  // namespace
}  // namespace lacuna::parts_test
