#include "lacuna/distribute/run/parts_in_place.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "lacuna/support/check.h"
#include "lacuna/tensor/unbacked.h"

namespace lacuna {
namespace {

using Transfers = std::vector<const Transfer*>;

/// What each rank decides of its tasks, and tells those who have something of what they need: one byte for each task,
/// in their order. Returns what they decided of transfers from and to this rank.
class Agreement {
 public:
  Agreement(const PreparedLaunch& prepared, std::size_t operand, const InPlace& in_place, Communicator& ranks)
      : ranks_(ranks) {
    for (auto& [task, transfers] : transfers_of(prepared.plan, operand)) {
      if (!in_place.may_serve(prepared, transfers)) continue;
      const int reader = rank_of(prepared.plan, prepared.plan.tasks[task].processor, ranks);
      std::map<int, Transfers> by_owner;
      for (const Transfer* transfer : transfers)
        by_owner[rank_of(prepared.plan, transfer->from, ranks)].push_back(transfer);
      for (auto& [owner, some] : by_owner) {
        if (reader == ranks.rank()) to_me_[owner].emplace_back(task, std::move(some));
        else if (owner == ranks.rank()) from_me_[reader].emplace_back(task, std::move(some));
      }
    }
  }

  std::set<const Transfer*> reach(const std::set<std::size_t>& readers) {
    for (const auto& [owner, tasks] : to_me_) {
      auto said = std::make_shared<Bytes>();
      for (const auto& [task, transfers] : tasks) said->push_back(std::byte{readers.count(task) != 0});
      note(tasks, *said);
      if (owner != ranks_.rank()) ranks_.send(owner, std::move(said));
    }
    for (const auto& [reader, tasks] : from_me_) note(tasks, ranks_.receive(reader));
    ranks_.finish_sends();
    return std::move(served_);
  }

 private:
  using Tasks = std::vector<std::pair<std::size_t, Transfers>>;

  void note(const Tasks& tasks, const Bytes& said) {
    internal_check(said.size() == tasks.size(), "ranks plan other messages");
    for (std::size_t k = 0; k < said.size(); ++k)
      if (said[k] != std::byte{0}) served_.insert(tasks[k].second.begin(), tasks[k].second.end());
  }

