#include "numbers.h"

#include <complex>
#include <cstdint>

#include "lacuna/support/check.h"
#include "memory.h"

namespace lacuna::python {

std::optional<Scalar> python_number(nb::handle object, const std::string& name) {
  PyObject* const p = object.ptr();
  if (PyBool_Check(p)) return Scalar(p == Py_True);
  if (PyLong_CheckExact(p)) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(p, &overflow);
    if (overflow != 0) user_error("{} is {}, which no 64-bit integer holds", name, nb::repr(object).c_str());
    return Scalar(static_cast<std::int64_t>(value));
  }
  if (PyFloat_CheckExact(p)) return Scalar(PyFloat_AsDouble(p));
  if (PyComplex_CheckExact(p))
    return Scalar(std::complex<double>(PyComplex_RealAsDouble(p), PyComplex_ImagAsDouble(p)));
  return std::nullopt;
}

Scalar scalar_of(nb::handle object, const std::string& name) {
  if (const auto value = python_number(object, name)) return *value;
  const std::optional<Buffer> buffer = buffer_of(object);
  if (!buffer || buffer->elements.size() != 1) user_error("{} is {}, not a number", name, nb::repr(object).c_str());
  return Scalar::load(buffer->elements.type(), buffer->elements.data());
}

nb::object number_of(const Scalar& value) {
  return visit_type(value.type(), [&](auto zero) -> nb::object {
    using T = decltype(zero);
    const T v = value.as<T>();
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>)
      return nb::steal(PyComplex_FromDoubles(static_cast<double>(v.real()), static_cast<double>(v.imag())));
    else if constexpr (std::is_same_v<T, bool>) return nb::bool_(v);
    else if constexpr (std::is_floating_point_v<T>) return nb::float_(static_cast<double>(v));
    else return nb::int_(v);
  });
}

}  // namespace lacuna::python
