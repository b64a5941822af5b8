#include "lacuna/tensor/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "unit/tensor/samples.h"

namespace lacuna::compare_test {
namespace {

using ::testing::HasSubstr;
using testing::list_of;
using ::testing::Optional;

Storage vector_of(const std::vector<testing::Entry>& entries, Type type = Type::Float64) {
  return build(list_of({5}, entries, type), csf_format(1));
}

TEST(Difference, NamesTheFirstCoordinateAndBothValues) {
  const Storage a = vector_of({{{1}, 1}, {{3}, 2}});
  EXPECT_THAT(difference(a, vector_of({{{1}, 1}, {{3}, 5}})), Optional(HasSubstr("at (3) the first has 2")));
  EXPECT_THAT(difference(a, vector_of({{{1}, 1}, {{3}, 5}})), Optional(HasSubstr("the second 5")));
  EXPECT_THAT(difference(a, vector_of({{{1}, 1}})), Optional(HasSubstr("the second 0 (not stored)")));
  EXPECT_THAT(difference(a, vector_of({{{0}, 9}, {{1}, 1}, {{3}, 2}})), Optional(HasSubstr("at (0)")));
}

TEST(Difference, TakesAbsentForZeroUnlessThePatternCounts) {
  const Storage a = vector_of({{{1}, 1}, {{3}, 0}});
  const Storage b = vector_of({{{1}, 1}});
  EXPECT_EQ(difference(a, b), std::nullopt);
  EXPECT_THAT(difference(a, b, {0, 0, true}), Optional(HasSubstr("at (3) the first stores 0 and the second nothing")));
}

TEST(Difference, AllowsTheToleranceForFloatsOnly) {
  EXPECT_EQ(difference(vector_of({{{1}, 1}}), vector_of({{{1}, 1 + 1e-12}})), std::nullopt);
  EXPECT_NE(difference(vector_of({{{1}, 1}}), vector_of({{{1}, 1 + 1e-6}})), std::nullopt);
  EXPECT_EQ(difference(vector_of({{{1}, 0}}), vector_of({{{1}, 1e-6}}), {0, 1e-5, false}), std::nullopt);
  EXPECT_NE(
      difference(vector_of({{{1}, 1000000}}, Type::Int64), vector_of({{{1}, 1000001}}, Type::Int64), {1, 1, false}),
      std::nullopt);
}

TEST(Difference, KnowsThatNanIsNanAndInfinityIsFarFromEverything) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(difference(vector_of({{{1}, nan}}), vector_of({{{1}, nan}})), std::nullopt);
  EXPECT_NE(difference(vector_of({{{1}, nan}}), vector_of({{{1}, 1}})), std::nullopt);
  EXPECT_EQ(difference(vector_of({{{1}, infinity}}), vector_of({{{1}, infinity}})), std::nullopt);
  EXPECT_NE(difference(vector_of({{{1}, infinity}}), vector_of({{{1}, -infinity}})), std::nullopt);
  EXPECT_NE(difference(vector_of({{{1}, infinity}}), vector_of({{{1}, 1}})), std::nullopt);
}

TEST(Difference, ComparesAcrossTypes) {
  EXPECT_EQ(difference(vector_of({{{1}, 3}}, Type::Int8), vector_of({{{1}, 3}}, Type::Complex64)), std::nullopt);
  Storage negative = vector_of({{{1}, -1}}, Type::Int64);
  Storage huge = vector_of({{{1}, 1}}, Type::UInt64);
  huge.values = testing::array_of<std::uint64_t>({~std::uint64_t{0}});
  EXPECT_NE(difference(negative, huge), std::nullopt);
}

TEST(Difference, SaysThatDimensionsDiffer) {
  EXPECT_THAT(
      difference(empty_tensor(Type::Int8, {2, 3}, csr_format()), empty_tensor(Type::Int8, {3, 2}, csr_format())),
      Optional(HasSubstr("2 x 3 and 3 x 2")));
}

TEST(ValueAt, GivesTheFillValueWhereNothingIsStored) {
  const Storage tensor = vector_of({{{1}, 7}});
  EXPECT_EQ(value_at(tensor, std::vector<std::int64_t>{1}), Scalar(7.0));
  EXPECT_EQ(value_at(tensor, std::vector<std::int64_t>{2}), Scalar(0.0));
}

TEST(ValueAt, RefusesCoordinatesOutOfRange) {
  const Storage tensor = vector_of({{{1}, 7}});
  EXPECT_THROW(value_at(tensor, std::vector<std::int64_t>{5}), Error);
  EXPECT_THROW(value_at(tensor, std::vector<std::int64_t>{-1}), Error);
  EXPECT_THROW(value_at(tensor, std::vector<std::int64_t>{1, 1}), Error);
}

TEST(ValueAt, SumsWhatARepeatingLevelStores) {
  const Storage tensor = adopt_coo({4}, {testing::array_of<std::int32_t>({2, 1, 2})},
                                   testing::array_of<double>({1, 10, 100}), false, false);
  EXPECT_EQ(value_at(tensor, std::vector<std::int64_t>{2}), Scalar(101.0));
  EXPECT_EQ(difference(tensor, build(list_of({4}, {{{1}, 10}, {{2}, 101}}), csf_format(1))), std::nullopt);
}

}  // namespace
}  // namespace lacuna::compare_test
