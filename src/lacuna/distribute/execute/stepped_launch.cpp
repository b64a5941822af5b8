#include "lacuna/distribute/execute/stepped_launch.h"

#include <algorithm>

#include "lacuna/distribute/execute/local_request.h"

namespace lacuna {

bool SteppedLaunch::can_run(const PreparedLaunch& prepared) {
  const launch::Launch& launch = prepared.plan.launch;
  if (prepared.plan.steps.size() <= 1 || !can_be_step_sum(prepared.local_format())) return false;
  for (std::size_t o = 0; o < launch.operands.size(); ++o) {
    const bool is_dense = prepared.tensor(o).shape().format.is_dense() && !launch.deals_out(o);
    if (!is_dense && !prepared.plan.is_fetched_once(launch.operands[o]) && !EntrySteps::can_bring(prepared, o))
      return false;
  }
  return true;
}

/// What is sent for the next step is on its way while this one is computed: it depends on what was there before.
void SteppedLaunch::run_tasks() {
  if (!is_looked_up_) {
    look_up();
    changed_.assign(changed_.size(), true);
  } else {
    for (std::size_t o = 0; o < moving_.size(); ++o)
      if (moving_[o] && changed_[o]) moving_[o]->renew(prepared_);
  }
  bring_entries();
  begin(0);
  for (std::size_t s = 0; s < works_.size(); ++s) {
    ranks_->finish_receives();
    for (std::size_t o = 0; o < dense_.size(); ++o)
      if (dense_[o] && (changed_[o] || !dense_[o]->comes_once())) dense_[o]->finish(s);
    ranks_->finish_sends();
    if (s + 1 < works_.size()) begin(s + 1);
    for (Work& work : works_[s]) compute(s, work);
  }
  ranks_->finish_sends();
}

bool SteppedLaunch::is_dense(std::size_t o) const {
  return prepared_.tensor(o).shape().format.is_dense() && !launch().deals_out(o);
}

/// Of an operand that is not dense: the part that a processor has, if that is all that a task fetches for those there.
std::optional<std::int64_t> SteppedLaunch::part_here(std::size_t o, std::size_t t) const {
  const LaunchStep& step = plan().steps.front();
  const Transfer* only = nullptr;
  for (const Transfer& transfer : step.transfers) {
    if (static_cast<std::size_t>(transfer.task) != t || static_cast<std::size_t>(transfer.operand) != o) continue;
    if (only != nullptr) return std::nullopt;
    only = &transfer;
  }
  const Task& task = plan().tasks[t];
  if (only == nullptr || launch().deals_out(o) || only->from != task.processor) return std::nullopt;
  const std::vector<IndexSet> region = plan().region_of(launch().operands[o], task, step);
  return common(region, prepared_.tensor(o).part(*only->part).sets) == region ? only->part : std::nullopt;
}

void SteppedLaunch::look_up() {
  for (std::size_t o = 0; o < launch().operands.size(); ++o) {
    dense_.emplace_back();
    moving_.emplace_back();
    entries_.emplace_back();
    parts_here_.emplace_back();
    if (is_dense(o)) {
      dense_.back().emplace(prepared_, o, *ranks_);
      continue;
    }
    if (!plan().is_fetched_once(launch().operands[o])) {
      moving_.back().emplace(prepared_, o, *ranks_);
      continue;
    }
    std::set<std::size_t> brought;
    for (std::size_t t = 0; t < plan().tasks.size(); ++t) {
      if (!is_mine(plan().tasks[t].processor)) continue;
      if (plan().fetcher(o, t) != t) continue;
      if (const auto part = part_here(o, t)) parts_here_[o].emplace(t, *part);
      else brought.insert(t);
    }
    entries_.back().emplace(prepared_, o, brought, *ranks_);
  }
  works_.resize(plan().steps.size());
  for (std::size_t s = 0; s < works_.size(); ++s) add_works(s);
  is_looked_up_ = true;
}

void SteppedLaunch::add_works(std::size_t s) {
  const LaunchStep& step = plan().steps[s];
  for (std::size_t t = 0; t < plan().tasks.size(); ++t) {
    const Task& task = plan().tasks[t];
    if (!is_mine(task.processor) || !plan().contributes(task, step)) continue;
    Work work{t};
    for (const launch::Operand& operand : launch().operands) work.used.push_back(plan().used_of(operand, task, step));
    work.computed = plan().used_of(launch().result, task, step);
    work.contribution = prepared_.reduction.of(t, work.computed);
    std::unique_ptr<StepSum>& sum = sums_[work.contribution];
    work.is_first = sum == nullptr;
    if (work.is_first)
      sum = make_step_sum({prepared_.local_format(), prepared_.sum_type, Scalar::zero(prepared_.sum_type)},
                          work.computed, [this](const Request& request) { return prepared_for(request); });
    works_[s].push_back(std::move(work));
  }
}

/// What tasks need of operands that are not dense, unless it lies where it is used.
void SteppedLaunch::bring_entries() {
  for (std::size_t o = 0; o < entries_.size(); ++o) {
    if (!entries_[o] || !changed_[o]) continue;
    entries_[o]->bring(prepared_, *ranks_);
    add(fetches_, entries_[o]->traffic());
  }
}

void SteppedLaunch::begin(std::size_t s) {
  for (std::size_t o = 0; o < dense_.size(); ++o) {
    if (!dense_[o] || (dense_[o]->comes_once() && !changed_[o])) continue;
    dense_[o]->begin(s, prepared_, *ranks_);
    add(fetches_, dense_[o]->traffic(s));
  }
  for (std::optional<EntrySteps>& each : moving_) {
    if (!each) continue;
    each->begin(s, prepared_, *ranks_);
    add(fetches_, each->traffic(s));
  }
}

void SteppedLaunch::compute(std::size_t s, Work& work) {
  if (!work.kernel) prepare(s, work);
  else refresh(s, work);
  StepSum& sum = *sums_.at(work.contribution);
  if (work.is_first) {
    LocalPart& first = sum.begin();
    first.sets = work.computed;
    work.kernel->run_into(first.storage);
    keep_pattern(work, first.storage);
  } else {
    work.kernel->run_into(sum.addend());
    keep_pattern(work, sum.addend());
    sum.add();
  }
  contributions_[work.contribution] = &sum.sum();
}

/// A result that has the pattern of an operand shares its arrays. Where these are written over in a later step, it gets
/// copies, which are made once: patterns do not change.
void SteppedLaunch::keep_pattern(Work& work, Storage& result) const {
  if (!work.pattern) {
    work.pattern.emplace();
    each_array([&](const Array& array) { work.pattern->push_back(is_lent(array, work.task) ? array.copy() : Array()); },
               result);
  }
  std::size_t k = 0;
  const auto keep = [&](Array& array) {
    const Array& copy = (*work.pattern)[k++];
    if (!copy.empty()) array = copy;
  };
  each_array(keep, result);
}

bool SteppedLaunch::is_lent(const Array& array, std::size_t task) const {
  for (std::size_t o = 0; o < moving_.size(); ++o)
    if (moving_[o] && moving_[o]->lends(array, plan().fetcher(o, task))) return true;
  return false;
}

void SteppedLaunch::prepare(std::size_t s, Work& work) {
  const OperandPart part = [&](std::size_t o, const std::vector<IndexSet>&) { return first_storage(s, work, o); };
  const Request local = local_request(prepared_, plan().tasks[work.task], plan().steps[s], part);
  work.kernel.emplace(*prepared_for(local), local.operands);
}

Storage SteppedLaunch::first_storage(std::size_t s, Work& work, std::size_t o) {
  if (moving_[o]) return moving_[o]->storage(s, plan().fetcher(o, work.task), prepared_);
  if (!dense_[o]) return cut(entries_of(o, plan().fetcher(o, work.task)), work.used[o]).storage;
  const std::size_t fetcher = plan().fetcher(o, work.task);
  const Storage& all = dense_[o]->storage(s, fetcher, prepared_);
  const std::vector<IndexSet>& region = dense_[o]->place(s, fetcher).region;
  if (region == work.used[o]) return all;
  const PartShape& shape = prepared_.tensor(o).shape();
  if (auto view = DenseView::of(region, work.used[o], shape))
    return work.views.emplace(o, std::move(*view)).first->second.in(all.values);
  const LocalPart piece = cut(LocalPart{region, all}, work.used[o]);
  return work.pieces
      .emplace(o, Piece{DenseCopy(region, work.used[o], work.used[o], shape.format, shape.type), piece.storage})
      .first->second.storage;
}

const LocalPart& SteppedLaunch::entries_of(std::size_t o, std::size_t t) const {
  const auto here = parts_here_[o].find(t);
  return here != parts_here_[o].end() ? prepared_.tensor(o).part(here->second) : entries_[o]->of(t);
}

void SteppedLaunch::refresh(std::size_t s, Work& work) {
  for (std::size_t o = 0; o < work.used.size(); ++o) {
    if (dense_[o]) refresh_dense(s, work, o);
    else if (moving_[o]) refresh_moving(s, work, o);
    else if (changed_[o]) refresh_entries(work, o);
  }
}

/// What is brought lies where it lay, unless only some of it is used.
void SteppedLaunch::refresh_dense(std::size_t s, Work& work, std::size_t o) {
  const std::size_t fetcher = plan().fetcher(o, work.task);
  const bool is_part = dense_[o]->place(s, fetcher).part.has_value();
  if (!changed_[o] && (is_part || dense_[o]->comes_once())) return;
  const auto piece = work.pieces.find(o);
  if (piece != work.pieces.end()) {
    piece->second.copy.copy(dense_[o]->values(s, fetcher, prepared_), piece->second.storage.values.mutable_data());
  } else if (is_part) {
    const Storage& all = dense_[o]->storage(s, fetcher, prepared_);
    const auto view = work.views.find(o);
    work.kernel->replace(launch().operands[o].name, view == work.views.end() ? all : view->second.in(all.values));
  }
}

/// What is brought lies where it lay.
void SteppedLaunch::refresh_moving(std::size_t s, Work& work, std::size_t o) {
  const std::size_t fetcher = plan().fetcher(o, work.task);
  if (changed_[o] && moving_[o]->is_here(s, fetcher))
    work.kernel->replace(launch().operands[o].name, moving_[o]->storage(s, fetcher, prepared_));
}

void SteppedLaunch::refresh_entries(Work& work, std::size_t o) {
  const std::string& name = launch().operands[o].name;
  const std::size_t fetcher = plan().fetcher(o, work.task);
  const LocalPart& source = entries_of(o, fetcher);
  if (source.sets != work.used[o]) {
    CutOperand& used = work.cuts[o];
    if (used.refresh(source, work.used[o])) work.kernel->replace(name, used.storage());
    return;
  }
  const bool is_here = parts_here_[o].count(fetcher) != 0;
  if (is_here || !entries_[o]->keeps_memory()) work.kernel->replace(name, source.storage);
}

}  // namespace lacuna
