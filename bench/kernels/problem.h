#pragma once

#include <cstdint>
#include <string>

#include "lacuna/engine/engine.h"

namespace lacuna::contest {

/// What is computed, as the libraries know it: each of them says which of these it offers.
enum class Operation : std::uint8_t {
  Spmv,              // y = A x, A in csr
  SpmvColumns,       // y = A x, A in csc
  SpmvSparse,        // y = A x, A in csc, x and y sparse
  Spmm,              // Y = A X, A in csr, X and Y dense by rows
  Sddmm,             // A = B .* (C D'), B in csr, C and D dense by rows
  Mttkrp,            // A(i,l) = B(i,k,j) C(k,l) D(j,l), B in csf
  Ttm,               // A(i,j,l) = B(i,j,k) C(k,l), B in csf, A with B's first two levels
  Ttv,               // A(i,j) = B(i,j,k) c(k), B in csf
  Add,               // A = B + C, in csr
  Add3,              // A = B + C + D, in csr
  Spgemm,            // C = A B, in csr
  Multiply,          // A = B .* C, in csr
  MultiplyVectors,   // a = b .* c, sparse vectors
  Residual,          // y = b - A x, A in csr
  ScaledSum,         // y = alpha A x + beta z, A in csr
  ProductSum,        // C = A B + D, in csr
  SortedToRows,      // coo, sorted by rows, to csr
  ShuffledToRows,    // coo in any order to csr
  RowsToColumns,     // csr to csc
  RowsToSparseRows,  // csr to dcsr
  SortedToTree       // coo of order 3, sorted, to csf
};

/// One operation on one set of operands. Values are float64, positions and coordinates int32.
struct Problem {
  Operation operation = Operation::Spmv;
  std::string input;  // the name of the data
  Request request;    // what Lacuna is asked; the operands of the others, too
  double bytes = 0;   // the least that must be read and written: every array once

  const Storage& operand(const std::string& name) const { return request.operands.at(name); }
};

}  // namespace lacuna::contest
