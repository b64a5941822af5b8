#include "bench/distributed/petsc.h"

#include <algorithm>

#include <petscmat.h>

#include <fmt/format.h>

#include "lacuna/support/error.h"
#include "lacuna/tensor/build.h"

namespace lacuna::contest {
namespace {

void check(PetscErrorCode code) {
  if (code != 0) throw RuntimeFailure(fmt::format("PETSc gave up with error {}", static_cast<int>(code)));
}

PetscInt narrow(std::int64_t size) { return static_cast<PetscInt>(size); }

using Matrix = std::shared_ptr<_p_Mat>;
using Vector = std::shared_ptr<_p_Vec>;

Matrix owned(Mat matrix) {
  return {matrix, [](Mat m) { MatDestroy(&m); }};
}
Vector owned(Vec vector) {
  return {vector, [](Vec v) { VecDestroy(&v); }};
}

/// A rank's rows, or columns, as Lacuna deals them out.
struct Block {
  Block(const RowBlocks& all, std::int64_t extent, const Ranks& ranks)
      : begin(all.begin(ranks.rank(), extent)), size(all.begin(ranks.rank() + 1, extent) - begin) {}
  std::int64_t begin, size;
};

Matrix rows_of(const Storage& a, const RowBlocks& all, const Ranks& ranks) {
  const Block rows(all, a.dimensions[0], ranks), columns(all, a.dimensions[1], ranks);
  const auto pos = a.levels[1].pos.view<std::int32_t>(), crd = a.levels[1].crd.view<std::int32_t>();
  const auto first = static_cast<std::size_t>(pos[static_cast<std::size_t>(rows.begin)]);
  std::vector<PetscInt> begins;
  for (std::int64_t r = 0; r <= rows.size; ++r)
    begins.push_back(pos[static_cast<std::size_t>(rows.begin + r)] - narrow(static_cast<std::int64_t>(first)));
  Mat handle = nullptr;
  check(MatCreate(PETSC_COMM_WORLD, &handle));
  check(MatSetSizes(handle, narrow(rows.size), narrow(columns.size), narrow(a.dimensions[0]), narrow(a.dimensions[1])));
  check(MatSetType(handle, MATAIJ));
  // It is of one of these types, and the other call does nothing.
  const double* values = a.values.view<double>().data() + first;
  check(MatSeqAIJSetPreallocationCSR(handle, begins.data(), crd.data() + first, values));
  check(MatMPIAIJSetPreallocationCSR(handle, begins.data(), crd.data() + first, values));
  return owned(handle);
}

Vector block_of(const Storage& x, const RowBlocks& rows, const Ranks& ranks) {
  const Block block(rows, x.dimensions[0], ranks);
  Vec handle = nullptr;
  check(VecCreate(PETSC_COMM_WORLD, &handle));
  check(VecSetSizes(handle, narrow(block.size), narrow(x.dimensions[0])));
  check(VecSetType(handle, VECSTANDARD));
  PetscScalar* to = nullptr;
  check(VecGetArrayWrite(handle, &to));
  std::copy_n(x.values.view<double>().data() + block.begin, block.size, to);
  check(VecRestoreArrayWrite(handle, &to));
  return owned(handle);
}

/// PETSc's dense matrices lie by columns.
Matrix dense_rows_of(const Storage& x, const RowBlocks& all, const Ranks& ranks) {
  const Block rows(all, x.dimensions[0], ranks);
  const std::int64_t columns = x.dimensions[1];
  Mat handle = nullptr;
  check(MatCreateDense(PETSC_COMM_WORLD, narrow(rows.size), PETSC_DECIDE, narrow(x.dimensions[0]), narrow(columns),
                       nullptr, &handle));
  const double* from = x.values.view<double>().data() + rows.begin * columns;
  PetscScalar* to = nullptr;
  check(MatDenseGetArrayWrite(handle, &to));
  for (std::int64_t i = 0; i < rows.size; ++i) {
    for (std::int64_t k = 0; k < columns; ++k) to[k * rows.size + i] = from[i * columns + k];
  }
  check(MatDenseRestoreArrayWrite(handle, &to));
  check(MatAssemblyBegin(handle, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(handle, MAT_FINAL_ASSEMBLY));
  return owned(handle);
}

Storage dense_on_first(const std::vector<double>& mine, const std::vector<std::int64_t>& dimensions, Ranks& ranks) {
  const std::vector<double> all = ranks.on_first(mine);
  if (!ranks.is_first()) return {};
  return adopt_dense(dimensions, Array::of<double>(all), LevelMap::identity(static_cast<int>(dimensions.size())));
}

struct ProductWithVector {
  Ranks& ranks;
  Matrix a;
  std::vector<Vector> x;
  Vector y;
  std::int64_t rows;
  std::size_t runs = 0;

  void run() { check(MatMult(a.get(), x[runs++ % x.size()].get(), y.get())); }
  Storage result() const {
    PetscInt size = 0;
    check(VecGetLocalSize(y.get(), &size));
    const PetscScalar* from = nullptr;
    check(VecGetArrayRead(y.get(), &from));
    const std::vector<double> mine(from, from + size);
    check(VecRestoreArrayRead(y.get(), &from));
    return dense_on_first(mine, {rows}, ranks);
  }
};

struct ProductWithMatrix {
  Ranks& ranks;
  Matrix a;
  std::vector<Matrix> x, y;
  std::vector<std::int64_t> dimensions;
  std::size_t runs = 0;

  void run() {
    const std::size_t turn = runs++ % x.size();
    Mat product = y[turn].get();
    check(MatMatMult(a.get(), x[turn].get(), MAT_REUSE_MATRIX, PETSC_DEFAULT, &product));
  }
  Storage result() const {
    Mat last = y[(runs - 1) % y.size()].get();
    PetscInt rows = 0, width = 0;
    check(MatGetLocalSize(last, &rows, nullptr));
    check(MatDenseGetLDA(last, &width));
    const PetscScalar* from = nullptr;
    check(MatDenseGetArrayRead(last, &from));
    std::vector<double> mine;
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t k = 0; k < dimensions[1]; ++k) mine.push_back(from[k * width + i]);
    }
    check(MatDenseRestoreArrayRead(last, &from));
    return dense_on_first(mine, dimensions, ranks);
  }
};

struct Sum {
  Ranks& ranks;
  std::vector<Matrix> addends;
  std::vector<std::int64_t> dimensions;
  Matrix last = {};

