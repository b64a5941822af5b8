#include <algorithm>
#include <set>

#include "fuzz/statement/draw.h"
#include "lacuna/notation/operators.h"

namespace lacuna::fuzz {
namespace {

class StatementDrawer {
 public:
  StatementDrawer(Random& random, std::map<std::string, std::int64_t>& extents) : random_(random), extents_(extents) {}

  Statement run() {
    draw_variables();
    draw_left();
    const int terms = 1 + random_.weighted({62, 26, 12});
    int leaves = random_.percent(2) ? 0 : 1 + random_.weighted({24, 34, 23, 12, 7});
    Expr rhs;
    for (int t = 0; t < terms; ++t) {
      const int mine = t + 1 == terms ? leaves : random_.between(0, leaves);
      leaves -= mine;
      Expr term = draw_term(mine);
      if (!rhs.defined()) rhs = random_.percent(8) ? -term : term;
      else rhs = random_.percent(65) ? rhs + term : rhs - term;
    }
    return Statement{lhs_, random_.percent(15), rhs, ""};
  }

 private:
  void draw_variables() {
    static const char* const names[] = {"i", "j", "k", "l", "m", "n", "o", "p"};
    // Arrays that grow do so only where there are hundreds of entries.
    const bool large = random_.percent(4);
    const int count = large ? random_.between(1, 2) : random_.weighted({1, 14, 36, 29, 12, 5, 1, 1, 1});
    const bool same = random_.percent(40);
    const auto draw = [&] {
      if (large) return static_cast<std::int64_t>(random_.between(1, count == 1 ? 900 : 60));
      return static_cast<std::int64_t>(random_.weighted({2, 8, 20, 25, 20, 12, 6, 7}));
    };
    const std::int64_t common = draw();
    for (int v = 0; v < count; ++v) {
      variables_.emplace_back(names[v]);
      extents_[names[v]] = same ? common : draw();
    }
    // The definition visits every point of this space.
    for (;;) {
      std::int64_t points = 1;
      for (const auto& [name, extent] : extents_) points *= std::max<std::int64_t>(1, extent);
      if (points <= (large ? 3600 : 700)) break;
      std::int64_t largest = 0;
      for (const auto& [name, extent] : extents_) largest = std::max(largest, extent);
      for (auto& [name, extent] : extents_) extent = extent == largest ? largest - 1 : extent;
    }
  }

  void draw_left() {
    std::vector<IndexVar> indices;
    for (const IndexVar& v : variables_)
      if (indices.size() < 5 && random_.percent(58)) indices.push_back(v);
    random_.shuffle(indices);
    if (!indices.empty() && indices.size() < 5 && random_.percent(5)) {
      const IndexVar again = random_.pick(indices);
      indices.insert(indices.begin() + random_.below(static_cast<int>(indices.size()) + 1), again);
    }
    lhs_ = Access{TensorVar("y", static_cast<int>(indices.size())), indices};
  }

  bool on_left(const IndexVar& v) const {
    return std::find(lhs_.indices.begin(), lhs_.indices.end(), v) != lhs_.indices.end();
  }

  std::vector<IndexVar> summed(const Expr& e) const {
    std::vector<IndexVar> result;
    for (const IndexVar& v : free_variables(e))
      if (!on_left(v)) result.push_back(v);
    return result;
  }

  Expr draw_access() {
    if (random_.percent(6)) return make_expr(lhs_);
    if (!tensors_.empty() && random_.percent(14)) {
      if (const std::optional<Expr> again = draw_again(random_.pick(tensors_))) return *again;
    }
    int order = random_.weighted({8, 28, 40, 15, 5, 4});
    if (variables_.size() >= 6 && random_.percent(10)) order = random_.between(6, 8);
    order = variables_.empty() ? 0 : order;
    std::vector<IndexVar> indices;
    while (static_cast<int>(indices.size()) < order) {
      const IndexVar& v = random_.pick(variables_);
      const bool repeated = std::find(indices.begin(), indices.end(), v) != indices.end();
      if (repeated && !random_.percent(10)) {
        if (indices.size() >= variables_.size()) break;
        continue;
      }
      indices.push_back(v);
    }
    const TensorVar tensor(std::string(1, static_cast<char>('A' + tensors_.size())), static_cast<int>(indices.size()));
    tensors_.push_back(Access{tensor, indices});
    return make_expr(tensors_.back());
  }

