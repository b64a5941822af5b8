#include "lacuna/codegen/device/print.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/codegen/c/identifiers.h"
#include "lacuna/codegen/c/statement.h"
#include "lacuna/codegen/c_family/type_text.h"
#include "lacuna/loop/usage.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/check.h"

// Functions of a device are C but for where pointers point to. What the text calls LACUNA_… the header of a language
// defines (prelude/opencl.h, prelude/cuda.h), so that another language takes another header.
namespace lacuna {
namespace {

/// C's types of complex numbers, which no language of devices has, by the names of the pairs in their place.
std::string with_pairs(std::string text) {
  for (const Type type : {Type::Complex64, Type::Complex128}) {
    const std::string_view in_c = c_type(type);
    const std::string pair = fmt::format("lacuna_{}_t", type_name(type));
    for (std::size_t at = text.find(in_c); at != std::string::npos; at = text.find(in_c, at + pair.size()))
      text.replace(at, in_c.size(), pair);
  }
  return text;
}

void check_type(const loop::IrType& type) {
  if (type.kind == loop::IrType::Kind::Void) return;
  if (type.kind == loop::IrType::Kind::Arena || type.is_shelf() || type.is_ref())
    user_error("dynamic levels are not on devices yet: convert the tensor to a static format");
}

void check_printable(const loop::Stmt& body) {
  loop::for_each(body, [](const loop::Stmt& each) {
    const auto* store = std::get_if<loop::Store>(&each->kind);
    if (store != nullptr && store->atomic && size_of(store->value.scalar()) < 4)
      user_error("a device updates no {} atomically: give the result a type of at least four bytes",
                 type_name(store->value.scalar()));
  });
  loop::for_each_expression(body, [](const loop::Expr& each) { check_type(each.type()); });
}

/// The type of a parameter: flags are bytes there, for bool has no size of its own in OpenCL.
std::string parameter_type(const loop::IrType& type, bool is_const) {
  const std::string_view element = type.scalar == Type::Bool ? "uint8_t" : c_type(type.scalar);
  if (!type.is_memory()) return fmt::format("{} ", element);
  return fmt::format("LACUNA_GLOBAL {}{} *restrict ", is_const ? "const " : "", element);
}

/// Of the largest value that threads exchange; 0: none does.
std::int64_t bytes_exchanged(const loop::Launch& launch) {
  std::int64_t bytes = 0;
  loop::for_each(launch.body, [&](const loop::Stmt& each) {
    if (const auto* node = std::get_if<loop::Exchange>(&each->kind))
      bytes = std::max(bytes, std::int64_t{size_of(node->value.type().scalar)});
  });
  return bytes;
}

class DevicePrinter {
 public:
  DevicePrinter(const loop::Module& module, DeviceLanguage language)
      : module_(module),
        language_(language),
        usage_(loop::find_usage(module)),
        requirements_(language == DeviceLanguage::Cuda ? Prelude::Kind::Cuda : Prelude::Kind::OpenCl),
        expressions_(requirements_, usage_) {}

  DeviceSource print() {
    if (!module_.functions.empty())
      user_error("level files are not on devices yet: convert the tensor to a static format");
    DeviceSource source;
    loop::for_each(module_.body, [&](const loop::Stmt& each) {
      if (const auto* launch = std::get_if<loop::Launch>(&each->kind)) source.kernels += with_pairs(function(*launch));
    });
    const std::string_view header = prelude_header(language_ == DeviceLanguage::Cuda ? "cuda.h" : "opencl.h");
    source.code = fmt::format("{}\n{}{}", header, with_pairs(requirements_.prelude.text()), source.kernels);
    return source;
  }

 private:
  std::string function(const loop::Launch& launch) {
    check_printable(launch.body);
    const loop::FunctionUsage usage = loop::usage_of(launch.body);
    loop::NameSupply names = loop::names_of(module_);
    std::vector<std::string> parameters;
    for (const loop::Var& each : launch.captured) {
      check_type(each.type());
      parameters.push_back(parameter_type(each.type(), !usage.written.contains(each)) + each.name());
    }
    Lines lines;
    lines.add_list(fmt::format("LACUNA_KERNEL({}) void {}(", launch.threads, launch.name), parameters, ") {");
    lines.indent();
    if (usage.used.contains(launch.block))
      lines.add(fmt::format("const int64_t {} = LACUNA_BLOCK;", launch.block.name()));
    if (usage.used.contains(launch.thread))
      lines.add(fmt::format("const int64_t {} = LACUNA_THREAD;", launch.thread.name()));
    if (const std::int64_t bytes = bytes_exchanged(launch); bytes > 0)
      lines.add(fmt::format("LACUNA_ROOM({});", launch.threads * bytes));
    std::vector<std::string> tasks;
    const FunctionText text{usage, {}, tasks};
    StatementPrinter(lines, expressions_, requirements_, usage_, names, text).print(launch.body);
    lines.outdent();
    lines.add("}");
    return lines.text() + "\n";
  }

  const loop::Module& module_;
  DeviceLanguage language_;
  loop::ModuleUsage usage_;
  Requirements requirements_;
  ExpressionPrinter expressions_;
};

}  // namespace

DeviceSource print_for_device(const loop::Module& module, DeviceLanguage language) {
  check_names(module);
  return DevicePrinter(module, language).print();
}

}  // namespace lacuna
