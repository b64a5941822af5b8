// How loops run, said from C++: the same statements under several schedules give the same results.

#include <algorithm>
#include <cmath>
#include <iostream>

#include "lacuna/api/lacuna.h"

using namespace lacuna;

namespace {

constexpr std::int64_t rows = 1000;

/// A matrix whose first rows are much longer than the others.
Tensor<double> skewed_matrix() {
  Tensor<double> A("A", {rows, rows}, csr_format());
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < rows; j += i + 1) A.insert({i, j}, 1.0 / static_cast<double>(i + j + 1));
  }
  return A;
}

double largest_difference(const Tensor<double>& a, const Tensor<double>& b) {
  double largest = 0;
  for (std::int64_t k = 0; k < rows; ++k) largest = std::max(largest, std::abs(a.at({k}) - b.at({k})));
  return largest;
}

/// y = A x by rows, and by equal numbers of non-zeros.
double matrix_times_vector(const Tensor<double>& A, const Tensor<double>& x) {
  IndexVar i("i"), j("j"), io("io"), ii("ii"), f("f"), fp("fp"), fo("fo"), fi("fi");
  Tensor<double> expected;
  expected(i) = A(i, j) * x(j);  // scheduled automatically

  Tensor<double> y("y", {rows}, dense_format(1));
  y(i) = A(i, j) * x(j);
  Schedule s = schedule().split(i, io, ii, 64).parallelize(io, CPUThread);
  y.evaluate({.schedule = s});
  double difference = largest_difference(y, expected);

  // Pieces of the stored entries, wherever rows begin and end: two threads may add to one row.
  y(i) = A(i, j) * x(j);
  s = schedule().fuse(i, j, f).pos(f, fp, A).split(fp, fo, fi, 1000).parallelize(fo, CPUThread, Atomics);
  y.evaluate({.schedule = s});
  std::cout << "y(i) = A(i,j) * x(j) under " << to_string(s) << "\n";
  return std::max(difference, largest_difference(y, expected));
}

/// z(i) = c(i) sum_j A(i,j) x(j): the sum is taken first, into a workspace.
double scaled_product(const Tensor<double>& A, const Tensor<double>& x, const Tensor<double>& c) {
  IndexVar i("i"), j("j"), iw("iw");
  Tensor<double> z("z", {rows}, dense_format(1)), expected;
  expected(i) = A(i, j) * x(j) * c(i);
  z(i) = A(i, j) * x(j) * c(i);
  z.evaluate({.schedule = schedule().precompute(A(i, j) * x(j), {i}, {iw}, {.name = "w"}).unroll(j, 4)});
  return largest_difference(z, expected);
}

}  // namespace

int main() {
  const Tensor<double> A = skewed_matrix();
  Tensor<double> x("x", {rows}, dense_format(1)), c("c", {rows}, dense_format(1));
  for (std::int64_t k = 0; k < rows; ++k) {
    x.insert({k}, 1.0 + static_cast<double>(k % 7));
    c.insert({k}, 2.0);
  }
  const double difference = std::max(matrix_times_vector(A, x), scaled_product(A, x, c));
  std::cout << "schedules change the results by at most " << difference << "\n";

  // A schedule that could give another result is refused, with what would do.
  IndexVar i("i");
  Tensor<double> s;
  s() = x(i) * c(i);
  bool refused = false;
  try {
    s.evaluate({.schedule = schedule().parallelize(i, CPUThread)});
  } catch (const Error& error) {
    std::cout << "refused: " << error.what() << "\n";
    refused = true;
  }
  s.evaluate({.schedule = parse_schedule("parallelize(i,CPUThread,ParallelReduction)")});  // text does as well
  return difference < 1e-9 && refused ? 0 : 1;
}
