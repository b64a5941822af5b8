#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "lacuna/lower/assemble/assembler.h"

namespace lacuna {

/// The assemblers of all results of a kernel, in the program's order.
class Results {
 public:
  explicit Results(Context& context);

  const std::vector<std::unique_ptr<Assembler>>& all() const { return all_; }
  /// That of one result.
  Assembler& of(const TensorVar& result) const;
  /// Those of the results that a statement assigns to.
  std::vector<Assembler*> in(const concrete::Stmt& s) const;
  /// How often the nest is run: as often as the result needs that needs the most.
  int passes() const;
  void enter_pass(int pass, Statements& out) const;
  void leave_pass(Statements& out) const;
  /// `body` at one iteration of a loop, with what each result that is assigned to in it needs around it.
  loop::Stmt iteration(const concrete::Forall& f, const Scope& scope,
                       const std::function<loop::Stmt(const Scope&)>& body) const;

 private:
  std::vector<std::unique_ptr<Assembler>> all_;
};

}  // namespace lacuna
