// Random histories of updates against a map: every level file, alone and nested, interpreted and compiled.

#include "lacuna/compile/update/updated_tensor.h"

#include <atomic>
#include <map>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/compile/nodes.h"
#include "lacuna/format/schema/load.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"
#include "unit/compile/interpreted.h"

namespace lacuna {
namespace {

using testing::HasSubstr;

using Coordinate = std::vector<std::int64_t>;
using EntryMap = std::map<Coordinate, double>;

std::vector<std::string> level_names_on_disk() {
  const std::vector<std::filesystem::path> folders = {LACUNA_LEVELS_FOLDER};
  return schema::names_of_levels(folders);
}

/// One update of a history.
struct DrawnUpdate {
  Coordinate coordinate;
  double value = 0;
};

CoordinateList list_of(const std::vector<DrawnUpdate>& updates, const std::vector<std::int64_t>& dimensions) {
  CoordinateList list{dimensions, {}, Array::allocate(Type::Float64, std::ssize(updates), false)};
  for (std::size_t m = 0; m < dimensions.size(); ++m) {
    std::vector<std::int64_t> column;
    for (const DrawnUpdate& each : updates) column.push_back(each.coordinate[m]);
    list.coordinates.push_back(Array::of(std::span<const std::int64_t>(column)));
  }
  for (std::size_t k = 0; k < updates.size(); ++k) list.values.mutable_view<double>()[k] = updates[k].value;
  return list;
}

/// A tensor and a map that must agree.
class UpdateHistory {
 public:
  UpdateHistory(Engine& engine, const std::string& format, std::vector<std::int64_t> dimensions, const Options& options,
                unsigned seed)
      : engine_(engine),
        format_(parse_format(format, static_cast<int>(dimensions.size()))),
        dimensions_(std::move(dimensions)),
        random_(seed) {
    const Format list = coo_format(format_.order());
    const Storage start = stored_as(engine_, build(generate_uniform(dimensions_, 10, seed), list), format_);
    for_each(start, [&](std::span<const std::int64_t> c, const Scalar& v) {
      if (!is_dense_last() || !v.is_zero()) map_[Coordinate(c.begin(), c.end())] = v.as<double>();
    });
    tensor_.emplace(engine_, start, options);
  }

  /// Each step is a single update or a batch; sometimes a storage is kept, and must stay what it was.
  void run(int steps, bool check_each) {
    for (int step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
      if (below(8) == 0) kept_.emplace_back(tensor_->storage(), map_);
      if (kept_.size() > 3) kept_.erase(kept_.begin());
      // Grows, then shrinks.
      const bool shrinks = step * 4 / steps % 2 == 1 && !is_dense_last();
      const std::int64_t kind = below(4);
      const auto operation = shrinks && kind > 0 ? UpdateOperation::Erase
                             : kind % 2 == 0     ? UpdateOperation::Add
                                                 : UpdateOperation::Assign;
      if (below(3) == 0) batch(operation);
      else single(operation);
      if (check_each) check();
    }
    check();
  }

  void check() {
    const Storage now = tensor_->storage();
    validate(now, "the tensor");
    compare(now, map_);
    for (const auto& [storage, map] : kept_) compare(storage, map);
  }

  UpdatedTensor& tensor() { return *tensor_; }

 private:
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }
  bool is_dense_last() const { return format_.level(format_.order() - 1).full(); }

  DrawnUpdate draw() {
    DrawnUpdate drawn;
    if (below(3) == 0 && !map_.empty()) {
      drawn.coordinate = std::next(map_.begin(), below(std::ssize(map_)))->first;
    } else {
      for (const std::int64_t size : dimensions_) drawn.coordinate.push_back(below(size));
    }
    drawn.value = static_cast<double>(below(1000)) - 500;
    return drawn;
  }

