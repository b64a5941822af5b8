#include "lacuna/schedule/problem/workspaces.h"

#include <algorithm>

#include "lacuna/concrete/sparsity.h"
#include "lacuna/notation/operators.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna::workspaces {

namespace {

/// Whether there is room for an entry at each combination of coordinates.
bool is_small(const concrete::Program& p, const std::vector<IndexVar>& over) {
  constexpr double most = 1 << 27;
  double size = 1;
  for (const IndexVar& v : over) size *= static_cast<double>(p.extents.at(v));
  return size <= most;
}

/// Whether an operand stores only some of the coordinates of a variable.
bool is_sparse_at(const concrete::Program& p, const Access& a, const IndexVar& v) {
  const Format& f = p.at(a.tensor).format;
  for (int k = 0; k < f.order(); ++k)
    if (!f.level(k).full() && a.indices[static_cast<std::size_t>(f.map().mode_of(k))] == v) return true;
  return false;
}

}  // namespace

Format sparse_format(const concrete::Program& p, const std::vector<IndexVar>& over) {
  const int order = static_cast<int>(over.size());
  return is_small(p, over) ? bitmap_format(order) : hashed_format(order);
}

bool has_sparse_rows(const concrete::Program& p, const Expr& part, const std::vector<IndexVar>& over) {
  const std::vector<Access> read = accesses(part);
  const auto sparse = std::count_if(over.begin(), over.end(), [&](const IndexVar& v) {
    return std::any_of(read.begin(), read.end(), [&](const Access& a) { return is_sparse_at(p, a, v); });
  });
  return sparse == 1 && over.size() > 1 && is_small(p, over);
}

Format format_for(const concrete::Program& p, const Expr& part, const std::vector<IndexVar>& over) {
  using concrete::Formula;
  const auto of_access = [&](const Access& a) {
    const auto sparse_at = [&](const IndexVar& v) { return is_sparse_at(p, a, v); };
    return std::any_of(over.begin(), over.end(), sparse_at) ? Formula::atom(0) : Formula::always();
  };
  const bool everywhere = concrete::presence(part, of_access).is_always();
  return everywhere ? dense_format(static_cast<int>(over.size())) : sparse_format(p, over);
}

std::string fresh_tensor(const concrete::Program& p, const std::string& wanted) {
  std::string name = wanted;
  const auto taken = [&](const concrete::Tensor& t) { return t.var.name() == name; };
  for (int n = 2; std::any_of(p.tensors.begin(), p.tensors.end(), taken); ++n) name = wanted + "_" + std::to_string(n);
  return name;
}

TensorVar add(concrete::Program& p, const std::string& name, const std::vector<IndexVar>& over, const Format& format,
              Type type) {
  const TensorVar w(fresh_tensor(p, name), format.order());
  concrete::Tensor t{w, concrete::Role::Workspace, format, type, {}, false};
  for (const IndexVar& v : over)
    t.widths.push_back({Type::Int64, p.extents.at(v) - 1 <= INT32_MAX ? Type::Int32 : Type::Int64});
  p.tensors.push_back(std::move(t));
  return w;
}

concrete::Stmt collect(const concrete::Program& p, const concrete::Stmt& s, const Access& to,
                       std::optional<Access>& target) {
  return tree::rewrite(s, [&](const concrete::Stmt& x) {
    const auto* a = std::get_if<concrete::Assign>(&x->kind);
    if (a == nullptr || !(a->target.tensor == p.result().var)) return x;
    target = a->target;
    return concrete::assign(to, a->rhs, true);
  });
}

}  // namespace lacuna::workspaces
