#include "bench/loopnests/contestants.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "lacuna/jit/blas.h"
#include "lacuna/notation/parse.h"

namespace lacuna::contest {
namespace {

/// c = a b of matrices by rows, m x k and k x n: a share of the rows for each thread.
void gemm(const double* a, const double* b, double* c, std::int64_t m, std::int64_t n, std::int64_t k, int threads) {
  constexpr int by_rows = 101, as_it_is = 111;
  const std::int64_t share = (m + threads - 1) / threads;
  const int columns = static_cast<int>(n), depth = static_cast<int>(k);
#pragma omp parallel for num_threads(threads)
  for (int part = 0; part < threads; ++part) {
    const std::int64_t first = part * share, rows = std::min(share, m - first);
    if (rows > 0)
      blas()->dgemm(by_rows, as_it_is, as_it_is, static_cast<int>(rows), columns, depth, 1, a + first * k, depth, b,
                    columns, 0, c + first * n, columns);
  }
}

using Tensors = std::map<std::string, Storage>;

/// The names of C(x,y) = A(x,z) * B(z,y) where all three are dense; none for other statements.
struct MatrixProduct {
  std::string left, right;
};
std::optional<MatrixProduct> matrix_product(const Statement& s, const Tensors& tensors, const Format& result) {
  const std::vector<Access> factors = accesses(s.rhs);
  if (as<Binary>(s.rhs) == nullptr || factors.size() != 2 || s.lhs.indices.size() != 2) return std::nullopt;
  for (const Access& x : factors)
    if (x.indices.size() != 2 || !(tensors.at(x.tensor.name()).format == dense_format(2))) return std::nullopt;
  const bool fits = factors[0].indices[0] == s.lhs.indices[0] && factors[0].indices[1] == factors[1].indices[0] &&
                    factors[1].indices[1] == s.lhs.indices[1];
  if (!fits || !(result == dense_format(2))) return std::nullopt;
  return MatrixProduct{factors[0].tensor.name(), factors[1].tensor.name()};
}

/// What a step makes out of the tensors so far.
class StepRace {
 public:
  StepRace(Engine& engine, const Step& step, const Tensors& tensors, bool blas, int threads)
      : statement_(parse_statement(step.statement)),
        format_(parse_format(step.format, static_cast<int>(statement_.lhs.indices.size()))),
        threads_(threads) {
    if (blas) product_ = matrix_product(statement_, tensors, format_);
    Request request;
    request.statement = statement_;
    request.result_format = format_;
    request.operands = operands(tensors);
    Options options;
    options.target.threads = threads;
    options.target.blas = blas;
    if (!product_) prepared_.emplace(engine.prepare(request, options));
  }

  const std::string& name() const { return statement_.lhs.tensor.name(); }
  bool is_product() const { return product_.has_value(); }

  void run(Tensors& tensors) {
    Storage result = std::exchange(tensors[name()], {});
    if (product_) multiply(tensors, result);
    else prepared_->run_into(operands(tensors), result);
    tensors[name()] = std::move(result);
  }

 private:
  Tensors operands(const Tensors& tensors) const {
    Tensors own;
    for (const Access& x : accesses(statement_.rhs)) own.emplace(x.tensor.name(), tensors.at(x.tensor.name()));
    return own;
  }

  void multiply(const Tensors& tensors, Storage& result) const {
    const Storage &a = tensors.at(product_->left), &b = tensors.at(product_->right);
    const std::int64_t m = a.dimensions[0], k = a.dimensions[1], n = b.dimensions[1];
    if (result.values.size() != m * n) {
      result = adopt_dense({m, n}, Array::allocate(Type::Float64, m * n, false), LevelMap::identity(2));
    }
    gemm(a.values.view<double>().data(), b.values.view<double>().data(), result.values.mutable_view<double>().data(), m,
         n, k, threads_);
  }

  Statement statement_;
  Format format_;
  int threads_;
  std::optional<MatrixProduct> product_;
  std::optional<Prepared> prepared_;
};

struct SeparateRace {
  std::vector<StepRace> steps;
  Tensors tensors;

  void run() {
    for (StepRace& step : steps) step.run(tensors);
  }
  Storage result() const { return tensors.at(steps.back().name()); }
  void clear() {
    Storage& last = tensors[steps.back().name()];
    if (!last.values.is_sole()) last = Storage();
  }
};

/// Later steps are prepared for what earlier ones make, so these run once.
SeparateRace prepare_steps(Engine& engine, const Request& request, const std::vector<Step>& steps, bool blas,
                           int threads) {
  SeparateRace race{{}, request.operands};
  for (const Step& step : steps) {
    race.steps.emplace_back(engine, step, race.tensors, blas, threads);
    race.steps.back().run(race.tensors);
  }
  return race;
}

}  // namespace

Contestant separate_kernels(const std::string& name, Engine& engine, const Request& request,
                            const std::vector<Step>& steps, int threads) {
  return contestant_of(name, std::make_shared<SeparateRace>(prepare_steps(engine, request, steps, false, threads)));
}

std::optional<Contestant> separate_with_blas(const std::string& name, Engine& engine, const Request& request,
                                             const std::vector<Step>& steps, int threads) {
  if (blas() == nullptr) return std::nullopt;
  auto race = std::make_shared<SeparateRace>(prepare_steps(engine, request, steps, true, threads));
  const bool calls =
      std::any_of(race->steps.begin(), race->steps.end(), [](const StepRace& s) { return s.is_product(); });
  return calls ? std::optional(contestant_of(name, race)) : std::nullopt;
}

}  // namespace lacuna::contest
