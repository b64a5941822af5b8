#pragma once

#include <string>

#include "lacuna/codegen/c/print.h"
#include "lacuna/loop/build.h"
#include "lacuna/loop/passes.h"

/// What the tests of printed C share.
namespace lacuna::loop {

inline const IrType int32_type = scalar_type(Type::Int32);
inline const IrType float64_type = scalar_type(Type::Float64);

inline Expr op(BinaryOp op, const Expr& a, const Expr& b) { return value_op(op, a, b); }

/// Variables to build small texts from, bound to an argument T.
struct Variables {
  Var i{"i", int64_type}, j{"j", int32_type}, u{"u", scalar_type(Type::UInt32)}, n{"n", int64_type};
  Var b{"b", scalar_type(Type::Int8)}, x{"x", float64_type}, s{"s", scalar_type(Type::Float32)};
  Var z{"z", scalar_type(Type::Complex128)}, yes{"yes", scalar_type(Type::Bool)};
  Var pos{"pos", array_type(Type::Int64)}, crd{"crd", array_type(Type::Int32)}, vals{"vals", array_type(Type::Float64)};

  Module module(Stmt body) const {
    Module module;
    module.name = "kernel";
    module.description = "a test";
    module.arguments = {"T"};
    for (const Var& each : {i, j, u, n, b, x, s, z, yes, pos, crd, vals}) {
      module.parameters.push_back({each, "T->" + each.name(), false, true});
    }
    module.body = std::move(body);
    return module;
  }
};

/// The lines of the kernel between what it binds and what it returns, without their first indentation.
inline std::string body_of(const Module& module) {
  const std::string text = print_c(outline(partition(module))).kernel;
  const std::size_t begin = text.find("\n\n", text.find("int32_t " + module.name + "(")) + 2;
  const std::size_t end = text.rfind("  return LACUNA_OK;");
  std::string body;
  for (std::size_t at = begin; at < end;) {
    const std::size_t next = text.find('\n', at) + 1;
    const bool is_indented = text.compare(at, 2, "  ") == 0;
    body += text.substr(is_indented ? at + 2 : at, next - (is_indented ? at + 2 : at));
    at = next;
  }
  return body;
}

inline std::string printed(const Stmt& stmt) { return body_of(Variables().module(stmt)); }

}  // namespace lacuna::loop
