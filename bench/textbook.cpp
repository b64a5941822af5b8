// Generated kernels beside textbook loops that the same compiler compiled with the same flags.

#include <fmt/format.h>

#include "bench/harness.h"
#include "lacuna/engine/engine.h"
#include "lacuna/notation/parse.h"
#include "lacuna/support/environment.h"
#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/generate.h"
#include "tools/textbook.h"
#include "tools/verify.h"

namespace lacuna::bench {
namespace {

constexpr std::int64_t rank = 32;

class Kernels {
 public:
  explicit Kernels(int threads)
      : threads_(threads), engine_(jit_options(read_environment())), jit_(tool::textbook_options()) {}

  void spmv(const std::string& data, const Storage& a) {
    const Storage x = generate_dense({a.dimensions[1]}, 2);
    race("SpMV, " + data, {parse_statement("y(i) = A(i,j) * x(j)"), {{"A", a}, {"x", x}}, dense_format(1), {}, {}, {}},
         tool::Textbook::spmv(jit_, a, x, threads_));
  }

  void sddmm(const std::string& data, const Storage& b) {
    const Storage c = generate_dense({b.dimensions[0], rank}, 2);
    const Storage d = generate_dense({b.dimensions[1], rank}, 3);
    race("SDDMM, " + data,
         {parse_statement("A(i,j) = B(i,j) * C(i,k) * D(j,k)"),
          {{"B", b}, {"C", c}, {"D", d}},
          csr_format(),
          {},
          {},
          {}},
         tool::Textbook::sddmm(jit_, b, c, d, threads_));
  }

  void mttkrp(const std::string& data, const Storage& b) {
    const Storage c = generate_dense({b.dimensions[1], rank}, 2);
    const Storage d = generate_dense({b.dimensions[2], rank}, 3);
    race("MTTKRP, " + data,
         {parse_statement("A(i,l) = B(i,k,j) * C(k,l) * D(j,l)"),
          {{"B", b}, {"C", c}, {"D", d}},
          dense_format(2),
          {},
          {},
          {}},
         tool::Textbook::mttkrp(jit_, b, c, d, threads_));
  }

 private:
  void race(const std::string& title, const Request& request, const tool::Textbook& textbook) {
    Options options;
    options.target.threads = threads_;
    Prepared prepared = engine_.prepare(request, options);
    const Storage result = prepared.run();
    textbook.run();
    if (const auto found = difference(result, textbook.result(), tool::tolerance_for(result))) {
      throw InternalError(fmt::format("internal error: {}: the contestants disagree: {}", title, *found));
    }
    Report report;
    compare(title,
            {{"lacuna",
              [&] {
                prepared.run(&report);
                return report.kernel_ms;
              }},
             {"textbook loop", [&] { return textbook.run(); }}},
            11);
  }

  int threads_;
  Engine engine_;
  Jit jit_;
};

}  // namespace

void bench_textbook(int threads) {
  Kernels kernels(threads);
  const Storage graph = build(generate_rmat(200'000, 200'000, 3'000'000, 1), csr_format());
  const Storage grid = build(generate_stencil_2d(700, 700), csr_format());
  kernels.spmv("power-law graph, 3M entries", graph);
  kernels.spmv("5-point stencil, 2.4M entries", grid);
  kernels.sddmm("power-law graph, 3M entries", graph);
  kernels.sddmm("5-point stencil, 2.4M entries", grid);
  kernels.mttkrp("skewed tensor, 1M entries",
                 build(generate_skewed({20'000, 10'000, 5'000}, 1'000'000, 1.2, 1), csf_format(3)));
}

}  // namespace lacuna::bench
