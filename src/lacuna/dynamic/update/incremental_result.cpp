#include "lacuna/dynamic/update/incremental_result.h"

#include <algorithm>
#include <chrono>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/compile/plan/plan.h"
#include "lacuna/dynamic/update/batch_change.h"
#include "lacuna/dynamic/update/order_for_change.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/add_entries.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"

namespace lacuna {
namespace {

FactsByName facts_of(const Request& request, Type result_type) {
  FactsByName facts;
  for (const auto& [name, t] : request.operands) facts[name] = {t.type, t.dimensions};
  facts.try_emplace(request.statement.lhs.tensor.name(), TensorFacts{result_type, std::nullopt});
  return facts;
}

/// Entries anywhere, of which only the number matters: the schedule looks at it.
Storage typical_change(const Storage& operand, Type type, std::int64_t batch) {
  double places = 1;
  for (const std::int64_t size : operand.dimensions) places *= static_cast<double>(size);
  constexpr std::int64_t most = std::int64_t{1} << 16;
  const auto count = static_cast<std::int64_t>(std::min(static_cast<double>(std::min(batch, most)), places));
  return build(generate_uniform(operand.dimensions, count, 1, type), format_of_changes(operand.format));
}

/// The format inferred for a result, with the levels that do not change in place made such of the operand that do.
Format inferred_in_place(const Request& request, const Format& operand) {
  std::map<std::string, Format> formats;
  for (const auto& [name, t] : request.operands) formats[name] = t.format;
  const Format inferred = infer_result_format(request.statement, formats);
  std::vector<LevelFormat> dynamic;
  for (const LevelFormat& level : operand.levels())
    if (level.is_dynamic()) dynamic.push_back(level);
  std::vector<LevelFormat> levels = inferred.levels();
  for (std::size_t k = 0; k < levels.size(); ++k)
    if (!levels[k].full()) levels[k] = k + 1 == levels.size() ? dynamic.back() : dynamic.front();
  return Format(levels);
}

}  // namespace

IncrementalResult::IncrementalResult(Compiler& engine, Request request, const std::string& operand,
                                     const Options& options, std::int64_t batch)
    : engine_(engine), options_(options), request_(std::move(request)), operand_(operand) {
  const Format& changing = request_.operands.at(operand_).format;
  internal_check(updates_in_place(changing), "{} does not change in place", operand_);
  if (!request_.result_format && !request_.statement.accumulate)
    request_.result_format = inferred_in_place(request_, changing);
  {
    // What is refused is refused before anything is compiled.
    const ScheduleProblem problem = check_request(request_, options_).problem;
    check_result(problem.result_format);
    change_ = change_of(request_.statement, operand_, facts_of(request_, problem.result_type), problem.result_type);
  }
  const auto start = std::chrono::steady_clock::now();
  prepare_lookup(engine_, request_.operands.at(operand_), options_);
  compile_ms_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  full_ = engine_.prepare(request_, options_);
  compile_ms_ += full_.compile_report().compile_ms;
  Request change = change_request(operand_, batch);
  part_ = engine_.prepare(change, options_);
  compile_ms_ += part_.compile_report().compile_ms;
  // What would be copied for each batch is copied now.
  bool copied = false;
  for (const OperandCopy& copy : part_.plan().scheduled.copies) {
    if (copy.source == change_.operand) continue;
    Storage& source = change.operands.at(copy.source);
    source = stored_as(engine_, source, copy.format, options_);
    copied = true;
  }
  if (copied) part_ = engine_.prepare(change, options_);
  if (copied) compile_ms_ += part_.compile_report().compile_ms;
  operands_ = std::move(change.operands);
  keep(full_.run());
  request_.operands.at(operand_) = {};
}

void IncrementalResult::check_result(const Format& format) const {
  if (format.is_dense() || updates_in_place(format)) return;
  user_error(
      "{} cannot be kept up to date in the format {}, in which entries do not change in place; store it in levels that "
      "are dense or dynamic (lacuna levels lists these)",
      request_.statement.lhs.tensor.name(), format.to_string());
}

Request IncrementalResult::change_request(const std::string& operand, std::int64_t batch) const {
  Request change;
  change.statement = change_.statement;
  change.result_type = full_.result_type();
  for (const std::string& name : operand_names(change_.statement))
    if (name != change_.operand) change.operands.emplace(name, request_.operands.at(name));
  change.operands.emplace(change_.operand, typical_change(request_.operands.at(operand), change_.type, batch));
  for (const auto& [name, format] : orders_for_change(change)) {
    Storage& of = change.operands.at(name);
    of = stored_as(engine_, of, format, options_);
  }
  // The extents of variables that only the other terms bound.
  for (const auto& [var, extent] :
       infer_dimensions(request_.statement, facts_of(request_, full_.result_type()), request_.sizes)) {
    const std::vector<IndexVar> used = all_variables(change_.statement);
    if (std::find(used.begin(), used.end(), var) != used.end()) change.sizes.emplace(var.name(), extent);
  }
  return change;
}

/// How operands are stored so that changes find what they meet; where terms differ, as the first wants it.
std::map<std::string, Format> IncrementalResult::orders_for_change(const Request& change) const {
  std::map<std::string, Format> orders;
  for (const Term& term : terms_of(change.statement)) {
    const std::vector<Access> read = accesses(term.expr);
    const auto changed =
        std::find_if(read.begin(), read.end(), [&](const Access& a) { return a.tensor.name() == change_.operand; });
    for (const Access& a : read) {
      if (a.tensor.name() == change_.operand) continue;
      const std::optional<Format> order = order_for_change(change.operands.at(a.tensor.name()), a, *changed);
      if (order) orders.emplace(a.tensor.name(), *order);
    }
  }
  return orders;
}

void IncrementalResult::keep(const Storage& result) {
  nodes_.reset();
  dense_ = {};
  if (result.format.is_dense()) dense_ = result;
  else nodes_ = std::make_unique<UpdatedTensor>(engine_, result, options_);
}

void IncrementalResult::add(const Storage& change) {
  if (change.stored() == 0) return;
  operands_.at(change_.operand) = change;
  part_.run_into(operands_, difference_);
  const CoordinateList entries = coordinates_of(difference_);
  if (nodes_) nodes_->update(UpdateOperation::Add, entries);
  else add_entries(dense_, entries);
}

Storage IncrementalResult::evaluate(const Storage& operand, bool keep) {
  std::map<std::string, Storage> operands = request_.operands;
  operands.at(operand_) = operand;
  if (!full_.holds_for(operands)) {
    Request full = request_;
    full.operands = operands;
    full_ = engine_.prepare(full, options_);
  }
  const Storage result = full_.run(operands);
  if (keep) this->keep(result);
  return result;
}

double IncrementalResult::compile_ms() const { return compile_ms_; }

std::vector<std::string> IncrementalResult::notes() const {
  std::vector<std::string> notes = full_.compile_report().notes;
  for (const std::string& note : part_.compile_report().notes)
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  return notes;
}

}  // namespace lacuna
