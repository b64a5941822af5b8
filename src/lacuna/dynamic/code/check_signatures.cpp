#include <array>

#include <fmt/ranges.h>

#include "lacuna/dynamic/code/check_types.h"
#include "lacuna/dynamic/schema/properties.h"

namespace lacuna::schema {
namespace {

using Kind = CodeType::Kind;

/// How a function that the compiler calls is declared; Node stands for the root's type.
struct Signature {
  std::string_view name;
  std::vector<std::pair<std::string_view, Kind>> parameters;
  Kind result;
};

const std::array<Signature, 7>& signatures() {
  static const std::array<Signature, 7> all{
      {{"append_first", {{"root", Kind::Node}, {"c", Kind::Coord}, {"v", Kind::Value}}, Kind::Void},
       {"append_rest", {{"c", Kind::Coord}, {"v", Kind::Value}}, Kind::Void},
       {"build", {{"root", Kind::Node}, {"elems", Kind::Elements}}, Kind::Void},
       {"find", {{"root", Kind::Node}, {"c", Kind::Coord}}, Kind::Place},
       {"insert", {{"root", Kind::Node}, {"c", Kind::Coord}, {"v", Kind::Value}}, Kind::Place},
       {"erase", {{"root", Kind::Node}, {"c", Kind::Coord}}, Kind::Bool},
       {"check", {{"root", Kind::Node}}, Kind::Bool}}};
  return all;
}

std::string word(const CodeType& type) { return type.name.empty() ? describe(type) : type.name; }

std::string text_of(const Signature& signature, const std::string& root) {
  const auto type = [&](Kind kind) { return word(kind == Kind::Node ? CodeType{kind, root} : CodeType{kind}); };
  std::vector<std::string> parameters;
  for (const auto& [name, kind] : signature.parameters) parameters.push_back(fmt::format("{} : {}", name, type(kind)));
  const std::string result = signature.result == Kind::Void ? "" : " -> " + type(signature.result);
  return fmt::format("fn {}({}){}", signature.name, fmt::join(parameters, ", "), result);
}

bool matches(const CodeFunction& function, const Signature& signature, const std::string& root) {
  if (function.result.kind != signature.result || function.parameters.size() != signature.parameters.size())
    return false;
  for (std::size_t k = 0; k < function.parameters.size(); ++k) {
    const CodeType& type = function.parameters[k].type;
    if (type.kind != signature.parameters[k].second || (type.kind == Kind::Node && type.name != root)) return false;
  }
  return true;
}

}  // namespace

void check_signatures(const LevelProgram& program, const NodeSchema& schema, const Source& source) {
  const std::string root = root_of(schema).name.text;
  for (const CodeFunction& function : program.functions) {
    for (const Signature& signature : signatures()) {
      if (signature.name != function.name.text || matches(function, signature, root)) continue;
      fail_at(source, function.name.where, "{} has a meaning and is declared so: {}", function.name.text,
              text_of(signature, root));
    }
  }
}

void check_program(LevelProgram& program, const NodeSchema& schema, const Source& source) {
  CodeScope scope(program, schema, source);
  for (Variable& each : program.state) {
    each.type = scope.resolve(each.type_name);
    if (each.type.kind == Kind::Elements || each.type.kind == Kind::Elem || each.type.kind == Kind::Value) {
      fail_at(source, each.type_name.where, "the state holds integers, bools, coordinates, places and references");
    }
    for (const Variable& other : program.state) {
      if (&other == &each) break;
      if (other.name.text != each.name.text) continue;
      fail_at(source, each.name.where, "the state has a field {} already", each.name.text);
    }
  }
  for (CodeFunction& function : program.functions) {
    if (function.result_name) function.result = scope.resolve(*function.result_name);
    if (function.result.kind == Kind::Elements || function.result.kind == Kind::Elem) {
      fail_at(source, function.result_name->where, "a function returns one number, bool, value, place or reference");
    }
    for (Variable& parameter : function.parameters) {
      parameter.type = scope.resolve(parameter.type_name);
      if (parameter.type.kind != Kind::Elem) continue;
      fail_at(source, parameter.type_name.where, "an element is passed in parts: c : coord, v : value");
    }
  }
  check_signatures(program, schema, source);
  for (CodeFunction& function : program.functions) check_body(function, scope);
  find_effects(program, schema);
  check_calls_stand_alone(program, source);
}

}  // namespace lacuna::schema
