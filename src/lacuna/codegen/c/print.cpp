#include "lacuna/codegen/c/print.h"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/codegen/c/identifiers.h"
#include "lacuna/codegen/c/statement.h"
#include "lacuna/codegen/c_family/type_text.h"
#include "lacuna/loop/usage.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/error.h"

namespace lacuna {
namespace {

using loop::Module;
using loop::NameSupply;

/// The body without a last `return`, which a void function does anyway.
loop::Stmt without_last_return(const loop::Stmt& body) {
  const auto is_return = [](const loop::Stmt& stmt) { return std::holds_alternative<loop::Return>(stmt->kind); };
  const loop::Stmt nothing = std::make_shared<const loop::StmtNode>(loop::StmtNode{loop::Block{}});
  if (is_return(body)) return nothing;
  const auto* block = std::get_if<loop::Block>(&body->kind);
  if (!block || block->statements.empty() || !is_return(block->statements.back())) return body;
  return std::make_shared<const loop::StmtNode>(
      loop::StmtNode{loop::Block{{block->statements.begin(), block->statements.end() - 1}}});
}

bool is_in(const std::string& place, const std::string& argument) {
  return place.starts_with(argument + "-") || place.starts_with(argument + ".") || place == argument;
}

void reserve_names(NameSupply& names, const loop::Stmt& body) {
  loop::for_each(body, [&](const loop::Stmt& stmt) {
    if (const auto* declare = std::get_if<loop::Declare>(&stmt->kind)) names.reserve(declare->var.name());
    if (const auto* loop = std::get_if<loop::For>(&stmt->kind)) names.reserve(loop->var.name());
  });
}

class ModulePrinter {
 public:
  ModulePrinter(const Module& module, std::vector<ArgumentFormat> checked)
      : module_(module),
        usage_(loop::find_usage(module)),
        expressions_(requirements_, usage_),
        checked_(std::move(checked)) {}

  CSource print() {
    const std::string kernel = records() + functions() + check() + kernel_function();
    const std::string& description = module_.description;
    const std::string comment = description.empty() ? "" : fmt::format("// {}\n", comment_text(description));
    CSource source;
    source.entry = module_.name + "_entry";
    source.calls_blas = requirements_.calls_blas();
    source.kernel = comment + kernel;
    source.code = comment + requirements_.includes() + descriptor_text(true) + "\n" + requirements_.declarations() +
                  requirements_.prelude.text() + kernel + "\n" + entry(source.entry);
    source.header = comment + descriptor_text(false) + "\n" + parallel_text() + "\n" +
                    "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n" + prototype() +
                    ";\n\n#ifdef __cplusplus\n}\n#endif\n";
    return source;
  }

 private:
  std::string records() {
    std::string text;
    for (const auto& record : module_.records) {
      Lines lines;
      lines.add(fmt::format("typedef struct {} {{", record->name));
      lines.indent();
      for (const loop::Field& field : record->fields) {
        requirements_.type(field.type.scalar);
        const std::string count = field.count > 0 ? fmt::format("[{}]", field.count) : "";
        lines.add(fmt::format("{} {}{};", element_c_type(field.type), field.name, count));
      }
      lines.outdent();
      lines.add(fmt::format("}} {};", record->name));
      text += lines.text() + "\n";
    }
    return text;
  }

  /// The name in the signature, its parameters and what its text must declare of them.
  void signature(Lines& lines, const loop::Function& function, const std::string& result, std::string_view end) {
    const loop::FunctionUsage& usage = usage_.functions.at(function.name);
    std::vector<std::string> parameters;
    if (usage.needs_context) parameters.emplace_back("lacuna_context *ctx");
    for (const loop::Var& each : function.parameters) {
      requirements_.type(each.type().scalar);
      const bool is_const = each.type().is_memory() && !usage.written.contains(each);
      parameters.push_back(declarator(each.type(), is_const, false) + each.name());
    }
    const bool returns_value = function.result.kind != loop::IrType::Kind::Void;
    if (returns_value) requirements_.type(function.result.scalar);
    if (usage.can_fail && returns_value)
      parameters.push_back(fmt::format("{} *{}", element_c_type(function.result), result));
    if (parameters.empty()) parameters.emplace_back("void");
    const std::string type = usage.can_fail ? "int32_t" : element_c_type(function.result);
    lines.add_list(fmt::format("static {} {}(", type, function.name), parameters, fmt::format("){}", end));
  }

