// Conversions of so many entries that they are shared among threads and dealt in blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"
#include "unit/tensor/samples.h"

namespace lacuna::convert_large_test {
namespace {

constexpr std::int64_t many = 300'000;

std::optional<std::string> exact_difference(const Storage& a, const Storage& b) {
  return difference(a, b, {0, 0, true});
}

/// Entries (row(e), column(e)) with small whole values, so that sums are exact in any type.
template <typename Row, typename Column>
CoordinateList entries(std::vector<std::int64_t> dimensions, Type type, const Row& row, const Column& column) {
  Array rows = Array::allocate(Type::Int32, many, false);
  Array columns = Array::allocate(Type::Int32, many, false);
  Array numbers = Array::allocate(Type::Int8, many, false);
  for (std::int64_t e = 0; e < many; ++e) {
    rows.mutable_view<std::int32_t>()[static_cast<std::size_t>(e)] = static_cast<std::int32_t>(row(e));
    columns.mutable_view<std::int32_t>()[static_cast<std::size_t>(e)] = static_cast<std::int32_t>(column(e));
    numbers.mutable_view<std::int8_t>()[static_cast<std::size_t>(e)] = static_cast<std::int8_t>(e % 3);
  }
  const Storage typed = convert_type(adopt_dense({many}, numbers, LevelMap::identity(1)), type);
  return {std::move(dimensions), {rows, columns}, typed.values};
}

/// Lists in no order, with coordinates that repeat: each is dealt in another way.
std::vector<CoordinateList> unsorted_lists(Type type) {
  std::mt19937_64 random(5);
  const auto below = [&](std::int64_t end) {
    return
        [&random, end](std::int64_t) { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end)); };
  };
  const auto skewed = [&](std::int64_t) {
    const double x = static_cast<double>(random() % 100'000) / 100'000;
    return static_cast<std::int64_t>(3000 * x * x * x * x);
  };
  const auto near = [&](std::int64_t e) { return e / 100 + static_cast<std::int64_t>(random() % 5); };
  return {entries({70'000, 900}, type, below(70'000), below(900)), entries({100'000, 5000}, type, skewed, below(5000)),
          entries({3100, 3100}, type, near, near), entries({200, 5000}, type, below(200), below(5000)),
          entries({40'000, 1}, type, below(40'000), below(1))};
}

TEST(ConvertLarge, SumsWhatIsGivenInNoOrder) {
  for (const Type type : {Type::Bool, Type::Int16, Type::Float32, Type::Float64, Type::Complex128}) {
    for (const CoordinateList& list : unsorted_lists(type)) {
      const Storage expected = build(list, coo_format(2));
      const Storage loose = adopt_coo(list.dimensions, list.coordinates, list.values, false, false);
      for (const Format& format : {csr_format(), csc_format()}) {
        for (const int threads : {1, 3}) {
          const Storage packed = convert(loose, format, threads);
          EXPECT_NO_THROW(validate(packed, format.to_string()));
          EXPECT_EQ(exact_difference(packed, expected), std::nullopt) << type_name(type) << list.dimensions[0];
        }
      }
    }
  }
}

TEST(ConvertLarge, AddsInTheOrderGiven) {
  // In this order the 1 is lost in 1e18; in another one it is left over.
  CoordinateList list = entries(
      {90'000, 2}, Type::Float64, [](std::int64_t e) { return e * 7 % 90'000; }, [](std::int64_t) { return 1; });
  const auto values = list.values.mutable_view<double>();
  for (std::int64_t e = 0; e < many; ++e)
    values[static_cast<std::size_t>(e)] = e < 90'000 ? 1e18 : e < 180'000 ? 1 : -1e18;
  const Storage packed = build(list, csr_format(), {Duplicates::Sum, false, 3});
  ASSERT_EQ(packed.stored(), 90'000);
  const auto sums = packed.values.view<double>();
  EXPECT_EQ(std::count_if(sums.begin(), sums.end(), [](double sum) { return sum != 0 && sum != -1e18; }), 0);
}

/// Matrices by rows, without repeats: random, of few columns, of long rows, banded, with empty rows.
std::vector<Storage> matrices() {
  std::vector<Storage> all;
  for (const CoordinateList& list :
       {generate_uniform({60'000, 50'000}, many, 1), generate_uniform({90'000, 40}, many, 1),
        generate_rmat(1 << 15, 1 << 15, many, 1), generate_banded(30'000, 30'000, 5, 1),
        generate_uniform({2'000'000, 50'000}, many, 2), generate_uniform({300, 50'000}, many, 2)}) {
    all.push_back(build(list, csr_format()));
  }
  return all;
}

TEST(ConvertLarge, AgreesFromEveryMatrixFormatToEveryOther) {
  const std::vector<Format> formats = {csr_format(), csc_format(), dcsr_format(), dcsc_format(), coo_format(2)};
  for (const Storage& matrix : matrices()) {
    for (const Format& from : formats) {
      const Storage source = convert(matrix, from);
      for (const Format& to : formats) {
        const Storage target = convert(source, to, 3);
        EXPECT_NO_THROW(validate(target, to.to_string()));
        EXPECT_EQ(exact_difference(target, matrix), std::nullopt) << from.to_string() << " to " << to.to_string();
      }
    }
  }
}

TEST(ConvertLarge, SharesWhatStaysTheSame) {
  for (const Storage& matrix : matrices()) {
    const Storage list = convert(matrix, coo_format(2), 3);
    const Storage rows = convert(list, csr_format(), 3);
    EXPECT_EQ(list.values.data(), matrix.values.data());
    EXPECT_EQ(rows.values.data(), matrix.values.data());
    EXPECT_EQ(rows.levels[1].crd.data(), matrix.levels[1].crd.data());
  }
  const Storage banded = build(generate_banded(30'000, 30'000, 5, 1), csr_format());
  EXPECT_EQ(convert(banded, dcsr_format(), 3).levels[1].pos.data(), banded.levels[1].pos.data());
}

TEST(ConvertLarge, BuildsEveryKindOfLevelOnSeveralThreads) {
  for (const std::vector<std::int64_t>& dimensions :
       {std::vector<std::int64_t>{70, 60, 50, 40}, {3, 2, 40'000, 9}, {70'000, 9, 2, 3}}) {
    const CoordinateList sorted = coordinates_of(build(generate_skewed(dimensions, many, 0.5, 1), coo_format(4)));
    const Storage source = adopt_coo(sorted.dimensions, sorted.coordinates, sorted.values, true, true);
    for (const char* name : {"s,s,s,s", "d,s,s,s", "d,d,s,s", "s,d,u,q", "u,q,s,s", "s,u,q,s", "h,s,s,s", "s,h,d,s",
                             "b,s,b,s", "s,s,s,s:3,1,0,2", "d,s,s,s:2,3,1,0"}) {
      const Format format = parse_format(name, 4);
      const Storage alone = convert(source, format, 1);
      const Storage shared = convert(source, format, 3);
      EXPECT_NO_THROW(validate(alone, name));
      EXPECT_NO_THROW(validate(shared, name));
      ASSERT_EQ(alone.values.size(), shared.values.size()) << name;
      EXPECT_EQ(difference(alone, source), std::nullopt) << name;
      EXPECT_EQ(difference(shared, source), std::nullopt) << name;
    }
  }
}

}  // namespace
}  // namespace lacuna::convert_large_test
