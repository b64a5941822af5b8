#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bench/contest/inputs.h"
#include "bench/distributed/kernels.h"
#include "bench/distributed/race.h"
#include "bench/distributed/statement.h"
#include "lacuna/distribute/simulate/calibrate.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/generate.h"
#include "tools/summary.h"

namespace lacuna::contest {
namespace {

/// A statement whose operands are given in whole to the simulator, and by parts to the ranks. Those that change have
/// several values, which take turns.
struct Predicted {
  std::string name, statement, schedule;
  Format result_format;
  std::map<std::string, std::string> placed;
  std::map<std::string, std::vector<Storage>> operands;

  DistributedRequest in_whole(const Machine& machine) const {
    DistributedRequest request{{}, machine, {}};
    request.request.statement = parse_statement(statement);
    request.request.schedule = parse_schedule(schedule);
    request.request.result_format = result_format;
    for (const auto& [tensor, where] : placed)
      request.placed.emplace(tensor, parse_distribution(where, machine).distribution);
    for (const auto& [tensor, turns] : operands) request.request.operands.emplace(tensor, turns.front());
    return request;
  }
  StatementOnMachine by_parts_of(const Machine& machine, Ranks& ranks) const {
    StatementOnMachine out{statement, machine, schedule, result_format, {}, {}};
    for (const auto& [tensor, where] : placed)
      if (operands.count(tensor) == 0) out.placed.emplace(tensor, where);
    for (const auto& [tensor, turns] : operands)
      for (const Storage& each : turns)
        out.operands[tensor].push_back(by_parts(each, placed.at(tensor), machine, tensor, ranks));
    return out;
  }
};

std::vector<Storage> two(const std::vector<std::int64_t>& dimensions) {
  return {generate_dense(dimensions, 1), generate_dense(dimensions, 2)};
}

/// Measured beside predicted: what the simulator says for this machine, as it was calibrated just now.
void predict(Engine& engine, Ranks& ranks, const Effort& effort, const Predicted& what) {
  constexpr double goal = 0.3;
  const Machine machine{Grid(ranks.count())};
  const DistributedRequest whole = what.in_whole(machine);
  const Network network = calibrated(engine, whole, ranks.communicator());
  const double expected = simulate(whole, network).seconds() * 1e3;
  const StatementOnMachine statement = what.by_parts_of(machine, ranks);
  const Times times = take_turns(ranks, {{lacuna_on_ranks("", engine, statement, ranks)}}, effort);
  if (!ranks.is_first()) return;
  const double measured = tool::median(times[0]), off = expected / measured - 1;
  fmt::print("  {:<28}{:>10.3f} ms measured {:>10.3f} ms predicted, {:+.0f} %, goal 30 %: {}\n    {}\n", what.name,
             measured, expected, 100 * off, std::abs(off) <= goal ? "met" : "missed", to_string(network));
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
  for (const Predicted& each : all) predict(s.engine, s.ranks, s.effort, each);
  return true;
}

void race_predicted_gemm(Engine& engine, Ranks& ranks, const Effort& effort, std::int64_t size) {
  if (ranks.is_first()) fmt::print("\nPredicted times of GEMM of size {}, {} ranks\n", size, ranks.count());
  const std::map<std::string, std::string> tiles = {{"A", "xy -> x"}, {"B", "xy -> x"}, {"C", "xy -> x"}};
  predict(engine, ranks, effort,
          {"GEMM in turns",
           "A(i,j) = B(i,k) * C(k,j)",
           "distribute({i},{io},{ii},M), divide(k,ko,ki,M.x), reorder(ko,ii,j,ki), rotate(ko,{io},kos), "
           "communicate(A,io), communicate({B,C},kos), substitute({ii,j,ki},BLAS.gemm)",
           dense_format(2),
           tiles,
           {{"B", two({size, size})}, {"C", two({size, size})}}});
}

}  // namespace lacuna::contest
