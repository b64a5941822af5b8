#pragma once

#include <map>
#include <string>
#include <utility>

#include <nanobind/nanobind.h>

#include "lacuna/tensor/storage.h"

namespace lacuna::python {

namespace nb = nanobind;

/// A tensor's storage from whatever Python object holds it: a lacuna.Tensor, a number, an object with the buffer
/// protocol, or one that lacuna._adopt knows (SciPy's sparse arrays, PyTorch's tensors, …). Arrays are used where they
/// are. Throws Error, which says `name`, for an object that is no tensor. The caller holds the GIL.
Storage operand_of(nb::handle object, const std::string& name);

/// The operands of a call, by name. Throws Error for what is no tensor.
std::map<std::string, Storage> operands_of(const nb::dict& tensors);

/// What `act` makes of them, with the GIL released meanwhile. Operands go with it held, for those that Python keeps
/// alive.
template <typename Act>
auto on_operands(const nb::dict& tensors, const Act& act) {
  std::map<std::string, Storage> operands = operands_of(tensors);
  const nb::gil_scoped_release released;
  return act(std::move(operands));
}

}  // namespace lacuna::python
