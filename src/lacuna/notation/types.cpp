#include "lacuna/notation/check.h"

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

}  // namespace

Type type_of(const Expr& e, const FactsByName& facts) {
  const std::string no_text;
  return Typing(facts, no_text).of(e);
}

Type compute_type(const Statement& s, const FactsByName& facts) {
  const Typing typing(facts, s.text);
  const std::vector<Term> terms = terms_of(s);
  Type type = promote(typing.of(terms.front().expr));
  for (const Term& term : terms) type = promote(type, typing.of(term.expr));
  // The old contents are one term more.
  return s.accumulate ? promote(type, typing.tensor(s.lhs.tensor.name(), {})) : type;
}

}  // namespace lacuna
