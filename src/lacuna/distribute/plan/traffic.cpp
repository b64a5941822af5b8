#include "lacuna/distribute/plan/traffic.h"

#include <algorithm>

#include "lacuna/distribute/plan/plan.h"

namespace lacuna {

void count(Traffic& traffic, const Machine& machine, std::int64_t bytes, std::int64_t from, std::int64_t to) {
  const std::int64_t away = distance(machine, from, to);
  if (away == 0) return;
  ++traffic.messages;
  traffic.bytes += bytes;
  traffic.farthest = std::max(traffic.farthest, away);
}

void add(Traffic& sum, const Traffic& more) {
  sum.messages += more.messages;
  sum.bytes += more.bytes;
  sum.farthest = std::max(sum.farthest, more.farthest);
}

}  // namespace lacuna
