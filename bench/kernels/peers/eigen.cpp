// Eigen. Its matrices are maps of our arrays; products by rows run on several threads, all else on one.

#include <fmt/format.h>
#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "bench/kernels/arrays.h"
#include "bench/kernels/contestant.h"

namespace lacuna::contest {
namespace {

using RowMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
using ColumnMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
using Vector = Eigen::VectorXd;
using ThinVector = Eigen::SparseVector<double, Eigen::ColMajor, int>;

Eigen::Map<const RowMatrix> map_rows(const Storage& matrix) {
  const CompressedRows a = compressed_rows(matrix);
  return {a.rows, a.columns, a.stored(), a.pos, a.crd, a.values};
}

Eigen::Map<const ColumnMatrix> map_columns(const Storage& matrix) {
  const CompressedRows a = compressed_rows(matrix);
  return {a.columns, a.rows, a.stored(), a.pos, a.crd, a.values};
}

Eigen::Map<const Vector> map_vector(const Storage& vector) { return {dense_values(vector), vector.dimensions[0]}; }

ThinVector thin_vector(const Storage& vector) {
  const contest::SparseVector v = sparse_vector(vector);
  ThinVector copy(v.size);
  copy.reserve(v.stored);
  for (std::int64_t k = 0; k < v.stored; ++k) copy.insertBack(v.crd[k]) = v.values[k];
  return copy;
}

Storage result_of(const Vector& v) { return dense_result({v.size()}, v.data()); }

Storage result_of(const ThinVector& v) {
  Array crd = int_array(v.nonZeros());
  Array values = double_array(v.nonZeros());
  std::copy_n(v.innerIndexPtr(), v.nonZeros(), ints(crd));
  std::copy_n(v.valuePtr(), v.nonZeros(), doubles(values));
  return vector_result(v.size(), v.nonZeros(), crd, values);
}

/// A contestant whose result is an R, made by `work(R&)`; `keep` are the operands that it reads.
template <typename R, typename Work>
Contestant eigen_contestant(const Problem& keep, Work work) {
  struct Race {
    Problem problem;
    Work work;
    R last;
    void run() { work(last); }
    Storage result() const { return result_of(last); }
    void clear() {
      if constexpr (!std::is_same_v<R, Vector>) last = R();
    }
  };
  return contestant_of("Eigen", std::make_shared<Race>(Race{keep, std::move(work), R()}));
}

std::optional<Contestant> spmv(const Problem& p) {
  if (p.operation == Operation::SpmvSparse) {
    return eigen_contestant<ThinVector>(
        p, [a = map_columns(p.operand("A")), x = thin_vector(p.operand("x"))](ThinVector& y) { y = a * x; });
  }
  const auto x = map_vector(p.operand("x"));
  if (p.operation == Operation::SpmvColumns) {
    return eigen_contestant<Vector>(p, [a = map_columns(p.operand("A")), x](Vector& y) { y.noalias() = a * x; });
  }
  return eigen_contestant<Vector>(p, [a = map_rows(p.operand("A")), x](Vector& y) { y.noalias() = a * x; });
}

std::optional<Contestant> enter(const Problem& problem, int threads) {
  Eigen::setNbThreads(threads);
  switch (problem.operation) {
    case Operation::Spmv:
    case Operation::SpmvColumns:
    case Operation::SpmvSparse: return spmv(problem);
    default: return std::nullopt;
  }
}

}  // namespace

Peer eigen_peer() {
  return {fmt::format("Eigen {}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION), true, enter};
}

}  // namespace lacuna::contest
