#include "lacuna/schedule/cost/loop_work.h"

#include <algorithm>
#include <cmath>

#include "lacuna/schedule/cost/merge.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna::cost {
namespace {

using concrete::Formula;

constexpr double probes = 1.5;  // slots of a hash table looked at for a key

double halvings(double n) { return std::log2(1 + std::max(0.0, n)); }

class LoopWork {
 public:
  LoopWork(Model& model, const Loop& loop, const Place& before, const Place& inside)
      : model_(model), loop_(loop), before_(before), inside_(inside), starts_(model.times(before)) {}

  double run() {
    open_cursors();
    const double turns = trips();
    follow(turns);
    locate();
    return turns;
  }

 private:
  const LevelFormat& format_of(const LevelUse& u) const { return model_.tensor_of(u.path).format.level(u.level); }
  Formula stored(const LevelUse& u) const { return model_.nest.stored(u.path, u.level); }
  Formula parent_stored(const LevelUse& u) const { return model_.nest.stored(u.path, u.level - 1); }

  void read(const LevelUse& u, ArrayKind kind, double elements) {
    const concrete::Tensor& t = model_.tensor_of(u.path);
    const concrete::LevelWidths& w = t.widths[static_cast<std::size_t>(u.level)];
    const int width = kind == ArrayKind::Present ? 1 : size_of(kind == ArrayKind::Pos ? w.pos : w.crd);
    model_.ledger.read({t.var.name(), u.level, kind}, elements, width);
  }

  /// The bounds of each cursor's walk; a window of coordinates is searched for.
  void open_cursors() {
    const bool window = before_.space.narrows(loop_.var) && !narrowed_by_positions(model_, loop_.var);
    for (const LevelUse& u : loop_.walks.cursors) {
      const double starts = model_.times(before_, parent_stored(u));
      model_.need(u.path, u.level, starts * model_.children(u.path, u.level));
      if (format_of(u).packed()) read(u, ArrayKind::Pos, 2 * starts);
      if (window) read(u, ArrayKind::Crd, 2 * starts * halvings(model_.children(u.path, u.level)));
    }
  }

  double trips() {
    switch (loop_.iteration) {
      case Iteration::Pieces:
        return before_.space.narrows(loop_.var) ? model_.times({inside_.space, before_.present, true})
                                                : starts_ * before_.space.extent(loop_.var);
      case Iteration::Full: return full();
      case Iteration::Drain: return drain();
      case Iteration::Walk: return walk();
      case Iteration::Merge: break;
    }
    return merge();
  }

  double full() {
    const double turns = model_.times({inside_.space, before_.present, true});
    for (const LevelUse& u : loop_.walks.cursors) read(u, ArrayKind::Crd, turns);
    return turns;
  }

  double walk() {
    const auto decides = [](const LevelUse& u) { return u.use == Use::Walked; };
    const LevelUse& u = *std::find_if(loop_.walks.cursors.begin(), loop_.walks.cursors.end(), decides);
    const double coordinates = model_.times(inside_);
    if (model_.tensor_of(u.path).format.level(u.level).unique) {
      read(u, ArrayKind::Crd, loop_.how.prefetch > 0 ? 2 * coordinates : coordinates);  // its own, and one ahead
      return coordinates;
    }
    // Equal coordinates are run through to find where they end.
    const double entries = coordinates * model_.repetition(u.path, u.level);
    read(u, ArrayKind::Crd, 2 * coordinates + entries);
    return coordinates + entries;
  }

  double merge() {
    if (starts_ <= 0) return 0;
    std::vector<double> entries;
    std::vector<const LevelUse*> walked;
    for (const LevelUse& u : loop_.walks.cursors) {
      if (u.use != Use::Walked) continue;
      walked.push_back(&u);
      entries.push_back(model_.times({inside_.space, before_.present, true}, stored(u)) / starts_);
    }
    Formula formula = Formula::never();
    for (const std::uint64_t term : loop_.walks.lattice.formula.terms()) formula = formula | among_walked(term);
    const double extent = inside_.space.size() / std::max(1.0, before_.space.size());
    const MergeWork work = gallops(walked) ? gallop_work(entries) : merge_work(formula, entries, extent);
    for (const LevelUse* u : walked)
      read(*u, ArrayKind::Crd, starts_ * work.heads / static_cast<double>(walked.size()));
    return starts_ * work.trips;
  }

