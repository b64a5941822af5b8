#include "bench/distributed/kernels.h"

#include <fmt/format.h>

#include "bench/contest/compiled.h"
#include "bench/contest/inputs.h"
#include "bench/distributed/petsc.h"
#include "bench/distributed/race.h"
#include "bench/distributed/scalapack.h"
#include "bench/distributed/statement.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/generate.h"
#include "tools/summary.h"

namespace lacuna::contest {
namespace {

constexpr std::int64_t columns_of_x = 32;

using tool::counted;

std::string title(const Setting& s, const std::string& what) {
  return fmt::format("{} on {} ({} entries), {}", what, s.input, s.matrix.stored(), counted(s.ranks.count(), "rank"));
}

Machine machine_of(const Setting& s) { return Machine{Grid(s.ranks.count())}; }

DistributedTensorPtr rows_of(const Setting& s, const Storage& tensor, const std::string& name) {
  return by_parts(tensor, s.rows.distribution(tensor.order()), machine_of(s), name, s.ranks);
}

/// What a statement needs on one rank.
struct OnOneRank {
  Request request;
  std::vector<std::map<std::string, Storage>> turns = {};  // as in compiled()
};

/// The program of one rank and as many threads as there are ranks, where these are several.
void add_threads(std::vector<Entry>& entries, const Setting& s, const OnOneRank& whole) {
  if (s.ranks.count() == 1) return;
  const std::string name = fmt::format("Lacuna, {}", counted(s.ranks.count(), "thread"));
  if (s.ranks.is_first())
    entries.push_back({compiled(name, s.engine, whole.request, s.ranks.count(), whole.turns), 0.9, true});
  else entries.push_back({Contestant{name, {}, {}, {}}, 0.9, true});
}

std::vector<Entry> entries_of(const Setting& s, const StatementOnMachine& statement, const OnOneRank& whole,
                              std::optional<Contestant> petsc, double goal) {
  std::vector<Entry> entries{
      {lacuna_on_ranks(fmt::format("Lacuna, {}", counted(s.ranks.count(), "rank")), s.engine, statement, s.ranks)}};
  if (petsc) entries.push_back({std::move(*petsc), goal});
  add_threads(entries, s, whole);
  return entries;
}

Request in_whole(const std::string& statement, const Format& format, std::map<std::string, Storage> operands) {
  return {parse_statement(statement), std::move(operands), format, {}, {}, {}};
}

/// A times one of two dense operands, which change from run to run, as they do in iterations.
StatementOnMachine product(const Setting& s, const std::string& text, const std::vector<Storage>& x) {
  const bool is_vector = x[0].order() == 1;
  StatementOnMachine statement{text, machine_of(s), "", dense_format(is_vector ? 1 : 2), {}, {}};
  statement.placed = {{"y", s.rows.distribution(is_vector ? 1 : 2)}};
  statement.operands["A"] = {rows_of(s, s.matrix, "A")};
  for (const Storage& each : x) statement.operands["x"].push_back(rows_of(s, each, "x"));
  return statement;
}

OnOneRank product_in_whole(const Setting& s, const std::string& text, const std::vector<Storage>& x) {
  OnOneRank whole{in_whole(text, dense_format(x[0].order()), {{"A", s.matrix}, {"x", x[0]}})};
  for (const Storage& each : x) whole.turns.push_back({{"A", s.matrix}, {"x", each}});
  return whole;
}

std::vector<Storage> two_dense(const std::vector<std::int64_t>& dimensions) {
  return {generate_dense(dimensions, 1), generate_dense(dimensions, 2)};
}

constexpr const char* spmv = "y(i) = A(i,j) * x(j)";
constexpr const char* spmm = "y(i,k) = A(i,j) * x(j,k)";
constexpr const char* sum = "A(i,j) = B(i,j) + C(i,j) + D(i,j)";

}  // namespace

bool race_spmv(const Setting& s) {
  const std::vector<Storage> x = two_dense({s.matrix.dimensions[1]});
  return race(
      s.ranks, title(s, "SpMV"),
      entries_of(s, product(s, spmv, x), product_in_whole(s, spmv, x), petsc_spmv(s.matrix, x, s.rows, s.ranks), 1.0),
      s.effort);
}

bool race_spmm(const Setting& s) {
  const std::vector<Storage> x = two_dense({s.matrix.dimensions[1], columns_of_x});
  return race(
      s.ranks, title(s, fmt::format("SpMM with {} columns", columns_of_x)),
      entries_of(s, product(s, spmm, x), product_in_whole(s, spmm, x), petsc_spmm(s.matrix, x, s.rows, s.ranks), 2.0),
      s.effort);
}

bool race_sum(const Setting& s) {
  const std::vector<Storage> addends{s.matrix, rotated(s.matrix, 1), rotated(s.matrix, 2)};
  StatementOnMachine statement{sum, machine_of(s), "", csr_format(), {{"A", s.rows.distribution(2)}}, {}};
  std::map<std::string, Storage> whole;
  for (std::size_t k = 0; k < addends.size(); ++k) {
    const std::string name(1, static_cast<char>('B' + k));
    statement.operands[name] = {rows_of(s, addends[k], name)};
    whole[name] = addends[k];
  }
  return race(s.ranks, title(s, "SpAdd3"),
              entries_of(s, statement, {in_whole(sum, csr_format(), std::move(whole))},
                         petsc_sum(addends, s.rows, s.ranks), 5.0),
              s.effort);
}

bool race_planning(const Setting& s) {
  constexpr double goal = 5;
  const StatementOnMachine statement = product(s, spmv, two_dense({s.matrix.dimensions[1]}));
  const DistributedRequest request = statement.request(0);
  const auto plan_and_run = [&] { PreparedOnMachine().run(s.engine, request, s.ranks.communicator()); };
  const std::vector<Entry> entries{{lacuna_on_ranks("planned before", s.engine, statement, s.ranks)},
                                   {Contestant{"planned anew", plan_and_run, {}, {}}}};
  const Times times = take_turns(s.ranks, entries, s.effort);
  if (!s.ranks.is_first()) return true;
  const double run = tool::median(times[0]), planned = tool::median(times[1]);
  const double plan = planned / run - 1;
  fmt::print("\n{}\n  {:<28}{:>12.3f} ms\n  {:<28}{:>12.3f} ms   planning takes {:.2f} SpMVs, goal {}: {}\n",
             title(s, "Planning SpMV"), "planned before", run, "planned anew", planned, plan, goal,
             plan <= goal ? "met" : "missed");
  return true;
}

bool race_gemm(Engine& engine, Ranks& ranks, const Effort& effort, std::int64_t size, std::int64_t block) {
  const Storage b = generate_dense({size, size}, 1), c = generate_dense({size, size}, 2);
  const Machine machine{Grid(ranks.count())};
  StatementOnMachine statement{"A(i,j) = B(i,k) * C(k,j)", machine, "", dense_format(2), {{"A", "xy -> x"}}, {}};
  // Each rank begins with the rows of C that it has, and gets those of the next rank while it multiplies.
  statement.schedule =
      "distribute({i},{io},{ii},M), divide(k,ko,ki,M.x), reorder(ko,ii,j,ki), rotate(ko,{io},kos), communicate(A,io), "
      "communicate({B,C},kos), substitute({ii,j,ki},BLAS.gemm)";
  statement.operands["B"] = {by_parts(b, "xy -> x", machine, "B", ranks)};
  statement.operands["C"] = {by_parts(c, "xy -> x", machine, "C", ranks)};
  std::vector<Entry> entries{{lacuna_on_ranks("Lacuna, tiles by BLAS", engine, statement, ranks)}};
  if (auto peer = pdgemm(b, c, block, ranks)) entries.push_back({std::move(*peer), 1.0});
  return race(ranks, fmt::format("GEMM of size {}, {}", size, counted(ranks.count(), "rank")), entries, effort);
}

}  // namespace lacuna::contest
