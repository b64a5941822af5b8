#include "memory.h"

#include <bit>
#include <cstring>
#include <memory>
#include <string_view>

#include <nanobind/ndarray.h>

#include "lacuna/support/check.h"

namespace lacuna::python {
namespace {

/// By what the buffer protocol calls an element (Python's module struct), the byte order being this machine's.
std::optional<Type> type_of_format(std::string_view format, Py_ssize_t size) {
  if (!format.empty() && (format[0] == '@' || format[0] == '=' || format[0] == '<')) format.remove_prefix(1);
  const auto of_size = [&](Type one, Type two, Type four, Type eight) -> std::optional<Type> {
    switch (size) {
      case 1: return one;
      case 2: return two;
      case 4: return four;
      case 8: return eight;
      default: return std::nullopt;
    }
  };
  if (format == "Zf") return Type::Complex64;
  if (format == "Zd") return Type::Complex128;
  if (format.size() != 1) return std::nullopt;
  switch (format[0]) {
    case '?': return Type::Bool;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
    case 'n': return of_size(Type::Int8, Type::Int16, Type::Int32, Type::Int64);
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
    case 'N': return of_size(Type::UInt8, Type::UInt16, Type::UInt32, Type::UInt64);
    case 'f': return Type::Float32;
    case 'd': return Type::Float64;
    default: return std::nullopt;
  }
}

/// Gives the buffer back when the last array over it goes, on whatever thread that is.
std::shared_ptr<const void> owner_of(std::unique_ptr<Py_buffer> buffer) {
  return {buffer.release(), [](Py_buffer* held) {
            if (Py_IsInitialized() != 0) {
              const nb::gil_scoped_acquire locked;
              PyBuffer_Release(held);
            }
            delete held;
          }};
}

}  // namespace

std::optional<Buffer> buffer_of(nb::handle object) {
  if (PyObject_CheckBuffer(object.ptr()) == 0) return std::nullopt;
  auto buffer = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(object.ptr(), buffer.get(), PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();
    return std::nullopt;
  }
  Buffer out;
  const Py_ssize_t size = buffer->itemsize;
  const std::optional<Type> type = type_of_format(buffer->format != nullptr ? buffer->format : "B", size);
  bool fits = type && size == size_of(*type);
  if (fits) {
    const auto alignment = static_cast<std::uintptr_t>(is_complex(*type) ? size / 2 : size);
    fits = reinterpret_cast<std::uintptr_t>(buffer->buf) % alignment == 0;
  }
  std::int64_t count = 1;
  out.strides.resize(static_cast<std::size_t>(buffer->ndim));
  for (int k = buffer->ndim - 1; fits && k >= 0; --k) {
    const Py_ssize_t stride = buffer->strides != nullptr ? buffer->strides[k] : count * size;  // none: row-major
    fits = stride % size == 0;
    out.strides[static_cast<std::size_t>(k)] = stride / size;
    count *= buffer->shape[k];
  }
  if (fits) out.shape.assign(buffer->shape, buffer->shape + buffer->ndim);
  if (!fits) {
    PyBuffer_Release(buffer.get());
    return std::nullopt;
  }
  const void* const data = buffer->buf;
  out.elements = Array::borrow(*type, data, count, owner_of(std::move(buffer)));
  return out;
}

Array vector_of(nb::handle object, const char* what) {
  const std::optional<Buffer> buffer = buffer_of(object);
  if (!buffer || buffer->shape.size() != 1 || (buffer->shape[0] > 1 && buffer->strides[0] != 1))
    user_error("{} is not a contiguous one-dimensional array of numbers; numpy.ascontiguousarray makes one", what);
  return buffer->elements;
}

namespace {

nb::dlpack::dtype dlpack_type(Type type) {
  return visit_type(type, [](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>)
      return nb::dlpack::dtype{static_cast<std::uint8_t>(nb::dlpack::dtype_code::Complex), 8 * sizeof(T), 1};
    else return nb::dtype<T>();
  });
}

}  // namespace

nb::object view_of(const Array& array, const std::vector<std::int64_t>& shape,
                   const std::vector<std::int64_t>& strides) {
  // NumPy asks for an address even where there is nothing.
  static const double nothing = 0;
  const void* const data = array.data() != nullptr ? array.data() : &nothing;
  auto* const held = new Array(array);
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<Array*>(p); });
  const std::vector<std::size_t> sizes(shape.begin(), shape.end());
  const nb::ndarray<nb::numpy, nb::ro> view(const_cast<void*>(data), sizes.size(), sizes.data(), owner,
                                            strides.empty() ? nullptr : strides.data(), dlpack_type(array.type()));
  return nb::cast(view);
}

nb::object view_of(const Array& array) { return view_of(array, {array.size()}); }

}  // namespace lacuna::python
