#include "lacuna/tensor/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>

#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/generate.h"
#include "unit/tensor/samples.h"

namespace lacuna::convert_test {
namespace {

using testing::entries_of;
using testing::Entry;
using testing::list_of;

std::optional<std::string> exact_difference(const Storage& a, const Storage& b) {
  return difference(a, b, {0, 0, true});
}

TEST(Convert, SharesTheArraysOfTheSameFormat) {
  const Storage tensor = build(testing::random_list({30, 40}, 100, 1), csr_format());
  EXPECT_EQ(convert(tensor, csr_format()).values.data(), tensor.values.data());
}

TEST(Convert, ForgetsPromisesWithoutCopying) {
  const Storage tensor = build(testing::random_list({30, 40}, 100, 1), csr_format());
  const Storage loose = convert(tensor, parse_format("dense,compressed(unordered,nonunique)", 2));
  EXPECT_EQ(loose.levels[1].crd.data(), tensor.levels[1].crd.data());
  EXPECT_FALSE(loose.format.level(1).ordered);
}

TEST(Convert, SortsAndCoalescesWhatPromisedNothing) {
  const Storage loose =
      adopt_coo({3, 3}, {testing::array_of<std::int32_t>({2, 0, 2}), testing::array_of<std::int32_t>({1, 2, 1})},
                testing::array_of<double>({1, 2, 3}), false, false);
  EXPECT_EQ(entries_of(convert(loose, coo_format(2))), (std::vector<Entry>{{{0, 2}, 2}, {{2, 1}, 4}}));
  EXPECT_EQ(entries_of(convert(loose, csc_format())), (std::vector<Entry>{{{2, 1}, 4}, {{0, 2}, 2}}));
}

TEST(Convert, KeepsExplicitZerosOfASparseTensor) {
  const Storage tensor = build(list_of({3, 3}, {{{0, 1}, 0}, {{1, 1}, 4}}), csr_format());
  EXPECT_EQ(convert(tensor, csc_format()).stored(), 2);
  EXPECT_EQ(convert(tensor, dcsr_format()).stored(), 2);
}

TEST(Convert, DropsTheZerosOfADenseTensor) {
  const Storage tensor = build(list_of({3, 3}, {{{0, 1}, 0}, {{1, 1}, 4}}), dense_format(2));
  for (const Format& format : {csr_format(), csc_format(), coo_format(2), bitmap_format(2), hashed_format(2)}) {
    EXPECT_EQ(convert(tensor, format).stored(), 1) << format.to_string();
  }
  EXPECT_EQ(convert(tensor, parse_format("dense:1,0", 2)).stored(), 9);
}

TEST(Convert, RefusesAFormatOfAnotherOrder) {
  EXPECT_THROW(convert(empty_tensor(Type::Int8, {2, 2}, csr_format()), csf_format(3)), Error);
}

TEST(Convert, AgreesWithTheGeneralWayOnEveryFastPath) {
  for (const std::vector<std::int64_t>& dimensions :
       {std::vector<std::int64_t>{300, 500}, {500, 1}, {1, 70}, {0, 4}, {4, 0}}) {
    for (const Type type : {Type::Bool, Type::Int16, Type::Float32, Type::Float64, Type::Complex128}) {
      const CoordinateList list = testing::random_list(dimensions, 2000, 9, type);
      const std::vector<Format> formats = {csr_format(), csc_format(), dcsr_format(), dcsc_format(), coo_format(2)};
      for (const Format& from : formats) {
        const Storage source = build(list, from);
        for (const Format& to : formats) {
          for (const int threads : {1, 3}) {
            const Storage target = convert(source, to, threads);
            EXPECT_NO_THROW(validate(target, to.to_string()));
            EXPECT_EQ(exact_difference(target, build(list, to)), std::nullopt) << from.to_string() << to.to_string();
          }
        }
      }
    }
  }
}

TEST(Convert, ReordersTheLevelsOfDenseTensors) {
  const std::vector<std::vector<std::int64_t>> shapes{{3, 5},    {70, 33},    {1, 40},      {0, 4},
                                                      {4, 5, 6}, {33, 2, 40}, {2, 1, 3, 35}};
  for (const std::vector<std::int64_t>& shape : shapes) {
    std::vector<int> modes(shape.size());
    std::iota(modes.begin(), modes.end(), 0);
    const std::vector<LevelFormat> levels(shape.size(), LevelFormat{LevelKind::Dense, true, true});
    std::int64_t size = 1;
    for (const std::int64_t n : shape) size *= n;
    const CoordinateList list = testing::random_list(shape, size / 2, 1);
    for (const Type type : {Type::Float64, Type::Int8, Type::Complex128}) {
      const Storage tensor = convert_type(build(list, Format(levels)), type);
      do {
        const Format format(levels, LevelMap(modes));
        for (const int threads : {1, 3}) {
          const Storage reordered = convert(tensor, format, threads);
          EXPECT_EQ(reordered.format, format);
          EXPECT_EQ(exact_difference(reordered, build(coordinates_of(tensor), format)).value_or(""), "");
          EXPECT_EQ(exact_difference(convert(reordered, tensor.format, threads), tensor).value_or(""), "");
        }
      } while (std::next_permutation(modes.begin(), modes.end()));
    }
  }
}

TEST(Convert, SharesWhatLiesBelowTheRows) {
  for (const char* below : {",s", ",s,d", ",s,h", ",u,q"}) {
    const int order = below == std::string(",s") ? 2 : 3;
    const CoordinateList list = testing::random_list({50, 9, 8}, 40, 6);
    const CoordinateList matrix = testing::random_list({50, 9}, 40, 6);
    const Storage rows = build(order == 2 ? matrix : list, parse_format(std::string("d") + below, order));
    const Storage few = convert(rows, parse_format(std::string("s") + below, order));
    EXPECT_NO_THROW(validate(few, below));
    EXPECT_EQ(few.values.data(), rows.values.data());
    EXPECT_LT(few.levels[0].positions, 50);
    EXPECT_TRUE(few.levels[1].nonempty);
    EXPECT_EQ(exact_difference(few, rows), std::nullopt) << below;
    const Storage again = convert(few, rows.format);
    EXPECT_NO_THROW(validate(again, below));
    EXPECT_EQ(again.values.data(), rows.values.data());
    EXPECT_FALSE(again.levels[1].nonempty);
    EXPECT_EQ(exact_difference(again, rows), std::nullopt) << below;
  }
}

TEST(Convert, ReadsAdoptedArraysOfEveryWidth) {
  const Array pos = testing::array_of<std::uint8_t>({0, 2, 2, 3});
  const Array crd = testing::array_of<std::uint16_t>({1, 3, 0});
  const Storage tensor = adopt_csr(3, 4, pos, crd, testing::array_of<float>({1, 2, 3}));
  const Storage expected = build(list_of({3, 4}, {{{0, 1}, 1}, {{0, 3}, 2}, {{2, 0}, 3}}, Type::Float32), csr_format());
  for (const char* name : {"csc", "dcsr", "coo", "dense", "hashed", "bitmap", "dense,compressed(unordered)"}) {
    const Storage target = convert(tensor, parse_format(name, 2));
    EXPECT_EQ(difference(target, expected), std::nullopt) << name;
    EXPECT_EQ(difference(convert(target, csr_format()), expected), std::nullopt) << name;
  }
}

TEST(Convert, KeepsTheFillValue) {
  Storage tensor = build(list_of({3}, {{{1}, 5}}), csf_format(1));
  tensor.fill = Scalar(2.0);
  const Storage dense = convert(tensor, dense_format(1));
  EXPECT_EQ(entries_of(dense), (std::vector<Entry>{{{0}, 2}, {{1}, 5}, {{2}, 2}}));
  EXPECT_EQ(entries_of(convert(dense, csf_format(1))), (std::vector<Entry>{{{1}, 5}}));
  EXPECT_EQ(difference(tensor, dense), std::nullopt);
}

TEST(CoordinatesOf, SharesTheColumnsOfACoordinateTensor) {
  const Storage tensor = build(testing::random_list({30, 40}, 100, 1), coo_format(2));
  EXPECT_EQ(coordinates_of(tensor).coordinates[1].data(), tensor.levels[1].crd.data());
}

TEST(CoordinatesOf, DropsZerosWhereAsked) {
  const std::vector<Entry> entries = {{{0, 1}, 0}, {{1, 1}, 4}, {{2, 0}, 0}, {{2, 2}, 1}};
  for (const Format& format : testing::every_format(2)) {
    const CoordinateList list = coordinates_of(build(list_of({3, 3}, entries), format), false);
    ASSERT_EQ(list.size(), 2) << format.to_string();
    const Storage kept = build(list, coo_format(2));
    EXPECT_EQ(entries_of(kept), (std::vector<Entry>{{{1, 1}, 4}, {{2, 2}, 1}})) << format.to_string();
  }
}

TEST(DropZeros, KeepsDenseLevels) {
  const std::vector<Entry> entries = {{{0, 1}, 0}, {{1, 1}, 4}};
  EXPECT_EQ(drop_zeros(build(list_of({3, 3}, entries), csr_format())).stored(), 1);
  EXPECT_EQ(drop_zeros(build(list_of({3, 3}, entries), dense_format(2))).stored(), 9);
  EXPECT_EQ(drop_zeros(build(list_of({3, 3}, entries), parse_format("sd", 2))).stored(), 3);
}

TEST(ConvertType, FollowsTheRulesOfScalars) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Storage tensor = build(list_of({4}, {{{0}, 3.7}, {{1}, -1e30}, {{2}, nan}, {{3}, 0}}), csf_format(1));
  const Storage integers = convert_type(tensor, Type::Int16);
  EXPECT_EQ(integers.type, Type::Int16);
  EXPECT_EQ(integers.fill, Scalar(std::int16_t{0}));
  EXPECT_EQ(entries_of(integers), (std::vector<Entry>{{{0}, 3}, {{1}, -32768}, {{2}, 0}, {{3}, 0}}));
  EXPECT_EQ(integers.levels[0].crd.data(), tensor.levels[0].crd.data());
  EXPECT_EQ(entries_of(convert_type(tensor, Type::Bool)), (std::vector<Entry>{{{0}, 1}, {{1}, 1}, {{2}, 1}, {{3}, 0}}));
}

TEST(Transpose, SharesArraysAndMovesCoordinates) {
  const Storage tensor = build(testing::random_list({3, 4, 5}, 20, 2), csf_format(3));
  const Storage turned = transpose(tensor, {2, 0, 1});
  EXPECT_EQ(turned.values.data(), tensor.values.data());
  EXPECT_EQ(turned.dimensions, (std::vector<std::int64_t>{5, 3, 4}));
  for (const Entry& entry : entries_of(tensor)) {
    const std::vector<std::int64_t> moved = {entry.coordinate[2], entry.coordinate[0], entry.coordinate[1]};
    EXPECT_EQ(value_at(turned, moved).as<double>(), entry.value);
  }
  EXPECT_EQ(exact_difference(transpose(turned, {1, 2, 0}), tensor), std::nullopt);
}

TEST(Transpose, TurnsCsrIntoCsc) {
  const Storage tensor = build(testing::random_list({3, 4}, 6, 2), csr_format());
  EXPECT_EQ(transpose(tensor, {1, 0}).format, csc_format());
}

TEST(Transpose, RefusesWhatIsNoPermutation) {
  const Storage tensor = empty_tensor(Type::Int8, {2, 2}, csr_format());
  EXPECT_THROW(transpose(tensor, {0}), Error);
  EXPECT_THROW(transpose(tensor, {0, 0}), Error);
}

}  // namespace
}  // namespace lacuna::convert_test
