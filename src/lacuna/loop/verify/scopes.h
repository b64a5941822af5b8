#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lacuna/loop/ir.h"

namespace lacuna::loop::verifier {

/// Which variables are declared at a place of a function, and under how many parallel loops.
class Scopes {
 public:
  /// `reserved`: names that no variable may have.
  explicit Scopes(std::set<std::string> reserved) : reserved_(std::move(reserved)) {}

  void open() { levels_.emplace_back(); }
  void close();
  void enter_parallel(const For& loop) { parallel_.push_back(&loop); }
  void leave_parallel() { parallel_.pop_back(); }
  bool in_parallel() const { return !parallel_.empty(); }

  /// Throws InternalError when the name is no identifier, is reserved, or belongs to another variable of the function,
  /// or when the variable is in scope already.
  void declare(const Var& var);
  /// Throws InternalError unless the variable is in scope.
  void require(const Var& var) const;
  /// Throws InternalError when iterations of a parallel loop would all change the variable without reducing it.
  void require_unshared(const Var& var) const;

 private:
  std::set<std::string> reserved_;
  std::map<std::string, Var> owner_;    // of a name, in the whole function
  std::map<Var, std::size_t> visible_;  // to the number of parallel loops around the declaration
  std::vector<std::vector<Var>> levels_;
  std::vector<const For*> parallel_;
};

/// Whether the text may name something in C.
bool is_identifier(const std::string& name);

}  // namespace lacuna::loop::verifier
