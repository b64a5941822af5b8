#include <algorithm>
#include <bit>
#include <cmath>

#include "lacuna/compile/plan/plan.h"
#include "lacuna/compile/plan/together.h"
#include "lacuna/dynamic/code/load.h"
#include "lacuna/jit/blas.h"
#include "lacuna/notation/parse.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/reach.h"
#include "lacuna/tensor/unevenness.h"

namespace lacuna {

bool is_piece(const Storage& t) {
  return t.values.base() != 0 || std::any_of(t.levels.begin(), t.levels.end(), [](const LevelStorage& l) {
           return l.origin != 0 || l.pos.base() != 0 || l.crd.base() != 0;
         });
}

namespace {

OperandFacts facts_of(const Storage& t, bool on_device) {
  // Counting what a bitmap or a hash table stores would read all of it; its size serves the cost model as well.
  OperandFacts f{t.format, t.type, {}, {}, {}, t.places(), is_piece(t)};
  for (int k = 0; k < t.order(); ++k) {
    const LevelStorage& l = t.levels[static_cast<std::size_t>(k)];
    f.widths.push_back({l.pos.type(), l.crd.type()});
    // Nodes hold the coordinates that fit their dimension.
    if (t.format.level(k).is_dynamic())
      f.widths.back() = {Type::Int64,
                         coordinate_type(t.dimensions[static_cast<std::size_t>(t.format.map().mode_of(k))])};
    f.positions.push_back(l.positions);
    f.nonempty.push_back(l.nonempty);
    f.reach.push_back(reach_of(t.format.level(static_cast<int>(f.reach.size())), l));
    if (on_device) f.unevenness.push_back(unevenness_of(t.format.level(k), l));
  }
  return f;
}

/// 0 for none, else one more than the power of two below: a few dozen classes.
int size_class(std::int64_t n) { return n <= 0 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))); }

/// Appends fields to a key so that different fields cannot read the same.
class KeyWriter {
 public:
  void add(std::int64_t n) { key_.append(reinterpret_cast<const char*>(&n), sizeof n); }
  void add(const std::string& text) {
    add(static_cast<std::int64_t>(text.size()));
    key_ += text;
  }
  void add(const Format& f) {
    add(static_cast<std::int64_t>(f.order()));
    for (int k = 0; k < f.order(); ++k) {
      const LevelFormat& l = f.level(k);
      add(static_cast<std::int64_t>(l.kind) * 4 + (l.ordered ? 2 : 0) + (l.unique ? 1 : 0));
      if (l.is_dynamic()) {
        add(l.definition->name);
        add(static_cast<std::int64_t>(l.definition->text.size()));
        add(static_cast<std::int64_t>(l.definition->hash));
      }
      add(static_cast<std::int64_t>(f.map().mode_of(k)));
    }
  }
  std::string take() { return std::move(key_); }

 private:
  std::string key_;
};

void require_operands(const Request& request) {
  for (const std::string& name : operand_names(request.statement))
    if (request.operands.count(name) == 0)
      user_error("tensor {} is used but has no data: give it with -i {}=FILE, or insert values before evaluating", name,
                 name);
  const std::string& result = request.statement.lhs.tensor.name();
  if (request.statement.accumulate && request.operands.count(result) == 0)
    user_error("{} += … adds to {}, which has no data yet: give it, or write =", result, result);
}

void require_orders(const Request& request) {
  for (const Access& a : accesses(request.statement.rhs)) {
    const int order = request.operands.at(a.tensor.name()).order();
    if (order != a.tensor.order())
      user_error("{} is used with {} indices, but the tensor given has order {}", a.tensor.name(), a.tensor.order(),
                 order);
  }
}

/// Whether dense operands with two variables or more are multiplied.
bool multiplies_matrices(const ScheduleProblem& problem) {
  for (const Term& term : terms_of(problem.statement)) {
    int dense = 0;
    for (const Access& a : accesses(term.expr)) {
      const auto facts = problem.operands.find(a.tensor.name());
      dense += facts != problem.operands.end() && facts->second.format.is_dense() && a.indices.size() > 1 ? 1 : 0;
    }
    if (dense > 1) return true;
  }
  return false;
}

/// Looked for only where it would be of use, for loading it takes some milliseconds.
bool has_blas(const Target& target) {
  return target.backend == Target::Backend::C && !target.device && blas() != nullptr;
}

/// The type and format of the result. += keeps what the tensor is, unless told otherwise.
void find_result(const Request& request, ScheduleProblem& p) {
  const Statement& s = request.statement;
  const Storage* old = s.accumulate ? &request.operands.at(s.lhs.tensor.name()) : nullptr;
  p.result_type = request.result_type.value_or(old != nullptr ? old->type : p.compute_type);
  std::map<std::string, Format> formats;
  for (const auto& [name, t] : request.operands) formats[name] = t.format;
  p.result_format = request.result_format ? *request.result_format
                    : old != nullptr      ? old->format
                                          : infer_result_format(s, formats);
  if (p.result_format.order() != s.lhs.tensor.order())
    user_error("{} has order {}, but its format {} has {} levels", s.lhs.tensor.name(), s.lhs.tensor.order(),
               p.result_format.to_string(), p.result_format.order());
}

