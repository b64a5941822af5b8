#include <algorithm>

#include "lacuna/loop/build.h"
#include "lacuna/loop/offload/device_code.h"
#include "lacuna/loop/offload/team.h"
#include "lacuna/loop/reductions.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/error.h"

// Parallel loops. Where a thread has nothing of its own, there is one for each iteration; else there are so many that
// what they have fits, and each runs an iteration of every so many.
namespace lacuna::loop::offloading {

std::vector<Allocate> own_arrays(const For& loop) {
  std::vector<Allocate> found;
  if (!loop.setup) return found;
  const auto* together = std::get_if<Block>(&loop.setup->kind);
  for (const Stmt& each : together != nullptr ? together->statements : Statements{loop.setup})
    if (const auto* node = std::get_if<Allocate>(&each->kind)) found.push_back(*node);
  return found;
}

bool has_own(const For& loop) { return loop.setup || loop.teardown || !loop.sums.empty() || !loop.reductions.empty(); }

Expr iterations(const Expr& low, const Expr& high, std::int64_t step) {
  const Expr all =
      is_constant(low, 0) ? convert(high, Type::Int64) : convert(high, Type::Int64) - convert(low, Type::Int64);
  return max(Expr(0), step == 1 ? all : (all + Expr(step - 1)) / Expr(step));
}

Expr coordinate(const For& loop, const Expr& low, const Expr& trip) {
  const Type type = loop.var.type().scalar;
  const Expr steps = convert(loop.step == 1 ? trip : trip * Expr(loop.step), type);
  return is_constant(low, 0) ? steps : convert(low, type) + steps;
}

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
  for (const Allocate& each : own_arrays(loop)) measure(each.array, each.count, each.zeroed, 0, team, out);
  for (const OwnSum& each : loop.sums) measure(each.own, each.count, true, 0, team, out);
  out.push_back(
      declare(team.count, that_fit(min(blocks_of(team.trips), Expr(shape_.most_blocks)) * Expr(shape_.threads), team)));
  out.push_back(declare(team.blocks, blocks_of(team.count)));
}

void Host::measure(const Var& own, const Expr& count, bool zeroed, std::int64_t members, Team& team, Statements& out) {
  const Var size = fresh(own.name() + "_size", int64_type);
  out.push_back(declare(size, value(count, out)));
  team.arrays.push_back({own, size, zeroed, members});
  team.bytes = team.bytes + Expr(size) * Expr(std::max<std::int64_t>(1, members) * size_of(own.type().scalar));
}

/// How many of a team have room for their arrays, up to a count.
Expr Host::that_fit(const Expr& count, const Team& team) const {
  if (team.arrays.empty()) return count;
  return min(count, max(Expr(1), Expr(shape_.most_bytes) / max(Expr(1), team.bytes)));
}

/// Memory which those of a team have from before their first iteration.
void Host::give_own_arrays(Team& team, Statements& out) {
  for (const OwnArray& own : team.arrays) {
    const std::string& name = own.array.name();
    const Var all = fresh(name + "_all", own.array.type()), first = fresh(name + "_first", int64_type);
    const Expr each = own.members == 0 ? Expr(own.size) : Expr(own.size) * Expr(own.members);
    out.insert(out.end(), {declare_array(all), allocate(all, Expr(team.count) * each, own.zeroed)});
    team.releases.push_back(release(all));
    if (own.members == 0) team.before.push_back(declare(first, Expr(team.self) * Expr(own.size)));
    team.parts.emplace(own.array, Part{all, first});
  }
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
    const auto own = std::find_if(team.arrays.begin(), team.arrays.end(),
                                  [&](const OwnArray& array) { return array.array == each.own; });
    const Var &size = own->size, k = fresh("k", int64_type), t = fresh("t", int64_type);
    const Stmt add = store(each.total, k, load(part.all, Expr(t) * Expr(size) + k), StoreOp::Add);
    parallel({k, Expr(0), size, 1, for_loop(t, Expr(0), team.count, add), LoopMode::Parallel}, out);
  }
}

void Host::parallel(const For& loop, Statements& out) {
  Team team = team_of(loop, out);
  give_own_arrays(team, out);
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
