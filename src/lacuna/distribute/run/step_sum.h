#pragma once

#include <functional>
#include <memory>

#include "lacuna/distribute/run/prepare.h"
#include "lacuna/distribute/run/result_memory.h"
#include "lacuna/engine/engine.h"

namespace lacuna {

/// What a task computes of one part of the result in shares, one after the other: in several steps, or in pieces of
/// one. They are added up in this order, run after run, in memory that stays.
class StepSum {
 public:
  virtual ~StepSum() = default;
  StepSum(const StepSum&) = delete;
  StepSum& operator=(const StepSum&) = delete;

  /// Adds a share, of all of the part or of a region of it, and returns its number.
  virtual std::size_t add_share(const std::vector<IndexSet>& region) = 0;
  /// Where the first share of a run is computed. What a run before added up may still be held by somebody.
  virtual LocalPart& begin() = 0;
  /// Where any other is computed, which add() adds.
  Storage& addend() { return addend_; }
  virtual void add(std::size_t share) = 0;
  /// What was added up so far.
  virtual LocalPart& sum() = 0;

 protected:
  StepSum() = default;
  Storage addend_;
};

/// What prepares a statement and, where another asks the same, gives the same. Its operands are looked at, and may be
/// gone later: what is prepared is run on others.
using PrepareStatement = std::function<std::shared_ptr<Prepared>(const Request&)>;

/// A sum of parts of `region`, for which dense ones use `memory`. `prepare` is called in runs.
std::unique_ptr<StepSum> make_step_sum(const PartShape& shape, const std::vector<IndexSet>& region,
                                       ResultMemory& memory, PrepareStatement prepare);

}  // namespace lacuna
