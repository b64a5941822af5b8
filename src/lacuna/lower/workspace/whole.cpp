#include "lacuna/concrete/whole.h"
#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {
namespace {

/// Values of all coordinates, which come together: one flag says whether they are there. Whoever adds sets it.
class Whole final : public Workspace {
 public:
  using Workspace::Workspace;

  void declare(Statements& before, Statements& after) override {
    before.push_back(loop::declare_array(values_));
    before.push_back(
        loop::allocate(values_, size(), !is_stored()));  // a thread's own is not cleared before it is filled
    after.push_back(loop::release(values_));
    if (concrete::is_always_filled(context_.program(), tensor_.var)) return;
    flag_ = context_.fresh("has_" + name(), loop::scalar_type(Type::Bool));
    before.push_back(loop::declare(*flag_, loop::Expr(false)));
  }
  void clear(Statements& out) const override {
    if (!is_stored()) zero(out);
    if (flag_) out.push_back(loop::assign(*flag_, loop::Expr(false)));
  }
  void begin_own(Statements& out) const override {
    if (is_stored()) zero(out);
  }
  void begin_gathering(Statements& out) const override {
    if (is_stored()) zero(out);
  }

  std::pair<loop::Expr, loop::Expr> locate(const loop::Expr& key, Statements& out) const override {
    return {named(key, out), flag_ ? loop::Expr(*flag_) : loop::Expr(true)};
  }
  void hand_over(const Workspace& to, Statements& out) const override {
    const loop::Var k = context_.fresh_index("k");
    const loop::Stmt add = loop::for_loop(k, loop::Expr(0), size(), loop::atomic(value_added_to(to, k)));
    if (flag_) out.push_back(loop::if_then(*flag_, loop::block({add, loop::assign(*to.flag(), loop::Expr(true))})));
    else out.push_back(add);
  }

 private:
  /// Whether every entry is stored, and none is added to.
  bool is_stored() const { return concrete::is_stored_in_pieces(context_.program(), tensor_.var); }

  void place(const loop::Expr& key, const AtNewEntry&, const AtPosition& again, Statements& out) const override {
    out.push_back(again(named(key, out)));
  }
};

}  // namespace

std::shared_ptr<Workspace> whole_workspace(Context& context, const concrete::Tensor& tensor) {
  return std::make_shared<Whole>(context, tensor);
}

}  // namespace lacuna
