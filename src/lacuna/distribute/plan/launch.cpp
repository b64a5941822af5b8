#include "lacuna/distribute/plan/launch.h"

#include <algorithm>
#include <set>

#include <fmt/ranges.h>

#include "lacuna/concrete/refusal.h"
#include "lacuna/distribute/plan/local_schedule.h"
#include "lacuna/distribute/plan/position_cut.h"
#include "lacuna/notation/parse.h"
#include "lacuna/schedule/complete/apply.h"
#include "lacuna/support/check.h"

namespace lacuna::launch {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Over nothing, too, there is an iteration: it computes the terms that are not summed over it.
std::int64_t trips_of(const LoopVariables& variables, const std::string& loop) {
  const std::optional<std::int64_t> trips = variables.trips(loop);
  return trips ? std::max<std::int64_t>(1, *trips) : 0;
}

/// Makes a Launch, step by step.
class Launcher {
 public:
  Launcher(const Statement& statement, const Schedule& schedule, const std::map<IndexVar, std::int64_t>& extents,
           const std::map<std::string, Format>& formats, const Format& result,
           const std::map<std::string, Distribution>& placed)
      : schedule_(schedule),
        formats_(formats),
        result_(result),
        placed_(placed),
        launch_{statement, {}, LoopVariables(statement, extents), {}, {}, {}, {}, {}, {}, {}} {}

  Launch make() {
    try {
      return made();
    } catch (const Refused& refused) {
      throw with_place(refused, schedule_);
    }
  }

 private:
  Launch made() {
    for (const Directive& d : schedule_.directives) at_place(d, [&] { note(d); });
    choose_loops();
    name_operands();
    find_positions();
    name_variables();
    check_sums();
    choose_depths();
    launch_.local_schedule = local_schedule(schedule_, launch_);
    return std::move(launch_);
  }

  template <typename F>
  void at_place(const Directive& d, F&& f) const {
    try {
      f();
    } catch (const Error& e) {
      throw Error(e.what(), d.where, schedule_.text);
    }
  }

  void note(const Directive& d) {
    const auto* distribute = std::get_if<directive::Distribute>(&d.kind);
    if (distribute != nullptr && !distribute->onto.empty()) cut_as_tensor(*distribute);
    else launch_.variables.note(d);
    if (distribute != nullptr) {
      const std::vector<std::string>& names = distribute->outer.empty() ? distribute->variables : distribute->outer;
      distributed_.insert(distributed_.end(), names.begin(), names.end());
    } else if (const auto* communicate = std::get_if<directive::Communicate>(&d.kind)) {
      launch_.variables.require_loop(communicate->variable, "communicate");
      for (const std::string& tensor : communicate->tensors) {
        check_tensor(tensor);
        if (!fetched_at_.emplace(tensor, communicate->variable).second)
          refuse("communicate", "it is said twice where {} is fetched; say it once", tensor);
      }
    } else if (const auto* reorder = std::get_if<directive::Reorder>(&d.kind)) {
      reordered_.push_back(reorder->variables);
    } else if (const auto* rotate = std::get_if<directive::Rotate>(&d.kind)) {
      for (auto& [tensor, variable] : fetched_at_)
        if (variable == rotate->variable) variable = rotate->rotated;
    }
  }

  void cut_as_tensor(const directive::Distribute& d) {
    std::vector<CutTarget> targets;
    for (const std::string& v : d.variables) {
      launch_.variables.require_loop(v, "distribute");
      targets.push_back({launch_.variables.roots_of(v)[0], launch_.variables.runs_over_stored(v)});
      for (const LoopVariables::Positions& positions : launch_.variables.positions()) {
        if (positions.name != v) continue;
        targets.back().stored_in = as<Access>(positions.access)->tensor.name();
        targets.back().levels = static_cast<int>(positions.fused.size());
      }
    }
    const OwnPartition partition = own_partition(d, targets, launch_.statement, placed_, formats_, result_);
    launch_.variables.cut(d, partition);
    launch_.face.insert(partition.face.begin(), partition.face.end());
    for (std::size_t k = 0; k < d.outer.size(); ++k) dimensions_[d.outer[k]] = partition.cuts[k].dimension;
  }

  void check_tensor(const std::string& name) const {
    if (name == launch_.statement.lhs.tensor.name() || contains(operand_names(launch_.statement), name)) return;
    refuse("communicate", "{} is no tensor of the statement", name);
  }

