#include "lacuna/loop/build.h"
#include "lacuna/loop/offload/device_code.h"
#include "lacuna/loop/offload/host.h"
#include "lacuna/loop/reductions.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/error.h"

// Parallel loops. Where a thread has nothing of its own, there is one for each iteration; else there are so many that
// what they have fits, and each runs an iteration of every so many.
namespace lacuna::loop::offloading {

/// The threads of one launch.
struct Host::Team {
  Var blocks, count;        // of blocks, and of threads in all of them
  Var block, thread, self;  // in the launch: which one a thread is, and its number among all
  Expr low, trips;
  std::map<Var, Part> parts = {};      // arrays of each thread's own
  std::map<Var, Var> sums = {};        // scalars that are reduced, and what a thread has in their place
  std::map<Var, Var> shares = {};      // scalars that are reduced, and the array of what threads have
  Statements before = {}, after = {};  // inside the launch
  Statements releases = {};            // of the host
};

namespace {

/// The arrays that each thread of a loop allocates before its first iteration.
std::vector<Allocate> own_arrays(const For& loop) {
  std::vector<Allocate> found;
  if (!loop.setup) return found;
  const auto* together = std::get_if<Block>(&loop.setup->kind);
  for (const Stmt& each : together != nullptr ? together->statements : Statements{loop.setup})
    if (const auto* node = std::get_if<Allocate>(&each->kind)) found.push_back(*node);
  return found;
}

/// How many iterations a loop has.
Expr iterations(const Expr& low, const Expr& high, std::int64_t step) {
  const Expr all =
      is_constant(low, 0) ? convert(high, Type::Int64) : convert(high, Type::Int64) - convert(low, Type::Int64);
  return max(Expr(0), step == 1 ? all : (all + Expr(step - 1)) / Expr(step));
}

/// The value of the loop's variable in an iteration.
Expr coordinate(const For& loop, const Expr& low, const Expr& trip) {
  const Type type = loop.var.type().scalar;
  const Expr steps = convert(loop.step == 1 ? trip : trip * Expr(loop.step), type);
  return is_constant(low, 0) ? steps : convert(low, type) + steps;
}

bool has_own(const For& loop) { return loop.setup || loop.teardown || !loop.sums.empty() || !loop.reductions.empty(); }

}  // namespace

Host::Team Host::team_of(const For& loop, Statements& out) {
  const std::string& name = loop.var.name();
  const Expr low = value(loop.low, out), high = value(loop.high, out);
  const Var trips = fresh(name + "_trips", int64_type), blocks = fresh(name + "_blocks", int64_type);
  out.push_back(declare(trips, iterations(low, high, loop.step)));
  const Expr needed = (trips + Expr(shape_.threads - 1)) / Expr(shape_.threads);
  out.push_back(declare(blocks, has_own(loop) ? min(needed, Expr(shape_.most_blocks)) : needed));
  const Var count = fresh(name + "_threads", int64_type);
  if (has_own(loop)) out.push_back(declare(count, blocks * Expr(shape_.threads)));
  return {blocks, count, fresh("block", int64_type), fresh("thread", int64_type), fresh("self", int64_type),
          low,    trips};
}

/// Memory of a size that the host knows, which threads have from before their first iteration.
void Host::give_own_arrays(const For& loop, Team& team, Statements& out) {
  const auto give = [&](const Var& own, const Expr& count, bool zeroed) {
    const Var all = fresh(own.name() + "_all", own.type());
    const Var size = fresh(own.name() + "_size", int64_type), first = fresh(own.name() + "_first", int64_type);
    out.push_back(declare(size, value(count, out)));
    out.insert(out.end(), {declare_array(all), allocate(all, team.count * size, zeroed)});
    team.releases.push_back(release(all));
    team.before.push_back(declare(first, team.self * size));
    team.parts.emplace(own, Part{all, first});
    return all;
  };
  for (const Allocate& each : own_arrays(loop)) give(each.array, each.count, each.zeroed);
  for (const OwnSum& each : loop.sums) give(each.own, each.count, true);
}

/// Each thread stores what it has of a sum, and then they are added up.
void Host::give_own_sums(const For& loop, Team& team, Statements& out) {
  for (const Reduction& each : loop.reductions) {
    const Type type = each.var.type().scalar;
    const Var own = fresh(each.var.name() + "_own", each.var.type());
    const Var shares = fresh(each.var.name() + "_shares", array_type(type));
    out.insert(out.end(), {declare_array(shares), allocate(shares, team.count, false)});
    team.releases.push_back(release(shares));
    team.before.push_back(declare(own, Expr(identity(each.op, type))));
    team.after.push_back(store(shares, team.self, own));
    team.sums.emplace(each.var, own);
    team.shares.emplace(each.var, shares);
  }
}

void Host::add_up(const For& loop, const Team& team, Statements& out) {
  Statements scalars;
  for (const Reduction& each : loop.reductions) {
    const Var k = fresh("k", int64_type);
    const Expr sum = combined(each.op, each.var, load(team.shares.at(each.var), k));
    scalars.push_back(for_loop(k, Expr(0), team.count, assign(each.var, sum)));
  }
  serial(scalars, {}, out);
  for (const OwnSum& each : loop.sums) {
    const Part& part = team.parts.at(each.own);
    const Var size = fresh(each.own.name() + "_count", int64_type), k = fresh("k", int64_type),
              t = fresh("t", int64_type);
    out.push_back(declare(size, value(each.count, out)));
    const Stmt add = store(each.total, k, load(part.all, t * size + k), StoreOp::Add);
    parallel({k, Expr(0), size, 1, for_loop(t, Expr(0), team.count, add), LoopMode::Parallel}, out);
  }
}

void Host::parallel(const For& loop, Statements& out) {
  Team team = team_of(loop, out);
  give_own_arrays(loop, team, out);
  give_own_sums(loop, team, out);
  const auto code = [&](const Stmt& stmt) { return stmt ? device_code(stmt, team.parts, team.sums) : block({}); };
  Statements body{declare(team.self, team.block * Expr(shape_.threads) + team.thread)};
  body.insert(body.end(), team.before.begin(), team.before.end());
  if (has_own(loop)) {
    const Var trip = fresh(loop.var.name() + "_trip", int64_type);
    body.push_back(code(loop.setup));
    body.push_back(declare(trip, team.self));
    body.push_back(while_loop(trip < team.trips, block({declare(loop.var, coordinate(loop, team.low, trip)),
                                                        code(loop.body), assign(trip, trip + team.count)})));
    body.push_back(code(loop.teardown));
  } else {
    body.push_back(if_then(team.self < team.trips,
                           block({declare(loop.var, coordinate(loop, team.low, team.self)), code(loop.body)})));
  }
  body.insert(body.end(), team.after.begin(), team.after.end());
  const std::string name = names_.unique(kernel_ + "_" + loop.var.name());
  out.push_back(launch({name, team.block, team.thread, team.blocks, shape_.threads, block(body), {}}));
  add_up(loop, team, out);
  out.insert(out.end(), team.releases.begin(), team.releases.end());
}

}  // namespace lacuna::loop::offloading
