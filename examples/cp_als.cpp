// A CP decomposition of a sparse tensor by alternating least squares: B(i,j,k) is approximated by the sum over r of
// X(i,r) * Y(j,r) * Z(k,r).
//
//     ./cp_als               a tensor of order 3 that has such a decomposition, made here
//     ./cp_als B.tns         the tensor of a file

#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>

#include "lacuna/api/lacuna.h"

using namespace lacuna;

namespace {

constexpr std::int64_t rank = 4;
using Factor = Tensor<double>;

/// Four blocks, each an outer product of three vectors.
Tensor<double> small_tensor() {
  constexpr std::int64_t block = 5;
  Tensor<double> B("B", {rank * block, rank * block, rank * block}, csf_format(3));
  for (std::int64_t i = 0; i < rank * block; ++i) {
    const std::int64_t first = i / block * block;
    for (std::int64_t j = first; j < first + block; ++j)
      for (std::int64_t k = first; k < first + block; ++k)
        B.insert({i, j, k}, static_cast<double>((i % 3 + 1) * (j % 4 + 1) * (k % 2 + 1)));
  }
  return B;
}

/// Random numbers between 0 and 1.
Factor start(std::int64_t rows, std::mt19937& random) {
  std::vector<double> x(static_cast<std::size_t>(rows * rank));
  for (double& v : x) v = static_cast<double>(random()) / 4294967296.0;
  return Factor::from_dense({rows, rank}, x).copied();
}

/// X with X G = M, by Gaussian elimination: G is small, symmetric and positive definite.
Factor solve(const Tensor<double>& M, const Tensor<double>& G) {
  std::vector<double> g(rank * rank), x;
  for (const auto& [at, v] : G) g[static_cast<std::size_t>(at[0] * rank + at[1])] = v;
  for (const auto& [at, v] : M) x.push_back(v);
  const std::int64_t rows = std::ssize(x) / rank;
  const auto a = [&](std::int64_t r, std::int64_t s) -> double& { return g[static_cast<std::size_t>(r * rank + s)]; };
  const auto y = [&](std::int64_t i, std::int64_t r) -> double& { return x[static_cast<std::size_t>(i * rank + r)]; };
  for (std::int64_t r = 0; r < rank; ++r) a(r, r) += 1e-12;
  for (std::int64_t r = 0; r < rank; ++r) {
    for (std::int64_t s = r + 1; s < rank; ++s) {
      const double factor = a(s, r) / a(r, r);
      for (std::int64_t t = r; t < rank; ++t) a(s, t) -= factor * a(r, t);
      for (std::int64_t i = 0; i < rows; ++i) y(i, s) -= factor * y(i, r);
    }
  }
  for (std::int64_t r = rank - 1; r >= 0; --r) {
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t s = r + 1; s < rank; ++s) y(i, r) -= a(r, s) * y(i, s);
      y(i, r) /= a(r, r);
    }
  }
  return Factor::from_dense({rows, rank}, x).copied();
}

/// Prints how well the decomposition fits, and returns its relative error.
double decompose(const Tensor<double>& B) {
  IndexVar i("i"), j("j"), k("k"), r("r"), s("s");
  std::mt19937 random(3);
  const std::int64_t m = B.dimensions()[0], n = B.dimensions()[1], o = B.dimensions()[2];
  Factor X, Y = start(n, random), Z = start(o, random);
  Tensor<double> size;
  size() = B(i, j, k) * B(i, j, k);

  double error = 1;
  int steps = 0;
  for (; steps < 200 && error > 1e-6; ++steps) {
    Tensor<double> M({m, rank}), N({n, rank}), O({o, rank}), G, H, I, inner, model;
    M(i, r) = B(i, j, k) * Y(j, r) * Z(k, r);
    G(r, s) = sum(j, Y(j, r) * Y(j, s)) * sum(k, Z(k, r) * Z(k, s));
    X = solve(M, G);
    N(j, r) = B(i, j, k) * X(i, r) * Z(k, r);
    H(r, s) = sum(i, X(i, r) * X(i, s)) * sum(k, Z(k, r) * Z(k, s));
    Y = solve(N, H);
    O(k, r) = B(i, j, k) * X(i, r) * Y(j, r);
    I(r, s) = sum(i, X(i, r) * X(i, s)) * sum(j, Y(j, r) * Y(j, s));
    Z = solve(O, I);

    // |B - model|² = |B|² - 2 <B, model> + |model|², none of which needs the model itself.
    inner() = O(k, r) * Z(k, r);
    model() = I(r, s) * sum(k, Z(k, r) * Z(k, s));
    error = std::sqrt(std::max(0.0, size.value() - 2 * inner.value() + model.value()) / size.value());
  }
  std::cout << steps << " steps, relative error " << error << "\n";
  return error;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc > 1) {
      decompose(Tensor<double>::read(argv[1], csf_format(3), "B"));
      return 0;
    }
    return decompose(small_tensor()) < 1e-6 ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
