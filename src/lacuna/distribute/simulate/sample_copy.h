#pragma once

#include <array>
#include <functional>

#include "lacuna/distribute/part/local_part.h"
#include "lacuna/distribute/simulate/rehearsal.h"

namespace lacuna {

/// Copies as a plan does in its runs, from memory of its own: as many bytes at a time, in stretches as long, which
/// lie as far apart on both sides. What fits into caches moves several times as fast.
class SampleCopy {
 public:
  /// `share`: how much of it this rank copies.
  SampleCopy(Rehearsal::Copied copied, double share);

  void run(std::byte* to) {
    if (copy_) copy_(from_.storage.values.data(), to);
  }
  /// How many bytes there have to be.
  std::size_t room() const { return room_; }
  /// That a run copies where the share is all of it.
  double bytes() const { return bytes_; }

 private:
  double bytes_ = 0;
  std::function<void(const void* from, void* to)> copy_;
  LocalPart from_;
  std::size_t room_ = 0;
};

}  // namespace lacuna
