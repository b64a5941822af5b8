#include "lacuna/distribute/execute/dense_steps.h"

#include <algorithm>
#include <cstring>

namespace lacuna {
namespace {

/// Room for a message that is the k-th of its step.
void make_room(std::vector<std::vector<std::byte>>& buffers, std::size_t k, std::int64_t bytes) {
  if (buffers.size() <= k) buffers.resize(k + 1);
  buffers[k].resize(std::max(buffers[k].size(), static_cast<std::size_t>(bytes)));
}

}  // namespace

DenseSteps::DenseSteps(const PreparedLaunch& prepared, std::size_t operand, const Communicator& ranks)
    : operand_(operand),
      shape_(prepared.tensor(operand).shape()),
      comes_once_(prepared.plan.is_fetched_once(prepared.plan.launch.operands[operand])) {
  const std::size_t steps = prepared.plan.steps.size();
  places_.resize(steps);
  steps_.resize(steps);
  for (std::size_t s = 0; s < steps; ++s) {
    plan_places(prepared, s, ranks);
    plan_step(prepared, s, ranks);
  }
  make_buffers();
}

/// A part that has all that a task needs, in one stretch, is used as it lies; all else comes to the buffer that is not
/// in use.
void DenseSteps::plan_places(const PreparedLaunch& prepared, std::size_t s, const Communicator& ranks) {
  const LaunchPlan& plan = prepared.plan;
  const LaunchStep& step = plan.steps[s];
  std::map<std::size_t, std::vector<const Transfer*>> fetched;
  for (const Transfer& transfer : step.transfers)
    if (static_cast<std::size_t>(transfer.operand) == operand_)
      fetched[static_cast<std::size_t>(transfer.task)].push_back(&transfer);
  for (std::size_t t = 0; t < plan.tasks.size(); ++t) {
    const Task& task = plan.tasks[t];
    if (plan.fetcher(operand_, t) != t || rank_of(plan, task.processor, ranks) != ranks.rank()) continue;
    const std::vector<IndexSet> region = plan.region_of(plan.launch.operands[operand_], task, step);
    const Place* before = s == 0 ? nullptr : &places_[s - 1].at(t);
    const std::vector<const Transfer*>& transfers = fetched[t];
    if (transfers.empty() && before != nullptr && before->region == region) {
      places_[s].emplace(t, *before);
      continue;
    }
    const Transfer* only = transfers.size() == 1 ? transfers.front() : nullptr;
    if (only != nullptr && only->part && only->from == task.processor) {
      if (auto view = DenseView::of(prepared.tensor(operand_).part(*only->part).sets, region, shape_)) {
        places_[s].emplace(t, Place{region, std::move(*view), only->part});
        continue;
      }
    }
    std::int64_t covered = 0;
    for (const Transfer* transfer : transfers) covered += volume_of(common(transfer->what.coordinates, region));
    if (covered < volume_of(region)) steps_[s].cleared.push_back(t);
    Buffers& buffers = buffers_[t];
    buffers.size = std::max(buffers.size, volume_of(region));
    const std::size_t buffer = before != nullptr && !before->part ? 1 - before->buffer : 0;
    places_[s].emplace(t, Place{region, DenseView::of(region, region, shape_).value(), {}, buffer});
  }
}

void DenseSteps::plan_step(const PreparedLaunch& prepared, std::size_t s, const Communicator& ranks) {
  const LaunchPlan& plan = prepared.plan;
  Step& step = steps_[s];
  for (const Transfer& transfer : plan.steps[s].transfers) {
    if (static_cast<std::size_t>(transfer.operand) != operand_) continue;
    const auto task = static_cast<std::size_t>(transfer.task);
    const std::vector<IndexSet>& what = transfer.what.coordinates;
    const Source source{transfer.part, static_cast<std::size_t>(transfer.neighbour.value_or(0))};
    const std::int64_t receiver = plan.tasks[task].processor;
    const int from = rank_of(plan, transfer.from, ranks), to = rank_of(plan, receiver, ranks);
    if (from == ranks.rank() && to != from) {
      const std::vector<IndexSet> lies = region_of(prepared, source, s);
      step.outgoing.push_back({source, to, DenseCopy(lies, what, what, shape_.format, shape_.type)});
    }
    if (to != ranks.rank()) continue;
    const std::int64_t bytes = volume_of(what) * size_of(shape_.type);
    count(step.traffic, plan.machine, bytes, transfer.from, receiver);
    const Place& place = places_[s].at(task);
    if (place.part) continue;
    const std::vector<IndexSet> used = common(what, place.region);
    if (from != to) {
      step.incoming.push_back({task, from, DenseCopy(what, place.region, used, shape_.format, shape_.type), bytes});
    } else if (volume_of(used) > 0) {
      const std::vector<IndexSet> lies = region_of(prepared, source, s);
      step.local.push_back({source, task, DenseCopy(lies, place.region, used, shape_.format, shape_.type)});
    }
  }
}

/// Before a step.
std::vector<IndexSet> DenseSteps::region_of(const PreparedLaunch& prepared, const Source& source, std::size_t s) const {
  if (source.part) return prepared.tensor(operand_).part(*source.part).sets;
  internal_check(s > 0, "a first step fetches from another task");
  return places_[s - 1].at(source.task).region;
}

void DenseSteps::make_buffers() {
  for (auto& [task, buffers] : buffers_)
    for (Array& values : buffers.values) values = Array::allocate(shape_.type, buffers.size, false);
  for (const Step& step : steps_) {
    for (std::size_t k = 0; k < step.outgoing.size(); ++k)
      make_room(sent_, k, step.outgoing[k].packing.stretch_from() ? 0 : step.outgoing[k].packing.bytes());
    for (std::size_t k = 0; k < step.incoming.size(); ++k)
      make_room(received_, k, step.incoming[k].stretch() ? 0 : step.incoming[k].bytes);
  }
}

/// Where it is received, if that is where it belongs.
std::optional<std::int64_t> DenseSteps::Incoming::stretch() const {
  return unpacking.bytes() == bytes ? unpacking.stretch_to() : std::nullopt;
}

const Array& DenseSteps::array_of(const Place& place, std::size_t task, const PreparedLaunch& prepared) const {
  return place.part ? prepared.tensor(operand_).part(*place.part).storage.values
                    : buffers_.at(task).values[place.buffer];
}

const void* DenseSteps::values(std::size_t s, std::size_t task, const PreparedLaunch& prepared) const {
  const Place& at = place(s, task);
  return static_cast<const std::byte*>(array_of(at, task, prepared).data()) + at.view.begin() * size_of(shape_.type);
}

const Storage& DenseSteps::storage(std::size_t s, std::size_t task, const PreparedLaunch& prepared) {
  Place& at = places_[s].at(task);
  return at.view.in(array_of(at, task, prepared));
}

const std::byte* DenseSteps::memory_of(const Source& source, std::size_t s, const PreparedLaunch& prepared) const {
  if (source.part)
    return static_cast<const std::byte*>(prepared.tensor(operand_).part(*source.part).storage.values.data());
  return static_cast<const std::byte*>(values(s - 1, source.task, prepared));
}

std::byte* DenseSteps::memory_of(std::size_t s, std::size_t task) {
  return static_cast<std::byte*>(buffers_.at(task).values[place(s, task).buffer].mutable_data());
}

void DenseSteps::begin(std::size_t s, const PreparedLaunch& prepared, Communicator& ranks) {
  Step& step = steps_[s];
  for (const std::size_t task : step.cleared)
    std::memset(memory_of(s, task), 0,
                static_cast<std::size_t>(volume_of(place(s, task).region) * size_of(shape_.type)));
  for (std::size_t k = 0; k < step.incoming.size(); ++k) {
    Incoming& in = step.incoming[k];
    const auto bytes = static_cast<std::size_t>(in.bytes);
    const auto stretch = in.stretch();
    in.channel.receive(ranks, in.from, {stretch ? memory_of(s, in.task) + *stretch : received_[k].data(), bytes});
  }
  for (std::size_t k = 0; k < step.outgoing.size(); ++k) {
    Outgoing& out = step.outgoing[k];
    const std::byte* source = memory_of(out.source, s, prepared);
    const auto bytes = static_cast<std::size_t>(out.packing.bytes());
    const auto stretch = out.packing.stretch_from();
    if (!stretch) out.packing.copy(source, sent_[k].data());
    out.channel.send(ranks, out.to, {stretch ? source + *stretch : sent_[k].data(), bytes});
  }
  for (const Local& each : step.local) each.copy.copy(memory_of(each.source, s, prepared), memory_of(s, each.task));
}

void DenseSteps::finish(std::size_t s) {
  for (std::size_t k = 0; k < steps_[s].incoming.size(); ++k) {
    const Incoming& in = steps_[s].incoming[k];
    if (!in.stretch()) in.unpacking.copy(received_[k].data(), memory_of(s, in.task));
  }
}

}  // namespace lacuna
