#include "lacuna/tensor/unbacked.h"

#include <gtest/gtest.h>

#include <limits>

#include "lacuna/tensor/build.h"

namespace lacuna::unbacked_test {
namespace {

TEST(UnbackedTensor, IsLargerThanAnyMemory) {
  const std::int64_t n = 1 << 20;
  const Storage tensor = unbacked_tensor(Type::Float64, {n, n}, LevelMap::identity(2));  // 8 TB
  EXPECT_EQ(tensor.values.size(), n * n);
  EXPECT_EQ(tensor.values.view<double>()[static_cast<std::size_t>(n * n - 1)], 0);
}

TEST(UnbackedTensor, IsADenseOneInAnyOrderOfModes) {
  for (const std::vector<int>& modes : {std::vector<int>{0, 1, 2}, std::vector<int>{2, 0, 1}}) {
    const LevelMap map(modes);
    const Storage tensor = unbacked_tensor(Type::Int16, {3, 4, 5}, map);
    const Storage same = empty_tensor(Type::Int16, {3, 4, 5}, Format(dense_format(3).levels(), map));
    EXPECT_EQ(tensor.format, same.format);
    EXPECT_EQ(tensor.dimensions, same.dimensions);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(tensor.levels[k].positions, same.levels[k].positions);
    EXPECT_NO_THROW(validate(tensor, "T"));
  }
}

TEST(UnbackedTensor, MayBeEmptyOrANumber) {
  EXPECT_EQ(unbacked_tensor(Type::Float32, {0, 7}, LevelMap::identity(2)).values.size(), 0);
  EXPECT_EQ(unbacked_tensor(Type::Float32, {}, LevelMap()).values.size(), 1);
}

TEST(UnbackedTensor, RefusesWhatNothingAddresses) {
  const std::int64_t n = std::numeric_limits<std::int32_t>::max();
  EXPECT_THROW(unbacked_tensor(Type::Complex128, {n, n}, LevelMap::identity(2)), RuntimeFailure);
  EXPECT_THROW(unbacked_tensor(Type::UInt8, {n, n}, LevelMap::identity(2)), RuntimeFailure);
  EXPECT_THROW(unbacked_tensor(Type::UInt8, {n, n, n}, LevelMap::identity(3)), Error);
  EXPECT_THROW(unbacked_tensor(Type::UInt8, {-1}, LevelMap::identity(1)), Error);
}

}  // namespace
}  // namespace lacuna::unbacked_test
