// Rows of large results are stored past the caches.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/engine/engine.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::streams_test {
namespace {

constexpr std::int64_t rows = 90000;

/// One entry a row: i + 1 in column i % 7.
Storage one_a_row() {
  CoordinateList list{{rows, 7}, {}, Array::allocate(Type::Float64, rows, false)};
  for (int m = 0; m < 2; ++m) list.coordinates.push_back(Array::allocate(Type::Int32, rows, false));
  for (std::int64_t i = 0; i < rows; ++i) {
    list.coordinates[0].mutable_view<std::int32_t>()[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i);
    list.coordinates[1].mutable_view<std::int32_t>()[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i % 7);
    list.values.mutable_view<double>()[static_cast<std::size_t>(i)] = static_cast<double>(i + 1);
  }
  return build(list, csr_format());
}

template <typename T>
void expect_product(std::int64_t columns, int threads) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Storage x = convert_type(generate_dense({7, columns}, 1), type_of<T>()), a = convert_type(one_a_row(), type_of<T>());
  Options options;
  options.target.threads = threads;
  const Storage y = engine.run(
      {parse_statement("y(i,k) = A(i,j) * x(j,k)"), {{"A", a}, {"x", x}}, dense_format(2), {}, {}, {}}, options);
  const auto got = y.values.view<T>(), of_x = x.values.view<T>();
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t k = 0; k < columns; ++k)
      ASSERT_EQ(got[static_cast<std::size_t>(i * columns + k)],
                static_cast<T>(i + 1) * of_x[static_cast<std::size_t>(i % 7 * columns + k)])
          << i << ", " << k;
}

TEST(Streams, LargeResultsAreRight) {
  expect_product<double>(32, 1);
  expect_product<double>(32, 2);
  expect_product<double>(35, 2);  // rows that are not aligned
  expect_product<float>(64, 2);
  expect_product<float>(127, 1);
}

std::string kernel_of(const std::string& statement, std::map<std::string, Storage> operands) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  std::string text;
  Options options;
  options.on_stage = [&](const Stage& stage) {
    if (stage.name == "c") text = stage.text;
  };
  (void)engine.prepare({parse_statement(statement), std::move(operands), dense_format(2), {}, {}, {}}, options);
  return text;
}

/// Each row is stored once. What is added to is read again, and so stays where it is.
TEST(Streams, AreForWhatIsStoredOnce) {
  const Storage a = one_a_row(), x = generate_dense({7, 32}, 1);
  EXPECT_THAT(kernel_of("y(i,k) = A(i,j) * x(j,k)", {{"A", a}, {"x", x}}),
              testing::AllOf(testing::HasSubstr("y_vals_size = y->vals.size;"),
                             testing::HasSubstr("y_vals_size >= 2097152);")));
  EXPECT_THAT(kernel_of("y(i,k) = A(i,j) * x(j,k) + B(i,l) * z(l,k)", {{"A", a}, {"x", x}, {"B", a}, {"z", x}}),
              testing::Not(testing::HasSubstr("lacuna_stream")));
}

}  // namespace
}  // namespace lacuna::streams_test
