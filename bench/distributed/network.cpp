// How fast messages between two ranks are, as `lacuna simulate --network` reads it.

#include <chrono>
#include <vector>

#include <fmt/format.h>

#include "bench/distributed/kernels.h"
#include "lacuna/distribute/comm/launched.h"
#include "tools/summary.h"

namespace lacuna::contest {
namespace {

using Clock = std::chrono::steady_clock;

void send(Communicator& ranks, int to, const Bytes& message) {
  ranks.send_in_place(to, message);
  ranks.finish_sends();
}

void receive(Communicator& ranks, int from, Bytes& message) {
  ranks.receive_in_place(from, message);
  ranks.finish_receives();
}

/// Seconds that a message of so many bytes takes: half of the median round trip between the first and the last rank.
/// The others take no part.
double message_time(Communicator& ranks, std::size_t bytes, int round_trips) {
  const int last = ranks.ranks() - 1, other = last - ranks.rank();
  if (ranks.rank() != 0 && ranks.rank() != last) return 0;
  Bytes message(bytes);
  std::vector<double> times;
  for (int k = 0; k < round_trips; ++k) {
    const Clock::time_point start = Clock::now();
    if (ranks.rank() == 0) send(ranks, other, message);
    receive(ranks, other, message);
    if (ranks.rank() == last) send(ranks, other, message);
    times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  return tool::median(times) / 2;
}

}  // namespace

void measure_network(Ranks& ranks) {
  if (ranks.count() == 1) return fmt::print("\nThe network is measured between two ranks: mpirun -n 2\n");
  constexpr std::size_t small = 8, large = 4 << 20;
  const double latency = message_time(ranks.communicator(), small, 1001);
  const double of_large = message_time(ranks.communicator(), large, 101);
  const double bandwidth = static_cast<double>(large) / (of_large - latency);
  ranks.meet();
  if (!ranks.is_first()) return;
  // The ranks of one computer copy the messages themselves.
  const bool overlaps = ranks_on_this_computer() < ranks.count();
  fmt::print("\nMessages between two ranks\n  {:<10}{:>10}\n  {:<10}{:>10}\n", bytes_text(small), seconds_text(latency),
             bytes_text(large), seconds_text(of_large));
  fmt::print("  --network alpha={:.3g}us,beta={:.3g}GB/s{}\n", latency * 1e6, bandwidth / 1e9,
             overlaps ? "" : ",overlap=no");
}

}  // namespace lacuna::contest
