#include "lacuna/distribute/execute/dense_exchange.h"

#include "lacuna/distribute/part/dense_part.h"

namespace lacuna {
namespace {

std::int64_t bytes_of(const std::vector<IndexSet>& region, const PartShape& shape) {
  return volume_of(region) * size_of(shape.type);
}

}  // namespace

DenseExchange::DenseExchange(const PreparedLaunch& prepared, std::size_t operand,
                             const std::map<std::size_t, std::vector<IndexSet>>& wanted, const PartsInPlace& in_place,
                             Communicator& ranks)
    : operand_(operand), shape_(prepared.tensor(operand).shape()) {
  const LaunchPlan& plan = prepared.plan;
  for (const auto& [task, region] : wanted) brought_.emplace(task, dense_part(region, shape_));
  for (const Transfer& transfer : plan.steps.front().transfers) {
    if (static_cast<std::size_t>(transfer.operand) != operand || in_place.serves(transfer)) continue;
    internal_check(transfer.part.has_value(), "a first step fetches from another task");
    const auto task = static_cast<std::size_t>(transfer.task);
    const int from = rank_of(plan, transfer.from, ranks), to = rank_of(plan, plan.tasks[task].processor, ranks);
    const bool is_sent = from != to;
    const bool is_wanted = to == ranks.rank() && brought_.count(task) != 0;
    if (is_sent && from == ranks.rank()) add_outgoing(transfer, to, prepared.tensor(operand).part(*transfer.part).sets);
    if (!is_wanted) continue;
    count(traffic_, plan.machine, bytes_of(transfer.what.coordinates, shape_), transfer.from,
          plan.tasks[task].processor);
    waits_[task] = waits_[task] || is_sent;
    if (is_sent) {
      add_incoming(transfer, from);
      continue;
    }
    const std::vector<IndexSet>& target = brought_.at(task).sets;
    const std::vector<IndexSet> what = common(transfer.what.coordinates, target);
    const std::vector<IndexSet>& source = prepared.tensor(operand).part(*transfer.part).sets;
    if (volume_of(what) > 0)
      local_.push_back({*transfer.part, task, DenseCopy(source, target, what, shape_.format, shape_.type)});
  }
}

void DenseExchange::add_outgoing(const Transfer& transfer, int to, const std::vector<IndexSet>& part) {
  const std::vector<IndexSet>& what = transfer.what.coordinates;
  Outgoing out{*transfer.part, to, DenseCopy(part, what, what, shape_.format, shape_.type)};
  if (!out.packing.stretch_from()) out.buffer.resize(static_cast<std::size_t>(out.packing.bytes()));
  outgoing_.push_back(std::move(out));
}

void DenseExchange::add_incoming(const Transfer& transfer, int from) {
  const auto task = static_cast<std::size_t>(transfer.task);
  const std::vector<IndexSet>&what = transfer.what.coordinates, &target = brought_.at(task).sets;
  internal_check(common(what, target) == what, "more is sent to a task than it wants");
  Incoming in{task, from, DenseCopy(what, target, what, shape_.format, shape_.type)};
  if (!in.unpacking.stretch_to()) in.buffer.resize(static_cast<std::size_t>(in.unpacking.bytes()));
  incoming_.push_back(std::move(in));
}

bool DenseExchange::waits(std::size_t task) const {
  const auto known = waits_.find(task);
  return known != waits_.end() && known->second;
}

void DenseExchange::begin(const PreparedLaunch& prepared, Communicator& ranks) {
  const DistributedTensor& tensor = prepared.tensor(operand_);
  const auto source_of = [&](std::int64_t part) {
    return static_cast<const std::byte*>(tensor.part(part).storage.values.data());
  };
  for (Incoming& in : incoming_) {
    const auto bytes = static_cast<std::size_t>(in.unpacking.bytes());
    const auto stretch = in.unpacking.stretch_to();
    in.channel.receive(ranks, in.from,
                       stretch ? std::span(memory_of(in.task) + *stretch, bytes) : std::span(in.buffer));
  }
  for (Outgoing& out : outgoing_) {
    const std::byte* source = source_of(out.part);
    if (const auto stretch = out.packing.stretch_from()) {
      out.channel.send(ranks, out.to, {source + *stretch, static_cast<std::size_t>(out.packing.bytes())});
      continue;
    }
    out.packing.copy(source, out.buffer.data());
    out.channel.send(ranks, out.to, out.buffer);
  }
  for (const Local& each : local_) each.copy.copy(source_of(each.part), memory_of(each.task));
}

void DenseExchange::finish() {
  for (const Incoming& in : incoming_)
    if (!in.buffer.empty()) in.unpacking.copy(in.buffer.data(), memory_of(in.task));
}

}  // namespace lacuna
