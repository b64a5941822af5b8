#include "lacuna/distribute/simulate/rehearsal.h"

#include <algorithm>
#include <cmath>

#include "lacuna/distribute/communicate/communicator.h"

namespace lacuna {
namespace {

constexpr double element = sizeof(double);

/// Every other stretch of so many elements; of single ones not quite, so that no two of them are apart alike.
IndexSet some_of(std::int64_t count, std::int64_t stretch) {
  if (stretch == 1) {
    std::vector<std::int64_t> scattered;
    for (std::int64_t k = 0; k < count; ++k) scattered.push_back(2 * k + k % 2);
    return IndexSet::of_coordinates(std::move(scattered));
  }
  std::vector<Interval> stretches;
  for (std::int64_t k = 0; k < count; k += stretch) stretches.push_back({2 * k, 2 * k + std::min(stretch, count - k)});
  return IndexSet::of_intervals(std::move(stretches));
}

void make_room(std::vector<std::vector<std::byte>>& rooms, std::size_t k, std::size_t bytes) {
  if (rooms.size() <= k) rooms.resize(k + 1);
  rooms[k].resize(std::max(rooms[k].size(), bytes));
}

}  // namespace

Rehearsal::Rehearsal(const DistributedRequest& request, const Communicator& ranks) {
  Network network;
  network.ranks = ranks.ranks();
  network.again = true;
  network.copying = 1;  // so that copies count
  std::map<std::size_t, Round> rounds;
  std::vector<double> copied(static_cast<std::size_t>(ranks.ranks()));
  double copied_by_all = 0, stretches = 0;
  const auto count_copies = [&](int rank, double bytes, const Copies& copies, int times) {
    copied[static_cast<std::size_t>(rank)] += times * bytes;
    copied_by_all += times * bytes;
    stretches += times * (copies.stretches > 0 ? static_cast<double>(copies.stretches) : bytes / element);
  };
  (void)simulate(request, network, {}, [&](const RankMotion& what) {
    count_copies(what.from, what.bytes, what.copies, what.copies.before);
    count_copies(what.to, what.bytes, what.copies, what.copies.after);
    if (what.from != what.to)
      rounds[what.step].messages.push_back({what.from, what.to, static_cast<std::size_t>(what.bytes)});
  });
  const double share = share_of(rounds);
  for (auto& [step, round] : rounds) {
    round.counts.resize(2 * copied.size());
    round.bytes.resize(2 * copied.size());
    for (Message& message : round.messages) {
      message.bytes = static_cast<std::size_t>(std::ceil(static_cast<double>(message.bytes) * share));
      for (const std::size_t k :
           {static_cast<std::size_t>(message.from), copied.size() + static_cast<std::size_t>(message.to)}) {
        round.counts[k] += 1;
        round.bytes[k] += static_cast<double>(message.bytes);
      }
    }
    rounds_.push_back(std::move(round));
  }
  make_rooms(ranks.rank());
  plan_copy(*std::max_element(copied.begin(), copied.end()), stretches > 0 ? copied_by_all / stretches : element);
}

/// That is sent of each message, so that a rehearsal ends soon.
double Rehearsal::share_of(const std::map<std::size_t, Round>& rounds) {
  constexpr double most = 1 << 30;
  double bytes = 0;
  for (const auto& [step, round] : rounds)
    for (const Message& message : round.messages) bytes += static_cast<double>(message.bytes);
  return bytes > most ? most / bytes : 1;
}

void Rehearsal::make_rooms(int rank) {
  for (const Round& round : rounds_) {
    std::size_t sent = 0, received = 0;
    for (const Message& message : round.messages) {
      if (message.from == rank) make_room(out_, sent++, message.bytes);
      if (message.to == rank) make_room(in_, received++, message.bytes);
    }
  }
}

/// `stretch`: bytes that lie side by side, on average.
void Rehearsal::plan_copy(double bytes, double stretch) {
  copies_ = bytes > 0;
  constexpr double least = 1 << 20, otherwise = 1 << 22, most = 1 << 26;
  const double copied = bytes > 0 ? std::clamp(bytes, least, most) : otherwise;
  const auto count = static_cast<std::int64_t>(copied / element);
  const auto side_by_side = std::clamp<std::int64_t>(std::llround(stretch / element), 1, count);
  const IndexSet some = some_of(count, side_by_side), all = IndexSet::range(0, 2 * count);
  copy_ = DenseCopy({all}, {some}, {some}, dense_format(1), Type::Float64);
  copied_from_.assign(static_cast<std::size_t>(2 * count), 1.0);
  copied_to_.resize(static_cast<std::size_t>(count));
}

void Rehearsal::send(Communicator& ranks) {
  for (const Round& round : rounds_) {
    std::size_t sent = 0, received = 0;
    for (const Message& message : round.messages)
      if (message.to == ranks.rank())
        ranks.receive_in_place(message.from, std::span(in_[received++]).first(message.bytes));
    for (const Message& message : round.messages)
      if (message.from == ranks.rank()) ranks.send_in_place(message.to, std::span(out_[sent++]).first(message.bytes));
    ranks.finish_receives();
    ranks.finish_sends();
  }
}

double Rehearsal::bandwidth(double seconds, double latency) const {
  const auto simulated = [&](double per_byte) {
    double sum = 0;
    for (const Round& round : rounds_) {
      double most = 0;
      for (std::size_t k = 0; k < round.counts.size(); ++k)
        most = std::max(most, round.counts[k] * latency + round.bytes[k] * per_byte);
      sum += most;
    }
    return sum;
  };
  // Grows with the time per byte: halves the stretch in which it is.
  double low = 1e-12, high = 1;
  for (int k = 0; k < 60; ++k) {
    const double middle = std::sqrt(low * high);
    (simulated(middle) < seconds ? low : high) = middle;
  }
  return 1 / high;
}

void Rehearsal::copy() { copy_.copy(copied_from_.data(), copied_to_.data()); }

}  // namespace lacuna
