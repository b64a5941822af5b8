#include "lacuna/distribute/simulate/rehearsal.h"

#include <algorithm>
#include <cmath>

#include "lacuna/distribute/communicate/communicator.h"

namespace lacuna {
namespace {

/// What one rank copies.
struct Copied {
  double bytes = 0, in_stretches = 0, stretches = 0;

  void add(double more, const Copies& copies, int often) {
    constexpr double least = 2048;  // bytes side by side that are copied as one
    bytes += often * more;
    if (copies.stretches == 0 || more < least * static_cast<double>(copies.stretches)) return;
    in_stretches += often * more;
    stretches += often * static_cast<double>(copies.stretches);
  }
};

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
  std::vector<Copied> copied(static_cast<std::size_t>(ranks.ranks()));
  (void)simulate(request, network, {}, [&](const RankMotion& what) {
    copied[static_cast<std::size_t>(what.from)].add(what.bytes, what.copies, what.copies.before);
    copied[static_cast<std::size_t>(what.to)].add(what.bytes, what.copies, what.copies.after);
    if (what.from != what.to)
      rounds[what.step].messages.push_back({what.from, what.to, static_cast<std::size_t>(what.bytes)});
  });
  const Copied& most = *std::max_element(copied.begin(), copied.end(),
                                         [](const Copied& a, const Copied& b) { return a.bytes < b.bytes; });
  if (most.in_stretches > 0) {
    share_in_stretches_ = most.in_stretches / most.bytes;
    bytes_in_stretches_ = most.in_stretches;
    stretch_ = most.in_stretches / most.stretches;
  }
  add_rounds(rounds, copied.size());
  make_rooms(ranks.rank());
}

void Rehearsal::add_rounds(const std::map<std::size_t, Round>& rounds, std::size_t ranks) {
  const double share = share_of(rounds);
  for (const auto& [step, planned] : rounds) {
    Round round = planned;
    round.counts.resize(2 * ranks);
    round.bytes.resize(2 * ranks);
    for (Message& message : round.messages) {
      message.bytes = static_cast<std::size_t>(std::ceil(static_cast<double>(message.bytes) * share));
      for (const std::size_t k :
           {static_cast<std::size_t>(message.from), ranks + static_cast<std::size_t>(message.to)}) {
        round.counts[k] += 1;
        round.bytes[k] += static_cast<double>(message.bytes);
      }
    }
    rounds_.push_back(std::move(round));
  }
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

}  // namespace lacuna
