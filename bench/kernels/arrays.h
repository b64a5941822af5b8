#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/tensor/storage.h"

namespace lacuna::contest {

// Tensors as plain pointers, which is what libraries and textbook loops take; and back.

/// A matrix in compressed rows, or the columns of one in csc: `rows` and `columns` are then those of its transpose.
struct CompressedRows {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  const std::int32_t* pos = nullptr;
  const std::int32_t* crd = nullptr;
  const double* values = nullptr;
  std::int64_t stored() const { return pos[rows]; }
};

/// The arrays of a csr or csc matrix, or of any tensor of order 2 of a dense and a compressed level. Throws
/// InternalError for other formats and for other types than float64 over int32.
CompressedRows compressed_rows(const Storage& matrix);

/// A sparse vector (the format of compressed order 1).
struct SparseVector {
  std::int64_t size = 0;
  std::int64_t stored = 0;
  const std::int32_t* crd = nullptr;
  const double* values = nullptr;
};
SparseVector sparse_vector(const Storage& vector);

/// A tensor of order 3 in csf.
struct Tree {
  std::int64_t sizes[3] = {0, 0, 0};
  const std::int32_t* pos[3] = {nullptr, nullptr, nullptr};
  const std::int32_t* crd[3] = {nullptr, nullptr, nullptr};
  std::int64_t nodes[3] = {0, 0, 0};  // entries of crd
  const double* values = nullptr;
};
Tree tree(const Storage& tensor);

/// The values of a dense tensor, by rows.
const double* dense_values(const Storage& tensor);
/// The value of a tensor of order 0.
double scalar_value(const Storage& tensor);

/// Elements whose memory is not initialised, owned.
Array int_array(std::int64_t size);
Array double_array(std::int64_t size);
std::int32_t* ints(Array& array);
double* doubles(Array& array);

/// Results as storages; arrays longer than the positions say are cut without copying.
Storage rows_result(std::int64_t rows, std::int64_t columns, const Array& pos, const Array& crd, const Array& values);
Storage columns_result(std::int64_t rows, std::int64_t columns, const Array& pos, const Array& crd,
                       const Array& values);
Storage vector_result(std::int64_t size, std::int64_t stored, const Array& crd, const Array& values);
Storage dense_result(const std::vector<std::int64_t>& dimensions, const Array& values);
/// The same from memory of a library, which is copied.
Storage rows_result(std::int64_t rows, std::int64_t columns, const std::int32_t* pos, const std::int32_t* crd,
                    const double* values);
Storage dense_result(const std::vector<std::int64_t>& dimensions, const double* values);

}  // namespace lacuna::contest
