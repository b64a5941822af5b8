#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_request.h"
#include "unit/compile/interpreted.h"

// What the automatic schedule does on several threads, counted by the interpreter, beside what it does on one.
namespace lacuna::thread_work_test {
namespace {

constexpr std::int64_t rows = 400, stored = 2000;

class ThreadWork : public testing::Test {
 protected:
  /// Bytes loaded and stored by a kernel on so many threads, whose result is compared with the definition.
  double work(const Request& request, int threads) {
    Options options = interpreted();
    options.target.threads = threads;
    Report report;
    EXPECT_EQ(wrong(request, engine_.run(request, options, &report)).value_or(""), "");
    return static_cast<double>(report.counters.bytes_loaded + report.counters.bytes_stored);
  }

  /// How many times the work of one thread is done on four.
  double growth(const std::string& statement, const std::string& format, const std::string& result = {}) {
    const Request request = random_request(statement, {{"A", {format, stored}}, {"x", {"dense"}}, {"y", {"dense"}}},
                                           {{"i", rows}, {"j", rows}}, result);
    return work(request, 4) / work(request, 1);
  }

 private:
  Engine engine_{JitOptions{"cc", default_c_flags(), "", ""}};
};

TEST_F(ThreadWork, OfSumsIntoVectorsGrowsByASmallFactorOnly) {
  for (const char* format : {"csr", "csc", "coo", "dcsr", "dcsc"})
    for (const char* statement : {"y(j) = A(i,j)", "y(i) = A(i,j)", "y(j) = A(i,j) * x(i)", "y(i) = A(i,j) * x(j)"})
      for (const char* result : {"", "compressed", "dense"})
        EXPECT_LT(growth(statement, format, result), 3) << statement << " of " << format << " into " << result;
}

TEST_F(ThreadWork, OfAddingToVectorsGrowsByASmallFactorOnly) {
  for (const char* format : {"csr", "csc", "coo"})
    for (const char* statement : {"y(j) += A(i,j)", "y(i) += A(i,j) * x(j)", "y(j) += A(i,j) * x(i)"})
      EXPECT_LT(growth(statement, format), 3) << statement << " of " << format;
}

TEST_F(ThreadWork, OfTransposesAndProductsGrowsByASmallFactorOnly) {
  for (const char* statement : {"C(j,i) = A(i,j)", "C(i,j) = A(i,j) + A(j,i)"})
    EXPECT_LT(growth(statement, "csr"), 3) << statement;
  const Request product = random_request("C(k,i) = A(i,j) * B(j,k)", {{"A", {"csr", stored}}, {"B", {"csr", stored}}},
                                         {{"i", rows}, {"j", rows}, {"k", rows}});
  EXPECT_LT(work(product, 4) / work(product, 1), 3);
}

}  // namespace
}  // namespace lacuna::thread_work_test
