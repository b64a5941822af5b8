#pragma once

#include <map>
#include <string>
#include <vector>

#include "lacuna/dynamic/code/program.h"

namespace lacuna::schema {

/// What the parts of the checker share: the level, and the variables that can be seen where the checker is.
class CodeScope {
 public:
  CodeScope(const LevelProgram& of_level, const NodeSchema& nodes, const Source& text)
      : program(of_level), schema(nodes), source(text) {}

  /// The type that a name stands for. Throws Error when there is none.
  CodeType resolve(const Name& name) const;

  void open() { blocks_.emplace_back(); }
  void close() { blocks_.pop_back(); }
  /// Throws Error when the name is taken where it is declared.
  void declare(const Name& name, const CodeType& type);
  /// The type of a variable; null when there is none of that name.
  const CodeType* find(const std::string& name) const;
  /// The variables that can be seen here.
  std::vector<std::string_view> names() const;

  const LevelProgram& program;
  const NodeSchema& schema;
  const Source& source;

 private:
  struct Known {
    CodeType type;
    Place where;
  };
  std::vector<std::map<std::string, Known>> blocks_;
};

/// Whether a value of one type can be given to a variable of another.
bool fits(const NodeSchema& schema, const CodeType& from, const CodeType& to);

/// Fills in the types of an expression and of what is inside it. Throws Error where they make no sense.
void check_expression(CodeExpr& expr, const CodeScope& scope);

/// The same of the target of an assignment. Throws Error unless it can be assigned to.
void check_target(CodeExpr& target, const CodeScope& scope);

/// Throws Error unless `value` fits; `what` says what of: "the variable n".
void require_fits(const CodeExpr& value, const CodeType& to, std::string_view what, const CodeScope& scope);

/// Checks the statements of a function.
void check_body(CodeFunction& function, CodeScope& scope);

/// Throws Error unless the functions that have a meaning are declared as they must be.
void check_signatures(const LevelProgram& program, const NodeSchema& schema, const Source& source);

/// Fills in what functions touch; afterwards, throws Error where something that changes nodes is a part of an
/// expression, since the order in which parts are evaluated must not matter.
void find_effects(LevelProgram& program, const NodeSchema& schema);
void check_calls_stand_alone(const LevelProgram& program, const Source& source);

}  // namespace lacuna::schema
