#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "lacuna/dynamic/memory/node_memory.h"

namespace lacuna {

/// The memory of a dynamic level, dealt out to threads that change different trees of it at once. Each gets a memory
/// record for itself, with ranges of indices and some of what was given back, so that nothing is shared but the arrays.
/// A thread whose range is used up gets the next one; the ranges that are left over are for the next batch.
class DealtMemory {
 public:
  /// `needs`: of one update (needs_of_update). `updates`: how many each thread will make.
  DealtMemory(NodeMemory& memory, int level, std::vector<std::int64_t> needs, const std::vector<std::int64_t>& updates);

  /// The memory record of a thread.
  void* record(std::size_t thread) { return threads_[thread].record; }
  /// Room for the thread's next update, and many more. False where the arrays are full. Threads may call it at once.
  bool refill(std::size_t thread);
  /// Enlarges the arrays that were full, while no thread runs, to so many elements at most. False where there can be no
  /// more. Throws RuntimeFailure where there is no more memory.
  bool grow(std::int64_t most_room);
  /// Gives back a thread's range and looks for the end of each of its lists. By the thread itself, once its share is
  /// made, as lists may be long; the last of all threads need not look where the level's own list is empty.
  void finish(std::size_t thread);
  /// Everything goes back to the level's own record.
  void take_back();

 private:
  struct Thread {
    std::vector<std::byte> bytes;
    void* record = nullptr;
    std::vector<std::int64_t> range;               // by supply: how large the last one was
    std::vector<std::vector<std::uint32_t>> last;  // by supply and list: the last item that was given back
  };
  FreeList list(std::size_t supply, std::size_t which) const;
  std::int64_t least(const Thread& thread, std::size_t supply) const;
  void leave_range(Thread& thread, std::size_t supply);
  bool take_range(Thread& thread, std::size_t supply, std::int64_t least, std::int64_t wanted);
  void deal_given_back(const std::vector<std::int64_t>& updates);

  NodeMemory& memory_;
  int level_;
  std::vector<std::int64_t> needs_;  // by supply
  std::vector<Thread> threads_;
  std::vector<std::int64_t> lacking_;  // by supply: how much threads wanted that did not get it
  std::vector<std::size_t> finished_;  // threads, in the order in which they did
  std::mutex mutex_;                   // of the level's own record, spare ranges and `lacking_`
};

}  // namespace lacuna
