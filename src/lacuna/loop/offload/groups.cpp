#include "lacuna/loop/build.h"
#include "lacuna/loop/offload/device_code.h"
#include "lacuna/loop/offload/host.h"
#include "lacuna/loop/reductions.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/error.h"

// Loops whose iterations blocks or warps run. All threads of a group execute its iteration, each with scalars of its
// own, which have the same values. The iterations of a loop inside that warps or threads run are partitioned among
// them; scalars that it reduces are added up by all of the group, in as many exchanges as the group doubles. All other
// stores are made by the first thread. No thread may read what others store: that would take barriers.
namespace lacuna::loop::offloading {
namespace {

[[noreturn]] void refuse_groups(const std::string& what) {
  user_error("this schedule cannot run on a device: {}", what);
}

/// What executes the same statements: threads, or warps.
struct Group {
  std::int64_t count;       // of them
  Expr number;              // of one among them, from 0
  std::int64_t stride = 1;  // threads from one to the next
};

/// low + number * step
Expr counted(const Expr& low, const Expr& number, std::int64_t step) {
  const Expr steps = step == 1 ? number : number * constant(number.type().scalar, step);
  return is_constant(low, 0) ? steps : low + steps;
}

/// The arrays that a statement stores to but by atomic updates.
std::set<Var> stored_plainly(const Stmt& body) {
  std::set<Var> found;
  for_each(body, [&](const Stmt& each) {
    if (const auto* node = std::get_if<Store>(&each->kind); node != nullptr && !node->atomic) found.insert(node->array);
    if (const auto* node = std::get_if<Fill>(&each->kind)) found.insert(node->array);
    if (const auto* node = std::get_if<Sort>(&each->kind)) found.insert(node->array);
  });
  return found;
}

class GroupCode {
 public:
  GroupCode(const Group& block, const Group& warps, const Group& warp, const Var& iteration, NameSupply& names)
      : block_(block), warps_(warps), warp_(warp), names_(names), inside_{iteration} {}

  /// A statement that all of a group come to.
  Stmt shared(const Stmt& stmt, const Group& group) {
    if (!stmt) return stmt;
    const auto& kind = stmt->kind;
    if (const auto* node = std::get_if<Block>(&kind)) {
      Statements all;
      for (const Stmt& each : node->statements) all.push_back(shared(each, group));
      return block(std::move(all));
    }
    if (const auto* node = std::get_if<If>(&kind))
      return if_then(node->condition, shared(node->then_branch, group), shared(node->else_branch, group));
    if (const auto* node = std::get_if<While>(&kind)) return while_loop(node->condition, repeated(node->body, group));
    if (const auto* node = std::get_if<For>(&kind)) return loop(*node, group);
    if (const auto* node = std::get_if<Declare>(&kind)) inside_.insert(node->var);
    const Stmt code = device_code(stmt, {}, {});
    const std::set<Var> stored = usage_of(stmt).written;
    std::set<Var>& by_first = &group == &block_ ? by_first_of_block_ : by_first_of_warps_;
    by_first.insert(stored.begin(), stored.end());
    return stored.empty() ? code : if_then(eq(group.number, Expr(0)), code);
  }

  /// Whatever one of the threads stores, no other one may read or store: it would have to wait.
  void check_stores(const Stmt& body) const {
    const std::set<Var> written = usage_of(body).written;
    for_each_expression(body, [&](const Expr& each) {
      const auto* load = std::get_if<Load>(&each.node().kind);
      if (load != nullptr && written.contains(load->array))
        refuse_groups("threads of a block would read what others of them store in " + load->array.name() +
                      "; run only the outermost loop on GPUThread");
    });
    refuse_both(by_all_, by_first_of_block_);
    refuse_both(by_all_, by_first_of_warps_);
    refuse_both(by_first_of_warps_, by_first_of_block_);
  }

 private:
  Stmt repeated(const Stmt& body, const Group& group) {
    ++repeats_;
    const Stmt code = shared(body, group);
    --repeats_;
    return code;
  }

