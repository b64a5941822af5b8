// Conjugate gradients for A u = b, with a symmetric positive definite matrix. On several processors: poisson.cpp.
//
//     ./conjugate_gradient            Poisson's equation on a grid of 40 x 40 points
//     ./conjugate_gradient A.mtx      the matrix of a file

#include <cmath>
#include <iostream>

#include "lacuna/api/lacuna.h"

using namespace lacuna;

namespace {

Tensor<double> poisson(std::int64_t side) {
  Tensor<double> A("A", {side * side, side * side}, csr_format());
  for (std::int64_t k = 0; k < side * side; ++k) {
    A.insert({k, k}, 4.0);
    if (k % side > 0) A.insert({k, k - 1}, -1.0);
    if (k % side + 1 < side) A.insert({k, k + 1}, -1.0);
    if (k >= side) A.insert({k, k - side}, -1.0);
    if (k + side < side * side) A.insert({k, k + side}, -1.0);
  }
  return A;
}

int solve(const Tensor<double>& A) {
  const std::int64_t n = A.dimensions()[0];
  IndexVar i("i"), j("j");
  Tensor<double> b("b", {n}, dense_format(1)), u("u", {n}, dense_format(1));
  b(i) = 1.0;

  Tensor<double> r, p, Ap, pAp, rr;
  r(i) = b(i) - A(i, j) * u(j);
  p(i) = r(i) * 1.0;
  rr() = r(i) * r(i);
  const double first = rr.value();
  double before = first;
  int steps = 0;
  for (; steps < 1000 && before > 1e-20 * first; ++steps) {
    Ap(i) = A(i, j) * p(j);
    pAp() = p(i) * A(i, j) * p(j);
    evaluate_together({}, Ap, pAp);  // one kernel, which reads A once
    const double alpha = before / pAp.value();
    u(i) += alpha * p(i);
    r(i) += -alpha * Ap(i);
    evaluate_together({}, u, r);
    rr() = r(i) * r(i);
    const double after = rr.value();
    p(i) = r(i) + after / before * p(i);
    before = after;
  }

  // The residual of u itself, not of the recurrence.
  Tensor<double> residual, norm;
  residual(i) = b(i) - A(i, j) * u(j);
  norm() = residual(i) * residual(i);
  const double error = std::sqrt(norm.value() / first);
  std::cout << steps << " steps, relative residual below 1e-9: " << (error < 1e-9 ? "yes" : "no") << "\n";
  return error < 1e-9 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return solve(argc > 1 ? Tensor<double>::read(argv[1], csr_format(), "A") : poisson(40));
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
