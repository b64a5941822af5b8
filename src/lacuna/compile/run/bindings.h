#pragma once

#include <functional>
#include <span>
#include <vector>

#include "lacuna/compile/run/result.h"
#include "lacuna/support/few_or_many.h"

namespace lacuna {

/// What the parameters of a plan's kernel are bound to, in their order: arrays of results and operands where they are.
std::vector<loop::Binding> bindings_of(const Plan& plan, std::span<const Storage> results,
                                       const std::vector<Storage>& operands, int threads);

/// The array of an operand that a parameter is bound to; null for scalars, nodes, and what is a result's.
const Array* operand_array(const Plan& plan, std::size_t parameter, std::size_t results,
                           const std::vector<Storage>& operands);

/// Puts what the interpreter's run of a kernel hands back where a compiled kernel would put it. `memory`: gives the
/// array of the parameter with this number; null where the kernel allocated none.
void hand_over(const Plan& plan, loop::Interpretation& ran,
               const std::function<OwnedMemory(std::size_t parameter, loop::Output& out)>& memory,
               FewOrMany<KernelOutputs, 1>& outputs);

}  // namespace lacuna
