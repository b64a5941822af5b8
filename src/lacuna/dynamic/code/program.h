#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lacuna/dynamic/schema/code_words.h"
#include "lacuna/dynamic/schema/level.h"
#include "lacuna/dynamic/schema/source.h"

// The functions of a level file as values: what the parser reads and the checker annotates (docs/reference/levels.md
// explains the language to users).
namespace lacuna::schema {

/// The type of an expression of a function.
struct CodeType {
  enum class Kind : std::uint8_t {
    Void,  // of a function that returns nothing
    Int,   // 64 bits, whatever the field has that it is read from
    Bool,
    Coord,      // converts to Int and back
    Value,      // opaque: only copied
    Place,      // of an entry's value, or nothing
    Elem,       // a coordinate with a value: n.e[k], elems[k], elem(c, v)
    Elements,   // a sequence of elements that build gets
    Node,       // a reference to a node of type `name`, or null
    Supertype,  // a reference to any node of the supertype `name`, or null
    Null,       // the literal alone
  };
  Kind kind = Kind::Void;
  std::string name = {};
  bool operator==(const CodeType&) const = default;
  bool is_number() const { return kind == Kind::Int || kind == Kind::Coord; }
  bool is_reference() const { return kind == Kind::Node || kind == Kind::Supertype || kind == Kind::Null; }
};
/// "int", "bool", "a reference to NODE", …
std::string describe(const CodeType& type);

struct CodeExpr;
using CodeExprs = std::vector<CodeExpr>;

enum class CodeOp : std::uint8_t { Or, And, Eq, Ne, Lt, Le, Gt, Ge, Add, Sub, Mul, Div, Mod, Not, Negate };

/// What `base.name` or `base.name[index]` turns out to be.
enum class MemberKind : std::uint8_t {
  Unknown,
  Pair,        // n.e[k]
  Coordinate,  // n.ec[k]
  Value,       // n.ev[k]
  Difference,  // n.ed[k]
  Child,       // n.l, n.c[k]
  Parent,      // n.p
  Size,        // n.B
  Metadata,    // n.c
  State,       // state.node
  Count,       // elems.size
  PairCoord,   // elems[k].c
  PairValue,   // elems[k].v
};

// clang-format off
struct NumberLiteral { std::int64_t value = 0; };
struct BoolLiteral { bool value = false; };
struct NullLiteral {};
struct NothingLiteral {};
struct Use { std::string name; };                       // a variable, a parameter or a constant of the schema
struct Operation { CodeOp op = CodeOp::Add; CodeExprs operands; };
struct At { CodeExprs parts; };                         // elems[k]: the sequence and the position
struct Access {                                         // base.name, base.name[index]
  CodeExprs base;                                       // one; none of the state
  Name name;
  CodeExprs index;                                      // one or none
  MemberKind kind = MemberKind::Unknown;                // from here on filled in by the checker
  std::string node;                                     // whose field it is
  std::string field;                                    // of the schema
};
struct CallExpr { Name function; CodeExprs arguments; Builtin builtin = Builtin::None; };
struct NewNode { Name node; };
struct IsNode { CodeExprs operand; Name node; };
// clang-format on

struct CodeExpr {
  std::variant<NumberLiteral, BoolLiteral, NullLiteral, NothingLiteral, Use, Operation, At, Access, CallExpr, NewNode,
               IsNode>
      kind;
  Place where;
  CodeType type;  // filled in by the checker
};

struct CodeStmt;
using CodeBlock = std::vector<CodeStmt>;

/// `n is leaf x` binds x in the branch or body; any other condition binds nothing.
struct Condition {
  CodeExpr expr;
  std::optional<Name> binding;
};
enum class AssignOp : std::uint8_t { Set, Add, Sub };

// clang-format off
struct LetStmt { Name name; std::optional<Name> type_name; CodeExpr value; CodeType type; };
struct AssignStmt { CodeExpr target; AssignOp op = AssignOp::Set; CodeExpr value; };
struct IfStmt { Condition condition; CodeBlock then_branch; CodeBlock else_branch; };
struct WhileStmt { Condition condition; CodeBlock body; };
struct ReturnStmt { std::optional<CodeExpr> value; };
struct BreakStmt {};
struct DeleteStmt { CodeExpr node; };
struct CallStmt { CodeExpr call; };
// clang-format on

struct CodeStmt {
  std::variant<LetStmt, AssignStmt, IfStmt, WhileStmt, ReturnStmt, BreakStmt, DeleteStmt, CallStmt> kind;
  Place where;
};

/// A parameter, or a field of the state.
struct Variable {
  Name name;
  Name type_name;
  CodeType type;
};

/// What a function touches, itself or through those that it calls; filled in by the checker.
struct Effects {
  std::set<std::string> nodes;   // whose fields it reads or writes
  std::set<std::string> arrays;  // "NODE.SIZE" of the arrays without bound that it reads or writes
  bool memory = false;           // makes or deletes nodes, or changes the size of arrays without bound
  bool state = false;            // reads or writes the state
  bool changes = false;          // writes anything
  bool operator==(const Effects&) const = default;
};

struct CodeFunction {
  Name name;
  std::vector<Variable> parameters;
  std::optional<Name> result_name;
  CodeType result;
  CodeBlock body;
  Effects effects;
};

/// The functions of a level, checked.
struct LevelProgram {
  std::vector<Variable> state;
  std::vector<CodeFunction> functions;
};
/// Null when there is no such function.
const CodeFunction* find_function(const LevelProgram& program, std::string_view name);

/// Reads and checks the state and the functions of a level. `source` is the text that `level` was read from, or
/// nothing for one that a program made. Throws Error at the first thing that makes no sense.
LevelProgram read_program(const LevelDefinition& level, const Source& source);

/// The parts of read_program: what is written, and what it means.
LevelProgram parse_program(const LevelDefinition& level, const Source& source);
void check_program(LevelProgram& program, const NodeSchema& schema, const Source& source);

}  // namespace lacuna::schema
