#pragma once

#include <functional>
#include <memory>

#include "lacuna/compile/engine.h"
#include "lacuna/distribute/execute/prepare.h"
#include "lacuna/distribute/execute/result_memory.h"

namespace lacuna {

/// What the tasks of a rank compute of one part of the result in several steps, added up in the order of the steps, run
/// after run, in memory that stays.
class StepSum {
 public:
  virtual ~StepSum() = default;
  StepSum(const StepSum&) = delete;
  StepSum& operator=(const StepSum&) = delete;

  /// Where the first task of a run computes its share. What a run before added up may still be held by somebody.
  virtual LocalPart& begin() = 0;
  /// Where any other computes its share, which add() adds.
  Storage& addend() { return addend_; }
  virtual void add() = 0;
  /// What was added up so far.
  virtual const LocalPart& sum() = 0;

 protected:
  StepSum() = default;
  Storage addend_;
};

/// What prepares a statement and, where another asks the same, gives the same. Its operands are looked at, and may be
/// gone later: what is prepared is run on others.
using PrepareStatement = std::function<std::shared_ptr<Prepared>(const Request&)>;

/// Whether there is a sum of parts that are stored so.
bool can_be_step_sum(const Format& format);
/// One of parts of `region`. `prepare` is called in runs.
std::unique_ptr<StepSum> make_step_sum(const PartShape& shape, const std::vector<IndexSet>& region,
                                       PrepareStatement prepare);

}  // namespace lacuna