  Stmt loop(const For& node, const Group& group) {
    inside_.insert(node.var);
    if (node.mode != LoopMode::Parallel)
      return for_loop_by(node.var, node.low, node.high, node.step, repeated(node.body, group));
    if (node.setup || node.teardown || !node.sums.empty())
      refuse_groups("the threads that run " + node.var.name() +
                    " would have memory of their own; say Atomics, or run only the outermost loop on GPUThread");
    const std::set<Var> plainly = stored_plainly(node.body);
    check_owners(node, plainly);
    std::map<Var, Var> own;
    for (const Reduction& each : node.reductions)
      own.emplace(each.var, Var(names_.unique(each.var.name() + "_own"), each.var.type()));
    if (node.unit == DeviceUnit::Warp) {
      note_once(node, plainly, by_each_warp_);
      return reduced(node, own, warps_, dealt(node, warps_, device_code(shared(node.body, warp_), {}, own)));
    }
    const std::set<Var> written = usage_of(node.body).written;
    by_all_.insert(written.begin(), written.end());
    note_once(node, plainly, by_each_);
    return reduced(node, own, group, dealt(node, group, device_code(node.body, {}, own)));
  }

  /// A loop that adds to scalars of each thread's own, before and after which all of the group have the same sum.
  Stmt reduced(const For& node, const std::map<Var, Var>& own, const Group& group, const Stmt& loop) const {
    if (own.empty()) return loop;
    Statements before, after;
    for (const Reduction& each : node.reductions) {
      const Var& sum = own.at(each.var);
      before.push_back(declare(sum, Expr(identity(each.op, sum.type().scalar))));
      add_up(sum, each.op, group, after);
      after.push_back(assign(each.var, combined(each.op, each.var, sum)));
    }
    Statements all = std::move(before);
    all.push_back(loop);
    all.insert(all.end(), after.begin(), after.end());
    return block(std::move(all));
  }

  /// Those of neighbours last, but for threads that are farther apart than those of a warp are: so that the order of
  /// sums is that of a machine whose warps add up what is theirs first.
  void add_up(const Var& sum, StoreOp op, const Group& group, Statements& out) const {
    constexpr std::int64_t near = 32;
    std::vector<std::int64_t> offsets;
    for (std::int64_t offset = near / 2; offset >= group.stride; offset /= 2)
      if (offset < group.stride * group.count) offsets.push_back(offset);
    for (std::int64_t offset = group.stride * group.count / 2; offset >= std::max(near, group.stride); offset /= 2)
      offsets.push_back(offset);
    if (offsets.empty()) return;
    const Var other(names_.unique(sum.name() + "_of_other"), sum.type());
    out.push_back(declare(other));
    for (const std::int64_t offset : offsets) {
      out.push_back(exchange({other, sum, offset, group.stride * group.count}));
      out.push_back(assign(sum, combined(op, sum, other)));
    }
  }

  /// Who stores an element must be the same in each iteration of the loops around it: where an iteration of this one
  /// always goes to the same thread, or warp.
  void check_owners(const For& node, const std::set<Var>& stored) const {
    if (repeats_ == 0 || stored.empty()) return;
    for_each(node.low, [&](const Expr& each) {
      const auto* use = std::get_if<VarUse>(&each.node().kind);
      if (std::holds_alternative<Load>(each.node().kind) || (use != nullptr && inside_.contains(use->var)))
        refuse_twice(node, *stored.begin());
    });
  }
  static void note_once(const For& node, const std::set<Var>& stored, std::set<Var>& seen) {
    for (const Var& each : stored)
      if (!seen.insert(each).second) refuse_twice(node, each);
  }
  static void refuse_both(const std::set<Var>& some, const std::set<Var>& others) {
    for (const Var& each : some)
      if (others.contains(each))
        refuse_groups("threads of a block would store to " + each.name() +
                      " after another of them did; run only the outermost loop on GPUThread");
  }
  [[noreturn]] static void refuse_twice(const For& node, const Var& array) {
    refuse_groups("two threads of a block may store to the same element of " + array.name() +
                  ", one after the other in " + node.var.name() +
                  "; say Atomics, or run only the outermost loop on GPUThread");
  }

