#pragma once

#include <nanobind/nanobind.h>

namespace lacuna::python {

/// Results that follow the changes of a tensor.
void define_following(nanobind::module_& m);

}  // namespace lacuna::python
