#include "lacuna/distribute/run/dense_fetch.h"

#include <algorithm>
#include <cstring>

#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// Room for a message that is the k-th of its step.
void make_room(std::vector<std::vector<std::byte>>& buffers, std::size_t k, std::int64_t bytes) {
  if (buffers.size() <= k) buffers.resize(k + 1);
  buffers[k].resize(std::max(buffers[k].size(), static_cast<std::size_t>(bytes)));
}

}  // namespace

DenseFetch::DenseFetch(const PreparedLaunch& prepared, std::size_t operand)
    : Fetch(prepared, operand), comes_once_(plan().is_fetched_once(plan().launch.operands[operand])) {}

DenseFetch::DenseFetch(const PreparedLaunch& prepared, std::size_t operand, Regions wanted,
                       const PartsInPlace* in_place)
    : Fetch(prepared, operand), comes_once_(true), wanted_(std::move(wanted)), in_place_(in_place) {}

void DenseFetch::look_up(std::size_t s, const Communicator& ranks) {
  steps_.emplace_back();
  const std::vector<Transfer>& transfers = plan().steps[s].transfers;
  std::map<std::size_t, std::vector<const Transfer*>> fetched;
  for (const Transfer& transfer : transfers)
    if (is_of(transfer)) fetched[static_cast<std::size_t>(transfer.task)].push_back(&transfer);
  for (const std::size_t t : fetchers(ranks)) {
    if (!wanted_) add_place(s, t, region_of(t, s), fetched[t]);
    else if (const auto wanted = wanted_->find(t); wanted != wanted_->end())
      add_place(s, t, wanted->second, fetched[t]);
  }
  for (const Transfer& transfer : transfers)
    if (is_of(transfer) && (in_place_ == nullptr || !in_place_->serves(transfer))) add_transfer(s, transfer, ranks);
  make_room(steps_[s]);
}

/// A part that stores all that a task needs contiguously is used in place. All else is received into the buffer that is
/// not in use.
void DenseFetch::add_place(std::size_t s, std::size_t t, std::vector<IndexSet> region,
                           const std::vector<const Transfer*>& transfers) {
  std::map<std::size_t, Place>& places = steps_[s].places;
  const Place* last = before(s, t);
  if (transfers.empty() && last != nullptr && last->region == region) {
    places.emplace(t, *last);
    return;
  }
  if (transfers.empty() && plan().steps[s].only_moves) return;  // it comes in a later round, or there is none of it
  const Transfer* only = transfers.size() == 1 ? transfers.front() : nullptr;
  if (only != nullptr && only->part && only->from == plan().tasks[t].processor) {
    if (auto view = DenseView::of(tensor().part(*only->part).sets, region, shape())) {
      places.emplace(t, Place{std::move(region), std::move(*view), only->part});
      return;
    }
  }
  std::int64_t covered = 0;
  for (const Transfer* transfer : transfers) covered += volume_of(common(transfer->what.coordinates, region));
  add_buffer(s, t, std::move(region), covered);
}

void DenseFetch::add_buffer(std::size_t s, std::size_t t, std::vector<IndexSet> region, std::int64_t covered) {
  const Place* last = before(s, t);
  const std::size_t turn = last != nullptr && !last->part ? 1 - last->turn : 0;
  const std::int64_t volume = volume_of(region);
  const bool is_only_step = plan().steps.size() == 1;  // then nothing writes over zeros
  Array& memory = buffers_[t][turn];
  if (memory.size() < volume) memory = Array::allocate(shape().type, volume, is_only_step && covered < volume);
  if (covered < volume && !is_only_step) steps_[s].cleared.push_back(t);
  DenseView all = DenseView::of(region, region, shape()).value();
  steps_[s].places.emplace(t, Place{std::move(region), std::move(all), {}, turn, memory});
}

void DenseFetch::add_transfer(std::size_t s, const Transfer& transfer, const Communicator& ranks) {
  Step& step = steps_[s];
  const auto task = static_cast<std::size_t>(transfer.task);
  const std::vector<IndexSet>& what = transfer.what.coordinates;
  const Format& format = shape().format;
  const Type type = shape().type;
  const Source source{transfer.part, static_cast<std::size_t>(transfer.neighbour.value_or(0))};
  const auto [from, to] = way_of(transfer, ranks);
  if (from == ranks.rank() && to != from)
    step.outgoing.push_back({source, to, DenseCopy(region_before(source, s), what, what, format, type)});
  const auto place = step.places.find(task);
  if (to != ranks.rank() || place == step.places.end()) return;
  const std::int64_t bytes = volume_of(what) * size_of(type);
  count(step.traffic, plan().machine, bytes, transfer.from, receiver(transfer));
  if (place->second.part) return;
  const std::vector<IndexSet>& region = place->second.region;
  const std::vector<IndexSet> used = common(what, region);
  if (from != to) step.incoming.push_back({task, from, DenseCopy(what, region, used, format, type), bytes});
  else if (volume_of(used) > 0)
    step.local.push_back({source, task, DenseCopy(region_before(source, s), region, used, format, type)});
}

