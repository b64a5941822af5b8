#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"

namespace lacuna {
namespace {

/// A term's accesses with indices, and how often its variables are written.
class TermAccesses {
 public:
  explicit TermAccesses(const Term& term) : term_(term) { collect(term.expr); }

  /// Those that share no index with anything else: each is summed by itself and multiplies the rest.
  std::vector<Access> alone() const {
    std::vector<Access> found;
    for (const Access& access : accesses_)
      if (is_alone(access)) found.push_back(access);
    // Of x(i)*y(j) one has the wrong index; the other one it was meant to go with.
    if (found.size() == accesses_.size() && !found.empty()) found.erase(found.begin());
    return found;
  }

  /// The access with the index that it was probably meant to have: the only other one that a single access uses.
  std::optional<Access> meant(const Access& access) const {
    std::vector<IndexVar> others;
    for (const IndexVar& var : term_.sums)
      if (uses(var) == 1 && !contains(access.indices, var)) others.push_back(var);
    if (others.size() != 1 || access.indices.size() != 1) return std::nullopt;
    return Access{access.tensor, others};
  }

 private:
  void collect(const Expr& e) {
    if (const auto* access = as<Access>(e); access != nullptr && !access->indices.empty()) {
      accesses_.push_back(*access);
      used_.insert(used_.end(), access->indices.begin(), access->indices.end());
    }
    if (const auto* value = as<IndexValue>(e)) used_.push_back(value->var);
    for (const Expr& child : children(e)) collect(child);
  }

  std::ptrdiff_t uses(const IndexVar& var) const { return std::count(used_.begin(), used_.end(), var); }

  bool is_alone(const Access& access) const {
    return std::all_of(access.indices.begin(), access.indices.end(), [&](const IndexVar& var) {
      return contains(term_.sums, var) && uses(var) == std::count(access.indices.begin(), access.indices.end(), var);
    });
  }

  const Term& term_;
  std::vector<Access> accesses_;
  std::vector<IndexVar> used_;
};

std::string doubt_about(const Term& term, const Access& access, const std::optional<Access>& meant) {
  std::vector<std::string> names;
  for (const IndexVar& var : access.indices)
    if (std::find(names.begin(), names.end(), var.name()) == names.end()) names.push_back(var.name());
  const std::string text = to_string(make_expr(access));
  const std::string variables = fmt::format("{}", fmt::join(names, ", "));
  return fmt::format(
      "in {0}, {1} {2} used only in {3}, so that all of {4} is summed over {1}{5} (if the sum is meant, "
      "sum({1}, {3}) says so)",
      to_string(term.expr), variables, names.size() == 1 ? "is" : "are", text, access.tensor.name(),
      meant ? fmt::format("; did you mean {}?", to_string(make_expr(*meant))) : "");
}

}  // namespace

std::vector<std::string> doubts_about(const Statement& s) {
  std::vector<std::string> doubts;
  for (const Term& term : terms_of(s)) {
    const TermAccesses accesses(term);
    for (const Access& access : accesses.alone()) doubts.push_back(doubt_about(term, access, accesses.meant(access)));
  }
  return doubts;
}

}  // namespace lacuna
