#include "lacuna/distribute/plan/local_schedule.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

namespace lacuna::launch {
namespace {

class LocalSchedule {
 public:
  LocalSchedule(const Schedule& schedule, const Launch& launch) : schedule_(schedule), launch_(launch) {
    for (const Loop& loop : launch.loops) {
      outside_.insert(loop.variable);
      for (const std::string& each : launch.variables.ancestors_of(loop.variable)) outside_.insert(each);
    }
  }

  Schedule make() {
    for (const Directive& d : schedule_.directives) {
      at_ = &d;
      std::visit([this](const auto& kind) { take(kind); }, d.kind);
    }
    if (!says_something()) out_.directives.clear();
    return parse_schedule(to_string(out_));
  }

 private:
  void keep(DirectiveKind kind) { out_.directives.push_back({std::move(kind), {}}); }
  bool is_outside(const std::string& variable) const { return outside_.count(variable) != 0; }

  [[noreturn]] void not_inside(const std::string& variable) const {
    throw Error(fmt::format("{}: processors share the loop over {}; this is for loops that each runs by itself",
                            name_of(*at_), variable),
                at_->where, schedule_.text);
  }
  /// The loop that each processor runs of this one.
  std::string required_inside(const std::string& variable) const {
    if (!is_outside(variable)) return variable;
    const std::optional<std::string> inside = loop_inside(variable);
    if (!inside) not_inside(variable);
    return *inside;
  }

  void take(const directive::Distribute& d) {
    if (!d.outer.empty()) divided_.insert(d.variables.begin(), d.variables.end());
  }
  void take(const directive::Communicate&) {}
  void take(const directive::Rotate& d) {
    divided_.insert(d.variable);
    if (!is_outside(d.rotated)) not_outside("rotate", d.rotated);
  }
  [[noreturn]] void not_outside(const char* directive, const std::string& variable) const {
    throw Error(fmt::format("{}: nothing is fetched in the loop over {}, so that its order does not matter; "
                            "communicate something there",
                            directive, variable),
                at_->where, schedule_.text);
  }

  void take(const directive::Split& d) {
    divided_.insert(d.variable);
    if (is_outside(d.outer) || is_outside(d.inner)) return;
    keep(d);
  }
  void take(const directive::Reorder& d) {
    directive::Reorder inside;
    for (const std::string& v : d.variables)
      if (const std::optional<std::string> loop = loop_inside(v)) inside.variables.push_back(*loop);
    if (inside.variables.size() > 1) keep(inside);
  }
  /// The loop that each processor runs by itself where a reorder names this one: itself, or, of one that a later
  /// directive deals out, what is left of it.
  std::optional<std::string> loop_inside(const std::string& v) const {
    if (!is_outside(v)) return v == inner_positions() && !is_used(v) ? std::nullopt : std::optional(v);
    if (is_launch_loop(v) || divided_.count(v) != 0) return std::nullopt;
    if (is_fused_into_positions(v)) return is_used(inner_positions()) ? std::optional(v) : std::nullopt;
    const std::vector<std::string> roots = launch_.variables.roots_of(v);
    if (roots.size() != 1) return std::nullopt;
    const std::string left = local_name(roots[0]);
    if (v == roots[0]) return left;
    const std::vector<std::string> from = launch_.variables.ancestors_of(left);
    return std::find(from.begin(), from.end(), v) != from.end() ? std::optional(left) : std::nullopt;
  }
  /// Of the positions that are dealt out. Loops over coordinates are left of it, in the order of their levels.
  bool is_fused_into_positions(const std::string& v) const {
    const auto& all = launch_.variables.positions();
    return launch_.positions && std::any_of(all.begin(), all.end(), [&](const LoopVariables::Positions& p) {
             return p.name == launch_.positions->variable &&
                    std::find(p.fused.begin(), p.fused.end(), v) != p.fused.end();
           });
  }
  bool is_launch_loop(const std::string& v) const {
    return std::any_of(launch_.loops.begin(), launch_.loops.end(),
                       [&](const Loop& loop) { return loop.variable == v; });
  }
  /// Where the positions of an operand are dealt out, a part has them all: a loop over them is made anew if it is used.
  void take(const directive::Fuse& d) {
    if (!is_outside(d.fused)) return keep(d);
    fused_.push_back(d);
  }
  void take(const directive::Pos& d) {
    if (!is_outside(d.position)) return keep(with_names(d));
    const std::string inside = inner_positions();
    if (inside.empty() || !is_used(inside)) return;
    for (const directive::Fuse& fused : fused_) keep(fused);
    directive::Pos local = with_names(d);
    local.position = inside;
    keep(local);
  }
  directive::Pos with_names(directive::Pos d) const {
    d.access = renamed(d.access);
    return d;
  }
  /// What is left of the positions that are dealt out.
  std::string inner_positions() const {
    if (!launch_.positions) return {};
    for (const std::string& v : launch_.variables.names()) {
      const std::vector<std::string> ancestors = launch_.variables.ancestors_of(v);
      const bool is_piece =
          std::find(ancestors.begin(), ancestors.end(), launch_.positions->variable) != ancestors.end();
      if (is_piece && !is_outside(v) && is_outside(ancestors[0])) return v;
    }
    return {};
  }
  bool is_used(const std::string& variable) const {
    return std::any_of(schedule_.directives.begin(), schedule_.directives.end(), [&](const Directive& d) {
      return std::visit([&](const auto& kind) { return uses(kind, variable); }, d.kind);
    });
  }
  /// Whether a directive does something with a loop, other than to put it somewhere.
  template <typename D>
  static bool uses(const D& d, const std::string& loop) {
    if constexpr (std::is_same_v<D, directive::Reorder>) return false;
    else if constexpr (std::is_same_v<D, directive::Fuse>) return d.outer == loop || d.inner == loop;
    else if constexpr (requires { d.variable; }) return d.variable == loop;
    else if constexpr (requires { d.variables; })
      return std::find(d.variables.begin(), d.variables.end(), loop) != d.variables.end();
    else return false;
  }