void check_deterministic(const ScheduleProblem& p, const Schedule& schedule) {
  for (const Directive& d : schedule.directives) {
    const auto* parallel = std::get_if<directive::Parallelize>(&d.kind);
    if (parallel != nullptr && parallel->race == concrete::Race::Atomics && rounds_by_order(p))
      user_error(
          "{} adds in another order in each run, and the sums of {} are to be deterministic: say another race "
          "strategy, or leave out --deterministic",
          to_string(d), p.statement.lhs.tensor.name());
  }
}

}  // namespace

CheckedRequest check_request(const Request& request, const Options& options) {
  const Statement& s = request.statement;
  check_meaning(s);
  require_operands(request);
  require_orders(request);
  CheckedRequest out;
  out.schedule = request.schedule;
  ScheduleProblem& p = out.problem;
  p.statement = s;
  if (p.statement.text.empty()) p.statement.text = to_string(s);
  FactsByName facts;
  for (const auto& [name, t] : request.operands) facts[name] = {t.type, t.dimensions};
  const std::string& result = s.lhs.tensor.name();
  p.extents = infer_dimensions(s, facts, request.sizes);
  p.compute_type = compute_type(s, facts, request.result_type);
  p.statement = with_wide_sums(p.statement, facts, p.compute_type);
  // Schedules speak of what is written.
  if (request.schedule.empty()) p.statement = with_implied_sums(p.statement, facts, p.compute_type);
  check_divisions(s, facts);
  find_result(request, p);
  p.device = options.target.device.has_value();
  for (const std::string& name : operand_names(s))
    p.operands[name == result ? old_result_name(s) : name] = facts_of(request.operands.at(name), p.device);
  if (s.accumulate) p.operands[old_result_name(s)] = facts_of(request.operands.at(result), p.device);
  p.parallel = options.target.threads > 1 || p.device;
  p.deterministic = options.target.deterministic;
  check_deterministic(p, request.schedule);
  // As many as a warp has threads would keep all of them busy; half as many pay for what they add up. The emulated
  // device is small, and so are the examples that it checks.
  if (options.target.device == DeviceLanguage::Cuda) {
    const bool compiles = options.target.backend == Target::Backend::C;
    p.turns_worth_warps = compiles ? 16 : 2;
    p.entries_a_thread = compiles ? 8 : 3;
    p.uneven = compiles ? 3 : 1.2;
  }
  // The interpreter checks small examples of what is compiled for large ones.
  if (options.target.backend == Target::Backend::C && !p.device) p.turns_worth_threads = 8000;
  p.vector_bytes = p.device ? 0 : options.target.vector_bytes;
  p.caches = options.target.caches;
  p.blas = !p.device && multiplies_matrices(p) && options.target.blas.value_or(has_blas(options.target));
  for (const IndexVar& v : s.lhs.indices) out.result_dimensions.push_back(p.extents.at(v));
  for (std::size_t n = 0; n < request.further.size(); ++n)
    out.further.push_back(check_request(further_request(request, n), options));
  if (!out.further.empty()) check_together(out);
  return out;
}

std::string request_key(const Request& request, const Options& options) {
  KeyWriter key;
  const auto add_statement = [&](const Statement& s, const std::optional<Format>& format,
                                 const std::optional<Type>& type, const std::map<std::string, std::int64_t>& sizes) {
    key.add(s.text.empty() ? to_string(s) : s.text);
    key.add(type ? static_cast<int>(*type) : -1);
    key.add(format.has_value() ? 1 : 0);
    if (format) key.add(*format);
    for (const auto& [name, size] : sizes) {
      key.add(name);
      key.add(size);
    }
  };
  add_statement(request.statement, request.result_format, request.result_type, request.sizes);
  for (const FurtherStatement& f : request.further) add_statement(f.statement, f.result_format, f.result_type, f.sizes);
  key.add(static_cast<std::int64_t>(request.further.size()));
  key.add(static_cast<int>(options.target.backend) * 2 + (options.target.threads > 1 ? 1 : 0));
  key.add(options.target.device ? 1 + static_cast<std::int64_t>(*options.target.device) : 0);
  key.add(options.target.on != nullptr ? options.target.on->number() : 0);  // a plan keeps its device
  key.add(options.target.deterministic ? 1 : 0);
  key.add(options.target.vector_bytes);
  key.add(options.target.blas ? static_cast<int>(*options.target.blas) : -1);
  for (const std::int64_t bytes : options.target.caches.value_or(CacheSizes{})) key.add(bytes);
  key.add(options.checks_arguments ? 1 : 0);
  key.add(to_string(request.schedule));
  for (const auto& [name, t] : request.operands) {
    key.add(name);
    key.add(static_cast<int>(t.type));
    key.add(t.format);
    for (const std::int64_t extent : t.dimensions) key.add(extent);
    key.add(size_class(t.places()));
    int k = 0;
    for (const LevelStorage& l : t.levels) {
      if (options.target.device) key.add(size_class(std::llround(2 * unevenness_of(t.format.level(k), l))));
      key.add(size_class(reach_of(t.format.level(k++), l)));
      key.add(static_cast<int>(l.pos.type()) * 16 + static_cast<int>(l.crd.type()));
      key.add(size_class(l.positions));
      key.add(l.nonempty ? 1 : 0);
    }
    key.add(is_piece(t) ? 1 : 0);
  }
  return key.take();
}

}  // namespace lacuna
