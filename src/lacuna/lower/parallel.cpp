#include "lacuna/lower/parallel.h"

#include <algorithm>

#include "lacuna/lower/structure.h"
#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {
namespace {

using concrete::Forall;
using concrete::Race;
using concrete::Role;
using concrete::Unit;

/// The scalars declared outside the loop that its iterations add to, and the flags of workspaces.
std::vector<loop::Reduction> reductions_of(const Context& context, const Forall& forall, const Scope& scope) {
  std::vector<loop::Reduction> reductions;
  const auto is_new = [&](const loop::Var& v) {
    return std::none_of(reductions.begin(), reductions.end(), [&](const auto& r) { return r.var == v; });
  };
  each_assign(forall.body, [&](const concrete::Assign& a) {
    if (const auto w = scope.workspaces.find(a.target.tensor); w != scope.workspaces.end()) {
      const std::optional<loop::Var>& flag = w->second->flag();
      if (flag && is_new(*flag)) reductions.push_back({*flag, loop::StoreOp::Or});
      return;
    }
    if (context.program().at(a.target.tensor).role != Role::Scalar) return;
    const auto it = scope.scalars.find(a.target.tensor);
    if (it == scope.scalars.end()) return;
    const ScalarState& s = it->second;
    if (!is_new(s.value)) return;
    reductions.push_back({s.value, loop::StoreOp::Add});
    if (s.has) reductions.push_back({*s.has, loop::StoreOp::Or});
    if (s.structural) reductions.push_back({*s.structural, loop::StoreOp::Or});
  });
  return reductions;
}

/// Whether iterations add to the same values of the result, as they do where it is stored in place.
bool adds_to_result(const Context& context, const concrete::Stmt& s) {
  using concrete::Assembly;
  const Assembly assembly = context.program().assembly;
  if (assembly != Assembly::Random && assembly != Assembly::SharedPattern) return false;
  bool found = false;
  each_assign(s, [&](const concrete::Assign& a) {
    found = found || (a.accumulate && a.target.tensor == context.program().result().var);
  });
  return found;
}

/// Each thread adds to an array of its own, which is added to the result when the thread is done, or to that of the
/// thread that started it.
void own_result(Context& context, Scope& scope, Statements& setup, Statements& teardown) {
  const concrete::Tensor& result = context.program().result();
  const loop::Var values = scope.own_values.value_or(context.array(result.var, 0, DescriptorField::Values));
  const loop::Var own = context.fresh(result.var.name() + "_own", values.type());
  const loop::Expr count = context.extents(result.var, 0, result.format.order());
  setup.push_back(loop::declare_array(own));
  setup.push_back(loop::allocate(own, count, true));
  const loop::Var k = context.fresh_index("k");
  const loop::Stmt add = loop::atomic(loop::store(values, k, loop::load(own, k), loop::StoreOp::Add));
  teardown.push_back(loop::for_loop(k, loop::Expr(0), count, add));
  teardown.push_back(loop::release(own));
  scope.own_values = own;
  scope.atomic = false;
}

/// Each thread collects in a workspace of its own, which is added to that of all when the thread is done. It is one
/// that all share in turn to threads of loops inside that do the same.
void own_workspace(Context& context, const TensorVar& workspace, const concrete::Stmt& body, Scope& scope,
                   Statements& setup, Statements& teardown) {
  Statements releases;
  const auto own = declare_workspace(context, context.program().at(workspace), setup, releases);
  const std::vector<TensorVar> inside = gathered_workspaces(context.program(), body);
  const bool gathers = std::find(inside.begin(), inside.end(), workspace) != inside.end();
  own->begin_own(setup);
  if (gathers) own->begin_gathering(setup);
  if (gathers) own->end_gathering(teardown);
  own->hand_over(*scope.workspaces.at(workspace), teardown);
  teardown.insert(teardown.end(), releases.begin(), releases.end());
  scope.workspaces[workspace] = own;
  std::erase(scope.flagged, workspace);
}

}  // namespace

