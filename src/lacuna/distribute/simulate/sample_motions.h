#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "lacuna/distribute/simulate/rehearsal.h"
#include "lacuna/distribute/simulate/rounds.h"
#include "lacuna/distribute/simulate/sample_copy.h"
#include "lacuna/tensor/array.h"

namespace lacuna {

/// Copies and messages as a run of a plan has them, one after the other: what is packed is sent, and what has come is
/// unpacked to among what was copied within the rank before, which caches may still have. Samples are long enough to be
/// timed: where less is sent, what they copy beyond that is a rank's own.
class SampleMotions {
 public:
  /// Copies of the rank that copies most take place on all ranks, as far as these do as much. Keeps both.
  SampleMotions(Communicator& ranks, const Rehearsal& rehearsal);
  SampleMotions(const SampleMotions&) = delete;
  SampleMotions& operator=(const SampleMotions&) = delete;

  /// Phases for copies, and one for messages, if there are any, which this must outlive. Once, before the others.
  void add_to(std::vector<Phase>& phases);
  /// In bytes a second, by the seconds of all phases.
  double copying(const std::vector<double>& seconds) const;
  /// Seconds of messages.
  double messages(const std::vector<double>& seconds) const { return seconds[messages_]; }

 private:
  Communicator& ranks_;
  const Rehearsal& rehearsal_;
  std::vector<SampleCopy> samples_;
  std::vector<double> bytes_;        // that a run copies, by sample
  std::vector<std::size_t> copies_;  // phases, by sample
  std::size_t messages_ = 0;         // a phase
  Array out_, in_, here_;
  std::size_t computed_ = 0;  // bytes of what is sent or copied that kernels have just written
  /// What others send right to where it belongs, and what is copied there.
  struct Result {
    Array received, copied;
  };
  std::array<Result, 2> results_;  // in turns: of a run a program still has the result in the next one
  std::size_t last_result_ = 0;
};

}  // namespace lacuna
