#include "lacuna/concrete/blas_operands.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/concrete/leaf.h"
#include "lacuna/concrete/level_order.h"
#include "lacuna/concrete/structure.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/concrete/whole.h"
#include "lacuna/notation/operators.h"

namespace lacuna::concrete {
namespace {

constexpr double largest = std::numeric_limits<std::int32_t>::max();  // what BLAS counts with

class OperandCheck {
 public:
  OperandCheck(const Program& program, BlasCall& call, const std::vector<IndexVar>& loops, std::string& why)
      : program_(program), call_(call), loops_(loops), why_(why) {}

  bool run() {
    const bool stores = call_.leaf != Leaf::Dot;  // a sum is stored as any other value
    std::vector<Access> all = call_.operands();
    if (stores) all.push_back(call_.assign->target);
    for (const Access& x : all)
      if (!is_dense_inside(x)) return false;
    if (stores && !is_stored_in_place(call_.assign->target)) return false;
    for (std::vector<IndexVar>* role : {&call_.rows, &call_.columns, &call_.inner})
      if (!is_stored_as_one(*role, all)) return false;
    for (const Access& x : matrices())
      if (!has_neighbours(x)) return false;
    for (const Access& x : all)
      if (!is_countable(x)) return false;
    for (const Access& x : call_.operands())
      if (!comes_in_rows(x)) return false;
    return true;
  }

 private:
  template <typename... Args>
  bool no(fmt::format_string<Args...> message, Args&&... args) {
    why_ = fmt::format(message, std::forward<Args>(args)...);
    return false;
  }
  std::string_view name() const { return shape_of(call_.leaf).name; }
  bool is_loop(const IndexVar& v) const { return contains(loops_, v); }

  /// What must have neighbours along one of the loops; vectors need not.
  std::vector<Access> matrices() const {
    switch (call_.leaf) {
      case Leaf::Gemm: return {call_.assign->target, call_.left, *call_.right};
      case Leaf::Gemv: return {call_.left};
      case Leaf::Ger: return {call_.assign->target};
      case Leaf::Dot:
      case Leaf::Axpy:
      case Leaf::None: break;
    }
    return {};
  }

  /// Whether all levels from the first on that one of the loops runs over are dense.
  bool is_dense_inside(const Access& x) {
    const Tensor& t = program_.at(x.tensor);
    const std::string& tensor = x.tensor.name();
    if (t.type != program_.compute || (t.type != Type::Float64 && t.type != Type::Float32))
      return no("{} is {}; BLAS multiplies float64 or float32, the same everywhere", tensor, type_name(t.type));
    for (const IndexVar& v : loops_)
      if (std::count(x.indices.begin(), x.indices.end(), v) > 1) return no("{} is read along a diagonal", tensor);
    if (t.role == Role::PatternValues)
      return no("{} has values for the entries of {} alone; precompute it in dense", tensor, t.pattern->name());
    const int first = first_level_inside(program_, x, call_);
    int past = t.format.order();  // the last level that is not dense
    while (past > first && t.format.level(past - 1).full()) --past;
    if (past > first) return not_dense(x, first, past);
    if (first > 0 && !t.format.level(first - 1).unique)
      return no("{} is stored as {}, which may have an entry several times", tensor, t.format.to_string());
    return true;
  }

  bool not_dense(const Access& x, int first, int past) {
    const std::vector<IndexVar> levels = level_variables(program_, x);
    std::vector<std::string> outside;
    for (int k = first; k < past; ++k)
      if (is_loop(levels[static_cast<std::size_t>(k)])) outside.push_back(levels[static_cast<std::size_t>(k)].name());
    return no(
        "{} is stored as {}; BLAS runs over dense levels, with no other below them: leave the loop{} over {} outside",
        x.tensor.name(), program_.at(x.tensor).format.to_string(), outside.size() == 1 ? "" : "s",
        fmt::join(outside, " and "));
  }

  bool is_stored_in_place(const Access& x) {
    const Tensor& t = program_.at(x.tensor);
    if (t.role == Role::Workspace) {
      if (!is_filled_whole(program_, x.tensor) || structure_of(program_, x.tensor) == Structure::Mixed)
        return no("not every entry of {} is needed", x.tensor.name());
      return true;
    }
    const bool to_block =
        (t.assembly == Assembly::Append && !t.format.has_nodes()) ||
        (t.assembly == Assembly::SharedPattern && first_level_inside(program_, x, call_) >= t.pattern_levels);
    if (t.role == Role::Result && !to_block && (t.assembly != Assembly::Random || !t.format.is_dense()))
      return no("{} is not stored densely by the loops", x.tensor.name());
    return true;
  }