  void take(const directive::Bound& d) {
    if (is_outside(d.variable)) not_inside(d.variable);
    keep(d);
  }
  void take(const directive::Unroll& d) { keep_of_loop(d); }
  void take(const directive::Prefetch& d) { keep_of_loop(d); }
  void take(const directive::Parallelize& d) { keep_of_loop(d); }
  void take(const directive::MergeBy& d) { keep_of_loop(d); }
  void take(const directive::Substitute& d) {
    directive::Substitute local = d;
    for (std::string& v : local.variables) v = required_inside(v);
    keep(local);
  }
  template <typename D>
  void keep_of_loop(D d) {
    d.variable = required_inside(d.variable);
    keep(std::move(d));
  }
  void take(const directive::Assemble& d) { keep(d); }
  void take(const directive::Transpose& d) { keep(d); }
  void take(const directive::Precompute& d) {
    directive::Precompute local = d;
    local.expr = renamed(d.expr);
    for (std::string& v : local.variables) v = local_name(v);
    keep(local);
  }
  void take(const directive::LoopFuse& d) {
    directive::LoopFuse local = d;
    for (Expr& e : local.operands) e = renamed(e);
    keep(local);
  }
  /// A statement's variable is called otherwise inside, and so has a loop there.
  std::string local_name(const std::string& variable) const {
    const auto found = launch_.local_names.find(variable);
    return found == launch_.local_names.end() ? variable : found->second;
  }
  Expr renamed(const Expr& e) const {
    if (const auto* access = as<Access>(e)) {
      std::vector<IndexVar> indices;
      for (const IndexVar& v : access->indices) indices.emplace_back(local_name(v.name()));
      return make_expr(Access{access->tensor, indices});
    }
    if (const auto* value = as<IndexValue>(e)) return Expr(IndexVar(local_name(value->var.name())));
    if (const auto* sum = as<Sum>(e)) return make_expr(Sum{IndexVar(local_name(sum->var.name())), renamed(sum->body)});
    std::vector<Expr> operands;
    for (const Expr& child : children(e)) operands.push_back(renamed(child));
    return with_children(e, operands);
  }

  /// A reorder that only put loops outside leaves those inside as they would be anyway: then the schedule is automatic.
  bool says_something() const {
    std::vector<std::string> order;
    for (const IndexVar& v : all_variables(launch_.statement)) order.push_back(launch_.local_names.at(v.name()));
    const std::vector<std::string> usual = order;
    for (const Directive& d : out_.directives) {
      const auto* reorder = std::get_if<directive::Reorder>(&d.kind);
      if (reorder == nullptr) return true;
      std::vector<std::string> named;
      for (const std::string& v : usual)
        if (std::find(reorder->variables.begin(), reorder->variables.end(), v) != reorder->variables.end())
          named.push_back(v);
      if (named != reorder->variables) return true;
    }
    return false;
  }

  const Schedule& schedule_;
  const Launch& launch_;
  std::set<std::string> outside_;
  std::set<std::string> divided_;  // by the directives so far: they have no loop any more
  std::vector<directive::Fuse> fused_;
  const Directive* at_ = nullptr;
  Schedule out_;
};

}  // namespace

Schedule local_schedule(const Schedule& schedule, const Launch& launch) {
  return LocalSchedule(schedule, launch).make();
}

}  // namespace lacuna::launch