  /// Whether a function is called above its definition.
  bool needs_prototype(std::size_t k) const {
    for (std::size_t caller = 0; caller < k; caller++) {
      const std::string& name = module_.functions[caller].name;
      if (is_reached(name) && usage_.functions.at(name).calls.contains(module_.functions[k].name)) return true;
    }
    return false;
  }

  bool is_reached(const std::string& name) const { return usage_.reached.contains(name); }

  std::string functions() {
    std::string text;
    for (const loop::Function& each : module_.functions) {
      if (is_reached(each.name)) text += function(each);
    }
    Lines prototypes;
    for (std::size_t k = 0; k < module_.functions.size(); k++) {
      if (needs_prototype(k)) signature(prototypes, module_.functions[k], "result", ";");
    }
    return prototypes.lines().empty() ? text : prototypes.text() + "\n" + text;
  }

  std::string function(const loop::Function& function) {
    const loop::FunctionUsage& usage = usage_.functions.at(function.name);
    NameSupply names;
    for (const loop::Var& each : function.parameters) names.reserve(each.name());
    reserve_names(names, function.body);
    const std::string result = names.unique("result");

    Lines lines;
    signature(lines, function, result, " {");
    lines.indent();
    for (const loop::Var& each : function.parameters) {
      if (!usage.used.contains(each)) lines.add(fmt::format("(void){};", each.name()));
    }
    std::set<loop::Var> aliased(function.parameters.begin(), function.parameters.end());
    aliased.insert(usage.moved.begin(), usage.moved.end());
    std::vector<std::string> tasks;
    const FunctionText text{usage, std::move(aliased), tasks};
    StatementPrinter printer(lines, expressions_, requirements_, usage_, names, text);
    if (usage.can_fail) printer.return_status(result);
    const bool is_void = function.result.kind == loop::IrType::Kind::Void;
    printer.print(is_void ? without_last_return(function.body) : function.body);
    if (is_void && usage.can_fail) lines.add("return LACUNA_OK;");
    lines.outdent();
    lines.add("}");
    return fmt::format("{}{}\n", fmt::join(tasks, ""), lines.text());
  }

  std::string check_name() const { return module_.name + "_fits"; }

  std::string check() const { return checked_.empty() ? "" : argument_check(check_name(), module_, checked_); }

  /// Whether the kernel changes the descriptor or the elements of an argument.
  bool is_changed(const std::string& argument) const {
    const bool is_described = std::any_of(checked_.begin(), checked_.end(), [&](const ArgumentFormat& each) {
      return each.is_result && each.argument == argument;
    });
    return is_described ||
           std::any_of(module_.parameters.begin(), module_.parameters.end(), [&](const loop::Parameter& each) {
             return is_in(each.place, argument) && (each.out || is_written(each));
           });
  }

  bool is_written(const loop::Parameter& parameter) const {
    return parameter.written || usage_.kernel.written.contains(parameter.var);
  }

  void prototype(Lines& lines, std::string_view end) const {
    std::vector<std::string> parameters = {"lacuna_context *ctx"};
    for (const std::string& each : module_.arguments) {
      parameters.push_back(fmt::format("{}lacuna_tensor *{}", is_changed(each) ? "" : "const ", each));
    }
    lines.add_list(fmt::format("int32_t {}(", module_.name), parameters, fmt::format("){}", end));
  }

  std::string prototype() const {
    Lines lines;
    prototype(lines, "");
    std::string text = lines.text();
    text.pop_back();
    return text;
  }

