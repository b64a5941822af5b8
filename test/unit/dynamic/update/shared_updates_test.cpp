// Batches that several threads make at once, against a map: results, order, memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/nodes.h"
#include "support/instrumented_jit.h"
#include "unit/compile/interpreted.h"
#include "unit/dynamic/update/update_history.h"

namespace lacuna::shared_updates_test {
namespace {

using testing::ElementsAre;

Options on(int threads, Options options = {}) {
  options.target.threads = threads;
  return options;
}

class SharedUpdates : public testing::Test {
 protected:
  Storage empty(const std::string& format, const std::vector<std::int64_t>& dimensions) {
    const Format wanted = parse_format(format, static_cast<int>(dimensions.size()));
    return stored_as(engine_, empty_tensor(Type::Float64, dimensions, array_format_of(wanted)), wanted);
  }
  Engine engine_{instrumented_jit()};
};

class SharedUpdatesOfLevels : public SharedUpdates, public testing::WithParamInterface<std::string> {};

// Sizes that are drawn, so that all paths of functions are taken: interpreted, every access is checked.
TEST_P(SharedUpdatesOfLevels, AgreeWithAMapUnderDense) {
  const std::string format = "dense," + GetParam();
  for (const int threads : {1, 2, 3, 7}) {
    SCOPED_TRACE(testing::Message() << format << " on " << threads);
    UpdateHistory history(
        engine_, format, {9, 40},
        {.options = on(threads, interpreted()), .sharing = {.least_share = 1}, .skewed = threads == 3});
    history.run(40);
  }
}

TEST_P(SharedUpdatesOfLevels, AgreeWithAMapUnderEachOther) {
  int threads = 2;
  for (const std::string& above : level_names_on_disk()) {
    const std::string format = above + "," + GetParam();
    threads = threads % 7 + 1;
    SCOPED_TRACE(testing::Message() << format << " on " << threads);
    UpdateHistory history(engine_, format, {12, 25},
                          {.options = on(threads, interpreted()), .sharing = {.least_share = 1}});
    history.run(12);
  }
}

TEST_P(SharedUpdatesOfLevels, AgreeWithAMapWhenCompiledAndTheirArraysGrow) {
  // Rows are so short that those of unbalanced levels are right, too.
  UpdateHistory history(
      engine_, "dense," + GetParam(), {300, 60},
      {.options = on(3), .check_each = false, .batch = 20'000, .sharing = {.least_share = 64}, .skewed = true});
  history.run(24);
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, SharedUpdatesOfLevels, testing::ValuesIn(level_names_on_disk()),
                         [](const auto& each) { return each.param; });

TEST_F(SharedUpdates, OfThreeLevelsAgreeWithAMap) {
  const std::pair<const char*, std::vector<std::int64_t>> formats[] = {{"bst,btree,ctree", {5, 6, 30}},
                                                                       {"dense,bst,ctree", {5, 6, 30}},
                                                                       {"btree,dense,ctree", {5, 4, 30}},
                                                                       {"dense,dense,rbtree", {5, 4, 30}},
                                                                       {"btree,ctree:1,0", {30, 40}}};
  for (const auto& [format, dimensions] : formats) {
    SCOPED_TRACE(format);
    UpdateHistory slow(engine_, format, dimensions,
                       {.options = on(3, interpreted()), .seed = 3, .sharing = {.least_share = 1}, .skewed = true});
    slow.run(40);
    UpdateHistory quick(
        engine_, format, dimensions,
        {.options = on(2), .seed = 4, .check_each = false, .batch = 200, .sharing = {.least_share = 1}});
    quick.run(200);
  }
}

/// Dense last levels, and levels that lie under none, are updated by one thread.
TEST_F(SharedUpdates, OfFormatsWithoutDisjointTreesAgreeWithAMap) {
  const std::pair<const char*, std::vector<std::int64_t>> formats[] = {
      {"btree,dense", {30, 4}}, {"btree", {300}}, {"dense,bst,dense", {4, 9, 3}}};
  for (const auto& [format, dimensions] : formats) {
    UpdateHistory history(engine_, format, dimensions,
                          {.options = on(3, interpreted()), .sharing = {.least_share = 1}});
    history.run(40);
  }
}

/// Where threads cannot have what they need, one makes the rest.
TEST_F(SharedUpdates, GoOnOnOneThreadWhereThereIsNoRoomForMore) {
  for (const char* format : {"dense,btree", "ctree,ctree", "dense,vblist"}) {
    SCOPED_TRACE(format);
    for (const Options& options : {on(3), on(3, interpreted())}) {
      UpdateHistory history(
          engine_, format, {30, 60},
          {.options = options, .batch = 500, .sharing = {.least_share = 1, .most_room = 150}, .skewed = true});
      history.run(16);
    }
  }
}

std::vector<std::int64_t> cuts_of(const std::vector<std::int64_t>& rows, int shares) {
  const std::vector<Array> above = {Array::of(std::span<const std::int64_t>(rows))};
  std::vector<std::int64_t> cuts;
  for (const BatchShare& each : cut_into_shares(above, std::ssize(rows), shares)) {
    EXPECT_EQ(each.begin, cuts.empty() ? 0 : cuts.back());
    EXPECT_LT(each.begin, each.end);
    cuts.push_back(each.end);
  }
  return cuts;
}

TEST(BatchShares, AreCutBetweenTreesNearestToEqualParts) {
  EXPECT_THAT(cuts_of({0, 0, 1, 1, 2, 2}, 3), ElementsAre(2, 4, 6));
  EXPECT_THAT(cuts_of({0, 0, 0, 1, 2, 2}, 2), ElementsAre(3, 6));
  EXPECT_THAT(cuts_of({0, 1, 1, 1, 1, 2}, 2), ElementsAre(1, 6));
  EXPECT_THAT(cuts_of({0, 0, 1, 1, 1, 2}, 2), ElementsAre(2, 6));
  EXPECT_THAT(cuts_of({0, 1, 1, 1, 1, 1}, 3), ElementsAre(1, 6));
  EXPECT_THAT(cuts_of({4, 4, 4, 4}, 3), ElementsAre(4));
  EXPECT_THAT(cuts_of({1, 2}, 7), ElementsAre(1, 2));
  EXPECT_THAT(cuts_of({5}, 2), ElementsAre(1));
}

/// What a level has taken of each supply, and not got back.
std::vector<std::int64_t> in_use(const Storage& tensor, int level) {
  std::vector<std::int64_t> all;
  for (const nodes::Usage& each : nodes::usage_of(tensor, level)) all.push_back(each.taken);
  return all;
}

/// Rows that trade places between threads, and batches that undo each other.
TEST_F(SharedUpdates, DoNotTakeMoreAndMoreMemory) {
  for (const char* format : {"dense,btree", "dense,ctree", "dense,bst", "dense,vblist", "btree,ctree"}) {
    SCOPED_TRACE(format);
    const std::vector<std::int64_t> dimensions = {40, 2000};
    UpdatedTensor tensor(engine_, empty(format, dimensions), on(3));
    tensor.set_sharing({.least_share = 1});
    std::mt19937_64 random(3);
    std::vector<std::vector<std::int64_t>> taken;
    for (int round = 0; round < 1000; ++round) {
      // Of 1000 rounds, each 20 make the same batches.
      random.seed(static_cast<std::uint64_t>(round % 20));
      std::vector<DrawnUpdate> updates;
      for (int k = 0; k < 400; ++k) {
        const auto row = static_cast<std::int64_t>(random() % 40);
        updates.push_back({{round % 3 == 0 ? row : row * row / 40, static_cast<std::int64_t>(random() % 2000)}, 1});
      }
      const CoordinateList list = list_of(updates, dimensions);
      const std::int64_t inserted = tensor.update(UpdateOperation::Assign, list);
      EXPECT_EQ(tensor.update(UpdateOperation::Erase, list), inserted);
      if (round == 199 || round == 999) taken.push_back(in_use(tensor.storage(), 1));
    }
    EXPECT_EQ(tensor.storage().stored(), 0);
    EXPECT_EQ(taken.front(), taken.back());
    validate(tensor.storage(), "the tensor");
  }
}

/// What threads left over is there for one thread, too, and the other way round.
TEST_F(SharedUpdates, TakeTurnsWithSingleUpdates) {
  UpdatedTensor tensor(engine_, empty("dense,btree", {20, 1000}), on(2));
  tensor.set_sharing({.least_share = 1});
  std::mt19937_64 random(5);
  EntryMap map;
  for (int round = 0; round < 60; ++round) {
    std::vector<DrawnUpdate> updates;
    for (int k = 0; k < 300; ++k) {
      updates.push_back({{static_cast<std::int64_t>(random() % 20), static_cast<std::int64_t>(random() % 1000)}, 1});
      map[updates.back().coordinate] += 1;
    }
    tensor.update(UpdateOperation::Add, list_of(updates, {20, 1000}));
    for (int k = 0; k < 50; ++k) {
      const Coordinate c{static_cast<std::int64_t>(random() % 20), static_cast<std::int64_t>(random() % 1000)};
      if (k % 2 == 0) {
        EXPECT_EQ(tensor.update(UpdateOperation::Erase, c), map.erase(c) == 1);
      } else {
        tensor.update(UpdateOperation::Assign, c, Scalar(2.0));
        map[c] = 2;
      }
    }
  }
  EXPECT_TRUE(entries_of(tensor.storage()) == map);
  validate(tensor.storage(), "the tensor");
}

}  // namespace
}  // namespace lacuna::shared_updates_test
