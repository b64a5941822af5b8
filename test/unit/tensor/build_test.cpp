#include "lacuna/tensor/build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>

#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/hash.h"
#include "unit/tensor/samples.h"

namespace lacuna::build_test {
namespace {

using ::testing::ElementsAre;
using testing::entries_of;
using testing::Entry;
using ::testing::HasSubstr;
using testing::list_of;

std::vector<std::int64_t> integers(const Array& array) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < array.size(); ++i) all.push_back(array.integer(array.base() + i));
  return all;
}

std::string build_error(const CoordinateList& list, const Format& format, const BuildOptions& options = {}) {
  try {
    build(list, format, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

CoordinateList small_matrix() {
  return list_of({3, 4}, {{{2, 3}, 5}, {{0, 1}, 1}, {{2, 0}, 3}, {{0, 3}, 2}, {{2, 1}, 4}});
}

TEST(Build, MakesCsrArrays) {
  const Storage tensor = build(small_matrix(), csr_format());
  EXPECT_THAT(integers(tensor.levels[1].pos), ElementsAre(0, 2, 2, 5));
  EXPECT_THAT(integers(tensor.levels[1].crd), ElementsAre(1, 3, 0, 1, 3));
  EXPECT_THAT(tensor.values.view<double>(), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(tensor.levels[1].pos.type(), Type::Int32);
  EXPECT_EQ(tensor.levels[1].crd.type(), Type::Int32);
  EXPECT_EQ(tensor.levels[0].positions, 3);
  EXPECT_EQ(tensor.levels[1].positions, 5);
  EXPECT_EQ(tensor.dimensions, (std::vector<std::int64_t>{3, 4}));
}

TEST(Build, MakesCscArrays) {
  const Storage tensor = build(small_matrix(), csc_format());
  EXPECT_THAT(integers(tensor.levels[1].pos), ElementsAre(0, 1, 3, 3, 5));
  EXPECT_THAT(integers(tensor.levels[1].crd), ElementsAre(2, 0, 2, 0, 2));
  EXPECT_THAT(tensor.values.view<double>(), ElementsAre(3, 1, 4, 2, 5));
  EXPECT_EQ(tensor.levels[0].extent, 4);
}

TEST(Build, MakesDcsrArrays) {
  const Storage tensor = build(small_matrix(), dcsr_format());
  EXPECT_THAT(integers(tensor.levels[0].pos), ElementsAre(0, 2));
  EXPECT_THAT(integers(tensor.levels[0].crd), ElementsAre(0, 2));
  EXPECT_THAT(integers(tensor.levels[1].pos), ElementsAre(0, 2, 5));
}

TEST(Build, MakesCooArrays) {
  const Storage tensor = build(small_matrix(), coo_format(2));
  EXPECT_THAT(integers(tensor.levels[0].pos), ElementsAre(0, 5));
  EXPECT_THAT(integers(tensor.levels[0].crd), ElementsAre(0, 0, 2, 2, 2));
  EXPECT_THAT(integers(tensor.levels[1].crd), ElementsAre(1, 3, 0, 1, 3));
}

TEST(Build, MakesBitmapArrays) {
  const Storage tensor = build(small_matrix(), Format({{LevelKind::Dense}, {LevelKind::Bitmap}}));
  EXPECT_THAT(tensor.levels[1].present.view<std::uint8_t>(), ElementsAre(0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1));
  EXPECT_THAT(tensor.values.view<double>(), ElementsAre(0, 1, 0, 2, 0, 0, 0, 0, 3, 4, 0, 5));
}

TEST(Build, PlacesHashedCoordinatesWhereTheSearchMeetsThem) {
  const Storage tensor = build(small_matrix(), Format({{LevelKind::Dense}, {LevelKind::Hashed}}));
  const LevelStorage& level = tensor.levels[1];
  EXPECT_THAT(integers(level.pos), ElementsAre(0, 4, 4, 12));
  EXPECT_THAT(integers(level.crd), ElementsAre(3, 1, -1, -1, 0, 1, -1, -1, 3, -1, -1, -1));
  EXPECT_TRUE(is_signed_integer(level.crd.type()));
  for (const auto& [row, column, value] : {std::tuple{0, 1, 1.0}, {0, 3, 2.0}, {2, 0, 3.0}, {2, 1, 4.0}, {2, 3, 5.0}}) {
    const std::int64_t begin = level.pos.integer(row);
    const std::int64_t size = level.pos.integer(row + 1) - begin;
    std::int64_t slot = hash_slot(column, size);
    while (level.crd.integer(begin + slot) != column) {
      ASSERT_GE(level.crd.integer(begin + slot), 0) << "an empty slot came before column " << column;
      slot = (slot + 1) % size;
    }
    EXPECT_EQ(tensor.values.view<double>()[static_cast<std::size_t>(begin + slot)], value);
  }
}

TEST(Build, HashesAsTheKernelsDo) {
  EXPECT_EQ(hash_slot(0, 8), 0);
  EXPECT_EQ(hash_slot(1, 1 << 16), 0x79B9);  // bits 32… of the multiplier
  EXPECT_EQ(hash_region_size(0), 0);
  EXPECT_EQ(hash_region_size(1), 2);
  EXPECT_EQ(hash_region_size(3), 8);
  EXPECT_EQ(hash_region_size(4), 8);
}

TEST(Build, LeavesEmptySlotsWithoutChildren) {
  const Storage tensor = build(small_matrix(), Format({{LevelKind::Hashed}, {LevelKind::Compressed}}));
  for (std::int64_t slot = 0; slot < tensor.levels[0].positions; ++slot) {
    const auto children = tensor.levels[1].pos.integer(slot + 1) - tensor.levels[1].pos.integer(slot);
    EXPECT_EQ(children == 0, tensor.levels[0].crd.integer(slot) < 0);
  }
  EXPECT_EQ(tensor.stored(), 5);
}

TEST(Build, SumsDuplicatesInTheOrderGiven) {
  // In another order the large terms would swallow the small one.
  const CoordinateList list = list_of({2}, {{{1}, 1e300}, {{0}, 7}, {{1}, -1e300}, {{1}, 1}});
  const Storage tensor = build(list, csf_format(1));
  EXPECT_EQ(entries_of(tensor), (std::vector<Entry>{{{0}, 7}, {{1}, 1}}));
}

TEST(Build, SumsIntegersModuloTheirWidth) {
  const CoordinateList bytes = list_of({1}, {{{0}, 100}, {{0}, 100}}, Type::Int8);
  EXPECT_EQ(build(bytes, csf_format(1)).values.integer(0), -56);
  const CoordinateList wide = list_of({1}, {{{0}, 9e18}, {{0}, 9e18}}, Type::Int64);
  EXPECT_EQ(build(wide, csf_format(1)).values.integer(0), static_cast<std::int64_t>(18000000000000000000u));
}

TEST(Build, SumsBooleansToTrueUnlessAllAreFalse) {
  const CoordinateList list = list_of({2}, {{{0}, 1}, {{0}, 1}, {{1}, 0}, {{1}, 0}}, Type::Bool);
  EXPECT_THAT(build(list, csf_format(1)).values.view<bool>(), ElementsAre(true, false));
}

TEST(Build, SumsComplexNumbers) {
  CoordinateList list = list_of({1}, {{{0}, 0}, {{0}, 0}}, Type::Complex128);
  list.values = testing::array_of<std::complex<double>>({{1, 2}, {3, -5}});
  EXPECT_EQ(build(list, csf_format(1)).values.view<std::complex<double>>()[0], std::complex<double>(4, -3));
}

TEST(Build, RefusesDuplicatesWhereAskedTo) {
  const CoordinateList list = list_of({2, 3}, {{{1, 2}, 1}, {{0, 0}, 7}, {{1, 2}, 1}});
  EXPECT_THAT(build_error(list, csc_format(), {Duplicates::Refuse}),
              HasSubstr("the coordinate (1, 2) is given 2 times"));
  EXPECT_EQ(build_error(list, csc_format()), "");
}

TEST(Build, KeepsExplicitZerosUnlessAskedNotTo) {
  const CoordinateList list = list_of({4}, {{{0}, 0}, {{1}, 5}, {{2}, 2}, {{2}, -2}});
  EXPECT_EQ(build(list, csf_format(1)).stored(), 3);
  BuildOptions options;
  options.drop_zeros = true;
  EXPECT_EQ(entries_of(build(list, csf_format(1), options)), (std::vector<Entry>{{{1}, 5}}));
}

TEST(Build, NamesTheEntryOutOfRange) {
  EXPECT_EQ(build_error(list_of({3, 4}, {{{0, 0}, 1}, {{1, 4}, 1}}), csr_format()),
            "entry 1: coordinate 4 of mode 1 is outside [0, 4)");
  EXPECT_EQ(build_error(list_of({3, 4}, {{{-1, 0}, 1}}), csr_format()),
            "entry 0: coordinate -1 of mode 0 is outside [0, 3)");
  EXPECT_NE(build_error(list_of({0, 4}, {{{0, 0}, 1}}), csr_format()), "");
}

TEST(Build, NamesListsThatDoNotFit) {
  EXPECT_THAT(build_error(small_matrix(), csf_format(3)), HasSubstr("order 3, but 2 dimensions"));
  CoordinateList list = small_matrix();
  list.coordinates.pop_back();
  EXPECT_THAT(build_error(list, csr_format()), HasSubstr("needs 2 coordinate arrays"));
  list = small_matrix();
  list.coordinates[1] = testing::array_of<std::int32_t>({1});
  EXPECT_THAT(build_error(list, csr_format()), HasSubstr("mode 1 has 1 coordinates, but there are 5 values"));
  list.coordinates[1] = testing::array_of<double>({1, 2, 3, 4, 5});
  EXPECT_THAT(build_error(list, csr_format()), HasSubstr("must be integers"));
  list = small_matrix();
  list.dimensions[0] = -1;
  EXPECT_THAT(build_error(list, csr_format()), HasSubstr("cannot be negative"));
}

TEST(Build, TakesCoordinatesOfAnyIntegerType) {
  CoordinateList list = list_of({300}, {{{0}, 1}, {{0}, 2}});
  list.coordinates[0] = testing::array_of<std::uint8_t>({200, 7});
  EXPECT_EQ(entries_of(build(list, csf_format(1))), (std::vector<Entry>{{{7}, 2}, {{200}, 1}}));
  list.coordinates[0] = testing::array_of<std::uint64_t>({200, ~std::uint64_t{0}});
  EXPECT_THAT(build_error(list, csf_format(1)), HasSubstr("outside [0, 300)"));
}

TEST(Build, HoldsOneEntryAParentInASingleton) {
  const Format format({{LevelKind::Dense}, {LevelKind::Singleton}});
  const Storage tensor = build(list_of({3, 9}, {{{1, 4}, 2}, {{0, 8}, 1}, {{2, 4}, 3}}), format);
  EXPECT_THAT(integers(tensor.levels[1].crd), ElementsAre(8, 4, 4));
  EXPECT_EQ(tensor.stored(), 3);
}

TEST(Build, RefusesASingletonWithTwoEntriesOrNone) {
  const Format format({{LevelKind::Dense}, {LevelKind::Singleton}});
  EXPECT_THAT(build_error(list_of({2, 9}, {{{1, 4}, 2}, {{0, 8}, 1}, {{1, 5}, 3}}), format),
              HasSubstr("the entries (1, 4) and (1, 5) share theirs"));
  EXPECT_THAT(build_error(list_of({3, 9}, {{{1, 4}, 2}, {{0, 8}, 1}}), format), HasSubstr("1 of them have none"));
}

TEST(Build, AllowsASingletonBelowLevelsWithAbsentPositions) {
  for (const LevelKind kind : {LevelKind::Bitmap, LevelKind::Hashed, LevelKind::Compressed}) {
    const Format format({{kind}, {LevelKind::Singleton}});
    const CoordinateList list = list_of({9, 9}, {{{1, 4}, 2}, {{5, 8}, 1}});
    const Storage tensor = build(list, format);
    EXPECT_NO_THROW(validate(tensor, "A"));
    EXPECT_EQ(difference(tensor, build(list, coo_format(2)), {0, 0, true}), std::nullopt);
  }
}

TEST(Build, SharesArraysThatNeedNoChange) {
  const CoordinateList list = list_of({3, 4}, {{{0, 1}, 1}, {{0, 3}, 2}, {{2, 0}, 3}});
  const Storage tensor = build(list, csr_format());
  EXPECT_EQ(tensor.values.data(), list.values.data());
  EXPECT_EQ(tensor.levels[1].crd.data(), list.coordinates[1].data());
}

TEST(Build, StoresAScalar) {
  const Storage none = build(list_of({}, {}), Format());
  EXPECT_THAT(none.values.view<double>(), ElementsAre(0));
  EXPECT_EQ(none.stored(), 1);
  EXPECT_THAT(build(list_of({}, {{{}, 3}, {{}, 4}}), Format()).values.view<double>(), ElementsAre(7));
}

TEST(Build, GivesTheSameForEveryThreadCount) {
  const CoordinateList list = testing::random_list({5000, 7000}, 400000, 5);
  for (const Format& format : {csr_format(), csc_format(), coo_format(2), hashed_format(2)}) {
    const Storage one = build(list, format);
    BuildOptions options;
    options.threads = 3;
    EXPECT_EQ(difference(one, build(list, format, options), {0, 0, true}), std::nullopt) << format.to_string();
  }
}

TEST(EmptyTensor, StoresNothingButDenseZeros) {
  EXPECT_EQ(empty_tensor(Type::Int32, {4, 5}, csr_format()).stored(), 0);
  EXPECT_EQ(empty_tensor(Type::Int32, {4, 5}, hashed_format(2)).stored(), 0);
  const Storage zeros = empty_tensor(Type::Int16, {2, 3}, dense_format(2));
  EXPECT_THAT(zeros.values.view<std::int16_t>(), ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(EmptyTensor, RefusesDimensionsThatDoNotFit) {
  EXPECT_THROW(empty_tensor(Type::Int32, {4}, csr_format()), Error);
  EXPECT_THROW(empty_tensor(Type::Int32, {4, -5}, csr_format()), Error);
}

}  // namespace
}  // namespace lacuna::build_test
