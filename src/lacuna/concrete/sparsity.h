#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lacuna/notation/expr.h"

namespace lacuna::concrete {

/// A monotone Boolean formula over at most 64 atoms, as its minimal disjunctive normal form: a sorted list of atom
/// sets, none inside another. No term is false; the empty term is true. Formulas too large to keep are widened to true,
/// which is safe: a formula says where an expression *may* be present.
class Formula {
 public:
  static Formula always() { return Formula({0}); }
  static Formula never() { return Formula({}); }
  static Formula atom(int index) { return index < 64 ? Formula({std::uint64_t{1} << index}) : always(); }
  bool is_always() const { return terms_.size() == 1 && terms_[0] == 0; }
  bool is_never() const { return terms_.empty(); }
  const std::vector<std::uint64_t>& terms() const { return terms_; }
  /// All atoms that occur.
  std::uint64_t support() const;
  /// The formula with every atom of `mask` set to true.
  Formula assume(std::uint64_t mask) const;
  bool operator==(const Formula&) const = default;
  friend Formula operator&(const Formula& a, const Formula& b);
  friend Formula operator|(const Formula& a, const Formula& b);

 private:
  explicit Formula(std::vector<std::uint64_t> terms);
  std::vector<std::uint64_t> terms_;
};

/// Where an expression may be present, given where its accesses may: semantics.md's absence rules read as a formula.
Formula presence(const Expr& e, const std::function<Formula(const Access&)>& of_access);

/// Whether a present value of `e` is always (never) structural: computed from an entry that a non-full level stored.
bool always_structural(const Expr& e, const std::function<bool(const Access&)>& access_is_structural);
bool never_structural(const Expr& e, const std::function<bool(const Access&)>& access_is_structural);

/// The absence rule of a call, with pow of a positive literal exponent and the like resolved.
AbsenceRule absence_rule(const Call& call);

}  // namespace lacuna::concrete
