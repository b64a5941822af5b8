#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fuzz/machine/draw_machine.h"
#include "lacuna/distribute/plan/position_cut.h"
#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"

namespace lacuna::fuzz {
namespace {

class LaunchDrawer {
 public:
  LaunchDrawer(Random& random, const Problem& problem) : random_(random), problem_(problem) {
    for (const IndexVar& v : all_variables(problem.statement)) left_.push_back(v.name());
  }

  std::vector<std::string> run() {
    if (left_.empty()) return {};
    if (random_.percent(28)) positions();
    if (directives_.empty()) random_.percent(60) ? compound(0) : plain();
    if (problem_.machine.size() > 1 && random_.percent(60)) compound(1);
    if (random_.percent(45)) steps();
    communicate();
    if (random_.percent(15)) inside();
    return directives_;
  }

 private:
  template <typename... Args>
  void say(fmt::format_string<Args...> text, Args&&... args) {
    directives_.push_back(fmt::format(text, std::forward<Args>(args)...));
  }
  static std::string listed(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ",")); }

  /// A loop that is left inside.
  std::string take() {
    const auto k = left_.begin() + random_.below(static_cast<int>(left_.size()));
    std::string name = *k;
    left_.erase(k);
    return name;
  }

  /// How many pieces: as many as there are processors along some dimension, or any number.
  std::string pieces(std::size_t dimension) {
    const bool named = !problem_.machine.empty() && dimension < std::min<std::size_t>(3, problem_.machine[0].size());
    if (named && random_.percent(75)) return fmt::format("M.{}", "xyz"[dimension]);
    return fmt::format("{}", random_.percent(90) ? random_.between(1, 5) : random_.between(6, 20));
  }

  /// distribute({i,j},{io,jo},{ii,ji},M), perhaps of pieces that another one left, onto a grid within.
  void compound(std::size_t level) {
    const std::size_t dimensions = problem_.machine[level].size();
    if (dimensions > left_.size()) return level == 0 ? plain() : void();
    std::vector<std::string> targets, outer, inner;
    for (std::size_t d = 0; d < dimensions; ++d) targets.push_back(take());
    const std::string of = onto_tensor(level, targets);
    std::string onto = level == 0 ? of : fmt::format("{}[{}]", of, level);
    for (const std::string& v : targets) {
      outer.push_back(v + "o");
      inner.push_back(v + "i");
    }
    if (random_.percent(7)) {
      std::vector<int> sizes;
      for (std::size_t d = 0; d < targets.size(); ++d) sizes.push_back(random_.between(1, 4));
      onto = fmt::format("Grid({})", fmt::join(sizes, ","));
    }
    say("distribute({{{}}},{{{}}},{{{}}},{})", listed(targets), listed(outer), listed(inner), onto);
    outer_.insert(outer_.end(), outer.begin(), outer.end());
    left_.insert(left_.end(), inner.begin(), inner.end());
  }

  /// The machine; or a tensor that lies on it, of whose modes targets are taken instead, so that its place may cut
  /// them.
  std::string onto_tensor(std::size_t level, std::vector<std::string>& targets) {
    if (problem_.placed.empty() || !random_.percent(40)) return "M";
    auto chosen = problem_.placed.begin();
    std::advance(chosen, random_.below(static_cast<int>(problem_.placed.size())));
    if (random_.percent(10)) return chosen->first;
    std::vector<std::string> cut;
    for (const Access& access : accesses_of(chosen->first))
      for (const IndexVar& v : access.indices) {
        const std::string name = level == 0 ? v.name() : v.name() + "i";
        const bool is_left = contains(left_, name) || contains(targets, name);
        if (is_left && !contains(cut, name) && random_.percent(70)) cut.push_back(name);
      }
    if (cut.empty()) return "M";
    left_.insert(left_.end(), targets.begin(), targets.end());
    for (const std::string& v : cut) left_.erase(std::find(left_.begin(), left_.end(), v));
    targets = cut;
    return chosen->first;
  }
  std::vector<Access> accesses_of(const std::string& tensor) const {
    std::vector<Access> all;
    for (const Access& access : accesses(problem_.statement.rhs))
      if (access.tensor.name() == tensor) all.push_back(access);
    if (problem_.statement.lhs.tensor.name() == tensor) all.push_back(problem_.statement.lhs);
    return all;
  }
  static bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  /// Loops one by one: pieces of them, what is inside of pieces, or loops as they are.
  void plain() {
    std::vector<std::string> chosen, inner;
    for (int n = random_.between(1, 3); n > 0 && !left_.empty(); --n) chosen.push_back(take());
    std::vector<std::string> distributed;
    for (std::size_t d = 0; d < chosen.size(); ++d) {
      const std::string v = chosen[d];
      if (random_.percent(12)) {
        distributed.push_back(v);
        continue;
      }
      const std::string size = pieces(d);
      if (size[0] == 'M' || random_.percent(60)) say("divide({0},{0}o,{0}i,{1})", v, size);
      else say("split({0},{0}o,{0}i,{1})", v, size);
      const bool cyclic = random_.percent(12);
      distributed.push_back(v + (cyclic ? "i" : "o"));
      left_.push_back(v + (cyclic ? "o" : "i"));
    }
    if (random_.percent(30) && distributed.size() > 1) say("reorder({})", listed(distributed));
    if (random_.percent(25) && distributed.size() > 1)
      for (const std::string& v : distributed) say("distribute({})", v);
    else say("distribute({})", listed(distributed));
    outer_.insert(outer_.end(), distributed.begin(), distributed.end());
  }

