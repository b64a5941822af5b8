#pragma once

#include <string>

#include <nanobind/nanobind.h>

#include "lacuna/tensor/storage.h"

namespace lacuna::python {

namespace nb = nanobind;

/// A tensor's storage from whatever Python object holds it: a lacuna.Tensor, a number, an object with the buffer
/// protocol, or one that lacuna._adopt knows (SciPy's sparse arrays, PyTorch's tensors, …). Arrays are used where they
/// are. Throws Error, which says `name`, for an object that is no tensor. The caller holds the GIL.
Storage operand_of(nb::handle object, const std::string& name);

}  // namespace lacuna::python
