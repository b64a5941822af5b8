#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/convert.h"
#include "unit/tensor/samples.h"

namespace lacuna::adopt_test {
namespace {

using ::testing::AllOf;
using testing::array_of;
using testing::entries_of;
using testing::Entry;
using ::testing::HasSubstr;
using ::testing::Not;

std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

const Array values = array_of<double>({1, 2, 3});

std::string csr_error(const Array& pos, const Array& crd) {
  return error_of([&] { adopt_csr(2, 4, pos, crd, values); });
}

TEST(AdoptCsr, UsesTheArraysInPlace) {
  const Array pos = array_of<std::int64_t>({0, 2, 3});
  const Array crd = array_of<std::int32_t>({0, 3, 1});
  const Storage tensor = adopt_csr(2, 4, pos, crd, values);
  EXPECT_EQ(tensor.levels[1].pos.data(), pos.data());
  EXPECT_EQ(tensor.levels[1].crd.data(), crd.data());
  EXPECT_EQ(tensor.values.data(), values.data());
  EXPECT_EQ(entries_of(tensor), (std::vector<Entry>{{{0, 0}, 1}, {{0, 3}, 2}, {{1, 1}, 3}}));
}

TEST(AdoptCsr, TakesSomeRowsOfALargerMatrix) {
  const Array pos = array_of<std::int32_t>({1, 2, 3});
  const Storage tensor = adopt_csr(2, 4, pos, array_of<std::int32_t>({0, 3, 1}), values);
  EXPECT_EQ(entries_of(tensor), (std::vector<Entry>{{{0, 3}, 2}, {{1, 1}, 3}}));
  EXPECT_EQ(tensor.stored(), 2);
  for (const char* name : {"csc", "dcsr", "coo", "dense", "hashed", "csf:1,0"}) {
    EXPECT_EQ(difference(convert(tensor, parse_format(name, 2)), tensor), std::nullopt) << name;
  }
}

TEST(AdoptCsr, RefusesBadArrays) {
  const Array crd = array_of<std::int32_t>({0, 3, 1});
  EXPECT_THAT(csr_error(array_of<std::int32_t>({0, 3}), crd), HasSubstr("pos has 2 elements, but 2 rows need 3"));
  EXPECT_THAT(csr_error(array_of<std::int32_t>({0, 2, 4}), crd), HasSubstr("pos covers [0, 4), but crd holds [0, 3)"));
  EXPECT_THAT(csr_error(array_of<std::int32_t>({-1, 2, 3}), crd), HasSubstr("pos covers [-1, 3)"));
  EXPECT_THAT(csr_error(array_of<std::int32_t>({0, 4, 3}), crd), HasSubstr("pos descends from 4 to 3"));
  EXPECT_THAT(csr_error(array_of<std::int32_t>({3, 2, 0}), crd), HasSubstr("pos covers [3, 0)"));
  EXPECT_THAT(csr_error(array_of<double>({0, 2, 3}), crd), HasSubstr("pos is float64; it must be of an integer type"));
  EXPECT_THAT(csr_error(array_of<std::uint64_t>({0, 2, ~std::uint64_t{0}}), crd), HasSubstr("pos covers"));
  const Array pos = array_of<std::int32_t>({0, 2, 3});
  EXPECT_THAT(csr_error(pos, array_of<std::int32_t>({0, 4, 1})),
              HasSubstr("coordinate 4 at position 1 is outside [0, 4)"));
  EXPECT_THAT(csr_error(pos, array_of<std::int32_t>({0, -1, 1})), HasSubstr("coordinate -1"));
  EXPECT_THAT(csr_error(pos, array_of<std::int32_t>({3, 0, 1})), HasSubstr("3 and 0 at positions 0 and 1"));
  EXPECT_THAT(csr_error(pos, array_of<std::int32_t>({3, 3, 1})), HasSubstr("repeat"));
  EXPECT_THAT(csr_error(pos, array_of<std::int32_t>({0, 3})), HasSubstr("crd holds [0, 2)"));
  EXPECT_THAT(csr_error(pos, array_of<bool>({true, false, true})), HasSubstr("crd is bool"));
}

TEST(AdoptCsr, SaysWhatCanBeDoneAboutRowsThatDoNotAscend) {
  const Array pos = array_of<std::int32_t>({0, 1, 3});
  EXPECT_THAT(csr_error(pos, array_of<std::int32_t>({0, 3, 1})),
              HasSubstr("coordinates 3 and 1 at positions 1 and 2 of row 1 descend; CoordinateOrder::Unordered takes"));
  EXPECT_THAT(csr_error(pos, array_of<std::int32_t>({0, 3, 3})),
              HasSubstr("3 and 3 at positions 1 and 2 of row 1 repeat; CoordinateOrder::Sort makes a copy"));
}

TEST(AdoptCsr, TakesUnorderedRowsAsTheyAre) {
  const Array pos = array_of<std::int64_t>({0, 2, 3});
  const Array crd = array_of<std::int32_t>({3, 0, 1});
  const Storage tensor = adopt_csr(2, 4, pos, crd, values, CoordinateOrder::Unordered);
  EXPECT_EQ(tensor.levels[1].crd.data(), crd.data());
  EXPECT_EQ(tensor.values.data(), values.data());
  EXPECT_FALSE(tensor.format.level(1).ordered);
  EXPECT_EQ(difference(tensor, adopt_csr(2, 4, pos, array_of<std::int32_t>({0, 3, 1}), array_of<double>({2, 1, 3}))),
            std::nullopt);
  const auto repeated = [&] {
    adopt_csr(1, 4, array_of<std::int64_t>({0, 3}), array_of<std::int32_t>({3, 0, 3}), values,
              CoordinateOrder::Unordered);
  };
  EXPECT_THAT(error_of(repeated), HasSubstr("coordinate 3 repeats under parent 0"));
  EXPECT_THAT(error_of(repeated),
              HasSubstr("CoordinateOrder::Sort makes a copy in which the values of those are added"));
}

TEST(AdoptCsr, SortsACopyAndAddsUpWhatRepeats) {
  const Array pos = array_of<std::int64_t>({0, 3, 3});
  const Storage tensor = adopt_csr(2, 4, pos, array_of<std::int32_t>({3, 0, 3}), values, CoordinateOrder::Sort);
  EXPECT_EQ(tensor.format, csr_format());
  EXPECT_EQ(entries_of(tensor), (std::vector<Entry>{{{0, 0}, 2}, {{0, 3}, 4}}));
  EXPECT_THAT(error_of([&] {
                adopt_csr(2, 4, pos, array_of<std::int32_t>({3, 0, 4}), values, CoordinateOrder::Sort);
              }),
              HasSubstr("coordinate 4"));
}

TEST(AdoptCsc, MayBeUnorderedToo) {
  const Storage sorted =
      adopt_csc(4, 1, array_of<std::int64_t>({0, 3}), array_of<std::int32_t>({3, 0, 2}), values, CoordinateOrder::Sort);
  const Storage unordered = adopt_csc(4, 1, array_of<std::int64_t>({0, 3}), array_of<std::int32_t>({3, 0, 2}), values,
                                      CoordinateOrder::Unordered);
  EXPECT_EQ(entries_of(sorted), (std::vector<Entry>{{{0, 0}, 2}, {{2, 0}, 3}, {{3, 0}, 1}}));
  EXPECT_EQ(difference(sorted, unordered), std::nullopt);
}

TEST(AdoptCoo, MayBeUnorderedToo) {
  const Array rows = array_of<std::int32_t>({1, 0, 1}), columns = array_of<std::int32_t>({2, 3, 2});
  EXPECT_EQ(entries_of(adopt_coo({2, 4}, {rows, columns}, values, CoordinateOrder::Sort)),
            (std::vector<Entry>{{{0, 3}, 2}, {{1, 2}, 4}}));
  EXPECT_THAT(error_of([&] {
                adopt_coo({2, 4}, {rows, columns}, values, CoordinateOrder::Unordered);
              }),
              HasSubstr("repeat"));
  const Storage unordered =
      adopt_coo({2, 4}, {rows, array_of<std::int32_t>({2, 3, 1})}, values, CoordinateOrder::Unordered);
  EXPECT_FALSE(unordered.format.level(0).ordered);
  EXPECT_EQ(unordered.stored(), 3);
}

TEST(Adopt, TakesCoordinatesAsFound) {
  constexpr auto as_found = CoordinateOrder::AsFound;
  const Array pos = array_of<std::int32_t>({0, 2, 3}), sorted = array_of<std::int32_t>({0, 3, 1});
  EXPECT_EQ(adopt_csr(2, 4, pos, sorted, values, as_found).format, csr_format());
  const Array unordered = array_of<std::int32_t>({3, 0, 1});
  const Storage kept = adopt_csr(2, 4, pos, unordered, values, as_found);
  EXPECT_FALSE(kept.format.level(1).ordered);
  EXPECT_EQ(kept.levels[1].crd.data(), unordered.data());
  const Storage summed = adopt_csr(2, 4, pos, array_of<std::int32_t>({3, 3, 1}), values, as_found);
  EXPECT_EQ(summed.format, csr_format());
  EXPECT_EQ(entries_of(summed), (std::vector<Entry>{{{0, 3}, 3}, {{1, 1}, 3}}));
  EXPECT_THAT(error_of([&] {
                adopt_csr(2, 4, pos, array_of<std::int32_t>({3, 4, 1}), values, as_found);
              }),
              HasSubstr("coordinate 4"));

  const auto coo = [&](const Array& rows) { return adopt_coo({4, 4}, {rows, sorted}, values, as_found); };
  EXPECT_TRUE(coo(array_of<std::int32_t>({0, 0, 1})).format.level(1).ordered);
  EXPECT_FALSE(coo(array_of<std::int32_t>({2, 0, 1})).format.level(1).ordered);
  const Array twice = array_of<std::int32_t>({2, 2, 2});
  EXPECT_EQ(entries_of(adopt_coo({4, 4, 4}, {twice, twice, twice}, values, as_found)),
            (std::vector<Entry>{{{2, 2, 2}, 6}}));
}

TEST(AdoptCoo, SaysWhatCanBeDoneAboutCoordinatesThatDoNotAscend) {
  const auto refusal = [](std::initializer_list<std::int32_t> rows, std::initializer_list<std::int32_t> columns,
                          CoordinateOrder order) {
    return error_of([&] {
      adopt_coo({2, 4}, {array_of<std::int32_t>(rows), array_of<std::int32_t>(columns)}, values, order);
    });
  };
  const auto sorts = HasSubstr("CoordinateOrder::Sort makes a");
  const auto takes = HasSubstr("CoordinateOrder::Unordered takes");
  EXPECT_THAT(refusal({1, 0, 1}, {2, 3, 1}, CoordinateOrder::Ascending), AllOf(HasSubstr("descend"), sorts, takes));
  EXPECT_THAT(refusal({0, 1, 1}, {3, 2, 1}, CoordinateOrder::Ascending), AllOf(HasSubstr("descend"), sorts, takes));
  EXPECT_THAT(refusal({0, 1, 1}, {3, 2, 2}, CoordinateOrder::Ascending), AllOf(HasSubstr("repeat"), sorts));
  EXPECT_THAT(refusal({1, 0, 1}, {2, 3, 2}, CoordinateOrder::Unordered), AllOf(HasSubstr("repeat"), sorts, Not(takes)));
  EXPECT_THAT(refusal({0, 1, 2}, {3, 2, 1}, CoordinateOrder::Ascending), HasSubstr("coordinate 2"));
  EXPECT_EQ(refusal({0, 1, 1}, {3, 1, 2}, CoordinateOrder::Ascending), "");
}

TEST(AdoptCsr, RefusesNegativeDimensions) {
  EXPECT_THROW(adopt_csr(-1, 4, Array::allocate(Type::Int32, 0, false), values, values), Error);
  EXPECT_THROW(adopt_csr(0, 4, Array::allocate(Type::Int32, 0, false), Array::allocate(Type::Int32, 0, false), values),
               Error);
}

TEST(AdoptCsc, ReadsColumns) {
  const Storage tensor = adopt_csc(4, 2, array_of<std::int32_t>({0, 2, 3}), array_of<std::int32_t>({0, 3, 1}), values);
  EXPECT_EQ(tensor.dimensions, (std::vector<std::int64_t>{4, 2}));
  EXPECT_EQ(entries_of(tensor), (std::vector<Entry>{{{0, 0}, 1}, {{3, 0}, 2}, {{1, 1}, 3}}));
}

TEST(AdoptCoo, TakesCoordinatesAsTheyCome) {
  const std::vector<Array> columns = {array_of<std::int64_t>({2, 0, 2}), array_of<std::uint8_t>({1, 2, 1})};
  const Storage tensor = adopt_coo({3, 3}, columns, values, false, false);
  EXPECT_EQ(entries_of(tensor), (std::vector<Entry>{{{2, 1}, 1}, {{0, 2}, 2}, {{2, 1}, 3}}));
}

TEST(AdoptCoo, ChecksWhatThePromisesSay) {
  const std::vector<Array> unordered = {array_of<std::int32_t>({2, 0, 2}), array_of<std::int32_t>({1, 2, 1})};
  EXPECT_THAT(error_of([&] { adopt_coo({3, 3}, unordered, values, true, false); }), HasSubstr("descend"));
  EXPECT_THAT(error_of([&] { adopt_coo({3, 3}, unordered, values, false, true); }), HasSubstr("2, 1 repeats"));
  const std::vector<Array> repeating = {array_of<std::int32_t>({0, 2, 2}), array_of<std::int32_t>({1, 2, 2})};
  EXPECT_THAT(error_of([&] { adopt_coo({3, 3}, repeating, values, true, true); }), HasSubstr("repeat"));
  EXPECT_EQ(error_of([&] { adopt_coo({3, 3}, repeating, values, true, false); }), "");
  const std::vector<Array> second = {array_of<std::int32_t>({0, 2, 2}), array_of<std::int32_t>({1, 2, 1})};
  EXPECT_THAT(error_of([&] { adopt_coo({3, 3}, second, values, true, true); }), HasSubstr("descend"));
  EXPECT_EQ(error_of([&] { adopt_coo({3, 3}, second, values, false, true); }), "");
}

TEST(AdoptCoo, RefusesArraysThatDoNotFit) {
  const Array column = array_of<std::int32_t>({0, 2, 2});
  EXPECT_THAT(error_of([&] { adopt_coo({3, 3}, {column}, values, false, false); }), HasSubstr("2 dimensions"));
  EXPECT_THAT(error_of([&] {
                adopt_coo({3, 3}, {column, array_of<std::int32_t>({0})}, values, false, false);
              }),
              HasSubstr("coordinate array 1 has 1 elements"));
  EXPECT_THAT(error_of([&] {
                adopt_coo({3, 2}, {column, column}, values, false, false);
              }),
              HasSubstr("outside [0, 2)"));
  EXPECT_THAT(error_of([&] { adopt_coo({3}, {values}, values, false, false); }), HasSubstr("integer type"));
}

TEST(AdoptDense, ReadsTheModeOrder) {
  const Array six = array_of<double>({1, 2, 3, 4, 5, 6});
  const Storage rows = adopt_dense({2, 3}, six, LevelMap::identity(2));
  const Storage columns = adopt_dense({2, 3}, six, LevelMap({1, 0}));
  const std::vector<std::int64_t> at = {1, 0};
  EXPECT_EQ(value_at(rows, at), Scalar(4.0));
  EXPECT_EQ(value_at(columns, at), Scalar(2.0));
  EXPECT_THROW(adopt_dense({2, 2}, six, LevelMap::identity(2)), Error);
  EXPECT_THROW(adopt_dense({2, 3}, six, LevelMap::identity(1)), Error);
  EXPECT_EQ(adopt_dense({}, array_of<double>({5}), LevelMap()).stored(), 1);
}

TEST(AdoptDense, RefusesASizeBeyondAllMemory) {
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_THAT(error_of([&] {
                adopt_dense({large, large}, values, LevelMap::identity(2));
              }),
              HasSubstr("more than 2^62"));
}

}  // namespace
}  // namespace lacuna::adopt_test
