#include "tensor.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "lacuna/draw/picture.h"
#include "lacuna/draw/spy.h"
#include "lacuna/io/io.h"
#include "lacuna/support/check.h"
#include "lacuna/support/narrowing.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/value_at.h"
#include "memory.h"
#include "names.h"
#include "numbers.h"
#include "operand.h"

namespace lacuna::python {
namespace {

using Dimensions = std::vector<std::int64_t>;

template <typename Make>
auto without_gil(const Make& make) {
  const nb::gil_scoped_release released;
  return make();
}

Tensor from_rows(bool by_rows, std::int64_t rows, std::int64_t columns, nb::handle pos, nb::handle crd,
                 nb::handle values) {
  const Array p = vector_of(pos, "indptr"), c = vector_of(crd, "indices"), v = vector_of(values, "data");
  return without_gil([&] {
    return Tensor(by_rows ? adopt_csr(rows, columns, p, c, v, CoordinateOrder::AsFound)
                          : adopt_csc(rows, columns, p, c, v, CoordinateOrder::AsFound));
  });
}

Tensor from_coordinates(const Dimensions& dimensions, const std::vector<nb::object>& coordinates, nb::handle values) {
  std::vector<Array> arrays;
  for (const nb::object& c : coordinates) arrays.push_back(vector_of(c, "an array of coordinates"));
  const Array v = vector_of(values, "the array of values");
  return without_gil([&] { return Tensor(adopt_coo(dimensions, arrays, v, CoordinateOrder::AsFound)); });
}

/// A dense tensor's values as a NumPy array of its shape; none where not all levels are dense.
nb::object dense_view(const Tensor& tensor) {
  const Storage& t = tensor.storage();
  if (!t.format.is_dense()) return nb::none();
  std::vector<std::int64_t> strides(t.dimensions.size());
  std::int64_t step = 1;
  for (int k = t.order() - 1; k >= 0; --k) {
    const auto mode = static_cast<std::size_t>(t.format.map().mode_of(k));
    strides[mode] = step;
    step *= t.dimensions[mode];
  }
  return view_of(t.values, t.dimensions, strides);
}

const LevelStorage& level_of(const Storage& t, int k) {
  if (k < 0 || k >= t.order()) user_error("level {} of a tensor with {} levels", k, t.order());
  return t.levels[static_cast<std::size_t>(k)];
}

nb::object array_or_none(const Array& array) { return array.data() == nullptr ? nb::none() : view_of(array); }

/// One vector of coordinates a mode, and the values, of all stored entries.
nb::tuple entries_of(const Tensor& tensor) {
  const Storage& t = tensor.storage();
  const CoordinateList list = without_gil([&] { return coordinates_of(t); });
  nb::list coordinates;
  for (const Array& c : list.coordinates) coordinates.append(view_of(c));
  return nb::make_tuple(nb::tuple(coordinates), view_of(list.values));
}

std::vector<std::vector<std::int64_t>> update_coordinates(const std::vector<nb::object>& coordinates) {
  std::vector<std::vector<std::int64_t>> all;
  for (const nb::object& each : coordinates) {
    const Array array = vector_of(each, "an array of coordinates");
    if (!is_integer(array.type())) user_error("coordinates are of type {}, not integers", type_name(array.type()));
    std::vector<std::int64_t>& out = all.emplace_back(static_cast<std::size_t>(array.size()));
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = array.integer(static_cast<std::int64_t>(k));
  }
  return all;
}

std::int64_t update(Tensor& tensor, UpdateOperation operation, const std::vector<nb::object>& coordinates,
                    nb::handle values) {
  const auto where = update_coordinates(coordinates);
  const Type type = tensor.core().type();
  const auto count = static_cast<std::int64_t>(where.empty() ? 0 : where.front().size());
  Array given = operation == UpdateOperation::Erase ? Array::allocate(type, count, true)
                                                    : vector_of(values, "the array of values");
  if (given.type() != type) {
    Array fitted = Array::allocate(type, given.size(), false);
    for (std::int64_t k = 0; k < given.size(); ++k) {
      const auto* from = static_cast<const char*>(given.data()) + k * size_of(given.type());
      fitting(Scalar::load(given.type(), from), type)
          .store(static_cast<char*>(fitted.mutable_data()) + k * size_of(type));
    }
    given = fitted;
  }
  return without_gil([&] { return tensor.core().update(operation, where, given); });
}

Scalar value_for(const Tensor& tensor, nb::handle value) {
  return fitting(scalar_of(value, "the value"), tensor.storage().type);
}

Tensor read(const std::string& path, const std::optional<std::string>& format) {
  return without_gil([&] {
    const FileContents contents = read_file(path);
    const int order = static_cast<int>(contents.entries.dimensions.size());
    return Tensor(stored_from(contents, format ? parse_format(*format, order) : contents.natural));
  });
}

void define_making(nb::class_<Tensor>& c) {
  c.def_static(
      "adopt", [](nb::handle object, const std::string& name) { return Tensor(operand_of(object, name)); },
      nb::arg().none(), nb::arg());
  c.def_static("from_csr", [](std::int64_t rows, std::int64_t columns, nb::handle pos, nb::handle crd,
                              nb::handle values) { return from_rows(true, rows, columns, pos, crd, values); });
  c.def_static("from_csc", [](std::int64_t rows, std::int64_t columns, nb::handle pos, nb::handle crd,
                              nb::handle values) { return from_rows(false, rows, columns, pos, crd, values); });
  c.def_static("from_coordinates", &from_coordinates);
  c.def_static("empty", [](const Dimensions& dimensions, const std::string& type, const std::string& format) {
    return Tensor(
        TensorCore(type_named(type), "", dimensions, parse_format(format, static_cast<int>(dimensions.size()))));
  });
  c.def_static("read", &read);
}

void define_looking(nb::class_<Tensor>& c) {
  c.def_prop_ro("shape", [](const Tensor& t) {
    const Dimensions& dimensions = t.storage().dimensions;
    nb::list shape;
    for (const std::int64_t d : dimensions) shape.append(d);
    return nb::tuple(shape);
  });
  c.def_prop_ro("type", [](const Tensor& t) { return std::string(type_name(t.storage().type)); });
  c.def_prop_ro("format", [](const Tensor& t) { return t.storage().format.to_string(); });
  c.def_prop_ro("is_dense", [](const Tensor& t) { return t.storage().format.is_dense(); });
  c.def_prop_ro("mode_order", [](const Tensor& t) { return t.storage().format.map().modes(); });
  c.def_prop_ro("levels", [](const Tensor& t) {
    std::vector<std::string> names;
    for (const LevelFormat& level : t.storage().format.levels()) names.push_back(level.name());
    return names;
  });
  c.def_prop_ro("stored", [](const Tensor& t) { return t.storage().stored(); });
  c.def_prop_ro("bytes", [](const Tensor& t) { return t.storage().bytes(); });
  c.def("values", [](const Tensor& t) { return view_of(t.storage().values); });
  c.def("positions", [](const Tensor& t, int k) { return array_or_none(level_of(t.storage(), k).pos); });
  c.def("coordinates", [](const Tensor& t, int k) { return array_or_none(level_of(t.storage(), k).crd); });
  c.def("dense_view", &dense_view);
  c.def("entries", &entries_of);
  c.def("spy", [](const Tensor& t, const std::string& title) {
    return without_gil([&] { return spy(coordinates_of(t.storage()), title); });
  });
  c.def("picture", [](const Tensor& t, const std::string& title) { return draw_tensor(t.storage(), title); });
  c.def("at", [](const Tensor& t, const Dimensions& at) { return number_of(value_at(t.storage(), at)); });
}

void define_changing(nb::class_<Tensor>& c) {
  c.def("to_format", [](const Tensor& t, const std::string& format) {
    return without_gil([&] {
      const Storage& s = t.storage();
      return Tensor(in_format(s, parse_format(format, s.order())));
    });
  });
  c.def("to_type", [](const Tensor& t, const std::string& type) {
    return without_gil([&] { return Tensor(in_type(t.storage(), type_named(type))); });
  });
  c.def("transpose", [](const Tensor& t, const std::vector<int>& modes) {
    return without_gil([&] { return Tensor(transpose(t.storage(), modes)); });
  });
  c.def("drop_zeros", [](const Tensor& t) { return without_gil([&] { return Tensor(drop_zeros(t.storage())); }); });
  c.def("copy", [](const Tensor& t) { return without_gil([&] { return Tensor(with_own_arrays(t.storage())); }); });
  c.def("snapshot", [](Tensor& t) { return Tensor(TensorCore(t.core())); });
  c.def("insert", [](Tensor& t, const Dimensions& at, nb::handle value) { t.core().insert(at, value_for(t, value)); });
  c.def("assign", [](Tensor& t, const Dimensions& at, nb::handle value) {
    return t.core().update(UpdateOperation::Assign, at, value_for(t, value));
  });
  c.def("erase", [](Tensor& t, const Dimensions& at) { return t.core().update(UpdateOperation::Erase, at); });
  c.def("insert_many", [](Tensor& t, const std::vector<nb::object>& at, nb::handle values) {
    return update(t, UpdateOperation::Add, at, values);
  });
  c.def("assign_many", [](Tensor& t, const std::vector<nb::object>& at, nb::handle values) {
    return update(t, UpdateOperation::Assign, at, values);
  });
  c.def("erase_many",
        [](Tensor& t, const std::vector<nb::object>& at) { return update(t, UpdateOperation::Erase, at, nb::none()); });
  c.def("write", [](const Tensor& t, const std::string& path) {
    without_gil([&] {
      TensorCore("", t.storage()).write(path);
      return 0;
    });
  });
}

}  // namespace

Type type_named(const std::string& name) {
  const auto type = parse_type(name);
  if (!type)
    user_error(
        "'{}' is no element type of Lacuna; there are bool, int8 to int64, uint8 to uint64, float32, float64, "
        "complex64 and complex128",
        name);
  return *type;
}

bool is_tensor(nb::handle object) { return PyType_IsSubtype(Py_TYPE(object.ptr()), names().tensor) != 0; }

void define_tensor(nb::module_& m) {
  nb::class_<Tensor> c(m, "Tensor");
  define_making(c);
  define_looking(c);
  define_changing(c);
}

}  // namespace lacuna::python
