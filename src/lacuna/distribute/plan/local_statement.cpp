#include <algorithm>

#include "lacuna/distribute/plan/launch.h"
#include "lacuna/notation/parse.h"

namespace lacuna::launch {
namespace {

/// A statement over an operand's names and a variable's names inside.
class Renamer {
 public:
  explicit Renamer(const Launch& launch) : launch_(launch) {}

  Expr go(const Expr& e) const {
    if (const auto* access = as<Access>(e)) {
      for (const Operand& o : launch_.operands)
        if (o.tensor == access->tensor.name() && o.indices == access->indices) return make_expr(go(o));
      throw InternalError("internal error: an access that is no operand");
    }
    if (const auto* value = as<IndexValue>(e)) return coordinate(value->var);
    if (const auto* sum = as<Sum>(e)) return make_expr(Sum{local(sum->var), go(sum->body)});
    std::vector<Expr> operands;
    for (const Expr& child : children(e)) operands.push_back(go(child));
    return with_children(e, operands);
  }
  Access go(const Operand& o) const {
    std::vector<IndexVar> indices;
    for (const IndexVar& v : o.indices) indices.push_back(local(v));
    return {TensorVar(o.name, static_cast<int>(indices.size())), indices};
  }

 private:
  IndexVar local(const IndexVar& v) const { return IndexVar(launch_.local_names.at(v.name())); }
  /// A variable's value in the whole; inside, it counts from 0.
  Expr coordinate(const IndexVar& v) const {
    return make_expr(Access{TensorVar(launch_.coordinate_names.at(v.name()), 1), {local(v)}});
  }

  const Launch& launch_;
};

}  // namespace

std::optional<Statement> Launch::local_statement(const Values& at) const {
  const Renamer renamer(*this);
  Expr sum;
  const std::vector<Term> terms = terms_of(statement);
  const bool complete = std::all_of(terms.begin(), terms.end(), [&](const Term& t) { return counts(t, at); });
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const Term& term = terms[k];
    if (!counts(term, at)) continue;
    Expr e = renamer.go(term.expr);
    if ((!complete || statement.accumulate) && conversions[k]) e = make_expr(Cast{*conversions[k], e});
    if (!sum.defined()) sum = term.negative ? make_expr(Negate{e}) : e;
    else sum = make_expr(Binary{term.negative ? BinaryOp::Sub : BinaryOp::Add, sum, e});
  }
  if (!sum.defined()) return std::nullopt;
  // Variables and tensors are told apart by identity: reading the text makes one of each name.
  return parse_statement(to_string(Statement{renamer.go(result), false, sum, ""}));
}

bool Launch::computes(const Values& at) const {
  const std::vector<Term> terms = terms_of(statement);
  return std::any_of(terms.begin(), terms.end(), [&](const Term& term) { return counts(term, at); });
}

bool Launch::counts(const Term& term, const Values& at) const {
  for (const Loop& loop : loops) {
    const std::string root = variables.roots_of(loop.variable)[0];
    const bool has_values = !variables.values_of(root, {}).empty(), is_summed = has_name(summed_variables(term), root);
    if (is_summed && has_values && variables.values_of(root, at).empty()) return false;  // zeros, which others have
    if (is_summed || has_name(result.indices, root)) continue;
    if (has_values ? !variables.values_of(root, at).contains(0) : at.at(loop.variable) != 0) return false;
  }
  return true;
}

}  // namespace lacuna::launch
