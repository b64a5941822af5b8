#include "fuzz/history/run_history.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <memory>

#include <fmt/ranges.h>

#include "fuzz/history/changing_tensor.h"
#include "fuzz/statement/judge.h"
#include "lacuna/dynamic/update/batch_change.h"
#include "lacuna/dynamic/update/incremental_result.h"

namespace lacuna::fuzz {
namespace {

/// Whatever is wrong with a tensor; its message is the outcome's.
struct Wrong {
  std::string message;
};

using Coordinate = std::vector<std::int64_t>;
using EntryMap = std::map<Coordinate, Scalar>;

bool is_finite(const Storage& t) {
  bool finite = true;
  for_each(t, [&](std::span<const std::int64_t>, const Scalar& v) {
    finite = finite && std::isfinite(std::abs(v.as<std::complex<double>>()));
  });
  return finite;
}

/// Runs one history.
class Run {
 public:
  Run(Engine& engine, const Options& options, const History& history, HistoryCounts& counts)
      : engine_(engine), options_(options), history_(history), counts_(counts) {
    const Operand& o = history.operand();
    stores_all_ = o.format.level(o.format.order() - 1).full();
    for (const Entry& e : o.entries) map_[e.coordinate] = e.value.convert(o.type);
    tensor_ = std::make_unique<ChangingTensor>(engine, storage_of(o), options);
    follow();
  }

  Outcome run() {
    for (std::size_t n = 0; n < history_.steps.size(); ++n) {
      const Step& step = history_.steps[n];
      try {
        make(step);
        check(tensor_->storage(), map_, "the tensor");
        for (const auto& [storage, map] : kept_) check(storage, map, "a snapshot");
      } catch (const Wrong& wrong) {
        return {Verdict::Differs, fmt::format("step {}: {}", n + 1, wrong.message)};
      } catch (const Error& error) {
        // Whatever the history does is allowed.
        return {Verdict::Fails, fmt::format("step {} is refused: {}", n + 1, error.what())};
      } catch (const std::exception& error) {
        return {Verdict::Fails, fmt::format("step {}: {}", n + 1, error.what())};
      }
    }
    return {};
  }

 private:
  void make(const Step& step) {
    switch (step.kind) {
      case Step::Kind::Single:
        for (const Entry& e : step.updates) update(step.operation, {e}, true);
        return;
      case Step::Kind::Batch: return update(step.operation, step.updates, false);
      case Step::Kind::Snapshot:
        ++counts_.snapshots;
        kept_.emplace_back(tensor_->storage(), map_);
        if (kept_.size() > 3) kept_.erase(kept_.begin());
        return;
      case Step::Kind::Evaluate: return evaluate();
    }
  }

  void update(UpdateOperation operation, const std::vector<Entry>& entries, bool single) {
    counts_.updates += std::ssize(entries);
    const CoordinateList list = list_of(history_.operand(), entries);
    std::optional<BatchChange> change;
    if (followed_) change.emplace(engine_, *tensor_->in_place(), list, options_);
    const std::int64_t changed = tensor_->update(operation, list, single);
    std::int64_t wanted = 0;
    for (const Entry& e : entries) wanted += expected(operation, e) ? 1 : 0;
    // Where a dense level stores the rest of a row, "new" is a matter of rows.
    if (!stores_all_ && changed != wanted)
      throw Wrong{fmt::format("{} entries are said to have come or gone instead of {}", changed, wanted)};
    if (followed_) followed_->add(change->difference(*tensor_->in_place(), followed_->change_type()));
  }

  bool expected(UpdateOperation operation, const Entry& e) {
    if (operation == UpdateOperation::Erase) return map_.erase(e.coordinate) == 1;
    const Type type = history_.operand().type;
    const auto [at, is_new] = map_.emplace(e.coordinate, e.value.convert(type));
    if (!is_new && operation == UpdateOperation::Add) at->second = (at->second + e.value.convert(type)).convert(type);
    else at->second = e.value.convert(type);
    return is_new;
  }

