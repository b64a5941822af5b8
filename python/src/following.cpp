#include "following.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "lacuna/api/tensor_core.h"
#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"
#include "lacuna/support/check.h"
#include "operand.h"
#include "tensor.h"

namespace lacuna::python {
namespace {

/// The tensors that a statement reads, by name: Python's own, which may be changed later, and copies of what else it
/// gave.
class Operands {
 public:
  Operands(const lacuna::Statement& s, const nb::dict& tensors) {
    for (const Access& access : accesses(s.rhs)) {
      const std::string& name = access.tensor.name();
      if (cores_.contains(name)) continue;
      const nb::str key(name.c_str());
      if (!tensors.contains(key)) user_error("the statement reads {}, which was not given", name);
      add(name, tensors[key]);
    }
  }

  TensorCore& at(const std::string& name) const {
    const auto found = cores_.find(name);
    if (found == cores_.end()) user_error("the statement reads no tensor named {}, which is to be followed", name);
    return *found->second;
  }
  FactsByName facts() const {
    FactsByName facts;
    for (const auto& [name, core] : cores_) facts[name] = {core->type(), core->dimensions()};
    return facts;
  }
  /// The right side of a statement over them.
  Expression right_side(const lacuna::Statement& s) const {
    std::map<std::string, TensorVar> variables;
    std::vector<Capture> captures;
    for (const Access& access : accesses(s.rhs)) {
      const std::string& name = access.tensor.name();
      if (variables.contains(name)) continue;
      const Expression read = at(name).access(access.indices);
      variables.emplace(name, as<Access>(read.expr())->tensor);
      captures.insert(captures.end(), read.captures().begin(), read.captures().end());
    }
    Renaming renaming;
    renaming.tensor = [&](const TensorVar& tensor) { return variables.at(tensor.name()); };
    return {renamed(s.rhs, renaming), std::move(captures)};
  }

 private:
  void add(const std::string& name, nb::handle object) {
    if (is_tensor(object)) {
      cores_.emplace(name, &nb::cast<Tensor&>(object.attr("_core")).core());
      return;
    }
    const auto made = made_.emplace(name, TensorCore(name, operand_of(object, name))).first;
    cores_.emplace(name, &made->second);
  }

  std::map<std::string, TensorCore> made_;
  std::map<std::string, TensorCore*> cores_;
};

Tensor follow(const std::string& text, const std::string& of, const nb::dict& tensors,
              const std::optional<std::string>& format) {
  const lacuna::Statement s = parse_statement(text);
  check_meaning(s);
  if (s.accumulate) user_error("a result that follows is new: write = in place of += in '{}'", text);
  const Operands operands(s, tensors);
  const nb::gil_scoped_release released;
  const FactsByName facts = operands.facts();
  const Type type = compute_type(s, facts);
  TensorCore result(type);
  if (format) {
    const std::map<IndexVar, std::int64_t> extents = infer_dimensions(s, facts);
    std::vector<std::int64_t> dimensions;
    for (const IndexVar& var : s.lhs.indices) dimensions.push_back(extents.at(var));
    result = TensorCore(type, "", dimensions, parse_format(*format, static_cast<int>(dimensions.size())));
  }
  TensorCore& followed = operands.at(of);
  result.assign(s.lhs.indices, false, operands.right_side(s));
  result.follow(followed);
  return Tensor(std::move(result));
}

}  // namespace

void define_following(nb::module_& m) {
  m.def("follow", &follow, nb::arg("text"), nb::arg("of"), nb::arg("tensors"), nb::arg("format") = nb::none());
}

}  // namespace lacuna::python
