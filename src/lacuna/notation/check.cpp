#include "lacuna/notation/check.h"

#include <algorithm>

#include "lacuna/notation/parse.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

class Checker {
 public:
  explicit Checker(const Statement& s) : statement_(s) {}

  void run() {
    if (!statement_.rhs.defined()) user_error("the statement for {} has no right side", statement_.lhs.tensor.name());
    check_names();
    for (const Term& term : terms_of(statement_)) {
      std::vector<IndexVar> bound = term.sums;
      check_sums(term.expr, bound);
      check_additions(term.expr, term);
    }
    check_calls(statement_.rhs);
    check_result_reads(statement_.rhs);
  }

 private:
  [[noreturn]] void fail(const Expr& where, const std::string& message) const {
    throw Error(message, where.where(), statement_.text);
  }

  // One name is one thing: tensors and variables made in C++ can break what the parser guarantees.
  void check_names() {
    note(statement_.lhs, Expr());
    note_all(statement_.rhs);
    for (const auto& [name, order] : orders_) {
      if (indices_.count(name) > 0) fail(Expr(), fmt::format("{} is both a tensor and an index variable", name));
    }
    const auto unused = std::find_if(values_.begin(), values_.end(), [&](const IndexVar& var) {
      return std::find(used_.begin(), used_.end(), var) == used_.end();
    });
    if (unused != values_.end()) {
      fail(Expr(), fmt::format("the value of {0} is used, but {0} indexes no tensor; write sum({0}, …) around the part "
                               "that shall be summed over it",
                               unused->name()));
    }
  }

  void note_all(const Expr& e) {
    if (const auto* access = as<Access>(e)) note(*access, e);
    if (const auto* value = as<IndexValue>(e)) {
      note(value->var, e);
      values_.push_back(value->var);
    }
    if (const auto* sum = as<Sum>(e)) {
      note(sum->var, e);
      used_.push_back(sum->var);
    }
    for (const Expr& child : children(e)) note_all(child);
  }

  void note(const Access& access, const Expr& where) {
    const int order = static_cast<int>(access.indices.size());
    const auto [known, is_new] = orders_.emplace(access.tensor.name(), order);
    if (access.tensor.order() != order || known->second != order) {
      fail(where, fmt::format("{} is written with {} index variable(s) here, but has {} mode(s)", access.tensor.name(),
                              order, access.tensor.order() != order ? access.tensor.order() : known->second));
    }
    for (const IndexVar& var : access.indices) {
      note(var, where);
      used_.push_back(var);
    }
  }

  void note(const IndexVar& var, const Expr& where) {
    const auto [known, is_new] = indices_.emplace(var.name(), var);
    if (known->second == var) return;
    fail(where, fmt::format("two different index variables are called {0}; give one of them another name", var.name()));
  }

  /// `bound`: the variables that sums around e, those of its term included, run over.
  void check_sums(const Expr& e, std::vector<IndexVar>& bound) {
    const auto* sum = as<Sum>(e);
    if (sum != nullptr) {
      if (contains(statement_.lhs.indices, sum->var)) {
        fail(e, fmt::format("{0} is an index of the result {1}, so sum({0}, …) cannot run over it; use another index "
                            "variable inside the sum",
                            sum->var.name(), statement_.lhs.tensor.name()));
      }
      if (contains(bound, sum->var)) {
        fail(e, fmt::format("{0} is summed over twice: sum({0}, …) stands inside another sum over {0}, perhaps that of "
                            "its whole term; use another index variable inside",
                            sum->var.name()));
      }
      bound.push_back(sum->var);
    }
    for (const Expr& child : children(e)) check_sums(child, bound);
    if (sum != nullptr) bound.pop_back();
  }

  void check_additions(const Expr& e, const Term& term) {
    std::vector<Expr> below;
    collect_addends(e, below);
    if (below.size() > 1) check_addends(below, term);
    const bool addition = below.size() > 1 || as<Negate>(e) != nullptr;
    for (const Expr& part : addition ? below : children(e)) check_additions(part, term);
  }

  /// e itself unless it is a sum, difference or negation, whose parts are collected.
  void collect_addends(const Expr& e, std::vector<Expr>& addends) {
    const auto* binary = as<Binary>(e);
    const bool addition = binary != nullptr && (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub);
    if (!addition && as<Negate>(e) == nullptr) return addends.push_back(e);
    for (const Expr& child : children(e)) collect_addends(child, addends);
  }

  void check_addends(const std::vector<Expr>& addends, const Term& term) {
    for (const IndexVar& var : term.sums) {
      const auto uses = [&](const Expr& addend) { return contains(free_variables(addend), var); };
      const auto with = std::find_if(addends.begin(), addends.end(), uses);
      const auto without = std::find_if_not(addends.begin(), addends.end(), uses);
      if (with == addends.end() || without == addends.end()) continue;
      fail(*without,
           fmt::format("{0} is summed over and {1} does not use it, but is added to {2}, which does: should {1} "
                       "count once or for every {0}? Say it with sum({0}, {2}) for that addend alone, or "
                       "sum({0}, {3}) for the whole term",
                       var.name(), to_string(*without), to_string(*with), to_string(term.expr)));
    }
  }

  /// max(j, e) looks like sum(j, e), a reduction over j, and would mean something else.
  void check_calls(const Expr& e) {
    const auto* call = as<Call>(e);
    if (call != nullptr && is_reducing(call->function)) refuse_variable_first(e, *call);
    for (const Expr& child : children(e)) check_calls(child);
  }

  /// The functions by which one could reduce as by addition.
  static bool is_reducing(FunctionId function) {
    return function == FunctionId::Min || function == FunctionId::Max || function == FunctionId::And ||
           function == FunctionId::Or;
  }

  void refuse_variable_first(const Expr& e, const Call& call) const {
    const auto* first = as<IndexValue>(call.arguments[0]);
    if (first == nullptr) return;
    const std::string_view name = info(call.function).name;
    const std::string variable = first->var.name();
    const std::string other = to_string(call.arguments[1]);
    const std::string fix = as<IndexValue>(call.arguments[1]) == nullptr
                                ? fmt::format("{}({}, {})", name, other, variable)
                                : fmt::format("{}(int64({}), {})", name, variable, other);
    fail(e, fmt::format("{} reads like a reduction over {}, as sum({}, …) is one; for {} of the index's value and {}, "
                        "element by element, write {}; reductions by {} do not exist yet",
                        to_string(e), variable, variable, name, other, fix, name));
  }

  void check_result_reads(const Expr& e) {
    const auto* access = as<Access>(e);
    const Access& lhs = statement_.lhs;
    if (access != nullptr && access->tensor.name() == lhs.tensor.name() && access->indices != lhs.indices) {
      fail(e, fmt::format("{0} is the result and may be read only where it is written, as {1}; for {2}, copy {0} to "
                          "another tensor first",
                          lhs.tensor.name(), to_string(make_expr(lhs)), to_string(e)));
    }
    for (const Expr& child : children(e)) check_result_reads(child);
  }

  const Statement& statement_;
  std::map<std::string, int> orders_;
  std::map<std::string, IndexVar> indices_;
  std::vector<IndexVar> used_;    // index something or are bound by a sum
  std::vector<IndexVar> values_;  // are used as values
};

}  // namespace

void check_meaning(const Statement& s) { Checker(s).run(); }

}  // namespace lacuna
