// A residual for PETSc, r = b - A x, by one kernel: the rows that PETSc has on each process, and its vectors, go into
// Lacuna in place, and the result is a vector of PETSc's without a copy.
//
//     mpirun -n 4 ./petsc

#include <petscmat.h>

#include <cstdint>
#include <iostream>
#include <span>

#include "lacuna/api/lacuna.h"
#include "lacuna/api/mpi.h"

using namespace lacuna;

namespace {

constexpr PetscInt side = 30, n = side * side;

void check(PetscErrorCode code) {
  if (code != 0) throw RuntimeFailure("PETSc gave up with error " + std::to_string(static_cast<int>(code)));
}

/// The five-point stencil on a square.
Mat stencil() {
  Mat A = nullptr;
  check(MatCreate(PETSC_COMM_WORLD, &A));
  check(MatSetSizes(A, PETSC_DECIDE, PETSC_DECIDE, n, n));
  check(MatSetType(A, MATMPIAIJ));
  check(MatMPIAIJSetPreallocation(A, 5, nullptr, 4, nullptr));
  PetscInt begin = 0, end = 0;
  check(MatGetOwnershipRange(A, &begin, &end));
  for (PetscInt row = begin; row < end; ++row) {
    const PetscInt x = row % side, y = row / side;
    const auto set = [&](PetscInt column, PetscScalar value) {
      check(MatSetValue(A, row, column, value, INSERT_VALUES));
    };
    set(row, 4);
    if (x > 0) set(row - 1, -1);
    if (x + 1 < side) set(row + 1, -1);
    if (y > 0) set(row - side, -1);
    if (y + 1 < side) set(row + side, -1);
  }
  check(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  return A;
}

/// The rows of this process with the columns of the whole matrix: PETSc keeps those that are its own apart from the
/// others, and puts them together here. It is the only copy; MAT_REUSE_MATRIX writes new values into the same arrays.
class LocalRows {
 public:
  explicit LocalRows(Mat A) {
    check(MatMPIAIJGetLocalMat(A, MAT_INITIAL_MATRIX, &rows_));
    PetscBool done = PETSC_FALSE;
    check(MatGetRowIJ(rows_, 0, PETSC_FALSE, PETSC_FALSE, &count_, &pos_, &column_, &done));
    check(MatSeqAIJGetArrayRead(rows_, &value_));
  }
  ~LocalRows() {
    PetscBool done = PETSC_FALSE;
    MatSeqAIJRestoreArrayRead(rows_, &value_);
    MatRestoreRowIJ(rows_, 0, PETSC_FALSE, PETSC_FALSE, &count_, &pos_, &column_, &done);
    MatDestroy(&rows_);
  }
  LocalRows(const LocalRows&) = delete;
  LocalRows& operator=(const LocalRows&) = delete;

  Tensor<PetscScalar> tensor() const {
    const auto rows = static_cast<std::size_t>(count_), stored = static_cast<std::size_t>(pos_[count_]);
    return Tensor<PetscScalar>::from_csr(count_, n, std::span(pos_, rows + 1), std::span(column_, stored),
                                         std::span(value_, stored));
  }

 private:
  Mat rows_ = nullptr;
  PetscInt count_ = 0;
  const PetscInt *pos_ = nullptr, *column_ = nullptr;
  const PetscScalar* value_ = nullptr;
};

/// The entries of a vector that this process has.
class LocalEntries {
 public:
  explicit LocalEntries(Vec vector) : vector_(vector) {
    check(VecGetLocalSize(vector, &count_));
    check(VecGetArrayRead(vector, &value_));
  }
  ~LocalEntries() { VecRestoreArrayRead(vector_, &value_); }
  LocalEntries(const LocalEntries&) = delete;
  LocalEntries& operator=(const LocalEntries&) = delete;

  Tensor<PetscScalar> tensor() const {
    return Tensor<PetscScalar>::from_dense({count_}, std::span(value_, static_cast<std::size_t>(count_)));
  }

 private:
  Vec vector_;
  PetscInt count_ = 0;
  const PetscScalar* value_ = nullptr;
};

/// |r - (b - A x)| as PETSc computes it.
PetscReal difference(Mat A, Vec x, Vec b, Vec r) {
  Vec w = nullptr;
  PetscReal norm = 0;
  check(VecDuplicate(b, &w));
  check(MatMult(A, x, w));
  check(VecAYPX(w, -1, b));
  check(VecAXPY(w, -1, r));
  check(VecNorm(w, NORM_2, &norm));
  check(VecDestroy(&w));
  return norm;
}

/// r = b - A x, by Lacuna on the ranks of PETSc; returns how far it is from what PETSc computes.
PetscReal residual(Mat A, Vec x, Vec b) {
  const std::unique_ptr<Communicator> ranks = world(PETSC_COMM_WORLD, Failures::Throw);
  const LocalRows rows(A);
  const LocalEntries own_x(x), own_b(b);

  // Where PETSc's blocks of rows begin, but for the first.
  const PetscInt* begins = nullptr;
  check(MatGetOwnershipRanges(A, &begins));
  const DistVar u, v;
  const Machine M{Grid(ranks->ranks())};
  const DistTarget block = ranks->ranks() == 1 ? DistTarget(u) : blocks(u, {begins + 1, begins + ranks->ranks()});
  const PlacedFormat by_rows(csr_format(), Distribution({u, v}, M, {block}));
  const PlacedFormat blocked(dense_format(1), Distribution({u}, M, {block}));
  const auto of_vector = [&](const LocalEntries& own, const char* name) {
    return Tensor<PetscScalar>::from_parts({n}, blocked, *ranks, {own.tensor()}, name);
  };
  const auto matrix = Tensor<PetscScalar>::from_parts({n, n}, by_rows, *ranks, {rows.tensor()}, "A");
  const auto xs = of_vector(own_x, "x"), bs = of_vector(own_b, "b");

  const IndexVar i("i"), j("j");
  Tensor<PetscScalar> rs("r", {n}, blocked);
  rs(i) = bs(i) - matrix(i, j) * xs(j);
  rs.evaluate({.ranks = ranks.get()});

  // A vector over the array that the result is in.
  const std::span<const PetscScalar> own = rs.values();
  Vec r = nullptr;
  check(VecCreateMPIWithArray(PETSC_COMM_WORLD, 1, static_cast<PetscInt>(own.size()), n, own.data(), &r));
  const PetscReal norm = difference(A, x, b, r);
  check(VecDestroy(&r));
  return norm;
}

int run() {
  Mat A = stencil();
  Vec x = nullptr, b = nullptr;
  check(MatCreateVecs(A, &x, &b));
  PetscInt begin = 0, end = 0;
  check(VecGetOwnershipRange(x, &begin, &end));
  for (PetscInt k = begin; k < end; ++k) check(VecSetValue(x, k, static_cast<PetscScalar>(k % 7), INSERT_VALUES));
  check(VecAssemblyBegin(x));
  check(VecAssemblyEnd(x));
  check(VecSet(b, 1));
  const bool same = residual(A, x, b) < 1e-10;
  PetscMPIInt rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0) std::cout << "the residual is that of PETSc: " << (same ? "yes" : "no") << "\n";
  for (Vec* each : {&x, &b}) check(VecDestroy(each));
  check(MatDestroy(&A));
  return same ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (PetscInitialize(&argc, &argv, nullptr, nullptr) != 0) return 2;
  int result = 2;
  try {
    result = run();
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    MPI_Abort(PETSC_COMM_WORLD, result);
  }
  return PetscFinalize() == 0 ? result : 2;
}
