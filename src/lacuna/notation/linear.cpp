#include "lacuna/notation/linear.h"

#include <algorithm>
#include <optional>
#include <set>

#include "lacuna/notation/operators.h"
#include "lacuna/notation/parse.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

bool is_counted(Type type) { return is_integer(type) && type != Type::Bool; }

/// Whether the sum of two converted values is the converted sum, where values are such that were computed (and, of
/// integers, may have wrapped).
bool keeps_sums(Type from, Type to) {
  if (from == to) return true;
  if (is_integer(from)) return is_counted(to) && size_of(to) <= size_of(from);
  return !is_integer(to);
}

/// The same of values that were stored: these are all that their type can say, and did not wrap.
bool embeds(Type from, Type to) { return to != Type::Bool && (is_integer(from) || !is_integer(to)); }

std::set<std::string> names_of(const Statement& s) {
  std::set<std::string> names{s.lhs.tensor.name()};
  for (const Access& access : accesses(s.rhs)) names.insert(access.tensor.name());
  for (const IndexVar& var : all_variables(s)) names.insert(var.name());
  return names;
}

/// "d" before a name, and as many more as make it one that nothing else has.
std::string name_of_change(const std::string& of, const std::set<std::string>& taken) {
  std::string name = "d" + of;
  while (taken.contains(name)) name.insert(0, "d");
  return name;
}

class Differentiator {
 public:
  Differentiator(const Statement& s, const std::string& operand, FactsByName facts, Type result_type)
      : s_(s),
        operand_(operand),
        facts_(std::move(facts)),
        result_type_(result_type),
        compute_(compute_type(s, facts_, result_type)) {}

  LinearChange run() {
    const std::vector<Term> terms = terms_of(s_);
    for (const Term& term : terms) check(term);
    internal_check(type_.has_value(), "{} is not read by {}", operand_, to_string(s_));
    std::set<std::string> names = names_of(s_);
    const std::string change = name_of_change(operand_, names);
    names.insert(change);
    const std::string result = name_of_change(s_.lhs.tensor.name(), names);
    facts_[change] = {*type_, facts_.at(operand_).dimensions};
    change_ = TensorVar(change, order_);

    LinearChange out{
        {Access{TensorVar(result, s_.lhs.tensor.order()), s_.lhs.indices}, false, Expr(), ""}, change, *type_};
    for (const Term& term : terms) {
      if (!reads(term.expr)) continue;
      const Expr part = changed(term.expr);
      Expr& sum = out.statement.rhs;
      if (sum.defined()) sum = term.negative ? sum - part : sum + part;
      else sum = term.negative ? -part : part;
    }
    keep_compute_type(out.statement);
    out.statement.text = to_string(out.statement);
    return out;
  }

 private:
  [[noreturn]] void refuse(const Expr& where, const std::string& why) const {
    throw Error(fmt::format("the result does not change in proportion to {}, so it is evaluated in full only: {}",
                            operand_, why),
                where.where(), s_.text);
  }

  bool is_operand(const Expr& e) const {
    const auto* access = as<Access>(e);
    return access != nullptr && access->tensor.name() == operand_;
  }
  bool reads(const Expr& e) const {
    const std::vector<Access> all = accesses(e);
    return std::any_of(all.begin(), all.end(), [&](const Access& a) { return a.tensor.name() == operand_; });
  }
  Type type(const Expr& e) const { return type_of(e, facts_); }

  void check(const Term& term) {
    if (!reads(term.expr)) return;
    check(term.expr, term.expr);
    convert(term.expr, compute_, term.expr);
    if (!keeps_sums(compute_, result_type_))
      refuse(term.expr,
             fmt::format("the sums are computed in {} and converted to {}, the type of {}; give {} the type {}",
                         type_name(compute_), type_name(result_type_), s_.lhs.tensor.name(), s_.lhs.tensor.name(),
                         type_name(compute_)));
  }

