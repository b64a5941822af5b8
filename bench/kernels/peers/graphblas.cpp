// SuiteSparse:GraphBLAS. Operands are its own copies; a run ends with GrB_wait, so that nothing is left for later. A
// result that is to be full starts as zeros, to which the product is added: so it stays full.

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>

#include <fmt/format.h>

// Its header forgets to say so itself.
extern "C" {
#include <GraphBLAS.h>
}

#include "bench/kernels/arrays.h"
#include "bench/kernels/peer.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"

namespace lacuna::contest {
namespace {

void check(GrB_Info info) {
  // Positive values are answers, not faults.
  if (info < 0) throw RuntimeFailure(fmt::format("GraphBLAS gave up with error {}", static_cast<int>(info)));
}

std::vector<GrB_Index> widened(const std::int32_t* numbers, std::int64_t count) { return {numbers, numbers + count}; }

/// A copy that GraphBLAS may own and free.
void* copied(const double* values, std::int64_t count) {
  const auto bytes = static_cast<std::size_t>(count) * sizeof(double);
  void* copy = std::malloc(bytes);
  if (copy == nullptr) throw RuntimeFailure("out of memory for an operand of GraphBLAS");
  return std::memcpy(copy, values, bytes);
}

class Matrix {
 public:
  Matrix() = default;
  ~Matrix() { GrB_Matrix_free(&handle_); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  GrB_Matrix get() const { return handle_; }
  GrB_Matrix* fresh() {
    GrB_Matrix_free(&handle_);
    return &handle_;
  }

 private:
  GrB_Matrix handle_ = nullptr;
};

class Vector {
 public:
  Vector() = default;
  ~Vector() { GrB_Vector_free(&handle_); }
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;
  GrB_Vector get() const { return handle_; }
  GrB_Vector* fresh() {
    GrB_Vector_free(&handle_);
    return &handle_;
  }

 private:
  GrB_Vector handle_ = nullptr;
};

/// A copy of a csr or csc matrix, held by rows or by columns likewise.
std::shared_ptr<Matrix> sparse(const Storage& matrix) {
  const bool by_rows = matrix.format.map().is_identity();
  const CompressedRows a = compressed_rows(matrix);
  const std::vector<GrB_Index> pos = widened(a.pos, a.rows + 1);
  const std::vector<GrB_Index> crd = widened(a.crd, a.stored());
  auto result = std::make_shared<Matrix>();
  check(GrB_Matrix_import_FP64(result->fresh(), GrB_FP64, static_cast<GrB_Index>(matrix.dimensions[0]),
                               static_cast<GrB_Index>(matrix.dimensions[1]), pos.data(), crd.data(), a.values,
                               pos.size(), crd.size(), crd.size(), by_rows ? GrB_CSR_FORMAT : GrB_CSC_FORMAT));
  check(GxB_Matrix_Option_set(result->get(), GxB_FORMAT, by_rows ? GxB_BY_ROW : GxB_BY_COL));
  check(GrB_Matrix_wait(result->get(), GrB_MATERIALIZE));
  return result;
}

std::shared_ptr<Matrix> full(const Storage& matrix) {
  const std::int64_t size = matrix.values.size();
  void* values = copied(dense_values(matrix), size);
  auto result = std::make_shared<Matrix>();
  check(GxB_Matrix_import_FullR(result->fresh(), GrB_FP64, static_cast<GrB_Index>(matrix.dimensions[0]),
                                static_cast<GrB_Index>(matrix.dimensions[1]), &values,
                                static_cast<GrB_Index>(size) * sizeof(double), false, nullptr));
  return result;
}

std::shared_ptr<Vector> full_vector(const Storage& vector) {
  const std::int64_t size = vector.dimensions[0];
  void* values = copied(dense_values(vector), size);
  auto result = std::make_shared<Vector>();
  check(GxB_Vector_import_Full(result->fresh(), GrB_FP64, static_cast<GrB_Index>(size), &values,
                               static_cast<GrB_Index>(size) * sizeof(double), false, nullptr));
  return result;
}

std::shared_ptr<Vector> thin_vector(const Storage& vector) {
  const SparseVector v = sparse_vector(vector);
  const std::vector<GrB_Index> crd = widened(v.crd, v.stored);
  auto result = std::make_shared<Vector>();
  check(GrB_Vector_new(result->fresh(), GrB_FP64, static_cast<GrB_Index>(v.size)));
  check(GrB_Vector_build_FP64(result->get(), crd.data(), v.values, crd.size(), GrB_PLUS_FP64));
  check(GrB_Vector_wait(result->get(), GrB_MATERIALIZE));
  return result;
}

Array narrowed(const std::vector<GrB_Index>& numbers, std::int64_t count) {
  Array narrow = int_array(count);
  for (std::int64_t k = 0; k < count; ++k) {
    ints(narrow)[k] = static_cast<std::int32_t>(numbers[static_cast<std::size_t>(k)]);
  }
  return narrow;
}

CoordinateList entries_of(GrB_Matrix matrix, const std::vector<std::int64_t>& dimensions) {
  GrB_Index count = 0;
  check(GrB_Matrix_nvals(&count, matrix));
  std::vector<GrB_Index> rows(count);
  std::vector<GrB_Index> columns(count);
  Array values = double_array(static_cast<std::int64_t>(count));
  check(GrB_Matrix_extractTuples_FP64(rows.data(), columns.data(), doubles(values), &count, matrix));
  const auto size = static_cast<std::int64_t>(count);
  return {dimensions, {narrowed(rows, size), narrowed(columns, size)}, values};
}

CoordinateList entries_of(GrB_Vector vector, std::int64_t dimension) {
  GrB_Index count = 0;
  check(GrB_Vector_nvals(&count, vector));
  std::vector<GrB_Index> places(count);
  Array values = double_array(static_cast<std::int64_t>(count));
  check(GrB_Vector_extractTuples_FP64(places.data(), doubles(values), &count, vector));
  return {{dimension}, {narrowed(places, static_cast<std::int64_t>(count))}, values};
}

/// Dimensions of the results, from operands of every statement here.
std::vector<std::int64_t> result_dimensions(const Problem& p) {
  const auto& operands = p.request.operands;
  if (p.operation == Operation::MultiplyVectors) return p.operand("b").dimensions;
  const Storage& first = operands.count("A") != 0 ? p.operand("A") : p.operand("B");
  if (operands.count("x") != 0) return {first.dimensions[0]};
  if (p.operation == Operation::Spmm) return {first.dimensions[0], p.operand("X").dimensions[1]};
  if (p.operation == Operation::Spgemm) return {first.dimensions[0], p.operand("B").dimensions[1]};
  return first.dimensions;
}

/// `work` computes into an empty matrix.
struct MatrixRace {
  std::vector<std::int64_t> dimensions;
  Format format;
  std::function<void(GrB_Matrix)> work;
  Matrix last = {};

