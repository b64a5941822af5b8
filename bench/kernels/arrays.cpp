#include "bench/kernels/arrays.h"

#include <span>

#include "lacuna/support/check.h"
#include "lacuna/tensor/build.h"

namespace lacuna::contest {
namespace {

const std::int32_t* int32_data(const Array& array) {
  internal_check(array.type() == Type::Int32 && array.base() == 0, "the benchmarks expect int32 positions");
  return static_cast<const std::int32_t*>(array.data());
}

const double* float64_data(const Storage& tensor) {
  internal_check(tensor.type == Type::Float64, "the benchmarks expect values of float64");
  return static_cast<const double*>(tensor.values.data());
}

Array first_of(const Array& array, std::int64_t size) {
  return Array::borrow(array.type(), array.data(), size, array.owner());
}

template <typename T>
Array copy_of(const T* data, std::int64_t size) {
  return Array::of(std::span<const T>(data, static_cast<std::size_t>(size)));
}

}  // namespace

CompressedRows compressed_rows(const Storage& matrix) {
  const bool fits = matrix.order() == 2 && matrix.format.level(0).kind == LevelKind::Dense &&
                    matrix.format.level(1).kind == LevelKind::Compressed;
  internal_check(fits, "a matrix in {} is used as compressed rows", matrix.format.to_string());
  const LevelStorage& inner = matrix.levels[1];
  return {matrix.levels[0].extent, inner.extent, int32_data(inner.pos), int32_data(inner.crd), float64_data(matrix)};
}

SparseVector sparse_vector(const Storage& vector) {
  internal_check(vector.order() == 1 && vector.format.level(0).kind == LevelKind::Compressed,
                 "a vector in {} is used as a sparse one", vector.format.to_string());
  const LevelStorage& level = vector.levels[0];
  return {level.extent, level.positions, int32_data(level.crd), float64_data(vector)};
}

Tree tree(const Storage& tensor) {
  internal_check(tensor.format == csf_format(3), "a tensor in {} is used as csf", tensor.format.to_string());
  Tree t;
  for (int k = 0; k < 3; ++k) {
    const LevelStorage& level = tensor.levels[static_cast<std::size_t>(k)];
    t.sizes[k] = level.extent;
    t.pos[k] = int32_data(level.pos);
    t.crd[k] = int32_data(level.crd);
    t.nodes[k] = level.positions;
  }
  t.values = float64_data(tensor);
  return t;
}

const double* dense_values(const Storage& tensor) {
  internal_check(tensor.format == dense_format(tensor.order()), "a tensor in {} is used as a dense one",
                 tensor.format.to_string());
  return float64_data(tensor);
}

double scalar_value(const Storage& tensor) { return *float64_data(tensor); }

Array int_array(std::int64_t size) { return Array::allocate(Type::Int32, size, false); }
Array double_array(std::int64_t size) { return Array::allocate(Type::Float64, size, false); }
std::int32_t* ints(Array& array) { return static_cast<std::int32_t*>(array.mutable_data()); }
double* doubles(Array& array) { return static_cast<double*>(array.mutable_data()); }

Storage rows_result(std::int64_t rows, std::int64_t columns, const Array& pos, const Array& crd, const Array& values) {
  const std::int64_t stored = int32_data(pos)[rows];
  return adopt_csr(rows, columns, pos, first_of(crd, stored), first_of(values, stored));
}

Storage columns_result(std::int64_t rows, std::int64_t columns, const Array& pos, const Array& crd,
                       const Array& values) {
  const std::int64_t stored = int32_data(pos)[columns];
  return adopt_csc(rows, columns, pos, first_of(crd, stored), first_of(values, stored));
}

Storage vector_result(std::int64_t size, std::int64_t stored, const Array& crd, const Array& values) {
  return build({{size}, {first_of(crd, stored)}, first_of(values, stored)}, csf_format(1));
}

Storage dense_result(const std::vector<std::int64_t>& dimensions, const Array& values) {
  return adopt_dense(dimensions, values, LevelMap::identity(static_cast<int>(dimensions.size())));
}

Storage rows_result(std::int64_t rows, std::int64_t columns, const std::int32_t* pos, const std::int32_t* crd,
                    const double* values) {
  return rows_result(rows, columns, copy_of(pos, rows + 1), copy_of(crd, pos[rows]), copy_of(values, pos[rows]));
}

Storage dense_result(const std::vector<std::int64_t>& dimensions, const double* values) {
  std::int64_t size = 1;
  for (const std::int64_t dimension : dimensions) size *= dimension;
  return dense_result(dimensions, copy_of(values, size));
}

}  // namespace lacuna::contest
