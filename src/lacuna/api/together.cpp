#include <algorithm>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lacuna/api/value.h"
#include "lacuna/concrete/rename.h"
#include "lacuna/notation/numbers.h"
#include "lacuna/notation/parse.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// The request of one kernel for several statements. Each calls its tensors as it likes; here, one value has one name.
class TogetherRequest {
 public:
  explicit TogetherRequest(Schedule schedule) { request_.schedule = std::move(schedule); }

  /// `operands`: the values that the statement reads, by the names of `alone`.
  void add(const Request& alone, const std::map<std::string, ValuePtr>& operands) {
    const std::string& old = alone.statement.lhs.tensor.name();
    std::map<std::string, std::string> names{{old, unique_name(old)}};
    for (const auto& [name, value] : operands)
      if (name != old) names.emplace(name, name_of(value, name));
    for (const auto& [name, number] : alone.operands)
      if (names.count(name) == 0) names.emplace(name, unique_number());
    concrete::Renaming renaming;
    const auto rename = [&](const TensorVar& t) {
      renaming.tensors.emplace(t, TensorVar(names.at(t.name()), t.order()));
    };
    rename(alone.statement.lhs.tensor);
    for (const Access& a : accesses(alone.statement.rhs)) rename(a.tensor);
    Statement statement{renaming.of(alone.statement.lhs), alone.statement.accumulate, renaming.of(alone.statement.rhs),
                        ""};
    statement.text = to_string(statement);
    for (const auto& [name, storage] : alone.operands) request_.operands.emplace(names.at(name), storage);
    if (is_empty_) {
      request_.statement = std::move(statement);
      request_.result_format = alone.result_format;
      request_.result_type = alone.result_type;
      request_.sizes = alone.sizes;
    } else {
      request_.further.push_back({std::move(statement), alone.result_format, alone.result_type, alone.sizes});
    }
    is_empty_ = false;
  }

  const Request& request() const { return request_; }

 private:
  std::string unique_name(const std::string& wanted) {
    std::string name = wanted;
    for (int n = 2; !taken_.insert(name).second; ++n) name = wanted + std::to_string(n);
    return name;
  }

  /// Numbers that are passed are of no value that others could read, too.
  std::string unique_number() {
    std::string name;
    do {
      name = passed_number_name(++numbers_);
    } while (!taken_.insert(name).second);
    return name;
  }

  const std::string& name_of(const ValuePtr& value, const std::string& wanted) {
    const auto known = names_.find(value.get());
    if (known != names_.end()) return known->second;
    return names_.emplace(value.get(), unique_name(wanted)).first->second;
  }

  Request request_;
  bool is_empty_ = true;
  int numbers_ = 0;
  std::set<std::string> taken_;
  std::map<const Value*, std::string> names_;
};

/// Each by itself, in this order. Their notes begin with what each of them assigns to.
Report evaluate_in_order(const std::vector<std::pair<std::string, ValuePtr>>& values, const EvaluateOptions& options) {
  Report all;
  for (const auto& [target, value] : values) {
    const Report one = value->evaluate(options);
    all.compile_ms += one.compile_ms;
    for (const std::string& note : one.notes) all.notes.push_back(fmt::format("{}: {}", target, note));
  }
  return all;
}

}  // namespace

Report Value::evaluate_together(std::vector<ValuePtr> values, const EvaluateOptions& options) {
  // In the order of their addresses, so that whoever evaluates some of them meanwhile waits in the same order.
  std::vector<ValuePtr> ordered = values;
  std::sort(ordered.begin(), ordered.end());
  ordered.erase(std::unique(ordered.begin(), ordered.end()), ordered.end());
  std::vector<std::unique_lock<std::mutex>> locks;
  for (const ValuePtr& each : ordered) locks.emplace_back(each->mutex_);
  std::erase_if(values, [](const ValuePtr& each) { return !each->pending_.has_value(); });
  if (values.empty()) return {};

  for (const ValuePtr& each : values)
    for (const auto& [name, operand] : each->pending_->operands)
      if (std::find(values.begin(), values.end(), operand) != values.end())
        user_error("{} reads {}, which is to be computed together with it: evaluate that one first",
                   to_string(each->pending_->statement), name);
  // On a machine, each statement has kernels of its own.
  if (std::any_of(values.begin(), values.end(), [&](const ValuePtr& v) { return v->is_distributed(options); })) {
    std::vector<std::pair<std::string, ValuePtr>> in_order;
    for (const ValuePtr& each : values)
      in_order.emplace_back(to_string(make_expr(each->pending_->statement.lhs)), each);
    locks.clear();
    return evaluate_in_order(in_order, options);
  }
  return by_one_kernel(values, options);
}

Report Value::by_one_kernel(const std::vector<ValuePtr>& values, const EvaluateOptions& options) {
  Report report;
  const auto ask = [&](Numbers numbers) {
    EvaluateOptions alone = options;
    alone.schedule = {};
    TogetherRequest together(options.schedule);
    for (const ValuePtr& each : values) together.add(each->request(alone, numbers), each->pending_->operands);
    return together.request();
  };
  Prepared prepared = prepare_passing_numbers(engine_of(options), compile_options(options), ask).prepared;
  std::vector<Storage> results = prepared.run_all(&report);
  for (std::size_t n = 0; n < values.size(); ++n) {
    values[n]->storage_ = std::move(results[n]);
    values[n]->c_code_ = prepared.c_code();
    values[n]->pending_.reset();
  }
  return report;
}

}  // namespace lacuna
