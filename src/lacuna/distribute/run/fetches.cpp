#include "lacuna/distribute/run/fetches.h"

#include <set>

#include "lacuna/distribute/run/dense_fetch.h"
#include "lacuna/distribute/run/entry_fetch.h"
#include "lacuna/distribute/run/general_fetch.h"
#include "lacuna/distribute/run/parts_in_place.h"
#include "lacuna/distribute/run/stepped_entries.h"

namespace lacuna {

/// Those that wait for what comes begin first. Parts may have to move to where others can read them before they are
/// sent from there, too. What is received last is sent last.
Fetches::Fetches(const PreparedLaunch& prepared, bool again, Communicator& ranks)
    : prepared_(prepared), by_kind_(prepared.plan.launch.operands.size()) {
  divide(again, ranks);
  std::vector<std::size_t> dense, entries, stepped, general;
  for (std::size_t o = 0; o < by_kind_.size(); ++o) {
    const Kind kind = fetched_as(prepared, o);
    if (kind == Kind::Brought) dense.push_back(o);
    else if (kind == Kind::Entries) entries.push_back(o);
    else if (again && SteppedEntries::can_bring(prepared, o)) stepped.push_back(o);
    else general.push_back(o);
    add_held(o);
  }
  for (const std::size_t o : entries) add_entries(o, ranks);
  if (again && prepared.plan.steps.size() == 1)
    for (const std::size_t o : dense) add_in_place(o, ranks);
  for (const std::size_t o : dense) add_dense(o);
  for (const std::size_t o : stepped) add(Kind::Moving, std::make_unique<SteppedEntries>(prepared, o, ranks));
  for (const std::size_t o : general) add(Kind::Moving, std::make_unique<GeneralFetch>(prepared, o));
}

void Fetches::divide(bool again, const Communicator& ranks) {
  const LaunchPlan& plan = prepared_.plan;
  const bool divides = again && plan.steps.size() == 1;
  if (divides) in_place_ = InPlace(ranks);
  for (std::size_t t = 0; t < plan.tasks.size(); ++t)
    if (rank_of(plan, plan.tasks[t].processor, ranks) == ranks.rank())
      tasks_.emplace(t, divides ? pieces_of(prepared_, t, in_place_) : undivided(prepared_, t));
}

void Fetches::add(Kind kind, std::unique_ptr<Fetch> fetch) {
  by_kind_[fetch->operand()][kind] = fetch.get();
  fetches_.push_back(std::move(fetch));
}

void Fetches::add_held(std::size_t o) {
  auto held = std::make_unique<HeldParts>(prepared_, o);
  for (const auto& [t, task] : tasks_)
    for (const Piece& piece : task.pieces)
      if (piece.sources[o].kind == Kind::Part) held->add(t, piece.sources[o].part);
  add(Kind::Part, std::move(held));
}

void Fetches::add_entries(std::size_t o, const Communicator& ranks) {
  std::set<std::size_t> wanted;
  for (const auto& [t, task] : tasks_)
    for (const Piece& piece : task.pieces)
      if (piece.sources[o].kind == Kind::Entries) wanted.insert(prepared_.plan.fetcher(o, t));
  add(Kind::Entries, std::make_unique<EntryFetch>(prepared_, o, wanted, ranks));
}

void Fetches::add_in_place(std::size_t o, Communicator& ranks) {
  std::set<std::size_t> readers;
  for (const auto& [t, task] : tasks_)
    if (reads_in_place(task, o)) readers.insert(t);
  add(Kind::InPlace, std::make_unique<PartsInPlace>(prepared_, o, in_place_, readers, ranks));
}

void Fetches::add_dense(std::size_t o) {
  if (prepared_.plan.steps.size() > 1) {
    add(Kind::Brought, std::make_unique<DenseFetch>(prepared_, o));
    return;
  }
  DenseFetch::Regions wanted;
  for (auto& [t, task] : tasks_)
    if (const auto region = task.brought.find(o); region != task.brought.end())
      wanted.emplace(prepared_.plan.fetcher(o, t), std::move(region->second));
  const auto in_place = by_kind_[o].find(Kind::InPlace);
  const auto* served = in_place == by_kind_[o].end() ? nullptr : static_cast<const PartsInPlace*>(in_place->second);
  add(Kind::Brought, std::make_unique<DenseFetch>(prepared_, o, std::move(wanted), served));
}

Fetches::Source Fetches::source(std::size_t task, const Piece& piece, std::size_t o) const {
  const Kind kind = piece.sources[o].kind;
  const bool is_own = kind == Kind::Part || kind == Kind::InPlace;
  return {by_kind_[o].at(kind), is_own ? task : prepared_.plan.fetcher(o, task)};
}

template <typename F>
void Fetches::each_moving(const std::vector<bool>& changed, const F& f) {
  for (const auto& fetch : fetches_)
    if (changed[fetch->operand()] || fetch->moves_in_each_run()) f(*fetch);
}

void Fetches::begin(std::size_t step, const std::vector<bool>& changed, Communicator& ranks) {
  each_moving(changed, [&](Fetch& fetch) { fetch.begin(step, changed[fetch.operand()], ranks); });
}

void Fetches::finish(std::size_t step, const std::vector<bool>& changed, Communicator& ranks) {
  each_moving(changed, [&](Fetch& fetch) { fetch.finish(step, ranks); });
}

void Fetches::end(const std::vector<bool>& changed, Communicator& ranks) {
  each_moving(changed, [&](Fetch& fetch) { fetch.end(ranks); });
}

void Fetches::forget(std::size_t step) {
  for (const auto& fetch : fetches_) fetch->forget(step);
}

Traffic Fetches::take_traffic() {
  Traffic all;
  for (const auto& fetch : fetches_) lacuna::add(all, fetch->take_traffic());
  return all;
}

}  // namespace lacuna