  /// Only intersections gallop, of levels that can be searched.
  bool gallops(const std::vector<const LevelUse*>& walked) const {
    return loop_.how.merge == concrete::Merge::Gallop && loop_.walks.lattice.formula.terms().size() == 1 &&
           walked.size() == loop_.walks.cursors.size() &&
           std::all_of(walked.begin(), walked.end(), [&](const LevelUse* u) {
             const LevelFormat& level = model_.tensor_of(u->path).format.level(u->level);
             return level.packed() && level.ordered && level.unique;
           });
  }

  /// A term over the cursors that decide, counted without the others.
  Formula among_walked(std::uint64_t term) const {
    Formula all = Formula::always();
    int number = 0;
    for (std::size_t c = 0; c < loop_.walks.cursors.size(); ++c) {
      if (loop_.walks.cursors[c].use != Use::Walked) continue;
      if ((term >> c & 1) != 0) all = all & Formula::atom(number);
      ++number;
    }
    return all;
  }

  /// The list of coordinates is sorted, then run through; marks are taken back.
  double drain() {
    const double coordinates = model_.times(inside_);
    for (const LevelUse& u : loop_.walks.drained) {
      const TensorVar& w = model_.nest.path_of(u).tensor;
      const double entries = model_.times(inside_, model_.nest.presence_of(w));
      const concrete::Tensor& workspace = model_.program.at(w);
      const int width = workspace.format.order() == 1 ? size_of(workspace.widths.front().crd) : size_of(Type::Int64);
      model_.ledger.read({w.name(), 0, ArrayKind::List}, 2 * entries, width);
      model_.ledger.write({w.name(), 0, ArrayKind::List}, entries, width);
      model_.ledger.write({w.name(), 0, ArrayKind::Mark}, entries, 1);
    }
    for (const LevelUse& u : loop_.walks.cursors)
      if (u.use == Use::Walked) read(u, ArrayKind::Crd, model_.times(inside_, stored(u)));
    return coordinates;
  }

  /// Cursors that do not decide catch up with the coordinate, and are compared with it.
  void follow(double turns) {
    if (loop_.iteration != Iteration::Walk && loop_.iteration != Iteration::Merge) return;
    for (const LevelUse& u : loop_.walks.cursors) {
      if (u.use != Use::Followed) continue;
      read(u, ArrayKind::Crd, model_.times({inside_.space, before_.present, true}, stored(u)) + 2 * turns);
    }
  }

  void locate() {
    for (const LevelUse& u : loop_.located) {
      const double times = model_.times(inside_, parent_stored(u));
      model_.need(u.path, u.level, times);
      if (u.use == Use::Tested) read(u, ArrayKind::Present, times);
      if (u.use == Use::Probed) read(u, ArrayKind::Crd, probes * times);
      if (format_of(u).has_pos()) read(u, ArrayKind::Pos, 2 * times);
      if (u.use == Use::Searched) {
        const bool one = format_of(u).branchless();
        read(u, ArrayKind::Crd, one ? times : times * (1 + halvings(model_.children(u.path, u.level))));
      }
    }
  }

  Model& model_;
  const Loop& loop_;
  const Place& before_;
  const Place& inside_;
  double starts_;
};

}  // namespace

Formula visited(const Model& model, const Loop& loop) {
  const auto& [cursors, drained, lattice] = loop.walks;
  std::vector<Formula> at;  // of each cursor
  for (const LevelUse& u : cursors) at.push_back(model.nest.stored(u.path, u.level));
  for (const LevelUse& u : drained) {
    const Path& path = model.nest.path_of(u);
    // Nothing is known of how many coordinates of the levels above the last are met.
    if (u.level + 1 < std::ssize(path.variables)) return Formula::always();
    at.push_back(model.nest.presence_of(path.tensor));
  }
  Formula any = Formula::never();
  for (const std::uint64_t term : lattice.formula.terms()) {
    Formula all = Formula::always();
    for (std::size_t c = 0; c < at.size(); ++c)
      if ((term >> c & 1) != 0) all = all & at[c];
    any = any | all;
  }
  return any;
}

bool narrowed_by_positions(const Model& model, const IndexVar& var) {
  return std::any_of(model.nest.loops.begin(), model.nest.loops.end(), [&](const Loop& l) {
    return model.program.provenance.counts_positions(l.var) && contains(model.program.provenance.underived(l.var), var);
  });
}

double book_loop(Model& model, const Loop& loop, const Place& before, const Place& inside) {
  return LoopWork(model, loop, before, inside).run();
}

}  // namespace lacuna::cost
