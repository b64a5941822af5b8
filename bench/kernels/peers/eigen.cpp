// Eigen. Its matrices are maps of our arrays; products by rows run on several threads, all else on one.

#include <fmt/format.h>
#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "bench/kernels/arrays.h"
#include "bench/kernels/peer.h"

namespace lacuna::contest {
namespace {

using RowMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
using ColumnMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
using RowDense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
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

Storage result_of(const RowMatrix& m) {
  return rows_result(m.rows(), m.cols(), m.outerIndexPtr(), m.innerIndexPtr(), m.valuePtr());
}

Storage result_of(const ColumnMatrix& m) {
  Array pos = int_array(m.cols() + 1);
  Array crd = int_array(m.nonZeros());
  Array values = double_array(m.nonZeros());
  std::copy_n(m.outerIndexPtr(), m.cols() + 1, ints(pos));
  std::copy_n(m.innerIndexPtr(), m.nonZeros(), ints(crd));
  std::copy_n(m.valuePtr(), m.nonZeros(), doubles(values));
  return columns_result(m.rows(), m.cols(), pos, crd, values);
}

Storage result_of(const RowDense& m) { return dense_result({m.rows(), m.cols()}, m.data()); }

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
      if constexpr (!std::is_same_v<R, Vector> && !std::is_same_v<R, RowDense>) last = R();
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

Contestant spmm(const Problem& p) {
  const Storage& x = p.operand("X");
  const Eigen::Map<const RowDense> dense(dense_values(x), x.dimensions[0], x.dimensions[1]);
  return eigen_contestant<RowDense>(p, [a = map_rows(p.operand("A")), dense](RowDense& y) { y.noalias() = a * dense; });
}

Contestant sum(const Problem& p) {
  const auto b = map_rows(p.operand("B"));
  const auto c = map_rows(p.operand("C"));
  if (p.operation == Operation::Add) return eigen_contestant<RowMatrix>(p, [b, c](RowMatrix& a) { a = b + c; });
  return eigen_contestant<RowMatrix>(p,
                                     [b, c, d = map_rows(p.operand("D"))](RowMatrix& a) { a = b + RowMatrix(c + d); });
}

Contestant product(const Problem& p) {
  const auto a = map_rows(p.operand("A"));
  const auto b = map_rows(p.operand("B"));
  if (p.operation == Operation::Spgemm) return eigen_contestant<RowMatrix>(p, [a, b](RowMatrix& c) { c = a * b; });
  return eigen_contestant<RowMatrix>(p,
                                     [a, b, d = map_rows(p.operand("D"))](RowMatrix& c) { c = RowMatrix(a * b) + d; });
}

Contestant intersection(const Problem& p) {
  if (p.operation == Operation::MultiplyVectors) {
    return eigen_contestant<ThinVector>(p, [b = thin_vector(p.operand("b")),
                                            c = thin_vector(p.operand("c"))](ThinVector& a) { a = b.cwiseProduct(c); });
  }
  return eigen_contestant<RowMatrix>(
      p, [b = map_rows(p.operand("B")), c = map_rows(p.operand("C"))](RowMatrix& a) { a = b.cwiseProduct(c); });
}

Contestant fused(const Problem& p) {
  const auto a = map_rows(p.operand("A"));
  const auto x = map_vector(p.operand("x"));
  if (p.operation == Operation::Residual) {
    return eigen_contestant<Vector>(p, [a, x, b = map_vector(p.operand("b"))](Vector& y) {
      y = b;
      y.noalias() -= a * x;
    });
  }
  const double alpha = scalar_value(p.operand("alpha"));
  const double beta = scalar_value(p.operand("beta"));
  return eigen_contestant<Vector>(p, [a, x, z = map_vector(p.operand("z")), alpha, beta](Vector& y) {
    y = beta * z;
    y.noalias() += alpha * a * x;
  });
}

/// Our coordinates as the iterators over triplets that Eigen builds from.
struct Triplets {
  const std::int32_t* rows;
  const std::int32_t* columns;
  const double* values;
  std::int64_t at;

  const Triplets* operator->() const { return this; }
  Triplets& operator++() {
    ++at;
    return *this;
  }
  bool operator!=(const Triplets& other) const { return at != other.at; }
  int row() const { return rows[at]; }
  int col() const { return columns[at]; }
  double value() const { return values[at]; }
};

Contestant from_triplets(const Problem& p) {
  const Storage& a = p.operand("A");
  Triplets first{a.levels[0].crd.view<std::int32_t>().data(), a.levels[1].crd.view<std::int32_t>().data(),
                 a.values.view<double>().data(), 0};
  Triplets last = first;
  last.at = a.values.size();
  return eigen_contestant<RowMatrix>(p, [first, last, dimensions = a.dimensions](RowMatrix& b) {
    b.resize(dimensions[0], dimensions[1]);
    b.setFromTriplets(first, last);
  });
}

std::optional<Contestant> enter(const Problem& problem, int threads) {
  Eigen::setNbThreads(threads);
  switch (problem.operation) {
    case Operation::Spmv:
    case Operation::SpmvColumns:
    case Operation::SpmvSparse: return spmv(problem);
    case Operation::Spmm: return spmm(problem);
    case Operation::Add:
    case Operation::Add3: return sum(problem);
    case Operation::Spgemm:
    case Operation::ProductSum: return product(problem);
    case Operation::Multiply:
    case Operation::MultiplyVectors: return intersection(problem);
    case Operation::Residual:
    case Operation::ScaledSum: return fused(problem);
    case Operation::SortedToRows:
    case Operation::ShuffledToRows: return from_triplets(problem);
    case Operation::RowsToColumns:
      return eigen_contestant<ColumnMatrix>(problem, [a = map_rows(problem.operand("A"))](ColumnMatrix& b) { b = a; });
    default: return std::nullopt;
  }
}

}  // namespace

Peer eigen_peer() {
  return {fmt::format("Eigen {}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION), true, enter};
}

}  // namespace lacuna::contest
