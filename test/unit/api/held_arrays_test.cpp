// The arrays of a tensor, as spans.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/api/lacuna.h"
#include "support/message_of.h"

namespace lacuna::held_arrays_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Tensor<double> matrix(const Format& format) {
  return Tensor<double>::from_coordinates({3, 4}, {{0, 0, 2}, {1, 3, 0}}, {1.5, 2.5, 3.5}, format);
}

TEST(HeldArrays, AreThoseOfTheLevels) {
  const Tensor<double> csr = matrix(csr_format());
  EXPECT_THAT(csr.values(), ElementsAre(1.5, 2.5, 3.5));
  EXPECT_THAT(csr.coordinates<std::int32_t>(1), ElementsAre(1, 3, 0));
  const Type positions = csr.storage().levels[1].pos.type();
  if (positions == Type::Int32) EXPECT_THAT(csr.positions<std::int32_t>(1), ElementsAre(0, 2, 2, 3));
  else EXPECT_THAT(csr.positions<std::int64_t>(1), ElementsAre(0, 2, 2, 3));
  const Tensor<double> coo = matrix(coo_format(2));
  EXPECT_THAT(coo.coordinates<std::int32_t>(0), ElementsAre(0, 0, 2));
  EXPECT_THAT(coo.coordinates<std::int32_t>(1), ElementsAre(1, 3, 0));
  EXPECT_EQ(matrix(dense_format(2)).values().size(), 12);
}

TEST(HeldArrays, AreBorrowedOnesWhereTheTensorBorrows) {
  const std::vector<long> pos = {0, 1, 2};
  const std::vector<unsigned short> crd = {1, 0};
  const std::vector<double> values = {1, 2};
  const auto A = Tensor<double>::from_csr(2, 2, pos, crd, values);
  EXPECT_EQ(A.values().data(), values.data());
  EXPECT_EQ(A.positions<long>(1).data(), pos.data());
  EXPECT_EQ(A.coordinates<unsigned short>(1).data(), crd.data());
}

TEST(HeldArrays, AreComputedFirst) {
  const Tensor<double> B = matrix(csr_format());
  Tensor<double> a;
  const IndexVar i("i"), j("j");
  a(i) = B(i, j) * 2.0;
  EXPECT_THAT(a.values(), ElementsAre(8, 0, 7));
}

TEST(HeldArrays, OfPartsInThisProcessAreNumbered) {
  const Tensor<double> B = matrix(csr_format());
  const DistVar x;
  Tensor<double> a("a", {3}, {dense_format(1), Distribution({x}, Machine{Grid(2)}, {x})});
  const IndexVar i("i"), j("j");
  a(i) = B(i, j) * 2.0;
  a.evaluate();
  EXPECT_THAT(a.values(0), ElementsAre(8, 0));
  EXPECT_THAT(a.values(1), ElementsAre(7));
  EXPECT_THAT(message_of([&] { a.values(); }),
              HasSubstr("this rank holds 2 parts of a: say which, by a number from 0 to 1"));
}

TEST(HeldArrays, ThatALevelDoesNotHaveAreRefused) {
  Tensor<double> A("A", {3, 4}, csr_format());
  A.insert({1, 2}, 1);
  EXPECT_THAT(message_of([&] { A.positions<std::int32_t>(0); }),
              HasSubstr("level 0 of A is dense, which has no array of positions"));
  EXPECT_THAT(message_of([&] { A.coordinates<std::int32_t>(0); }),
              HasSubstr("level 0 of A is dense, which has no array of coordinates"));
  EXPECT_THAT(message_of([&] { A.coordinates<std::int32_t>(2); }), HasSubstr("A has 2 levels, counted from 0"));
  EXPECT_THAT(message_of([&] { A.coordinates<std::int64_t>(1); }),
              HasSubstr("the coordinates of level 1 of A are int32: ask for coordinates<std::int32_t>(1)"));
  EXPECT_THAT(message_of([&] { A.values(1); }), HasSubstr("this rank holds 1 part of A"));
  Tensor<double> C("C", {3, 4}, coo_format(2));
  EXPECT_THAT(message_of([&] { C.positions<std::int32_t>(1); }), HasSubstr("level 1 of C is singleton"));
  Tensor<double> D("D", {4}, parse_format("bst", 1));
  EXPECT_THAT(message_of([&] { D.values(); }), HasSubstr("the values of D are in the nodes of its last level, bst"));
}

}  // namespace
}  // namespace lacuna::held_arrays_test
