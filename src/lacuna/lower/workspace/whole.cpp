#include "lacuna/concrete/whole.h"
#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {
namespace {

/// Values of all coordinates, which come together: one flag says whether they are there. Whoever adds sets it.
class Whole final : public Workspace {
 public:
  Whole(Context& context, const concrete::Tensor& tensor)
      : Workspace(context, tensor), is_stored_(context.nest().stored_once.contains(tensor.var)) {}

  void declare(Statements& before, Statements& after) override {
    before.push_back(loop::declare_array(values_));
    before.push_back(loop::allocate(values_, size(), false));
    after.push_back(loop::release(values_));
    if (concrete::is_always_filled(context_.program(), tensor_.var)) return;
    flag_ = context_.fresh("has_" + name(), loop::scalar_type(Type::Bool));
    before.push_back(loop::declare(*flag_, loop::Expr(false)));
  }
  void clear(Statements& out) const override {
    if (!is_stored_) zero(out);
    if (flag_) out.push_back(loop::assign(*flag_, loop::Expr(false)));
  }
  void begin_own(Statements& out) const override { zero(out); }
  void begin_gathering(Statements& out) const override {
    if (is_stored_) zero(out);
  }

  std::optional<std::vector<int>> marked_modes() const override { return std::vector<int>(); }
  loop::Expr is_there(const Access&, const Scope&) const override {
    return flag_ ? loop::Expr(*flag_) : loop::Expr(true);
  }
  loop::Stmt announced(const Access&, const Scope&) const override {
    return flag_ ? loop::assign(*flag_, loop::Expr(true)) : nullptr;
  }
  std::pair<loop::Expr, loop::Expr> locate(const loop::Expr& key, Statements& out) const override {
    return {named(key, out), flag_ ? loop::Expr(*flag_) : loop::Expr(true)};
  }
  std::optional<loop::OwnSum> as_sum(const Workspace& to) const override {
    if (flag_ || !adds()) return std::nullopt;
    return loop::OwnSum{to.values(), values_, size(), context_.fresh_index("k")};
  }
  void hand_over(const Workspace& to, Statements& out) const override {
    const loop::Var k = context_.fresh_index("k");
    const loop::Stmt add = loop::for_loop(k, loop::Expr(0), size(), loop::atomic(value_added_to(to, k)));
    if (flag_) out.push_back(loop::if_then(*flag_, loop::block({add, loop::assign(*to.flag(), loop::Expr(true))})));
    else out.push_back(add);
  }

 private:
  bool adds() const override { return !is_stored_; }
  void place(const loop::Expr& key, const AtNewEntry&, const AtPosition& again, Statements& out) const override {
    out.push_back(again(named(key, out)));
  }

  bool is_stored_;  // every entry once, and none is added to
};

}  // namespace

std::shared_ptr<Workspace> whole_workspace(Context& context, const concrete::Tensor& tensor) {
  return std::make_shared<Whole>(context, tensor);
}

}  // namespace lacuna