  void run() {
    check(GrB_Matrix_new(last.fresh(), GrB_FP64, static_cast<GrB_Index>(dimensions[0]),
                         static_cast<GrB_Index>(dimensions[1])));
    work(last.get());
    check(GrB_Matrix_wait(last.get(), GrB_MATERIALIZE));
  }
  Storage result() const { return build(entries_of(last.get(), dimensions), format); }
  void clear() { last.fresh(); }
};

/// `work` changes a copy of the operand, made before the clock runs.
struct ConversionRace {
  std::shared_ptr<Matrix> source;
  std::vector<std::int64_t> dimensions;
  Format format;
  std::function<void(GrB_Matrix)> work;
  Matrix last = {};

  void run() {
    if (last.get() == nullptr) clear();
    work(last.get());
    check(GrB_Matrix_wait(last.get(), GrB_MATERIALIZE));
  }
  Storage result() const { return build(entries_of(last.get(), dimensions), format); }
  void clear() { check(GrB_Matrix_dup(last.fresh(), source->get())); }
};

struct VectorRace {
  std::int64_t size;
  Format format;
  std::function<void(GrB_Vector)> work;
  Vector last = {};

  void run() {
    check(GrB_Vector_new(last.fresh(), GrB_FP64, static_cast<GrB_Index>(size)));
    work(last.get());
    check(GrB_Vector_wait(last.get(), GrB_MATERIALIZE));
  }
  Storage result() const { return build(entries_of(last.get(), size), format); }
  void clear() { last.fresh(); }
};

Contestant matrix_contestant(const Problem& p, std::function<void(GrB_Matrix)> work) {
  return contestant_of("GraphBLAS", std::shared_ptr<MatrixRace>(new MatrixRace{
                                        result_dimensions(p), *p.request.result_format, std::move(work)}));
}

Contestant vector_contestant(const Problem& p, std::function<void(GrB_Vector)> work) {
  return contestant_of("GraphBLAS", std::shared_ptr<VectorRace>(new VectorRace{
                                        result_dimensions(p)[0], *p.request.result_format, std::move(work)}));
}

void set_all(GrB_Vector y, double value) {
  GrB_Index size = 0;
  check(GrB_Vector_size(&size, y));
  check(GrB_Vector_assign_FP64(y, nullptr, nullptr, value, GrB_ALL, size, nullptr));
}

/// y (op)= A x, nothing for op: y is the product alone, sparse where it is.
void multiply(GrB_Vector y, GrB_BinaryOp op, const Matrix& a, const Vector& x) {
  check(GrB_mxv(y, nullptr, op, GrB_PLUS_TIMES_SEMIRING_FP64, a.get(), x.get(), nullptr));
}
void multiply(GrB_Matrix c, GrB_BinaryOp op, const Matrix& a, const Matrix& b) {
  check(GrB_mxm(c, nullptr, op, GrB_PLUS_TIMES_SEMIRING_FP64, a.get(), b.get(), nullptr));
}
void add(GrB_Matrix a, GrB_Matrix b, GrB_Matrix c) {
  check(GrB_Matrix_eWiseAdd_BinaryOp(a, nullptr, nullptr, GrB_PLUS_FP64, b, c, nullptr));
}

Contestant spmv(const Problem& p) {
  auto a = sparse(p.operand("A"));
  if (p.operation == Operation::SpmvSparse) {
    return vector_contestant(p, [a, x = thin_vector(p.operand("x"))](GrB_Vector y) { multiply(y, nullptr, *a, *x); });
  }
  return vector_contestant(p, [a, x = full_vector(p.operand("x"))](GrB_Vector y) {
    set_all(y, 0);
    multiply(y, GrB_PLUS_FP64, *a, *x);
  });
}

Contestant spmm(const Problem& p) {
  return matrix_contestant(p, [a = sparse(p.operand("A")), x = full(p.operand("X"))](GrB_Matrix y) {
    GrB_Index rows = 0;
    GrB_Index columns = 0;
    check(GrB_Matrix_nrows(&rows, y));
    check(GrB_Matrix_ncols(&columns, y));
    check(GrB_Matrix_assign_FP64(y, nullptr, nullptr, 0, GrB_ALL, rows, GrB_ALL, columns, nullptr));
    multiply(y, GrB_PLUS_FP64, *a, *x);
  });
}

Contestant sddmm(const Problem& p) {
  return matrix_contestant(
      p, [b = sparse(p.operand("B")), c = full(p.operand("C")), d = full(p.operand("D"))](GrB_Matrix a) {
        check(GrB_mxm(a, b->get(), nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, c->get(), d->get(), GrB_DESC_ST1));
        check(GrB_Matrix_eWiseMult_BinaryOp(a, nullptr, nullptr, GrB_TIMES_FP64, b->get(), a, nullptr));
      });
}

Contestant sum(const Problem& p) {
  auto b = sparse(p.operand("B"));
  auto c = sparse(p.operand("C"));
  if (p.operation == Operation::Add) return matrix_contestant(p, [b, c](GrB_Matrix a) { add(a, b->get(), c->get()); });
  return matrix_contestant(p, [b, c, d = sparse(p.operand("D"))](GrB_Matrix a) {
    add(a, b->get(), c->get());
    add(a, a, d->get());
  });
}

Contestant product(const Problem& p) {
  auto a = sparse(p.operand("A"));
  auto b = sparse(p.operand("B"));
  if (p.operation == Operation::Spgemm) {
    return matrix_contestant(p, [a, b](GrB_Matrix c) { multiply(c, nullptr, *a, *b); });
  }
  return matrix_contestant(p, [a, b, d = sparse(p.operand("D"))](GrB_Matrix c) {
    multiply(c, nullptr, *a, *b);
    add(c, c, d->get());
  });
}

Contestant intersection(const Problem& p) {
  if (p.operation == Operation::MultiplyVectors) {
    return vector_contestant(p, [b = thin_vector(p.operand("b")), c = thin_vector(p.operand("c"))](GrB_Vector a) {
      check(GrB_Vector_eWiseMult_BinaryOp(a, nullptr, nullptr, GrB_TIMES_FP64, b->get(), c->get(), nullptr));
    });
  }
  return matrix_contestant(p, [b = sparse(p.operand("B")), c = sparse(p.operand("C"))](GrB_Matrix a) {
    check(GrB_Matrix_eWiseMult_BinaryOp(a, nullptr, nullptr, GrB_TIMES_FP64, b->get(), c->get(), nullptr));
  });
}

Contestant fused(const Problem& p) {
  auto a = sparse(p.operand("A"));
  auto x = full_vector(p.operand("x"));
  const auto size = static_cast<GrB_Index>(p.operand("A").dimensions[0]);
  if (p.operation == Operation::Residual) {
    return vector_contestant(p, [a, x, size, b = full_vector(p.operand("b"))](GrB_Vector y) {
      check(GrB_Vector_assign(y, nullptr, nullptr, b->get(), GrB_ALL, size, nullptr));
      multiply(y, GrB_MINUS_FP64, *a, *x);
    });
  }
  const double alpha = scalar_value(p.operand("alpha"));
  const double beta = scalar_value(p.operand("beta"));
  auto scaled = std::make_shared<Vector>();
  check(GrB_Vector_new(scaled->fresh(), GrB_FP64, static_cast<GrB_Index>(p.operand("A").dimensions[1])));
  return vector_contestant(p, [a, x, scaled, alpha, beta, z = full_vector(p.operand("z"))](GrB_Vector y) {
    check(GrB_Vector_apply_BinaryOp1st_FP64(scaled->get(), nullptr, nullptr, GrB_TIMES_FP64, alpha, x->get(), nullptr));
    check(GrB_Vector_apply_BinaryOp1st_FP64(y, nullptr, nullptr, GrB_TIMES_FP64, beta, z->get(), nullptr));
    multiply(y, GrB_PLUS_FP64, *a, *scaled);
  });
}

Contestant from_tuples(const Problem& p) {
  const Storage& a = p.operand("A");
  const std::int64_t count = a.values.size();
  auto rows = std::make_shared<std::vector<GrB_Index>>(widened(a.levels[0].crd.view<std::int32_t>().data(), count));
  auto columns = std::make_shared<std::vector<GrB_Index>>(widened(a.levels[1].crd.view<std::int32_t>().data(), count));
  return matrix_contestant(p, [rows, columns, values = a.values](GrB_Matrix b) {
    check(GrB_Matrix_build_FP64(b, rows->data(), columns->data(), values.view<double>().data(), rows->size(),
                                GrB_PLUS_FP64));
  });
}

Contestant in_place(const Problem& p) {
  const Storage& a = p.operand("A");
  const bool to_columns = p.operation == Operation::RowsToColumns;
  const auto work = [to_columns](GrB_Matrix b) {
    if (to_columns) check(GxB_Matrix_Option_set(b, GxB_FORMAT, GxB_BY_COL));
    else check(GxB_Matrix_Option_set(b, GxB_SPARSITY_CONTROL, GxB_HYPERSPARSE));
  };
  return contestant_of("GraphBLAS", std::shared_ptr<ConversionRace>(
                                        new ConversionRace{sparse(a), a.dimensions, *p.request.result_format, work}));
}

std::optional<Contestant> enter(const Problem& problem, int threads) {
  check(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads));
  switch (problem.operation) {
    case Operation::Spmv:
    case Operation::SpmvColumns:
    case Operation::SpmvSparse: return spmv(problem);
    case Operation::Spmm: return spmm(problem);
    case Operation::Sddmm: return sddmm(problem);
    case Operation::Add:
    case Operation::Add3: return sum(problem);
    case Operation::Spgemm:
    case Operation::ProductSum: return product(problem);
    case Operation::Multiply:
    case Operation::MultiplyVectors: return intersection(problem);
    case Operation::Residual:
    case Operation::ScaledSum: return fused(problem);
    case Operation::SortedToRows:
    case Operation::ShuffledToRows: return from_tuples(problem);
    case Operation::RowsToColumns:
    case Operation::RowsToSparseRows: return in_place(problem);
    default: return std::nullopt;
  }
}

}  // namespace

Peer graphblas_peer() {
  // The library stays ready until the process ends: contestants may live that long.
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return missing_peer("SuiteSparse:GraphBLAS (it does not start)");
  return {fmt::format("SuiteSparse:GraphBLAS {}.{}.{}", GxB_IMPLEMENTATION_MAJOR, GxB_IMPLEMENTATION_MINOR,
                      GxB_IMPLEMENTATION_SUB),
          true, enter};
}

}  // namespace lacuna::contest
