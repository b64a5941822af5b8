#include "operand.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include <nanobind/stl/string.h>

#include "adopted.h"
#include "lacuna/compile/engine/numbers.h"
#include "lacuna/tensor/build.h"
#include "memory.h"
#include "names.h"
#include "numbers.h"
#include "tensor.h"

namespace lacuna::python {
namespace {

/// The modes from the one with the longest steps to that with the shortest, if these are the steps of an array without
/// gaps; modes of one coordinate may be anywhere.
std::optional<std::vector<int>> modes_by_stride(const Buffer& b) {
  std::vector<int> modes(b.shape.size());
  std::iota(modes.begin(), modes.end(), 0);
  const auto at = [](const std::vector<std::int64_t>& v, int m) { return v[static_cast<std::size_t>(m)]; };
  std::stable_sort(modes.begin(), modes.end(), [&](int m, int n) { return at(b.strides, m) > at(b.strides, n); });
  const auto is_packed = [&](const std::vector<int>& order) {
    std::int64_t step = 1;
    for (auto m = order.rbegin(); m != order.rend(); ++m) {
      if (at(b.shape, *m) != 1 && at(b.strides, *m) != step) return false;
      step *= at(b.shape, *m);
    }
    return true;
  };
  std::vector<int> row_major(b.shape.size());
  std::iota(row_major.begin(), row_major.end(), 0);
  if (b.elements.empty() || is_packed(row_major)) return row_major;
  if (is_packed(modes)) return modes;
  return std::nullopt;
}

/// Of NumPy's arrays alone: other objects with the buffer protocol, such as bytes, may mean something else by it.
std::optional<Storage> dense_storage(nb::handle object) {
  if (PyType_IsSubtype(Py_TYPE(object.ptr()), names().array) == 0) return std::nullopt;
  const std::optional<Buffer> buffer = buffer_of(object);
  if (!buffer) return std::nullopt;
  const std::optional<std::vector<int>> modes = modes_by_stride(*buffer);
  if (!modes) return std::nullopt;
  return adopt_dense(buffer->shape, buffer->elements, LevelMap(*modes));
}

/// By Python code, for all that is not used often enough to be looked at here.
Storage adopt(nb::handle object, const std::string& name) {
  const auto found = nb::cast<nb::tuple>(nb::handle(names().adopt)(object, name));
  const Storage& storage = nb::cast<Tensor&>(found[0]).storage();
  const auto watched = nb::cast<nb::tuple>(found[1]);
  if (watched.size() > 0) adopted_objects().keep(object, watched, storage);
  return storage;
}

}  // namespace

Storage operand_of(nb::handle object, const std::string& name) {
  if (is_tensor(object)) return nb::cast<Tensor&>(nb::steal(PyObject_GetAttr(object.ptr(), names().core))).storage();
  if (const auto value = python_number(object, name)) return scalar_tensor(*value);
  if (auto storage = adopted_objects().find(object)) return *std::move(storage);
  if (auto storage = dense_storage(object)) return *std::move(storage);
  return adopt(object, name);
}

std::map<std::string, Storage> operands_of(const nb::dict& tensors) {
  std::map<std::string, Storage> operands;
  for (const auto& [name, tensor] : tensors) {
    const auto text = nb::cast<std::string>(name);
    operands.emplace(text, operand_of(tensor, text));
  }
  return operands;
}

}  // namespace lacuna::python
