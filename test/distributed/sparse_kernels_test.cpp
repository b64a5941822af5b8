// SpDISTAL's kernels, by rows and by non-zeros, and what any statement may do to a distribution.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distributed/on_machine.h"
#include "distributed/spdistal_kernels.h"
#include "lacuna/compile/engine/stored_as.h"

namespace lacuna::sparse_kernels_test {
namespace {

const std::map<std::string, std::int64_t> extents = {{"i", 11}, {"j", 13}, {"k", 7}, {"l", 5}};

std::vector<SpDistalKernel> kernels() { return spdistal_kernels({"csr", 40}, {"csf", 60}); }

TEST(SparseKernels, ByRows) {
  for (const SpDistalKernel& k : kernels())
    for (const int p : {1, 2, 3, 4, 16})
      EXPECT_EQ(run_and_compare(on_machine(random_request(k.statement, k.operands, extents), fmt::format("Grid({})", p),
                                           {}, k.by_rows)),
                "")
          << k.name << " on " << p;
}

TEST(SparseKernels, ByNonZeros) {
  for (const SpDistalKernel& k : kernels()) {
    if (k.by_nonzeros.empty()) continue;
    for (const int p : {1, 2, 3, 4, 16})
      EXPECT_EQ(run_and_compare(on_machine(random_request(k.statement, k.operands, extents), fmt::format("Grid({})", p),
                                           {}, k.by_nonzeros)),
                "")
          << k.name << " on " << p;
  }
}

/// "xyz -> x", or on dealt-out non-zeros "xyz -> ~(xy)".
std::string in_blocks(int order, bool of_nonzeros) {
  const std::string letters = std::string("xyz").substr(0, static_cast<std::size_t>(order));
  return letters + (of_nonzeros ? " -> ~(xy)" : " -> x");
}

/// Every tensor lies in blocks of its first dimension; the one whose non-zeros are dealt out, in blocks of those.
std::map<std::string, std::string> placed_in_blocks(const SpDistalKernel& k, bool by_nonzeros) {
  const Statement statement = parse_statement(k.statement);
  std::vector<Access> all = accesses(statement.rhs);
  all.push_back(statement.lhs);
  std::map<std::string, std::string> placed;
  for (const Access& x : all) {
    const std::string& name = x.tensor.name();
    placed[name] = in_blocks(x.tensor.order(), by_nonzeros && name == "B");
  }
  return placed;
}

/// With many entries in the sparse operands, one, and none: so also with fewer than processors. Operands that are held
/// by parts have many.
void expect_kernel(const SpDistalKernel& k, bool by_nonzeros) {
  const std::string& schedule = by_nonzeros ? k.by_nonzeros : k.by_rows;
  const std::map<std::string, std::int64_t> small = {{"i", 11}, {"j", 6}, {"k", 4}, {"l", 3}};
  for (const std::int64_t stored : {40, 1, 0}) {
    SpDistalKernel now = k;
    for (auto& [name, operand] : now.operands)
      if (operand.stored >= 0) operand.stored = stored;
    const Request request = random_request(now.statement, now.operands, small);
    for (const int p : {1, 2, 3, 5, 7, 8, 13, 32, 64}) {
      SCOPED_TRACE(fmt::format("{} of {} entries on {} by {}", k.name, stored, p, by_nonzeros ? "non-zeros" : "rows"));
      const DistributedRequest distributed =
          on_machine(request, fmt::format("Grid({})", p), placed_in_blocks(k, by_nonzeros), schedule);
      EXPECT_EQ(run_and_compare(distributed), "");
      if (stored == 40) {
        EXPECT_EQ(run_by_parts_and_compare(distributed), "") << "from parts";
      }
    }
  }
}

SpDistalKernel kernel(const std::string& name) {
  const std::vector<SpDistalKernel> all = kernels();
  return *std::find_if(all.begin(), all.end(), [&](const SpDistalKernel& k) { return k.name == name; });
}
std::string name_of(const testing::TestParamInfo<const char*>& info) { return info.param; }

class ByRowsOnLines : public testing::TestWithParam<const char*> {};
class ByNonZerosOnLines : public testing::TestWithParam<const char*> {};

TEST_P(ByRowsOnLines, IsTheDefinition) { expect_kernel(kernel(GetParam()), false); }
TEST_P(ByNonZerosOnLines, IsTheDefinition) { expect_kernel(kernel(GetParam()), true); }

INSTANTIATE_TEST_SUITE_P(SpDistal, ByRowsOnLines,
                         testing::Values("SpMV", "SpMM", "SpAdd3", "SDDMM", "SpTTV", "SpMTTKRP"), name_of);
INSTANTIATE_TEST_SUITE_P(SpDistal, ByNonZerosOnLines, testing::Values("SpMV", "SpMM", "SDDMM", "SpTTV", "SpMTTKRP"),
                         name_of);

Request spmv() { return random_request("a(i) = B(i,j) * c(j)", {{"B", {"csr", 40}}, {"c", {"dense", -1}}}, extents); }

TEST(SparseKernels, NothingMovesWhereEverythingLiesRight) {
  DistributedReport report;
  EXPECT_EQ(run_and_compare(on_machine(spmv(), "Grid(4)", {{"a", "x -> x"}, {"B", "xy -> x"}, {"c", "x -> *"}},
                                       "distribute({i},{io},{ii},M), communicate({a,B,c},io)"),
                            &report),
            "");
  EXPECT_EQ(report.fetches.messages, 0);
  EXPECT_EQ(report.reductions.messages, 0);
}

TEST(SparseKernels, DealtNonZerosLieWhereTheyAreDealtTo) {
  DistributedReport report;
  EXPECT_EQ(run_and_compare(on_machine(spmv(), "Grid(4)", {{"a", "x -> x"}, {"B", "xy -> ~(xy)"}, {"c", "x -> *"}},
                                       "fuse(i,j,f), pos(f,fp,B(i,j)), divide(fp,fpo,fpi,M.x), distribute(fpo)"),
                            &report),
            "");
  EXPECT_EQ(report.fetches.messages, 0);
  EXPECT_GT(report.reductions.messages, 0);
}

TEST(SparseKernels, WithoutAScheduleTheTensorsSayWhere) {
  for (const char* placed : {"xy -> x", "xy -> y", "xy -> ~x", "xy -> ~(xy)", "xy -> *", "xy -> x%2", "xy -> 1"})
    EXPECT_EQ(run_and_compare(on_machine(spmv(), "Grid(3)", {{"B", placed}}, "")), "") << placed;
  for (const char* placed : {"xy -> xy", "xy -> yx", "xy -> x*", "xy -> *y", "xy -> x%2 y%3", "xy -> 0x"})
    EXPECT_EQ(run_and_compare(on_machine(spmv(), "Grid(2,3)", {{"B", placed}}, "")), "") << placed;
  EXPECT_EQ(run_and_compare(on_machine(spmv(), "Grid(2),Grid(2)", {{"B", "xy -> x; zw -> z"}}, "")), "");
}

/// Terms that lack the variable that is dealt out, old contents, values of variables, an operand that is read twice.
TEST(SparseKernels, AnyStatement) {
  const RandomOperand csr{"csr", 40}, full{"dense", -1};
  const std::string both = "distribute({i,j},{io,jo},{ii,ji},M)";
  const std::vector<std::pair<std::string, std::map<std::string, RandomOperand>>> statements = {
      {"a(i) = b(i) - B(i,j) * c(j)", {{"b", full}, {"B", csr}, {"c", full}}},
      {"a(i) += B(i,j) * c(j)", {{"a", full}, {"B", csr}, {"c", full}}},
      {"a(i) = sum(j, B(i,j) * (i + 2*j))", {{"B", csr}}},
      {"a(i) = sum(j, B(i,j)) + b(i)", {{"b", full}, {"B", csr}}},
      {"a(i) = B(i,j) * j + i", {{"B", csr}}},
      {"A(i,j) = b(i)", {{"b", full}}},
      {"A(i,j) = max(B(i,j), C(i,j))", {{"B", csr}, {"C", csr}}},
  };
  for (const auto& [text, operands] : statements)
    for (const char* grid : {"Grid(1,1)", "Grid(2,2)", "Grid(3,5)", "Grid(13,1)"}) {
      Request request = random_request(text, operands, extents);
      if (text == "A(i,j) = b(i)") request.sizes["j"] = 13;
      EXPECT_EQ(run_and_compare(on_machine(std::move(request), grid, {}, both)), "") << text << " on " << grid;
    }
}

TEST(SparseKernels, AScalar) {
  EXPECT_EQ(run_and_compare(on_machine(random_request("s = B(i,j) * B(i,j)", {{"B", {"csr", 40}}}, extents),
                                       "Grid(2,3)", {{"B", "xy -> xy"}}, "")),
            "");
}

TEST(SparseKernels, AnOperandReadTwiceIsFetchedInTwoParts) {
  const std::map<std::string, std::int64_t> square = {{"i", 9}, {"j", 9}, {"k", 6}};
  EXPECT_EQ(run_and_compare(on_machine(random_request("A(i,j) = B(i,k) * B(j,k)", {{"B", {"csr", 20}}}, square),
                                       "Grid(2,2)", {}, "distribute({i,j},{io,jo},{ii,ji},M)")),
            "");
}

TEST(SparseKernels, EveryFormat) {
  const std::string rows = "distribute({i},{io},{ii},M)";
  for (const char* format : {"csr", "csc", "dcsr", "coo", "dense", "bitmap", "hashed", "dense,hashed", "dense,btree",
                             "bst,llist", "compressed,dense", "dense,compressed(unordered)"}) {
    Request request = spmv();
    Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
    Options options;
    options.target.backend = Target::Backend::Interpreter;
    Storage& B = request.operands.at("B");
    B = stored_as(engine, B, parse_format(format, 2), options);
    EXPECT_EQ(run_and_compare(on_machine(request, "Grid(3)", {}, rows)), "") << format;
    EXPECT_EQ(run_and_compare(on_machine(request, "Grid(3)", {{"B", "xy -> y"}}, "")), "") << format;
  }
}

std::string refusal(const DistributedRequest& request) {
  try {
    plan_distributed(request);
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(SparseKernels, MistakesAreNamed) {
  const auto of = [](const std::string& schedule) { return refusal(on_machine(spmv(), "Grid(2)", {}, schedule)); };
  EXPECT_THAT(of("distribute(k)"), testing::HasSubstr("distribute: k has no loop; there are loops over i, j"));
  EXPECT_THAT(of("communicate(B,i)"), testing::HasSubstr("no loop is distributed"));
  EXPECT_THAT(of("distribute({i},{io},{ii},M), communicate(C,io)"), testing::HasSubstr("C is no tensor"));
  EXPECT_THAT(of("distribute({i,j},{io,jo},{ii,ji},M)"), testing::HasSubstr("has 1 dimensions"));
  EXPECT_THAT(of("divide(i,io,ii,M.y), distribute(io)"), testing::HasSubstr("no dimension 2"));
  EXPECT_THAT(of("distribute({i},{io},{ii},M), parallelize(io,CPUThread)"), testing::HasSubstr("processors share"));
  EXPECT_THAT(of("fuse(i,j,f), divide(f,fo,fi,2), distribute(fo)"), testing::HasSubstr("no boxes"));
  EXPECT_THAT(of("split(i,io,ii,2)"), testing::HasSubstr("distributes no loop"));
  const Request roots = random_request("a(i) = sqrt(sum(j, B(i,j)))", {{"B", {"csr", 40}}}, extents);
  EXPECT_THAT(refusal(on_machine(roots, "Grid(2)", {}, "distribute({j},{jo},{ji},M)")),
              testing::HasSubstr("summed over inside"));
}

}  // namespace
}  // namespace lacuna::sparse_kernels_test
