#include "lacuna/explain/steps.h"

#include <algorithm>

#include <fmt/format.h>

#include "lacuna/concrete/walk.h"
#include "lacuna/explain/words.h"
#include "lacuna/iteration/nest.h"
#include "lacuna/notation/parse.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna {
namespace {

using concrete::Program;
using iteration::Loop;
using iteration::Nest;
using iteration::Node;

constexpr std::size_t most_points = 8;  // beyond them a lattice is told by its terms

class StepMaker {
 public:
  StepMaker(const Program& program, const Nest& nest, const cost::Estimate& estimate, const std::vector<Lane>& lanes,
            const std::vector<ExplainedTensor>& tensors)
      : program_(program), nest_(nest), estimate_(estimate), lanes_(lanes), tensors_(tensors) {
    tree::each_assignment(program.root, [&](const concrete::Assign& a, const auto&) {
      if (a.target.tensor == program.result().var) result_variables_ = tree::level_variables(program, a.target);
    });
  }

  Step run() {
    Step root;
    add(nest_.root, root);
    root.cost.own = estimate_.outside;
    root.cost.with = estimate_.total;
    return root;
  }

 private:
  void add(const Node& node, Step& parent) {
    concrete::match(
        node.stmt, [&](const concrete::Forall&) { parent.steps.push_back(loop(node)); },
        [&](const concrete::Where&) {
          add(node.children[1], parent);
          add(node.children[0], parent);
        },
        [&](const concrete::Assign& a) { parent.steps.push_back(assignment(a)); },
        [&](const concrete::Sequence&) {
          for (const Node& child : node.children) add(child, parent);
        });
  }

  Step loop(const Node& node) {
    const Loop& l = nest_.loop_of(node);
    Step step;
    step.kind = Step::Kind::Loop;
    step.text = "for " + l.var.name();
    step.visits = visits_words(program_, nest_, l);
    step.manners = manner_words(l.how);
    if (l.iteration == iteration::Iteration::Merge) step.points = points(l);
    add_stops(l, node.stmt, step);
    add(node.children[0], step);
    const cost::LoopEstimate& e = estimate_.loops[static_cast<std::size_t>(node.loop)];
    step.cost = {e.starts, e.trips, e.work, e.work};
    for (const Step& inner : step.steps) step.cost.with += inner.cost.with;
    return step;
  }

  std::vector<std::vector<std::string>> points(const Loop& l) const {
    const auto& [cursors, drained, lattice] = l.walks;
    std::vector<std::uint64_t> masks = iteration::unions_of(lattice.formula.terms(), most_points);
    if (masks.empty()) masks = lattice.formula.terms();
    std::vector<std::vector<std::string>> all;
    for (const std::uint64_t mask : masks) {
      std::vector<std::string> names;
      for (std::size_t c = 0; c < cursors.size(); ++c)
        if ((mask >> c & 1) != 0) names.push_back(nest_.level_name(cursors[c]));
      all.push_back(std::move(names));
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
    return all;
  }

  void add_stops(const Loop& l, const concrete::Stmt& stmt, Step& step) const {
    for (const iteration::LevelUse& u : l.walks.cursors)
      step.stops.push_back({lane_of(nest_.path_of(u).access()), u.level,
                            u.use == iteration::Use::Walked ? Stop::Kind::Walked : Stop::Kind::Followed, level_at(u)});
    for (const iteration::LevelUse& u : l.located)
      step.stops.push_back({lane_of(nest_.path_of(u).access()), u.level, Stop::Kind::Located,
                            u.use == iteration::Use::Searched ? "searched" : level_at(u)});
    for (const iteration::LevelUse& u : l.walks.drained)
      step.stops.push_back({lane_named(nest_.path_of(u).tensor.name()), 0, Stop::Kind::Drained, "drained"});
    if (!assigns_result(program_, stmt)) return;
    const Format& format = program_.result().format;
    for (std::size_t k = 0; k < result_variables_.size(); ++k) {
      if (!(result_variables_[k] == l.var)) continue;
      const LevelFormat& level = format.level(static_cast<int>(k));
      const bool appended = program_.result().assembly == concrete::Assembly::Append && level.packed();
      step.stops.push_back({lane_named(program_.result().var.name()), static_cast<int>(k), Stop::Kind::Stored,
                            appended ? "appended" : level_words(level)});
    }
  }

  std::string level_at(const iteration::LevelUse& u) const {
    return level_words(program_.at(nest_.path_of(u).tensor).format.level(u.level));
  }

  int lane_of(const Access& access) const {
    const std::string text = to_string(make_expr(access));
    for (std::size_t n = 0; n < lanes_.size(); ++n)
      if (lanes_[n].access == text) return static_cast<int>(n);
    return lane_named(access.tensor.name());
  }

  int lane_named(const std::string& tensor) const {
    for (std::size_t n = 0; n < lanes_.size(); ++n)
      if (tensors_[static_cast<std::size_t>(lanes_[n].tensor)].name == tensor) return static_cast<int>(n);
    throw InternalError("internal error: " + tensor + " is not drawn");
  }

  Step assignment(const concrete::Assign& a) const {
    Step step;
    step.kind = Step::Kind::Assignment;
    step.text = assignment_words(a);
    for (const Access& access : accesses(a.rhs)) {
      const Stop stop{lane_of(access), -1, Stop::Kind::Read, ""};
      const auto same = [&](const Stop& s) { return s.lane == stop.lane; };
      if (std::none_of(step.stops.begin(), step.stops.end(), same)) step.stops.push_back(stop);
    }
    step.stops.push_back({lane_named(a.target.tensor.name()), -1, Stop::Kind::Written, ""});
    return step;
  }

  const Program& program_;
  const Nest& nest_;
  const cost::Estimate& estimate_;
  const std::vector<Lane>& lanes_;
  const std::vector<ExplainedTensor>& tensors_;
  std::vector<IndexVar> result_variables_;
};

}  // namespace

std::vector<Lane> lanes_of(const Program& program, const Nest& nest, const std::vector<ExplainedTensor>& tensors) {
  const auto tensor = [&](const std::string& name) {
    const auto it = std::find_if(tensors.begin(), tensors.end(), [&](const auto& t) { return t.name == name; });
    return static_cast<int>(it - tensors.begin());
  };
  std::vector<Lane> lanes;
  for (const iteration::Path& p : nest.paths)
    if (!program.at(p.tensor).is_temporary())
      lanes.push_back({tensor(p.tensor.name()), to_string(make_expr(p.access()))});
  for (const concrete::Tensor& t : program.tensors)
    if (t.is_temporary()) lanes.push_back({tensor(t.var.name()), t.var.name()});
  tree::each_assignment(program.root, [&](const concrete::Assign& a, const auto&) {
    const int result = tensor(program.result().var.name());
    if (a.target.tensor == program.result().var && (lanes.empty() || lanes.back().tensor != result))
      lanes.push_back({result, to_string(make_expr(a.target))});
  });
  return lanes;
}

Step steps_of(const Program& program, const Nest& nest, const cost::Estimate& estimate, const std::vector<Lane>& lanes,
              const std::vector<ExplainedTensor>& tensors) {
  return StepMaker(program, nest, estimate, lanes, tensors).run();
}

}  // namespace lacuna
