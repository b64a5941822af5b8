#include "lacuna/lower/workspace/arrays.h"

namespace lacuna {
namespace {

/// Values and marks of all coordinates. Every loop over it comes to all of them.
class DenseWorkspace final : public MarkedArrays {
 public:
  using MarkedArrays::MarkedArrays;

  void declare(Statements& before, Statements& after) override { declare_arrays(false, before, after); }
  void clear(Statements& out) const override {
    out.push_back(loop::fill(*mark_, loop::Expr(0), size(), loop::constant(Type::UInt8, 0)));
  }
  void hand_over(const Workspace& to, Statements& out) const override {
    out.push_back(each_marked([&](const loop::Expr& key) { return added_to(to, key); }));
  }
};

}  // namespace

std::shared_ptr<Workspace> dense_workspace(Context& context, const concrete::Tensor& tensor) {
  return std::make_shared<DenseWorkspace>(context, tensor);
}

}  // namespace lacuna
