#pragma once

#include <memory>
#include <optional>
#include <string>

#include "bench/kernels/problem.h"
#include "lacuna/device/device.h"

namespace lacuna::contest {

/// A product of a matrix in csr as cuSPARSE does it, with operands and result on the device.
class CusparseProduct {
 public:
  virtual ~CusparseProduct() = default;
  /// Computes it once. Returns when it is done.
  virtual void run() = 0;
  virtual Storage result() const = 0;
};

/// cuSPARSE, opened where it is: libcusparse and libcudart.
class Cusparse {
 public:
  /// None where a library is missing; `missing` then says which.
  static std::shared_ptr<Cusparse> open(std::string& missing);
  virtual ~Cusparse() = default;
  /// By its algorithm for SpMV or SpMM, 0 for the one it chooses. None where it has no such operation.
  virtual std::unique_ptr<CusparseProduct> product(const Problem& problem, Device& device, int algorithm) = 0;
};

}  // namespace lacuna::contest
