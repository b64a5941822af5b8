// librsb: recursive sparse blocks. Matrices are its own copies, made before the clock runs.

#include <rsb.h>

#include <algorithm>

#include <fmt/format.h>

#include "bench/kernels/arrays.h"
#include "bench/kernels/peer.h"
#include "lacuna/tensor/build.h"

namespace lacuna::contest {
namespace {

constexpr const char* title = "librsb";
constexpr double one = 1;
constexpr double zero = 0;

void check(rsb_err_t error) {
  if (error != RSB_ERR_NO_ERROR) throw RuntimeFailure(fmt::format("librsb gave up with error {}", error));
}

using Matrix = std::shared_ptr<rsb_mtx_t>;

Matrix owned(rsb_mtx_t* matrix, rsb_err_t error) {
  check(error);
  return {matrix, [](rsb_mtx_t* m) { rsb_mtx_free(m); }};
}

Matrix blocks(const Storage& matrix) {
  const CompressedRows a = compressed_rows(matrix);
  rsb_err_t error = RSB_ERR_NO_ERROR;
  return owned(rsb_mtx_alloc_from_csr_const(a.values, a.pos, a.crd, static_cast<rsb_nnz_idx_t>(a.stored()),
                                            RSB_NUMERICAL_TYPE_DOUBLE, static_cast<rsb_coo_idx_t>(a.rows),
                                            static_cast<rsb_coo_idx_t>(a.columns), 0, 0, RSB_FLAG_NOFLAGS, &error),
               error);
}

/// y = alpha A x + beta z, or Y = A X: `columns` of dense right sides, by rows.
struct DenseRace {
  Problem problem;
  double alpha = one;
  double beta = zero;
  const double* added = nullptr;
  const double* x = nullptr;
  std::int64_t columns = 1;
  Matrix a = blocks(problem.operand("A"));
  std::int64_t rows = problem.operand("A").dimensions[0];
  Array y = double_array(rows * columns);

  void run() {
    double* out = doubles(y);
    if (added != nullptr) std::copy_n(added, rows, out);
    if (columns == 1) {
      check(rsb_spmv(RSB_TRANSPOSITION_N, &alpha, a.get(), x, 1, &beta, out, 1));
      return;
    }
    const auto n = static_cast<rsb_coo_idx_t>(columns);
    check(rsb_spmm(RSB_TRANSPOSITION_N, &alpha, a.get(), n, RSB_FLAG_WANT_ROW_MAJOR_ORDER, x, n, &beta, out, n));
  }
  Storage result() const {
    return dense_result(problem.request.result_format->order() == 2 ? std::vector{rows, columns} : std::vector{rows},
                        y);
  }
};

enum class Combination : std::uint8_t { Sum, Sum3, Product };

struct SparseRace {
  Problem problem;
  Combination combination;
  Matrix first;
  Matrix second;
  Matrix third = {};
  Matrix last = {};

  static Matrix sum(const Matrix& a, const Matrix& b) {
    rsb_err_t error = RSB_ERR_NO_ERROR;
    return owned(rsb_sppsp(RSB_NUMERICAL_TYPE_DOUBLE, RSB_TRANSPOSITION_N, &one, a.get(), RSB_TRANSPOSITION_N, &one,
                           b.get(), &error),
                 error);
  }
  static Matrix product(const Matrix& a, const Matrix& b) {
    rsb_err_t error = RSB_ERR_NO_ERROR;
    return owned(rsb_spmsp(RSB_NUMERICAL_TYPE_DOUBLE, RSB_TRANSPOSITION_N, &one, a.get(), RSB_TRANSPOSITION_N, &one,
                           b.get(), &error),
                 error);
  }
  void run() {
    if (combination == Combination::Product) last = product(first, second);
    else if (combination == Combination::Sum) last = sum(first, second);
    else last = sum(sum(first, second), third);
  }
  Storage result() const {
    rsb_nnz_idx_t count = 0;
    check(rsb_mtx_get_info(last.get(), RSB_MIF_MATRIX_NNZ__TO__RSB_NNZ_INDEX_T, &count));
    Array rows = int_array(count);
    Array columns = int_array(count);
    Array values = double_array(count);
    check(rsb_mtx_get_coo(last.get(), doubles(values), ints(rows), ints(columns), RSB_FLAG_NOFLAGS));
    return build({problem.operand("B").dimensions, {rows, columns}, values}, csr_format());
  }
  void clear() { last.reset(); }
};

Contestant dense(DenseRace race) { return contestant_of(title, std::make_shared<DenseRace>(std::move(race))); }
Contestant sparse(SparseRace race) { return contestant_of(title, std::make_shared<SparseRace>(std::move(race))); }

std::optional<Contestant> enter(const Problem& p, int threads) {
  const rsb_int_t count = threads;
  check(rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &count));
  const auto values = [&](const char* name) { return dense_values(p.operand(name)); };
  const auto matrix = [&](const char* name) { return blocks(p.operand(name)); };
  switch (p.operation) {
    case Operation::Spmv: return dense({p, one, zero, nullptr, values("x")});
    case Operation::Residual: return dense({p, -1, one, values("b"), values("x")});
    case Operation::ScaledSum:
      return dense({p, scalar_value(p.operand("alpha")), scalar_value(p.operand("beta")), values("z"), values("x")});
    case Operation::Spmm: return dense({p, one, zero, nullptr, values("X"), p.operand("X").dimensions[1]});
    case Operation::Add: return sparse({p, Combination::Sum, matrix("B"), matrix("C")});
    case Operation::Add3: return sparse({p, Combination::Sum3, matrix("B"), matrix("C"), matrix("D")});
    case Operation::Spgemm: return sparse({p, Combination::Product, matrix("A"), matrix("B")});
    default: return std::nullopt;
  }
}

}  // namespace

Peer rsb_peer() {
  if (rsb_lib_init(RSB_NULL_INIT_OPTIONS) != RSB_ERR_NO_ERROR) return missing_peer("librsb (it does not start)");
  return {fmt::format("librsb {}", RSB_LIBRSB_VER_STRING), true, enter};
}

}  // namespace lacuna::contest
