#include "lacuna/concrete/structure.h"

#include <optional>

#include "lacuna/concrete/sparsity.h"
#include "lacuna/support/check.h"

namespace lacuna::concrete {

Structure structure_of(const Program& program, const TensorVar& target) {
  const auto is_operand = [&](const Access& a) {
    const Role role = program.at(a.tensor).role;
    return role == Role::Operand || role == Role::Result;
  };
  bool all = true, none = true;
  each_assign(program.root, [&](const Assign& a) {
    if (!(a.target.tensor == target)) return;
    const auto sparse = [&](const Access& x) { return !program.at(x.tensor).format.is_dense(); };
    all = all && always_structural(a.rhs, [&](const Access& x) {
            return is_operand(x) ? sparse(x) : structure_of(program, x.tensor) == Structure::Always;
          });
    none = none && never_structural(a.rhs, [&](const Access& x) {
             return is_operand(x) ? sparse(x) : structure_of(program, x.tensor) != Structure::Never;
           });
  });
  if (all) return Structure::Always;
  return none ? Structure::Never : Structure::Mixed;
}

Access result_access(const Program& program, const TensorVar& result) {
  std::optional<Access> found;
  each_assign(program.root, [&](const Assign& a) {
    if (a.target.tensor == result) found = a.target;
  });
  internal_check(found.has_value(), "nothing is assigned to {}", result.name());
  return *found;
}

}  // namespace lacuna::concrete
