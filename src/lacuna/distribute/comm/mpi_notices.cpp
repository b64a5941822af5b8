#include "lacuna/distribute/comm/mpi_notices.h"

#include <cstddef>

namespace lacuna {

MpiNotices::MpiNotices(MpiComm of) : comm_(mpi().duplicate(of)), rank_(mpi().rank(comm_)), ranks_(mpi().ranks(comm_)) {}

MpiNotices::~MpiNotices() {
  if (mpi().is_over() == 0) mpi().free_comm(comm_);
}

bool MpiNotices::is_one_here() const {
  lacuna_mpi_message message{};
  return mpi().is_there(LACUNA_MPI_ANY, 0, comm_, &message) != 0;
}

void MpiNotices::tell_others(std::vector<MpiRequest>& requests) const {
  for (int r = 0; r < ranks_; ++r)
    if (r != rank_) requests.push_back(mpi().begin_send(nullptr, 0, r, 0, comm_));
}

/// A notice is taken only when all have said whether they failed: by then, each that failed has sent one to each other.
std::vector<std::string> MpiNotices::agree(std::string_view mine) const {
  std::vector<MpiRequest> requests;
  if (!mine.empty()) tell_others(requests);
  const auto count = static_cast<std::size_t>(ranks_);
  std::vector<int> sizes(count), begins(count);
  const int size = static_cast<int>(mine.size());
  mpi().gather_all(&size, sizeof size, sizes.data(), comm_);
  for (std::size_t r = 1; r < count; ++r) begins[r] = begins[r - 1] + sizes[r - 1];
  std::string text(static_cast<std::size_t>(begins.back() + sizes.back()), ' ');
  mpi().gather_all_sizes(mine.data(), size, text.data(), sizes.data(), begins.data(), comm_);
  std::vector<std::string> all;
  for (std::size_t r = 0; r < count; ++r) {
    all.push_back(text.substr(static_cast<std::size_t>(begins[r]), static_cast<std::size_t>(sizes[r])));
    if (sizes[r] > 0 && static_cast<int>(r) != rank_) mpi().take(nullptr, 0, static_cast<int>(r), 0, comm_);
  }
  mpi().wait_all(requests.data(), static_cast<int>(requests.size()));
  return all;
}

std::vector<std::int64_t> MpiNotices::exchange(const std::vector<std::int64_t>& to_each) const {
  std::vector<std::int64_t> from_each(to_each.size());
  mpi().exchange_all(to_each.data(), sizeof(std::int64_t), from_each.data(), comm_);
  return from_each;
}

}  // namespace lacuna