  void bind(Lines& lines, const loop::Parameter& parameter) {
    const loop::Var& var = parameter.var;
    requirements_.type(var.type().scalar);
    const bool is_const = var.type().is_memory() ? !parameter.out && !is_written(parameter)
                                                 : !parameter.out && !usage_.kernel.assigned.contains(var);
    // No two parameters share memory that one of them writes; the pointers of results that grow are reassigned, though.
    const bool is_restrict = var.type().is_memory() && !parameter.out;
    lines.add(fmt::format("{}{} = {};", declarator(var.type(), is_const, is_restrict), var.name(), parameter.place));
  }

  bool is_named(const loop::Parameter& parameter) const {
    return parameter.out || usage_.kernel.used.contains(parameter.var);
  }

  /// Results that the kernel makes without a look at what is there before.
  std::set<loop::Var> made_results(const loop::Stmt& body) const {
    std::set<loop::Var> made = loop::set_before_use(body);
    std::erase_if(made, [&](const loop::Var& var) {
      return std::none_of(module_.parameters.begin(), module_.parameters.end(),
                          [&](const loop::Parameter& each) { return each.out && each.var == var; });
    });
    return made;
  }

  void mark_unused(Lines& lines) const {
    const auto& parameters = module_.parameters;
    const auto used_in = [&](const std::string& name) {
      return std::any_of(parameters.begin(), parameters.end(),
                         [&](const loop::Parameter& each) { return is_named(each) && is_in(each.place, name); });
    };
    if (!usage_.kernel.needs_context && !used_in("ctx")) lines.add("(void)ctx;");
    for (const std::string& each : module_.arguments) {
      if (!used_in(each)) lines.add(fmt::format("(void){};", each));
    }
  }

  std::string kernel_function() {
    NameSupply names;
    for (const std::string& each : module_.arguments) names.reserve(each);
    for (const loop::Parameter& each : module_.parameters) names.reserve(each.var.name());
    for (const loop::Function& each : module_.functions) names.reserve(each.name);
    reserve_names(names, module_.body);

    Lines lines;
    prototype(lines, " {");
    lines.indent();
    mark_unused(lines);
    if (!checked_.empty())
      lines.add(
          fmt::format("if (!{}) return LACUNA_BAD_ARGUMENT;", argument_check_call(check_name(), module_, checked_)));
    const loop::Stmt& body = module_.body;
    const std::set<loop::Var> made = made_results(body);
    for (const loop::Parameter& each : module_.parameters) {
      if (is_named(each) && !made.contains(each.var)) bind(lines, each);
    }
    lines.add_unindented("");
    std::set<loop::Var> aliased = usage_.kernel.moved;
    for (const loop::Parameter& each : module_.parameters)
      if (each.out) aliased.insert(each.var);
    std::vector<std::string> tasks;
    const FunctionText text{usage_.kernel, std::move(aliased), tasks};
    StatementPrinter printer(lines, expressions_, requirements_, usage_, names, text);
    printer.declare_when_set(made);
    printer.print(body);
    for (const loop::Parameter& each : module_.parameters) {
      if (each.out) lines.add(fmt::format("{} = {};", each.place, each.var.name()));
    }
    if (!checked_.empty()) describe_results(lines, module_, checked_);
    lines.add("return LACUNA_OK;");
    lines.outdent();
    lines.add("}");
    return fmt::format("{}{}", fmt::join(tasks, ""), lines.text());
  }

  std::string entry(const std::string& name) const {
    std::string call = fmt::format("{}(ctx", module_.name);
    for (std::size_t k = 0; k < module_.arguments.size(); k++) call += fmt::format(", arguments[{}]", k);
    const std::string unused = module_.arguments.empty() ? "  (void)arguments;\n" : "";
    return fmt::format("int32_t {}(lacuna_context *ctx, lacuna_tensor *const *arguments) {{\n{}  return {});\n}}\n",
                       name, unused, call);
  }

  const Module& module_;
  loop::ModuleUsage usage_;
  Requirements requirements_;
  ExpressionPrinter expressions_;
  std::vector<ArgumentFormat> checked_;
};

}  // namespace

CSource print_c(const Module& module, std::vector<ArgumentFormat> checked) {
  check_names(module);
  return ModulePrinter(module, std::move(checked)).print();
}

}  // namespace lacuna
