#include "lacuna/iteration/paths.h"

#include <algorithm>

#include "lacuna/concrete/level_order.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/support/check.h"

namespace lacuna::iteration {

using concrete::Role;

Paths::Paths(const concrete::Program& program) {
  for (const concrete::Tensor& t : program.tensors)
    if (t.role == Role::PatternValues) stored_by_.emplace(t.var, program.stored_by(t.var));
  std::vector<IndexVar> loops;
  collect(program, program.root, loops);
}

void Paths::collect(const concrete::Program& program, const concrete::Stmt& s, std::vector<IndexVar>& loops) {
  concrete::match(
      s,
      [&](const concrete::Forall& f) {
        loops.push_back(f.var);
        collect(program, f.body, loops);
        loops.pop_back();
      },
      [&](const concrete::Where& w) {
        collect(program, w.consumer, loops);
        collect(program, w.producer, loops);
      },
      [&](const concrete::Assign& a) {
        for (const Access& access : accesses(a.rhs)) {
          if (program.at(access.tensor).role == Role::Scalar || of(access) >= 0) continue;
          Path path{program.stored_by(access.tensor), access.indices, modes_by_level(program, access, loops), {}};
          for (const int mode : path.modes) path.variables.push_back(access.indices[static_cast<std::size_t>(mode)]);
          all_.push_back(std::move(path));
        }
      },
      [&](const concrete::Sequence& q) {
        for (const concrete::Stmt& x : q.statements) collect(program, x, loops);
      });
}

int Paths::of(const Access& access) const {
  const auto other = stored_by_.find(access.tensor);
  const TensorVar& tensor = other == stored_by_.end() ? access.tensor : other->second;
  const auto it = std::find_if(all_.begin(), all_.end(),
                               [&](const Path& p) { return p.tensor == tensor && p.indices == access.indices; });
  return it == all_.end() ? -1 : static_cast<int>(it - all_.begin());
}

const Path& Paths::first_of(const TensorVar& tensor) const {
  const auto it = std::find_if(all_.begin(), all_.end(), [&](const Path& p) { return p.tensor == tensor; });
  internal_check(it != all_.end(), "{} is never read", tensor.name());
  return *it;
}

std::vector<int> Paths::reads(const concrete::Stmt& s) const {
  std::vector<int> count(all_.size(), 0);
  concrete::each_assign(s, [&](const concrete::Assign& a) {
    for (const Access& access : accesses(a.rhs))
      if (const int p = of(access); p >= 0) ++count[static_cast<std::size_t>(p)];
  });
  return count;
}

}  // namespace lacuna::iteration
