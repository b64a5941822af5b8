// Random histories of updates against a map: every level file, alone and nested, interpreted and compiled.

#include <atomic>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"
#include "support/instrumented_jit.h"
#include "unit/compile/interpreted.h"
#include "unit/dynamic/update/update_history.h"

namespace lacuna::updated_tensor_test {
namespace {

using testing::HasSubstr;

class UpdatedLevels : public testing::TestWithParam<std::string> {
 protected:
  void expect_agreement(const std::string& format, std::vector<std::int64_t> dimensions, const Options& options,
                        int steps, bool check_each) {
    SCOPED_TRACE(format);
    UpdateHistory history(engine_, format, std::move(dimensions), {.options = options, .check_each = check_each});
    history.run(steps);
  }
  Engine engine_{instrumented_jit()};
};

TEST_P(UpdatedLevels, AgreeWithAMapWhenInterpreted) {
  expect_agreement(GetParam(), {50}, interpreted(), 80, true);
  expect_agreement("dense," + GetParam(), {6, 40}, interpreted(), 60, true);
  expect_agreement(GetParam() + "," + GetParam(), {9, 20}, interpreted(), 60, true);
}

TEST_P(UpdatedLevels, AgreeWithAMapWhenCompiled) {
  expect_agreement("dense," + GetParam(), {30, 500}, {}, 400, false);
  expect_agreement("bst," + GetParam() + ":1,0", {40, 300}, {}, 400, false);
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, UpdatedLevels, testing::ValuesIn(level_names_on_disk()),
                         [](const auto& each) { return each.param; });

class UpdatedTensorTest : public testing::Test {
 protected:
  Storage empty(const std::string& format, const std::vector<std::int64_t>& dimensions) {
    const Format wanted = parse_format(format, static_cast<int>(dimensions.size()));
    return stored_as(engine_, empty_tensor(Type::Float64, dimensions, array_format_of(wanted)), wanted);
  }
  std::string refusal(const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  Engine engine_{instrumented_jit()};
};

TEST_F(UpdatedTensorTest, ThreeLevelsAndDenseLastLevelsAgreeWithAMap) {
  const std::pair<const char*, std::vector<std::int64_t>> formats[] = {
      {"bst,btree,ctree", {5, 6, 30}}, {"dense,bst,ctree", {5, 6, 30}},  {"btree,dense,ctree", {5, 4, 30}},
      {"btree,dense", {30, 4}},        {"ctree,btree,dense", {6, 7, 3}}, {"dense,bst,dense", {4, 9, 3}}};
  for (const auto& [format, dimensions] : formats) {
    SCOPED_TRACE(format);
    UpdateHistory slow(engine_, format, dimensions, {.options = interpreted(), .seed = 3});
    slow.run(40);
    UpdateHistory quick(engine_, format, dimensions, {.seed = 4, .check_each = false});
    quick.run(400);
  }
}

class LargeBatches : public UpdatedTensorTest, public testing::WithParamInterface<const char*> {};

TEST_P(LargeBatches, MakeRoomInSteps) {
  UpdatedTensor tensor(engine_, empty(GetParam(), {100, 100'000}));
  std::mt19937_64 random(5);
  EntryMap map;
  for (int round = 0; round < 3; ++round) {
    std::vector<DrawnUpdate> updates;
    for (int k = 0; k < 50'000; ++k) {
      updates.push_back(
          {{static_cast<std::int64_t>(random() % 100), static_cast<std::int64_t>(random() % 100'000)}, 1});
      map[updates.back().coordinate] += 1;
    }
    tensor.update(UpdateOperation::Add, list_of(updates, {100, 100'000}));
  }
  const Storage now = tensor.storage();
  validate(now, "the tensor");
  EXPECT_EQ(now.stored(), std::ssize(map));
  EXPECT_TRUE(entries_of(now) == map);
}

INSTANTIATE_TEST_SUITE_P(UpdatedTensorTest, LargeBatches, testing::Values("dense,btree", "dense,ctree_diff"));

TEST_F(UpdatedTensorTest, WhatWasErasedIsUsedAgain) {
  for (const char* format : {"dense,bst", "dense,btree", "dense,ctree", "dense,ctree_diff", "dense,llist"}) {
    UpdatedTensor tensor(engine_, empty(format, {2, 1000}));
    std::int64_t bytes = 0;
    for (int round = 0; round < 20; ++round) {
      for (std::int64_t c = 0; c < 500; ++c)
        tensor.update(UpdateOperation::Assign, Coordinate{1, c * 7 % 1000}, Scalar(1.0));
      if (round == 1) bytes = tensor.storage().bytes();
      for (std::int64_t c = 0; c < 500; ++c)
        EXPECT_TRUE(tensor.update(UpdateOperation::Erase, Coordinate{1, c * 7 % 1000}));
    }
    EXPECT_EQ(tensor.storage().bytes(), bytes) << format;
    EXPECT_EQ(tensor.storage().stored(), 0);
  }
}

TEST_F(UpdatedTensorTest, StatementsSeeTheLastUpdate) {
  UpdatedTensor a(engine_, empty("bst,ctree", {20, 30}));
  Request request = request_for("y(i) = A(i,j) * x(j)", {{"A", a.storage()}}, "dense");
  request.operands.emplace("x", build(generate_uniform({30}, 30, 1), dense_format(1)));
  Prepared prepared = engine_.prepare(request);
  std::mt19937_64 random(5);
  for (int step = 0; step < 50; ++step) {
    const Coordinate c{static_cast<std::int64_t>(random() % 20), static_cast<std::int64_t>(random() % 30)};
    const auto operation = step % 5 == 4 ? UpdateOperation::Erase : UpdateOperation::Add;
    a.update(operation, c, Scalar(1.0 + step));
    request.operands.at("A") = a.storage();
    EXPECT_EQ(wrong(request, prepared.run(request.operands), 1e-12).value_or(""), "");
  }
}

TEST_F(UpdatedTensorTest, ABatchWithACoordinateOutsideChangesNothing) {
  UpdatedTensor tensor(engine_, empty("dense,btree", {3, 4}));
  const CoordinateList updates = list_of({{{0, 1}, 1.0}, {{0, 4}, 1.0}}, {3, 4});
  EXPECT_THAT(refusal([&] { tensor.update(UpdateOperation::Add, updates); }), HasSubstr("coordinate 4 of mode 1"));
  EXPECT_EQ(tensor.storage().stored(), 0);
}

TEST_F(UpdatedTensorTest, NothingIsErasedFromADenseLevel) {
  UpdatedTensor tensor(engine_, empty("btree,dense", {3, 4}));
  EXPECT_THAT(refusal([&] { tensor.update(UpdateOperation::Erase, Coordinate{0, 1}); }), HasSubstr("assign 0 instead"));
}

/// For the thread sanitizer: what was read stays as it was, whatever is updated meanwhile.
TEST_F(UpdatedTensorTest, AThreadReadsWhatItHoldsWhileAnotherUpdates) {
  UpdatedTensor tensor(engine_, empty("dense,btree", {8, 64}));
  for (std::int64_t c = 0; c < 64; ++c) tensor.update(UpdateOperation::Assign, Coordinate{c % 8, c}, Scalar(1.0));
  for (int round = 0; round < 20; ++round) {
    // The reader drops what it holds at any time, also while it is the last holder.
    std::atomic<double> sum = 0;
    std::thread reader([held = tensor.storage(), &sum] {
      double mine = 0;
      for_each(held, [&](std::span<const std::int64_t>, const Scalar& v) { mine += v.as<double>(); });
      sum = mine;
    });
    for (std::int64_t c = 0; c < 64; ++c) tensor.update(UpdateOperation::Add, Coordinate{c % 8, c}, Scalar(1.0));
    reader.join();
    EXPECT_EQ(sum, 64.0 * (round + 1));
  }
}

}  // namespace
}  // namespace lacuna::updated_tensor_test
