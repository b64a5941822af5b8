// PETSc, in this process alone: its sequential matrices, so that it is as fast on two threads as on one. Matrices in
// rows are views of our arrays. Its dense matrices lie by columns, and are given and taken so.

#include <petscmat.h>

#include <fmt/format.h>

#include "bench/kernels/arrays.h"
#include "bench/kernels/peer.h"

namespace lacuna::contest {
namespace {

void check(PetscErrorCode code) {
  if (code != 0) throw RuntimeFailure(fmt::format("PETSc gave up with error {}", static_cast<int>(code)));
}

PetscInt size_of_mode(std::int64_t size) { return static_cast<PetscInt>(size); }

using Matrix = std::shared_ptr<_p_Mat>;
using Vector = std::shared_ptr<_p_Vec>;

Matrix owned(Mat matrix) {
  return {matrix, [](Mat m) { MatDestroy(&m); }};
}
Vector owned(Vec vector) {
  return {vector, [](Vec v) { VecDestroy(&v); }};
}

/// The arrays are only read; PETSc's types do not say so.
template <typename T>
T* unprotected(const T* data) {
  return const_cast<T*>(data);
}

Matrix view(const Storage& matrix) {
  const CompressedRows a = compressed_rows(matrix);
  Mat handle = nullptr;
  check(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, size_of_mode(a.rows), size_of_mode(a.columns), unprotected(a.pos),
                                  unprotected(a.crd), unprotected(a.values), &handle));
  return owned(handle);
}

Vector view(const double* values, std::int64_t size) {
  Vec handle = nullptr;
  check(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, size_of_mode(size), values, &handle));
  return owned(handle);
}

/// A dense operand, by columns.
Matrix turned(const Storage& dense) {
  const std::int64_t rows = dense.dimensions[0];
  const std::int64_t columns = dense.dimensions[1];
  Mat handle = nullptr;
  check(MatCreateSeqDense(PETSC_COMM_SELF, size_of_mode(rows), size_of_mode(columns), nullptr, &handle));
  const double* from = dense_values(dense);
  PetscScalar* to = nullptr;
  check(MatDenseGetArrayWrite(handle, &to));
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t k = 0; k < columns; ++k) to[k * rows + i] = from[i * columns + k];
  }
  check(MatDenseRestoreArrayWrite(handle, &to));
  return owned(handle);
}

Storage dense_storage(Mat matrix) {
  PetscInt rows = 0;
  PetscInt columns = 0;
  check(MatGetSize(matrix, &rows, &columns));
  const PetscScalar* from = nullptr;
  check(MatDenseGetArrayRead(matrix, &from));
  Array values = double_array(std::int64_t{rows} * columns);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t k = 0; k < columns; ++k) doubles(values)[i * columns + k] = from[k * rows + i];
  }
  check(MatDenseRestoreArrayRead(matrix, &from));
  return dense_result({rows, columns}, values);
}

Storage sparse_storage(Mat matrix, bool transposed) {
  PetscInt rows = 0;
  const PetscInt* pos = nullptr;
  const PetscInt* crd = nullptr;
  const PetscScalar* values = nullptr;
  PetscBool done = PETSC_FALSE;
  PetscInt columns = 0;
  check(MatGetSize(matrix, &rows, &columns));
  PetscInt size = 0;
  check(MatGetRowIJ(matrix, 0, PETSC_FALSE, PETSC_FALSE, &size, &pos, &crd, &done));
  check(MatSeqAIJGetArrayRead(matrix, &values));
  Storage result = rows_result(rows, columns, pos, crd, values);
  check(MatSeqAIJRestoreArrayRead(matrix, &values));
  check(MatRestoreRowIJ(matrix, 0, PETSC_FALSE, PETSC_FALSE, &size, &pos, &crd, &done));
  if (!transposed) return result;
  return columns_result(columns, rows, result.levels[1].pos, result.levels[1].crd, result.values);
}

struct VectorRace {
  Problem problem;  // keeps the arrays that are viewed
  std::function<void(Vec)> work;
  std::int64_t size = problem.operand("A").dimensions[0];
  Array y = double_array(size);
  Vector last = view(doubles(y), size);

  void run() { work(last.get()); }
  Storage result() const { return dense_result({size}, y); }
};

struct MatrixRace {
  Problem problem;
  std::function<Mat()> work;
  Matrix last = {};