  /// Each of the group runs an iteration of every so many.
  static Stmt dealt(const For& node, const Group& group, const Stmt& body) {
    const Type type = node.var.type().scalar;
    const Expr first = counted(node.low, convert(group.number, type), node.step);
    return for_loop_by(node.var, first, node.high, node.step * group.count, body);
  }

  const Group& block_;
  const Group& warps_;
  const Group& warp_;
  NameSupply& names_;
  int repeats_ = 0;       // serial loops around
  std::set<Var> inside_;  // scalars whose values differ from iteration to iteration
  // What the first thread of each stores; what each thread may store; what it and each warp may store plainly.
  std::set<Var> by_first_of_block_, by_first_of_warps_, by_all_, by_each_, by_each_warp_;
};

}  // namespace

namespace {

/// Whether a loop inside has sums that threads of a warp add up, or warps of a block.
bool adds_up_in_warps(const Stmt& body, bool is_of_blocks) {
  bool found = false;
  for_each(body, [&](const Stmt& each) {
    const auto* node = std::get_if<For>(&each->kind);
    if (node == nullptr || node->mode != LoopMode::Parallel) return;
    if (node->unit == DeviceUnit::Warp) found = found || adds_up_in_warps(node->body, false);
    else found = found || (!is_of_blocks && !node->reductions.empty());
  });
  return found;
}

}  // namespace

void Host::groups(const For& loop, Statements& out) {
  if (loop.setup || loop.teardown || !loop.sums.empty() || !loop.reductions.empty())
    refuse_groups("the blocks that run " + loop.var.name() + " would have memory or sums of their own; use GPUThread");
  const bool of_blocks = loop.unit == DeviceUnit::Block;
  // Where all of a block have to wait for each other, a block is a warp.
  const std::int64_t threads =
      !shape_.warps_meet && adds_up_in_warps(loop.body, of_blocks) ? shape_.warp : shape_.threads;
  const std::int64_t in_block = of_blocks ? 1 : threads / shape_.warp;  // groups
  const Expr low = value(loop.low, out), high = value(loop.high, out);
  const Var trips = fresh(loop.var.name() + "_trips", int64_type),
            blocks = fresh(loop.var.name() + "_blocks", int64_type);
  const Expr all = convert(high, Type::Int64) - convert(low, Type::Int64);
  out.push_back(declare(trips, max(Expr(0), (all + Expr(loop.step - 1)) / Expr(loop.step))));
  out.push_back(declare(blocks, (trips + Expr(in_block - 1)) / Expr(in_block)));
  const Var block_number = fresh("block", int64_type), thread = fresh("thread", int64_type);
  const Var self = fresh("self", int64_type), warp_number = fresh("warp", int64_type), lane = fresh("lane", int64_type);
  const Group in_all{threads, thread}, warps{threads / shape_.warp, warp_number, shape_.warp},
      in_warp{shape_.warp, lane};
  GroupCode code(in_all, warps, in_warp, loop.var, names_);
  const Type type = loop.var.type().scalar;
  const Stmt body = code.shared(loop.body, of_blocks ? in_all : in_warp);
  code.check_stores(loop.body);
  const Expr at = counted(convert(low, type), convert(Expr(self), type), loop.step);
  const FunctionUsage used = usage_of(body);
  Statements inside;
  if (!of_blocks || used.used.contains(warp_number)) inside.push_back(declare(warp_number, thread / Expr(shape_.warp)));
  if (used.used.contains(lane)) inside.push_back(declare(lane, thread % Expr(shape_.warp)));
  inside.push_back(declare(self, of_blocks ? Expr(block_number) : block_number * Expr(in_block) + warp_number));
  inside.push_back(if_then(self < trips, block({declare(loop.var, at), body})));
  const std::string name = names_.unique(kernel_ + "_" + loop.var.name());
  out.push_back(launch({name, block_number, thread, blocks, threads, block(inside), {}}));
}

}  // namespace lacuna::loop::offloading
