// A program that uses MPI itself: each half of its processes follows the heat in a rod of its own, at the same time.
// The rows of its matrix, and its part of the temperatures, are arrays of each process, which Lacuna uses in place; the
// result is one again.
//
//     mpirun -n 4 ./mpi_arrays

#include <cmath>
#include <cstdint>
#include <iostream>
#include <numeric>

#include "lacuna/api/lacuna.h"
#include "lacuna/api/mpi.h"

using namespace lacuna;

namespace {

/// Compressed rows [begin, end) of n. Of its heat, a cell keeps a half, and gives a quarter to each of its neighbours;
/// nothing leaves the rod at its ends.
struct Rows {
  std::int64_t begin, end;
  std::vector<std::int32_t> pos = {0}, column = {};
  std::vector<double> value = {};

  Rows(std::int64_t first, std::int64_t last, std::int64_t n) : begin(first), end(last) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (i > 0) add(i - 1, 0.25);
      add(i, i == 0 || i + 1 == n ? 0.75 : 0.5);
      if (i + 1 < n) add(i + 1, 0.25);
      pos.push_back(static_cast<std::int32_t>(column.size()));
    }
  }
  void add(std::int64_t j, double v) {
    column.push_back(static_cast<std::int32_t>(j));
    value.push_back(v);
  }
};

/// The heat of a rod after some steps, which should be what it was, for all processes of a communicator.
double heat_of_rod(MPI_Comm comm, std::int64_t n, int steps) {
  const std::unique_ptr<Communicator> ranks = world(comm, Failures::Throw);
  const std::int64_t p = ranks->ranks(), r = ranks->rank();
  const Rows mine(n * r / p, n * (r + 1) / p, n);
  const std::vector<double> warm(static_cast<std::size_t>(mine.end - mine.begin), static_cast<double>(r + 1));

  // The blocks of the program: where all but the first begin.
  std::vector<std::int64_t> begins;
  for (std::int64_t k = 1; k < p; ++k) begins.push_back(n * k / p);
  const Machine M{Grid(p)};
  const DistVar x, y;
  const DistTarget block = p == 1 ? DistTarget(x) : blocks(x, begins);
  const PlacedFormat rows(csr_format(), Distribution({x, y}, M, {block}));
  const PlacedFormat blocked(dense_format(1), Distribution({x}, M, {block}));

  const auto A = Tensor<double>::from_parts(
      {n, n}, rows, *ranks, {Tensor<double>::from_csr(mine.end - mine.begin, n, mine.pos, mine.column, mine.value)},
      "A");
  auto u = Tensor<double>::from_parts({n}, blocked, *ranks, {Tensor<double>::from_dense({mine.end - mine.begin}, warm)},
                                      "u");
  const IndexVar i("i"), j("j");
  Tensor<double> next("next", {n}, blocked);
  for (int step = 0; step < steps; ++step) {
    next(i) = A(i, j) * u(j);
    next.evaluate({.ranks = ranks.get()});
    u = next;
  }

  // This process goes on with its part as an array, and talks with the others as it always does.
  const std::span<const double> own = u.values();
  const double here = std::accumulate(own.begin(), own.end(), 0.0);
  double before = std::accumulate(warm.begin(), warm.end(), 0.0), sums[2] = {before, here}, all[2] = {};
  MPI_Allreduce(sums, all, 2, MPI_DOUBLE, MPI_SUM, comm);
  return std::abs(all[1] - all[0]) < 1e-9 * all[0] ? all[1] : -1;
}

int run() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int which = rank % 2;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, which, rank, &half);
  const double heat = which == 0 ? heat_of_rod(half, 1000, 20) : heat_of_rod(half, 1500, 30);
  MPI_Comm_free(&half);
  int lost = heat > 0 ? 0 : 1, lost_by_all = 0;
  MPI_Allreduce(&lost, &lost_by_all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::cout << "heat is lost on " << lost_by_all << " processes\n";
  return lost_by_all == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int result = 2;
  try {
    result = run();
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    MPI_Abort(MPI_COMM_WORLD, result);
  }
  MPI_Finalize();
  return result;
}