  /// fuse(i,j,f1), pos(f1,fp,B(i,j)), divide(fp,fpo,fpi,M.x), distribute(fpo): stretches of what an operand stores.
  void positions() {
    std::vector<Access> some;
    for (const Access& access : accesses(problem_.statement.rhs))
      if (access.tensor.order() > 0 && (is_factor_of_all(access) || random_.percent(4))) some.push_back(access);
    if (some.empty()) return;
    const Access access = random_.pick(some);
    const Format& format = problem_.operands.at(access.tensor.name()).format;
    std::vector<std::string> stored;
    for (int k = 0, most = random_.between(1, format.order()); k < most; ++k)
      stored.push_back(access.indices[static_cast<std::size_t>(format.map().mode_of(k))].name());
    for (const std::string& v : stored)
      if (const auto at = std::find(left_.begin(), left_.end(), v); at != left_.end()) left_.erase(at);
    std::vector<std::string> order = stored;
    order.insert(order.end(), left_.begin(), left_.end());
    if (order.size() > 1) say("reorder({})", listed(order));
    std::string v = stored[0];
    for (std::size_t k = 1; k < stored.size(); ++k) {
      say("fuse({},{},f{})", v, stored[k], k);
      v = fmt::format("f{}", k);
    }
    say("pos({},fp,{})", v, to_string(make_expr(access)));
    say("divide(fp,fpo,fpi,{})", pieces(0));
    outer_ = {"fpo"};
    if (!left_.empty() && random_.percent(20)) {
      const std::string also = take();
      say("divide({0},{0}o,{0}i,{1})", also, pieces(1));
      if (random_.percent(50)) say("reorder({0}o,fpo)", also);
      outer_.push_back(also + "o");
      left_.push_back(also + "i");
    }
    say("distribute({})", listed(outer_));
  }

  bool is_factor_of_all(const Access& access) const {
    const launch::Operand operand{access.tensor.name(), access.tensor.name(), access.indices, 0};
    const std::vector<Term> terms = terms_of(problem_.statement);
    return std::all_of(terms.begin(), terms.end(), [&](const Term& t) { return launch::is_factor(t.expr, operand); });
  }

  /// A loop in pieces that all processors take together, perhaps each beginning with another one.
  void steps() {
    if (left_.empty()) return;
    const std::string v = take();
    const char* how = random_.percent(70) ? "divide" : "split";
    say("{0}({1},{1}s,{1}t,{2})", how, v, random_.between(1, 4));
    step_ = v + "s";
    left_.push_back(v + "t");
    const bool rotated = random_.percent(45) && !outer_.empty();
    if (rotated || random_.percent(50)) say("reorder({},{})", listed(outer_), step_);
    if (!rotated) return;
    std::vector<std::string> by = outer_;
    random_.shuffle(by);
    by.resize(static_cast<std::size_t>(random_.between(1, static_cast<int>(by.size()))));
    say("rotate({0},{{{1}}},{0}r)", step_, listed(by));
    step_ += "r";
  }

  /// Each tensor at a step, at some loop that is distributed, or as soon as it is known which part.
  void communicate() {
    std::vector<std::string> names{problem_.result()};
    for (const auto& [name, operand] : problem_.operands)
      if (name != names[0]) names.push_back(name);
    std::vector<std::string> at_step, outside;
    if (step_.empty() && random_.percent(40)) return;
    for (const std::string& name : names) {
      const int where = random_.weighted({55, 20, 25});
      if (where == 0) at_step.push_back(name);
      if (where == 1) outside.push_back(name);
    }
    if (!step_.empty() && at_step.empty() && outside.empty()) at_step.push_back(random_.pick(names));
    if (!step_.empty() && !at_step.empty()) say("communicate({{{}}},{})", listed(at_step), step_);
    if (!outer_.empty() && !outside.empty()) say("communicate({{{}}},{})", listed(outside), random_.pick(outer_));
  }

  /// What each processor does by itself.
  void inside() {
    if (left_.empty()) return;
    const std::string v = random_.pick(left_);
    switch (random_.below(7)) {
      case 0: return say("split({0},{0}1,{0}2,{1})", v, random_.between(1, 4));
      case 1: return say("parallelize({},CPUThread)", v);
      case 2: say("split({0},{0}1,{0}2,2)", v); return say("parallelize({}1,CPUThread,Atomics)", v);
      case 3: return say("unroll({},{})", v, random_.between(2, 3));
      case 4: return say("vectorize({})", v);
      case 5: {
        std::vector<std::string> order = left_;
        random_.shuffle(order);
        return order.size() > 1 ? say("reorder({})", listed(order)) : void();
      }
      default: return say("assemble({},{})", problem_.result(), random_.percent(50) ? "Append" : "Insert");
    }
  }

  Random& random_;
  const Problem& problem_;
  std::vector<std::string> left_;   // loops inside
  std::vector<std::string> outer_;  // loops that are distributed
  std::string step_;                // the loop over steps
  std::vector<std::string> directives_;
};

}  // namespace

std::vector<std::string> draw_launch(Random& random, const Problem& problem) {
  return LaunchDrawer(random, problem).run();
}

}  // namespace lacuna::fuzz
