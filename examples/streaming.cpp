// A graph that changes: edges come and go, and a product with its matrix is computed in between.

#include <cmath>
#include <iostream>

#include "lacuna/api/lacuna.h"

using namespace lacuna;

int main() {
  constexpr std::int64_t vertices = 1000;
  // A row of neighbours for each vertex, in a B-tree.
  Tensor<double> G("G", {vertices, vertices}, parse_format("dense,btree", 2));

  // One edge at a time: insert adds to what is there, assign replaces it.
  G.insert({3, 7}, 1.0);
  G.insert({3, 7}, 0.5);
  G.assign({7, 3}, 2.0);

  // Many at once, in any order: sorted, so that each row is looked up once.
  std::vector<std::vector<std::int64_t>> edges(2);
  std::vector<double> weights;
  for (std::int64_t k = 0; k < 10'000; ++k) {
    edges[0].push_back(k * 7919 % vertices);
    edges[1].push_back(k * 104'729 % 997);
    weights.push_back(1.0);
  }
  std::cout << G.insert(edges, weights) << " of " << weights.size() << " edges are new\n";

  // What is assigned sees the graph of this moment, whenever it is read.
  IndexVar i("i"), j("j");
  Tensor<double> ones({vertices}), degrees;
  for (std::int64_t v = 0; v < vertices; ++v) ones.insert({v}, 1.0);
  degrees(i) = G(i, j) * ones(j);

  // A copy is a snapshot. It shares memory until the next update, and another thread may read it while G changes.
  const Tensor<double> snapshot = G;
  const bool was_there = G.erase({3, 7});
  std::cout << "G(3,7) = " << G.at({3, 7}) << ", in the snapshot " << snapshot.at({3, 7}) << "\n";

  Tensor<double> fewer;
  fewer(i) = G(i, j) * ones(j);
  std::cout << "weight of 3: " << degrees.at({3}) << ", then " << fewer.at({3}) << "\n";

  // A result that follows is not computed again: each update adds to it what it changes.
  Tensor<double> current;
  current(i) = G(i, j) * ones(j);
  current.follow(G);
  G.insert(edges, weights);
  G.erase({4, 8});
  Tensor<double> anew;
  anew(i) = G(i, j) * ones(j);
  std::cout << "weight of 3 now: " << current.at({3}) << "\n";
  const bool agree = std::abs(degrees.at({3}) - fewer.at({3}) - snapshot.at({3, 7})) < 1e-12;
  return was_there && agree && current.equals(anew, 1e-12) ? 0 : 1;
}
