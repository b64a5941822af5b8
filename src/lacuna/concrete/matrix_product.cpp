#include "lacuna/concrete/matrix_product.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "lacuna/concrete/row_piece.h"
#include "lacuna/concrete/structure.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/concrete/whole.h"
#include "lacuna/notation/operators.h"
#include "lacuna/notation/parse.h"

namespace lacuna::concrete {
namespace {

constexpr double largest = std::numeric_limits<std::int32_t>::max();  // what BLAS counts with

class Finder {
 public:
  Finder(const Program& program, const std::vector<IndexVar>& bound, std::string& why)
      : program_(program), bound_(bound), why_(why) {}

  std::optional<MatrixProduct> run(const Forall& f) {
    const Assign* a = only_assignment(f);
    if (a == nullptr) return std::nullopt;
    const auto* product = std::get_if<Binary>(&a->rhs.node().kind);
    const Access* left = product == nullptr ? nullptr : std::get_if<Access>(&product->left.node().kind);
    const Access* right = product == nullptr ? nullptr : std::get_if<Access>(&product->right.node().kind);
    if (left == nullptr || right == nullptr || product->op != BinaryOp::Mul || !a->accumulate)
      return no("{} is no sum over products of two tensors; precompute or loopfuse can make one of it",
                to_string(assign(a->target, a->rhs)));
    std::vector<IndexVar> of_left, of_right, inner;
    for (const IndexVar& v : loops_) {
      const bool l = contains(left->indices, v), r = contains(right->indices, v), t = contains(a->target.indices, v);
      if (l && !r && t) of_left.push_back(v);
      if (!l && r && t) of_right.push_back(v);
      if (l && r && !t) inner.push_back(v);
    }
    if (of_left.size() != 1 || of_right.size() != 1 || inner.size() != 1)
      return no(
          "{} multiplies no matrices: one variable must be that of {} and {}, one that of {} and {}, and one be "
          "summed over",
          to_string(assign(a->target, a->rhs)), left->tensor.name(), a->target.tensor.name(), right->tensor.name(),
          a->target.tensor.name());
    MatrixProduct found{a, *left, *right, of_left[0], of_right[0], inner[0], is_revisited(program_, a->target, bound_)};
    for (const Access* x : {&a->target, left, right})
      if (!is_matrix(*x)) return std::nullopt;
    if (left->tensor == a->target.tensor || right->tensor == a->target.tensor)
      return no("{} is read while it is made", a->target.tensor.name());
    for (const Access* x : {left, right})
      if (!comes_in_rows(*x, found)) return std::nullopt;
    const TensorVar& target = a->target.tensor;
    const bool to_temporary = program_.at(target).role == Role::Workspace;
    if (to_temporary && (!is_filled_whole(program_, target) || structure_of(program_, target) == Structure::Mixed))
      return no("not all of {} need come to something", target.name());
    return found;
  }

 private:
  template <typename... Args>
  std::nullopt_t no(fmt::format_string<Args...> message, Args&&... args) {
    why_ = fmt::format(message, std::forward<Args>(args)...);
    return std::nullopt;
  }

  /// The assignment inside three plain loops, directly inside one another.
  const Assign* only_assignment(const Forall& outermost) {
    const Forall* f = &outermost;
    while (true) {
      Execution how = f->how;
      how.leaf = Leaf::None;
      if (f->how.leaf != Leaf::Gemm || !(how == Execution{}) || program_.provenance.is_derived(f->var)) {
        no("the loop over {} is not run by BLAS as a whole; other directives for it do not go with substitute",
           f->var.name());
        return nullptr;
      }
      loops_.push_back(f->var);
      if (const auto* a = std::get_if<Assign>(&f->body->kind); a != nullptr && loops_.size() == 3) return a;
      f = std::get_if<Forall>(&f->body->kind);
      if (f == nullptr || loops_.size() == 3) {
        no("there are not three loops directly inside one another over {} and others", loops_.front().name());
        return nullptr;
      }
    }
  }