  /// Whether `e`, which reads the operand, is linear in it.
  void check(const Expr& e, const Expr& term) {
    match(
        e, [&](const Access& n) { order_ = n.tensor.order(); }, [](const Literal&) {}, [](const IndexValue&) {},
        [&](const Negate& n) { check_part(n.operand, type(e), term); },
        [&](const Binary& n) { check_binary(n, e, term); },
        [&](const Call& n) {
          refuse(e, fmt::format("{} reads it inside {}, and functions are not looked into", to_string(term),
                                info(n.function).name));
        },
        [&](const Cast& n) { check_part(n.operand, n.type, term); },
        [&](const Sum& n) { check_part(n.body, type(e), term); });
  }

  void check_part(const Expr& part, Type to, const Expr& term) {
    check(part, term);
    convert(part, to, term);
  }

  void check_binary(const Binary& n, const Expr& e, const Expr& term) {
    const bool left = reads(n.left), right = reads(n.right);
    if (n.op == BinaryOp::Mul && left && right)
      refuse(e, fmt::format("the term {} reads it more than once", to_string(term)));
    if (n.op == BinaryOp::Div && right) refuse(e, fmt::format("the term {} divides by it", to_string(term)));
    if (n.op == BinaryOp::Div && is_integer(type(e)))
      refuse(e, fmt::format("the term {} divides in {}, which rounds", to_string(term), type_name(type(e))));
    if (left) check_part(n.left, type(e), term);
    if (right) check_part(n.right, type(e), term);
  }

  /// `e`, which reads the operand, becomes a value of type `to`.
  void convert(const Expr& e, Type to, const Expr& term) {
    const Type from = type(e);
    if (is_operand(e)) {
      if (!embeds(from, to))
        refuse(e,
               fmt::format("the term {} converts it from {} to {}", to_string(term), type_name(from), type_name(to)));
      type_ = type_ ? promote(*type_, to) : to;
    } else if (!keeps_sums(from, to)) {
      refuse(e, fmt::format("{} is computed in {} and then converted to {}, which is not the same for a sum as for its "
                            "addends{}",
                            to_string(e), type_name(from), type_name(to),
                            is_integer(from)
                                ? fmt::format(", as integers wrap; give its operands the type {}", type_name(to))
                                : ""));
    }
  }

  /// What `e`, which reads the operand, changes by: of its own type.
  Expr changed(const Expr& e) const {
    return match(
        e,
        [&](const Access& n) {
          return make_expr(Access{change_, n.indices});
        },
        [&](const Literal&) { return e; }, [&](const IndexValue&) { return e; },
        [&](const Negate& n) { return with_children(e, {changed(n.operand)}); },
        [&](const Binary& n) { return changed(n, e); }, [&](const Call&) { return e; },
        [&](const Cast& n) { return with_children(e, {changed(n.operand)}); },
        [&](const Sum& n) { return with_children(e, {changed(n.body)}); });
  }

  Expr changed(const Binary& n, const Expr& e) const {
    const bool left = reads(n.left), right = reads(n.right);
    const Expr l = left ? changed(n.left) : n.left;
    const Expr r = right ? changed(n.right) : n.right;
    const bool adds = n.op == BinaryOp::Add || n.op == BinaryOp::Sub;
    if (!adds || (left && right)) return with_children(e, {l, r});
    // The other addend stays what it is; its type is not forgotten.
    Expr one = left ? l : r;
    if (type(one) != type(e)) one = cast(type(e), one);
    return !left && n.op == BinaryOp::Sub ? -one : one;
  }

  /// Terms that fell out may have given their type to the rest.
  void keep_compute_type(Statement& change) const {
    if (compute_type(change, facts_) == compute_) return;
    Expr all;
    for (const Term& term : terms_of(change)) {
      const Expr converted = cast(compute_, term.expr);
      if (all.defined()) all = term.negative ? all - converted : all + converted;
      else all = term.negative ? -converted : converted;
    }
    change.rhs = all;
  }

  const Statement& s_;
  const std::string& operand_;
  FactsByName facts_;
  Type result_type_;
  Type compute_;
  std::optional<Type> type_;
  int order_ = 0;
  TensorVar change_;
};

}  // namespace

LinearChange change_of(const Statement& s, const std::string& operand, const FactsByName& facts, Type result_type) {
  if (operand == s.lhs.tensor.name())
    user_error("{} is the result as well as an operand, so that its changes are not those of an operand alone",
               operand);
  return Differentiator(s, operand, facts, result_type).run();
}

}  // namespace lacuna
