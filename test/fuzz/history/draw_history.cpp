#include <algorithm>
#include <set>

#include "fuzz/history/history.h"
#include "fuzz/statement/judge.h"
#include "lacuna/dynamic/code/load.h"

namespace lacuna::fuzz {
namespace {

const std::vector<std::string>& level_names() {
  static const std::vector<std::string> names = schema::names_of_levels(schema::level_folders(Environment{}));
  return names;
}

/// Dense and dynamic levels, of which one at least is dynamic; now and then a compressed one, so that the tensor is
/// made anew by each update.
Format draw_updated_format(Random& random, int order) {
  std::vector<LevelFormat> levels;
  const int certain = random.below(order);
  for (int k = 0; k < order; ++k) {
    LevelFormat level{random.percent(10) ? LevelKind::Compressed : LevelKind::Dense, true, true};
    if (k == certain || random.percent(60)) level = parse_format(random.pick(level_names()), 1).level(0);
    levels.push_back(level);
  }
  std::vector<int> modes(static_cast<std::size_t>(order));
  for (int m = 0; m < order; ++m) modes[static_cast<std::size_t>(m)] = m;
  if (random.percent(40)) random.shuffle(modes);
  return Format(std::move(levels), LevelMap(modes));
}

class HistoryDrawer {
 public:
  HistoryDrawer(Random& random, History& history) : random_(random), history_(history) {
    for (const Entry& e : history.operand().entries) known_.push_back(e.coordinate);
  }

  void run() {
    const int steps = random_.between(1, 14);
    for (int n = 0; n < steps; ++n) {
      // Grows in its first half, shrinks in its second.
      shrinking_ = 2 * n > steps;
      const int what = random_.weighted({30, 40, 15, 15});
      if (what == 2) history_.steps.push_back({Step::Kind::Snapshot, {}, {}});
      else if (what == 3) history_.steps.push_back({Step::Kind::Evaluate, {}, {}});
      else history_.steps.push_back(updates(what == 0 ? Step::Kind::Single : Step::Kind::Batch));
    }
    history_.steps.push_back({Step::Kind::Evaluate, {}, {}});
  }

 private:
  bool can_erase() const { return !history_.operand().format.level(history_.operand().format.order() - 1).full(); }

  Step updates(Step::Kind kind) {
    Step step{kind, UpdateOperation::Add, {}};
    const int which = can_erase() ? random_.weighted({shrinking_ ? 15 : 40, shrinking_ ? 15 : 35, shrinking_ ? 70 : 25})
                                  : random_.below(2);
    step.operation = static_cast<UpdateOperation>(which);
    const int sizes[] = {0, 1, 3, 12, 40, 150};
    const int most = kind == Step::Kind::Single ? 4 : sizes[random_.weighted({4, 16, 30, 30, 14, 6})];
    for (int n = kind == Step::Kind::Single ? random_.below(most) : 0; n < most; ++n)
      step.updates.push_back({coordinate(), value()});
    // In the order of modes, of levels, or none.
    if (random_.percent(40))
      std::stable_sort(step.updates.begin(), step.updates.end(),
                       [](const Entry& a, const Entry& b) { return a.coordinate < b.coordinate; });
    return step;
  }

  std::vector<std::int64_t> coordinate() {
    if (!known_.empty() && random_.percent(45)) return random_.pick(known_);
    std::vector<std::int64_t> c;
    for (const std::int64_t d : history_.operand().dimensions) c.push_back(random_.below(static_cast<int>(d)));
    known_.push_back(c);
    return c;
  }

  Scalar value() {
    const Type type = history_.operand().type;
    if (random_.percent(10)) return Scalar::zero(type);
    return Scalar(random_.between(is_unsigned_integer(type) ? 1 : -4, 5)).convert(type);
  }

  Random& random_;
  History& history_;
  std::vector<std::vector<std::int64_t>> known_;
  bool shrinking_ = false;
};

/// An operand that may change: it has modes, all of which have coordinates, and is no old result.
std::vector<std::string> candidates(const Problem& problem) {
  std::vector<std::string> names;
  for (const auto& [name, operand] : problem.operands) {
    const bool empty = std::count(operand.dimensions.begin(), operand.dimensions.end(), 0) > 0;
    if (!operand.dimensions.empty() && !empty && name != problem.result()) names.push_back(name);
  }
  return names;
}

/// Makes a mode of the operand so wide that nodes split and merge, with all that is read by the same variables. Returns
/// whether the problem is still small, and can be judged.
bool widen(Random& random, Problem& problem, const std::string& name) {
  constexpr std::int64_t most_elements = 20'000;
  const std::int64_t old = random.pick(problem.operands.at(name).dimensions);
  const std::int64_t wide = random.between(40, 160);
  // Equal extents stay equal: a tensor may be read through several variables.
  for (auto& [variable, extent] : problem.extents)
    if (extent == old) extent = wide;
  std::int64_t result = 1;
  for (const IndexVar& v : problem.statement.lhs.indices) result *= problem.extents.at(v.name());
  std::int64_t space = 1;
  for (const auto& [variable, extent] : problem.extents) space *= std::max<std::int64_t>(extent, 1);
  bool small = result <= most_elements && space <= 20 * most_elements;
  Rejections lost;
  for (auto& [each, operand] : problem.operands) {
    std::int64_t elements = 1;
    for (std::int64_t& d : operand.dimensions) {
      if (d == old) d = wide;
      elements *= d;
    }
    small = small && elements <= most_elements;
    if (!small) return false;
    operand.entries.clear();
    draw_entries(random, operand, false, lost);
  }
  return lost.data == 0 && tolerance_of(problem).has_value();
}

}  // namespace

History draw_history(Random& random, Rejections& rejections) {
  for (;;) {
    History history;
    history.problem = draw_problem(random, rejections);
    const std::vector<std::string> names = candidates(history.problem);
    if (names.empty()) continue;
    history.updated = random.pick(names);
    if (random.percent(40) && !widen(random, history.problem, history.updated)) continue;
    Operand& operand = history.operand();
    operand.format = draw_updated_format(random, static_cast<int>(operand.dimensions.size()));
    operand.pos.reset();
    operand.crd.reset();
    operand.entries.clear();
    Rejections lost;
    if (random.percent(75)) draw_entries(random, operand, false, lost);
    if (lost.data > 0) continue;
    HistoryDrawer(random, history).run();
    return history;
  }
}

}  // namespace lacuna::fuzz
