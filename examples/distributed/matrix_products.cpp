// A(i,j) = B(i,k) * C(k,j) on machines: DISTAL's Figure 2, and the six algorithms of its Figure 9. The statement is the
// same; where the matrices lie and the schedule make the algorithm.
//
//     ./matrix_products               this process plays all processors
//     mpirun -n 4 ./matrix_products   each rank plays some of them

#include <cmath>

#include "distributed/checked.h"
#include "lacuna/jit/blas.h"

using namespace lacuna;
using figures::filled;

namespace {

constexpr std::int64_t n = 48;
const IndexVar i("i"), j("j"), k("k"), io("io"), ii("ii"), jo("jo"), ji("ji"), ko("ko"), ki("ki"), kos("kos"),
    kio("kio"), kii("kii"), kios("kios");
const DistVar x('x'), y('y'), z('z');

/// The matrices where an algorithm wants them. The schedule is made for A, B and C by their names.
struct Product {
  Product(const Distribution& of_A, const Distribution& of_B, const Distribution& of_C)
      : A("A", {n, n}, PlacedFormat(dense_format(2), of_A)),
        B(filled(Tensor<double>("B", {n, n}, PlacedFormat(dense_format(2), of_B)), 1)),
        C(filled(Tensor<double>("C", {n, n}, PlacedFormat(dense_format(2), of_C)), 3)) {
    A(i, j) = B(i, k) * C(k, j);
  }
  bool run(Communicator& ranks, const char* name, const Machine& M, const Schedule& s) {
    return figures::run(ranks, name, A, s, M, "A(i,j) = B(i,k) * C(k,j)", {B, C});
  }

