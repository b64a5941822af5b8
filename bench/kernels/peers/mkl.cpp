// oneMKL's inspector-executor routines, with hints and optimisation before the clock runs. Sparse results are sorted,
// as everyone's are: mkl_sparse_order.

#include <mkl_service.h>
#include <mkl_spblas.h>

#include <algorithm>

#include <fmt/format.h>

#include "bench/kernels/arrays.h"
#include "bench/kernels/peer.h"

namespace lacuna::contest {
namespace {

constexpr const char* title = "oneMKL";
constexpr int calls = 1000;  // what the optimiser is told to expect

void check(sparse_status_t status) {
  if (status != SPARSE_STATUS_SUCCESS) {
    throw RuntimeFailure(fmt::format("oneMKL gave up with error {}", static_cast<int>(status)));
  }
}

matrix_descr general() {
  matrix_descr description{};
  description.type = SPARSE_MATRIX_TYPE_GENERAL;
  return description;
}

using Matrix = std::shared_ptr<sparse_matrix>;

Matrix owned(sparse_matrix_t matrix) {
  return {matrix, [](sparse_matrix_t m) { mkl_sparse_destroy(m); }};
}

/// The arrays are only read; MKL's types do not say so.
template <typename T>
T* unprotected(const T* data) {
  return const_cast<T*>(data);
}

/// A view of a csr or csc matrix.
Matrix view(const Storage& matrix) {
  const CompressedRows a = compressed_rows(matrix);
  const auto create = matrix.format.map().is_identity() ? mkl_sparse_d_create_csr : mkl_sparse_d_create_csc;
  sparse_matrix_t handle = nullptr;
  check(create(&handle, SPARSE_INDEX_BASE_ZERO, static_cast<MKL_INT>(matrix.dimensions[0]),
               static_cast<MKL_INT>(matrix.dimensions[1]), unprotected(a.pos), unprotected(a.pos + 1),
               unprotected(a.crd), unprotected(a.values)));
  return owned(handle);
}

/// y = alpha A x + beta z.
struct VectorRace {
  Problem problem;
  double alpha = 1;
  double beta = 0;
  const double* added = nullptr;
  const double* x = dense_values(problem.operand("x"));
  Matrix a = view(problem.operand("A"));
  std::int64_t rows = problem.operand("A").dimensions[0];
  Array y = double_array(rows);

  void prepare() {
    check(mkl_sparse_set_mv_hint(a.get(), SPARSE_OPERATION_NON_TRANSPOSE, general(), calls));
    check(mkl_sparse_optimize(a.get()));
  }
  void run() {
    if (added != nullptr) std::copy_n(added, rows, doubles(y));
    check(mkl_sparse_d_mv(SPARSE_OPERATION_NON_TRANSPOSE, alpha, a.get(), general(), x, beta, doubles(y)));
  }
  Storage result() const { return dense_result({rows}, y); }
};

struct DenseRace {
  Problem problem;
  const double* x = dense_values(problem.operand("X"));
  std::int64_t columns = problem.operand("X").dimensions[1];
  Matrix a = view(problem.operand("A"));
  std::int64_t rows = problem.operand("A").dimensions[0];
  Array y = double_array(rows * columns);

  void prepare() {
    check(mkl_sparse_set_mm_hint(a.get(), SPARSE_OPERATION_NON_TRANSPOSE, general(), SPARSE_LAYOUT_ROW_MAJOR,
                                 static_cast<MKL_INT>(columns), calls));
    check(mkl_sparse_optimize(a.get()));
  }
  void run() {
    const auto n = static_cast<MKL_INT>(columns);
    check(mkl_sparse_d_mm(SPARSE_OPERATION_NON_TRANSPOSE, 1, a.get(), general(), SPARSE_LAYOUT_ROW_MAJOR, x, n, n, 0,
                          doubles(y), n));
  }
  Storage result() const { return dense_result({rows, columns}, y); }
};

/// `work` makes a csr matrix.
struct SparseRace {
  Problem problem;
  std::function<Matrix()> work;
  Matrix last = {};

