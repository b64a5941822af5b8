// A solver on ranks: conjugate gradients for Poisson's equation on a square, each rank with rows of its own.
//
//     ./poisson                this process emulates all processors
//     mpirun -n 4 ./poisson    each rank makes its rows, and only these

#include <cmath>
#include <iostream>

#include "lacuna/api/lacuna.h"

using namespace lacuna;

namespace {

constexpr std::int64_t side = 40, n = side * side;

/// Compressed rows [begin, end) of the five-point stencil, as any program might have them.
struct Rows {
  std::int64_t begin, end;
  std::vector<std::int64_t> pos = {0}, column = {};
  std::vector<double> value = {};

  Rows(std::int64_t first, std::int64_t last) : begin(first), end(last) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t x = row % side, y = row / side;
      if (y > 0) add(row - side, -1);
      if (x > 0) add(row - 1, -1);
      add(row, 4);
      if (x + 1 < side) add(row + 1, -1);
      if (y + 1 < side) add(row + side, -1);
      pos.push_back(std::ssize(column));
    }
  }
  void add(std::int64_t j, double v) {
    column.push_back(j);
    value.push_back(v);
  }
};

int solve(Communicator& ranks) {
  Machine M{Grid(4)};
  DistVar x, y;
  const PlacedFormat rows(csr_format(), Distribution({x, y}, M, {x}));
  const PlacedFormat blocked(dense_format(1), Distribution({x}, M, {x}));

  // The matrix: arrays of this rank, which are used where they are.
  std::vector<Rows> mine;
  for (const auto& part : local_parts({n, n}, rows, ranks))
    mine.emplace_back(part[0].bounds().begin, part[0].bounds().end);
  std::vector<Tensor<double>> parts;
  for (const Rows& r : mine) parts.push_back(Tensor<double>::from_csr(r.end - r.begin, n, r.pos, r.column, r.value));
  const auto A = Tensor<double>::from_parts({n, n}, rows, ranks, parts, "A");

  // The right side: entries that any rank contributes, here the first one.
  Tensor<double> b("b", {n}, blocked);
  if (ranks.rank() == 0) b.insert({n / 2 + side / 2}, 1);
  b.contribute(ranks);

  IndexVar i("i"), j("j");
  const EvaluateOptions on_ranks{.ranks = &ranks};
  Tensor<double> u("u", {n}, blocked), r("r", {n}, blocked), p("p", {n}, blocked), Ap("Ap", {n}, blocked);
  Tensor<double> rr(0.0), pAp(0.0);  // sums are tensors, too
  const auto dot = [&](Tensor<double>& sum, const Tensor<double>& v, const Tensor<double>& w) {
    sum() = v(i) * w(i);
    sum.evaluate(on_ranks);  // it is not placed, so that all ranks get it
    return sum.value();
  };

  u(i) = b(i) * 0.0;
  r(i) = b(i) * 1.0;
  p(i) = b(i) * 1.0;
  for (Tensor<double>* each : {&u, &r, &p}) each->evaluate(on_ranks);
  double before = dot(rr, r, r);
  int steps = 0;
  for (; steps < 500 && std::sqrt(before) > 1e-10; ++steps) {
    Ap(i) = A(i, j) * p(j);  // moves the halo of p, and nothing else
    Ap.evaluate(on_ranks);
    const double alpha = before / dot(pAp, p, Ap);
    u(i) += alpha * p(i);  // a new number each time, and the same kernel
    u.evaluate(on_ranks);
    r(i) += -alpha * Ap(i);
    r.evaluate(on_ranks);
    const double after = dot(rr, r, r);
    p(i) = r(i) + after / before * p(i);
    p.evaluate(on_ranks);
    before = after;
  }

  // Of the solution itself, not of what the recurrence says.
  Tensor<double> residual("residual", {n}, blocked);
  residual(i) = b(i) - A(i, j) * u(j);
  residual.evaluate(on_ranks);
  const double error = std::sqrt(dot(rr, residual, residual));
  if (ranks.rank() == 0) std::cout << steps << " steps, residual below 1e-9: " << (error < 1e-9 ? "yes" : "no") << "\n";
  return error < 1e-9 ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return solve(*world());
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
