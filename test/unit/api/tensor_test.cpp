// Tensors as containers: nothing here compiles a kernel.

#include <complex>
#include <filesystem>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/api/lacuna.h"

namespace lacuna::tensor_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <typename F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

Tensor<double> small_matrix() {
  Tensor<double> a("A", {2, 3}, csr_format());
  a.insert({0, 1}, 2.0);
  a.insert({1, 2}, 3.0);
  return a;
}

TEST(TensorTest, HoldsWhatWasInserted) {
  const Tensor<double> a = small_matrix();

  EXPECT_THAT(a.dimensions(), ElementsAre(2, 3));
  EXPECT_EQ(a.order(), 2);
  EXPECT_EQ(a.stored(), 2);
  EXPECT_EQ(a.at({0, 1}), 2.0);
  EXPECT_EQ(a.at({0, 0}), 0.0);
}

TEST(TensorTest, SumsDuplicatesAcrossReads) {
  Tensor<double> a = small_matrix();

  EXPECT_EQ(a.at({1, 2}), 3.0);
  a.insert({1, 2}, 4.0);
  a.insert({1, 0}, 1.0);

  EXPECT_EQ(a.at({1, 2}), 7.0);
  EXPECT_EQ(a.at({1, 0}), 1.0);
  EXPECT_EQ(a.stored(), 3);
}

TEST(TensorTest, CopiesAreIndependent) {
  Tensor<double> a = small_matrix();
  Tensor<double> b = a;

  b.insert({0, 0}, 9.0);

  EXPECT_EQ(a.stored(), 2);
  EXPECT_EQ(b.stored(), 3);
}

TEST(TensorTest, BracesAreDimensionsAndParenthesesAScalar) {
  const Tensor<double> vector({3});
  const Tensor<double> scalar(2.5);
  const Tensor<int> from_other_type(7);

  EXPECT_THAT(vector.dimensions(), ElementsAre(3));
  EXPECT_EQ(scalar.value(), 2.5);
  EXPECT_EQ(from_other_type.value(), 7);
  EXPECT_THAT(error_of([&] { vector.value(); }), HasSubstr("scalars"));
}

TEST(TensorTest, IteratesOverStoredEntries) {
  std::map<std::vector<std::int64_t>, double> seen;

  for (const auto& [coordinates, value] : small_matrix()) seen[coordinates] = value;

  EXPECT_EQ(seen, (std::map<std::vector<std::int64_t>, double>{{{0, 1}, 2.0}, {{1, 2}, 3.0}}));
}

TEST(TensorTest, IteratesOverNothing) {
  const Tensor<double> empty({4, 4}, csr_format());
  int count = 0;

  for (const auto& entry : empty) count += entry.value == 0 ? 1 : 1;

  EXPECT_EQ(count, 0);
}

TEST(TensorTest, AdoptsCompressedRowsWithoutCopying) {
  const std::vector<int> pos = {0, 1, 2};
  const std::vector<int> crd = {1, 2};
  const std::vector<double> values = {2.0, 3.0};

  const auto a = Tensor<double>::from_csr(2, 3, pos, crd, values);

  EXPECT_EQ(a.storage().values.data(), values.data());
  EXPECT_TRUE(a.equals(small_matrix()));
}

TEST(TensorTest, AdoptsColumnsCoordinatesAndDenseValues) {
  const std::vector<std::int64_t> pos = {0, 0, 1, 2};
  const std::vector<int> row_of = {0, 1};
  const std::vector<int> column_of = {1, 2};
  const std::vector<double> values = {2.0, 3.0};
  const std::vector<double> all = {0, 2, 0, 0, 0, 3};

  EXPECT_TRUE(Tensor<double>::from_csc(2, 3, pos, row_of, values).equals(small_matrix()));
  EXPECT_TRUE(Tensor<double>::from_coo(2, 3, row_of, column_of, values).equals(small_matrix()));
  EXPECT_TRUE(Tensor<double>::from_dense({2, 3}, all).equals(small_matrix()));
}

TEST(TensorTest, ComputesWithUnsortedRowsAsTheyAreOrSorted) {
  const std::vector<int> pos = {0, 2, 3}, crd = {2, 0, 1};
  const std::vector<double> values = {2.0, 3.0, 4.0};
  const std::vector<double> numbers = {1, 10, 100};
  const auto x = Tensor<double>::from_dense({3}, numbers);
  const IndexVar i("i"), j("j");
  for (const CoordinateOrder order : {CoordinateOrder::Unordered, CoordinateOrder::Sort}) {
    const auto a = Tensor<double>::from_csr(2, 3, pos, crd, values, order);
    EXPECT_EQ(a.storage().values.data() == values.data(), order == CoordinateOrder::Unordered);
    Tensor<double> y, b({2, 3}, csr_format());
    y(i) = a(i, j) * x(j);
    b(i, j) = a(i, j) + a(i, j);
    EXPECT_EQ(y.at({0}), 203);
    EXPECT_EQ(y.at({1}), 40);
    EXPECT_EQ(b.at({0, 2}), 4);
    EXPECT_EQ(b.stored(), 3);
  }
  EXPECT_THROW(Tensor<double>::from_csr(2, 3, pos, crd, values), Error);
}

