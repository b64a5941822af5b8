#include "adopted.h"

#include <utility>

#include "names.h"

namespace lacuna::python {

std::optional<Storage> AdoptedObjects::find(nb::handle object) {
  std::shared_ptr<const Entry> entry;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto it = entries_.find(object.ptr());
    if (it == entries_.end()) return std::nullopt;
    entry = it->second;
  }
  for (const Attribute& a : entry->arrays) {
    const nb::object now = nb::steal(PyObject_GetAttr(object.ptr(), a.name.ptr()));
    if (!now.is_valid()) PyErr_Clear();
    if (now.ptr() != a.value.ptr()) return std::nullopt;
  }
  const nb::object shape = nb::steal(PyObject_GetAttr(object.ptr(), names().shape));
  const int same = shape.is_valid() ? PyObject_RichCompareBool(shape.ptr(), entry->shape.ptr(), Py_EQ) : -1;
  if (same < 0) PyErr_Clear();
  if (same != 1) return std::nullopt;
  return entry->storage;
}

void AdoptedObjects::keep(nb::handle object, const nb::tuple& watched, const Storage& storage) {
  auto entry = std::make_shared<Entry>();
  PyObject* const key = object.ptr();
  const nb::object forget = nb::cpp_function([this, key](nb::handle) {
    std::shared_ptr<const Entry> gone;  // after the lock
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto it = entries_.find(key);
    if (it == entries_.end()) return;
    gone = std::move(it->second);
    entries_.erase(it);
  });
  entry->reference = nb::steal(PyWeakref_NewRef(key, forget.ptr()));
  if (!entry->reference.is_valid()) {  // of a type that has none
    PyErr_Clear();
    return;
  }
  entry->shape = object.attr("shape");
  for (const nb::handle name : watched)
    entry->arrays.push_back({nb::borrow(name), nb::object(object.attr(nb::cast<nb::str>(name)))});
  entry->storage = storage;
  std::shared_ptr<const Entry> before = std::move(entry);  // what was there goes after the lock
  const std::lock_guard<std::mutex> lock(mutex_);
  std::swap(entries_[key], before);
}

std::size_t AdoptedObjects::size() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return entries_.size();
}

AdoptedObjects& adopted_objects() {
  // Never destroyed: what it holds is Python's, which may be gone by then.
  static auto* const objects = new AdoptedObjects();
  return *objects;
}

}  // namespace lacuna::python
