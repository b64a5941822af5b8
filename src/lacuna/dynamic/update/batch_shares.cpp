#include "lacuna/dynamic/update/batch_shares.h"

#include <algorithm>
#include <exception>
#include <memory>

#include "lacuna/dynamic/memory/dealt_memory.h"
#include "lacuna/jit/threads.h"
#include "lacuna/support/error.h"
#include "lacuna/tensor/chunks.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {
namespace {

/// Memory for what a kernel of one thread allocates beside the tensor's arrays, which it does not resize.
class ThreadContext {
 public:
  ThreadContext() = default;
  ThreadContext(const ThreadContext&) = delete;
  ThreadContext& operator=(const ThreadContext&) = delete;
  ~ThreadContext() {
    for (void* each : held_) give_back(each);
  }
  lacuna_context get() {
    const auto allocate = [](void* state, std::size_t bytes, std::int32_t zeroed) {
      void* memory = zeroed != 0 ? allocate_zeroed(bytes) : allocate_unzeroed(bytes);
      if (memory != nullptr) static_cast<ThreadContext*>(state)->held_.push_back(memory);
      return memory;
    };
    const auto resize = [](void*, void*, std::size_t) -> void* { return nullptr; };
    const auto release = [](void* state, void* memory) {
      std::erase(static_cast<ThreadContext*>(state)->held_, memory);
      give_back(memory);
    };
    return {this, allocate, resize, release, parallel_for, 1};
  }

 private:
  std::vector<void*> held_;
};

/// One thread's part.
class ShareMaker {
 public:
  ShareMaker(const SharedBatch& batch, NodeMemory& memory, DealtMemory& dealt, std::size_t thread, BatchShare& share)
      : batch_(batch),
        memory_(memory),
        dealt_(dealt),
        thread_(thread),
        share_(share),
        arguments_(batch.shape, batch.coordinates),
        count_{batch.shape.order()} {}

  /// Goes on until the share is made or something is missing, which may be tried again where the arrays were full.
  void run() noexcept {
    try {
      arguments_.set_memory(memory_);
      arguments_.set_record(last(), dealt_.record(thread_));
      while (!is_done() && !failed_ && dealt_.refill(thread_)) failed_ = make_some() == 0;
      if (is_done()) finish();
    } catch (...) {
      failed_ = true;
      error_ = std::current_exception();
    }
  }
  void finish() {
    if (!finished_) dealt_.finish(thread_);
    finished_ = true;
  }

  bool is_done() const { return share_.done == share_.size(); }
  /// Whether it is of no use to try again.
  bool failed() const { return failed_; }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }
  SharedOutcome outcome() const { return {arguments_.count(last()), arguments_.count(count_.changed())}; }

 private:
  int last() const { return batch_.shape.order() - 1; }

  std::int64_t make_some() {
    arguments_.set_batch(batch_.columns, batch_.values, share_.end);
    arguments_.cut_batch(share_.begin + share_.done, share_.size() - share_.done);
    std::int64_t& done = arguments_.count(count_.done());
    done = 0;
    bool ran = true;
    if (batch_.plan.interpreter) {
      arguments_.interpret(batch_.plan, memory_, batch_.options.interpret);
    } else {
      ThreadContext context;
      ran = arguments_.call(batch_.plan, context.get(), false) == LACUNA_OK;
    }
    share_.done += done;
    return ran ? done : 0;
  }

  const SharedBatch& batch_;
  NodeMemory& memory_;
  DealtMemory& dealt_;
  std::size_t thread_;
  BatchShare& share_;
  KernelArguments arguments_;
  UpdateCounts count_;
  bool failed_ = false, finished_ = false;
  std::exception_ptr error_;
};

using Makers = std::vector<std::unique_ptr<ShareMaker>>;

void in_threads(Makers& makers, void (*f)(ShareMaker&)) {
  const auto threads = static_cast<int>(makers.size());
  run_chunks(threads, threads,
             [&](int chunk, std::int64_t, std::int64_t) { f(*makers[static_cast<std::size_t>(chunk)]); });
}

/// Whether what is not made is worth another try.
bool enlarge(DealtMemory& dealt, std::int64_t most_room) {
  try {
    return dealt.grow(most_room);
  } catch (const RuntimeFailure&) {
    return false;  // one thread needs less room, and tells if that is too much, too
  }
}

}  // namespace

std::vector<BatchShare> cut_into_shares(std::span<const Array> above, std::int64_t updates, int shares) {
  std::vector<IntegerReader> columns(above.begin(), above.end());
  const auto same_place = [&](std::int64_t a, std::int64_t b) {
    return std::all_of(columns.begin(), columns.end(), [&](const IntegerReader& each) { return each[a] == each[b]; });
  };
  // The first of [from, to) that is not under the same place as `of`; the batch is sorted.
  const auto first_other = [&](std::int64_t of, std::int64_t from, std::int64_t to, bool behind) {
    while (from < to) {
      const std::int64_t middle = from + (to - from) / 2;
      if (same_place(of, middle) == behind) from = middle + 1;
      else to = middle;
    }
    return from;
  };
  std::vector<BatchShare> cut;
  std::int64_t begin = 0;
  for (int s = 1; s <= shares && begin < updates; ++s) {
    std::int64_t end = s == shares ? updates : updates * s / shares;
    if (end <= begin) continue;
    if (end < updates && same_place(end - 1, end)) {
      // Before or behind the tree that the cut would fall into, whichever is nearer.
      const std::int64_t before = first_other(end, begin, end, false);
      const std::int64_t behind = first_other(end, end, updates, true);
      end = before > begin && end - before <= behind - end ? before : behind;
    }
    cut.push_back({begin, end});
    begin = end;
  }
  return cut;
}

SharedOutcome make_shares(const SharedBatch& batch, NodeMemory& memory, std::vector<BatchShare>& shares) {
  const int last = batch.shape.order() - 1;
  std::vector<std::int64_t> updates;
  for (const BatchShare& each : shares) updates.push_back(each.size());
  DealtMemory dealt(memory, last, batch.plan.needs, updates);
  Makers makers;
  for (std::size_t t = 0; t < shares.size(); ++t)
    makers.push_back(std::make_unique<ShareMaker>(batch, memory, dealt, t, shares[t]));
  do {
    in_threads(makers, [](ShareMaker& each) { each.run(); });
  } while (std::any_of(makers.begin(), makers.end(), [](const auto& each) { return !each->is_done(); }) &&
           std::none_of(makers.begin(), makers.end(), [](const auto& each) { return each->failed(); }) &&
           enlarge(dealt, batch.sharing.most_room));
  in_threads(makers, [](ShareMaker& each) { each.finish(); });
  dealt.take_back();
  SharedOutcome all;
  for (const auto& each : makers) {
    const SharedOutcome one = each->outcome();
    all.entries += one.entries;
    all.changed += one.changed;
  }
  for (const auto& each : makers) each->rethrow();
  return all;
}

}  // namespace lacuna
