#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/storage.h"
#include "unit/tensor/samples.h"

namespace lacuna::validate_test {
namespace {

using testing::array_of;
using ::testing::HasSubstr;

std::string complaint(const Storage& tensor) {
  try {
    validate(tensor, "A");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

CoordinateList sample() { return testing::list_of({3, 4}, {{{0, 1}, 1}, {{0, 3}, 2}, {{2, 0}, 3}}); }

/// A copy of an array's elements, free to be spoiled.
Array copy_of(const Array& array) {
  Array copy = Array::allocate(array.type(), array.size(), false);
  std::memcpy(copy.mutable_data(), array.data(), static_cast<std::size_t>(array.bytes()));
  return copy;
}

TEST(Validate, AcceptsEverythingThatIsBuilt) {
  for (int order = 0; order <= 3; ++order) {
    const std::vector<std::int64_t> all = {4, 3, 5};
    const std::vector<std::int64_t> dimensions(all.begin(), all.begin() + order);
    for (const Format& format : testing::every_format(order)) {
      EXPECT_EQ(complaint(build(testing::random_list(dimensions, 12, 4), format)), "") << format.to_string();
      EXPECT_EQ(complaint(empty_tensor(Type::Int8, dimensions, format)), "") << format.to_string();
    }
  }
}

TEST(Validate, NamesTheTensorAndTheLevel) {
  Storage tensor = build(sample(), csr_format());
  tensor.levels[1].positions = 4;
  EXPECT_EQ(complaint(tensor), "A: level 1: says that it has 4 positions, but has 3");
}

TEST(Validate, RefusesSizesThatDisagree) {
  const Storage tensor = build(sample(), csr_format());
  Storage bad = tensor;
  bad.values = array_of<double>({1, 2});
  EXPECT_THAT(complaint(bad), HasSubstr("2 values from position 0 on"));
  bad = tensor;
  bad.values = array_of<float>({1, 2, 3});
  EXPECT_THAT(complaint(bad), HasSubstr("the values are float32"));
  bad = tensor;
  bad.dimensions = {2, 4};
  EXPECT_THAT(complaint(bad), HasSubstr("dimension 0 is 2"));
  bad = tensor;
  bad.levels.pop_back();
  EXPECT_THAT(complaint(bad), HasSubstr("1 levels"));
  bad = tensor;
  bad.levels[0].origin = -1;
  EXPECT_NE(complaint(bad), "");
  bad = tensor;
  bad.levels[1].crd = array_of<std::int32_t>({1, 3});
  EXPECT_THAT(complaint(bad), HasSubstr("pos covers [0, 3), but crd holds the positions [0, 2)"));
}

TEST(Validate, RefusesABadSingleton) {
  Storage bad = build(sample(), coo_format(2));
  bad.levels[1].crd = array_of<std::int32_t>({1, 3});
  EXPECT_THAT(complaint(bad), HasSubstr("level 1: crd has 2 elements"));
  bad.levels[1].crd = array_of<std::int32_t>({1, 3, 4});
  EXPECT_THAT(complaint(bad), HasSubstr("outside [0, 4)"));
}

TEST(Validate, RefusesABadBitmap) {
  Storage bad = build(sample(), bitmap_format(2));
  bad.levels[1].present = array_of<std::uint8_t>({1});
  EXPECT_THAT(complaint(bad), HasSubstr("needs 12 bytes"));
  bad = build(sample(), bitmap_format(2));
  bad.levels[0].present = array_of<std::uint8_t>({0, 0, 1});
  EXPECT_THAT(complaint(bad), HasSubstr("position 0 above it is absent, but has entries"));
}

TEST(Validate, RefusesEntriesUnderAnAbsentPosition) {
  Storage bad = build(sample(), parse_format("bs", 2));
  bad.levels[0].present = array_of<std::uint8_t>({1, 0, 0});
  EXPECT_THAT(complaint(bad), HasSubstr("position 2 above it is absent, but has entries"));
}

TEST(Validate, RefusesABadHashTable) {
  const Storage tensor = build(testing::list_of({9}, {{{1}, 1}, {{4}, 2}, {{7}, 3}}), hashed_format(1));
  Storage bad = tensor;
  bad.levels[0].crd = array_of<std::int32_t>({1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_THAT(complaint(bad), HasSubstr("no empty slot"));
  bad.levels[0].crd = copy_of(tensor.levels[0].crd);
  auto slots = bad.levels[0].crd.mutable_view<std::int32_t>();
  std::rotate(slots.begin(), slots.begin() + 3, slots.end());
  EXPECT_THAT(complaint(bad), HasSubstr("cannot be found from its own slot"));
  bad.levels[0].pos = array_of<std::int32_t>({0, 6});
  bad.levels[0].crd = array_of<std::int32_t>({-1, -1, -1, -1, -1, -1});
  EXPECT_THAT(complaint(bad), HasSubstr("power of two"));
  bad.levels[0].pos = array_of<std::int32_t>({0, 2});
  bad.levels[0].crd = array_of<std::uint32_t>({1, 2});
  EXPECT_THAT(complaint(bad), HasSubstr("must be signed"));
}

TEST(Validate, RefusesACoordinateTwiceInOneHashTable) {
  Storage bad = build(testing::list_of({9}, {{{1}, 1}, {{4}, 2}, {{7}, 3}}), hashed_format(1));
  bad.levels[0].crd = copy_of(bad.levels[0].crd);
  auto slots = bad.levels[0].crd.mutable_view<std::int32_t>();
  // The slot after a run of coordinates is where a search for any of them could end.
  std::size_t slot = 0;
  while (slots[slot] < 0 || slots[(slot + 1) % 8] >= 0) ++slot;
  slots[(slot + 1) % 8] = slots[slot];
  EXPECT_THAT(complaint(bad), HasSubstr("repeats under parent 0"));
}

TEST(Validate, NeverReadsOutOfBoundsWhateverTheArraysHold) {
  std::mt19937_64 random(3);
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::vector<Format> formats = testing::every_format(2);
    Storage tensor = build(sample(), formats[random() % formats.size()]);
    for (int change = 0; change < 2; ++change) {
      LevelStorage& level = tensor.levels[random() % 2];
      Array* arrays[] = {&level.pos, &level.crd, &level.present, &tensor.values};
      Array& array = *arrays[random() % 4];
      if (array.size() == 0) continue;
      Array spoiled = copy_of(array);
      const auto size = static_cast<std::size_t>(spoiled.bytes());
      static_cast<unsigned char*>(spoiled.mutable_data())[random() % size] = static_cast<unsigned char>(random());
      array = Array::borrow(spoiled.type(), spoiled.data(),
                            spoiled.size() - static_cast<std::int64_t>(random() % 4 == 0), spoiled.owner());
    }
    if (!complaint(tensor).empty()) {
      ++refused;
      continue;
    }
    // What validates can be used.
    const Storage copy = convert(tensor, coo_format(2));
    EXPECT_EQ(difference(tensor, copy), std::nullopt);
  }
  EXPECT_GT(refused, 500);
  EXPECT_LT(refused, 2900);
}

}  // namespace
}  // namespace lacuna::validate_test
