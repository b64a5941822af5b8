#include "lacuna/distribute/run/entry_fetch.h"

#include <algorithm>

#include "lacuna/distribute/comm/numbers.h"
#include "lacuna/distribute/comm/wire.h"

namespace lacuna {

EntryFetch::EntryFetch(const PreparedLaunch& prepared, std::size_t operand, const std::set<std::size_t>& wanted,
                       const Communicator& ranks)
    : Fetch(prepared, operand) {
  for (const std::size_t task : wanted) brought_.emplace(task, Brought{});
  std::vector<std::pair<std::size_t, Incoming>> sent;
  for (const Transfer& transfer : plan().steps.front().transfers) {
    if (!is_of(transfer)) continue;
    const auto task = static_cast<std::size_t>(transfer.task);
    const auto [from, to] = way_of(transfer, ranks);
    if (from == ranks.rank() && to != from) outgoing_.push_back({&transfer, to});
    if (to != ranks.rank()) continue;
    // What others send comes, whether it is wanted or not.
    if (from != to) sent.emplace_back(task, Incoming{&transfer, from});
    else if (brought_.count(task) != 0) brought_.at(task).parts.push_back({&transfer, from});
  }
  for (auto& [task, in] : sent) {
    std::vector<Incoming>& parts = brought_[task].parts;
    awaited_.emplace_back(task, parts.size());
    parts.push_back(std::move(in));
  }
}

void EntryFetch::begin(std::size_t step, bool, Communicator& ranks) {
  if (step > 0) return;
  ranks_ = &ranks;
  ++times_;
  if (knows_values_) return bring_values();
  bring_entries();
  if (times_ == 2) find_out_where_values_go();
  for (auto& [task, brought] : brought_)
    for (Incoming& in : brought.parts) in.part = {};
}

void EntryFetch::bring_entries() {
  for (const Outgoing& out : outgoing_)
    ranks_->send(out.to, std::make_shared<Bytes>(to_message(sent_part(prepared_, *out.transfer))));
  for (auto& [task, brought] : brought_)
    for (Incoming& in : brought.parts)
      if (in.from == ranks_->rank()) in.part = sent_part(prepared_, *in.transfer);
  for (const auto& [task, k] : awaited_) {
    Incoming& in = brought_.at(task).parts[k];
    in.part = from_message(ranks_->receive(in.from), in.transfer->what.coordinates, shape());
  }
  for (auto& [task, brought] : brought_) {
    std::vector<LocalPart> parts;
    for (const Incoming& in : brought.parts) {
      count_transfer(*in.transfer, bytes_to_send(in.part));
      parts.push_back(in.part);
    }
    brought.whole = join(parts, region_of(task, 0), shape());
  }
  ranks_->finish_sends();
}

/// Does what was done with values to their numbers. All ranks have to succeed, or go on as before.
void EntryFetch::find_out_where_values_go() {
  bool all = true;
  for (Outgoing& out : outgoing_) {
    out.values = ValueMap::between(sent_part(prepared_, *out.transfer).storage, numbers_of(*out.transfer).storage);
    all = all && out.values;
  }
  for (auto& [task, brought] : brought_) {
    for (Incoming& in : brought.parts) {
      const LocalPart numbers = in.from == ranks_->rank() ? numbers_of(*in.transfer) : numbered(in.part);
      in.values = ValueMap::into(brought.whole, numbers);
      in.size = in.part.storage.values.size();
      all = all && in.values;
    }
    take_own_values(brought.whole);
  }
  knows_values_ = least_over(*ranks_, all ? 1 : 0) == 1;
}

LocalPart EntryFetch::numbers_of(const Transfer& transfer) const {
  return sent_part(prepared_, transfer, SentValues::Numbers);
}

void EntryFetch::bring_values() {
  const auto width = static_cast<std::size_t>(size_of(shape().type));
  for (const auto& [task, k] : awaited_) {
    Brought& brought = brought_.at(task);
    Incoming& in = brought.parts[k];
    const std::size_t bytes = static_cast<std::size_t>(in.size) * width;
    if (const auto stretch = in.stretch()) {
      in.channel.receive(*ranks_, in.from, {values_in(brought) + *stretch, bytes});
      continue;
    }
    in.buffer.resize(bytes);
    in.channel.receive(*ranks_, in.from, in.buffer);
  }
  for (Outgoing& out : outgoing_) {
    const std::byte* values = values_of(*out.transfer);
    const std::size_t bytes = static_cast<std::size_t>(out.values->size()) * width;
    if (const auto stretch = out.values->stretch_from()) {
      out.channel.send(*ranks_, out.to, {values + *stretch, bytes});
      continue;
    }
    out.buffer.resize(bytes);
    out.values->copy(values, out.buffer.data());
    out.channel.send(*ranks_, out.to, out.buffer);
  }
  for (auto& [task, brought] : brought_)
    for (const Incoming& in : brought.parts)
      if (in.from == ranks_->rank()) in.values->put(values_of(*in.transfer), values_in(brought));
  ranks_->finish_receives();
  for (auto& [task, brought] : brought_) {
    for (const Incoming& in : brought.parts) {
      count_transfer(*in.transfer, in.size * static_cast<std::int64_t>(width));
      if (!in.buffer.empty()) in.values->put(in.buffer.data(), values_in(brought));
    }
  }
  ranks_->finish_sends();
}

std::byte* EntryFetch::values_in(Brought& brought) {
  return static_cast<std::byte*>(brought.whole.storage.values.mutable_data());
}

/// Where what comes goes as it is, in bytes.
std::optional<std::int64_t> EntryFetch::Incoming::stretch() const {
  return values->moved() == size ? values->stretch_to() : std::nullopt;
}

const std::byte* EntryFetch::values_of(const Transfer& transfer) const {
  return static_cast<const std::byte*>(sent_from(prepared_, transfer).values.data());
}

}  // namespace lacuna
