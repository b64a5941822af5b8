#pragma once

#include <nanobind/nanobind.h>

namespace lacuna::python {

namespace nb = nanobind;

/// What the extension knows of Python's objects, looked up once. A lookup when first needed would hold C++'s lock of
/// static variables, for which another thread may wait that holds Python's.
struct Names {
  PyObject* core = nullptr;        // "_core"
  PyObject* shape = nullptr;       // "shape"
  PyTypeObject* array = nullptr;   // numpy.ndarray
  PyTypeObject* tensor = nullptr;  // lacuna.Tensor
  PyObject* adopt = nullptr;       // lacuna._adopt.adopt
};

/// Those of the module. The package gives the last three before anything else is called.
Names& names();

}  // namespace lacuna::python
