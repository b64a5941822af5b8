#include <complex>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/convert.h"
#include "unit/io/io_testing.h"

namespace lacuna::round_trip_test {
namespace {

/// Values at the limits of a type, zero among them.
template <typename T>
std::vector<T> telling_values() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, bool>) return {true, false, true, true, true};
  else if constexpr (std::is_integral_v<T>) return {Limits::min(), Limits::max(), T{0}, T{1}, T{100}};
  else if constexpr (std::is_floating_point_v<T>)
    return {T(0.1), Limits::infinity(), Limits::quiet_NaN(), Limits::denorm_min(), -Limits::max()};
  else {
    using Part = typename T::value_type;
    const auto parts = telling_values<Part>();
    return {
        {parts[0], parts[4]}, {parts[1], parts[0]}, {parts[2], parts[0]}, {parts[3], parts[3]}, {Part(0), Part(-1)}};
  }
}

template <typename T>
CoordinateList matrix_of(const std::vector<T>& values) {
  CoordinateList list;
  list.dimensions = {3, 4};
  const std::vector<std::int32_t> rows = {2, 0, 1, 0, 2};
  const std::vector<std::int32_t> columns = {3, 1, 0, 0, 1};
  list.coordinates = {Array::of<std::int32_t>(rows), Array::of<std::int32_t>(columns)};
  list.values = Array::allocate(type_of<T>(), 5, false);
  for (std::size_t i = 0; i < 5; ++i) static_cast<T*>(list.values.mutable_data())[i] = values[i];
  return list;
}

Storage written_and_read(const Storage& tensor, const std::string& ending) {
  const TemporaryFolder folder;
  const std::string path = folder / ("a" + ending);
  write_file(path, tensor);
  ReadOptions options;
  if (ending.starts_with(".tns")) options.dimensions = tensor.dimensions;
  const FileContents file = read_file(path, options);
  return build(file.entries, file.natural);
}

CompareOptions exact() {
  CompareOptions options;
  options.relative = 0;
  options.same_pattern = true;
  return options;
}

class RoundTrip : public ::testing::TestWithParam<int> {};

TEST_P(RoundTrip, KeepsTypeAndValuesInMatrixMarketFiles) {
  visit_type(static_cast<Type>(GetParam()), [](auto tag) {
    const Storage matrix = build(matrix_of(telling_values<decltype(tag)>()), csr_format());
    for (const char* ending : {".mtx", ".ttx", ".mtx.gz"}) {
      for (const Format& format :
           {csr_format(), csc_format(), coo_format(2), dense_format(2), hashed_format(2), bitmap_format(2)}) {
        const Storage stored = convert(matrix, format);
        const Storage read = written_and_read(stored, ending);
        EXPECT_EQ(read.type, matrix.type);
        EXPECT_EQ(read.format.is_dense(), format.is_dense());
        EXPECT_EQ(difference(stored, read, exact()).value_or(""), "") << ending << format.to_string();
      }
    }
  });
}

TEST_P(RoundTrip, KeepsValuesInFilesWithoutTypes) {
  visit_type(static_cast<Type>(GetParam()), [](auto tag) {
    using T = decltype(tag);
    auto values = telling_values<T>();
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) values[1] = T{1} << 62U, values[0] = T{5};
    const Storage matrix = build(matrix_of(values), csr_format());
    const bool complex = is_complex(type_of<T>());
    for (const char* ending : {".rb", ".rb.gz", ".tns", ".tns.gz"}) {
      if (complex && std::string(ending).starts_with(".tns")) continue;
      EXPECT_EQ(difference(matrix, convert_type(written_and_read(matrix, ending), matrix.type), exact()).value_or(""),
                "")
          << ending;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(EveryType, RoundTrip, ::testing::Range(0, type_count),
                         [](const auto& tested) { return std::string(type_name(static_cast<Type>(tested.param))); });

TEST(RoundTripOfShapes, EmptyAndOddTensorsSurvive) {
  for (const auto& [dimensions, endings] :
       std::vector<std::pair<std::vector<std::int64_t>, std::vector<std::string>>>{{{}, {".tns"}},
                                                                                   {{5}, {".tns", ".ttx"}},
                                                                                   {{0, 3}, {".mtx", ".rb", ".ttx"}},
                                                                                   {{2, 0}, {".mtx", ".rb"}},
                                                                                   {{1, 1}, {".mtx", ".rb", ".tns"}},
                                                                                   {{2, 3, 4, 5}, {".ttx", ".tns"}}}) {
    const int order = static_cast<int>(dimensions.size());
    for (const Format& format : {csf_format(order), dense_format(order)}) {
      const Storage tensor = empty_tensor(Type::Float64, dimensions, format);
      for (const std::string& ending : endings) {
        const Storage read = written_and_read(tensor, ending);
        EXPECT_EQ(read.dimensions, dimensions) << ending;
        EXPECT_EQ(difference(tensor, read).value_or(""), "") << ending;
      }
    }
  }
}

}  // namespace
}  // namespace lacuna::round_trip_test
