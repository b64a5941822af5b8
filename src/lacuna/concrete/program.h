#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lacuna/concrete/execution.h"
#include "lacuna/concrete/provenance.h"
#include "lacuna/format/format.h"
#include "lacuna/notation/check.h"
#include "lacuna/notation/expr.h"

/// Concrete index notation: what to compute with the loops, their order and the temporaries made explicit (Kjolstad et
/// al., CGO 2019; SparseLNR, section 4).
namespace lacuna::concrete {

struct StmtNode;
using Stmt = std::shared_ptr<const StmtNode>;

// Statements, listed once.
struct Forall {  // for every value of var: body
  IndexVar var;
  Stmt body;
  Execution how;
};
struct Where {  // run producer, whose temporaries start empty, then consumer, which reads them
  Stmt consumer;
  Stmt producer;
};
struct Assign {  // target = rhs or target += rhs
  Access target;
  bool accumulate = false;
  Expr rhs;
};
struct Sequence {  // one after the other
  std::vector<Stmt> statements;
};

struct StmtNode {
  std::variant<Forall, Where, Assign, Sequence> kind;
};

Stmt forall(const IndexVar& var, Stmt body, Execution how = {});
Stmt where(Stmt consumer, Stmt producer);
Stmt assign(Access target, Expr rhs, bool accumulate = false);
Stmt sequence(std::vector<Stmt> statements);  // one statement is itself

template <typename... Fs>
decltype(auto) match(const Stmt& s, Fs&&... fs) {
  return std::visit(Overloaded{std::forward<Fs>(fs)...}, s->kind);
}

/// What a tensor is to the program.
enum class Role : std::uint8_t {
  Operand,
  Result,
  Scalar,         // a temporary of order 0
  Workspace,      // a temporary with room for any coordinates
  PatternValues,  // a temporary with a value for each entry of an operand, and for nothing else
};

/// How the kernel makes the result (DESIGN section 5).
enum class Assembly : std::uint8_t {
  Random,         // every level is dense or a bitmap: stores at any coordinate
  Append,         // dense levels, then compressed ones, then dense ones; coordinates come in level order
  Insert,         // dense levels, then a compressed one: entries are counted first, then stored where the sums say
  SharedPattern,  // the pattern of one operand's first levels: only values are computed
  Stream,         // (coordinates, value) in any order with repetitions; sorted and coalesced after the kernel
};

/// Integer types of one level's arrays.
struct LevelWidths {
  Type pos = Type::Int64;
  Type crd = Type::Int32;
  bool operator==(const LevelWidths&) const = default;
};

/// A tensor of the program.
struct Tensor {
  TensorVar var;
  Role role = Role::Operand;
  Format format;
  Type type = Type::Float64;
  std::vector<LevelWidths> widths;  // by level
  bool piece = false;               // arrays have a base and levels an origin (a piece of a larger tensor)
  std::optional<TensorVar> pattern =
      std::nullopt;       // PatternValues: the operand whose entries, format and widths it has
  bool as_asked = false;  // Workspace: its format was chosen by a user
  // Result:
  Assembly assembly = Assembly::Random;
  std::string pattern_operand = {};  // SharedPattern: whose
  int pattern_levels = 0;            // SharedPattern: the first levels are that operand's, the others dense
  /// Whether the program makes it, and nobody else sees it.
  bool is_temporary() const { return role != Role::Operand && role != Role::Result; }
};

/// A scheduled statement, or several whose loops were joined (join.h): the loops, the tensors, and how the results are
/// assembled.
struct Program {
  std::string name = "kernel";
  std::string text;  // the index notation that it computes
  Stmt root;
  std::vector<Tensor> tensors;               // the results first, then operands, then temporaries
  std::map<IndexVar, std::int64_t> extents;  // of the statement's variables
  Provenance provenance;                     // of those that the schedule made
  Type compute = Type::Float64;              // the type that the right side is computed in
  std::vector<std::string> notes;            // what the schedule did unasked, for people

  /// The only result, or the first of several.
  const Tensor& result() const { return tensors.front(); }
  Tensor& result() { return tensors.front(); }
  std::span<const Tensor> results() const;
  const Tensor* find(const TensorVar& var) const;
  const Tensor& at(const TensorVar& var) const;
  /// The tensor whose arrays say where the entries of a tensor are: itself, or the operand whose pattern it has.
  const TensorVar& stored_by(const TensorVar& var) const;
  FactsByName facts() const;  // types by name, temporaries included
};

/// One statement a line, two spaces an indent:  forall i / y(i) = t where / forall j / t += A(i,j)*x(j).
std::string to_string(const Stmt& s);
std::string to_string(const Program& p);

/// Throws InternalError for a malformed program: a variable bound twice or used unbound, a temporary read before it is
/// produced, unknown tensors.
void verify(const Program& p);

}  // namespace lacuna::concrete