std::vector<TensorVar> gathered_workspaces(const concrete::Program& program, const concrete::Stmt& s) {
  std::vector<TensorVar> found;
  const auto add = [&](const TensorVar& t) {
    if (std::find(found.begin(), found.end(), t) == found.end()) found.push_back(t);
  };
  const auto add_all = [&](const concrete::Stmt& x) {
    for (const TensorVar& t : gathered_workspaces(program, x)) add(t);
  };
  concrete::match(
      s,
      [&](const Forall& f) {
        if (f.how.unit != Unit::CpuThread || f.how.race != Race::Temporary) return add_all(f.body);
        each_assign(f.body, [&](const concrete::Assign& a) {
          if (program.at(a.target.tensor).role == Role::Workspace) add(a.target.tensor);
        });
      },
      [&](const concrete::Where& w) {
        add_all(w.producer);
        add_all(w.consumer);
      },
      [](const concrete::Assign&) {},
      [&](const concrete::Sequence& q) {
        for (const concrete::Stmt& x : q.statements) add_all(x);
      });
  return found;
}

loop::LoopOptions execution_of(Context& context, const Forall& forall, Scope& scope) {
  loop::LoopOptions options;
  options.unroll = forall.how.unroll;
  if (forall.how.unit == Unit::Serial) return options;
  options.reductions = reductions_of(context, forall, scope);
  if (forall.how.unit == Unit::CpuVector) {
    options.mode = loop::LoopMode::Vector;
    return options;
  }
  options.mode = loop::LoopMode::Parallel;
  const bool adds = adds_to_result(context, forall.body) && context.program().result().format.order() > 0;
  Statements setup, teardown;
  std::vector<TensorVar> owned;
  if (adds && forall.how.race == Race::Atomics) scope.atomic = true;
  // Of blocks under another tensor's entries, iterations have their own: nothing else is accepted.
  const bool anywhere = context.program().assembly == concrete::Assembly::Random;
  if (adds && anywhere && forall.how.race == Race::Temporary) own_result(context, scope, setup, teardown);
  if (forall.how.race == Race::Temporary)
    each_assign(forall.body, [&](const concrete::Assign& a) {
      const auto shared = scope.workspaces.find(a.target.tensor);
      const bool is_own = std::find(owned.begin(), owned.end(), a.target.tensor) != owned.end();
      if (shared == scope.workspaces.end() || is_own) return;
      owned.push_back(a.target.tensor);
      own_workspace(context, a.target.tensor, forall.body, scope, setup, teardown);
    });
  for (const TensorVar& w : shared_workspaces(context.program(), forall.body))
    if (scope.workspaces.count(w) == 0)
      scope.workspaces.emplace(w, declare_workspace(context, context.program().at(w), setup, teardown));
  if (!setup.empty()) options.setup = loop::block(std::move(setup));
  if (!teardown.empty()) options.teardown = loop::block(std::move(teardown));
  return options;
}

std::vector<TensorVar> shared_workspaces(const concrete::Program& program, const concrete::Stmt& s) {
  std::vector<TensorVar> found;
  concrete::match(
      s,
      [&](const Forall& f) {
        if (f.how.unit != Unit::CpuThread) found = shared_workspaces(program, f.body);
      },
      [&](const concrete::Where& w) {
        each_own_assign(w.producer, [&](const concrete::Assign& a) {
          const bool seen = std::find(found.begin(), found.end(), a.target.tensor) != found.end();
          if (!seen && program.at(a.target.tensor).role == Role::Workspace) found.push_back(a.target.tensor);
        });
        for (const concrete::Stmt& side : {w.consumer, w.producer})
          for (const TensorVar& t : shared_workspaces(program, side))
            if (std::find(found.begin(), found.end(), t) == found.end()) found.push_back(t);
      },
      [](const concrete::Assign&) {},
      [&](const concrete::Sequence& q) {
        for (const concrete::Stmt& x : q.statements)
          for (const TensorVar& t : shared_workspaces(program, x))
            if (std::find(found.begin(), found.end(), t) == found.end()) found.push_back(t);
      });
  return found;
}

}  // namespace lacuna
