#pragma once

#include <string>
#include <utility>

#include <nanobind/nanobind.h>

#include "lacuna/api/tensor_core.h"

namespace lacuna::python {

namespace nb = nanobind;

/// What the Python class lacuna.Tensor holds in its attribute _core: a tensor of any element type.
class Tensor {
 public:
  explicit Tensor(TensorCore core) : core_(std::move(core)) {}
  explicit Tensor(Storage storage) : core_("", std::move(storage)) {}

  TensorCore& core() { return core_; }
  const Storage& storage() const { return core_.storage(); }

 private:
  TensorCore core_;
};

/// An element type by its name. Throws Error where there is none.
Type type_named(const std::string& name);

/// Whether an object is a lacuna.Tensor.
bool is_tensor(nb::handle object);

void define_tensor(nb::module_& m);

}  // namespace lacuna::python