  void check(const Storage& storage, const EntryMap& map, const std::string& what) const {
    try {
      validate(storage, what);
    } catch (const Error& error) {
      throw Wrong{error.what()};
    }
    EntryMap left = map;
    for_each(storage, [&](std::span<const std::int64_t> c, const Scalar& v) {
      const auto at = left.find(Coordinate(c.begin(), c.end()));
      if (at == left.end() && stores_all_ && v.is_zero()) return;
      if (at == left.end())
        throw Wrong{fmt::format("{} stores {} at ({}), where nothing is", what, v.to_string(), fmt::join(c, ","))};
      if (!(at->second == v))
        throw Wrong{fmt::format("{} holds {} at ({}) instead of {}", what, v.to_string(), fmt::join(c, ","),
                                at->second.to_string())};
      left.erase(at);
    });
    if (!left.empty())
      throw Wrong{fmt::format("{} does not store what was put at ({})", what, fmt::join(left.begin()->first, ","))};
    if (!stores_all_ && storage.stored() != std::ssize(map))
      throw Wrong{fmt::format("{} says that it stores {} entries, not {}", what, storage.stored(), map.size())};
  }

  /// The problem with the entries of now.
  Problem problem_now() const {
    Problem now = history_.problem;
    std::vector<Entry>& entries = now.operands.at(history_.updated).entries;
    entries.clear();
    for (const auto& [coordinate, value] : map_) entries.push_back({coordinate, value});
    return now;
  }

  void evaluate() {
    const Problem now = problem_now();
    if (!tolerance_of(now)) {
      ++counts_.skipped;
      return;
    }
    const Expected expected(now);
    Request request = expected.request();
    request.operands.at(history_.updated) = tensor_->storage();
    Storage result;
    try {
      result = engine_.run(request, options_);
    } catch (const Error&) {
      ++counts_.skipped;
      return;
    }
    ++counts_.evaluations;
    const Outcome outcome = expected.judge(result);
    if (outcome.bad()) throw Wrong{outcome.message};
    if (followed_) compare_followed(result, *tolerance_of(now));
  }

  /// A result that follows the operand, where the statement is linear in it.
  void follow() {
    const Problem& p = history_.problem;
    if (!tensor_->in_place() || !tolerance_of(p)) return;
    Request request = request_of(p);
    request.result_format = format_that_follows(p);
    for (const auto& [name, t] : request.operands)
      if (!is_finite(t)) return;
    try {
      followed_ = std::make_unique<IncrementalResult>(engine_, request, history_.updated, options_, 10);
    } catch (const Error&) {
      // Not linear, or refused as the statement itself is.
    }
  }

  void compare_followed(const Storage& full, CompareOptions tolerance) {
    const Storage kept = followed_->result();
    validate(kept, "the result kept up to date");
    if (!is_finite(full) || !is_finite(kept)) {
      followed_.reset();  // what was not finite once stays so: semantics.md, "Results that follow"
      return;
    }
    ++counts_.followed;
    tolerance.same_pattern = false;
    // Where the whole is exact, its parts may not be: a sum that is divided, and a sum of quotients. And sums of
    // changes have been rounded as often as there were changes.
    if (!is_integer(full.type)) {
      tolerance.relative = std::max(100 * tolerance.relative, reads_single_precision() ? 1e-4 : 1e-9);
      tolerance.absolute = std::max(100 * tolerance.absolute, 1000 * tolerance.relative);
    }
    if (const auto found = difference(kept, full, tolerance))
      throw Wrong{fmt::format("{}, by {}: {}", of_changes, followed_->statement().text, *found)};
  }

  bool reads_single_precision() const {
    return std::any_of(history_.problem.operands.begin(), history_.problem.operands.end(),
                       [](const auto& each) { return real_part_type(each.second.type) == Type::Float32; });
  }

  Engine& engine_;
  Options options_;
  const History& history_;
  HistoryCounts& counts_;
  bool stores_all_ = false;
  EntryMap map_;
  std::unique_ptr<ChangingTensor> tensor_;
  std::unique_ptr<IncrementalResult> followed_;
  std::vector<std::pair<Storage, EntryMap>> kept_;
};

}  // namespace

Outcome HistoryRunner::run(const History& history, HistoryCounts& counts, const Prepare& prepare) const {
  Options options;
  options.target.backend = backend_;
  options.target.threads = history.problem.threads;
  options.target.blas = backend_ == Target::Backend::Interpreter;
  options.target.vector_bytes = 64;
  options.interpret.max_steps = max_steps_;
  options.interpret.max_bytes = std::int64_t{1} << 28;
  try {
    Engine engine(jit_);
    if (prepare) prepare(engine, options, history);
    return Run(engine, options, history, counts).run();
  } catch (const Error& error) {
    return {Verdict::Refused, error.what()};
  } catch (const std::exception& error) {
    return {Verdict::Fails, error.what()};
  }
}

}  // namespace lacuna::fuzz
