#include "lacuna/lower/workspace/arrays.h"

namespace lacuna {
namespace {

/// Values and marks of all coordinates, and a list of those touched.
class BitmapWorkspace final : public MarkedArrays {
 public:
  using MarkedArrays::MarkedArrays;

  void declare(Statements& before, Statements& after) override { declare_arrays(true, before, after); }

  void sort(Statements& out) const override { out.push_back(loop::sort_marked(*list_, *count_, *mark_, size())); }
  void empty(Statements& out) const override {
    if (!is_emptied) {
      const loop::Var n = context_.fresh_index("n");
      const loop::Expr key = loop::convert(loop::load(*list_, n), Type::Int64);
      out.push_back(loop::for_loop(n, loop::Expr(0), *count_, forget(key)));
    }
    out.push_back(loop::assign(*count_, loop::Expr(0)));
  }
  void hand_over(const Workspace& to, Statements& out) const override {
    const loop::Var n = context_.fresh_index("n");
    const loop::Expr key = loop::convert(loop::load(*list_, n), Type::Int64);
    out.push_back(loop::for_loop(n, loop::Expr(0), *count_, added_to(to, key)));
  }
  /// Threads only mark entries of the shared workspace; what is marked is listed after them.
  void end_gathering(Statements& out) const override {
    out.push_back(loop::assign(*count_, loop::Expr(0)));
    out.push_back(each_marked([&](const loop::Expr& key) {
      Statements listed;
      append(key, listed);
      return loop::block(std::move(listed));
    }));
  }
  loop::Stmt forget(const loop::Expr& position) const override {
    return loop::store(*mark_, position, loop::constant(Type::UInt8, 0));
  }
};

}  // namespace

std::shared_ptr<Workspace> bitmap_workspace(Context& context, const concrete::Tensor& tensor) {
  return std::make_shared<BitmapWorkspace>(context, tensor);
}

}  // namespace lacuna