TEST(TensorTest, RefusesScalarsThatItsTypeCannotHold) {
  EXPECT_THAT(error_of([] { Tensor<std::int8_t>(300); }), HasSubstr("the value 300 does not fit int8"));
  EXPECT_THAT(error_of([] { Tensor<int>(2.5); }), HasSubstr("the value 2.5 is not an integer"));
  EXPECT_EQ(Tensor<std::int8_t>(3.0).value(), 3);
  EXPECT_EQ(Tensor<float>(0.1).value(), 0.1F);
  EXPECT_EQ(Tensor<bool>(2).value(), true);
}

TEST(TensorTest, RefusesArraysThatFormNoMatrix) {
  const std::vector<int> pos = {0, 1, 2};
  const std::vector<int> outside = {1, 7};
  const std::vector<double> values = {2.0, 3.0};

  EXPECT_THROW(Tensor<double>::from_csr(2, 3, pos, outside, values), Error);
}

TEST(TensorTest, BuildsFromCoordinateVectors) {
  const auto a = Tensor<double>::from_coordinates({2, 3}, {{1, 0, 1}, {2, 1, 2}}, {1.0, 2.0, 2.0}, csr_format());

  EXPECT_TRUE(a.equals(small_matrix()));
  EXPECT_THAT(error_of([] {
                Tensor<double>::from_coordinates({2, 3}, {{1}}, {1.0}, csr_format());
              }),
              HasSubstr("as many vectors"));
  EXPECT_THAT(error_of([] {
                Tensor<double>::from_coordinates({2, 3}, {{1}, {1, 2}}, {1.0}, csr_format());
              }),
              HasSubstr("as many coordinates"));
}

TEST(TensorTest, ConvertsTransposesAndDropsZeros) {
  Tensor<double> a = small_matrix();
  a.insert({0, 0}, 0.0);

  EXPECT_TRUE(a.to(csc_format()).equals(a));
  EXPECT_EQ(a.to(csc_format()).format(), csc_format());
  EXPECT_EQ(a.transpose().at({2, 1}), 3.0);
  EXPECT_EQ(a.drop_zeros().stored(), 2);
  EXPECT_EQ(a.as<int>().at({1, 2}), 3);
}

TEST(TensorTest, ComparesWithATolerance) {
  const Tensor<double> a = small_matrix();
  Tensor<double> b = a;
  b.insert({0, 1}, 1e-9);

  EXPECT_FALSE(a.equals(b));
  EXPECT_TRUE(a.equals(b, 1e-6));
  EXPECT_FALSE(a.equals(Tensor<double>({3, 2})));
}

TEST(TensorTest, ReadsWhatItWrote) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("lacuna-api-" + std::to_string(::getpid()) + ".mtx");
  small_matrix().write(path.string());

  const auto a = Tensor<double>::read(path.string());
  const auto d = Tensor<float>::read(path.string(), dense_format(2));
  std::filesystem::remove(path);

  EXPECT_TRUE(a.equals(small_matrix()));
  EXPECT_EQ(a.format(), csr_format());
  EXPECT_EQ(d.at({1, 2}), 3.0F);
  EXPECT_EQ(d.stored(), 6);
}

TEST(TensorTest, HoldsEveryElementType) {
  Tensor<bool> flags({2});
  flags.insert({1}, true);
  Tensor<std::complex<double>> waves({2});
  waves.insert({0}, {1.0, -2.0});
  Tensor<std::uint8_t> bytes({2});
  bytes.insert({0}, 200);

  EXPECT_TRUE(flags.at({1}));
  EXPECT_EQ(waves.at({0}), (std::complex<double>(1.0, -2.0)));
  EXPECT_EQ(bytes.at({0}), 200);
}

TEST(TensorTest, SaysWhatIsWrong) {
  Tensor<double> a = small_matrix();
  Tensor<double> nothing;

  EXPECT_THAT(error_of([&] { a.insert({2, 0}, 1.0); }), HasSubstr("(2,0) is outside A"));
  EXPECT_THAT(error_of([&] { a.insert({0}, 1.0); }), HasSubstr("A has 2 dimension(s)"));
  EXPECT_THAT(error_of([&] { a.at({0, 3}); }), HasSubstr("3"));
  EXPECT_THAT(error_of([&] { nothing.stored(); }), HasSubstr("holds nothing yet"));
  EXPECT_THAT(error_of([&] { nothing.insert({0}, 1.0); }), HasSubstr("no dimensions yet"));
  EXPECT_THAT(error_of([] { Tensor<double>({2, -1}, csr_format()); }), HasSubstr("-1"));
  EXPECT_THAT(error_of([] { Tensor<double>({2, 2, 2}, csr_format()); }), HasSubstr("csr"));
  EXPECT_THAT(error_of([] { Tensor<double>("no name", {2}, dense_format(1)); }), HasSubstr("'no name'"));
  EXPECT_THAT(error_of([&] { Tensor<float>(a.storage()); }), HasSubstr("float32"));
}

}  // namespace
}  // namespace lacuna::tensor_test
