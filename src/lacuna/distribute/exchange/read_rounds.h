#pragma once

#include <algorithm>

#include "lacuna/distribute/communicate/communicator.h"
#include "lacuna/io/coordinate_file.h"

namespace lacuna {

/// How ranks share the lines of a file: each has a stretch of it, and reads a chunk of that in each round. All have the
/// same number of rounds; the last may be empty.
class ReadRounds {
 public:
  ReadRounds(const CoordinateFile& file, const Communicator& ranks, std::size_t chunk_bytes)
      : body_(file.body()),
        ranks_(static_cast<std::size_t>(ranks.ranks())),
        rank_(static_cast<std::size_t>(ranks.rank())),
        chunk_(std::max<std::size_t>(chunk_bytes, 1)) {}

  std::int64_t count() const {
    const std::size_t longest = (body_.end - body_.begin + ranks_ - 1) / ranks_;
    return static_cast<std::int64_t>((longest + chunk_ - 1) / chunk_);
  }
  /// The bytes in which the lines of this rank begin.
  ByteRange range(std::int64_t round) const {
    const std::size_t end = share(rank_ + 1);
    const std::size_t begin = std::min(end, share(rank_) + static_cast<std::size_t>(round) * chunk_);
    return {begin, std::min(end, begin + chunk_)};
  }
  template <typename F>
  void for_each(F&& f) const {
    for (std::int64_t round = 0; round < count(); ++round) f(range(round));
  }

 private:
  /// Where the stretch of a rank begins.
  std::size_t share(std::size_t rank) const {
    const std::size_t bytes = body_.end - body_.begin;
    return body_.begin + bytes / ranks_ * rank + std::min(rank, bytes % ranks_);
  }

  ByteRange body_;
  std::size_t ranks_, rank_, chunk_;
};

}  // namespace lacuna
