#pragma once

#include <map>
#include <set>
#include <vector>

#include "lacuna/loop/offload/barriers.h"
#include "lacuna/loop/offload/team.h"

namespace lacuna::loop::offloading {

/// What executes the same statements: threads, or warps.
struct Group {
  std::int64_t count;       // of them
  Expr number;              // of one among them, from 0
  std::int64_t stride = 1;  // threads from one to the next
  std::int64_t threads() const { return count * stride; }
};

/// The groups of a launch, and what they have for themselves.
struct Groups {
  Group block, warps, warp;  // threads of a block, warps of a block, threads of a warp
  const std::vector<OwnArray>& arrays;
  const std::map<Var, Part>& parts;
  const std::map<Var, Var>& renamed;
};

/// What the threads of groups run.
class GroupCode {
 public:
  GroupCode(const Groups& groups, const Barriers& barriers, NameSupply& names)
      : groups_(groups), barriers_(barriers), names_(names) {}

  /// A statement that all of a group execute, whose number among all such groups is `member`.
  Stmt shared(const Stmt& stmt, const Group& group, const Expr& member);

 private:
  Stmt without_barrier(const Stmt& stmt, const Group& group, const Expr& member);
  Stmt repeated(const StmtNode* loop, const Stmt& body, const Group& group, const Expr& member);
  Stmt loop(const For& node, const StmtNode* at, const Group& group, const Expr& member);
  std::map<Var, Var> own_sums(const For& node);
  std::map<Var, Var> with_own_sums(std::map<Var, Var> own) const;
  Stmt shared_by_threads(const For& node, const Group& group, const Expr& member);
  Stmt shared_by_warps(const For& node, const Expr& member);
  void begin_own(const For& node, const Expr& member, std::vector<Stmt>& out) const;
  Stmt reduced(const For& node, const std::map<Var, Var>& own, const Group& group, Stmt loop);
  void add_up(const Var& sum, StoreOp op, const Group& group, std::vector<Stmt>& out);

  Expr here(const Expr& expr) const { return device_code(expr, groups_.parts, groups_.renamed); }
  Stmt here(const Stmt& stmt) const { return device_code(stmt, groups_.parts, groups_.renamed); }
  Stmt for_each_share(const For& node, const Group& group, const Stmt& body) const;

  const Groups& groups_;
  const Barriers& barriers_;
  NameSupply& names_;
  std::set<Var> copies_;  // arrays of which each thread of a group has one
};

/// Throws Error that says what the threads of a group cannot do.
[[noreturn]] void refuse_groups(const std::string& what);

}  // namespace lacuna::loop::offloading
