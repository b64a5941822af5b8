#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/loop/build.h"
#include "lacuna/loop/interpret.h"
#include "lacuna/loop/ir.h"
#include "lacuna/loop/passes.h"
#include "lacuna/support/error.h"

/// What the tests of the loop IR share.
namespace lacuna::loop {

inline const IrType int32_type = scalar_type(Type::Int32);
inline const IrType float64_type = scalar_type(Type::Float64);
inline const IrType bool_type = scalar_type(Type::Bool);

template <typename T>
Binding bound(std::vector<T>& values) {
  return {Scalar(), values.data(), static_cast<std::int64_t>(values.size())};
}
template <typename T>
Binding bound(const std::vector<T>& values) {
  // Only for parameters that the kernel does not write.
  return {Scalar(), const_cast<T*>(values.data()), static_cast<std::int64_t>(values.size())};
}
inline Binding bound(const Scalar& value) { return {value, nullptr, 0}; }
inline Binding nothing() { return {}; }

inline Parameter input(const Var& var) { return {var, "", false, false}; }
inline Parameter updated(const Var& var) { return {var, "", false, true}; }
inline Parameter output(const Var& var) { return {var, "", true, true}; }

inline Module kernel(std::vector<Parameter> parameters, std::vector<Stmt> body) {
  Module module;
  module.name = "kernel";
  module.parameters = std::move(parameters);
  module.body = block(std::move(body));
  return module;
}

/// Verifies the module and runs it.
inline Interpretation run(const Module& module, const std::vector<Binding>& bindings,
                          const InterpretOptions& options = {}) {
  verify(module);
  return interpret(module, bindings, options);
}

/// The message of the CheckFailure that running the module must throw.
inline std::string failure(const Module& module, const std::vector<Binding>& bindings,
                           const InterpretOptions& options = {}) {
  try {
    interpret(module, bindings, options);
  } catch (const CheckFailure& failed) {
    return failed.what();
  }
  return "(nothing failed)";
}

/// The elements of an Out parameter.
template <typename T>
std::vector<T> elements(const Output& out) {
  const T* data = static_cast<const T*>(out.data.get());
  return std::vector<T>(data, data + out.count);
}

}  // namespace lacuna::loop
