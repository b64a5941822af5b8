#pragma once

#include <string>
#include <vector>

#include "lacuna/loop/passes.h"
#include "lacuna/loop/usage.h"

namespace lacuna::loop::offloading {

using Statements = std::vector<Stmt>;

struct Group;
class GroupCode;

/// Emits the statements of the host.
class Host {
 public:
  Host(const Module& module, const LaunchShape& shape)
      : kernel_(module.name), shape_(shape), names_(names_of(module)) {}

  /// Statements that follow one another in one scope.
  void run(const Statements& list, Statements& out);

 private:
  /// A statement of the host's own.
  void run(const Stmt& stmt, Statements& out);
  void loop(const For& node, Statements& out);
  void loop(const While& node, Statements& out);
  Stmt nested(const Stmt& body);
  /// The value of an expression, of which the host reads back what is in arrays.
  Expr value(const Expr& expr, Statements& out);

  /// serial.cpp: statements that one thread of the device runs; `later`: what comes after them in their scope.
  void serial(const Statements& group, const Statements& later, Statements& out);
  void read_results(const Stmt& body, const std::vector<Var>& results, Statements& out);

  /// parallel.cpp: a loop whose iterations threads of the device run.
  void parallel(const For& loop, Statements& out);
  struct Team;
  Team team_of(const For& loop, Statements& out);
  void count_threads(const For& loop, Team& team, Statements& out);
  void measure(const Var& own, const Expr& count, bool zeroed, std::int64_t members, Team& team, Statements& out);
  Expr that_fit(const Expr& count, const Team& team) const;
  void give_own_arrays(Team& team, Statements& out);
  void give_own_sums(const For& loop, Team& team, Statements& out);
  void add_up(const For& loop, const Team& team, Statements& out);

  /// groups.cpp: a loop whose iterations blocks or warps run.
  void groups(const For& loop, Statements& out);
  struct GroupShape;
  GroupShape shape_of(const For& loop, bool wait_in_warps) const;
  void measure_own(const For& loop, const GroupShape& shape, Team& team, Statements& out);
  Stmt group_body(const For& loop, const Team& team, const Group& group, GroupCode& code);

  Var fresh(const std::string& name, const IrType& type) { return Var(names_.unique(name), type); }

  std::string kernel_;
  LaunchShape shape_;
  NameSupply names_;
};

/// Whether an expression neither reads arrays nor calls functions.
bool is_of_scalars(const Expr& expr);

}  // namespace lacuna::loop::offloading
