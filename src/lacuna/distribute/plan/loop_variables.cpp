#include "lacuna/distribute/plan/loop_variables.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "lacuna/concrete/refusal.h"
#include "lacuna/distribute/parts/partition.h"
#include "lacuna/support/block.h"

namespace lacuna::launch {
namespace {

/// Coordinates of pieces and what runs inside them, put together again.
IndexSet recombined(const IndexSet& outer, const IndexSet& inner, std::int64_t size, std::int64_t extent) {
  const Interval all{0, extent};
  IndexSetBuilder builder;
  const bool whole = inner.size() == size;
  if (const std::int64_t piece = outer.bounds().begin; outer.size() == 1 && piece <= extent / size)
    return inner.within({0, extent - piece * size}).shifted(piece * size);
  outer.for_each_interval([&](const Interval& pieces) {
    if (whole) {
      // Not past the end, nor past what 64 bits hold.
      const std::int64_t past = extent / size + 1;
      builder.add(lacuna::common({std::min(pieces.begin, past) * size, std::min(pieces.end, past) * size}, all));
      return;
    }
    for (std::int64_t piece = pieces.begin; piece < pieces.end && piece <= extent / size; ++piece) {
      inner.for_each_interval([&](const Interval& run) {
        builder.add(lacuna::common({piece * size + run.begin, piece * size + run.end}, all));
      });
    }
  });
  return builder.finish();
}

}  // namespace

LoopVariables::LoopVariables(const Statement& s, const std::map<IndexVar, std::int64_t>& extents) {
  for (const IndexVar& v : all_variables(s)) {
    variables_[v.name()] = {extents.at(v), {}, {}};
    order_.push_back(v.name());
  }
}

std::vector<std::string> LoopVariables::names() const {
  std::vector<std::string> all;
  for (const auto& [name, variable] : variables_) all.push_back(name);
  return all;
}

bool LoopVariables::has_loop(const std::string& name) const {
  return std::find(order_.begin(), order_.end(), name) != order_.end();
}

void LoopVariables::require_loop(const std::string& name, std::string_view directive) const {
  if (!has_loop(name) && inner_.count(name) != 0)
    refuse(directive,
           "{} is made by a bound, which is for loops that each processor runs by itself; leave bound for what is "
           "left inside of the loops that processors share",
           name);
  if (!has_loop(name)) refuse(directive, "{} has no loop; there are loops over {}", name, fmt::join(order_, ", "));
}

LoopVariables::Variable& LoopVariables::loop(const std::string& name, std::string_view directive) {
  require_loop(name, directive);
  return variables_.at(name);
}

void LoopVariables::add(const std::string& name, std::optional<std::int64_t> extent, std::vector<std::string> parents,
                        std::string_view directive) {
  if (variables_.count(name) != 0) refuse(directive, "there is a variable {} already; take another name", name);
  variables_[name] = {extent, std::move(parents), {}};
}

void LoopVariables::replace(const std::string& name, const std::vector<std::string>& by) {
  const auto at = std::find(order_.begin(), order_.end(), name);
  order_.insert(order_.erase(at), by.begin(), by.end());
}

void LoopVariables::split(const std::string& name, const SplitInto& into, std::string_view directive) {
  const std::optional<std::int64_t> extent = loop(name, directive).extent;
  const std::optional<std::int64_t> other = extent ? std::optional(block_length(*extent, into.size)) : std::nullopt;
  add(into.outer, into.in_pieces ? into.size : other, {name}, directive);
  add(into.inner, into.in_pieces ? other : into.size, {name}, directive);
  variables_[name].became = into;
  replace(name, {into.outer, into.inner});
}

void LoopVariables::note(const Directive& d) {
  std::visit([this](const auto& kind) { note(kind); }, d.kind);
}

void LoopVariables::note(const directive::Split& d) {
  if (inner_.count(d.variable) != 0) inner_.insert({d.outer, d.inner});
  if (!has_loop(d.variable) && variables_.count(d.variable) == 0) return;  // a producer's
  split(d.variable, {d.outer, d.inner, d.size, d.in_pieces}, d.in_pieces ? "divide" : "split");
}

void LoopVariables::note(const directive::Bound& d) { inner_.insert(d.bounded); }

/// The variables take the places that they have among them.
void LoopVariables::note(const directive::Reorder& d) {
  std::vector<std::string> wanted;
  for (const std::string& v : d.variables)
    if (has_loop(v)) wanted.push_back(v);
  std::size_t next = 0;
  for (std::string& v : order_)
    if (std::find(wanted.begin(), wanted.end(), v) != wanted.end() && next < wanted.size()) {
      // Each place that one of them had is the next one's.
      v = wanted[next++];
    }
}

void LoopVariables::note(const directive::Fuse& d) {
  if (!has_loop(d.outer) || !has_loop(d.inner)) return;
  const std::optional<std::int64_t> a = at(d.outer).extent, b = at(d.inner).extent;
  add(d.fused, a && b ? std::optional(*a * *b) : std::nullopt, {d.outer, d.inner}, "fuse");
  variables_[d.outer].became = FusedInto{d.fused};
  variables_[d.inner].became = FusedInto{d.fused};
  replace(d.outer, {d.fused});
  replace(d.inner, {});
}

void LoopVariables::note(const directive::Pos& d) {
  if (!has_loop(d.variable)) return;
  add(d.position, std::nullopt, {d.variable}, "pos");
  positions_.push_back({d.position, roots_of(d.variable), d.access});
  variables_[d.variable].became = FusedInto{d.position};
  replace(d.variable, {d.position});
}

void LoopVariables::note(const directive::Rotate& d) {
  const std::optional<std::int64_t> extent = loop(d.variable, "rotate").extent;
  for (const std::string& v : d.by) loop(v, "rotate");
  add(d.rotated, extent, {d.variable}, "rotate");
  variables_[d.variable].became = RotatedInto{d.rotated, d.by};
  replace(d.variable, {d.rotated});
}

void LoopVariables::note(const directive::Distribute& d) {
  for (const std::string& v : d.variables) loop(v, "distribute");
  if (d.outer.empty()) return;
  for (std::size_t k = 0; k < d.variables.size(); ++k)
    split(d.variables[k], {d.outer[k], d.inner[k], d.pieces[k], true}, "distribute");
  move_outside(d);
}

void LoopVariables::move_outside(const directive::Distribute& d) {
  std::vector<std::string> order = d.outer;
  order.insert(order.end(), d.inner.begin(), d.inner.end());
  note(directive::Reorder{order});
}

namespace {

/// How long the inner loop is at most; of positions, whose number the data says, only it says that, too.
std::optional<std::int64_t> largest_share(std::optional<std::int64_t> extent, const LoopCut& how) {
  if (!extent) return std::nullopt;
  std::int64_t most = 0;
  for (std::int64_t p = 0; p < how.pieces; ++p)
    most = std::max(most, share_of_set(IndexSet::range(0, *extent), how.share, how.pieces, p).size());
  return most;
}

}  // namespace

void LoopVariables::cut(const directive::Distribute& d, const OwnPartition& partition) {
  for (std::size_t k = 0; k < d.variables.size(); ++k) {
    const LoopCut& how = partition.cuts[k];
    add(d.outer[k], how.pieces, {d.variables[k]}, "distribute");
    add(d.inner[k], largest_share(at(d.variables[k]).extent, how), {d.variables[k]}, "distribute");
    variables_[d.variables[k]].became = CutInto{d.outer[k], d.inner[k], how};
    replace(d.variables[k], {d.outer[k], d.inner[k]});
  }
  move_outside(d);
}

void LoopVariables::set_extent(const std::string& name, std::int64_t extent) {
  variables_.at(name).extent = extent;
  const auto became = variables_.at(name).became;
  if (const auto* split = std::get_if<SplitInto>(&became))
    set_extent(split->in_pieces ? split->inner : split->outer, block_length(extent, split->size));
  else if (const auto* cut = std::get_if<CutInto>(&became)) set_extent(cut->inner, *largest_share(extent, cut->cut));
  else if (const auto* rotated = std::get_if<RotatedInto>(&became)) set_extent(rotated->name, extent);
}

std::optional<std::int64_t> LoopVariables::trips(const std::string& name) const { return at(name).extent; }

bool LoopVariables::runs_over_stored(const std::string& name) const {
  const auto is_position = [&](const Positions& p) {
    const std::vector<std::string> from = ancestors_of(name);
    return p.name == name || std::find(from.begin(), from.end(), p.name) != from.end();
  };
  return std::any_of(positions_.begin(), positions_.end(), is_position);
}

std::vector<std::string> LoopVariables::ancestors_of(const std::string& name) const {
  std::vector<std::string> all;
  for (const std::string& parent : at(name).parents) {
    all.push_back(parent);
    for (std::string& each : ancestors_of(parent)) all.push_back(std::move(each));
  }
  return all;
}

std::optional<std::string> LoopVariables::outer_beside(const std::string& name) const {
  for (const std::string& parent : at(name).parents) {
    const auto* split = std::get_if<SplitInto>(&at(parent).became);
    if (split != nullptr && split->inner == name) return split->outer;
    const auto* cut = std::get_if<CutInto>(&at(parent).became);
    if (cut != nullptr && cut->inner == name) return cut->outer;
  }
  return std::nullopt;
}

std::vector<std::string> LoopVariables::roots_of(const std::string& name) const {
  if (at(name).parents.empty()) return {name};
  std::vector<std::string> roots;
  for (const std::string& parent : at(name).parents)
    for (std::string& root : roots_of(parent)) roots.push_back(std::move(root));
  return roots;
}

IndexSet LoopVariables::values_of(const std::string& name, const Values& at_) const {
  return values_of(name, at_, at(name).extent.value_or(0));
}

IndexSet LoopVariables::values_of(const std::string& name, const Values& values, std::int64_t extent) const {
  if (const auto value = values.find(name); value != values.end())
    return IndexSet::range(std::min(value->second, extent), std::min(value->second + 1, extent));
  const Variable& v = at(name);
  if (const auto* split = std::get_if<SplitInto>(&v.became)) {
    const std::int64_t length = split->in_pieces ? block_length(extent, split->size) : split->size;
    if (length == 0) return {};
    const std::int64_t pieces = split->in_pieces ? split->size : block_length(extent, length);
    return recombined(values_of(split->outer, values, pieces), values_of(split->inner, values, length), length, extent);
  }
  if (const auto* cut = std::get_if<CutInto>(&v.became)) return values_of(*cut, values, extent);
  if (const auto* rotated = std::get_if<RotatedInto>(&v.became)) {
    const IndexSet turns = values_of(rotated->name, values, extent);
    if (extent == 0 || turns.size() == extent) return turns;
    std::int64_t begin = 0;
    for (const std::string& by : rotated->by) begin += values.at(by);
    std::vector<std::int64_t> turned;
    turns.for_each_interval([&](const Interval& run) {
      for (std::int64_t t = run.begin; t < run.end; ++t) turned.push_back((t + begin) % extent);
    });
    return IndexSet::of_coordinates(std::move(turned));
  }
  return IndexSet::range(0, extent);
}

namespace {

/// The numbers of a set that have these ranks.
IndexSet numbers_at(const IndexSet& set, const IndexSet& ranks) {
  if (set.is_interval()) return ranks.within({0, set.size()}).shifted(set.bounds().begin);
  IndexSetBuilder builder;
  ranks.for_each_interval(
      [&](const Interval& run) { set.slice(run).for_each_interval([&](const Interval& here) { builder.add(here); }); });
  return builder.finish();
}

}  // namespace

IndexSet LoopVariables::values_of(const CutInto& cut, const Values& values, std::int64_t extent) const {
  std::vector<IndexSet> some;
  std::int64_t size = 0;
  values_of(cut.outer, values, cut.cut.pieces).for_each_interval([&](const Interval& pieces) {
    for (std::int64_t p = pieces.begin; p < pieces.end; ++p) {
      IndexSet part = share_of_set(IndexSet::range(0, extent), cut.cut.share, cut.cut.pieces, p);
      const IndexSet inner = values_of(cut.inner, values, part.size());
      if (inner.size() < part.size()) part = numbers_at(part, inner);
      size += part.size();
      some.push_back(std::move(part));
    }
  });
  if (size == extent) return IndexSet::range(0, extent);
  if (some.size() == 1) return some.front();
  std::vector<Interval> all;
  for (const IndexSet& part : some) part.for_each_interval([&](const Interval& run) { all.push_back(run); });
  return IndexSet::of_intervals(std::move(all));
}

std::optional<Interval> LoopVariables::part_of_positions(const std::string& name, const Values& values,
                                                         std::int64_t positions) const {
  const IndexSet part = values_of(name, values, positions);
  if (part.size() == positions) return std::nullopt;
  if (!part.is_interval())
    refuse("distribute", "a processor would get several ranges of the positions {}; distribute their outermost piece",
           name);
  return part.bounds();
}

}  // namespace lacuna::launch
