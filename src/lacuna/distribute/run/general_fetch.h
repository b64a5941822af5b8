#pragma once

#include <map>
#include <vector>

#include "lacuna/distribute/run/fetch.h"

namespace lacuna {

/// Brings any operand step by step: entries move, and parts are put together of them in each run. What moves from step
/// to step and is run often has quicker ways (DenseFetch, SteppedEntries).
class GeneralFetch : public Fetch {
 public:
  using Fetch::Fetch;

  bool moves_in_each_run() const override { return true; }
  void begin(std::size_t step, bool changed, Communicator& ranks) override;
  void finish(std::size_t step, Communicator& ranks) override;
  void forget(std::size_t step) override { regions_[step].clear(); }
  Fetched at(std::size_t, std::size_t task) override {
    const LocalPart& held = held_.at(task);
    return {held.sets, held.storage};
  }
  News news(std::size_t, std::size_t, bool) const override { return News::Memory; }

 private:
  using Arrived = std::map<std::size_t, std::vector<LocalPart>>;  // by task

  LocalPart sent(const Transfer& transfer) const;
  LocalPart counted(const Transfer& transfer, LocalPart part);
  void put_together(std::size_t task, const Arrived& arrived, const std::vector<IndexSet>& region);

  // By step, and task of this rank that fetches: what it needs. Sets take long to make, and are the same in each run.
  std::vector<std::map<std::size_t, std::vector<IndexSet>>> regions_;
  std::map<std::size_t, LocalPart> held_;        // by task that fetches: what it fetched last
  std::map<const Transfer*, LocalPart> copied_;  // within this rank, for the next step
};

}  // namespace lacuna
