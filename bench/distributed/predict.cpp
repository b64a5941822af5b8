#include <fmt/format.h>

#include "bench/contest/inputs.h"
#include "bench/distributed/kernels.h"
#include "bench/distributed/predicted.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::contest {
namespace {

std::vector<Storage> two(const std::vector<std::int64_t>& dimensions) {
  return {generate_dense(dimensions, 1), generate_dense(dimensions, 2)};
}

void show(Ranks& ranks, const Predicted& what, const PredictedTime& time) {
  if (!ranks.is_first()) return;
  fmt::print("  {:<28}{:>10.3f} ms measured {:>10.3f} ms predicted, {:+.0f} %, goal {:.0f} %: {}\n    {}\n", what.name,
             time.measured, time.predicted, 100 * time.off(), 100 * PredictedTime::goal,
             time.is_met() ? "met" : "missed", time.network);
}

}  // namespace

bool race_prediction(const Setting& s) {
  if (s.ranks.is_first())
    fmt::print("\nPredicted times on {} ({} entries), {} rank{}\n", s.input, s.matrix.stored(), s.ranks.count(),
               s.ranks.count() == 1 ? "" : "s");
  const std::int64_t n = s.matrix.dimensions[1];
  const std::vector<Predicted> all = {{"SpMV",
                                       "y(i) = A(i,j) * x(j)",
                                       "",
                                       dense_format(1),
                                       {{"y", "x -> x"}, {"A", "xy -> x"}, {"x", "x -> x"}},
                                       {{"A", {s.matrix}}, {"x", two({n})}}},
                                      {"SpMV by columns, summed",
                                       "y(i) = A(i,j) * x(j)",
                                       "distribute({j},{jo},{ji},M)",
                                       dense_format(1),
                                       {{"y", "x -> x"}, {"A", "xy -> y"}, {"x", "x -> x"}},
                                       {{"A", {s.matrix}}, {"x", two({n})}}},
                                      {"SpMM",
                                       "y(i,k) = A(i,j) * x(j,k)",
                                       "",
                                       dense_format(2),
                                       {{"y", "xy -> x"}, {"A", "xy -> x"}, {"x", "xy -> x"}},
                                       {{"A", {s.matrix}}, {"x", two({n, 8})}}},
                                      {"SpAdd",
                                       "C(i,j) = A(i,j) + B(i,j)",
                                       "",
                                       csr_format(),
                                       {{"C", "xy -> x"}, {"A", "xy -> x"}, {"B", "xy -> x"}},
                                       {{"A", {s.matrix}}, {"B", {rotated(s.matrix, 1)}}}}};
  for (const Predicted& each : all)
    show(s.ranks, each, predict(s.engine, s.ranks, s.effort, Machine{Grid(s.ranks.count())}, each));
  return true;
}

void race_predicted_gemm(Engine& engine, Ranks& ranks, const Effort& effort, std::int64_t size) {
  if (ranks.is_first()) fmt::print("\nPredicted times of GEMM of size {}, {} ranks\n", size, ranks.count());
  const std::map<std::string, std::string> tiles = {{"A", "xy -> x"}, {"B", "xy -> x"}, {"C", "xy -> x"}};
  const Predicted gemm = {"GEMM in turns",
                          "A(i,j) = B(i,k) * C(k,j)",
                          "distribute({i},{io},{ii},M), divide(k,ko,ki,M.x), reorder(ko,ii,j,ki), rotate(ko,{io},kos), "
                          "communicate(A,io), communicate({B,C},kos), substitute({ii,j,ki},BLAS.gemm)",
                          dense_format(2),
                          tiles,
                          {{"B", two({size, size})}, {"C", two({size, size})}}};
  show(ranks, gemm, predict(engine, ranks, effort, Machine{Grid(ranks.count())}, gemm));
}

}  // namespace lacuna::contest
