// Calls of BLAS that substitute puts in the place of loops, compiled: values of both types that BLAS multiplies,
// layouts, threads. What the interpreter makes of the same schedules: unit/schedule/directives/leaves_test.cpp.

#include <gtest/gtest.h>

#include "lacuna/jit/blas.h"
#include "lacuna/tensor/generate.h"
#include "support/message_of.h"
#include "unit/compile/interpreted.h"

namespace lacuna::blas_calls_test {
namespace {

struct Call {
  const char *name, *text, *result;
  std::map<std::string, std::vector<const char*>> formats;  // of each operand, all of which are tried
  std::vector<const char*> schedules;
};

void PrintTo(const Call& call, std::ostream* out) { *out << call.text; }

constexpr const char* by_rows = "dense";
constexpr const char* by_columns = "d,d:1,0";
const std::vector<const char*> matrix = {by_rows, by_columns}, vector = {"dense"}, cube = {"dense", "d,d,d:0,2,1"};

class BlasCalls : public testing::TestWithParam<Call> {
 protected:
  void SetUp() override {
    if (blas() == nullptr) GTEST_SKIP() << "there is no OpenBLAS here";
  }

  /// A request for each choice of formats.
  static std::vector<Request> requests(const Call& call, Type type) {
    const std::map<std::string, std::int64_t> extents = {{"i", 19}, {"j", 23}, {"k", 17}, {"l", 13}};
    std::vector<Request> all(1);
    all[0].statement = parse_statement(call.text);
    const int order = all[0].statement.lhs.tensor.order();
    if (order > 0) all[0].result_format = parse_format(call.result, order);
    std::uint64_t seed = 1;
    for (const Access& x : accesses(all[0].statement.rhs)) {
      std::vector<std::int64_t> dimensions;
      std::int64_t entries = 1;
      for (const IndexVar& v : x.indices) entries *= dimensions.emplace_back(extents.at(v.name()));
      ++seed;
      std::vector<Request> more;
      for (const char* text : call.formats.at(x.tensor.name())) {
        const Format format = parse_format(text, x.tensor.order());
        const std::int64_t stored = format.is_dense() ? entries : entries / 3;
        for (Request r : all) {
          r.operands.insert_or_assign(x.tensor.name(), build(generate_uniform(dimensions, stored, seed, type), format));
          more.push_back(std::move(r));
        }
      }
      all = std::move(more);
    }
    return all;
  }
};

TEST_P(BlasCalls, AgreeWithTheDefinition) {
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Options options;
  options.target.threads = 2;
  const auto run = [&](Request request, double relative) {
    for (const char* schedule : GetParam().schedules) {
      request.schedule = parse_schedule(schedule);
      EXPECT_EQ(wrong(request, engine.run(request, options), relative).value_or(""), "") << schedule;
    }
  };
  for (const Request& request : requests(GetParam(), Type::Float64)) run(request, 1e-12);
  run(requests(GetParam(), Type::Float32).back(), 1e-5);
}

TEST(BlasCallsOfMixedTypes, AreRefused) {
  Request request = request_for("y(i) = A(i,k) * x(k)",
                                {{"A", generate_dense({3, 4}, 1, Type::Float32)}, {"x", generate_dense({4}, 1)}});
  request.schedule = parse_schedule("substitute({i,k},BLAS.gemv)");
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  EXPECT_EQ(message_of([&] { engine.run(request, interpreted()); }),
            "substitute: A is float32; BLAS multiplies float64 or float32, the same everywhere");
}

INSTANTIATE_TEST_SUITE_P(
    Leaves, BlasCalls,
    testing::Values(
        Call{"Gemm",
             "C(i,j) = A(i,k) * B(k,j)",
             by_columns,
             {{"A", matrix}, {"B", matrix}},
             {"substitute({i,j,k},BLAS.gemm)",
              "split(i,io,ii,8), reorder(io,ii,j,k), substitute({ii,j,k},BLAS.gemm), parallelize(io,CPUThread)"}},
        Call{"Gemv",
             "y(i) = A(i,k) * x(k)",
             "dense",
             {{"A", matrix}, {"x", vector}},
             {"substitute({i,k},BLAS.gemv)",
              "split(k,ko,ki,5), reorder(ko,i,ki), substitute({i,ki},BLAS.gemv), parallelize(ko,CPUThread,Temporary)"}},
        Call{"GemvWithGaps",
             "Y(i,j) = -2 * A(i,k) * X(k,j)",
             by_rows,
             {{"A", matrix}, {"X", matrix}},
             {"reorder(j,i,k), substitute({i,k},BLAS.gemv), parallelize(j,CPUThread)"}},
        Call{"Ger",
             "A(i,j) = X(i,k) * Y(k,j)",
             by_rows,
             {{"X", matrix}, {"Y", matrix}},
             {"reorder(k,i,j), substitute({i,j},BLAS.ger)",
              "reorder(k,i,j), substitute({i,j},BLAS.ger), parallelize(k,CPUThread,Temporary)"}},
        Call{"Dot",
             "a = B(i,j,k) * C(i,j,k)",
             "",
             {{"B", {"dense"}}, {"C", {"dense"}}},
             {"substitute({i,j,k},BLAS.dot)",
              "reorder(i,j,k), substitute({j,k},BLAS.dot), parallelize(i,CPUThread,ParallelReduction)"}},
        Call{"Axpy",
             "A(i,l) = B(i,k) * C(k,l)",
             by_columns,
             {{"B", {"csr", "dcsr", by_rows}}, {"C", matrix}},
             {"reorder(i,k,l), substitute({l},BLAS.axpy), parallelize(i,CPUThread)"}},
        Call{"Ttm",
             "A(i,j,l) = B(i,j,k) * C(k,l)",
             "dense",
             {{"B", {"dense", "d,d,d:2,0,1"}}, {"C", matrix}},
             {"substitute({i,j,k,l},BLAS.gemm)",
              "split(i,io,ii,4), reorder(io,ii,j,k,l), substitute({ii,j,k,l},BLAS.gemm), parallelize(io,CPUThread)"}},
        Call{"TtmInALoop",
             "A(i,j,l) = B(i,j,k) * C(k,l)",
             "dense",
             {{"B", {"d,d,d:0,2,1", "d,compressed,dense", "compressed,dense,dense"}}, {"C", matrix}},
             {"reorder(i,j,k,l), substitute({k,l},BLAS.gemv), parallelize(i,CPUThread)"}},
        Call{"Ttv",
             "A(i,j) = B(i,j,k) * c(k)",
             "dense",
             {{"B", {"dense", "d,d,d:2,0,1"}}, {"c", vector}},
             {"substitute({i,j,k},BLAS.gemv)", "reorder(i,j,k), substitute({k},BLAS.dot), parallelize(i,CPUThread)"}},
        Call{"Batched",
             "C(l,i,j) = A(l,i,k) * B(l,k,j)",
             "dense",
             {{"A", {"dense", "d,d,d:0,2,1"}}, {"B", {"dense", "d,d,d:1,0,2"}}},
             {"reorder(l,i,j,k), substitute({i,j,k},BLAS.gemm), parallelize(l,CPUThread)"}},
        Call{"Mttkrp",
             "A(i,l) = B(i,j,k) * D(k,l) * C(j,l)",
             "dense",
             {{"B", cube}, {"C", matrix}, {"D", matrix}},
             {"reorder(i,j,k,l), precompute(B(i,j,k)*D(k,l),{j,l},{jw,lw}), substitute({jw,k,lw},BLAS.gemm), "
              "parallelize(i,CPUThread)"}},
        Call{"DenseBlocks",
             "A(i,j,l) = B(i,j,k) * C(k,l)",
             "compressed,dense,dense",
             {{"B", {"compressed,dense,dense"}}, {"C", matrix}},
             {"reorder(i,j,k,l), substitute({j,k,l},BLAS.gemm), parallelize(i,CPUThread)",
              "pos(i,p,B), divide(p,po,pi,3), reorder(po,pi,j,k,l), substitute({j,k,l},BLAS.gemm), "
              "parallelize(po,CPUThread)"}}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace lacuna::blas_calls_test
