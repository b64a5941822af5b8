// The papers' kernels on real matrices and tensors where there are some (cmake/LacunaTestData.cmake), compiled to C.

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "lacuna/io/io.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/generate.h"
#include "support/reference_check.h"

namespace lacuna::real_data_test {
namespace {

struct Input {
  std::string name;
  Storage tensor;  // in the natural format of its file
};

class RealData : public testing::Test {
 protected:
  void SetUp() override {
    const char* from_environment = std::getenv("LACUNA_TEST_DATA");
    folder_ = from_environment != nullptr ? from_environment : LACUNA_TEST_DATA;
    if (folder_.empty() || !std::filesystem::is_directory(folder_)) {
      GTEST_SKIP() << "there are no real data: name their folder with the environment variable LACUNA_TEST_DATA";
    }
  }

  /// All well-made files of a kind (the tests of io/ say which are not, and why).
  std::vector<Input> inputs(const char* kind) const {
    std::vector<Input> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / kind)) {
      try {
        const FileContents file = read_file(entry.path().string());
        found.push_back({entry.path().filename().string(), build(file.entries, file.natural)});
      } catch (const Error&) {
        continue;
      }
    }
    EXPECT_FALSE(found.empty());
    return found;
  }

  void expect_right(const std::string& name, const std::string& text, std::map<std::string, Storage> operands,
                    const std::string& result_format) {
    Request request;
    request.statement = parse_statement(text);
    request.operands = std::move(operands);
    request.result_format = parse_format(result_format, request.statement.lhs.tensor.order());
    EXPECT_EQ(wrong(request, engine_.run(request)).value_or(""), "") << name << ": " << text;
  }

 private:
  std::filesystem::path folder_;
  Engine engine_{{"cc", default_c_flags(), "", ""}};
};

/// Another matrix of the same size and type, about as sparse.
Storage companion(const Storage& A) {
  const std::int64_t all = A.dimensions[0] * A.dimensions[1];
  return build(generate_uniform(A.dimensions, std::min(all, A.stored()), 5, A.type), csr_format());
}

TEST_F(RealData, MatricesTimesVectorsAreRight) {
  for (const Input& m : inputs("matrices"))
    if (m.tensor.order() == 2)
      expect_right(m.name, "y(i) = A(i,j) * x(j)",
                   {{"A", m.tensor}, {"x", generate_dense({m.tensor.dimensions[1]}, 7, m.tensor.type)}}, "dense");
}

TEST_F(RealData, MatricesTimesTheirTransposesAreRight) {
  for (const Input& m : inputs("matrices"))
    if (m.tensor.order() == 2) expect_right(m.name, "C(i,j) = A(i,k) * A(j,k)", {{"A", m.tensor}}, "csr");
}

TEST_F(RealData, SumsOfMatricesAreRight) {
  for (const Input& m : inputs("matrices"))
    if (m.tensor.order() == 2)
      expect_right(m.name, "C(i,j) = A(i,j) + B(i,j)", {{"A", m.tensor}, {"B", companion(m.tensor)}}, "csr");
}

TEST_F(RealData, TensorsTimesVectorsAreRight) {
  for (const Input& t : inputs("tensors"))
    if (t.tensor.order() == 3)
      expect_right(t.name, "A(i,j) = B(i,j,k) * c(k)",
                   {{"B", t.tensor}, {"c", generate_dense({t.tensor.dimensions[2]}, 7, t.tensor.type)}}, "csr");
}

TEST_F(RealData, TensorsTimesKhatriRaoProductsAreRight) {
  constexpr std::int64_t rank = 8;
  for (const Input& t : inputs("tensors"))
    if (t.tensor.order() == 3)
      expect_right(t.name, "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)",
                   {{"B", t.tensor},
                    {"C", generate_dense({t.tensor.dimensions[1], rank}, 7, t.tensor.type)},
                    {"D", generate_dense({t.tensor.dimensions[2], rank}, 8, t.tensor.type)}},
                   "dense");
}

}  // namespace
}  // namespace lacuna::real_data_test
