#include "bench/distributed/ranks.h"

#include <chrono>
#include <thread>

// The C interface alone: that of C++ would have to be linked, too.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include "lacuna/distribute/comm/world.h"

namespace lacuna::contest {
namespace {

template <typename T>
std::vector<T> gathered_on_first(const std::vector<T>& mine, MPI_Datatype type, const Ranks& ranks) {
  const auto size = static_cast<int>(mine.size());
  std::vector<int> sizes(static_cast<std::size_t>(ranks.count())), begins;
  MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  int all = 0;
  for (const int each : sizes) {
    begins.push_back(all);
    all += each;
  }
  std::vector<T> out(ranks.is_first() ? static_cast<std::size_t>(all) : 0);
  MPI_Gatherv(mine.data(), size, type, out.data(), sizes.data(), begins.data(), type, 0, MPI_COMM_WORLD);
  return out;
}

}  // namespace

/// The peers need MPI also where nothing was started by mpirun.
Ranks::Ranks() : ranks_(world()) {
  int is_there = 0;
  MPI_Initialized(&is_there);
  if (is_there == 0) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    began_mpi_ = true;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &count_);
}

Ranks::~Ranks() {
  ranks_.reset();
  if (began_mpi_) MPI_Finalize();
}

void Ranks::meet() {
  MPI_Request all_here = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &all_here);
  int done = 0;
  for (MPI_Test(&all_here, &done, MPI_STATUS_IGNORE); done == 0; MPI_Test(&all_here, &done, MPI_STATUS_IGNORE))
    std::this_thread::sleep_for(std::chrono::microseconds(200));
}

void Ranks::line_up() { MPI_Barrier(MPI_COMM_WORLD); }

double Ranks::largest(double mine) {
  double most = 0;
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

bool Ranks::first_says(bool it) {
  int said = it ? 1 : 0;
  MPI_Bcast(&said, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return said != 0;
}

std::vector<double> Ranks::on_first(const std::vector<double>& mine) {
  return gathered_on_first(mine, MPI_DOUBLE, *this);
}

std::vector<std::int32_t> Ranks::on_first(const std::vector<std::int32_t>& mine) {
  return gathered_on_first(mine, MPI_INT32_T, *this);
}

void Ranks::pass_around(int messages, std::size_t bytes) {
  if (count_ == 1) return;
  const int next = (rank_ + 1) % count_, before = (rank_ + count_ - 1) % count_;
  const std::vector<char> out(bytes);
  std::vector<char> in(bytes);
  for (int k = 0; k < messages; ++k) {
    MPI_Sendrecv(out.data(), static_cast<int>(bytes), MPI_CHAR, next, 0, in.data(), static_cast<int>(bytes), MPI_CHAR,
                 before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

}  // namespace lacuna::contest
