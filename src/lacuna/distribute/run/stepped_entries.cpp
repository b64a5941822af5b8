#include "lacuna/distribute/run/stepped_entries.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "lacuna/distribute/comm/numbers.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

void copy_array(const Array& from, Array& to) {
  if (to.bytes() > 0) std::memcpy(to.mutable_data(), from.data(), static_cast<std::size_t>(to.bytes()));
}

std::span<const std::byte> bytes_of(const Array& array) {
  return {static_cast<const std::byte*>(array.data()), static_cast<std::size_t>(array.bytes())};
}

std::span<std::byte> bytes_of(Array& array) {
  return {static_cast<std::byte*>(array.mutable_data()), static_cast<std::size_t>(array.bytes())};
}

/// By step and task: the transfer of an operand, of which there is one at most.
using OnlyTransfers = std::vector<std::vector<const Transfer*>>;

/// None where a task gets more of them in a step.
std::optional<OnlyTransfers> only_transfers(const LaunchPlan& plan, std::size_t operand) {
  OnlyTransfers all;
  for (const LaunchStep& step : plan.steps) {
    std::vector<const Transfer*>& only = all.emplace_back(plan.tasks.size());
    for (const Transfer& transfer : step.transfers) {
      if (static_cast<std::size_t>(transfer.operand) != operand) continue;
      const Transfer*& known = only[static_cast<std::size_t>(transfer.task)];
      if (known != nullptr) return std::nullopt;
      known = &transfer;
    }
  }
  return all;
}

/// By step and task that fetches: which piece of an operand it has.
std::vector<std::vector<std::size_t>> held_pieces(const LaunchPlan& plan, std::size_t operand, const PartPieces& pieces,
                                                  const OnlyTransfers& transfers) {
  std::vector<std::vector<std::size_t>> held;
  for (std::size_t s = 0; s < plan.steps.size(); ++s) {
    std::vector<std::size_t> here(plan.tasks.size());
    for (std::size_t t = 0; t < plan.tasks.size(); ++t) {
      if (plan.fetcher(operand, t) != t) continue;
      const Transfer* transfer = transfers[s][t];
      if (transfer == nullptr) here[t] = held[s - 1][t];
      else
        here[t] = transfer->part ? pieces.of(*transfer) : held[s - 1][static_cast<std::size_t>(*transfer->neighbour)];
    }
    held.push_back(std::move(here));
  }
  return held;
}

}  // namespace

bool SteppedEntries::can_bring(const PreparedLaunch& prepared, std::size_t o) {
  const LaunchPlan& plan = prepared.plan;
  const launch::Operand& operand = plan.launch.operands[o];
  if (plan.launch.deals_out(o) || prepared.tensor(o).shape().format.has_nodes()) return false;
  const std::optional<OnlyTransfers> transfers = only_transfers(plan, o);
  if (!transfers) return false;
  for (std::size_t t = 0; t < plan.tasks.size(); ++t) {
    std::vector<IndexSet> before;
    for (std::size_t s = 0; s < plan.steps.size(); ++s) {
      const LaunchStep& step = plan.steps[s];
      const std::vector<IndexSet> region = plan.region_of(operand, plan.tasks[t], step);
      if (plan.contributes(plan.tasks[t], step) && plan.used_of(operand, plan.tasks[t], step) != region) return false;
      if (plan.fetcher(o, t) != t) continue;
      const Transfer* transfer = (*transfers)[s][t];
      if (transfer == nullptr && (s == 0 || region != before)) return false;
      if (transfer != nullptr && (transfer->what.coordinates != region || transfer->what.cuts_positions()))
        return false;
      if (transfer != nullptr && transfer->part &&
          plan.placements[o].parts[static_cast<std::size_t>(*transfer->part)].what.cuts_positions())
        return false;
      before = region;
    }
  }
  return true;
}

SteppedEntries::SteppedEntries(const PreparedLaunch& prepared, std::size_t operand, Communicator& ranks)
    : Fetch(prepared, operand), pieces_(prepared, operand) {
  tell_sizes(ranks);
  const std::optional<OnlyTransfers> transfers = only_transfers(prepared.plan, operand);
  internal_check(transfers.has_value(), "parts are put together on their way from step to step");
  const std::vector<std::vector<std::size_t>> held = held_pieces(prepared.plan, operand, pieces_, *transfers);
  steps_.resize(held.size());
  for (std::size_t s = 0; s < held.size(); ++s) plan_places((*transfers)[s], held[s], ranks);
  make_buffers();
  for (std::size_t s = 0; s < places_.size(); ++s) plan_step(s, ranks);
}

/// Each piece by all ranks that it is taken from.
void SteppedEntries::tell_sizes(Communicator& ranks) {
  std::set<std::size_t> here;
  for (const LaunchStep& step : plan().steps)
    for (const Transfer& transfer : step.transfers)
      if (is_of(transfer) && transfer.part && rank_of(plan(), transfer.from, ranks) == ranks.rank())
        here.insert(pieces_.of(transfer));
  std::vector<std::int64_t> mine;
  for (const std::size_t piece : here) {
    pieces_.cut(piece, prepared_);
    const ArraySizes sizes(pieces_.storage(piece, prepared_));
    mine.push_back(static_cast<std::int64_t>(piece));
    mine.insert(mine.end(), sizes.numbers().begin(), sizes.numbers().end());
  }
  sizes_.resize(pieces_.size());
  const std::size_t count = ArraySizes::count(tensor().dimensions().size());
  for (const std::vector<std::int64_t>& told : gather_numbers(ranks, mine)) {
    for (std::size_t at = 0; at < told.size(); at += 1 + count) {
      const ArraySizes sizes{std::span<const std::int64_t>(told).subspan(at + 1, count)};
      std::optional<ArraySizes>& known = sizes_[static_cast<std::size_t>(told[at])];
      if (known && !(*known == sizes))
        user_error("ranks hold {} in copies with integers of several widths, or of several sizes: give all the same",
                   plan().launch.operands[operand_].tensor);
      known = sizes;
    }
  }
}