  Tensor<double> A, B, C;
};

/// DISTAL, Figure 2: SUMMA, directive by directive, with the call of BLAS that multiplies the chunks.
bool figure_2(Communicator& ranks) {
  if (blas() == nullptr) {
    if (ranks.rank() == 0) std::cout << "Figure 2: left out, for there is no OpenBLAS here\n";
    return true;
  }
  constexpr std::int64_t gx = 2, gy = 2, chunk_size = 8;
  Machine M(Grid(gx, gy));
  Distribution tiles({x, y}, M, {x, y});
  Product p(tiles, tiles, tiles);
  const Schedule s = schedule()
                         // Tile i and j for each processor.
                         .divide(i, io, ii, M.x)
                         .divide(j, jo, ji, M.y)
                         .reorder(io, jo, ii, ji)
                         .distribute({io})
                         .distribute({jo})
                         // Break the k loop into chunks, outside of the tiles.
                         .split(k, ko, ki, chunk_size)
                         .reorder(io, jo, ko, ii, ji, ki)
                         // Each processor has its piece of A, and gets chunks of B and C as ko steps.
                         .communicate(p.A, jo)
                         .communicate({p.B, p.C}, ko)
                         // The loops at the leaves are a product of matrices, which BLAS does best.
                         .substitute({ii, ji, ki}, BLAS::gemm);
  return p.run(ranks, "Figure 2", M, s);
}

/// Tiles of B and C shift to neighbours, along rows and columns.
bool cannon(Communicator& ranks) {
  Machine M(Grid(3, 3));
  Distribution tiles({x, y}, M, {x, y});
  Product p(tiles, tiles, tiles);
  const Schedule s = schedule()
                         .distribute({i, j}, {io, jo}, {ii, ji}, M)
                         .divide(k, ko, ki, M.x)
                         .reorder(ko, ii, ji, ki)
                         .rotate(ko, {io, jo}, kos)
                         .communicate(p.A, jo)
                         .communicate({p.B, p.C}, kos);
  return p.run(ranks, "Cannon", M, s);
}

/// One of the matrices shifts, the other one is broadcast.
bool pumma(Communicator& ranks) {
  Machine M(Grid(2, 3));
  Distribution tiles({x, y}, M, {x, y});
  Product p(tiles, tiles, tiles);
  const Schedule s = schedule()
                         .distribute({i, j}, {io, jo}, {ii, ji}, M)
                         .divide(k, ko, ki, M.x)
                         .reorder(ko, ii, ji, ki)
                         .rotate(ko, {io}, kos)
                         .communicate(p.A, jo)
                         .communicate({p.B, p.C}, kos);
  return p.run(ranks, "PUMMA", M, s);
}

/// Chunks of both are broadcast along rows and columns.
bool summa(Communicator& ranks) {
  Machine M(Grid(2, 3));
  Distribution tiles({x, y}, M, {x, y});
  Product p(tiles, tiles, tiles);
  const Schedule s = schedule()
                         .distribute({i, j}, {io, jo}, {ii, ji}, M)
                         .split(k, ko, ki, 12)
                         .reorder(ko, ii, ji, ki)
                         .communicate(p.A, jo)
                         .communicate({p.B, p.C}, ko);
  return p.run(ranks, "SUMMA", M, s);
}

/// On a cube, whose faces the matrices lie on: in one step, and sums along k.
bool johnson(Communicator& ranks) {
  Machine M(Grid(2, 2, 2));
  Product p(Distribution({x, y}, M, {x, y, 0}), Distribution({x, z}, M, {x, 0, z}), Distribution({z, y}, M, {0, y, z}));
  const Schedule s = schedule().distribute({i, j, k}, {io, jo, ko}, {ii, ji, ki}, M).communicate({p.A, p.B, p.C}, ko);
  return p.run(ranks, "Johnson", M, s);
}

/// Between Cannon's and Johnson's: c layers, each of which runs its share of Cannon's steps.
bool solomonik(Communicator& ranks) {
  constexpr std::int64_t processors = 32, c = 2;
  const auto side = static_cast<std::int64_t>(std::lround(std::sqrt(processors / c)));
  const auto steps = static_cast<std::int64_t>(std::lround(std::sqrt(processors / (c * c * c))));
  Machine M(Grid(side, side, c));
  Distribution front({x, y}, M, {x, y, 0});
  Product p(front, front, front);
  const Schedule s = schedule()
                         .distribute({i, j, k}, {io, jo, ko}, {ii, ji, ki}, M)
                         .divide(ki, kio, kii, steps)
                         .reorder(kio, ii, ji, kii)
                         .rotate(kio, {io, jo}, kios)
                         .communicate(p.A, jo)
                         .communicate({p.B, p.C}, kios);
  return p.run(ranks, "Solomonik 2.5D", M, s);
}

/// What COSMA chooses for a machine: a grid, and how many steps it takes for what a processor fetches to fit.
struct Strategy {
  std::int64_t gx = 1, gy = 1, gz = 1, steps = 1;
};

/// The grid that moves least: each processor needs a tile of B and of C, and adds to one of A. In as few steps as its
/// memory, in words, allows.
Strategy cosma_strategy(std::int64_t processors, std::int64_t memory) {
  const auto tile = [](std::int64_t p, std::int64_t q) { return ((n + p - 1) / p) * ((n + q - 1) / q); };
  Strategy best;
  std::int64_t least = -1;
  for (std::int64_t gx = 1; gx <= processors; ++gx) {
    for (std::int64_t gy = 1; gx * gy <= processors; ++gy) {
      const std::int64_t gz = processors / (gx * gy);
      if (gx * gy * gz != processors) continue;
      const std::int64_t of_A = tile(gx, gy), fetched = tile(gx, gz) + tile(gz, gy);
      if (of_A >= memory || (least >= 0 && of_A + fetched >= least)) continue;
      least = of_A + fetched;
      best = {gx, gy, gz, (fetched + memory - of_A - 1) / (memory - of_A)};
    }
  }
  return best;
}

bool cosma(Communicator& ranks) {
  const Strategy c = cosma_strategy(12, 800);
  Machine M(Grid(c.gx, c.gy, c.gz));
  Product p(Distribution({x, y}, M, {x, y, 0}), Distribution({x, z}, M, {x, 0, z}), Distribution({z, y}, M, {0, y, z}));
  const Schedule s = schedule()
                         .distribute({i, j, k}, {io, jo, ko}, {ii, ji, ki}, M)
                         .divide(ki, kio, kii, c.steps)
                         .reorder(kio, ii, ji, kii)
                         .communicate(p.A, ko)
                         .communicate({p.B, p.C}, kio);
  return p.run(ranks, "COSMA", M, s);
}

}  // namespace

int main() { return figures::run_all(figure_2, cannon, pumma, summa, johnson, solomonik, cosma); }
