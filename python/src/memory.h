#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <nanobind/nanobind.h>

#include "lacuna/tensor/array.h"

namespace lacuna::python {

namespace nb = nanobind;

/// An array as Python's buffer protocol shows it. Strides are in elements, not in bytes.
struct Buffer {
  Array elements;  // from the first on; borrowed, and kept alive by Python
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
};

/// The elements of an object with the buffer protocol, such as a NumPy array; none where it has none, or its elements
/// are of a type that Lacuna does not have (float16, strings, another byte order), or do not lie on multiples of their
/// size. Nothing is copied. The caller holds the GIL; the array may be given up without it.
std::optional<Buffer> buffer_of(nb::handle object);

/// The elements of a contiguous one-dimensional NumPy array. Throws Error, which calls it `what`, for anything else.
Array vector_of(nb::handle object, const char* what);

/// A read-only NumPy array over the elements, which it keeps alive. `strides` are in elements; empty: row-major.
nb::object view_of(const Array& array, const std::vector<std::int64_t>& shape,
                   const std::vector<std::int64_t>& strides = {});
nb::object view_of(const Array& array);

}  // namespace lacuna::python
