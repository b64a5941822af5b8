#include "lacuna/distribute/execute/settled_launch.h"

#include <algorithm>

#include "lacuna/distribute/execute/local_request.h"

namespace lacuna {

using Kind = OperandSource::Kind;

/// What comes from other processors is on its way while the pieces are computed that need nothing of it.
void SettledLaunch::run_tasks() {
  if (!is_looked_up_) {
    look_up();
    changed_.assign(changed_.size(), true);
  }
  begin_fetching();
  for (Work& work : works_)
    if (!work.waits) compute(work);
  use_what_came();
  for (Work& work : works_)
    if (work.waits) compute(work);
  finish_fetching();
}

void SettledLaunch::begin_fetching() {
  bring_entries();
  // Parts may have to move to where others can read them, before they are sent from there, too.
  for (std::size_t o = 0; o < in_place_.size(); ++o)
    if (in_place_[o] && changed_[o]) in_place_[o]->begin(prepared_, *ranks_);
  for (std::size_t o = 0; o < exchanges_.size(); ++o) {
    if (!exchanges_[o] || !changed_[o]) continue;
    exchanges_[o]->begin(prepared_, *ranks_);
    add(fetches_, in_place_[o]->traffic());
    add(fetches_, exchanges_[o]->traffic());
  }
  // Where nothing waits here, others may have nothing to compute before this comes.
  if (std::none_of(works_.begin(), works_.end(), [](const Work& work) { return work.waits; })) ranks_->progress_sends();
}

void SettledLaunch::use_what_came() {
  ranks_->finish_receives();
  ranks_->progress_sends();
  for (std::size_t o = 0; o < exchanges_.size(); ++o) {
    if (!exchanges_[o] || !changed_[o]) continue;
    in_place_[o]->finish(*ranks_);
    exchanges_[o]->finish();
  }
}

/// Until others have read what they read here.
void SettledLaunch::finish_fetching() {
  for (std::size_t o = 0; o < in_place_.size(); ++o)
    if (in_place_[o] && changed_[o]) in_place_[o]->wait(*ranks_);
  ranks_->finish_receives();
  ranks_->finish_sends();
}

void SettledLaunch::look_up() {
  const std::size_t operands = launch().operands.size();
  std::vector<std::map<std::size_t, std::vector<IndexSet>>> brought(operands);
  std::vector<std::set<std::size_t>> gathered(operands);
  std::vector<std::set<std::size_t>> readers(operands);
  const InPlace in_place(*ranks_);
  std::map<std::size_t, TaskPieces> pieces;
  for (std::size_t t = 0; t < plan().tasks.size(); ++t) {
    if (!is_mine(plan().tasks[t].processor)) continue;
    pieces.emplace(t, pieces_of(prepared_, t, in_place));
    for (auto& [o, region] : pieces.at(t).brought) brought[o].emplace(plan().fetcher(o, t), std::move(region));
    for (const Piece& piece : pieces.at(t).pieces)
      for (std::size_t o = 0; o < operands; ++o)
        if (piece.sources[o].kind == Kind::Gathered) gathered[o].insert(plan().fetcher(o, t));
    for (std::size_t o = 0; o < operands; ++o)
      if (reads_in_place(pieces.at(t), o)) readers[o].insert(t);
  }
  for (std::size_t o = 0; o < operands; ++o) {
    in_place_.emplace_back();
    exchanges_.emplace_back();
    entries_.emplace_back();
    if (prepared_.tensor(o).shape().format.is_dense() && !launch().deals_out(o)) {
      in_place_.back().emplace(prepared_, o, in_place, readers[o], *ranks_);
      exchanges_.back().emplace(prepared_, o, brought[o], *in_place_.back(), *ranks_);
    } else {
      entries_.back().emplace(prepared_, o, gathered[o], *ranks_);
    }
  }
  for (auto& [t, each] : pieces) add_works(t, std::move(each));
  is_looked_up_ = true;
}

void SettledLaunch::add_works(std::size_t t, TaskPieces pieces) {
  const LaunchStep& step = plan().steps.front();
  if (!plan().contributes(plan().tasks[t], step)) return;
  const std::size_t first = works_.size();
  for (Piece& piece : pieces.pieces) {
    Work work{t, std::move(piece)};
    for (const launch::Operand& operand : launch().operands)
      work.used.push_back(plan().used_of(operand, work.piece.task, step));
    work.computed = plan().used_of(launch().result, work.piece.task, step);
    for (std::size_t o = 0; o < work.used.size(); ++o)
      work.waits = work.waits || work.piece.sources[o].kind == Kind::InPlace ||
                   (work.piece.sources[o].kind == Kind::Brought && exchanges_[o]->waits(plan().fetcher(o, t)));
    if (works_.size() > first) {
      work.adds_to = first;
      work.waits = work.waits || works_[first].waits;  // so that the first is there
      work.adding =
          DenseCopy(work.computed, works_[first].computed, work.computed, prepared_.local_format(), prepared_.sum_type);
    }
    works_.push_back(std::move(work));
  }
}

/// What tasks of this rank need of operands that are not dense, unless it lies where it is used.
void SettledLaunch::bring_entries() {
  for (std::size_t o = 0; o < entries_.size(); ++o) {
    if (!entries_[o] || !changed_[o]) continue;
    entries_[o]->bring(prepared_, *ranks_);
    add(fetches_, entries_[o]->traffic());
  }
}

void SettledLaunch::compute(Work& work) {
  if (!work.kernel) prepare(work);
  else refresh(work);
  LocalPart& result = work.results.next();
  result.sets = work.computed;
  work.kernel->run_into(result.storage);
  if (!work.adds_to) {
    contributions_[prepared_.reduction.of(work.task, result.sets)] = &result;
    return;
  }
  Work& first = works_[*work.adds_to];
  work.adding.add(result.storage.values.data(), first.results.last().storage.values.mutable_data());
}

/// The part of an operand that has what a piece uses of it.
const LocalPart& SettledLaunch::source_of(const Work& work, std::size_t o) const {
  const auto known = work.piece.cut.find(o);
  if (known != work.piece.cut.end()) return known->second;
  const OperandSource& source = work.piece.sources[o];
  const std::size_t fetcher = plan().fetcher(o, work.task);
  switch (source.kind) {
    case Kind::Part: return prepared_.tensor(o).part(source.part);
    case Kind::InPlace: return in_place_[o]->whole();
    case Kind::Brought: return exchanges_[o]->of(fetcher);
    case Kind::Gathered: return entries_[o]->of(fetcher);
  }
  throw InternalError("internal error: an operand from nowhere");
}

/// What a piece uses of an operand: of a dense one, as it lies there if that is a stretch.
Storage SettledLaunch::first_storage(Work& work, std::size_t o) const {
  const LocalPart& source = source_of(work, o);
  if (const auto rows = work.piece.rows.find(o); rows != work.piece.rows.end()) return rows->second.in(source.storage);
  if (source.sets == work.used[o]) return source.storage;
  std::optional<DenseView> view = DenseView::of(source.sets, work.used[o], shape_of(source.storage));
  if (!view) return cut(source, work.used[o]).storage;
  return work.views.emplace(o, std::move(*view)).first->second.in(source.storage.values);
}

void SettledLaunch::prepare(Work& work) {
  const OperandPart part = [&](std::size_t o, const std::vector<IndexSet>&) { return first_storage(work, o); };
  const Request local = local_request(prepared_, work.piece.task, plan().steps.front(), part);
  work.kernel.emplace(*prepared_for(local), local.operands);
  work.piece.cut.clear();
}

/// The operands that changed. What is brought lies where it lay, unless only some of it is used.
void SettledLaunch::refresh(Work& work) {
  for (std::size_t o = 0; o < work.used.size(); ++o) {
    if (!changed_[o]) continue;
    const LocalPart& source = source_of(work, o);
    if (const auto rows = work.piece.rows.find(o); rows != work.piece.rows.end()) {
      work.kernel->replace(launch().operands[o].name, rows->second.in(source.storage));
      continue;
    }
    if (const auto view = work.views.find(o); view != work.views.end()) {
      work.kernel->replace(launch().operands[o].name, view->second.in(source.storage.values));
      continue;
    }
    if (source.sets != work.used[o]) {
      CutOperand& used = work.cuts[o];
      if (used.refresh(source, work.used[o])) work.kernel->replace(launch().operands[o].name, used.storage());
      continue;
    }
    const Kind kind = work.piece.sources[o].kind;
    if (kind == Kind::Brought || (kind == Kind::Gathered && entries_[o]->keeps_memory())) continue;
    work.kernel->replace(launch().operands[o].name, source.storage);
  }
}

}  // namespace lacuna
