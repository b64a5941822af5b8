#pragma once

#include "lacuna/dynamic/lower/structure.h"

// The functions that bodies need beside their own: nodes and arrays come from memory that the caller made room in, so
// none of them allocates.
namespace lacuna::dynamic {

/// The names of a level's functions in the module, its own and the helpers.
struct FunctionNames {
  /// Takes the names from `names`, those of the module.
  FunctionNames(const Structure& structure, const schema::LevelProgram& program, loop::NameSupply& names);

  std::map<std::string, std::string> own;          // by name in the file
  std::map<std::string, std::string> make;         // by node: a new one, empty
  std::map<std::string, std::string> clear;        // by node: makes it empty, whatever it held
  std::map<std::string, std::string> remove;       // by node
  std::map<std::string, std::string> resize;       // by "NODE.SIZE"
  std::map<std::string, std::string> lower_bound;  // by "NODE.FIELD"
  std::string hash;
  std::string size_class;
};

/// The node that `NODE_new()` returns has null references, sizes of 0, metadata of 0 and empty slots.
std::vector<loop::Function> node_functions(const Structure& structure, const FunctionNames& names);
/// `NODE_SIZE_resize(n, count)`: gives the arrays of a size `count` slots, of which the first keep what they hold.
std::vector<loop::Function> array_functions(const Structure& structure, const FunctionNames& names);
/// `NODE_FIELD_lower_bound(n, count, key)`, of arrays that store coordinates, and `hash(x)`.
std::vector<loop::Function> search_functions(const Structure& structure, const FunctionNames& names);

/// What is handed to helpers beside their own arguments.
std::vector<loop::Var> memory_of_clear(const Structure& structure, const NodeRecord& node);
std::vector<loop::Var> memory_of_new(const Structure& structure, const NodeRecord& node);
std::vector<loop::Var> memory_of_delete(const Structure& structure, const NodeRecord& node);
std::vector<loop::Var> memory_of_resize(const Structure& structure, const Pool& pool);
std::vector<loop::Var> memory_of_search(const Structure& structure, const NodeRecord& node, const std::string& field);

/// A call of a function that gets memory first.
loop::Expr call(const std::string& function, const std::vector<loop::Var>& memory, std::vector<loop::Expr> arguments,
                loop::IrType result);

}  // namespace lacuna::dynamic