  Communicator& ranks_;
  std::map<int, Tasks> to_me_, from_me_;  // by rank
  std::set<const Transfer*> served_;
};

const std::vector<IndexSet>& part_of(const PreparedLaunch& prepared, const Transfer& transfer) {
  return prepared.plan.placements[static_cast<std::size_t>(transfer.operand)]
      .parts[static_cast<std::size_t>(transfer.part.value())]
      .what.coordinates;
}

/// The operand without memory for values.
LocalPart without_values(const DistributedTensor& tensor) {
  const PartShape& shape = tensor.shape();
  LocalPart whole{all_of(tensor.dimensions()), unbacked_tensor(shape.type, tensor.dimensions(), shape.format.map())};
  whole.storage.fill = shape.fill;
  return whole;
}

/// Of the last few, the last one first: whether one is there, which is the last one then.
template <typename T, typename Is>
bool was_last(std::vector<T>& last, const Is& is) {
  const auto known = std::find_if(last.begin(), last.end(), is);
  if (known == last.end()) return false;
  std::rotate(last.begin(), known, known + 1);
  return true;
}

template <typename T>
void add_last(std::vector<T>& last, T one) {
  constexpr std::size_t kept = 4;
  if (last.size() == kept) last.pop_back();
  last.insert(last.begin(), std::move(one));
}

[[noreturn]] void cannot_read() {
  throw RuntimeFailure("memory of other ranks cannot be read; LACUNA_IN_PLACE=no lets ranks send messages instead");
}

/// Sees to it that a place is the last one that is open; whether it had to be opened.
bool open_last(std::vector<OpenedPlace>& opened, const SharedPlace& place) {
  if (was_last(opened, [&](const OpenedPlace& file) { return file.place() == place; })) return false;
  std::optional<OpenedPlace> file = OpenedPlace::of(place);
  if (!file) cannot_read();
  add_last(opened, std::move(*file));
  return true;
}

/// Whether memory was among that of the last runs, which it is from now on.
bool was_used(const std::shared_ptr<const void>& memory, std::array<std::weak_ptr<const void>, 3>& last,
              std::size_t run) {
  const auto is_this = [&](const std::weak_ptr<const void>& other) { return memory && other.lock() == memory; };
  if (std::any_of(last.begin(), last.end(), is_this)) return true;
  last[run % last.size()] = memory;
  return false;
}

}  // namespace

std::optional<std::int64_t> begin_in_whole(const std::vector<IndexSet>& part,
                                           const std::vector<std::int64_t>& dimensions, const Format& format) {
  std::int64_t below = 1;
  for (int k = 1; k < format.order(); ++k) {
    const auto mode = static_cast<std::size_t>(format.map().mode_of(k));
    if (part[mode].size() != dimensions[mode]) return std::nullopt;
    below *= dimensions[mode];
  }
  if (format.order() == 0) return std::nullopt;
  const IndexSet& outermost = part[static_cast<std::size_t>(format.map().mode_of(0))];
  if (!outermost.is_interval()) return std::nullopt;
  return outermost.bounds().begin * below;
}

PartsInPlace::PartsInPlace(const PreparedLaunch& prepared, std::size_t operand, const InPlace& in_place,
                           const std::set<std::size_t>& readers, Communicator& ranks)
    : Fetch(prepared, operand), served_(Agreement(prepared, operand, in_place, ranks).reach(readers)) {
  for (const Transfer* transfer : served_) add_served(*transfer, ranks);
  if (!read_.empty()) whole_ = without_values(tensor());
}

void PartsInPlace::add_served(const Transfer& transfer, const Communicator& ranks) {
  const auto [owner, reader] = way_of(transfer, ranks);
  const std::vector<IndexSet>& part = part_of(prepared_, transfer);
  const std::int64_t value = size_of(shape().type);
  const auto begin =
      static_cast<std::uint64_t>(value * begin_in_whole(part, tensor().dimensions(), shape().format).value());
  if (owner == ranks.rank()) {
    Shown& shown = shown_[*transfer.part];
    shown.begin = begin;
    if (reader != owner) shown.readers[reader];
  }
  if (reader != ranks.rank()) return;
  count(saved_, plan().machine, volume_of(transfer.what.coordinates) * value, transfer.from, receiver(transfer));
  Read& read = read_[{*transfer.part, owner}];
  read.begin = begin;
  read.bytes = static_cast<std::uint64_t>(volume_of(part) * value);
}

void PartsInPlace::begin(std::size_t, bool, Communicator& ranks) {
  add(traffic_, saved_);
  for (auto& [key, read] : read_)
    if (key.second != ranks.rank())
      read.places.receive(ranks, key.second, std::as_writable_bytes(std::span(&read.place, 1)));
  for (auto& [number, shown] : shown_) {
    show(tensor(), number, shown, ranks);
    for (auto& [rank, reader] : shown.readers)
      reader.places.send(ranks, rank, std::as_bytes(std::span(&shown.place, 1)));
  }
}

/// Sees to it that others can read the part. Memory that somebody else holds, as plans do that write results into it
/// again, would only be left behind for the next run: those are asked to write them where others can read them.
void PartsInPlace::show(const DistributedTensor& tensor, std::int64_t number, Shown& shown, Communicator& ranks) {
  constexpr int enough = 8;  // runs after which the next ones will not need a copy either
  const auto values = [&]() -> const Array& { return tensor.part(number).storage.values; };
  const auto fits = [&](const std::optional<SharedPlace>& place) {
    return place && place->begin % page_bytes() == shown.begin % page_bytes();
  };
  if (!fits(values().shared_place()) && was_used(values().owner(), shown.last, shown.runs++) && values().is_sole()) {
    ranks.finish_sends();  // which may come from there
    tensor.share_values(number, shown.begin);
  }
  shown.values = values();
  if (!fits(shown.values.shared_place())) {
    values().ask_to_share(shown.begin);
    if (!shown.copy) shown.copy = values().shared_copy(shown.begin);
    else std::memcpy(shown.copy->mutable_data(), values().data(), static_cast<std::size_t>(values().bytes()));
    if (shown.copy) shown.values = *shown.copy;
    shown.runs_without_copy = 0;
  } else if (shown.copy && ++shown.runs_without_copy == enough) {
    shown.copy.reset();
  }
  const std::optional<SharedPlace> place = shown.values.shared_place();
  if (!fits(place))
    throw RuntimeFailure(
        fmt::format("the system has no memory that ranks share for {} bytes of a part; LACUNA_IN_PLACE=no lets them "
                    "send messages instead",
                    values().bytes()));
  shown.place = *place;
  shown.is_new = !was_last(shown.said, [&](const SharedPlace& said) { return said == *place; });
  if (shown.is_new) add_last(shown.said, *place);
}

void PartsInPlace::finish(std::size_t, Communicator& ranks) {
  if (read_.empty()) return;
  for (auto& [key, read] : read_) {
    const auto& [number, from] = key;
    const bool is_mine = from == ranks.rank();
    if (is_mine) read.place = shown_.at(number).place;
    if (open_last(read.opened, read.place) && !is_mine) read.answers.send(ranks, from, std::span(&read.answer, 1));
  }
  Storage& storage = whole_.storage;
  storage.values = Array::borrow(storage.type, window().data(), storage.values.size(), nullptr);
}

void PartsInPlace::end(Communicator& ranks) {
  for (auto& [number, shown] : shown_) {
    if (!shown.is_new) continue;
    for (auto& [rank, reader] : shown.readers) reader.answers.receive(ranks, rank, std::span(&reader.answer, 1));
  }
}

/// Each part once, whoever has it.
std::vector<const PartsInPlace::Read*> PartsInPlace::of_each_part() const {
  std::vector<const Read*> parts;
  std::optional<std::int64_t> last;
  for (const auto& [key, read] : read_)
    if (std::exchange(last, key.first) != key.first) parts.push_back(&read);
  return parts;
}

/// Where parts lie they mostly lay before: of iterations, one vector and then the other.
SharedWindow& PartsInPlace::window() {
  const std::vector<const Read*> parts = of_each_part();
  const auto lies_there = [&](const SharedWindow& window) {
    return std::equal(parts.begin(), parts.end(), window.places().begin(), window.places().end(),
                      [](const Read* read, const SharedPlace& place) { return read->place == place; });
  };
  if (was_last(windows_, lies_there)) {
    windows_.front().refresh();
    return windows_.front();
  }
  std::vector<SharedWindow::Piece> pieces;
  for (const Read* read : parts) pieces.push_back({&read->opened.front(), read->begin, read->bytes});
  std::optional<SharedWindow> window =
      SharedWindow::of(static_cast<std::size_t>(whole_.storage.values.bytes()), pieces);
  if (!window) cannot_read();
  add_last(windows_, std::move(*window));
  return windows_.front();
}

}  // namespace lacuna