  /// Whether the variables of one role are neighbouring levels wherever they are, in the same order, and all but the
  /// first run through whole levels.
  bool is_stored_as_one(std::vector<IndexVar>& role, const std::vector<Access>& all) {
    if (role.size() < 2) return true;
    const Access* before = nullptr;
    for (const Access& x : all) {
      if (!contains(x.indices, role[0])) continue;
      const std::vector<IndexVar> levels = level_variables(program_, x);
      std::vector<IndexVar> order;
      for (const IndexVar& v : levels)
        if (contains(role, v)) order.push_back(v);
      if (before == nullptr) role = order;
      if (!(order == role))
        return no(
            "{} stores {} before {}, and {} {} before {}: {} cannot run through them as one; leave the loop over {} "
            "outside",
            x.tensor.name(), order[0].name(), order[1].name(), before->tensor.name(), role[0].name(), role[1].name(),
            name(), role[0].name());
      before = &x;
      const auto first = std::find(levels.begin(), levels.end(), role[0]);
      for (std::size_t n = 1; n < role.size(); ++n) {
        const IndexVar& between = *(first + static_cast<std::ptrdiff_t>(n));
        if (!(between == role[n]))
          return no("{} stores {} between {} and {}: {} cannot run through them as one; leave the loop over {} outside",
                    x.tensor.name(), between.name(), role[n - 1].name(), role[n].name(), name(), role[0].name());
        if (!is_whole(x, role[n]))
          return no(
              "{} has more of {} than the loop over it runs through: {} cannot run through {} and {} as one; leave the "
              "loop over {} outside",
              x.tensor.name(), role[n].name(), name(), role[n - 1].name(), role[n].name(), role[0].name());
      }
    }
    return true;
  }

  /// Whether a loop runs through all that a tensor has room for.
  bool is_whole(const Access& x, const IndexVar& v) const {
    if (program_.at(x.tensor).piece) return false;
    IndexVar all = v;
    while (const Derivation* d = program_.provenance.replaced_by(all)) {
      const auto* bounded = std::get_if<Bound>(d);
      if (bounded == nullptr) return false;
      all = bounded->bounded;
    }
    return true;
  }

  bool has_neighbours(const Access& x) {
    const IndexVar last = level_variables(program_, x).back();
    if (is_loop(last)) return true;
    return no(
        "{} stores the entries along {} as neighbours, which none of the loops runs over; name that loop, too, or "
        "transpose {}",
        x.tensor.name(), last.name(), x.tensor.name());
  }

  bool is_countable(const Access& x) {
    double all = 1, least = 1;
    for (const IndexVar& v : x.indices) {
      const auto extent = static_cast<double>(program_.extents.at(v));
      all *= extent;
      least = &v == x.indices.data() ? extent : std::min(least, extent);
    }
    double most = 1;
    for (const std::vector<IndexVar>* role : {&call_.rows, &call_.columns, &call_.inner}) {
      double count = 1;
      for (const IndexVar& v : *role) count *= static_cast<double>(program_.extents.at(v));
      most = std::max(most, count);
    }
    if (most <= largest && all / std::max(1.0, least) <= largest) return true;
    return no("{} has more coordinates than BLAS can count", x.tensor.name());
  }

  /// Whether a temporary has what it has for all values of the variables that are summed over; where rows may be
  /// missing, nothing else may have been added to those of the target.
  bool comes_in_rows(const Access& x) {
    if (program_.at(x.tensor).role != Role::Workspace) return true;
    const std::string& tensor = x.tensor.name();
    const std::vector<bool> whole = whole_modes(program_, x.tensor);
    if (!are_rows_marked(x, whole)) return no("entries of {} each say whether they are there", tensor);
    for (std::size_t m = 0; m < whole.size(); ++m) {
      const IndexVar& v = x.indices[m];
      if (whole[m]) continue;
      if (contains(call_.inner, v)) return no("what {} has may depend on {}, which is summed over", tensor, v.name());
      if (!is_loop(v)) continue;  // known outside, as is whether it is there
      if (call_.adds)
        return no(
            "rows of {} may be missing, and {} to those of {} again", tensor,
            call_.leaf == Leaf::Ger || call_.leaf == Leaf::Axpy ? fmt::format("{} adds", name()) : "loops outside add",
            call_.assign->target.tensor.name());
      for (const std::vector<IndexVar>* role : {&call_.rows, &call_.columns})
        if (contains(*role, v) && role->size() > 1)
          return no(
              "rows of {} may be missing, so that {} cannot run through {} and {} as one; leave the loop over {} "
              "outside",
              tensor, name(), (*role)[0].name(), (*role)[1].name(), (*role)[0].name());
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
      if (whole[m] && !is_loop(x.indices[m])) return false;  // known before some of the rows
    return rest && rows_first;
  }

  const Program& program_;
  BlasCall& call_;
  const std::vector<IndexVar>& loops_;
  std::string& why_;
};

}  // namespace

int first_level_inside(const Program& program, const Access& access, const BlasCall& call) {
  const std::vector<IndexVar> levels = level_variables(program, access);
  const auto first = std::find_if(levels.begin(), levels.end(), [&](const IndexVar& v) { return call.has_loop(v); });
  return static_cast<int>(first - levels.begin());
}

bool check_operands(const Program& program, BlasCall& call, const std::vector<IndexVar>& loops, std::string& why) {
  return OperandCheck(program, call, loops, why).run();
}

}  // namespace lacuna::concrete
