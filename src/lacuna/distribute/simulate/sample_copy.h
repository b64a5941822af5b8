#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "lacuna/distribute/simulate/rehearsal.h"
#include "lacuna/tensor/array.h"

namespace lacuna {

/// Memory of so many bytes that is there, written once.
Array touched(std::size_t bytes);

/// Copies as a plan does in its runs: to memory that is sent, and from where something has come, has been computed to
/// be sent, or lies by itself, to where a rank puts it together; as many bytes at a time, in stretches as long, which
/// lie as far apart on both sides, with those of the next times between them. What fits into caches moves several times
/// as fast.
class SampleCopy {
 public:
  /// `share`: how much of it this rank copies.
  SampleCopy(Rehearsal::Copied copied, double share);

  void run(std::byte* out, const std::byte* in, std::byte* here) const;
  /// How many bytes there have to be.
  std::size_t room_out() const {
    return way_ == Rehearsal::Way::Pack ? room_to_ : way_ == Rehearsal::Way::Result ? room_from_ : 0;
  }
  std::size_t room_in() const { return way_ == Rehearsal::Way::Unpack ? room_from_ : 0; }
  std::size_t room_here() const { return way_ == Rehearsal::Way::Pack ? 0 : room_to_; }
  Rehearsal::Way way() const { return way_; }
  /// That a run copies where the share is all of it.
  double bytes() const { return bytes_; }

 private:
  struct Time {
    std::shared_ptr<const std::function<void(const void* from, void* to)>> copy;
    std::size_t from, to;  // where it begins there, in bytes
  };

  double bytes_ = 0;
  Rehearsal::Way way_;
  std::vector<Time> times_;
  std::size_t room_from_ = 0, room_to_ = 0;
  Array from_;  // its own
};

}  // namespace lacuna
