#include "lacuna/notation/numbers.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "lacuna/notation/parse.h"

namespace lacuna {
namespace {

constexpr std::string_view prefix = "number_";

/// Made of numbers alone.
bool is_constant(const Expr& e) {
  if (as<Access>(e) != nullptr || as<IndexValue>(e) != nullptr) return false;
  const std::vector<Expr> parts = children(e);
  return std::all_of(parts.begin(), parts.end(), is_constant);
}

class Passing {
 public:
  Passing(const Statement& s, const FactsByName& facts) : facts_(facts) {
    taken_.insert(s.lhs.tensor.name());
    for (const Access& access : accesses(s.rhs)) taken_.insert(access.tensor.name());
    for (const IndexVar& var : all_variables(s)) taken_.insert(var.name());
  }

  Expr go(const Expr& e) {
    if (const auto* literal = as<Literal>(e)) return literal->value.is_zero() ? e : passed(literal->value, e.where());
    std::vector<Expr> parts = children(e);
    for (std::size_t k = 0; k < parts.size(); ++k)
      if (!is_constant(parts[k]) || !makes_the_kernel(e, k)) parts[k] = go(parts[k]);
    return with_children(e, parts);
  }

  std::map<std::string, Scalar> take_numbers() { return std::move(numbers_); }

 private:
  /// Whether the kernel is another one for each value of the k-th operand, which is a constant.
  bool makes_the_kernel(const Expr& e, std::size_t k) const {
    if (const auto* binary = as<Binary>(e))
      return binary->op == BinaryOp::Div && k == 1 && is_integer(type_of(e, facts_));
    const auto* call = as<Call>(e);
    if (call == nullptr) return false;
    return call->function == FunctionId::Pow || call->function == FunctionId::Mod || is_constant(e);
  }

  Expr passed(const Scalar& value, SourceRange where) {
    std::string name;
    do {
      name = passed_number_name(++last_);
    } while (taken_.count(name) != 0);
    numbers_.emplace(name, value);
    return make_expr(Access{TensorVar(name, 0), {}}, where);
  }

  const FactsByName& facts_;
  std::set<std::string> taken_;
  std::map<std::string, Scalar> numbers_;
  int last_ = 0;
};

}  // namespace

PassedNumbers pass_numbers(const Statement& s, const FactsByName& facts) {
  Passing passing(s, facts);
  PassedNumbers out{s, {}};
  out.statement.rhs = passing.go(s.rhs);
  out.numbers = passing.take_numbers();
  if (!out.numbers.empty()) out.statement.text = to_string(out.statement);
  return out;
}

std::string passed_number_name(int n) { return std::string(prefix) + std::to_string(n); }

bool is_passed_number(const TensorVar& tensor) {
  const std::string& name = tensor.name();
  return tensor.order() == 0 && name.size() > prefix.size() && name.starts_with(prefix) &&
         name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
}

bool is_number(const Expr& e) {
  const auto* access = as<Access>(e);
  return as<Literal>(e) != nullptr || (access != nullptr && is_passed_number(access->tensor));
}

}  // namespace lacuna
