#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/distribute/mpi/library.h"

namespace lacuna {

/// How a rank that fails tells others, which may be waiting for it: by messages on a communicator of their own.
class MpiNotices {
 public:
  /// Collective over the ranks of `of`.
  explicit MpiNotices(MpiComm of);
  ~MpiNotices();
  MpiNotices(const MpiNotices&) = delete;
  MpiNotices& operator=(const MpiNotices&) = delete;

  /// Whether some rank told this one that it failed.
  bool is_one_here() const;
  /// What each rank says of how it failed; one that did tells the others, who come here then. Collective.
  std::vector<std::string> agree(std::string_view mine) const;
  /// Gives a number to each rank; returns what each gave to this one. Collective.
  std::vector<std::int64_t> exchange(const std::vector<std::int64_t>& to_each) const;

 private:
  void tell_others(std::vector<MpiRequest>& requests) const;

  MpiComm comm_;
  int rank_ = 0, ranks_ = 1;
};

}  // namespace lacuna
