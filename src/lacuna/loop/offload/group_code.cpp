#include "lacuna/loop/offload/group_code.h"

#include <algorithm>

#include "lacuna/loop/build.h"
#include "lacuna/loop/reductions.h"
#include "lacuna/loop/usage.h"
#include "lacuna/support/check.h"

// All threads of a group execute the statements of an iteration, each with scalars of its own, which have the same
// values. The iterations of a loop inside that warps or threads run are partitioned among them; scalars that it reduces
// are added up by all of the group, in as many exchanges as the group doubles. All other stores are made by the first
// thread. Where one of them needs what another one stores, they wait for each other (barriers.cpp).
namespace lacuna::loop::offloading {

void refuse_groups(const std::string& what) { user_error("this schedule cannot run on a device: {}", what); }

Stmt GroupCode::shared(const Stmt& stmt, const Group& group, const Expr& member) {
  if (!stmt) return stmt;
  const Stmt code = without_barrier(stmt, group, member);
  return barriers_.before.contains(stmt.get()) ? block({barrier(group.threads()), code}) : code;
}

Stmt GroupCode::without_barrier(const Stmt& stmt, const Group& group, const Expr& member) {
  const auto& kind = stmt->kind;
  if (const auto* node = std::get_if<Block>(&kind)) {
    Statements all;
    for (const Stmt& each : node->statements) all.push_back(shared(each, group, member));
    return block(std::move(all));
  }
  if (const auto* node = std::get_if<If>(&kind))
    return if_then(here(node->condition), shared(node->then_branch, group, member),
                   shared(node->else_branch, group, member));
  if (const auto* node = std::get_if<While>(&kind))
    return while_loop(here(node->condition), repeated(stmt.get(), node->body, group, member));
  if (const auto* node = std::get_if<For>(&kind)) return loop(*node, stmt.get(), group, member);
  if (const auto* node = std::get_if<Fill>(&kind); node != nullptr && barriers_.is_by_first(stmt)) {
    const Var k(names_.unique("k"), node->low.type());
    const For each{k, node->low, node->high, 1, store(node->array, k, node->value), LoopMode::Parallel};
    return for_each_share(each, group, here(each.body));
  }
  if (const auto* node = std::get_if<Declare>(&kind); node != nullptr && node->size > 0) copies_.insert(node->var);
  const Stmt code = here(stmt);
  const bool is_about_memory = std::holds_alternative<Allocate>(kind) || std::holds_alternative<Release>(kind);
  return barriers_.is_by_first(stmt) && !is_about_memory ? if_then(eq(group.number, Expr(0)), code) : code;
}

Stmt GroupCode::repeated(const StmtNode* loop, const Stmt& body, const Group& group, const Expr& member) {
  const Stmt code = shared(body, group, member);
  return barriers_.at_end.contains(loop) ? block({code, barrier(group.threads())}) : code;
}

Stmt GroupCode::loop(const For& node, const StmtNode* at, const Group& group, const Expr& member) {
  if (node.mode != LoopMode::Parallel)
    return for_loop_by(node.var, here(node.low), here(node.high), node.step, repeated(at, node.body, group, member));
  if (!node.sums.empty())
    refuse_groups("the threads that run " + node.var.name() + " would each have a result of their own; say Atomics");
  for (const Var& each : usage_of(node.body).written)
    if (copies_.contains(each))
      refuse_groups("the threads that run " + node.var.name() + " would each have a part of " + each.name() +
                    "; run only the outermost loop on GPUThread");
  return node.unit == DeviceUnit::Warp ? shared_by_warps(node, member) : shared_by_threads(node, group, member);
}

/// What each has for the sums that a loop adds to.
std::map<Var, Var> GroupCode::own_sums(const For& node) {
  const std::set<Var> assigned = usage_of(node.body).assigned;
  std::map<Var, Var> own;
  for (const Reduction& each : node.reductions)
    if (assigned.contains(each.var))
      own.emplace(each.var, Var(names_.unique(each.var.name() + "_own"), each.var.type()));
  return own;
}

std::map<Var, Var> GroupCode::with_own_sums(std::map<Var, Var> own) const {
  own.insert(groups_.renamed.begin(), groups_.renamed.end());
  return own;
}

Stmt GroupCode::shared_by_threads(const For& node, const Group& group, const Expr& member) {
  const std::map<Var, Var> own = own_sums(node), renamed = with_own_sums(own);
  Statements all;
  begin_own(node, member * Expr(group.threads()) + group.number, all);
  if (node.setup) all.push_back(here(node.setup));
  const Stmt body = device_code(node.body, groups_.parts, renamed);
  all.push_back(reduced(node, own, group, for_each_share(node, group, body)));
  if (node.teardown) all.push_back(here(node.teardown));
  return block(std::move(all));
}

Stmt GroupCode::shared_by_warps(const For& node, const Expr& member) {
  const Group& warps = groups_.warps;
  const Expr number = member * Expr(warps.count) + warps.number;
  const std::map<Var, Var> own = own_sums(node), renamed = with_own_sums(own);
  const Groups inside{groups_.block, warps, groups_.warp, groups_.arrays, groups_.parts, renamed};
  GroupCode code(inside, barriers_, names_);
  Statements all;
  begin_own(node, number, all);
  all.push_back(code.shared(node.setup, groups_.warp, number));
  all.push_back(reduced(node, own, warps, for_each_share(node, warps, code.shared(node.body, groups_.warp, number))));
  all.push_back(code.shared(node.teardown, groups_.warp, number));
  all.erase(std::remove(all.begin(), all.end(), nullptr), all.end());
  return block(std::move(all));
}

/// Where the arrays begin that each of the members of a group has.
void GroupCode::begin_own(const For& node, const Expr& member, Statements& out) const {
  for (const Allocate& each : own_arrays(node)) {
    const auto own = std::find_if(groups_.arrays.begin(), groups_.arrays.end(),
                                  [&](const OwnArray& array) { return array.array == each.array; });
    internal_check(own != groups_.arrays.end(), "{} has no memory", each.array.name());
    out.push_back(declare(groups_.parts.at(each.array).first, member * Expr(own->size)));
  }
}

/// A loop that adds to scalars of each thread's own, before and after which all of the group have the same sum.
Stmt GroupCode::reduced(const For& node, const std::map<Var, Var>& own, const Group& group, Stmt loop) {
  if (own.empty()) return loop;
  Statements before, after;
  for (const Reduction& each : node.reductions) {
    if (!own.contains(each.var)) continue;
    const Var& sum = own.at(each.var);
    before.push_back(declare(sum, Expr(identity(each.op, sum.type().scalar))));
    add_up(sum, each.op, group, after);
    const auto renamed = groups_.renamed.find(each.var);
    const Var total = renamed == groups_.renamed.end() ? each.var : renamed->second;
    after.push_back(assign(total, combined(each.op, total, sum)));
  }
  Statements all = std::move(before);
  all.push_back(std::move(loop));
  all.insert(all.end(), after.begin(), after.end());
  return block(std::move(all));
}

/// Those of neighbours last, but for threads that are farther apart than those of a warp are: so that the order of
/// sums is that of a machine whose warps add up what is theirs first.
void GroupCode::add_up(const Var& sum, StoreOp op, const Group& group, Statements& out) {
  constexpr std::int64_t near = 32;
  std::vector<std::int64_t> offsets;
  for (std::int64_t offset = near / 2; offset >= group.stride; offset /= 2)
    if (offset < group.threads()) offsets.push_back(offset);
  for (std::int64_t offset = group.threads() / 2; offset >= std::max(near, group.stride); offset /= 2)
    offsets.push_back(offset);
  if (offsets.empty()) return;
  const Var other(names_.unique(sum.name() + "_of_other"), sum.type());
  out.push_back(declare(other));
  for (const std::int64_t offset : offsets) {
    out.push_back(exchange({other, sum, offset, group.threads()}));
    out.push_back(assign(sum, combined(op, sum, other)));
  }
}

/// Each of the group runs an iteration of every so many.
Stmt GroupCode::for_each_share(const For& node, const Group& group, const Stmt& body) const {
  return for_loop_by(node.var, coordinate(node, here(node.low), group.number), here(node.high), node.step * group.count,
                     body);
}

}  // namespace lacuna::loop::offloading
