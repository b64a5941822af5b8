#include "lacuna/codegen/c/arguments.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lacuna {
namespace {

/// LACUNA_INT32, …
std::string constant_of(Type type) {
  std::string name(type_name(type));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return "LACUNA_" + name;
}

std::vector<std::string> conditions_of(const loop::Module& module, const std::vector<ArgumentFormat>& formats) {
  std::vector<std::string> all;
  for (const ArgumentFormat& f : formats) {
    if (f.is_result) continue;
    const std::string& name = f.argument;
    all.push_back(fmt::format("{0}->version == LACUNA_ABI_VERSION && {0}->order == {1} && {0}->type == {2}", name,
                              f.levels.size(), constant_of(f.type)));
    for (std::size_t k = 0; k < f.levels.size(); ++k)
      all.push_back(fmt::format("{0}->levels[{1}].kind == {2} && {0}->mode_of_level[{1}] == {3}", name, k,
                                f.levels[k].kind, f.levels[k].mode));
  }
  for (const loop::Parameter& parameter : module.parameters) {
    const std::optional<std::string> array = descriptor_array(parameter);
    if (array && !parameter.out)
      all.push_back(fmt::format("{0}.type == {1} && {0}.space == LACUNA_HOST", *array,
                                constant_of(loop::element_type(parameter.var.type()).scalar)));
  }
  return all;
}

/// The arguments that some condition is about.
std::vector<std::string> looked_at(const loop::Module& module, const std::vector<std::string>& conditions) {
  std::vector<std::string> names;
  for (const std::string& each : module.arguments) {
    const auto is_about = [&](const std::string& condition) { return condition.starts_with(each + "->"); };
    if (std::any_of(conditions.begin(), conditions.end(), is_about)) names.push_back(each);
  }
  return names;
}

}  // namespace

std::optional<std::string> descriptor_array(const loop::Parameter& parameter) {
  constexpr std::string_view data = ".data";
  const bool is_array = parameter.var.type().kind == loop::IrType::Kind::Array;
  if (!is_array || !parameter.place.ends_with(data)) return std::nullopt;
  return parameter.place.substr(0, parameter.place.size() - data.size());
}

std::string argument_check(const std::string& name, const loop::Module& module,
                           const std::vector<ArgumentFormat>& formats) {
  const std::vector<std::string> conditions = conditions_of(module, formats);
  std::vector<std::string> parameters;
  for (const std::string& each : looked_at(module, conditions)) parameters.push_back("const lacuna_tensor *" + each);
  if (parameters.empty()) parameters.emplace_back("void");
  Lines lines;
  lines.add("// Whether the operands have the formats, and all arrays the widths, that the kernel is made for.");
  lines.add_list(fmt::format("static int32_t {}(", name), parameters, ") {");
  lines.indent();
  lines.add(
      fmt::format("return {};", conditions.empty() ? "1" : fmt::format("{}", fmt::join(conditions, " &&\n         "))));
  lines.outdent();
  lines.add("}");
  return lines.text() + "\n";
}

std::string argument_check_call(const std::string& name, const loop::Module& module,
                                const std::vector<ArgumentFormat>& formats) {
  return fmt::format("{}({})", name, fmt::join(looked_at(module, conditions_of(module, formats)), ", "));
}

void describe_results(Lines& lines, const loop::Module& module, const std::vector<ArgumentFormat>& formats) {
  for (const ArgumentFormat& f : formats) {
    if (!f.is_result) continue;
    lines.add(fmt::format("{}->version = LACUNA_ABI_VERSION;", f.argument));
    lines.add(fmt::format("{}->order = {};", f.argument, f.levels.size()));
    lines.add(fmt::format("{}->type = {};", f.argument, constant_of(f.type)));
    for (std::size_t k = 0; k < f.levels.size(); ++k)
      lines.add(fmt::format("{}->levels[{}].kind = {};", f.argument, k, f.levels[k].kind));
  }
  for (const loop::Parameter& parameter : module.parameters) {
    const std::optional<std::string> array = descriptor_array(parameter);
    if (!array || !parameter.out) continue;
    lines.add(fmt::format("{}.type = {};", *array, constant_of(loop::element_type(parameter.var.type()).scalar)));
    lines.add(fmt::format("{}.space = LACUNA_HOST;", *array));
  }
}

}  // namespace lacuna
