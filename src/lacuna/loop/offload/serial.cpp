#include <algorithm>

#include "lacuna/loop/build.h"
#include "lacuna/loop/offload/device_code.h"
#include "lacuna/loop/offload/host.h"
#include "lacuna/loop/walk.h"

// Statements that one thread of the device runs, as they are. Scalars that they change come back to the host.
namespace lacuna::loop::offloading {
namespace {

std::set<Var> declared_in(const Statements& group) {
  std::set<Var> found;
  for_each(block(group), [&](const Stmt& each) {
    if (const auto* declare = std::get_if<Declare>(&each->kind)) found.insert(declare->var);
    if (const auto* loop = std::get_if<For>(&each->kind)) found.insert(loop->var);
  });
  return found;
}

const Declare* declared_scalar(const Stmt& stmt) {
  const auto* node = std::get_if<Declare>(&stmt->kind);
  return node != nullptr && !node->var.type().is_memory() ? node : nullptr;
}

}  // namespace

void Host::serial(const Statements& group, const Statements& later, Statements& out) {
  if (group.empty()) return;
  const FunctionUsage used_later = usage_of(block(later));
  const std::set<Var> inside = declared_in(group);
  Statements body;
  std::vector<Var> results;
  for (const Stmt& each : group) {
    const Declare* scalar = declared_scalar(each);
    if (scalar == nullptr || !used_later.used.contains(scalar->var)) {
      body.push_back(each);
      continue;
    }
    out.push_back(declare(scalar->var));
    results.push_back(scalar->var);
    if (scalar->init.defined()) body.push_back(assign(scalar->var, scalar->init));
  }
  for (const Var& each : usage_of(block(group)).assigned)
    if (!inside.contains(each)) results.push_back(each);
  read_results(block(std::move(body)), results, out);
}

void Host::read_results(const Stmt& body, const std::vector<Var>& results, Statements& out) {
  const std::set<Var> given = set_before_use(body);
  std::map<Var, Var> here;
  Statements inside, copies, after, releases;
  for (const Var& each : results) {
    const Var own = fresh(each.name() + "_here", each.type());
    const Var place = fresh(each.name() + "_out", array_type(each.type().scalar));
    here.emplace(each, own);
    inside.push_back(given.contains(each) ? declare(own) : declare(own, each));
    copies.push_back(store(place, Expr(0), own));
    out.insert(out.end(), {declare_array(place), allocate(place, Expr(1), false)});
    after.insert(after.end(), {read_back(each, place, Expr(0)), release(place)});
  }
  inside.push_back(device_code(body, {}, here));
  inside.insert(inside.end(), copies.begin(), copies.end());
  const std::string name = names_.unique(kernel_ + "_serial");
  out.push_back(launch({name, fresh("block", int64_type), fresh("thread", int64_type), Expr(1), 1, block(inside), {}}));
  out.insert(out.end(), after.begin(), after.end());
}

}  // namespace lacuna::loop::offloading
