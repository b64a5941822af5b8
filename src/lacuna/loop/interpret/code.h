#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "lacuna/loop/interpret/value.h"
#include "lacuna/loop/ir.h"

/// The form in which the interpreter runs a module: a tree of small nodes, each with the function that runs it, in
/// which variables are slots of a frame and fields are offsets.
namespace lacuna::loop::interpreter {

class Machine;
struct FunctionCode;

/// An expression. Which members are used is up to `run`.
struct Code {
  using Run = Value (*)(const Code&, Machine&);
  Run run = nullptr;
  const Code* a = nullptr;  // operands: left, right; condition, if_true, if_false; index, sub; low, high, key
  const Code* b = nullptr;
  const Code* c = nullptr;
  std::int32_t slot = 0;        // of a variable or an array
  std::int32_t other_slot = 0;  // of a dot product's right vector
  std::int32_t operations = 0;  // how many operations on values this counts as
  Type type = Type::Int64;      // of the operands
  FunctionId function{};        // of a Math node
  Value value;                  // of a constant
  std::int64_t offset = 0;      // of a field in its record
  std::int64_t stride = 0;      // between the elements of a field
  std::int64_t extent = 0;      // elements of a field
  const ExprNode* source = nullptr;
  const std::vector<const Code*>* arguments = nullptr;
  const FunctionCode* callee = nullptr;
};

/// How a statement ended.
enum class Flow : std::uint8_t { Next, Break, Return };

/// A statement. Which members are used is up to `run`.
struct Step {
  using Run = Flow (*)(const Step&, Machine&);
  Run run = nullptr;
  const Code* a = nullptr;      // value or condition; low; index; count
  const Code* b = nullptr;      // high; value
  const Code* c = nullptr;      // sub; value of a fill
  std::int32_t slot = 0;        // of a variable or an array
  std::int32_t other_slot = 0;  // of a shelf; of the left matrix
  std::int32_t third_slot = 0;  // of the right matrix
  std::int32_t trips = 0;       // of a loop: which counter
  Type type = Type::Int64;
  std::int64_t step = 1;
  std::int64_t offset = 0;
  std::int64_t stride = 0;
  std::int64_t extent = 0;
  bool flag = false;  // zeroed; atomic
  bool parallel = false;
  const Step* body = nullptr;   // or the then branch
  const Step* setup = nullptr;  // of a parallel loop, or null
  const Step* teardown = nullptr;
  const Step* other = nullptr;
  const std::vector<const Step*>* sequence = nullptr;
  const std::vector<const Code*>* arguments = nullptr;  // of a matrix product, as walk.h lists them
  const StmtNode* source = nullptr;
};

/// What a frame of a function holds.
struct FunctionCode {
  std::string name;
  const Step* body = nullptr;
  IrType result;
  std::vector<Var> parameters;
  std::map<Var, std::int32_t> slots;        // of scalars and references
  std::map<Var, std::int32_t> array_slots;  // of arrays and arenas; parameters come first
  std::vector<Var> locals;                  // arrays that are declared, in the order of their slots
  std::vector<std::int64_t> local_bytes;    // their element sizes
  std::int32_t array_parameters = 0;
};

/// A module ready to run. Nodes never move, so that they can point to each other and to the module's.
struct Program {
  Module module;
  std::deque<Code> codes;
  std::deque<Step> steps;
  std::deque<std::vector<const Code*>> argument_lists;
  std::deque<std::vector<const Step*>> sequences;
  std::deque<FunctionCode> functions;
  FunctionCode kernel;
  std::deque<For> written_out;          // parallel loops with their sums as statements
  std::deque<Stmt> simulated;           // what stands for launches and what is read back
  std::vector<std::string> trip_names;  // by counter
};

/// Throws InternalError when the module names what it does not declare.
std::unique_ptr<const Program> compile(Module module);

}  // namespace lacuna::loop::interpreter
