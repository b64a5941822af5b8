#include "lacuna/schedule/automatic/groups.h"

#include <algorithm>
#include <set>

#include "lacuna/notation/operators.h"

namespace lacuna {
namespace {

class Splitter {
 public:
  explicit Splitter(const ScheduleProblem& problem)
      : problem_(problem), old_(old_result_name(problem.statement), problem.statement.lhs.tensor.order()) {
    for (const auto& [name, facts] : problem.operands) {
      facts_[name] = {facts.type, std::nullopt};
      taken_.insert(name);
    }
    taken_.insert(problem.statement.lhs.tensor.name());
  }

  GroupedStatement split() {
    const Statement& s = problem_.statement;
    GroupedStatement out{s.lhs, {}, {}};
    for (const IndexVar& v : s.lhs.indices)
      if (std::find(out.left.begin(), out.left.end(), v) == out.left.end()) out.left.push_back(v);
    if (s.accumulate) add({false, make_expr(Access{old_, s.lhs.indices}), {}}, out);
    for (const Term& t : terms_of(s)) add({t.negative, read_old(t.expr), t.sums}, out);
    std::stable_partition(out.groups.begin(), out.groups.end(), [](const Group& g) { return g.sums.empty(); });
    return out;
  }

 private:
  /// The result on the right side is its old contents.
  Expr read_old(const Expr& e) const {
    if (const auto* a = as<Access>(e))
      return a->tensor == problem_.statement.lhs.tensor ? make_expr(Access{old_, a->indices}, e.where()) : e;
    std::vector<Expr> operands = children(e);
    for (Expr& x : operands) x = read_old(x);
    return with_children(e, operands);
  }

  void add(const Term& term, GroupedStatement& out) {
    Group* group = nullptr;
    for (Group& g : out.groups)
      if (std::is_permutation(g.sums.begin(), g.sums.end(), term.sums.begin(), term.sums.end())) group = &g;
    if (group == nullptr) group = &out.groups.emplace_back(Group{{}, term.sums, {}, {}});
    for (const Access& a : accesses(term.expr)) group->accesses.push_back(a);
    Expr e = take_sums(term.expr, *group);
    if (type_of(e, facts_) != problem_.compute_type) e = cast(problem_.compute_type, e);
    if (!group->expr.defined()) group->expr = term.negative ? -e : e;
    else group->expr = term.negative ? group->expr - e : group->expr + e;
  }

  Expr take_sums(const Expr& e, Group& group) {
    if (const auto* s = as<Sum>(e)) {
      const Expr body = take_sums(s->body, group);
      const Type type = promote(type_of(body, facts_));
      NestedSum sum{TensorVar(fresh_name(), 0), s->var, body, type, free_variables(e)};
      facts_[sum.scalar.name()] = {type, std::nullopt};
      group.nested.push_back(sum);
      return make_expr(Access{sum.scalar, {}}, e.where());
    }
    std::vector<Expr> operands = children(e);
    for (Expr& x : operands) x = take_sums(x, group);
    return with_children(e, operands);
  }

  std::string fresh_name() {
    for (int n = 1;; ++n) {
      std::string name = "s" + std::to_string(n);
      if (taken_.insert(name).second) return name;
    }
  }

  const ScheduleProblem& problem_;
  TensorVar old_;
  FactsByName facts_;
  std::set<std::string> taken_;
};

}  // namespace

std::string old_result_name(const Statement& s) {
  const std::vector<std::string> names = operand_names(s);
  std::string name = s.lhs.tensor.name() + "_old";
  while (std::find(names.begin(), names.end(), name) != names.end()) name += "_";
  return name;
}

GroupedStatement group_terms(const ScheduleProblem& problem) { return Splitter(problem).split(); }

}  // namespace lacuna
