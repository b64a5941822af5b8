#include "bench/loopnests/benchmark.h"

#include "lacuna/notation/parse.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::contest {
namespace {

const std::string by_rows = "parallelize(i,CPUThread,NoRaces)";

std::vector<Benchmark> of_matrices() {
  return {
      {"SDDMM,SpMM",
       "A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)",
       "dense",
       {{"k", 64}, {"l", 64}},
       "reorder(i,j,k,l), " + by_rows,
       {"reorder(i,j,k,l), loopfuse(1), " + by_rows},
       {{{"T(i,j) = B(i,j) * C(i,k) * D(j,k)", "csr"}, {"A(i,l) = T(i,j) * E(j,l)", "dense"}}},
       1.2},
      {"SpMMH,GEMM",
       "A(i,l) = B(i,k) * C(k,j) * D(k,j) * E(j,l)",
       "dense",
       {{"j", 128}, {"l", 128}},
       "reorder(i,k,j,l), " + by_rows,
       {"reorder(i,k,j,l), loopfuse(1), " + by_rows},
       {{{"T(i,j) = B(i,k) * C(k,j) * D(k,j)", "dense"}, {"A(i,l) = T(i,j) * E(j,l)", "dense"}},
        {{"H(k,j) = C(k,j) * D(k,j)", "dense"},
         {"T(i,j) = B(i,k) * H(k,j)", "dense"},
         {"A(i,l) = T(i,j) * E(j,l)", "dense"}},
        {{"H(k,j) = C(k,j) * D(k,j)", "dense"},
         {"G(k,l) = H(k,j) * E(j,l)", "dense"},
         {"A(i,l) = B(i,k) * G(k,l)", "dense"}}},
       1.2},
      {"SpMM,GEMM",
       "A(i,l) = B(i,j) * C(j,k) * D(k,l)",
       "dense",
       {{"k", 128}, {"l", 64}},
       "reorder(i,j,k,l), " + by_rows,
       {"reorder(i,j,k,l), loopfuse(1), " + by_rows},
       {{{"T(i,k) = B(i,j) * C(j,k)", "dense"}, {"A(i,l) = T(i,k) * D(k,l)", "dense"}},
        {{"G(j,l) = C(j,k) * D(k,l)", "dense"}, {"A(i,l) = B(i,j) * G(j,l)", "dense"}}},
       1.2},
      {"SDDMM,SpMM,GEMM",
       "A(i,m) = B(i,j) * C(i,k) * D(j,k) * F(j,l) * W(l,m)",
       "dense",
       {{"k", 64}, {"l", 64}, {"m", 64}},
       "reorder(i,j,k,l,m), " + by_rows,
       {"reorder(i,j,k,l,m), loopfuse(2), " + by_rows},
       {{{"T(i,j) = B(i,j) * C(i,k) * D(j,k)", "csr"},
         {"U(i,l) = T(i,j) * F(j,l)", "dense"},
         {"A(i,m) = U(i,l) * W(l,m)", "dense"}},
        {{"T(i,j) = B(i,j) * C(i,k) * D(j,k)", "csr"},
         {"G(j,m) = F(j,l) * W(l,m)", "dense"},
         {"A(i,m) = T(i,j) * G(j,m)", "dense"}}},
       1.2},
      {"attention",
       "A(i,l) = scale * B(i,j) * C(i,k) * D(j,k) * E(j,l)",
       "dense",
       {{"k", 64}, {"l", 64}},
       "reorder(i,j,k,l), " + by_rows,
       {"reorder(i,j,k,l), loopfuse(1), " + by_rows},
       {{{"T(i,j) = B(i,j) * C(i,k) * D(j,k)", "csr"},
         {"S(i,j) = scale * T(i,j)", "csr"},
         {"A(i,l) = S(i,j) * E(j,l)", "dense"}}}},
  };
}

std::vector<Benchmark> of_tensors() {
  return {
      {"MTTKRP,GEMM",
       "A(i,m) = B(i,k,l) * C(l,j) * D(k,j) * E(j,m)",
       "dense",
       {{"j", 32}, {"m", 64}},
       "reorder(i,k,l,j,m), " + by_rows,
       {"reorder(i,k,l,j,m), loopfuse(1), " + by_rows,
        "reorder(i,k,l,j,m), loopfuse(1), loopfuse({B,C},left,{producer}), " + by_rows},
       {{{"T(i,j) = B(i,k,l) * C(l,j) * D(k,j)", "dense"}, {"A(i,m) = T(i,j) * E(j,m)", "dense"}}}},
      {"SpTTM,SpTTM",
       "A(i,j,m) = B(i,j,k) * C(k,l) * D(l,m)",
       "sparse,sparse,dense",
       {{"l", 32}, {"m", 64}},
       "reorder(i,j,k,l,m)",
       {"reorder(i,j,k,l,m), loopfuse(1)"},
       {{{"T(i,j,l) = B(i,j,k) * C(k,l)", "sparse,sparse,dense"},
         {"A(i,j,m) = T(i,j,l) * D(l,m)", "sparse,sparse,dense"}},
        {{"G(k,m) = C(k,l) * D(l,m)", "dense"}, {"A(i,j,m) = B(i,j,k) * G(k,m)", "sparse,sparse,dense"}}}},
      {"TTMc",
       "A(l,m,n) = B(i,j,k) * C(i,l) * D(j,m) * E(k,n)",
       "dense",
       {{"l", 16}, {"m", 16}, {"n", 16}},
       "reorder(i,j,k,l,m,n), parallelize(i,CPUThread,Temporary)",
       {"reorder(i,j,k,n,m,l), loopfuse({B,E,D},left), loopfuse({B,E},left,{producer}), "
        "parallelize(i,CPUThread,Temporary)"},
       {{{"T(i,j,n) = B(i,j,k) * E(k,n)", "sparse,sparse,dense"},
         {"U(i,m,n) = T(i,j,n) * D(j,m)", "dense"},
         {"A(l,m,n) = U(i,m,n) * C(i,l)", "dense"}}}},
      {"tensor-train",
       "A(i,p) = B(i,j,k) * G(p,j,q) * H(q,k)",
       "dense",
       {{"p", 16}, {"q", 16}},
       "reorder(i,j,k,q,p), " + by_rows,
       {"reorder(i,j,k,q,p), loopfuse({B,H},left), " + by_rows},
       {{{"T(i,j,q) = B(i,j,k) * H(q,k)", "sparse,sparse,dense"}, {"A(i,p) = T(i,j,q) * G(p,j,q)", "dense"}}}},
  };
}

}  // namespace

std::vector<Benchmark> all_benchmarks() {
  std::vector<Benchmark> all = of_matrices();
  for (Benchmark& each : of_tensors()) {
    each.of_tensors = true;
    all.push_back(std::move(each));
  }
  return all;
}

Request request_of(const Benchmark& benchmark, const Storage& sparse) {
  Request request;
  request.statement = parse_statement(benchmark.statement);
  request.result_format = parse_format(benchmark.format, static_cast<int>(request.statement.lhs.indices.size()));
  std::map<std::string, std::int64_t> sizes = benchmark.sizes;
  const std::vector<Access> all = accesses(request.statement.rhs);
  for (const Access& x : all)
    for (std::size_t m = 0; x.tensor.name() == "B" && m < x.indices.size(); ++m)
      sizes[x.indices[m].name()] = sparse.dimensions[m];
  request.operands.emplace("B", sparse);
  std::uint64_t seed = 1;
  for (const Access& x : all) {
    std::vector<std::int64_t> dimensions;
    for (const IndexVar& v : x.indices) dimensions.push_back(sizes.at(v.name()));
    if (x.tensor.name() != "B") request.operands.emplace(x.tensor.name(), generate_dense(dimensions, ++seed));
  }
  return request;
}

}  // namespace lacuna::contest
