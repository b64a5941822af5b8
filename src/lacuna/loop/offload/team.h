#pragma once

#include <map>
#include <vector>

#include "lacuna/loop/offload/device_code.h"
#include "lacuna/loop/offload/host.h"

namespace lacuna::loop::offloading {

/// Memory that each thread, or group of threads, has for itself: a part of an array of all.
struct OwnArray {
  Var array, size;
  bool zeroed;
  std::int64_t members = 0;  // of each of the team, that have one; 0: it has one itself
};

/// The threads of one launch, or the groups of threads that execute the same statements.
struct Host::Team {
  Var blocks, count;        // of blocks, and of the threads or groups that compute
  Var block, thread, self;  // in the launch: which ones a thread is, and its number among all, or that of its group
  Expr low, trips;
  Expr bytes = Expr(0);  // of each one's own arrays
  std::vector<OwnArray> arrays = {};
  std::map<Var, Part> parts = {};      // the same arrays, as parts of others
  std::map<Var, Var> sums = {};        // scalars that are reduced, and what a thread has in their place
  std::map<Var, Var> shares = {};      // scalars that are reduced, and the array of what threads have
  Statements before = {}, after = {};  // inside the launch
  Statements releases = {};            // of the host
};

/// The arrays that each thread, or group, that runs a loop allocates before its first iteration.
std::vector<Allocate> own_arrays(const For& loop);

/// How many iterations a loop has.
Expr iterations(const Expr& low, const Expr& high, std::int64_t step);

/// The value of a loop's variable in an iteration.
Expr coordinate(const For& loop, const Expr& low, const Expr& trip);

/// Whether those that run a parallel loop have memory or sums of their own.
bool has_own(const For& loop);

}  // namespace lacuna::loop::offloading
