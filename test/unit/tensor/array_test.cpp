#include "lacuna/tensor/array.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "unit/tensor/samples.h"

namespace lacuna::array_test {
namespace {

TEST(Array, IsZeroedWhereAskedFor) {
  const Array array = Array::allocate(Type::Int64, 1000, true);
  for (const std::int64_t element : array.view<std::int64_t>()) EXPECT_EQ(element, 0);
  EXPECT_EQ(array.bytes(), 8000);
}

TEST(Array, RefusesASizeThatNoMemoryHolds) {
  EXPECT_THROW(Array::allocate(Type::Float64, std::numeric_limits<std::int64_t>::max(), false), RuntimeFailure);
  EXPECT_THROW(Array::allocate(Type::UInt8, std::numeric_limits<std::int64_t>::max(), true), RuntimeFailure);
}

TEST(Array, HasAnAddressEvenWhenEmpty) { EXPECT_NE(Array::allocate(Type::Complex128, 0, false).data(), nullptr); }

TEST(Array, SharesMemoryWithItsCopies) {
  Array array = Array::allocate(Type::Int32, 3, true);
  const Array copy = array;
  EXPECT_EQ(copy.data(), array.data());
}

TEST(Array, KeepsItsOwnerAlive) {
  auto owner = std::make_shared<std::vector<std::int32_t>>(std::vector<std::int32_t>{4, 5, 6});
  const std::weak_ptr<std::vector<std::int32_t>> watch = owner;
  {
    const Array array = Array::borrow(Type::Int32, owner->data(), 3, owner);
    owner.reset();
    EXPECT_FALSE(watch.expired());
    EXPECT_EQ(array.integer(1), 5);
  }
  EXPECT_TRUE(watch.expired());
}

TEST(Array, GivesUpWhatItAloneHolds) {
  Array a = Array::allocate(Type::Int64, 3, true);
  const void* memory = a.data();
  {
    const Array other = a;
    EXPECT_EQ(a.release(), nullptr);
  }
  OwnedMemory released = a.release();
  EXPECT_EQ(released.get(), memory);
  EXPECT_TRUE(a.empty());
  EXPECT_EQ(a.data(), nullptr);
  EXPECT_EQ(a.release(), nullptr);
}

TEST(Array, TakesMemoryOverAgain) {
  Array a = Array::allocate(Type::Int64, 3, true);
  OwnedMemory released = a.release();
  static_cast<std::int32_t*>(released.get())[1] = 7;
  Array other = a;  // of nothing, by the owner that is kept for later
  a.take_over(Type::Int32, std::move(released), 2);
  EXPECT_EQ(a.integer(1), 7);
  EXPECT_TRUE(a.is_sole());
  EXPECT_TRUE(other.empty());
  other = {};
  EXPECT_EQ(a.integer(1), 7);
  // In the place of what it had, which others still hold.
  const Array before = a;
  a.take_over(Type::UInt8, OwnedMemory(allocate_zeroed(4)), 4);
  EXPECT_EQ(before.integer(1), 7);
  EXPECT_EQ(a.size(), 4);
  // Part of another array, which owns the memory.
  Array part = Array::borrow(Type::UInt8, a.data(), 2, a.owner());
  EXPECT_EQ(part.release(), nullptr);
}

TEST(Array, KeepsWhatWasMadeOfItsElementsUntilTheyMayChange) {
  const auto made = std::make_shared<int>(1);
  Array a = Array::allocate(Type::Float64, 2, true);
  const Array same = a;
  a.keep_beside(made);
  EXPECT_EQ(same.kept_beside(), made);
  a.mutable_view<double>()[0] = 1;
  EXPECT_EQ(same.kept_beside(), nullptr);
  same.keep_beside(made);
  a.mutable_data();
  EXPECT_EQ(same.kept_beside(), nullptr);
  Array sole = Array::allocate(Type::Float64, 2, true);
  sole.keep_beside(made);
  OwnedMemory memory = sole.release();
  sole.take_over(Type::Float64, std::move(memory), 2);
  EXPECT_EQ(sole.kept_beside(), nullptr);
  const std::vector<double> others(2);
  const Array adopted = Array::borrow(Type::Float64, others.data(), 2, nullptr);
  adopted.keep_beside(made);
  EXPECT_EQ(adopted.kept_beside(), nullptr);
  EXPECT_EQ(made.use_count(), 1);
}

TEST(Array, ReadsIntegersOfEveryWidthByLogicalIndex) {
  const std::uint8_t small[] = {200, 255};
  const Array array = Array::borrow(Type::UInt8, small, 2, nullptr, 1000);
  EXPECT_EQ(array.integer(1000), 200);
  EXPECT_EQ(array.integer(1001), 255);
  EXPECT_EQ(testing::array_of<std::int16_t>({-3}).integer(0), -3);
  EXPECT_EQ(testing::array_of<std::uint32_t>({4000000000u}).integer(0), 4000000000);
}

TEST(Array, ChecksTheBoundsOfInteger) {
  const Array array = testing::array_of<std::int32_t>({1, 2});
  EXPECT_THROW(array.integer(2), InternalError);
  EXPECT_THROW(array.integer(-1), InternalError);
}

TEST(Array, RefusesTheViewOfAnotherType) {
  const Array array = testing::array_of<std::int32_t>({1, 2});
  EXPECT_THROW(array.view<float>(), InternalError);
}

TEST(Array, RefusesToBorrowWhatIsNotThere) {
  EXPECT_THROW(Array::borrow(Type::Int32, nullptr, 1, nullptr), Error);
  EXPECT_THROW(Array::borrow(Type::Int32, nullptr, -1, nullptr), Error);
  EXPECT_NO_THROW(Array::borrow(Type::Int32, nullptr, 0, nullptr));
}

}  // namespace
}  // namespace lacuna::array_test