  /// What the map makes of it; whether it was new, or there.
  bool expected(UpdateOperation operation, const DrawnUpdate& update) {
    if (operation == UpdateOperation::Erase) return map_.erase(update.coordinate) == 1;
    const bool is_new = !map_.contains(update.coordinate);
    double& value = map_[update.coordinate];
    value = operation == UpdateOperation::Add ? value + update.value : update.value;
    return is_new;
  }

  void single(UpdateOperation operation) {
    const DrawnUpdate update = draw();
    const bool changed = tensor_->update(operation, update.coordinate, Scalar(update.value));
    const bool wanted = expected(operation, update);
    if (!is_dense_last()) {
      EXPECT_EQ(changed, wanted);
    }
  }

  void batch(UpdateOperation operation) {
    std::vector<DrawnUpdate> updates;
    for (std::int64_t k = below(60); k >= 0; --k) updates.push_back(draw());
    if (below(2) == 0)
      std::stable_sort(updates.begin(), updates.end(),
                       [](const DrawnUpdate& a, const DrawnUpdate& b) { return a.coordinate < b.coordinate; });
    const std::int64_t changed = tensor_->update(operation, list_of(updates, dimensions_));
    std::int64_t wanted = 0;
    for (const DrawnUpdate& each : updates) wanted += expected(operation, each) ? 1 : 0;
    if (!is_dense_last()) {
      EXPECT_EQ(changed, wanted);
    }
  }

  void compare(const Storage& storage, const EntryMap& map) const {
    EntryMap stored;
    for_each(storage, [&](std::span<const std::int64_t> c, const Scalar& v) {
      if (!is_dense_last() || !v.is_zero()) stored[Coordinate(c.begin(), c.end())] = v.as<double>();
    });
    EntryMap wanted = map;
    if (is_dense_last()) std::erase_if(wanted, [](const auto& each) { return each.second == 0; });
    EXPECT_EQ(stored, wanted);
    if (!is_dense_last()) {
      EXPECT_EQ(storage.stored(), std::ssize(wanted));
    }
  }

  Engine& engine_;
  Format format_;
  std::vector<std::int64_t> dimensions_;
  std::mt19937_64 random_;
  EntryMap map_;
  std::optional<UpdatedTensor> tensor_;
  std::vector<std::pair<Storage, EntryMap>> kept_;
};

class UpdatedLevels : public testing::TestWithParam<std::string> {
 protected:
  void expect_agreement(const std::string& format, std::vector<std::int64_t> dimensions, const Options& options,
                        int steps, bool check_each) {
    SCOPED_TRACE(format);
    UpdateHistory history(engine_, format, std::move(dimensions), options, 7);
    history.run(steps, check_each);
  }
  Engine engine_{JitOptions{"cc", default_c_flags(), "", ""}};
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
    return stored_as(engine_, empty_tensor(Type::Float64, dimensions, made_of_arrays(wanted)), wanted);
  }
  std::string refusal(const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  Engine engine_{JitOptions{"cc", default_c_flags(), "", ""}};
};

TEST_F(UpdatedTensorTest, ThreeLevelsAndDenseLastLevelsAgreeWithAMap) {
  const std::pair<const char*, std::vector<std::int64_t>> formats[] = {
      {"bst,btree,ctree", {5, 6, 30}}, {"dense,bst,ctree", {5, 6, 30}},  {"btree,dense,ctree", {5, 4, 30}},
      {"btree,dense", {30, 4}},        {"ctree,btree,dense", {6, 7, 3}}, {"dense,bst,dense", {4, 9, 3}}};
  for (const auto& [format, dimensions] : formats) {
    SCOPED_TRACE(format);
    UpdateHistory slow(engine_, format, dimensions, interpreted(), 3);
    slow.run(40, true);
    UpdateHistory quick(engine_, format, dimensions, {}, 4);
    quick.run(400, false);
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
  EntryMap stored;
  for_each(now, [&](std::span<const std::int64_t> c, const Scalar& v) { stored[{c[0], c[1]}] = v.as<double>(); });
  EXPECT_EQ(stored, map);
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
}  // namespace lacuna