  /// Whether an access is to a part of dense storage where the entries along one loop are neighbours.
  bool is_matrix(const Access& x) {
    const Tensor& t = program_.at(x.tensor);
    const std::string& name = x.tensor.name();
    if (t.type != program_.compute || (t.type != Type::Float64 && t.type != Type::Float32)) {
      no("{} is {}; BLAS multiplies float64 or float32, the same everywhere", name, type_name(t.type));
      return false;
    }
    if (!t.format.is_dense() || t.role == Role::Scalar) {
      no("{} is stored as {}; BLAS multiplies dense matrices", name, t.format.to_string());
      return false;
    }
    if (t.role == Role::Result && t.assembly != Assembly::Random) {
      no("{} is not stored densely by the loops", name);
      return false;
    }
    for (const IndexVar& v : loops_)
      if (std::count(x.indices.begin(), x.indices.end(), v) > 1) {
        no("{} is read along a diagonal", name);
        return false;
      }
    if (t.role != Role::Workspace) {
      const int last = t.format.map().mode_of(t.format.order() - 1);
      if (!contains(loops_, x.indices[static_cast<std::size_t>(last)])) {
        no("{} stores the entries along {} as neighbours, which none of the three loops runs over", name,
           x.indices[static_cast<std::size_t>(last)].name());
        return false;
      }
    }
    double all = 1, least = 1, most = 1;
    for (const IndexVar& v : x.indices) {
      const auto extent = static_cast<double>(program_.extents.at(v));
      all *= extent;
      most = std::max(most, extent);
      least = &v == x.indices.data() ? extent : std::min(least, extent);
    }
    if (most > largest || all / std::max(1.0, least) > largest) {
      no("{} has more coordinates than BLAS can count", name);
      return false;
    }
    return true;
  }

  /// Whether a temporary has what it has for all values of the variable that is summed over; where rows may be missing,
  /// nothing else may have been added to those of the target.
  bool comes_in_rows(const Access& x, const MatrixProduct& p) {
    if (program_.at(x.tensor).role != Role::Workspace) return true;
    const std::vector<bool> whole = whole_modes(program_, x.tensor);
    if (!are_rows_marked(x, whole)) {
      no("entries of {} each say whether they are there", x.tensor.name());
      return false;
    }
    for (std::size_t m = 0; m < whole.size(); ++m) {
      if (whole[m]) continue;
      if (x.indices[m] == p.inner) {
        no("what {} has may depend on {}, which is summed over", x.tensor.name(), p.inner.name());
        return false;
      }
      if (p.adds) {
        no("rows of {} may be missing, and loops outside add to those of {} again", x.tensor.name(),
           p.assign->target.tensor.name());
        return false;
      }
    }
    return true;
  }

  /// Whether a temporary has marks for rows, not for entries: it comes whole along the modes whose variables the loops
  /// come to know last.
  bool are_rows_marked(const Access& x, const std::vector<bool>& whole) const {
    if (structure_of(program_, x.tensor) == Structure::Mixed) return false;
    if (std::find(whole.begin(), whole.end(), false) == whole.end()) return true;
    int reads = 0;  // each may have an order of its own
    each_assign(program_.root, [&](const Assign& a) {
      for (const Access& y : accesses(a.rhs)) reads += y.tensor == x.tensor ? 1 : 0;
    });
    if (reads != 1) return false;
    bool rest = false, rows_first = true;  // rows outside of the nest come before all of its loops
    for (const IndexVar& v : loops_)
      for (std::size_t m = 0; m < whole.size(); ++m) {
        if (!(x.indices[m] == v)) continue;
        rows_first = rows_first && (whole[m] || !rest);
        rest = rest || whole[m];
      }
    for (std::size_t m = 0; m < whole.size(); ++m)
      if (whole[m] && !contains(loops_, x.indices[m])) return false;  // known before some of the rows
    return rest && rows_first;
  }

  const Program& program_;
  const std::vector<IndexVar>& bound_;
  std::string& why_;
  std::vector<IndexVar> loops_;
};

}  // namespace

std::optional<MatrixProduct> matrix_product(const Program& program, const Forall& f, const std::vector<IndexVar>& bound,
                                            std::string& why) {
  return Finder(program, bound, why).run(f);
}

}  // namespace lacuna::concrete
