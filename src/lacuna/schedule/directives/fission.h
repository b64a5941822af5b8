#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lacuna/concrete/program.h"

namespace lacuna::directives {

/// Loop fission: loops around several statements become loops around each of them.
///
///   forall i (y(i) += b(i); forall j y(i) += A(i,j)*x(j))
///     ->  forall i y(i) += b(i);  forall i forall j y(i) += A(i,j)*x(j)
///
/// Temporaries that a where around the statements makes go to the statements that read them.
class Fission {
 public:
  /// `inside`: what is inside the loops. Lives as long as that does.
  explicit Fission(const concrete::Stmt& inside);

  /// How many statements run one after the other there; one where there is nothing to split.
  std::size_t size() const { return statements_.size(); }

  /// The statements from `first` up to `last`, with the producers of what they read.
  concrete::Stmt part(std::size_t first, std::size_t last) const;

  /// Why loops over these variables cannot be split into loops around each of the parts, which are all of the
  /// statements in their order; empty where they can.
  static std::string obstacle(const concrete::Program& p, const std::vector<IndexVar>& loops,
                              const std::vector<concrete::Stmt>& parts);

 private:
  std::vector<concrete::Stmt> statements_;
  std::vector<std::vector<concrete::Stmt>> producers_;  // of each where around the statements, innermost first
};

}  // namespace lacuna::directives
