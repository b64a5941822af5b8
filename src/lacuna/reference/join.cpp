#include "lacuna/reference/join.h"

#include <algorithm>
#include <tuple>

namespace lacuna::reference {
namespace {

/// Lower is sooner: what only filters, then what is connected to bound slots, then the smallest.
std::tuple<bool, bool, std::int64_t> priority(const Stored& stored, const std::set<int>& bound) {
  const auto is_bound = [&](int slot) { return bound.count(slot) > 0; };
  const bool all = std::all_of(stored.slots.begin(), stored.slots.end(), is_bound);
  const bool any = std::any_of(stored.slots.begin(), stored.slots.end(), is_bound);
  return {!all, !any, stored.entries->rows().size};
}

}  // namespace

Join::Join(const Program& program, std::vector<int> wanted, const std::set<int>& known,
           const std::vector<std::int64_t>& extents)
    : wanted_(std::move(wanted)), extents_(extents) {
  for (const Conjunct& conjunct : presence(program)) plans_.push_back(plan(conjunct, wanted_, known));
}

Join::Plan Join::plan(const Conjunct& conjunct, const std::vector<int>& wanted, std::set<int> bound) {
  Plan plan;
  std::vector<Stored> left(conjunct.begin(), conjunct.end());
  while (!left.empty()) {
    const auto best = std::min_element(left.begin(), left.end(), [&](const Stored& a, const Stored& b) {
      return priority(a, bound) < priority(b, bound);
    });
    plan.steps.push_back(make_step(*best, bound));
    left.erase(best);
  }
  std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(plan.loops),
               [&](int slot) { return bound.count(slot) == 0; });
  return plan;
}

Join::Step Join::make_step(const Stored& stored, std::set<int>& bound) {
  std::vector<int> key_modes;
  std::vector<int> key_slots;
  std::vector<std::pair<int, int>> binds;
  std::vector<std::pair<int, int>> equal_modes;
  for (std::size_t m = 0; m < stored.slots.size(); ++m) {
    const int mode = static_cast<int>(m);
    const int slot = stored.slots[m];
    const auto bound_here = std::find_if(binds.begin(), binds.end(), [&](const auto& b) { return b.second == slot; });
    if (bound_here != binds.end()) {
      equal_modes.emplace_back(bound_here->first, mode);
    } else if (bound.count(slot) > 0) {
      key_modes.push_back(mode);
      key_slots.push_back(slot);
    } else {
      binds.emplace_back(mode, slot);
    }
  }
  for (const auto& [mode, slot] : binds) bound.insert(slot);
  const CoordinateRows& rows = stored.entries->rows();
  return {&rows, GroupIndex(rows, std::move(key_modes), equal_modes), std::move(key_slots), std::move(binds)};
}

Bindings Join::run(Point& point) const {
  std::vector<std::int64_t> extents;
  for (const int slot : wanted_) extents.push_back(extents_[static_cast<std::size_t>(slot)]);
  Bindings found(extents);
  for (const Plan& plan : plans_) run_step(plan, 0, point, found);
  found.sort_and_deduplicate();
  return found;
}

void Join::run_step(const Plan& plan, std::size_t k, Point& point, Bindings& found) const {
  if (k == plan.steps.size()) return run_loop(plan, 0, point, found);
  const Step& step = plan.steps[k];
  std::vector<std::int64_t> key;
  for (const int slot : step.key_slots) key.push_back(point[static_cast<std::size_t>(slot)]);
  for (std::int64_t entry = step.index.first(key); entry >= 0; entry = step.index.next(entry)) {
    const std::int64_t* row = step.rows->row(entry);
    for (const auto& [mode, slot] : step.binds) point[static_cast<std::size_t>(slot)] = row[mode];
    run_step(plan, k + 1, point, found);
  }
}

void Join::run_loop(const Plan& plan, std::size_t k, Point& point, Bindings& found) const {
  if (k == plan.loops.size()) {
    std::vector<std::int64_t> values;
    for (const int slot : wanted_) values.push_back(point[static_cast<std::size_t>(slot)]);
    return found.add(values);
  }
  const auto slot = static_cast<std::size_t>(plan.loops[k]);
  for (point[slot] = 0; point[slot] < extents_[slot]; ++point[slot]) run_loop(plan, k + 1, point, found);
}

}  // namespace lacuna::reference
