// What a rank holds, as arrays.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/api/lacuna.h"
#include "lacuna/api/mpi.h"
#include "mpi_program/rows_of_rank.h"
#include "support/message_of.h"

namespace lacuna::own_part_test {
namespace {

using testing::ElementsAreArray;
using testing::HasSubstr;

class OwnPart : public testing::Test {
 protected:
  static constexpr std::int64_t n = 24;
  std::unique_ptr<Communicator> ranks_ = world(MPI_COMM_WORLD);
  RowsOfRank mine_{n, 2, *ranks_};
  IndexVar i_{"i"}, j_{"j"};
};

TEST_F(OwnPart, OfAdoptedArraysIsTheseArrays) {
  const Tensor<double> A = mine_.matrix(*ranks_);
  EXPECT_EQ(A.values().data(), mine_.values.data());
  EXPECT_EQ(A.values().size(), mine_.values.size());
  EXPECT_EQ(A.positions<std::int32_t>(1).data(), mine_.pos.data());
  EXPECT_EQ(A.positions<std::int32_t>(1).size(), mine_.pos.size());
  EXPECT_EQ(A.coordinates<std::int32_t>(1).data(), mine_.crd.data());
  EXPECT_EQ(A.coordinates<std::int32_t>(1).size(), mine_.crd.size());
  EXPECT_THAT(message_of([&] { A.coordinates<std::int64_t>(1); }),
              HasSubstr("the coordinates of level 1 of A are int32: ask for coordinates<std::int32_t>(1)"));
}

/// Each rank by itself, and without a message: nothing is gathered.
TEST_F(OwnPart, OfAResultIsItsValuesHere) {
  const Tensor<double> A = mine_.matrix(*ranks_);
  Tensor<double> x("x", {n}, mine_.blocked(*ranks_)), y("y", {n}, mine_.blocked(*ranks_));
  for (std::int64_t i = mine_.begin; i < mine_.end; ++i) x.insert({i}, 1);
  x.contribute(*ranks_);
  y(i_) = A(i_, j_) * x(j_);
  y.evaluate({.ranks = ranks_.get()});
  if (ranks_->rank() == 0) return;
  std::vector<double> expected;
  for (std::int64_t i = mine_.begin; i < mine_.end; ++i)
    expected.push_back(2 * static_cast<double>(i + 1) + (i + 1 < n ? 1 : 0));
  EXPECT_THAT(y.values(), ElementsAreArray(expected));
  EXPECT_EQ(y.values().data(), y.values(0).data());
  EXPECT_THAT(message_of([&] { y.values(1); }),
              HasSubstr("this rank holds 1 part of y, counted from 0, and no part 1"));
}

TEST_F(OwnPart, OfASparseResultHasTheCoordinatesOfTheWhole) {
  const Tensor<double> A = mine_.matrix(*ranks_);
  Tensor<double> B("B", {n, n}, mine_.rows(*ranks_));
  B(i_, j_) = 3.0 * A(i_, j_);
  B.evaluate({.ranks = ranks_.get()});
  const auto parts = B.parts(*ranks_);
  EXPECT_EQ(B.values().data(), parts[0].entries.values().data());
  EXPECT_EQ(B.values().size(), mine_.values.size());
  std::size_t at = 0;
  for (const auto& [coordinate, value] : parts[0].entries) EXPECT_EQ(B.values()[at++], value) << coordinate[0];
}

TEST_F(OwnPart, IsAskedForByNumberWhereThereAreSeveral) {
  const DistVar x;
  Tensor<double> v("v", {n}, {dense_format(1), Distribution({x}, Machine{Grid(2 * ranks_->ranks())}, {x})});
  if (ranks_->rank() == 0)
    for (std::int64_t i = 0; i < n; ++i) v.insert({i}, static_cast<double>(i));
  v.contribute(*ranks_);
  const auto parts = v.parts(*ranks_);
  ASSERT_EQ(parts.size(), 2);
  for (std::size_t k = 0; k < 2; ++k) {
    ASSERT_EQ(v.values(k).size(), static_cast<std::size_t>(parts[k].coordinates[0].size()));
    for (std::size_t e = 0; e < v.values(k).size(); ++e)
      EXPECT_EQ(v.values(k)[e], static_cast<double>(parts[k].coordinates[0].number(static_cast<std::int64_t>(e))));
  }
  EXPECT_THAT(message_of([&] { v.values(); }), HasSubstr("this rank holds 2 parts of v: say which, by a number"));
}

TEST_F(OwnPart, IsEmptyWhereThereIsNone) {
  const DistVar x;
  Tensor<double> v("v", {n}, {dense_format(1), Distribution({x}, Machine{Grid(1)}, {x})});
  v.insert({3}, 1);
  v.contribute(*ranks_);
  EXPECT_EQ(v.values().size(), ranks_->rank() == 0 ? n : 0);
}

TEST_F(OwnPart, HasNothingOfWhatWaitsForItsContribution) {
  Tensor<double> v("v", {n}, mine_.blocked(*ranks_));
  v.insert({3}, 1);
  v.contribute(*ranks_);
  v.insert({4}, 1);
  EXPECT_THAT(message_of([&] { v.values(); }), HasSubstr("entries of v wait for contribute()"));
  v.contribute(*ranks_);
  EXPECT_EQ(v.values().size(), static_cast<std::size_t>(mine_.end - mine_.begin));
}

}  // namespace
}  // namespace lacuna::own_part_test
