// The six sparse kernels of SpDISTAL's section VI, by blocks of rows and by equal numbers of non-zeros, and its batched
// SpMM. (Its Figure 1 is in examples/machines.cpp.)
//
//     ./sparse_kernels               this process plays all processors
//     mpirun -n 4 ./sparse_kernels   each rank plays some of them

#include "distributed/checked.h"

using namespace lacuna;
using figures::filled;
using figures::run;

namespace {

constexpr std::int64_t rows = 40, columns = 30, depth = 20, width = 8;
const IndexVar i("i"), j("j"), k("k"), l("l"), io("io"), ii("ii"), jo("jo"), ji("ji"), f("f"), fp("fp"), fpo("fpo"),
    fpi("fpi");
const DistVar x('x'), y('y'), z('z');

/// Four processors in a line, and what may lie on them.
struct Line {
  Machine M{Grid(4)};
  Distribution row_blocks{{x, y}, M, {x}};
  Distribution nonzero_blocks{{x, y}, M, {nonzeros({x, y})}};
  Distribution slices{{x, y, z}, M, {x}};
  Distribution nonzero_tubes{{x, y, z}, M, {nonzeros({x, y})}};
  Distribution everywhere{{x, y}, M, {broadcast()}};

  static Tensor<double> csr(const char* name, const Distribution& where, std::int64_t step) {
    return filled(Tensor<double>(name, {rows, columns}, PlacedFormat(csr_format(), where)), step);
  }
  static Tensor<double> csf(const Distribution& where) {
    return filled(Tensor<double>("B", {rows, columns, depth}, PlacedFormat(csf_format(3), where)), 37);
  }
  Tensor<double> vector(const char* name, std::int64_t size, bool copied) const {
    const DistTarget target = copied ? broadcast() : DistTarget(x);
    return {name, {size}, PlacedFormat(dense_format(1), Distribution({x}, M, {target}))};
  }
  static Tensor<double> matrix(const char* name, std::int64_t m, std::int64_t n, const Distribution& where) {
    return {name, {m, n}, PlacedFormat(dense_format(2), where)};
  }
};

/// Blocks of rows, each with what it needs.
Schedule by_rows(const Machine& M, std::initializer_list<NamedTensor> tensors) {
  return schedule().divide(i, io, ii, M.x).distribute({io}).communicate(tensors, io).parallelize(ii, CPUThread);
}

/// Equal numbers of what B stores under its first two variables; rows may end in the middle, and are added up.
Schedule by_nonzeros(const Machine& M, const std::vector<IndexVar>& order, const Tensor<double>& B) {
  return schedule().reorder(order).fuse(i, j, f).pos(f, fp, B).divide(fp, fpo, fpi, M.x).distribute({fpo});
}

bool spmv(Communicator& ranks, bool nonzeros) {
  Line on;
  Tensor<double> a = on.vector("a", rows, false);
  Tensor<double> B = Line::csr("B", nonzeros ? on.nonzero_blocks : on.row_blocks, 7);
  Tensor<double> c = filled(on.vector("c", columns, true), 1);
  a(i) = B(i, j) * c(j);
  const Schedule s = nonzeros ? by_nonzeros(on.M, {i, j}, B) : by_rows(on.M, {a, B, c});
  return run(ranks, nonzeros ? "SpMV by non-zeros" : "SpMV by rows", a, s, on.M, "a(i) = B(i,j) * c(j)", {B, c});
}

bool spmm(Communicator& ranks, bool nonzeros) {
  Line on;
  Tensor<double> A = Line::matrix("A", rows, width, on.row_blocks);
  Tensor<double> B = Line::csr("B", nonzeros ? on.nonzero_blocks : on.row_blocks, 7);
  Tensor<double> C = filled(Line::matrix("C", columns, width, on.everywhere), 1);
  A(i, l) = B(i, j) * C(j, l);
  const Schedule s = nonzeros ? by_nonzeros(on.M, {i, j, l}, B) : by_rows(on.M, {A, B, C});
  return run(ranks, nonzeros ? "SpMM by non-zeros" : "SpMM by rows", A, s, on.M, "A(i,l) = B(i,j) * C(j,l)", {B, C});
}

/// SpDISTAL-Batched: columns of the dense matrices are dealt out, too, so that no processor has all of C.
bool spmm_batched(Communicator& ranks) {
  Machine M(Grid(2, 2));
  Tensor<double> A("A", {rows, width}, PlacedFormat(dense_format(2), Distribution({x, y}, M, {x, y})));
  Tensor<double> B = Line::csr("B", Distribution({x, y}, M, {x, broadcast()}), 7);
  Tensor<double> C("C", {columns, width}, PlacedFormat(dense_format(2), Distribution({x, y}, M, {x, y})));
  C = filled(C, 1);
  A(i, l) = B(i, j) * C(j, l);
  const IndexVar lo("lo"), li("li");
  const Schedule s = schedule()
                         .distribute({i, l}, {io, lo}, {ii, li}, M)
                         .divide(j, jo, ji, M.x)
                         .reorder(io, lo, jo, ii, ji, li)
                         .communicate({A, B}, lo)
                         .communicate(C, jo);
  return run(ranks, "SpMM batched", A, s, M, "A(i,l) = B(i,j) * C(j,l)", {B, C});
}

/// A sum has no one operand whose non-zeros could be dealt out: by rows, whose numbers of non-zeros may be equal.
bool spadd3(Communicator& ranks, bool nonzeros) {
  Line on;
  const Distribution& where = nonzeros ? on.nonzero_blocks : on.row_blocks;
  Tensor<double> A("A", {rows, columns}, PlacedFormat(csr_format(), on.row_blocks));
  Tensor<double> B = Line::csr("B", where, 3), C = Line::csr("C", where, 4), D = Line::csr("D", where, 5);
  A(i, j) = B(i, j) + C(i, j) + D(i, j);
  const Schedule s = by_rows(on.M, {A, B, C, D});
  return run(ranks, nonzeros ? "SpAdd3 by rows of operands that lie by non-zeros" : "SpAdd3 by rows", A, s, on.M,
             "A(i,j) = B(i,j) + C(i,j) + D(i,j)", {B, C, D});
}

bool sddmm(Communicator& ranks, bool nonzeros) {
  Line on;
  Tensor<double> A("A", {rows, columns}, PlacedFormat(csr_format(), on.row_blocks));
  Tensor<double> B = Line::csr("B", nonzeros ? on.nonzero_blocks : on.row_blocks, 7);
  Tensor<double> C = filled(Line::matrix("C", rows, width, nonzeros ? on.everywhere : on.row_blocks), 1);
  Tensor<double> D = filled(Line::matrix("D", width, columns, on.everywhere), 1);
  A(i, j) = B(i, j) * C(i, k) * D(k, j);
  const Schedule s = nonzeros ? by_nonzeros(on.M, {i, j, k}, B) : by_rows(on.M, {A, B, C, D});
  return run(ranks, nonzeros ? "SDDMM by non-zeros" : "SDDMM by rows", A, s, on.M, "A(i,j) = B(i,j) * C(i,k) * D(k,j)",
             {B, C, D});
}

bool spttv(Communicator& ranks, bool nonzeros) {
  Line on;
  Tensor<double> A("A", {rows, columns}, PlacedFormat(csr_format(), on.row_blocks));
  Tensor<double> B = Line::csf(nonzeros ? on.nonzero_tubes : on.slices);
  Tensor<double> c = filled(on.vector("c", depth, true), 1);
  A(i, j) = B(i, j, k) * c(k);
  const Schedule s = nonzeros ? by_nonzeros(on.M, {i, j, k}, B) : by_rows(on.M, {A, B, c});
  return run(ranks, nonzeros ? "SpTTV by non-zeros" : "SpTTV by rows", A, s, on.M, "A(i,j) = B(i,j,k) * c(k)", {B, c});
}

bool spmttkrp(Communicator& ranks, bool nonzeros) {
  Line on;
  Tensor<double> A = Line::matrix("A", rows, width, on.row_blocks);
  Tensor<double> B = Line::csf(nonzeros ? on.nonzero_tubes : on.slices);
  Tensor<double> C = filled(Line::matrix("C", columns, width, on.everywhere), 1);
  Tensor<double> D = filled(Line::matrix("D", depth, width, on.everywhere), 1);
  A(i, l) = B(i, j, k) * C(j, l) * D(k, l);
  const Schedule s = nonzeros ? by_nonzeros(on.M, {i, j, k, l}, B) : by_rows(on.M, {A, B, C, D});
  return run(ranks, nonzeros ? "SpMTTKRP by non-zeros" : "SpMTTKRP by rows", A, s, on.M,
             "A(i,l) = B(i,j,k) * C(j,l) * D(k,l)", {B, C, D});
}

bool both(Communicator& ranks, bool (*kernel)(Communicator&, bool)) {
  const bool rows_right = kernel(ranks, false), nonzeros_right = kernel(ranks, true);
  return rows_right && nonzeros_right;
}

bool all_kernels(Communicator& ranks) {
  bool right = true;
  for (const auto kernel : {spmv, spmm, spadd3, sddmm, spttv, spmttkrp}) right = both(ranks, kernel) && right;
  return right;
}

}  // namespace

int main() { return figures::run_all(all_kernels, spmm_batched); }
