// Tensors of order 3 on machines: the four kernels of DISTAL's section 7.2, so that little or nothing moves.
//
//     ./higher_order               this process plays all processors
//     mpirun -n 4 ./higher_order   each rank plays some of them

#include "distributed/checked.h"

using namespace lacuna;
using figures::filled;
using figures::run;

namespace {

const IndexVar i("i"), j("j"), k("k"), l("l"), io("io"), ii("ii"), jo("jo"), ji("ji"), ko("ko"), ki("ki");
const DistVar x('x'), y('y'), z('z');

Tensor<double> dense(const char* name, const std::vector<std::int64_t>& dimensions, const Distribution& where) {
  return {name, dimensions, PlacedFormat(dense_format(static_cast<int>(dimensions.size())), where)};
}

/// TTV: slices of B and rows of A lie together, c is everywhere: nothing moves.
bool tensor_times_vector(Communicator& ranks) {
  Machine M(Grid(4));
  Tensor<double> A = dense("A", {12, 10}, Distribution({x, y}, M, {x}));
  Tensor<double> B = filled(dense("B", {12, 10, 8}, Distribution({x, y, z}, M, {x})), 1);
  Tensor<double> c = filled(dense("c", {8}, Distribution({x}, M, {broadcast()})), 1);
  A(i, j) = B(i, j, k) * c(k);
  const Schedule s = schedule().distribute({i}, {io}, {ii}, M).communicate({A, B, c}, io).parallelize(ii, CPUThread);
  return run(ranks, "TTV", A, s, M, "A(i,j) = B(i,j,k) * c(k)", {B, c});
}

/// Innerprod: each processor adds up its own, then one number of each is added up.
bool inner_product(Communicator& ranks) {
  Machine M(Grid(4));
  Distribution slices({x, y, z}, M, {x});
  Tensor<double> a("a", {}, Format());
  Tensor<double> B = filled(dense("B", {12, 10, 8}, slices), 1), C = filled(dense("C", {12, 10, 8}, slices), 2);
  a() = B(i, j, k) * C(i, j, k);
  const Schedule s = schedule().distribute({i}, {io}, {ii}, M).communicate({a, B, C}, io);
  return run(ranks, "Innerprod", a, s, M, "a = B(i,j,k) * C(i,j,k)", {B, C});
}

/// TTM: as TTV, with a matrix that is everywhere.
bool tensor_times_matrix(Communicator& ranks) {
  Machine M(Grid(4));
  Distribution slices({x, y, z}, M, {x});
  Tensor<double> A = dense("A", {12, 10, 6}, slices);
  Tensor<double> B = filled(dense("B", {12, 10, 8}, slices), 1);
  Tensor<double> C = filled(dense("C", {8, 6}, Distribution({x, y}, M, {broadcast()})), 1);
  A(i, j, l) = B(i, j, k) * C(k, l);
  const Schedule s = schedule().distribute({i}, {io}, {ii}, M).communicate({A, B, C}, io).parallelize(ii, CPUThread);
  return run(ranks, "TTM", A, s, M, "A(i,j,l) = B(i,j,k) * C(k,l)", {B, C});
}

/// MTTKRP as Ballard, Knight and Rouse do it: the tensor stays where it is, in blocks on a cube; factors come along
/// its faces, and sums go to those who have A.
bool mttkrp(Communicator& ranks) {
  Machine M(Grid(2, 2, 2));
  Tensor<double> A = dense("A", {12, 5}, Distribution({x, y}, M, {x, 0, 0}));
  Tensor<double> B = filled(dense("B", {12, 10, 8}, Distribution({x, y, z}, M, {x, y, z})), 1);
  Tensor<double> C = filled(dense("C", {10, 5}, Distribution({x, y}, M, {0, x, 0})), 1);
  Tensor<double> D = filled(dense("D", {8, 5}, Distribution({x, y}, M, {0, 0, x})), 1);
  A(i, l) = B(i, j, k) * C(j, l) * D(k, l);
  const Schedule s = schedule().distribute({i, j, k}, {io, jo, ko}, {ii, ji, ki}, M).communicate({A, B, C, D}, ko);
  return run(ranks, "MTTKRP", A, s, M, "A(i,l) = B(i,j,k) * C(j,l) * D(k,l)", {B, C, D});
}

}  // namespace

int main() { return figures::run_all(tensor_times_vector, inner_product, tensor_times_matrix, mttkrp); }