/// Where a task had the operand in the step before; null in the first one, and before a broadcast has come to it.
const DenseFetch::Place* DenseFetch::before(std::size_t s, std::size_t task) const {
  if (s == 0) return nullptr;
  const auto place = steps_[s - 1].places.find(task);
  return place == steps_[s - 1].places.end() ? nullptr : &place->second;
}

const std::vector<IndexSet>& DenseFetch::region_before(const Source& source, std::size_t s) const {
  if (source.part) return tensor().part(*source.part).sets;
  internal_check(s > 0, "a first step fetches from another task");
  return before(s, source.task)->region;
}

const std::byte* DenseFetch::values_before(const Source& source, std::size_t s) const {
  const auto* begin = [&] {
    if (source.part) return tensor().part(*source.part).storage.values.data();
    return array_of(*before(s, source.task)).data();
  }();
  const std::int64_t skipped = source.part ? 0 : before(s, source.task)->view.begin();
  return static_cast<const std::byte*>(begin) + skipped * size_of(shape().type);
}

const Array& DenseFetch::array_of(const Place& place) const {
  return place.part ? tensor().part(*place.part).storage.values : place.memory;
}

std::byte* DenseFetch::memory_of(std::size_t s, std::size_t task) {
  return static_cast<std::byte*>(steps_[s].places.at(task).memory.mutable_data());
}

void DenseFetch::make_room(const Step& step) {
  for (std::size_t k = 0; k < step.outgoing.size(); ++k)
    lacuna::make_room(sent_, k, step.outgoing[k].packing.stretch_from() ? 0 : step.outgoing[k].packing.bytes());
  for (std::size_t k = 0; k < step.incoming.size(); ++k)
    lacuna::make_room(received_, k, step.incoming[k].stretch() ? 0 : step.incoming[k].bytes);
}

/// Where it is received, if that is where it belongs.
std::optional<std::int64_t> DenseFetch::Incoming::stretch() const {
  return unpacking.bytes() == bytes ? unpacking.stretch_to() : std::nullopt;
}

void DenseFetch::begin(std::size_t s, bool, Communicator& ranks) {
  if (steps_.size() == s) look_up(s, ranks);
  Step& step = steps_[s];
  add(traffic_, step.traffic);
  for (const std::size_t task : step.cleared)
    std::memset(memory_of(s, task), 0,
                static_cast<std::size_t>(volume_of(step.places.at(task).region) * size_of(shape().type)));
  for (std::size_t k = 0; k < step.incoming.size(); ++k) {
    Incoming& in = step.incoming[k];
    const auto bytes = static_cast<std::size_t>(in.bytes);
    const auto stretch = in.stretch();
    in.channel.receive(ranks, in.from, {stretch ? memory_of(s, in.task) + *stretch : received_[k].data(), bytes});
  }
  for (std::size_t k = 0; k < step.outgoing.size(); ++k) {
    Outgoing& out = step.outgoing[k];
    const std::byte* source = values_before(out.source, s);
    const auto bytes = static_cast<std::size_t>(out.packing.bytes());
    const auto stretch = out.packing.stretch_from();
    if (!stretch) out.packing.copy(source, sent_[k].data());
    out.channel.send(ranks, out.to, {stretch ? source + *stretch : sent_[k].data(), bytes});
  }
  for (const Local& each : step.local) each.copy.copy(values_before(each.source, s), memory_of(s, each.task));
}

void DenseFetch::finish(std::size_t s, Communicator&) {
  for (std::size_t k = 0; k < steps_[s].incoming.size(); ++k) {
    const Incoming& in = steps_[s].incoming[k];
    if (!in.stretch()) in.unpacking.copy(received_[k].data(), memory_of(s, in.task));
  }
}

void DenseFetch::forget(std::size_t s) { steps_[s] = {}; }

Fetched DenseFetch::at(std::size_t s, std::size_t task) {
  Place& place = steps_[s].places.at(task);
  return {place.region, place.view.in(array_of(place))};
}

bool DenseFetch::waits(std::size_t s, std::size_t task) const {
  const std::vector<Incoming>& incoming = steps_[s].incoming;
  return std::any_of(incoming.begin(), incoming.end(), [&](const Incoming& in) { return in.task == task; });
}

News DenseFetch::news(std::size_t s, std::size_t task, bool changed) const {
  if (!changed && (comes_once_ || steps_[s].places.at(task).part)) return News::None;
  return steps_[s].places.at(task).part ? News::Memory : News::Values;
}

}  // namespace lacuna
