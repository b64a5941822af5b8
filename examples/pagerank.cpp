// PageRank by power iteration: where a walk along the links of a graph ends up.
//
//     ./pagerank               a graph of 1000 vertices, made here
//     ./pagerank A.mtx         the graph of a matrix: a link from i to j for each entry A(i,j)

#include <cmath>
#include <iostream>
#include <string>

#include "lacuna/api/lacuna.h"

using namespace lacuna;

namespace {

/// A ring with shortcuts to the first vertices. The last vertex has no links.
Tensor<bool> small_graph() {
  constexpr std::int64_t n = 1000;
  Tensor<bool> A("A", {n, n}, csc_format());
  for (std::int64_t i = 0; i + 1 < n; ++i) {
    A.insert({i, i + 1}, true);
    A.insert({i, i * i % 31}, true);
  }
  return A;
}

int run(const Tensor<bool>& A) {
  const std::int64_t n = A.dimensions()[0];
  const double damping = 0.85;
  IndexVar i("i"), j("j");

  // How many links leave each vertex, and the part of its rank that each link carries: 0 where there is none.
  Tensor<int> degree;
  degree(i) = A(i, j);
  Tensor<double> share;
  share(i) = call("gt", {degree(i), 0}) / max(degree(i), 1.0);

  Tensor<double> rank("rank", {n}, dense_format(1)), dangling, change;
  rank(i) = 1.0 / static_cast<double>(n);
  int steps = 0;
  double difference = 1;
  for (; steps < 100 && difference > 1e-10; ++steps) {
    // The rank of vertices without links is spread over all vertices.
    dangling() = call("eq", {degree(i), 0}) * rank(i);
    const double everywhere = (1 - damping + damping * dangling.value()) / static_cast<double>(n);
    Tensor<double> next;
    next(j) = everywhere + damping * (A(i, j) * share(i) * rank(i));
    change() = abs(next(i) - rank(i));
    difference = change.value();
    rank = next;
  }

  Tensor<double> total;
  total() = rank(i);
  std::int64_t best = 0;
  for (std::int64_t v = 0; v < n; ++v)
    if (rank.at({v}) > rank.at({best})) best = v;
  std::cout << steps << " steps; vertex " << best << " has the largest rank, " << rank.at({best}) << "\n";
  return difference <= 1e-10 && std::abs(total.value() - 1) < 1e-9 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? Tensor<bool>::read(argv[1], csc_format(), "A") : small_graph());
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
