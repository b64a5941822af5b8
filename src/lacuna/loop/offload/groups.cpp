#include "lacuna/loop/build.h"
#include "lacuna/loop/offload/group_code.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/error.h"

// Loops whose iterations blocks or warps run. Where a group has nothing of its own, there is one for each iteration;
// else there are so many that what they have fits, and each runs an iteration of every so many.
namespace lacuna::loop::offloading {
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

/// Whether groups, or what runs loops inside of them, have memory or sums of their own that last as long as they do.
bool has_own_inside(const For& loop) {
  bool found = has_own(loop);
  for_each(loop.body, [&](const Stmt& each) {
    const auto* node = std::get_if<For>(&each->kind);
    found = found || (node != nullptr && node->mode == LoopMode::Parallel && !own_arrays(*node).empty());
  });
  return found;
}

/// The variables of the host are those that the launch does not declare.
void check_known_before(const Allocate& own, const For& loop) {
  std::set<Var> inside{loop.var};
  for_each(loop.body, [&](const Stmt& each) {
    if (const auto* node = std::get_if<Declare>(&each->kind)) inside.insert(node->var);
    if (const auto* node = std::get_if<For>(&each->kind)) inside.insert(node->var);
  });
  for_each(own.count, [&](const Expr& each) {
    const auto* use = std::get_if<VarUse>(&each.node().kind);
    if (use != nullptr && inside.contains(use->var))
      refuse_groups("how large " + own.array.name() + " is depends on " + use->var.name() +
                    ", which a launch computes; run only the outermost loop on GPUThread");
  });
}

}  // namespace

struct Host::GroupShape {
  std::int64_t threads, warps, in_block;  // of a block; groups of a block
  bool of_blocks;
};

/// The arrays that groups have, and those that run loops inside of them.
void Host::measure_own(const For& loop, const GroupShape& shape, Team& team, Statements& out) {
  const auto measure_all = [&](const For& of, std::int64_t members) {
    for (const Allocate& each : own_arrays(of)) {
      check_known_before(each, loop);
      measure(each.array, each.count, each.zeroed, members, team, out);
    }
  };
  measure_all(loop, 0);
  for_each(loop.body, [&](const Stmt& each) {
    const auto* node = std::get_if<For>(&each->kind);
    if (node == nullptr || node->mode != LoopMode::Parallel) return;
    measure_all(*node, node->unit == DeviceUnit::Warp ? shape.warps : shape.of_blocks ? shape.threads : shape_.warp);
  });
}

/// What a group runs: one iteration, or those of every so many.
Stmt Host::group_body(const For& loop, const Team& team, const Group& group, GroupCode& code) {
  const auto iteration = [&](const Var& trip) {
    return block({declare(loop.var, coordinate(loop, team.low, trip)), code.shared(loop.body, group, team.self)});
  };
  if (!has_own_inside(loop)) return iteration(team.self);
  const Var trip = fresh(loop.var.name() + "_trip", int64_type);
  Statements own = team.before;
  if (loop.setup) own.push_back(code.shared(loop.setup, group, team.self));
  own.push_back(declare(trip, team.self));
  own.push_back(while_loop(trip < team.trips, block({iteration(trip), assign(trip, trip + team.count)})));
  if (loop.teardown) own.push_back(code.shared(loop.teardown, group, team.self));
  if (!team.after.empty()) own.push_back(if_then(eq(group.number, Expr(0)), block(team.after)));
  return block(own);
}

void Host::groups(const For& loop, Statements& out) {
  if (!loop.sums.empty())
    refuse_groups("the blocks that run " + loop.var.name() + " would each have a result of their own; use GPUThread");
  const bool is_own = has_own_inside(loop);
  const Barriers barriers = barriers_of(loop, is_own);
  const GroupShape shape = shape_of(loop, barriers.of_warps);
  const Expr low = value(loop.low, out), high = value(loop.high, out), in_block(shape.in_block);
  const Var trips = fresh(loop.var.name() + "_trips", int64_type),
            blocks = fresh(loop.var.name() + "_blocks", int64_type);
  out.push_back(declare(trips, iterations(low, high, loop.step)));
  const Var count = is_own ? fresh(loop.var.name() + "_groups", int64_type) : trips;
  Team team{blocks, count, fresh("block", int64_type), fresh("thread", int64_type), fresh("self", int64_type),
            low,    trips};
  if (is_own) {
    measure_own(loop, shape, team, out);
    out.push_back(declare(count, that_fit(min(trips, Expr(shape_.most_blocks) * in_block), team)));
  }
  out.push_back(declare(blocks, (count + Expr(shape.in_block - 1)) / in_block));
  give_own_arrays(team, out);
  give_own_sums(loop, team, out);
  const Var warp_number = fresh("warp", int64_type), lane = fresh("lane", int64_type);
  const Groups groups{{shape.threads, team.thread},
                      {shape.warps, warp_number, shape_.warp},
                      {shape_.warp, lane},
                      team.arrays,
                      team.parts,
                      team.sums};
  GroupCode code(groups, barriers, names_);
  const Stmt body = group_body(loop, team, shape.of_blocks ? groups.block : groups.warp, code);
  const FunctionUsage used = usage_of(body);
  Statements inside;
  if (!shape.of_blocks || used.used.contains(warp_number))
    inside.push_back(declare(warp_number, team.thread / Expr(shape_.warp)));
  if (used.used.contains(lane)) inside.push_back(declare(lane, team.thread % Expr(shape_.warp)));
  inside.push_back(declare(team.self, shape.of_blocks ? Expr(team.block) : team.block * in_block + warp_number));
  inside.push_back(if_then(team.self < count, body));
  const std::string name = names_.unique(kernel_ + "_" + loop.var.name());
  out.push_back(launch({name, team.block, team.thread, blocks, shape.threads, block(inside), {}}));
  add_up(loop, team, out);
  out.insert(out.end(), team.releases.begin(), team.releases.end());
}

/// Where the threads of a warp have to wait for each other, a block is a warp unless warps can.
Host::GroupShape Host::shape_of(const For& loop, bool wait_in_warps) const {
  const bool of_blocks = loop.unit == DeviceUnit::Block;
  const bool is_warp = !shape_.warps_meet && (wait_in_warps || adds_up_in_warps(loop.body, of_blocks));
  const std::int64_t threads = is_warp ? shape_.warp : shape_.threads, warps = threads / shape_.warp;
  return {threads, warps, of_blocks ? 1 : warps, of_blocks};
}

}  // namespace lacuna::loop::offloading
