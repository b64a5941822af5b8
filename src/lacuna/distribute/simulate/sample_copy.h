#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "lacuna/distribute/simulate/rehearsal.h"
#include "lacuna/tensor/array.h"

namespace lacuna {

/// Copies as a plan does in its runs, from memory of its own: as many bytes at a time, in stretches as long, which
/// lie as far apart on both sides, with those of the next times between them. What fits into caches moves several times
/// as fast.
class SampleCopy {
 public:
  /// `share`: how much of it this rank copies.
  SampleCopy(Rehearsal::Copied copied, double share);

  void run(std::byte* to) const {
    for (const Time& time : times_) (*time.copy)(static_cast<const std::byte*>(from_.data()) + time.from, to + time.to);
  }
  /// How many bytes there have to be.
  std::size_t room() const { return room_; }
  /// That a run copies where the share is all of it.
  double bytes() const { return bytes_; }

 private:
  struct Time {
    std::shared_ptr<const std::function<void(const void* from, void* to)>> copy;
    std::size_t from, to;  // where it begins there, in bytes
  };

  double bytes_ = 0;
  std::vector<Time> times_;
  Array from_;
  std::size_t room_ = 0;
};

}  // namespace lacuna
