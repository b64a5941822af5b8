#include <algorithm>

#include "lacuna/concrete/whole.h"
#include "lacuna/lower/context/arithmetic.h"
#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {
namespace {

/// Values of all coordinates, which come row by row: a mark for each row says whether its values are there. Rows are
/// what the coordinates of the first levels lead to. Whoever adds sets the mark, and makes the row zero if it is the
/// first.
class Rows final : public Workspace {
 public:
  Rows(Context& context, const concrete::Tensor& tensor, int row_levels)
      : Workspace(context, tensor),
        row_levels_(row_levels),
        is_stored_(context.nest().stored_once.contains(tensor.var)) {}

  void declare(Statements& before, Statements& after) override {
    before.push_back(loop::declare_array(values_));
    before.push_back(loop::allocate(values_, size(), false));
    after.push_back(loop::release(values_));
    mark_ = context_.fresh("has_" + name(), loop::array_type(Type::UInt8));
    before.push_back(loop::declare_array(*mark_));
    before.push_back(loop::allocate(*mark_, count_of(0, row_levels_), true));
    after.push_back(loop::release(*mark_));
  }
  void clear(Statements& out) const override {
    out.push_back(loop::fill(*mark_, loop::Expr(0), count_of(0, row_levels_), byte(0)));
  }

  std::optional<std::vector<int>> marked_modes() const override { return first_modes(row_levels_); }
  loop::Stmt announced(const Access& target, const Scope& scope) const override {
    const std::vector<IndexVar> row = row_of(target);
    for (const IndexVar& v : row)
      if (scope.coordinate.count(v) == 0) return nullptr;
    const loop::Expr at = key(row, scope);
    const loop::Stmt marked = loop::store(*mark_, at, byte(1));
    if (is_stored_) return marked;
    const loop::Expr length = count_of(row_levels_, order()), begin = at * length;
    const loop::Stmt zeroed = loop::fill(values_, begin, begin + length, loop::Expr(Scalar::zero(tensor_.type)));
    return loop::if_then(loop::eq(loop::load(*mark_, at), byte(0)), loop::block({marked, zeroed}));
  }
  loop::Expr is_there(const Access& target, const Scope& scope) const override {
    return loop::ne(loop::load(*mark_, key(row_of(target), scope)), byte(0));
  }

  loop::Expr present_at(const Path& path, int level, const Scope& scope, Statements& out) const override {
    std::vector<IndexVar> row;
    int known_at = 0;
    for (int k = 0; k < row_levels_; ++k) {
      const auto at = std::find(path.modes.begin(), path.modes.end(), mode_of(k)) - path.modes.begin();
      row.push_back(path.variables[static_cast<std::size_t>(at)]);
      known_at = std::max(known_at, static_cast<int>(at));
    }
    if (level != known_at) return loop::Expr(true);
    const loop::Var has = context_.fresh("has_" + name(), loop::scalar_type(Type::Bool));
    out.push_back(loop::declare(has, loop::ne(loop::load(*mark_, key(row, scope)), byte(0))));
    return has;
  }
  std::pair<loop::Expr, loop::Expr> locate(const loop::Expr& key, Statements& out) const override {
    return {named(key, out), loop::Expr(true)};
  }

  // What threads gather row by row is added to rows that are zero.
  void begin_gathering(Statements& out) const override { zero(out); }
  void begin_own(Statements& out) const override { zero(out); }
  void hand_over(const Workspace& to, Statements& out) const override {
    const loop::Var k = context_.fresh_index("k"), row = context_.fresh_index("row");
    const loop::Expr length = count_of(row_levels_, order()), begin = loop::Expr(row) * length;
    const loop::Stmt add = loop::for_loop(k, begin, begin + length, loop::atomic(value_added_to(to, k)));
    const loop::Stmt rows = loop::if_then(loop::ne(loop::load(*mark_, row), byte(0)),
                                          loop::block({loop::atomic(mark_added_to(to, row)), add}));
    out.push_back(loop::for_loop(row, loop::Expr(0), count_of(0, row_levels_), rows));
  }

 private:
  std::vector<IndexVar> row_of(const Access& target) const {
    std::vector<IndexVar> row;
    for (int k = 0; k < row_levels_; ++k) row.push_back(target.indices[static_cast<std::size_t>(mode_of(k))]);
    return row;
  }

  bool adds() const override { return !is_stored_; }
  void place(const loop::Expr& key, const AtNewEntry&, const AtPosition& again, Statements& out) const override {
    out.push_back(again(named(key, out)));
  }

  int row_levels_;
  bool is_stored_;  // every entry of a row once, and none is added to
};

}  // namespace

std::shared_ptr<Workspace> rows_workspace(Context& context, const concrete::Tensor& tensor, int row_levels) {
  return std::make_shared<Rows>(context, tensor, row_levels);
}

}  // namespace lacuna
