#include "lacuna/distribute/comm/mpi_notices.h"

#include <cstddef>

namespace lacuna {

MpiNotices::MpiNotices(MPI_Comm of) {
  MPI_Comm_dup(of, &comm_);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &ranks_);
}

MpiNotices::~MpiNotices() {
  if (!mpi_is_over()) MPI_Comm_free(&comm_);
}

bool MpiNotices::is_one_here() const {
  int flag = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, 0, comm_, &flag, MPI_STATUS_IGNORE);
  return flag != 0;
}

void MpiNotices::tell_others(std::vector<MPI_Request>& requests) const {
  for (int r = 0; r < ranks_; ++r)
    if (r != rank_) MPI_Isend(nullptr, 0, MPI_BYTE, r, 0, comm_, &requests.emplace_back());
}

/// A notice is taken only when all have said whether they failed: by then, each that failed has sent one to each other.
std::vector<std::string> MpiNotices::agree(std::string_view mine) const {
  std::vector<MPI_Request> requests;
  if (!mine.empty()) tell_others(requests);
  const auto count = static_cast<std::size_t>(ranks_);
  std::vector<int> sizes(count), begins(count);
  const int size = static_cast<int>(mine.size());
  MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, comm_);
  for (std::size_t r = 1; r < count; ++r) begins[r] = begins[r - 1] + sizes[r - 1];
  std::string text(static_cast<std::size_t>(begins.back() + sizes.back()), ' ');
  MPI_Allgatherv(mine.data(), size, MPI_CHAR, text.data(), sizes.data(), begins.data(), MPI_CHAR, comm_);
  std::vector<std::string> all;
  for (std::size_t r = 0; r < count; ++r) {
    all.push_back(text.substr(static_cast<std::size_t>(begins[r]), static_cast<std::size_t>(sizes[r])));
    if (sizes[r] > 0 && static_cast<int>(r) != rank_)
      MPI_Recv(nullptr, 0, MPI_BYTE, static_cast<int>(r), 0, comm_, MPI_STATUS_IGNORE);
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  return all;
}

std::vector<std::int64_t> MpiNotices::exchange(const std::vector<std::int64_t>& to_each) const {
  std::vector<std::int64_t> from_each(to_each.size());
  MPI_Alltoall(to_each.data(), 1, MPI_INT64_T, from_each.data(), 1, MPI_INT64_T, comm_);
  return from_each;
}

}  // namespace lacuna
