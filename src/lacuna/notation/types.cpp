#include "lacuna/notation/check.h"

#include <fmt/core.h>
#include "lacuna/notation/operators.h"

namespace lacuna {
namespace {

class Typing {
 public:
  Typing(const FactsByName& facts, const std::string& text) : facts_(facts), text_(text) {}

  Type of(const Expr& e) const {
    return match(
        e, [&](const Access& n) { return tensor(n.tensor.name(), e.where()); },
        [](const Literal& n) { return n.value.type(); }, [](const IndexValue&) { return Type::Int64; },
        [&](const Negate& n) { return promote(of(n.operand)); },
        [&](const Binary& n) { return promote(of(n.left), of(n.right)); },
        [&](const Call& n) { return call(n, e.where()); },
        [&](const Cast& n) {
          of(n.operand);  // so that a mistake inside is found
          return n.type;
        },
        [&](const Sum& n) { return promote(of(n.body)); });
  }

  Type tensor(const std::string& name, SourceRange where) const {
    const auto known = facts_.find(name);
    if (known == facts_.end()) throw Error(fmt::format("nothing is known of the tensor {}", name), where, text_);
    return known->second.type;
  }

 private:
  Type call(const Call& n, SourceRange where) const {
    std::vector<Type> types;
    for (const Expr& argument : n.arguments) types.push_back(of(argument));
    try {
      return result_type(n.function, types);
    } catch (const Error& error) {
      throw Error(error.what(), where, text_);
    }
  }

  const FactsByName& facts_;
  const std::string& text_;
};

/// Whether sums of values of type `from` may run in type `to` instead and lose nothing: `to` is wider, and is exact for
/// every value of `from` (integers wrap, so a wider integer of either sign will do).
bool is_wider(Type to, Type from) {
  if (is_complex(from) && !is_complex(to)) return false;
  const Type wide = real_part_type(to), narrow = real_part_type(from);
  if (wide == narrow) return is_complex(to) && !is_complex(from);
  if (wide == Type::Bool || (is_float(narrow) && !is_float(wide))) return false;
  // A float32 has 24 bits for its digits, a float64 53.
  if (is_float(wide) && is_integer(narrow)) return size_of(narrow) <= (wide == Type::Float64 ? 4 : 2);
  return size_of(wide) > size_of(narrow);
}

}  // namespace

Type type_of(const Expr& e, const FactsByName& facts) {
  const std::string no_text;
  return Typing(facts, no_text).of(e);
}

Type compute_type(const Statement& s, const FactsByName& facts, std::optional<Type> result) {
  const Typing typing(facts, s.text);
  const std::vector<Term> terms = terms_of(s);
  Type type = promote(typing.of(terms.front().expr));
  for (const Term& term : terms) type = promote(type, typing.of(term.expr));
  // The old contents are one term more.
  if (s.accumulate) type = promote(type, typing.tensor(s.lhs.tensor.name(), {}));
  return result && is_wider(*result, type) ? *result : type;
}

namespace {

/// A sum that is a whole term, through signs and additions around it.
Expr with_wide_sum(const Expr& e, const FactsByName& facts, Type compute) {
  const auto inside = [&](const Expr& x) { return with_wide_sum(x, facts, compute); };
  if (const auto* n = as<Negate>(e)) return with_children(e, {inside(n->operand)});
  if (const auto* n = as<Binary>(e)) {
    const bool adds = n->op == BinaryOp::Add || n->op == BinaryOp::Sub;
    return adds ? with_children(e, {inside(n->left), inside(n->right)}) : e;
  }
  const auto* sum = as<Sum>(e);
  if (sum == nullptr || !is_wider(compute, type_of(e, facts))) return e;
  const bool nested = as<Sum>(sum->body) != nullptr;
  return with_children(e, {nested ? inside(sum->body) : cast(compute, sum->body)});
}

}  // namespace

Statement with_wide_sums(const Statement& s, const FactsByName& facts, Type compute) {
  Statement wide = s;
  wide.rhs = with_wide_sum(s.rhs, facts, compute);
  return wide;
}

}  // namespace lacuna
