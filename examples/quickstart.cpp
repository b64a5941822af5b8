// Lacuna from C++: a matrix, a vector, their product, and what else one statement can be.

#include <cmath>
#include <iostream>

#include "lacuna/api/lacuna.h"

using namespace lacuna;

int main() {
  // A 4 x 4 matrix in compressed rows. Entries come in any order.
  Tensor<double> A("A", {4, 4}, csr_format());
  for (std::int64_t k = 0; k < 4; ++k) A.insert({k, k}, 2.0);
  for (std::int64_t k = 0; k < 3; ++k) {
    A.insert({k, k + 1}, -1.0);
    A.insert({k + 1, k}, -1.0);
  }

  // A dense vector over memory of yours, which is borrowed: not copied, and read whenever something is computed from x.
  const std::vector<double> numbers = {1, 2, 3, 4};
  const auto x = Tensor<double>::from_dense({4}, numbers);

  // Nothing runs until y is read; then one kernel is compiled, and kept for the next time.
  IndexVar i("i"), j("j"), k("k");
  Tensor<double> y;
  y(i) = A(i, j) * x(j);
  for (const auto& [coordinates, value] : y) std::cout << "y(" << coordinates[0] << ") = " << value << "\n";

  // Whole tensors, without indices: one kernel, too. Printing computes it.
  const Tensor<double> r = x - 0.5 * matmul(A, x);
  std::cout << "r: " << r << "\n";

  // Into memory of yours.
  std::vector<double> mine(4);
  Tensor<double> z = exp(x) * y;
  z.evaluate_into(mine);
  std::cout << "z(0) = " << mine[0] << "\n";

  // A sparse result: its format is inferred from the operands.
  Tensor<double> B;
  B(i, k) = A(i, j) * A(j, k);
  std::cout << "B = A A is " << B.format().to_string() << " with " << B.stored() << " entries\n";

  // Fused: A, scaled by the outer product of x with itself, computed only where A has entries.
  Tensor<double> C("C", {4, 4}, csr_format());
  C(i, j) = A(i, j) * x(i) * x(j);
  std::cout << "C(2,3) = " << C.at({2, 3}) << "\n";

  // Scalars are tensors without indices.
  Tensor<double> energy;
  energy() = x(i) * A(i, j) * x(j) / 2;
  std::cout << "energy = " << energy.value() << "\n";

  // A mistake says what is wrong.
  try {
    y(i) = A(i, j) * x(j) + 1 / Tensor<double>({5})(i);
  } catch (const Error& error) {
    std::cout << "refused: " << error.what() << "\n";
  }
  return std::abs(energy.value() - 10) < 1e-12 ? 0 : 1;
}