  /// Another access to a tensor, through any variables of the same extents.
  std::optional<Expr> draw_again(const Access& first) {
    Access again = first;
    for (IndexVar& index : again.indices) {
      std::vector<IndexVar> fitting;
      for (const IndexVar& v : variables_)
        if (extents_.at(v.name()) == extents_.at(index.name())) fitting.push_back(v);
      index = random_.pick(fitting);
    }
    std::set<std::string> distinct;
    for (const IndexVar& v : again.indices) distinct.insert(v.name());
    if (distinct.size() < again.indices.size() && random_.percent(70)) return std::nullopt;
    return make_expr(again);
  }

  Expr draw_literal() {
    if (random_.percent(70)) return Expr(random_.between(0, 4));
    const double values[] = {0.5, 2.0, 1.0, 3.0, 0.0, 0.25};
    return Expr(values[random_.below(6)]);
  }

  Expr draw_index_value() {
    if (variables_.empty()) return draw_literal();
    return Expr(random_.pick(variables_));
  }

  Expr draw_leafless() { return random_.percent(65) ? draw_literal() : draw_index_value(); }

  Expr draw_term(int leaves) {
    if (leaves == 0) return wrap(draw_leafless());
    if (leaves == 1) return wrap(draw_access());
    const int left = random_.between(1, leaves - 1);
    return wrap(combine(draw_term(left), draw_term(leaves - left)));
  }

  /// Perhaps a function, a literal operand or a sum around e.
  Expr wrap(const Expr& e) {
    if (!random_.percent(33)) return e;
    switch (random_.weighted({8, 8, 14, 22, 20})) {
      case 0: return -e;
      case 1: return cast(static_cast<Type>(random_.below(type_count)), e);
      case 2: return wrap_sum(e);
      case 3: return wrap_function(e);
      default: return random_.percent(50) ? combine(e, draw_leafless()) : combine(draw_leafless(), e);
    }
  }

  Expr wrap_sum(const Expr& e) {
    std::vector<IndexVar> candidates = summed(e);
    if (candidates.empty() && random_.percent(85)) return e;
    if (candidates.empty()) {
      for (const IndexVar& v : variables_)
        if (!on_left(v)) candidates.push_back(v);
    }
    if (candidates.empty()) return e;
    return sum(random_.pick(candidates), e);
  }

  Expr wrap_function(const Expr& e) {
    const FunctionInfo& f = random_.pick(functions());
    std::vector<Expr> arguments(static_cast<std::size_t>(f.arity));
    const auto mine = static_cast<std::size_t>(random_.below(f.arity));
    for (std::size_t k = 0; k < arguments.size(); ++k) arguments[k] = k == mine ? e : draw_leafless();
    return call(f.id, arguments);
  }

  static const std::vector<FunctionInfo>& functions() {
    static const std::vector<FunctionInfo> all(function_table().begin(), function_table().end());
    return all;
  }

  Expr combine(Expr a, Expr b) {
    switch (random_.weighted({54, 15, 9, 8, 14})) {
      case 0: return a * b;
      case 1: balance(a, b); return a + b;
      case 2: balance(a, b); return a - b;
      case 3: return a / b;
      default: break;
    }
    for (;;) {
      const FunctionInfo& f = random_.pick(functions());
      if (f.arity < 2) continue;
      if (f.arity == 2) return call(f.id, {a, b});
      if (random_.percent(30)) return call(f.id, {a, b, draw_leafless()});
    }
  }

  /// Addends inside a term must use the same summed variables: sums over those that only one of them uses.
  void balance(Expr& a, Expr& b) {
    const std::vector<IndexVar> of_a = summed(a);
    const std::vector<IndexVar> of_b = summed(b);
    const auto uses = [](const std::vector<IndexVar>& list, const IndexVar& v) {
      return std::find(list.begin(), list.end(), v) != list.end();
    };
    for (const IndexVar& v : of_a)
      if (!uses(of_b, v)) a = sum(v, a);
    for (const IndexVar& v : of_b)
      if (!uses(of_a, v)) b = sum(v, b);
  }

  Random& random_;
  std::map<std::string, std::int64_t>& extents_;
  std::vector<IndexVar> variables_;
  std::vector<Access> tensors_;
  Access lhs_;
};

}  // namespace

Statement draw_statement(Random& random, std::map<std::string, std::int64_t>& extents) {
  return StatementDrawer(random, extents).run();
}

}  // namespace lacuna::fuzz