  void run() {
    last = work();
    check(mkl_sparse_order(last.get()));
  }
  Storage result() const {
    sparse_index_base_t base = SPARSE_INDEX_BASE_ZERO;
    MKL_INT rows = 0;
    MKL_INT columns = 0;
    MKL_INT* begin = nullptr;
    MKL_INT* end = nullptr;
    MKL_INT* crd = nullptr;
    double* values = nullptr;
    check(mkl_sparse_d_export_csr(last.get(), &base, &rows, &columns, &begin, &end, &crd, &values));
    Storage made = rows_result(rows, columns, begin, crd, values);
    if (problem.operation != Operation::RowsToColumns) return made;
    return columns_result(columns, rows, made.levels[1].pos, made.levels[1].crd, made.values);
  }
  void clear() { last.reset(); }
};

Matrix sum_of(const Matrix& a, const Matrix& b) {
  sparse_matrix_t c = nullptr;
  check(mkl_sparse_d_add(SPARSE_OPERATION_NON_TRANSPOSE, a.get(), 1, b.get(), &c));
  return owned(c);
}

Matrix product_of(const Matrix& a, const Matrix& b) {
  sparse_matrix_t c = nullptr;
  check(mkl_sparse_spmm(SPARSE_OPERATION_NON_TRANSPOSE, a.get(), b.get(), &c));
  return owned(c);
}

Matrix converted(const Matrix& a, sparse_operation_t operation) {
  sparse_matrix_t b = nullptr;
  check(mkl_sparse_convert_csr(a.get(), operation, &b));
  return owned(b);
}

Matrix coordinates(const Storage& matrix) {
  sparse_matrix_t handle = nullptr;
  check(mkl_sparse_d_create_coo(&handle, SPARSE_INDEX_BASE_ZERO, static_cast<MKL_INT>(matrix.dimensions[0]),
                                static_cast<MKL_INT>(matrix.dimensions[1]), static_cast<MKL_INT>(matrix.values.size()),
                                unprotected(matrix.levels[0].crd.view<std::int32_t>().data()),
                                unprotected(matrix.levels[1].crd.view<std::int32_t>().data()),
                                unprotected(matrix.values.view<double>().data())));
  return owned(handle);
}

template <typename Race>
Contestant prepared(Race race) {
  race.prepare();
  return contestant_of(title, std::make_shared<Race>(std::move(race)));
}

Contestant sparse(const Problem& p, std::function<Matrix()> work) {
  return contestant_of(title, std::make_shared<SparseRace>(SparseRace{p, std::move(work)}));
}

std::optional<Contestant> enter(const Problem& p, int threads) {
  mkl_set_num_threads(threads);
  const auto values = [&](const char* name) { return dense_values(p.operand(name)); };
  const auto matrix = [&](const char* name) { return view(p.operand(name)); };
  switch (p.operation) {
    case Operation::Spmv:
    case Operation::SpmvColumns: return prepared(VectorRace{p});
    case Operation::Residual: return prepared(VectorRace{p, -1, 1, values("b")});
    case Operation::ScaledSum:
      return prepared(VectorRace{p, scalar_value(p.operand("alpha")), scalar_value(p.operand("beta")), values("z")});
    case Operation::Spmm: return prepared(DenseRace{p});
    case Operation::Add: return sparse(p, [b = matrix("B"), c = matrix("C")] { return sum_of(b, c); });
    case Operation::Add3:
      return sparse(p, [b = matrix("B"), c = matrix("C"), d = matrix("D")] { return sum_of(sum_of(b, c), d); });
    case Operation::Spgemm: return sparse(p, [a = matrix("A"), b = matrix("B")] { return product_of(a, b); });
    case Operation::ProductSum:
      return sparse(p, [a = matrix("A"), b = matrix("B"), d = matrix("D")] { return sum_of(product_of(a, b), d); });
    case Operation::SortedToRows:
    case Operation::ShuffledToRows:
      return sparse(p, [a = coordinates(p.operand("A"))] { return converted(a, SPARSE_OPERATION_NON_TRANSPOSE); });
    case Operation::RowsToColumns:
      return sparse(p, [a = matrix("A")] { return converted(a, SPARSE_OPERATION_TRANSPOSE); });
    default: return std::nullopt;
  }
}

}  // namespace

Peer mkl_peer() {
  static_assert(sizeof(MKL_INT) == sizeof(std::int32_t));
  // One runtime of threads in this process: that of everyone else here.
  mkl_set_interface_layer(MKL_INTERFACE_LP64);
  mkl_set_threading_layer(MKL_THREADING_GNU);
  MKLVersion version{};
  mkl_get_version(&version);
  return {fmt::format("oneMKL {}.{}.{}", version.MajorVersion, version.MinorVersion, version.UpdateVersion), true,
          enter};
}

}  // namespace lacuna::contest
