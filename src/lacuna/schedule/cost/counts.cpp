#include "lacuna/schedule/cost/counts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "lacuna/schedule/problem/tree.h"

namespace lacuna::cost {
namespace {

// What bitmaps and hash tables store is not counted, which would take reading them: half of a bitmap, and what a table
// holds on average between two doublings.
constexpr double bitmap_share = 0.5;
constexpr double hashed_share = 0.375;
// Of an empty tensor.
constexpr double assumed_entries_a_row = 8;
constexpr double assumed_share = 0.125;          // at most
constexpr double assumed_hypersparse = 1 << 26;  // at most, where no level has a place for each coordinate

/// How many of `span` coordinates `entries` of them hit, drawn with repetition.
double distinct(double span, double entries) {
  return span <= 0 ? 0 : std::min(entries, -span * std::expm1(-entries / span));
}

/// Whether level k is the last that is not full: there every entry has a place of its own.
bool is_last_sparse(const Format& format, int k) {
  for (int l = k + 1; l < format.order(); ++l)
    if (!format.level(l).full()) return false;
  return true;
}

std::vector<double> level_extents(const concrete::Program& program, const Format& format,
                                  const std::vector<IndexVar>& indices) {
  std::vector<double> extents;
  for (int k = 0; k < format.order(); ++k)
    extents.push_back(
        static_cast<double>(program.extents.at(indices[static_cast<std::size_t>(format.map().mode_of(k))])));
  return extents;
}

/// The counts that facts tell; `stored` is NaN where they say all that is known.
TensorCount counted(const OperandFacts& facts, const std::vector<double>& extents, double stored) {
  if (!std::isnan(stored)) {
    TensorCount count = spread_evenly(facts.format, extents, stored);
    for (std::size_t k = 0; k < count.levels.size(); ++k)
      count.levels[k].positions = static_cast<double>(facts.positions[k]);
    return count;
  }
  TensorCount count;
  double parents = 1;
  for (std::size_t k = 0; k < extents.size(); ++k) {
    LevelCount level{static_cast<double>(facts.positions[k]), static_cast<double>(facts.positions[k])};
    const LevelFormat& kind = facts.format.levels()[k];
    if (kind.full()) level.entries = parents * extents[k];
    if (kind.has_present()) level.entries = std::min(bitmap_share * level.positions, parents * extents[k]);
    if (kind.hashes()) level.entries = hashed_share * level.positions;
    if (k < facts.reach.size()) level.reach = static_cast<double>(facts.reach[k]);
    parents = level.entries;
    count.levels.push_back(level);
  }
  return count;
}

/// The first access of each operand of the program, by name.
std::map<std::string, Access> operand_accesses(const concrete::Program& program) {
  std::map<std::string, Access> found;
  tree::each_assignment(program.root, [&](const concrete::Assign& a, const auto&) {
    for (const Access& access : accesses(a.rhs))
      if (program.at(access.tensor).role == concrete::Role::Operand) found.emplace(access.tensor.name(), access);
  });
  return found;
}

/// Whether a tensor's arrays have gaps that facts do not tell from entries.
bool has_gaps(const Format& format) {
  return std::any_of(format.levels().begin(), format.levels().end(), [](const LevelFormat& l) { return l.has_gaps(); });
}

}  // namespace

TensorCount spread_evenly(const Format& format, const std::vector<double>& extents, double entries) {
  TensorCount count;
  double positions = 1, stored = 1, span = 1;
  for (double e : extents) span *= e;
  entries = std::min(entries, span);
  span = 1;
  for (int k = 0; k < format.order(); ++k) {
    const LevelFormat& level = format.level(k);
    const double extent = extents[static_cast<std::size_t>(k)];
    span *= extent;
    const double children = is_last_sparse(format, k) ? std::min(entries, span) : distinct(span, entries);
    if (level.spans()) {
      positions *= extent;
      stored = level.full() ? stored * extent : children;
    } else if (level.hashes()) {
      positions = children / hashed_share;
      stored = children;
    } else {
      positions = stored = level.unique ? std::min(children, stored * extent) : entries;
    }
    count.levels.push_back({positions, stored});
  }
  return count;
}

double assumed_entries(const Format& format, const std::vector<double>& extents) {
  double largest = 1;
  for (const double e : extents) largest = std::max(largest, e);
  const double entries = assumed_entries_a_row * largest;
  const auto has_all_places = [](const LevelFormat& l) { return l.spans(); };
  const bool is_hypersparse = std::none_of(format.levels().begin(), format.levels().end(), has_all_places);
  return is_hypersparse ? std::min(entries, assumed_hypersparse) : entries;
}

Counts count_operands(const Scheduled& scheduled, const ScheduleProblem& problem,
                      const std::map<std::string, double>& stored) {
  const concrete::Program& program = scheduled.program;
  std::map<std::string, std::string> sources;
  for (const OperandCopy& c : scheduled.copies) sources[c.name] = c.source;
  Counts counts;
  for (const auto& [name, access] : operand_accesses(program)) {
    const Format& format = program.at(access.tensor).format;
    const std::vector<double> extents = level_extents(program, format, access.indices);
    const auto copied = sources.find(name);
    const std::string& source = copied == sources.end() ? name : copied->second;
    const OperandFacts& facts = problem.operands.at(source);
    const auto known = stored.find(source);
    const bool guess = known == stored.end() || !has_gaps(facts.format);
    const double entries = guess ? std::nan("") : known->second;
    if (facts.stored == 0) {
      const double span = std::accumulate(extents.begin(), extents.end(), 1.0, std::multiplies<>());
      counts[name] =
          spread_evenly(format, extents, std::min(assumed_entries(facts.format, extents), assumed_share * span));
      counts[name].assumed = true;
    } else if (format == facts.format) {
      counts[name] = counted(facts, extents, entries);
    } else {
      counts[name] = spread_evenly(format, extents, guess ? static_cast<double>(facts.stored) : entries);
    }
  }
  return counts;
}

}  // namespace lacuna::cost
