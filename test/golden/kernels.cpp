#include "golden/kernels.h"

#include <algorithm>
#include <tuple>

#include <fmt/core.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/jit/blas.h"
#include "support/random_request.h"

namespace lacuna::golden {
namespace {

Kernel kernel(const std::string& name, const std::string& text, const std::string& result_format,
              const std::map<std::string, RandomOperand>& operands,
              const std::map<std::string, std::int64_t>& extents) {
  Kernel k{name, {}, random_request(text, operands, extents, result_format)};
  k.argument_names.push_back(k.request.statement.lhs.tensor.name());
  for (const std::string& operand : operand_names(k.request.statement)) k.argument_names.push_back(operand);
  return k;
}

Kernel under(const std::string& schedule, Kernel k) {
  k.request.schedule = parse_schedule(schedule);
  return k;
}

/// The benchmarks of SparseLNR (section 6.2), each in one nest that branches, and its Figure 4.
std::vector<Kernel> branched_kernels() {
  struct Benchmark {
    const char *name, *text, *result, *schedule;
    RandomOperand B;
  };
  const std::vector<Benchmark> benchmarks = {
      {"sddmm_spmm",
       "A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)",
       "dense",
       "reorder(i,j,k,l), loopfuse(1)",
       {"csr", 700}},
      {"sddmm_spmm_apart",
       "A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)",
       "dense",
       "reorder(i,j,k,l), loopfuse({B,C,D},left,{},0)",
       {"csr", 700}},
      {"sddmm_spmm_transposed",
       "A(i,l) = B(i,j) * C(i,k) * D(k,j) * E(j,l)",
       "dense",
       "reorder(i,k,j,l), loopfuse(1)",
       {"csr", 700}},
      {"sddmm_spmm_reordered",
       "A(i,l) = B(i,j) * C(i,k) * D(k,j) * E(j,l)",
       "dense",
       "reorder(i,j,k,l), loopfuse(1)",
       {"csr", 700}},
      {"spmmh_gemm",
       "A(i,l) = B(i,k) * C(k,j) * D(k,j) * E(j,l)",
       "dense",
       "reorder(i,k,j,l), loopfuse(1)",
       {"csr", 700}},
      {"spmm_gemm", "A(i,l) = B(i,j) * C(j,k) * D(k,l)", "dense", "reorder(i,j,k,l), loopfuse(1)", {"csr", 700}},
      {"sddmm_spmm_gemm",
       "A(i,m) = B(i,j) * C(i,k) * D(j,k) * F(j,l) * W(l,m)",
       "dense",
       "reorder(i,j,k,l,m), loopfuse(2)",
       {"csr", 700}},
      {"mttkrp_gemm",
       "A(i,m) = B(i,k,l) * C(l,j) * D(k,j) * E(j,m)",
       "dense",
       "reorder(i,k,l,j,m), loopfuse(1)",
       {"csf", 700}},
      {"spttm_spttm",
       "A(i,j,m) = B(i,j,k) * C(k,l) * D(l,m)",
       "compressed,compressed,dense",
       "reorder(i,j,k,l,m), loopfuse(1)",
       {"csf", 700}},
  };
  std::map<std::string, std::int64_t> extents = {{"i", 60}, {"j", 50}, {"k", 16}, {"l", 12}, {"m", 10}};
  std::vector<Kernel> kernels;
  for (const Benchmark& b : benchmarks) {
    std::map<std::string, RandomOperand> operands = {{"B", b.B}};
    for (const char* dense : {"C", "D", "E", "F", "W"}) operands[dense].format = "dense";
    kernels.push_back(kernel(b.name, b.text, b.result, operands, extents));
    kernels.back().request.schedule = parse_schedule(b.schedule);
  }
  return kernels;
}

/// Calls of BLAS in the place of loops: each leaf, the higher-order kernels of DISTAL (section 7.2), and dense blocks
/// of a sparse tensor. None where there is no BLAS to run them with.
std::vector<Kernel> leaf_kernels() {
  if (blas() == nullptr) return {};
  struct Leaf {
    const char *name, *text, *result, *schedule;
    std::map<std::string, RandomOperand> operands;
  };
  const RandomOperand dense{"dense"}, csr{"csr", 700}, rows{"compressed,dense,dense", 900};
  const std::vector<Leaf> leaves = {
      {"gemv", "y(i) = A(i,k) * x(k)", "dense", "substitute({i,k}, BLAS.gemv)", {{"A", dense}, {"x", dense}}},
      {"ger", "A(i,j) = x(i) * y(j)", "dense", "substitute({i,j}, BLAS.ger)", {{"x", dense}, {"y", dense}}},
      {"inner_product", "a = B(i,j,k) * C(i,j,k)", "", "substitute({i,j,k}, BLAS.dot)", {{"B", dense}, {"C", dense}}},
      {"sddmm_dot",
       "A(i,j) = B(i,j) * C(i,k) * D(j,k)",
       "csr",
       "reorder(i,j,k), substitute({k}, BLAS.dot)",
       {{"B", csr}, {"C", dense}, {"D", dense}}},
      {"spmm_axpy", "A(i,l) = B(i,k) * C(k,l)", "dense", "substitute({l}, BLAS.axpy)", {{"B", csr}, {"C", dense}}},
      {"ttm_gemm",
       "A(i,j,l) = B(i,j,k) * C(k,l)",
       "dense",
       "substitute({i,j,k,l}, BLAS.gemm)",
       {{"B", dense}, {"C", dense}}},
      {"ttv_gemv", "A(i,j) = B(i,j,k) * c(k)", "dense", "substitute({i,j,k}, BLAS.gemv)", {{"B", dense}, {"c", dense}}},
      {"batched_gemm",
       "C(m,i,j) = A(m,i,k) * B(m,k,j)",
       "dense",
       "reorder(m,i,j,k), substitute({i,j,k}, BLAS.gemm), parallelize(m, CPUThread)",
       {{"A", dense}, {"B", dense}}},
      {"mttkrp_ttm",
       "A(i,l) = B(i,j,k) * D(k,l) * C(j,l)",
       "dense",
       "reorder(i,j,k,l), precompute(B(i,j,k) * D(k,l), {j,l}, {jw,lw}), substitute({jw,k,lw}, BLAS.gemm)",
       {{"B", dense}, {"C", dense}, {"D", dense}}},
      {"ttm_blocks",
       "A(i,j,l) = B(i,j,k) * C(k,l)",
       "compressed,dense,dense",
       "pos(i,p,B), divide(p,po,pi,4), reorder(po,pi,j,k,l), substitute({j,k,l}, BLAS.gemm)",
       {{"B", rows}, {"C", dense}}},
  };
  std::vector<Kernel> kernels;
  for (const Leaf& each : leaves)
    kernels.push_back(under(each.schedule, kernel(each.name, each.text, each.result, each.operands,
                                                  {{"i", 60}, {"j", 50}, {"k", 16}, {"l", 12}, {"m", 10}})));
  return kernels;
}

/// "Compilation of Dynamic Sparse Tensor Algebra": products and sums over nodes (Figure 10, there by map functions),
/// nodes beside other nodes (Figure 2c, with the steps of Figure 11) and beside arrays, into a block list (Figure 13),
/// and into a copy of an operand's nodes (Figure 12); coordinates as differences, which footnote 1 leaves out; by
/// threads (the task-parallel maps of Figure 10); several results in one kernel.
std::vector<Kernel> dynamic_kernels() {
  const Kernel product =
      kernel("product", "a(i) = b(i) * c(i)", "dense", {{"b", {"sparse", 40}}, {"c", {"dense"}}}, {{"i", 90}});
  const Kernel spmv =
      kernel("spmv", "y(i) = A(i,j) * x(j)", "dense", {{"A", {"csr", 700}}, {"x", {"dense"}}}, {{"i", 90}, {"j", 80}});
  const Kernel merge = kernel("merge", "A(i,j) = B(i,j) * C(i,j)", "csr", {{"B", {"csr", 700}}, {"C", {"csr", 700}}},
                              {{"i", 90}, {"j", 80}});
  const Kernel append =
      kernel("append", "a(i) = b(i) * c(i)", "blist", {{"b", {"sparse", 40}}, {"c", {"sparse", 40}}}, {{"i", 90}});
  const Kernel map = kernel("map", "a(i) = b(i) * c(i)", "bst", {{"b", {"sparse", 40}}, {"c", {"dense"}}}, {{"i", 90}});
  const Kernel copy = kernel("copy", "a(i) = b(i)", "sparse", {{"b", {"sparse", 40}}}, {{"i", 90}});
  const std::vector<std::tuple<Kernel, const char*, const char*, const char*>> all = {
      {product, "bst", "b", "bst"},
      {product, "blist", "b", "blist"},
      {spmv, "btree", "A", "dense,btree"},
      {copy, "bst", "b", "bst"},
      {append, "blist", "b", "bst"},
      {map, "bst", "b", "bst"},
      {product, "ctree_diff", "b", "ctree_diff"},
  };
  // CTest makes a process of each test, and each comes here: a C compiler would take most of its time.
  Engine engine(JitOptions{});
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  std::vector<Kernel> kernels;
  for (auto [k, level, operand, format] : all) {
    Storage& stored = k.request.operands.at(operand);
    stored = stored_as(engine, stored, parse_format(format, stored.order()), options);
    k.name += std::string("_") + level;
    kernels.push_back(std::move(k));
  }
  // The same by several threads, which take subtrees.
  Kernel sum = kernel("sum_bst", "s = b(i) * c(i)", "", {{"b", {"sparse", 40}}, {"c", {"dense"}}}, {{"i", 90}});
  sum.request.operands.at("b") = kernels.front().request.operands.at("b");
  for (const auto& [k, race] : {std::pair(kernels.front(), "NoRaces"), std::pair(sum, "ParallelReduction")}) {
    kernels.push_back(under(fmt::format("parallelize(i, CPUThread, {})", race), k));
    kernels.back().name += "_threads";
  }
  kernels.push_back(merge);
  kernels.back().name += "_bst";
  for (auto& [name, stored] : kernels.back().request.operands)
    stored = stored_as(engine, stored, parse_format("dense,bst", 2), options);
  // Two results of one merge.
  Kernel both = kernel("sum_and_product", "A(i,j) = B(i,j) + C(i,j)", "dense,blist",
                       {{"B", {"csr", 700}}, {"C", {"csr", 600}}}, {{"i", 90}, {"j", 80}});
  both.request.further.push_back({parse_statement("D(i,j) = B(i,j) * C(i,j)"), parse_format("dense,llist", 2)});
  kernels.push_back(std::move(both));
  return kernels;
}

}  // namespace

std::vector<Kernel> kernels() {
  return {
      kernel("spmv", "y(i) = A(i,j) * x(j)", "dense", {{"A", {"csr", 700}}, {"x", {"dense"}}}, {{"i", 90}, {"j", 80}}),
      kernel("spadd", "C(i,j) = A(i,j) + B(i,j)", "csr", {{"A", {"csr", 700}}, {"B", {"csr", 600}}},
             {{"i", 90}, {"j", 80}}),
      kernel("spgemm", "C(i,j) = A(i,k) * B(k,j)", "csr", {{"A", {"csr", 700}}, {"B", {"csr", 600}}},
             {{"i", 90}, {"j", 80}, {"k", 70}}),
      kernel("sddmm", "A(i,j) = B(i,j) * C(i,k) * D(k,j)", "csr",
             {{"B", {"csr", 700}}, {"C", {"dense"}}, {"D", {"dense"}}}, {{"i", 90}, {"j", 80}, {"k", 16}}),
      under("reorder(i,k,l,j)", kernel("mttkrp", "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", "dense",
                                       {{"B", {"csf", 700}}, {"C", {"dense"}}, {"D", {"dense"}}},
                                       {{"i", 30}, {"j", 16}, {"k", 20}, {"l", 25}})),
  };
}

std::vector<Kernel> scheduled_kernels() {
  const std::vector<std::tuple<const char*, const char*, const char*>> schedules = {
      {"spmv", "rows", "split(i, io, ii, 16), parallelize(io, CPUThread)"},
      {"spmv", "nonzeros", "fuse(i, j, f), pos(f, fp, A), divide(fp, p, q, 64), parallelize(p, CPUThread, Atomics)"},
      {"spgemm", "workspace", "precompute(A(i,k) * B(k,j), j, jw), parallelize(i, CPUThread)"},
      {"sddmm", "unrolled", "reorder(i, j, k), unroll(k, 4)"},
      {"spadd", "threads", "parallelize(i, CPUThread)"},
      {"mttkrp", "registers", "split(j, jo, ji, 16), reorder(i, jo, k, l, ji), unroll(ji, 16)"},
  };
  const std::vector<Kernel> plain = kernels();
  std::vector<Kernel> scheduled;
  for (const auto& [name, way, text] : schedules) {
    const auto is_named = [name = name](const Kernel& k) { return k.name == name; };
    Kernel k = *std::find_if(plain.begin(), plain.end(), is_named);
    k.name += std::string("_") + way;
    k.request.schedule = parse_schedule(text);
    scheduled.push_back(std::move(k));
  }
  for (Kernel& k : branched_kernels()) scheduled.push_back(std::move(k));
  for (Kernel& k : leaf_kernels()) scheduled.push_back(std::move(k));
  for (Kernel& k : dynamic_kernels()) scheduled.push_back(std::move(k));
  return scheduled;
}

}  // namespace lacuna::golden
