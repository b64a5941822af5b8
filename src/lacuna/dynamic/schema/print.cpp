#include <fmt/ranges.h>

#include "lacuna/dynamic/schema/level.h"

namespace lacuna::schema {
namespace {

std::string text_of(const Number& number) {
  return number.constant.empty() ? fmt::format("{}", number.value) : number.constant;
}

std::string text_of(const std::optional<ArraySize>& array) {
  if (!array) return {};
  const auto* const name = std::get_if<Name>(&*array);
  return fmt::format("[{}]", name != nullptr ? name->text : text_of(std::get<Number>(*array)));
}

struct TypeText {
  std::string operator()(const ElementField& element) const {
    std::string text = with_suffix("elem", element);
    if (element.differences) text += fmt::format(" diff {}", type_name(element.differences->type));
    return text;
  }
  std::string operator()(const ChildField& child) const { return with_suffix(child.type.text, child); }
  std::string operator()(const SizeField& size) const {
    if (!size.range) return "size";
    return fmt::format("size in [{}, {}]", text_of(size.range->least),
                       size.range->most ? text_of(*size.range->most) : "*");
  }
  std::string operator()(const MetadataField& metadata) const { return std::string(type_name(metadata.type)); }
  std::string operator()(const ParentField&) const { return "parent"; }

  template <typename T>
  static std::string with_suffix(std::string_view word, const T& field) {
    return fmt::format("{}{}{}", word, text_of(field.array), field.nonempty ? " nonempty" : "");
  }
};

std::string text_of(const SequenceEntry& entry) {
  std::vector<std::string_view> names;
  for (const Name& name : entry.fields) names.push_back(name.text);
  const std::string joined = fmt::format("{}", fmt::join(names, ", "));
  return entry.braces ? "{" + joined + "}" : joined;
}

std::string text_of(const NodeType& node) {
  std::string text = "def " + node.name.text;
  if (node.supertype) text += " : " + node.supertype->text;
  text += " {\n";
  for (const Field& field : node.fields) {
    text += fmt::format("  {} : {}\n", field.name.text, std::visit(TypeText(), field.type));
  }
  std::vector<std::string> entries;
  for (const SequenceEntry& entry : node.sequence) entries.push_back(text_of(entry));
  if (!entries.empty()) text += fmt::format("  seq = {}\n", fmt::join(entries, ", "));
  return text + "}\n";
}

}  // namespace

std::string to_string(const NodeSchema& schema) {
  std::string text;
  const auto part = [&](const std::string& next) { text += (text.empty() ? "" : "\n") + next; };
  for (const Constant& constant : schema.constants) {
    text += fmt::format("const {} = {}\n", constant.name.text, text_of(constant.value));
  }
  for (const Name& supertype : schema.supertypes) part("def supertype " + supertype.text + "\n");
  for (const NodeType& node : schema.nodes) part(text_of(node));
  return text;
}

std::string to_string(const LevelDefinition& level) {
  std::string text = to_string(level.nodes);
  if (level.state) text += fmt::format("\nstate {{{}}}\n", level.state->text);
  for (const Function& function : level.functions) {
    const std::string result = function.result ? fmt::format(" -> {}", function.result->text) : "";
    text +=
        fmt::format("\nfn {}({}){} {{{}}}\n", function.name.text, function.parameters.text, result, function.body.text);
  }
  return text;
}

}  // namespace lacuna::schema
