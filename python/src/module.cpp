#include <exception>

#include <nanobind/nanobind.h>

#include "adopted.h"
#include "following.h"
#include "lacuna/support/error.h"
#include "names.h"
#include "ranks.h"
#include "statement.h"
#include "tensor.h"

namespace {

namespace nb = nanobind;

PyObject* user_mistake = nullptr;
PyObject* world_failure = nullptr;
PyObject* own_bug = nullptr;

/// As Python has them. A compiler that Control-C stopped has not failed: then KeyboardInterrupt is what is raised.
void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const lacuna::Error& error) {
    PyErr_SetString(user_mistake, lacuna::describe_with_caret(error).c_str());
  } catch (const lacuna::RuntimeFailure& failure) {
    if (PyErr_CheckSignals() == 0) PyErr_SetString(world_failure, failure.what());
  } catch (const lacuna::InternalError& bug) {
    if (PyErr_CheckSignals() == 0) PyErr_SetString(own_bug, bug.what());
  }
}

}  // namespace

namespace lacuna::python {

Names& names() {
  static Names known;
  return known;
}

}  // namespace lacuna::python

NB_MODULE(_core, m) {
  // What Python has not freed when it ends, such as objects in tracebacks, is no mistake of whoever runs it.
  nb::set_leak_warnings(false);
  m.doc() = "The compiler and its tensors; the package lacuna is made of it.";
  user_mistake = nb::exception<lacuna::Error>(m, "Error", PyExc_ValueError).release().ptr();
  world_failure = nb::exception<lacuna::RuntimeFailure>(m, "RuntimeFailure", PyExc_RuntimeError).release().ptr();
  own_bug = nb::exception<lacuna::InternalError>(m, "InternalError", PyExc_RuntimeError).release().ptr();
  nb::register_exception_translator(translate);
  lacuna::python::names().core = PyUnicode_InternFromString("_core");
  lacuna::python::names().shape = PyUnicode_InternFromString("shape");
  // What the package calls before anything else: numpy.ndarray, lacuna.Tensor, lacuna._adopt.adopt.
  m.def("set_names", [](nb::handle array, nb::handle tensor, nb::handle adopt) {
    auto& names = lacuna::python::names();
    names.array = reinterpret_cast<PyTypeObject*>(array.inc_ref().ptr());
    names.tensor = reinterpret_cast<PyTypeObject*>(tensor.inc_ref().ptr());
    names.adopt = adopt.inc_ref().ptr();
  });
  m.def("adopted_count", [] { return lacuna::python::adopted_objects().size(); });
  lacuna::python::define_tensor(m);
  lacuna::python::define_statement(m);
  lacuna::python::define_ranks(m);
  lacuna::python::define_following(m);
}