  /// Those that are distributed, those at which something is fetched, and those that a reorder put around them.
  void choose_loops() {
    std::set<std::string> chosen(distributed_.begin(), distributed_.end());
    if (chosen.empty())
      refuse(fetched_at_.empty() ? "rotate" : "communicate", "no loop is distributed; distribute one");
    for (const auto& [tensor, variable] : fetched_at_) chosen.insert(variable);
    const std::vector<std::string>& order = launch_.variables.order();
    for (const std::vector<std::string>& names : reordered_) {
      const auto last =
          std::find_if(names.rbegin(), names.rend(), [&](const auto& v) { return contains(distributed_, v); });
      if (last != names.rend()) chosen.insert(names.begin(), last.base());
    }
    add_steps(chosen);
    for (const std::string& v : order) {
      if (chosen.count(v) == 0) continue;
      const bool distributed = contains(distributed_, v);
      launch_.loops.push_back({v, trips_of(launch_.variables, v), distributed});
      const auto dimension = dimensions_.find(v);
      if (distributed && dimension != dimensions_.end()) launch_.loops.back().dimension = dimension->second;
    }
    for (const std::string& v : distributed_)
      if (!launch_.variables.has_loop(v))
        refuse("distribute", "{} was distributed and then changed; distribute what was made of it", v);
    for (const Directive& d : schedule_.directives)
      if (const auto* rotate = std::get_if<directive::Rotate>(&d.kind)) at_place(d, [&] { check_rotation(*rotate); });
  }

  /// What is left of a variable inside is one loop: where an inner piece of it goes outside, so do the outer ones.
  void add_steps(std::set<std::string>& chosen) const {
    const LoopVariables& variables = launch_.variables;
    const auto is_of = [&](const std::string& v, const std::string& whole) {
      return v == whole || contains(variables.ancestors_of(v), whole);
    };
    const std::set<std::string> before = chosen;
    for (const std::string& v : variables.order()) {
      if (before.count(v) == 0) continue;  // a reorder may name what is no loop
      std::vector<std::string> pieces = variables.ancestors_of(v);
      pieces.insert(pieces.begin(), v);
      for (const std::string& piece : pieces) {
        const std::optional<std::string> outer = variables.outer_beside(piece);
        if (!outer) continue;
        for (const std::string& loop : variables.order())
          if (is_of(loop, *outer)) chosen.insert(loop);
      }
    }
  }

  void check_rotation(const directive::Rotate& r) const {
    int at = -1;
    for (int k = 0; k < static_cast<int>(launch_.loops.size()); ++k)
      if (launch_.loops[static_cast<std::size_t>(k)].variable == r.rotated) at = k;
    if (at < 0) return;
    for (const std::string& by : r.by) {
      const auto outside = std::find_if(launch_.loops.begin(), launch_.loops.begin() + at,
                                        [&](const Loop& loop) { return loop.variable == by; });
      if (outside == launch_.loops.begin() + at)
        refuse("rotate", "{} begins where {} says, so the loop over {} has to be outside of it: reorder the loops",
               r.rotated, by, by);
    }
  }

  /// Equal accesses are one operand; another access of the same tensor needs another part, and gets a name of its own.
  void name_operands() {
    std::set<std::string> taken{launch_.statement.lhs.tensor.name()};
    for (const std::string& name : operand_names(launch_.statement)) taken.insert(name);
    std::set<std::string> used;
    for (const Access& access : accesses(launch_.statement.rhs)) {
      const auto same = [&](const Operand& o) {
        return o.tensor == access.tensor.name() && o.indices == access.indices;
      };
      if (std::any_of(launch_.operands.begin(), launch_.operands.end(), same)) continue;
      std::string name = access.tensor.name();
      const bool is_result = name == launch_.statement.lhs.tensor.name();
      for (int k = 2; is_result ? taken.count(name) != 0 : used.count(name) != 0 || (k > 2 && taken.count(name) != 0);
           ++k)
        name = fmt::format("{}{}", access.tensor.name(), k);
      taken.insert(name);
      used.insert(name);
      launch_.operands.push_back({name, access.tensor.name(), access.indices, 0});
    }
    for (const IndexVar& v : value_variables(launch_.statement.rhs)) {
      std::string name = fmt::format("value_of_{}", v.name());
      while (!taken.insert(name).second) name += "_";
      launch_.coordinate_names[v.name()] = name;
    }
    launch_.result = {launch_.statement.lhs.tensor.name(), launch_.statement.lhs.tensor.name(),
                      launch_.statement.lhs.indices, 0};
  }

