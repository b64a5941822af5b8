#include "lacuna/dynamic/memory/dealt_memory.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// Records of two threads do not lie in one cache line.
constexpr std::size_t line = 64;

/// No thread takes so many of what was given back for one update, on average. What is left of a list is not looked at.
constexpr std::int64_t most_taken_back = 4;

/// Ranges grow up to so many elements.
constexpr std::int64_t largest_range = std::int64_t{1} << 16;

/// Puts back a range that was left over. Ranges that meet become one.
void give_back(std::vector<IndexRange>& spare, IndexRange range) {
  const auto behind =
      std::find_if(spare.begin(), spare.end(), [&](const IndexRange& each) { return each.begin >= range.end; });
  const auto at = spare.insert(behind, range);
  const auto next = at + 1;
  if (next != spare.end() && at->end == next->begin) {
    at->end = next->end;
    spare.erase(next);
  }
  if (at != spare.begin() && (at - 1)->end == at->begin) {
    (at - 1)->end = at->end;
    spare.erase(at);
  }
}

}  // namespace

DealtMemory::DealtMemory(NodeMemory& memory, int level, std::vector<std::int64_t> needs,
                         const std::vector<std::int64_t>& updates)
    : memory_(memory), level_(level), needs_(std::move(needs)), threads_(updates.size()), lacking_(needs_.size()) {
  const std::vector<Supply>& supplies = memory_.supplies(level_);
  internal_check(supplies.size() == needs_.size(), "level {} takes from {} supplies, not {}", level_, supplies.size(),
                 needs_.size());
  const auto size = static_cast<std::size_t>(memory_.bytes(level_, 0));
  for (Thread& thread : threads_) {
    thread.bytes.resize(size + 2 * line);
    thread.record = thread.bytes.data() + line;
    std::memcpy(thread.record, memory_.block(level_, 0), size);
    for (const Supply& supply : supplies) {
      if (supply.of_roots) continue;
      set_record_number(thread.record, supply.next, 0);
      set_record_number(thread.record, supply.limit, 0);
      for (std::size_t k = 0; k < supply.lists; ++k)
        set_record_number(thread.record, supply.free + 4 * static_cast<std::int64_t>(k), 0);
    }
    thread.range.resize(supplies.size());
    for (const Supply& supply : supplies) thread.last.emplace_back(supply.lists);
  }
  deal_given_back(updates);
}

FreeList DealtMemory::list(std::size_t supply, std::size_t which) const {
  const Supply& from = memory_.supplies(level_)[supply];
  return {from, which, memory_.block(level_, from.link_array)};
}

/// To each thread as much as its share of the updates is.
void DealtMemory::deal_given_back(const std::vector<std::int64_t>& updates) {
  void* own = memory_.block(level_, 0);
  const std::vector<Supply>& supplies = memory_.supplies(level_);
  const std::int64_t all_updates = std::accumulate(updates.begin(), updates.end(), std::int64_t{0});
  std::vector<std::uint32_t> items;
  for (std::size_t s = 0; s < supplies.size(); ++s) {
    if (supplies[s].of_roots || needs_[s] == 0) continue;
    for (std::size_t k = 0; k < supplies[s].lists; ++k) {
      const FreeList from = list(s, k);
      items.clear();
      std::uint32_t rest = from.first(own);
      for (; rest != 0 && std::ssize(items) < most_taken_back * all_updates; rest = from.behind(rest))
        items.push_back(rest);
      std::int64_t before = 0;
      for (std::size_t t = 0; t < threads_.size(); ++t) {
        const std::int64_t end = before + updates[t];
        const auto first = static_cast<std::size_t>(std::ssize(items) * before / all_updates);
        const auto past = static_cast<std::size_t>(std::ssize(items) * end / all_updates);
        before = end;
        if (first == past) continue;
        from.set_first(threads_[t].record, items[first]);
        from.set_behind(items[past - 1], 0);
      }
      from.set_first(own, rest);
    }
  }
}

/// What must be left before an update.
std::int64_t DealtMemory::least(const Thread& thread, std::size_t supply) const {
  if (memory_.supplies(level_)[supply].of_nodes) return needs_[supply];
  std::int64_t segment = 1;
  for (const Supply& each : memory_.supplies(level_)) segment = std::max(segment, each.least_segment);
  const auto least_class = static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(segment - 1)));
  return needs_[supply] << std::max(least_class, record_number(thread.record, memory_.largest_of(level_)));
}

/// Ranges that were left over come first. Then the level's own record moves on.
bool DealtMemory::take_range(Thread& thread, std::size_t supply, std::int64_t least, std::int64_t wanted) {
  const Supply& from = memory_.supplies(level_)[supply];
  std::vector<IndexRange>& spare = memory_.spare(level_, supply);
  void* own = memory_.block(level_, 0);
  IndexRange taken;
  const auto found =
      std::find_if(spare.begin(), spare.end(), [&](const IndexRange& each) { return each.size() >= least; });
  if (found != spare.end()) {
    // What nobody could use is taken as well.
    taken = {found->begin, found->size() < wanted + least ? found->end : found->begin + wanted};
    found->begin = taken.end;
    if (found->size() == 0) spare.erase(found);
  } else {
    const std::int64_t next = record_number(own, from.next);
    taken = {next, std::min(record_number(own, from.limit), next + wanted)};
    if (taken.size() < least) return false;
    set_record_number(own, from.next, taken.end);
  }
  set_record_number(thread.record, from.next, taken.begin);
  set_record_number(thread.record, from.limit, taken.end);
  thread.range[supply] = taken.size();
  return true;
}

