#include "tools/textbook.h"

#include <chrono>

#include <fmt/format.h>

#include "lacuna/support/check.h"
#include "lacuna/support/environment.h"
#include "lacuna/tensor/build.h"

namespace lacuna::tool {
namespace {

// The loops take their sizes and arrays as a list of pointers: sizes first, then the inputs, then the result.
constexpr const char* opening = R"(#include <stdint.h>
#include <stddef.h>

)";

constexpr const char* spmv_loop = R"(int32_t textbook_spmv(void *unused, void *const *arguments) {
  const int64_t *sizes = arguments[0];
  const pos_0 *A_pos = arguments[1];
  const crd_0 *A_crd = arguments[2];
  const double *A = arguments[3];
  const double *x = arguments[4];
  double *y = arguments[5];
  (void)unused;
#pragma omp parallel for schedule(dynamic, 64) num_threads(sizes[0])
  for (int64_t i = 0; i < sizes[1]; i++) {
    double sum = 0;
    for (int64_t p = A_pos[i]; p < A_pos[i + 1]; p++) sum += A[p] * x[A_crd[p]];
    y[i] = sum;
  }
  return 0;
}
)";

constexpr const char* sddmm_loop = R"(int32_t textbook_sddmm(void *unused, void *const *arguments) {
  const int64_t *sizes = arguments[0];
  const pos_0 *B_pos = arguments[1];
  const crd_0 *B_crd = arguments[2];
  const double *B = arguments[3];
  const double *C = arguments[4];
  const double *D = arguments[5];
  double *A = arguments[6];
  const int64_t n = sizes[2];
  (void)unused;
#pragma omp parallel for schedule(dynamic, 64) num_threads(sizes[0])
  for (int64_t i = 0; i < sizes[1]; i++) {
    for (int64_t p = B_pos[i]; p < B_pos[i + 1]; p++) {
      const int64_t j = B_crd[p];
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t k = 0; k < n; k++) sum += C[i * n + k] * D[j * n + k];
      A[p] = B[p] * sum;
    }
  }
  return 0;
}
)";

constexpr const char* mttkrp_loop = R"(int32_t textbook_mttkrp(void *unused, void *const *arguments) {
  const int64_t *sizes = arguments[0];
  const pos_0 *i_pos = arguments[1];
  const crd_0 *i_crd = arguments[2];
  const pos_1 *k_pos = arguments[3];
  const crd_1 *k_crd = arguments[4];
  const pos_2 *j_pos = arguments[5];
  const crd_2 *j_crd = arguments[6];
  const double *B = arguments[7];
  const double *restrict C = arguments[8];
  const double *restrict D = arguments[9];
  double *restrict A = arguments[10];
  const int64_t n = sizes[2];
  (void)unused;
#pragma omp parallel for schedule(static) num_threads(sizes[0])
  for (int64_t at = 0; at < sizes[1] * n; at++) A[at] = 0;
#pragma omp parallel for schedule(dynamic, 16) num_threads(sizes[0])
  for (int64_t p = i_pos[0]; p < i_pos[1]; p++) {
    const int64_t i = i_crd[p];
    for (int64_t q = k_pos[p]; q < k_pos[p + 1]; q++) {
      const int64_t k = k_crd[q];
      for (int64_t r = j_pos[q]; r < j_pos[q + 1]; r++) {
        const int64_t j = j_crd[r];
        for (int64_t l = 0; l < n; l++) A[i * n + l] += B[r] * C[k * n + l] * D[j * n + l];
      }
    }
  }
  return 0;
}
)";

/// Integer arrays come in the width that fits them, and the loop is written for just that width.
std::string typedefs(const std::vector<const LevelStorage*>& levels) {
  std::string text;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    text += fmt::format("typedef {}_t pos_{};\n", type_name(levels[k]->pos.type()), k);
    text += fmt::format("typedef {}_t crd_{};\n", type_name(levels[k]->crd.type()), k);
  }
  return text + "\n";
}

std::string source(const std::vector<const LevelStorage*>& levels, const char* loop) {
  return opening + typedefs(levels) + loop;
}

void expect(const Storage& tensor, const Format& format) {
  internal_check(tensor.format == format && tensor.type == Type::Float64,
                 "a textbook loop is written for {} of float64", format.to_string());
}

}  // namespace

double Textbook::run() const {
  // The entry of a kernel, seen as what these loops are: void pointers in, void pointers out.
  using Loop = std::int32_t (*)(void*, const void* const*);
  std::vector<const void*> arguments = {sizes_.data()};
  for (const Array& input : inputs_) arguments.push_back(input.data());
  arguments.push_back(result_.values.data());
  const auto loop = reinterpret_cast<Loop>(kernel_.entry());
  const auto start = std::chrono::steady_clock::now();
  loop(nullptr, arguments.data());
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

JitOptions textbook_options() {
  JitOptions options = jit_options(read_environment());
  // Never unloaded: threads of OpenMP outlive the loop that started them.
  options.flags.insert(options.flags.end(), {"-fopenmp", "-Wl,-z,nodelete"});
  return options;
}

Textbook Textbook::spmv(Jit& jit, const Storage& a, const Storage& x, int threads) {
  expect(a, csr_format());
  expect(x, dense_format(1));
  const LevelStorage& rows = a.levels[1];
  Textbook book;
  book.kernel_ = jit.load(source({&rows}, spmv_loop), "textbook_spmv");
  book.sizes_ = {threads, a.dimensions[0]};
  book.inputs_ = {rows.pos, rows.crd, a.values, x.values};
  book.result_ = empty_tensor(Type::Float64, {a.dimensions[0]}, dense_format(1));
  return book;
}

Textbook Textbook::sddmm(Jit& jit, const Storage& b, const Storage& c, const Storage& d, int threads) {
  expect(b, csr_format());
  expect(c, dense_format(2));
  expect(d, dense_format(2));
  const LevelStorage& rows = b.levels[1];
  Textbook book;
  book.kernel_ = jit.load(source({&rows}, sddmm_loop), "textbook_sddmm");
  book.sizes_ = {threads, b.dimensions[0], c.dimensions[1]};
  book.inputs_ = {rows.pos, rows.crd, b.values, c.values, d.values};
  book.result_ = b;
  book.result_.values = Array::allocate(Type::Float64, b.values.size(), true);
  return book;
}

Textbook Textbook::mttkrp(Jit& jit, const Storage& b, const Storage& c, const Storage& d, int threads) {
  expect(b, csf_format(3));
  expect(c, dense_format(2));
  expect(d, dense_format(2));
  Textbook book;
  book.kernel_ = jit.load(source({&b.levels[0], &b.levels[1], &b.levels[2]}, mttkrp_loop), "textbook_mttkrp");
  book.sizes_ = {threads, b.dimensions[0], c.dimensions[1]};
  for (const LevelStorage& level : b.levels) {
    book.inputs_.push_back(level.pos);
    book.inputs_.push_back(level.crd);
  }
  book.inputs_.insert(book.inputs_.end(), {b.values, c.values, d.values});
  book.result_ = empty_tensor(Type::Float64, {b.dimensions[0], c.dimensions[1]}, dense_format(2));
  return book;
}

}  // namespace lacuna::tool