/// A piece in a task's memory is used in place. Any other is received into the buffer that is not in use.
void SteppedEntries::plan_places(const std::vector<const Transfer*>& transfers, const std::vector<std::size_t>& pieces,
                                 const Communicator& ranks) {
  std::map<std::size_t, Place> places;
  for (const std::size_t t : fetchers(ranks)) {
    const Place* before = places_.empty() ? nullptr : &places_.back().at(t);
    const Transfer* transfer = transfers[t];
    if (transfer == nullptr) {
      places.emplace(t, *before);
      continue;
    }
    Place next{pieces[t]};
    next.is_here = transfer->part && transfer->from == plan().tasks[t].processor;
    if (before != nullptr && !before->is_here) next.buffer = 1 - before->buffer;
    places.emplace(t, std::move(next));
  }
  places_.push_back(std::move(places));
}

void SteppedEntries::make_buffers() {
  std::map<std::size_t, std::int64_t> rooms;
  for (const std::map<std::size_t, Place>& step : places_)
    for (const auto& [task, place] : step)
      if (!place.is_here) rooms[task] = std::max(rooms[task], sizes_of(place.piece).room());
  for (const auto& [task, room] : rooms)
    for (Array& buffer : buffers_[task]) buffer = Array::allocate(Type::UInt8, room, false);
  for (std::map<std::size_t, Place>& step : places_)
    for (auto& [task, place] : step)
      if (!place.is_here)
        place.storage =
            sizes_of(place.piece).laid_out(buffers_.at(task)[place.buffer], pieces_.region(place.piece), shape());
}

void SteppedEntries::plan_step(std::size_t s, const Communicator& ranks) {
  const std::size_t arrays = 3 * tensor().dimensions().size() + 1;
  Step& step = steps_[s];
  for (const Transfer& transfer : plan().steps[s].transfers) {
    if (!is_of(transfer)) continue;
    const auto task = static_cast<std::size_t>(transfer.task);
    Source source{{}, static_cast<std::size_t>(transfer.neighbour.value_or(0))};
    if (transfer.part) source.piece = pieces_.of(transfer);
    const auto [from, to] = way_of(transfer, ranks);
    if (from == ranks.rank() && to != from) step.outgoing.push_back({source, to, std::vector<Channel>(arrays)});
    if (to != ranks.rank()) continue;
    const Place& place = places_[s].at(task);
    count(step.traffic, plan().machine, sizes_of(place.piece).bytes(), transfer.from, receiver(transfer));
    if (place.is_here) continue;
    if (from == to) step.local.push_back({source, task});
    else step.incoming.push_back({task, from, std::vector<Channel>(arrays)});
  }
}

const Storage& SteppedEntries::storage(std::size_t s, std::size_t task) const {
  const Place& at = places_[s].at(task);
  return at.is_here ? pieces_.storage(at.piece, prepared_) : at.storage;
}

Fetched SteppedEntries::at(std::size_t s, std::size_t task) {
  return {pieces_.region(places_[s].at(task).piece), storage(s, task)};
}

News SteppedEntries::news(std::size_t s, std::size_t task, bool changed) const {
  if (!places_[s].at(task).is_here) return News::Values;
  return changed ? News::Memory : News::None;
}

bool SteppedEntries::lends(const Array& array, std::size_t task) const {
  const auto buffers = buffers_.find(task);
  return array.owner() != nullptr && buffers != buffers_.end() &&
         std::any_of(buffers->second.begin(), buffers->second.end(),
                     [&](const Array& buffer) { return buffer.owner() == array.owner(); });
}

const Storage& SteppedEntries::storage_before(const Source& source, std::size_t s) const {
  return source.piece ? pieces_.storage(*source.piece, prepared_) : storage(s - 1, source.task);
}

void SteppedEntries::begin(std::size_t s, bool changed, Communicator& ranks) {
  if (s == 0 && changed && was_run_) pieces_.cut_again(prepared_);
  was_run_ = true;
  add(traffic_, steps_[s].traffic);
  for (Incoming& in : steps_[s].incoming) {
    std::size_t k = 0;
    const auto receive = [&](Array& array) {
      Channel& channel = in.channels[k++];
      if (array.bytes() > 0) channel.receive(ranks, in.from, bytes_of(array));
    };
    each_array(receive, places_[s].at(in.task).storage);
  }
  for (Outgoing& out : steps_[s].outgoing) {
    std::size_t k = 0;
    const auto send = [&](const Array& array) {
      Channel& channel = out.channels[k++];
      if (array.bytes() > 0) channel.send(ranks, out.to, bytes_of(array));
    };
    each_array(send, storage_before(out.source, s));
  }
  for (const Local& each : steps_[s].local)
    each_array(copy_array, storage_before(each.source, s), places_[s].at(each.task).storage);
}

}  // namespace lacuna