  void run() { last = owned(work()); }
  Storage result() const {
    if (problem.operation == Operation::Spmm) return dense_storage(last.get());
    return sparse_storage(last.get(), problem.operation == Operation::RowsToColumns);
  }
  void clear() { last.reset(); }
};

Contestant vector_contestant(const Problem& p, std::function<void(Vec)> work) {
  return contestant_of("PETSc", std::make_shared<VectorRace>(VectorRace{p, std::move(work)}));
}
Contestant matrix_contestant(const Problem& p, std::function<Mat()> work) {
  return contestant_of("PETSc", std::make_shared<MatrixRace>(MatrixRace{p, std::move(work)}));
}

Contestant with_vector(const Problem& p) {
  const Matrix a = view(p.operand("A"));  // for csc, the transpose of A in rows
  const Vector x = view(dense_values(p.operand("x")), p.operand("x").dimensions[0]);
  const auto added = [&](const char* name) {
    return view(dense_values(p.operand(name)), p.operand("A").dimensions[0]);
  };
  switch (p.operation) {
    case Operation::SpmvColumns:
      return vector_contestant(p, [a, x](Vec y) { check(MatMultTranspose(a.get(), x.get(), y)); });
    case Operation::Residual:
      return vector_contestant(p, [a, x, b = added("b")](Vec y) { check(MatResidual(a.get(), b.get(), x.get(), y)); });
    case Operation::ScaledSum:
      return vector_contestant(p, [a, x, z = added("z"), alpha = scalar_value(p.operand("alpha")),
                                   beta = scalar_value(p.operand("beta"))](Vec y) {
        check(MatMult(a.get(), x.get(), y));
        check(VecAXPBY(y, beta, alpha, z.get()));
      });
    default: return vector_contestant(p, [a, x](Vec y) { check(MatMult(a.get(), x.get(), y)); });
  }
}

Mat product_of(Mat a, Mat b) {
  Mat c = nullptr;
  check(MatMatMult(a, b, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &c));
  return c;
}

void add_to(Mat sum, Mat addend) { check(MatAXPY(sum, 1, addend, DIFFERENT_NONZERO_PATTERN)); }

Contestant sum(const Problem& p) {
  const Matrix b = view(p.operand("B"));
  const Matrix c = view(p.operand("C"));
  const Matrix d = p.operation == Operation::Add3 ? view(p.operand("D")) : Matrix();
  return matrix_contestant(p, [b, c, d] {
    Mat a = nullptr;
    check(MatDuplicate(b.get(), MAT_COPY_VALUES, &a));
    add_to(a, c.get());
    if (d) add_to(a, d.get());
    return a;
  });
}

Contestant product(const Problem& p) {
  const Matrix a = view(p.operand("A"));
  const Matrix b = p.operation == Operation::Spmm ? turned(p.operand("X")) : view(p.operand("B"));
  const Matrix d = p.operation == Operation::ProductSum ? view(p.operand("D")) : Matrix();
  return matrix_contestant(p, [a, b, d] {
    Mat c = product_of(a.get(), b.get());
    if (d) add_to(c, d.get());
    return c;
  });
}

Contestant transposition(const Problem& p) {
  return matrix_contestant(p, [a = view(p.operand("A"))] {
    Mat b = nullptr;
    check(MatTranspose(a.get(), MAT_INITIAL_MATRIX, &b));
    return b;
  });
}

std::optional<Contestant> enter(const Problem& problem, int) {
  switch (problem.operation) {
    case Operation::Spmv:
    case Operation::SpmvColumns:
    case Operation::Residual:
    case Operation::ScaledSum: return with_vector(problem);
    case Operation::Add:
    case Operation::Add3: return sum(problem);
    case Operation::Spmm:
    case Operation::Spgemm:
    case Operation::ProductSum: return product(problem);
    case Operation::RowsToColumns: return transposition(problem);
    default: return std::nullopt;
  }
}

}  // namespace

Peer petsc_peer() {
  const bool fits = sizeof(PetscInt) == sizeof(std::int32_t) && sizeof(PetscScalar) == sizeof(double);
  if (!fits) return missing_peer("PETSc (of int32 and double)");
  if (PetscInitializeNoArguments() != 0) return missing_peer("PETSc (it does not start)");
  // Faults come back as codes, without a page of text each.
  PetscPushErrorHandler(PetscReturnErrorHandler, nullptr);
  return {fmt::format("PETSc {}.{}.{}", PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR, PETSC_VERSION_SUBMINOR), true, enter};
}

}  // namespace lacuna::contest
