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
  Var blocks, count;        // of blocks, and of the threads that compute
  Var block, thread, self;  // in the launch: which one a thread is, and its number among all
  Expr low, trips;
  std::map<Var, Var> sizes = {};       // of arrays of each thread's own
  std::map<Var, Part> parts = {};      // the same arrays, as parts of others
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
  const Var count = fresh(name + "_threads", int64_type);
  out.push_back(declare(trips, iterations(low, high, loop.step)));
  Team team{blocks, count, fresh("block", int64_type), fresh("thread", int64_type), fresh("self", int64_type),
            low,    trips};
  count_threads(loop, team, out);
  return team;
}

/// A thread for each iteration or, where each needs memory, as many as fit.
void Host::count_threads(const For& loop, Team& team, Statements& out) {
  const auto blocks_of = [&](const Expr& n) { return (n + Expr(shape_.threads - 1)) / Expr(shape_.threads); };
  if (!has_own(loop)) return out.push_back(declare(team.blocks, blocks_of(team.trips)));
  Expr bytes(0);
  const auto measure = [&](const Var& own, const Expr& count) {
    const Var size = fresh(own.name() + "_size", int64_type);
    out.push_back(declare(size, value(count, out)));
    team.sizes.emplace(own, size);
    bytes = bytes + Expr(size) * Expr(std::int64_t{size_of(own.type().scalar)});
  };
  for (const Allocate& each : own_arrays(loop)) measure(each.array, each.count);
  for (const OwnSum& each : loop.sums) measure(each.own, each.count);
  Expr count = min(blocks_of(team.trips), Expr(shape_.most_blocks)) * Expr(shape_.threads);
  if (!team.sizes.empty()) count = min(count, max(Expr(1), Expr(shape_.most_bytes) / max(Expr(1), bytes)));
  out.push_back(declare(team.count, count));
  out.push_back(declare(team.blocks, blocks_of(team.count)));
}

/// Memory which threads have from before their first iteration.
void Host::give_own_arrays(const For& loop, Team& team, Statements& out) {
  const auto give = [&](const Var& own, bool zeroed) {
    const Var all = fresh(own.name() + "_all", own.type()), first = fresh(own.name() + "_first", int64_type);
    const Var& size = team.sizes.at(own);
    out.insert(out.end(), {declare_array(all), allocate(all, Expr(team.count) * Expr(size), zeroed)});
    team.releases.push_back(release(all));
    team.before.push_back(declare(first, Expr(team.self) * Expr(size)));
    team.parts.emplace(own, Part{all, first});
  };
  for (const Allocate& each : own_arrays(loop)) give(each.array, each.zeroed);
  for (const OwnSum& each : loop.sums) give(each.own, true);
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

/// Some threads each add up a stretch of what all have, and one of them the rest: always in the same order.
void Host::add_up(const For& loop, const Team& team, Statements& out) {
  Statements scalars, releases;
  for (const Reduction& each : loop.reductions) {
    const Type type = each.var.type().scalar;
    const Var shares = team.shares.at(each.var);
    const Var sums = fresh(each.var.name() + "_sums", array_type(type)), s = fresh("s", int64_type);
    const Var parts = fresh(each.var.name() + "_parts", int64_type), k = fresh("k", int64_type);
    const Var sum = fresh("sum", each.var.type()), p = fresh("p", int64_type);
    const auto begin = [&](const Expr& n) { return n * Expr(team.count) / Expr(parts); };
    out.insert(out.end(), {declare(parts, min(team.count, Expr(shape_.threads))), declare_array(sums),
                           allocate(sums, parts, false)});
    releases.push_back(release(sums));
    const Stmt add =
        for_loop(k, begin(s), begin(Expr(s) + Expr(1)), assign(sum, combined(each.op, sum, load(shares, k))));
    parallel({s, Expr(0), parts, 1, block({declare(sum, Expr(identity(each.op, type))), add, store(sums, s, sum)}),
              LoopMode::Parallel},
             out);
    scalars.push_back(for_loop(p, Expr(0), parts, assign(each.var, combined(each.op, each.var, load(sums, p)))));
  }
  serial(scalars, {}, out);
  out.insert(out.end(), releases.begin(), releases.end());
  for (const OwnSum& each : loop.sums) {
    const Part& part = team.parts.at(each.own);
    const Var &size = team.sizes.at(each.own), k = fresh("k", int64_type), t = fresh("t", int64_type);
    const Stmt add = store(each.total, k, load(part.all, Expr(t) * Expr(size) + k), StoreOp::Add);
    parallel({k, Expr(0), size, 1, for_loop(t, Expr(0), team.count, add), LoopMode::Parallel}, out);
  }
}

void Host::parallel(const For& loop, Statements& out) {
  Team team = team_of(loop, out);
  give_own_arrays(loop, team, out);
  give_own_sums(loop, team, out);
  const auto code = [&](const Stmt& stmt) { return stmt ? device_code(stmt, team.parts, team.sums) : block({}); };
  Statements body{declare(team.self, team.block * Expr(shape_.threads) + team.thread)};
  if (has_own(loop)) {
    const Var trip = fresh(loop.var.name() + "_trip", int64_type);
    Statements own = team.before;
    own.push_back(code(loop.setup));
    own.push_back(declare(trip, team.self));
    own.push_back(while_loop(trip < team.trips, block({declare(loop.var, coordinate(loop, team.low, trip)),
                                                       code(loop.body), assign(trip, trip + team.count)})));
    own.push_back(code(loop.teardown));
    own.insert(own.end(), team.after.begin(), team.after.end());
    body.push_back(if_then(team.self < team.count, block(own)));
  } else {
    body.push_back(if_then(team.self < team.trips,
                           block({declare(loop.var, coordinate(loop, team.low, team.self)), code(loop.body)})));
  }
  const std::string name = names_.unique(kernel_ + "_" + loop.var.name());
  out.push_back(launch({name, team.block, team.thread, team.blocks, shape_.threads, block(body), {}}));
  add_up(loop, team, out);
  out.insert(out.end(), team.releases.begin(), team.releases.end());
}

}  // namespace lacuna::loop::offloading
