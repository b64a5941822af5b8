// Dimensions, positions and spans beyond 32 bits, without the memory that they would take.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/convert.h"
#include "unit/tensor/samples.h"

namespace lacuna::large_test {
namespace {

using testing::entries_of;
using testing::Entry;
using ::testing::HasSubstr;
using testing::list_of;

constexpr std::int64_t two31 = std::int64_t{1} << 31;
constexpr std::int64_t two40 = std::int64_t{1} << 40;

TEST(LargeDimensions, AreHeldByEveryFormatWithoutDenseLevels) {
  for (const std::int64_t dimension : {two31 - 1, two31, two31 + 1, two40}) {
    const std::vector<Entry> entries = {{{0, dimension - 1}, 1}, {{5, 7}, 2}, {{dimension - 1, 0}, 3}};
    const CoordinateList list = list_of({dimension, dimension}, entries);
    EXPECT_EQ(coordinate_type(dimension), dimension < two31 ? Type::Int32 : Type::Int64);
    for (const Format& format : {csf_format(2), coo_format(2), hashed_format(2), dcsc_format()}) {
      const Storage tensor = build(list, format);
      EXPECT_NO_THROW(validate(tensor, "A"));
      for (const Entry& entry : entries) EXPECT_EQ(value_at(tensor, entry.coordinate).as<double>(), entry.value);
      for (const Format& to : {csf_format(2), coo_format(2), hashed_format(2), dcsc_format()}) {
        EXPECT_EQ(difference(convert(tensor, to), tensor, {0, 0, true}), std::nullopt);
      }
    }
  }
}

TEST(LargeDimensions, SortByMoreThan64Bits) {
  const std::vector<Entry> entries = {{{two40 - 1, 0, two40 - 1}, 1}, {{0, two40 - 1, 5}, 2}, {{0, two40 - 1, 4}, 3}};
  const Storage tensor = build(list_of({two40, two40, two40}, entries), csf_format(3));
  EXPECT_EQ(entries_of(tensor),
            (std::vector<Entry>{{{0, two40 - 1, 4}, 3}, {{0, two40 - 1, 5}, 2}, {{two40 - 1, 0, two40 - 1}, 1}}));
}

TEST(LargeDimensions, RefuseDenseSpansBeyondTheLimit) {
  const CoordinateList list = list_of({4, two40, two40}, {{{0, 0, 0}, 1}});
  for (const char* name : {"ddd", "sdd", "sdb", "hdd", "bdd"}) {
    try {
      build(list, parse_format(name, 3));
      FAIL() << name << " was built";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("more than 2^62"));
    }
  }
}

TEST(LargeDimensions, FailAsOutOfMemoryWhereTheSystemRefuses) {
  // A span that numbers can hold and memory cannot.
  const CoordinateList list = list_of({two31, two31 / 2}, {{{0, 0}, 1}});
  EXPECT_THROW(build(list, dense_format(2)), RuntimeFailure);
  EXPECT_THROW(build(list_of({std::int64_t{1} << 60}, {{{0}, 1}}), dense_format(1)), RuntimeFailure);
  EXPECT_THROW(build(list_of({std::int64_t{1} << 61, 2}, {{{0, 0}, 1}}), csr_format()), RuntimeFailure);
}

TEST(LargePositions, AreReadFromArraysThatBeginBeyond32Bits) {
  const std::int64_t base = two31 + 5;
  const Array pos = testing::array_of<std::int64_t>({base, base + 2, base + 3});
  const std::int32_t columns[] = {0, 3, 1};
  const double values[] = {1, 2, 3};
  const Storage tensor = adopt_csr(2, 4, pos, Array::borrow(Type::Int32, columns, 3, nullptr, base),
                                   Array::borrow(Type::Float64, values, 3, nullptr, base));
  EXPECT_EQ(entries_of(tensor), (std::vector<Entry>{{{0, 0}, 1}, {{0, 3}, 2}, {{1, 1}, 3}}));
  EXPECT_EQ(tensor.stored(), 3);
  for (const char* name : {"csc", "dcsr", "coo", "csf:1,0", "dense", "bitmap", "hashed", "dense:1,0"}) {
    const Storage converted = convert(tensor, parse_format(name, 2));
    EXPECT_NO_THROW(validate(converted, name));
    EXPECT_EQ(difference(converted, tensor), std::nullopt) << name;
  }
}

/// Address space whose untouched pages read as zeros and cost nothing.
class SparseMemory {
 public:
  explicit SparseMemory(std::size_t bytes) : bytes_(bytes) {
    address_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~SparseMemory() {
    if (mapped()) munmap(address_, bytes_);
  }
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;
  bool mapped() const { return address_ != MAP_FAILED; }
  template <typename T>
  T* as() const {
    return static_cast<T*>(address_);
  }

 private:
  std::size_t bytes_;
  void* address_;
};

TEST(LargePositions, AreReachedInMappedArraysOfMoreThan32BitsOfElements) {
  const std::int64_t stored = two31 + 10;
  SparseMemory crd(static_cast<std::size_t>(stored) * 4);
  SparseMemory values(static_cast<std::size_t>(stored));
  ASSERT_TRUE(crd.mapped());
  ASSERT_TRUE(values.mapped());
  crd.as<std::int32_t>()[stored - 1] = 9;
  values.as<std::int8_t>()[stored - 1] = 42;
  // Row 0 repeats column 0 two thousand million times: not to be read through, but its positions must be stepped over.
  const Array pos = testing::array_of<std::int64_t>({0, stored - 1, stored});
  Storage tensor = empty_tensor(Type::Int8, {2, 10}, csr_format());
  tensor.levels[1].positions = stored;
  tensor.levels[1].pos = pos;
  tensor.levels[1].crd = Array::borrow(Type::Int32, crd.as<void>(), stored, nullptr);
  tensor.values = Array::borrow(Type::Int8, values.as<void>(), stored, nullptr);
  EXPECT_EQ(tensor.stored(), stored);
  EXPECT_EQ(value_at(tensor, std::vector<std::int64_t>{1, 9}), Scalar(std::int8_t{42}));
  EXPECT_EQ(value_at(tensor, std::vector<std::int64_t>{1, 8}), Scalar(std::int8_t{0}));
  EXPECT_EQ(tensor.bytes(), 24 + 5 * stored);
}

}  // namespace
}  // namespace lacuna::large_test
