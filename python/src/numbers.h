#pragma once

#include <optional>
#include <string>

#include <nanobind/nanobind.h>

#include "lacuna/support/scalar.h"

namespace lacuna::python {

namespace nb = nanobind;

/// A Python number (bool, int, float, complex); none for anything else. Throws Error, which says `name`, for an int
/// that no 64-bit integer holds.
std::optional<Scalar> python_number(nb::handle object, const std::string& name);

/// The same, and NumPy's scalars and arrays of one element. Throws Error for what is no number.
Scalar scalar_of(nb::handle object, const std::string& name);

/// A Python bool, int, float or complex.
nb::object number_of(const Scalar& value);

}  // namespace lacuna::python
