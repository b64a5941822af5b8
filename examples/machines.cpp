// A statement on a machine: the same program with and without mpirun (SpDISTAL, Figure 1; DISTAL, Figure 2).
//
//     ./machines               this process emulates all processors
//     mpirun -n 4 ./machines   each rank runs a block of them

#include <algorithm>
#include <iostream>

#include "lacuna/api/lacuna.h"

using namespace lacuna;

namespace {

constexpr std::int64_t pieces = 4, n = 200, m = 300;

template <typename T>
void fill(Tensor<T>& tensor, std::int64_t step) {
  const std::int64_t rows = tensor.dimensions()[0], columns = tensor.order() > 1 ? tensor.dimensions()[1] : 1;
  for (std::int64_t k = 0; k < rows * columns; k += step) {
    if (tensor.order() > 1) tensor.insert({k / columns, k % columns}, static_cast<T>(k % 17 + 1));
    else tensor.insert({k}, static_cast<T>(k % 13 + 1));
  }
}

/// The first rank prints what the run reports.
void say(const Communicator& ranks, const Report& report, const char* what) {
  if (ranks.rank() != 0) return;
  for (const std::string& note : report.notes) std::cout << what << ": " << note << "\n";
}

/// How machines and distributions are written in C++, each beside its text.
bool notation() {
  Machine M(Grid(4, 4));
  Machine nodes(Grid(2, 2), Grid(2).of(ProcessorKind::Socket));
  Machine cube(Grid(2, 2, 2));
  Machine line{Grid(pieces)};  // braces: with a variable, C++ takes Machine line(Grid(pieces)) for a function
  std::int64_t rows = M.x;     // 4; M.y, M.z and M.dimension(level, dimension) likewise

  DistVar x, y, z, w;
  const std::vector<std::pair<Distribution, const char*>> pairs = {
      {Distribution({x, y}, line, {x}), "xy -> x"},
      {Distribution({x}, line, {y}), "x -> *"},
      {Distribution({x, y}, line, {~x}), "xy -> ~x"},
      {Distribution({x, y}, line, {nonzeros({x, y})}), "xy -> ~(xy)"},
      {Distribution({x, y}, line, {blocks(x, {250, 600, 900})}), "xy -> x[250,600,900]"},
      {Distribution({x, y}, M, {cyclic(x, 64), cyclic(y, 64)}), "xy -> x%64 y%64"},
      {Distribution({x, y}, cube, {x, y, 0}), "xy -> xy0"},
      {Distribution({x, y}, nodes, {x, y}).then({z, w}, {z}), "xy -> xy; zw -> z"},
  };
  const auto equal = [](const auto& pair) {
    return pair.first == parse_distribution(pair.second, pair.first.machine()).distribution;
  };
  return rows == 4 && std::all_of(pairs.begin(), pairs.end(), equal);
}

/// SpDISTAL, Figure 1: a sparse matrix times a vector, by blocks of rows.
bool matrix_times_vector(Communicator& ranks) {
  Machine M{Grid(pieces)};
  DistVar x, y;
  PlacedFormat BlockedDense({LevelKind::Dense}, Distribution({x}, M, {x}));
  PlacedFormat ReplDense({LevelKind::Dense}, Distribution({x}, M, {y}));
  PlacedFormat BlockedCSR({LevelKind::Dense, LevelKind::Compressed}, Distribution({x, y}, M, {x}));

  Tensor<double> a("a", {n}, BlockedDense);
  Tensor<double> B("B", {n, m}, BlockedCSR);
  Tensor<double> c("c", {m}, ReplDense);
  fill(B, 7);
  fill(c, 1);

  IndexVar i("i"), j("j"), io("io"), ii("ii");
  a(i) = B(i, j) * c(j);
  const Schedule s =
      schedule().divide(i, io, ii, M.x).distribute({io}).communicate({a, B, c}, io).parallelize(ii, CPUThread);
  const Report report = a.evaluate({.schedule = s, .machine = M, .ranks = &ranks});

  Tensor<double> expected;
  expected(i) = Tensor<double>(B.storage())(i, j) * Tensor<double>(c.storage())(j);
  say(ranks, report, "SpMV");
  return a.equals(expected, 1e-12);
}

/// DISTAL, Figure 2, as Cannon's algorithm: each step sends tiles to neighbours.
bool matrix_product(Communicator& ranks) {
  Machine M(Grid(2, 2));
  DistVar x, y;
  PlacedFormat tiles({LevelKind::Dense, LevelKind::Dense}, Distribution({x, y}, M, {x, y}));
  Tensor<double> A("A", {40, 40}, tiles), B("B", {40, 40}, tiles), C("C", {40, 40}, tiles);
  fill(B, 1);
  fill(C, 3);

  IndexVar i("i"), j("j"), k("k"), io("io"), ii("ii"), jo("jo"), ji("ji"), ko("ko"), ki("ki"), kos("kos");
  A(i, j) = B(i, k) * C(k, j);
  const Schedule s = schedule()
                         .distribute({i, j}, {io, jo}, {ii, ji}, M)
                         .divide(k, ko, ki, M.x)
                         .reorder({ko, ii, ji, ki})
                         .rotate(ko, {io, jo}, kos)
                         .communicate({A}, jo)
                         .communicate({B, C}, kos);
  const Report report = A.evaluate({.schedule = s, .ranks = &ranks});

  Tensor<double> expected;
  expected(i, j) = Tensor<double>(B.storage())(i, k) * Tensor<double>(C.storage())(k, j);
  say(ranks, report, "Cannon");
  return A.equals(expected, 1e-12);
}

/// A statement that is repeated. Its result stays distributed, and the next step reads the parts. It is planned at
/// most twice: in the first step, each rank has all of v.
bool power_iteration(Communicator& ranks) {
  Machine M{Grid(pieces)};
  DistVar x, y;
  Tensor<double> B("B", {n, n}, PlacedFormat(csr_format(), Distribution({x, y}, M, {x})));
  fill(B, 11);
  Tensor<double> v({n}), w({n});
  fill(v, 1);
  fill(w, 1);
  const Tensor<double> whole(B.storage());
  IndexVar i("i"), j("j");
  Tensor<double> next("next", {n}, PlacedFormat(dense_format(1), Distribution({x}, M, {x})));
  for (int step = 0; step < 3; ++step) {
    next(i) = B(i, j) * v(j);
    next.evaluate({.ranks = &ranks});  // from the second step on, the halo of v moves, and nothing else
    v = next;
  }
  for (int step = 0; step < 3; ++step) {
    Tensor<double> expected;
    expected(i) = whole(i, j) * w(j);
    w = expected;
  }
  return v.equals(w, 1e-12);
}

}  // namespace

int main() {
  try {
    const std::unique_ptr<Communicator> ranks = world();
    const bool right = notation() && matrix_times_vector(*ranks) && matrix_product(*ranks) && power_iteration(*ranks);
    if (!right) std::cout << "wrong\n";
    return right ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
