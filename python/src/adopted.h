#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include <nanobind/nanobind.h>

#include "lacuna/tensor/storage.h"

namespace lacuna::python {

namespace nb = nanobind;

/// What was adopted of Python objects, such as SciPy's sparse arrays, for as long as these exist: looking through the
/// coordinates of a matrix takes as long as multiplying it by a vector. An object is taken to be what it was while the
/// attributes that were looked at are the same arrays, of the same shape. The caller holds the GIL.
class AdoptedObjects {
 public:
  /// None where the object is not known, or not what it was.
  std::optional<Storage> find(nb::handle object);
  /// `watched`: the names of its attributes that are arrays; `shape` is watched, too.
  void keep(nb::handle object, const nb::tuple& watched, const Storage& storage);
  std::size_t size() const;

 private:
  struct Attribute {
    nb::object name, value;
  };
  struct Entry {
    nb::object reference;  // weak; its callback takes the entry out
    nb::object shape;
    std::vector<Attribute> arrays;
    Storage storage;
  };
  /// Never held while code of Python's may run, which may come back here, or wait for other threads that do.
  mutable std::mutex mutex_;
  std::unordered_map<PyObject*, std::shared_ptr<const Entry>> entries_;
};

/// That of the module.
AdoptedObjects& adopted_objects();

}  // namespace lacuna::python