  void run() {
    Mat sum = nullptr;
    check(MatDuplicate(addends[0].get(), MAT_COPY_VALUES, &sum));
    last = owned(sum);
    for (std::size_t k = 1; k < addends.size(); ++k)
      check(MatAXPY(sum, 1, addends[k].get(), DIFFERENT_NONZERO_PATTERN));
  }
  Storage result() const {
    PetscInt begin = 0, end = 0;
    check(MatGetOwnershipRange(last.get(), &begin, &end));
    std::vector<std::int32_t> counts, columns;
    std::vector<double> values;
    for (PetscInt r = begin; r < end; ++r) {
      PetscInt count = 0;
      const PetscInt* crd = nullptr;
      const PetscScalar* value = nullptr;
      check(MatGetRow(last.get(), r, &count, &crd, &value));
      counts.push_back(count);
      columns.insert(columns.end(), crd, crd + count);
      values.insert(values.end(), value, value + count);
      check(MatRestoreRow(last.get(), r, &count, &crd, &value));
    }
    return put_together(ranks.on_first(counts), ranks.on_first(columns), ranks.on_first(values));
  }
  Storage put_together(const std::vector<std::int32_t>& counts, const std::vector<std::int32_t>& columns,
                       const std::vector<double>& values) const {
    if (!ranks.is_first()) return {};
    std::vector<std::int32_t> pos{0};
    for (const std::int32_t count : counts) pos.push_back(pos.back() + count);
    return adopt_csr(dimensions[0], dimensions[1], Array::of<std::int32_t>(pos), Array::of<std::int32_t>(columns),
                     Array::of<double>(values));
  }
  void clear() { last.reset(); }
};

}  // namespace

Petsc::Petsc() {
  static_assert(sizeof(PetscScalar) == sizeof(double) && sizeof(PetscInt) == sizeof(std::int32_t));
  if (PetscInitializeNoArguments() != 0) throw RuntimeFailure("PETSc does not start");
  // Faults come back as codes, without a page of text each.
  PetscPushErrorHandler(PetscReturnErrorHandler, nullptr);
  began_ = true;
  name_ = fmt::format("PETSc {}.{}.{}", PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR, PETSC_VERSION_SUBMINOR);
}

Petsc::~Petsc() {
  if (began_) PetscFinalize();
}

std::optional<Contestant> petsc_spmv(const Storage& a, const std::vector<Storage>& x, const RowBlocks& rows,
                                     Ranks& ranks) {
  const Matrix matrix = rows_of(a, rows, ranks);
  std::vector<Vector> vectors;
  for (const Storage& each : x) vectors.push_back(block_of(each, rows, ranks));
  Vec y = nullptr;
  check(MatCreateVecs(matrix.get(), nullptr, &y));
  return contestant_of("PETSc", std::make_shared<ProductWithVector>(
                                    ProductWithVector{ranks, matrix, vectors, owned(y), a.dimensions[0]}));
}

std::optional<Contestant> petsc_spmm(const Storage& a, const std::vector<Storage>& x, const RowBlocks& rows,
                                     Ranks& ranks) {
  const Matrix matrix = rows_of(a, rows, ranks);
  std::vector<Matrix> factors, products;
  for (const Storage& each : x) {
    factors.push_back(dense_rows_of(each, rows, ranks));
    Mat product = nullptr;
    check(MatMatMult(matrix.get(), factors.back().get(), MAT_INITIAL_MATRIX, PETSC_DEFAULT, &product));
    products.push_back(owned(product));
  }
  return contestant_of("PETSc", std::make_shared<ProductWithMatrix>(ProductWithMatrix{
                                    ranks, matrix, factors, products, {a.dimensions[0], x[0].dimensions[1]}}));
}

std::optional<Contestant> petsc_sum(const std::vector<Storage>& addends, const RowBlocks& rows, Ranks& ranks) {
  std::vector<Matrix> matrices;
  for (const Storage& each : addends) matrices.push_back(rows_of(each, rows, ranks));
  return contestant_of("PETSc", std::make_shared<Sum>(Sum{ranks, matrices, addends[0].dimensions}));
}

}  // namespace lacuna::contest