  static std::vector<IndexVar> value_variables(const Expr& e) {
    if (const auto* value = as<IndexValue>(e)) return {value->var};
    std::vector<IndexVar> all;
    for (const Expr& child : children(e))
      for (const IndexVar& v : value_variables(child)) all.push_back(v);
    return all;
  }

  bool is_launch_loop(const std::string& name) const {
    return std::any_of(launch_.loops.begin(), launch_.loops.end(), [&](const Loop& l) { return l.variable == name; });
  }
  /// Whether some loop of the launch was made of it.
  bool leads_outside(const std::string& name) const {
    return std::any_of(launch_.loops.begin(), launch_.loops.end(), [&](const Loop& l) {
      return l.variable == name || contains(launch_.variables.ancestors_of(l.variable), name);
    });
  }

  void find_positions() {
    std::set<std::string> of_positions;
    for (const LoopVariables::Positions& p : launch_.variables.positions()) {
      if (!leads_outside(p.name)) continue;
      if (launch_.positions) refuse("distribute", "the positions of one operand can be cut, not of several");
      launch_.positions = position_cut(launch_, formats_, p);
      for (const Loop& loop : launch_.loops)
        if (!loop.distributed && contains(launch_.variables.ancestors_of(loop.variable), p.name))
          refuse("distribute",
                 "a processor computes its share of positions at once, and {} would be steps over pieces of "
                 "them; distribute the outermost piece, and communicate at loops over coordinates",
                 loop.variable);
      of_positions.insert(p.fused.begin(), p.fused.end());
    }
    check_counts();
    for (const Loop& loop : launch_.loops) {
      const std::vector<std::string> roots = launch_.variables.roots_of(loop.variable);
      const bool by_positions =
          std::any_of(roots.begin(), roots.end(), [&](const auto& r) { return of_positions.count(r) != 0; });
      if (roots.size() > 1 && !by_positions)
        refuse("distribute",
               "{} runs over pairs of {}, of which pieces are no boxes; distribute these one by one, or the "
               "positions of an operand (pos)",
               loop.variable, fmt::join(roots, " and "));
    }
  }

  /// How often loops run must follow from how many positions there are.
  void check_counts() const {
    LoopVariables counted = launch_.variables;
    if (launch_.positions) counted.set_extent(launch_.positions->variable, 1);
    for (const Loop& loop : launch_.loops)
      if (!counted.trips(loop.variable))
        refuse("distribute",
               "{} runs over pieces of stored entries together with another variable; distribute the pieces alone",
               loop.variable);
  }

  /// Inside, a variable is called what is left of it when the loops outside are taken away; what directives for inside
  /// make of that is made there.
  void name_variables() {
    for (const IndexVar& v : all_variables(launch_.statement)) {
      std::vector<std::string> left;
      for (const std::string& name : launch_.variables.names()) {
        if (leads_outside(name)) continue;
        const std::vector<std::string> roots = launch_.variables.roots_of(name);
        if (roots.size() == 1 && roots[0] == v.name() && made_for_outside(name)) left.push_back(name);
      }
      if (left.size() > 1)
        refuse("distribute",
               "{} are left of {} inside of the loops that processors share, and there is one loop for it; "
               "distribute the outermost piece",
               fmt::join(left, " and "), v.name());
      launch_.local_names[v.name()] = left.empty() ? v.name() : left[0];
    }
  }
  /// It is what a directive left of a variable of which another part went outside, or nothing was done to it.
  bool made_for_outside(const std::string& name) {
    const std::vector<std::string> ancestors = launch_.variables.ancestors_of(name);
    return ancestors.empty() || leads_outside(ancestors[0]);
  }

