#include "lacuna/distribute/simulate/rehearsal.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>

#include "lacuna/distribute/communicate/communicator.h"
#include "lacuna/distribute/execute/in_place.h"

namespace lacuna {
namespace {

/// What one rank copies, by where and by the length of stretches.
class CopiedByRank {
 public:
  void add(double bytes, const Copying& copying, Rehearsal::Way way) {
    if (copying.times == 0 || bytes == 0) return;
    const double stretch = copying.stretches == 0 ? 0 : bytes / static_cast<double>(copying.stretches);
    Sums& sums = all_[{way, kind_of(stretch), copying.spread_from > 1, copying.spread_to > 1}];
    const double copied = copying.times * bytes;
    sums.bytes += copied;
    sums.times += copying.times;
    sums.stretches += copying.times * static_cast<double>(copying.stretches);
    sums.from += copied * copying.spread_from;
    sums.to += copied * copying.spread_to;
    const double elements = bytes / sizeof(double);
    sums.runs += copying.times * (copying.runs == 0 ? elements : std::min(elements, copying.runs));
    bytes_ += copied;
  }
  double bytes() const { return bytes_; }

  std::vector<Rehearsal::Copied> means() const {
    std::vector<Rehearsal::Copied> means;
    for (const auto& [key, sums] : all_)
      means.push_back({sums.bytes, sums.bytes / sums.times,
                       key.kind == Kind::Scattered ? 0 : sums.bytes / sums.stretches, sums.from / sums.bytes,
                       sums.to / sums.bytes, sums.bytes / sizeof(double) / sums.runs, key.way});
    return means;
  }

 private:
  enum class Kind : std::uint8_t { Scattered, Short, Long };
  /// What is one stretch on one side is copied otherwise than what lies apart on both.
  struct Key {
    Rehearsal::Way way;
    Kind kind;
    bool is_apart_from, is_apart_to;
    bool operator<(const Key& other) const {
      return std::tie(way, kind, is_apart_from, is_apart_to) <
             std::tie(other.way, other.kind, other.is_apart_from, other.is_apart_to);
    }
  };
  struct Sums {
    double bytes = 0, times = 0, stretches = 0, from = 0, to = 0, runs = 0;
  };
  static Kind kind_of(double stretch) {
    constexpr double line = 64, side_by_side = 2048;  // bytes
    return stretch < line ? Kind::Scattered : stretch < side_by_side ? Kind::Short : Kind::Long;
  }

  std::map<Key, Sums> all_;
  double bytes_ = 0;
};

}  // namespace

Rehearsal::Rehearsal(const DistributedRequest& request, const Communicator& ranks) : rank_(ranks.rank()) {
  Network network;
  network.ranks = ranks.ranks();
  network.again = true;
  network.in_place = in_place_among(ranks);
  network.copying = 1;  // so that copies count
  std::vector<RankMotion> motions;
  const Simulation simulated = simulate(request, network, {}, [&](const RankMotion& what) { motions.push_back(what); });
  std::map<std::size_t, Round> rounds;
  std::vector<CopiedByRank> copied(static_cast<std::size_t>(ranks.ranks()));
  for (const RankMotion& what : motions) {
    const bool is_sent = what.from != what.to, is_of_result = what.step == simulated.steps.size();
    const Way within = is_of_result ? Way::Result : Way::Within;
    copied[static_cast<std::size_t>(what.from)].add(what.bytes, what.copies.before, is_sent ? Way::Pack : within);
    copied[static_cast<std::size_t>(what.to)].add(what.bytes, what.copies.after, is_sent ? Way::Unpack : within);
    if (!is_sent) continue;
    Round& round = rounds[what.step];
    round.messages.push_back({what.from, what.to, static_cast<std::size_t>(what.bytes)});
    round.is_of_result = is_of_result;
    round.is_in_place = round.is_in_place && is_of_result && what.copies.after.times == 0;
  }
  const auto most = std::max_element(
      copied.begin(), copied.end(), [](const CopiedByRank& a, const CopiedByRank& b) { return a.bytes() < b.bytes(); });
  copied_ = most->means();
  const auto rank = static_cast<std::size_t>(rank_);
  if (most->bytes() > 0) share_of_copies_ = copied[rank].bytes() / most->bytes();
  add_rounds(rounds, copied.size());
  for (const Round& round : rounds_) {
    const auto out = static_cast<std::size_t>(round.bytes[rank]),
               in = static_cast<std::size_t>(round.bytes[copied.size() + rank]);
    room_out_ = std::max(room_out_, out);
    if (round.is_of_result) room_of_result_ = out;
    std::size_t& room = round.is_in_place ? room_in_result_ : room_in_;
    room = std::max(room, in);
  }
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

void Rehearsal::send(Communicator& ranks, std::byte* out, std::byte* in, std::byte* result) const {
  for (const Round& round : rounds_) {
    std::byte *sent = out, *received = round.is_in_place ? result : in;
    const auto next = [](std::byte*& room, const Message& message) {
      return std::span<std::byte>(std::exchange(room, room + message.bytes), message.bytes);
    };
    for (const Message& message : round.messages)
      if (message.to == rank_) ranks.receive_in_place(message.from, next(received, message));
    for (const Message& message : round.messages)
      if (message.from == rank_) ranks.send_in_place(message.to, next(sent, message));
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