/// What is left of a thread's range. Where it is too short for an update, it is as if it had been given back.
void DealtMemory::leave_range(Thread& thread, std::size_t supply) {
  const Supply& of = memory_.supplies(level_)[supply];
  IndexRange left{record_number(thread.record, of.next), record_number(thread.record, of.limit)};
  set_record_number(thread.record, of.limit, left.begin);
  if (left.size() == 0) return;
  if (left.size() >= least(thread, supply)) return give_back(memory_.spare(level_, supply), left);
  const std::int64_t largest = of.of_nodes ? 1 : record_number(thread.record, memory_.largest_of(level_));
  const auto least_segment = static_cast<std::uint64_t>(of.least_segment);
  const std::uint64_t longest = std::max(std::uint64_t{1} << std::max<std::int64_t>(largest - 1, 0), least_segment);
  while (left.size() >= of.least_segment) {
    const std::uint64_t size = std::min(longest, std::bit_floor(static_cast<std::uint64_t>(left.size())));
    const FreeList pieces = list(supply, of.of_nodes ? 0 : static_cast<std::size_t>(std::bit_width(size)));
    const auto item = static_cast<std::uint32_t>(left.begin + 1);
    pieces.set_behind(item, pieces.first(thread.record));
    pieces.set_first(thread.record, item);
    left.begin += static_cast<std::int64_t>(size);
  }
}

bool DealtMemory::refill(std::size_t thread) {
  Thread& of = threads_[thread];
  const std::vector<Supply>& supplies = memory_.supplies(level_);
  const std::scoped_lock lock(mutex_);
  bool enough = true;
  for (std::size_t s = 0; s < supplies.size(); ++s) {
    if (supplies[s].of_roots || needs_[s] == 0) continue;
    const IndexRange left{record_number(of.record, supplies[s].next), record_number(of.record, supplies[s].limit)};
    const std::int64_t needed = least(of, s);
    if (left.size() >= needed) continue;
    leave_range(of, s);
    const std::int64_t wanted = std::max(needed, std::min(2 * of.range[s], largest_range));
    if (take_range(of, s, needed, wanted)) continue;
    lacking_[s] += wanted;
    enough = false;
  }
  return enough;
}

bool DealtMemory::grow(std::int64_t most_room) {
  const std::vector<Supply>& supplies = memory_.supplies(level_);
  const void* own = memory_.block(level_, 0);
  for (std::size_t s = 0; s < supplies.size(); ++s) {
    if (lacking_[s] == 0) continue;
    const std::int64_t limit = record_number(own, supplies[s].limit);
    const std::int64_t needed = record_number(own, supplies[s].next) + lacking_[s];
    const std::int64_t room = std::min(std::max(needed, 2 * limit), most_room);
    lacking_[s] = 0;
    if (room <= limit) return false;
    memory_.grow(level_, supplies[s], room);
  }
  return true;
}

void DealtMemory::finish(std::size_t thread) {
  Thread& of = threads_[thread];
  const std::vector<Supply>& supplies = memory_.supplies(level_);
  bool is_last = false;
  {
    const std::scoped_lock lock(mutex_);
    for (std::size_t s = 0; s < supplies.size(); ++s)
      if (!supplies[s].of_roots) leave_range(of, s);
    finished_.push_back(thread);
    is_last = finished_.size() == threads_.size();
  }
  const void* own = memory_.block(level_, 0);
  for (std::size_t s = 0; s < supplies.size(); ++s) {
    if (supplies[s].of_roots) continue;
    for (std::size_t k = 0; k < supplies[s].lists; ++k) {
      const FreeList given = list(s, k);
      const std::uint32_t first = given.first(of.record);
      if (first != 0 && !(is_last && given.first(own) == 0)) of.last[s][k] = given.last(first);
    }
  }
}

void DealtMemory::take_back() {
  void* own = memory_.block(level_, 0);
  const std::vector<Supply>& supplies = memory_.supplies(level_);
  // The last to finish comes first: what is behind its lists is not known where the level's own are empty.
  for (auto thread = finished_.rbegin(); thread != finished_.rend(); ++thread) {
    const Thread& of = threads_[*thread];
    for (std::size_t s = 0; s < supplies.size(); ++s) {
      if (supplies[s].of_roots) continue;
      for (std::size_t k = 0; k < supplies[s].lists; ++k) {
        const FreeList given = list(s, k);
        if (given.first(of.record) == 0) continue;
        if (of.last[s][k] != 0) given.set_behind(of.last[s][k], given.first(own));
        given.set_first(own, given.first(of.record));
      }
    }
    memory_.join_record(level_, of.record);
  }
  // What was left at the end was never used.
  for (std::size_t s = 0; s < supplies.size(); ++s) {
    std::vector<IndexRange>& spare = memory_.spare(level_, s);
    if (spare.empty() || spare.back().end != record_number(own, supplies[s].next)) continue;
    set_record_number(own, supplies[s].next, spare.back().begin);
    spare.pop_back();
  }
}

}  // namespace lacuna