  void check_sums() const {
    for (const Loop& loop : launch_.loops) {
      for (const std::string& root : launch_.variables.roots_of(loop.variable)) {
        for (const Term& term : terms_of(launch_.statement)) {
          if (!has_name(free_variables(term.expr), root) && !has_name(summed_variables(term), root) &&
              has_name(all_variables(term.expr), root))
            refuse("distribute", "{} is summed over inside of {}, so that its values cannot be partitioned", root,
                   to_string(term.expr));
        }
      }
    }
  }
  /// Where nothing is said, a part is fetched as soon as it is known which.
  void choose_depths() {
    for (Operand& operand : launch_.operands) choose_depth(operand);
    choose_depth(launch_.result);
    const auto fetched_inside = [&](const Operand& o) { return o.depth < known_at(launch_.result); };
    internal_check(!fetched_inside(launch_.result), "the result is fetched before it is known which part");
  }
  int known_at(const Operand& operand) const {
    int depth = 0;
    for (int k = 0; k < static_cast<int>(launch_.loops.size()); ++k) {
      const std::vector<std::string> roots =
          launch_.variables.roots_of(launch_.loops[static_cast<std::size_t>(k)].variable);
      const bool needed = std::any_of(operand.indices.begin(), operand.indices.end(),
                                      [&](const IndexVar& v) { return contains(roots, v.name()); });
      if (needed) depth = k + 1;
    }
    return depth;
  }
  void choose_depth(Operand& operand) {
    const int known = known_at(operand);
    operand.depth = known;
    const auto said = fetched_at_.find(operand.tensor);
    if (said == fetched_at_.end() || &operand == &launch_.result) return;
    for (int k = 0; k < static_cast<int>(launch_.loops.size()); ++k)
      if (launch_.loops[static_cast<std::size_t>(k)].variable == said->second) operand.depth = std::min(known, k + 1);
    // Positions are dealt out as a whole.
    if (launch_.positions && launch_.operands[launch_.positions->operand].tensor == operand.tensor)
      operand.depth = known;
  }

  const Schedule& schedule_;
  const std::map<std::string, Format>& formats_;
  const Format& result_;
  const std::map<std::string, Distribution>& placed_;
  Launch launch_;
  std::vector<std::string> distributed_;
  std::map<std::string, std::size_t> dimensions_;  // of the machine, of loops that are cut as a tensor is
  std::map<std::string, std::string> fetched_at_;  // tensor -> loop
  std::vector<std::vector<std::string>> reordered_;
};

}  // namespace

bool has_name(const std::vector<IndexVar>& variables, const std::string& name) {
  return place_of(variables, name).has_value();
}

std::optional<std::size_t> place_of(const std::vector<IndexVar>& variables, const std::string& name) {
  const auto is_it = [&](const IndexVar& v) { return v.name() == name; };
  const auto found = std::find_if(variables.begin(), variables.end(), is_it);
  return found == variables.end() ? std::nullopt : std::optional<std::size_t>(found - variables.begin());
}

std::vector<IndexVar> summed_variables(const Term& term) {
  std::vector<IndexVar> all = term.sums;
  const Expr* inside = &term.expr;
  while (const auto* sum = as<Sum>(*inside)) {
    all.push_back(sum->var);
    inside = &sum->body;
  }
  return all;
}

bool is_distributed(const Schedule& schedule) {
  return std::any_of(schedule.directives.begin(), schedule.directives.end(), [](const Directive& d) {
    return std::holds_alternative<directive::Distribute>(d.kind) ||
           std::holds_alternative<directive::Communicate>(d.kind) || std::holds_alternative<directive::Rotate>(d.kind);
  });
}

Launch make_launch(const Statement& statement, const Schedule& schedule,
                   const std::map<IndexVar, std::int64_t>& extents, const std::map<std::string, Format>& formats,
                   const Format& result, const std::map<std::string, Distribution>& placed) {
  return Launcher(statement, schedule, extents, formats, result, placed).make();
}

Values Launch::outermost(const Values& at, int depth) const {
  Values some;
  for (int k = 0; k < depth; ++k) {
    const std::string& name = loops[static_cast<std::size_t>(k)].variable;
    some.emplace(name, at.at(name));
  }
  return some;
}

std::vector<IndexSet> Launch::region_of(const Operand& operand, const Values& at) const {
  const Values known = outermost(at, operand.depth);
  std::vector<IndexSet> region;
  for (const IndexVar& v : operand.indices) region.push_back(values_of(v, known));
  return region;
}

bool Launch::is_summed(const Loop& loop) const {
  return !has_name(result.indices, variables.roots_of(loop.variable)[0]);
}

bool Launch::adds_up() const {
  return positions || std::any_of(loops.begin(), loops.end(), [&](const Loop& loop) { return is_summed(loop); });
}

bool Launch::awaits_count() const {
  return std::any_of(loops.begin(), loops.end(), [](const Loop& loop) { return loop.trips == 0; });
}

void Launch::set_count(std::int64_t count) {
  variables.set_extent(positions->variable, count);
  for (Loop& loop : loops) loop.trips = trips_of(variables, loop.variable);
  internal_check(!awaits_count(), "there is a loop of which positions of an operand do not tell how often it runs");
}

bool Launch::adds_up_tasks() const {
  return positions ||
         std::any_of(loops.begin(), loops.end(), [&](const Loop& loop) { return loop.distributed && is_summed(loop); });
}

}  // namespace lacuna::launch
