#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lacuna/support/functions.h"
#include "lacuna/support/scalar.h"

/// The loop IR: a small typed imperative language. It knows arrays, structs in arenas, functions and loops, and no
/// tensors.
namespace lacuna::loop {

struct Record;

/// A type: a scalar, an array of scalars or of references, an arena of records, a reference to a record of an arena (an
/// index, or null), a shelf of arrays, or nothing.
struct IrType {
  enum class Kind : std::uint8_t { Void, Scalar, Array, Arena, Ref, Shelf } kind = Kind::Void;
  Type scalar = Type::Int64;             // Scalar, Array: the (element) type; Ref and arrays of Ref: UInt32; Shelf: the
                                         // element type of its arrays
  std::shared_ptr<const Record> record;  // Arena, Ref and arrays of Ref, shelves of those: the record type
  bool operator==(const IrType&) const = default;
  bool is_scalar() const { return kind == Kind::Scalar; }
  bool is_ref() const { return kind == Kind::Ref; }
  bool is_shelf() const { return kind == Kind::Shelf; }
  /// An array, an arena or a shelf: what is indexed, allocated and released.
  bool is_memory() const { return kind == Kind::Array || kind == Kind::Arena || kind == Kind::Shelf; }
};
IrType scalar_type(Type type);
inline const IrType int64_type = scalar_type(Type::Int64);  // of coordinates, positions and sizes
inline const IrType bits_type = scalar_type(Type::UInt32);  // of references that are not followed, and of states
IrType array_type(Type element);
IrType ref_array_type(std::shared_ptr<const Record> record);  // an array of references: row heads, stacks
IrType arena_type(std::shared_ptr<const Record> record);      // a growable array of records
IrType ref_type(std::shared_ptr<const Record> record);        // 32-bit index into the record's arena; null is all ones
/// A row of places, each of which is empty (null) or keeps the memory of an array: how arrays that parallel iterations
/// made leave the loop.
IrType shelf_type(const IrType& array);
/// The type of the arrays that a shelf keeps.
IrType kept_type(const IrType& shelf);
/// The type of a field that refers to a record, perhaps the field's own. It does not keep the record alive, for nodes
/// refer to themselves and to each other; the module's list of records does.
IrType link_type(const Record& record);
/// What one element of an array is: a scalar or a Ref. Of an arena: nothing (its fields are). Of a shelf: nothing.
IrType element_type(const IrType& array);
/// The bits of the null reference.
inline constexpr std::uint32_t null_ref_bits = 0xFFFFFFFFU;

/// A struct: named fields, each a scalar, a Ref, or a fixed array (count > 0) of those.
struct Field {
  std::string name;
  IrType type;
  std::int64_t count = 0;  // 0: one element, not an array
};
struct Record {
  std::string name;
  std::vector<Field> fields;
  const Field* find(std::string_view field) const;
};

/// A variable: identity is the object. Names are unique within a function (use NameSupply).
class Var {
 public:
  Var(std::string name, IrType type) : data_(std::make_shared<const Data>(Data{std::move(name), std::move(type)})) {}
  const std::string& name() const { return data_->name; }
  const IrType& type() const { return data_->type; }
  bool operator==(const Var& o) const { return data_ == o.data_; }

 private:
  friend struct std::less<Var>;
  struct Data {
    std::string name;
    IrType type;
  };
  std::shared_ptr<const Data> data_;
};

}  // namespace lacuna::loop

/// An arbitrary order, for maps. (Not an operator<: `a < b` of variables is the comparison in the IR.)
template <>
struct std::less<lacuna::loop::Var> {
  bool operator()(const lacuna::loop::Var& a, const lacuna::loop::Var& b) const { return a.data_ < b.data_; }
};

namespace lacuna::loop {

struct ExprNode;
/// An expression: a shared, immutable tree. `Expr()` is none.
class Expr {
 public:
  Expr() = default;
  Expr(const Var& var);       // NOLINT(google-explicit-constructor)
  Expr(const Scalar& value);  // NOLINT(google-explicit-constructor)
  Expr(int value);            // NOLINT(google-explicit-constructor): an Int64 constant
  Expr(std::int64_t value);   // NOLINT(google-explicit-constructor)
  Expr(bool value);           // NOLINT(google-explicit-constructor)
  Expr(double value);         // NOLINT(google-explicit-constructor): a Float64 constant
  explicit Expr(std::shared_ptr<const ExprNode> node) : node_(std::move(node)) {}
  bool defined() const { return node_ != nullptr; }
  const ExprNode& node() const { return *node_; }
  const IrType& type() const;
  Type scalar() const { return type().scalar; }

 private:
  std::shared_ptr<const ExprNode> node_;
};

enum class UnaryOp : std::uint8_t { Negate, Not };
enum class BinaryOp : std::uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Min,
  Max,
  And,
  Or,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  BitAnd,
  BitOr,
  BitXor,
  ShiftLeft,
  ShiftRight
};

/// `.field` or `.field[sub]` of an element of an arena.
struct Member {
  std::string field;
  Expr sub;  // undefined: the field is not an array
};

// clang-format off
// Expressions, listed once. Arithmetic on a type T is done in promote(T) and converted back to T.
struct Constant { Scalar value; };
struct VarUse { Var var; };
struct Unary { UnaryOp op; Expr operand; };  // Negate of the most negative integer wraps
/// Operands have one type. `wraps`: tensor values, which wrap; index arithmetic does not, and the interpreter reports its overflow. Div and Mod
/// of wrapping integers give 0 for a zero divisor. And/Or evaluate the right operand only when needed.
struct Binary { BinaryOp op; Expr left, right; bool wraps = false; };
struct Select { Expr condition, if_true, if_false; };  // evaluates only the chosen one
/// To the node's type, by Scalar::convert's rules. An integer becomes a Ref as an index into the arena, and back.
struct Convert { Expr operand; };
struct Math { FunctionId function; std::vector<Expr> arguments; };  // arguments already of argument_type()
/// `wide`: in a loop of vectors, neighbouring iterations read neighbouring elements (pass vectorize_rows).
struct Load { Var array; Expr index; std::optional<Member> member; bool wide = false; };
struct Invoke { std::string function; std::vector<Expr> arguments; };  // a function of the module
/// The first position p in [low, high) with array[p] >= key, or high. The elements ascend. `near`: the same, found in steps that double
/// from `low` on, for when the answer is likely close to it.
struct LowerBound { Var array; Expr low, high, key; bool near = false; };
/// Elements of an array of Float32 or Float64 that lie so far apart: element n is array[first + n*stride].
struct Vector { Var array; Expr first, stride; };
/// The sum of the products of `count` elements of two vectors, in any order.
struct Dot { Vector left, right; Expr count; };

// clang-format on
struct ExprNode {
  std::variant<Constant, VarUse, Unary, Binary, Select, Convert, Math, Load, Invoke, LowerBound, Dot> kind;
  IrType type;
};

struct StmtNode;
using Stmt = std::shared_ptr<const StmtNode>;

enum class StoreOp : std::uint8_t { Set, Add, Min, Max, Or };
enum class LoopMode : std::uint8_t { Serial, Parallel, Vector };
struct Reduction {
  Var var;
  StoreOp op;
};
/// Each thread of a parallel loop adds to an array of its own, `count` zeros at first, which is added to `total` when
/// the thread is done.
struct OwnSum {
  Var total, own;
  Expr count;
  Var k;                // goes through the elements
  bool reuses = false;  // one thread may take the total itself as its own: the loop does nothing to it but add
};
/// How a parallel loop becomes a function that threads run (pass outline): its name, and what it uses of what is
/// declared around the loop.
struct Task {
  std::string name;
  std::vector<Var> captured;
};

// clang-format off
// Statements, listed once.
/// init undefined: an array or arena without memory yet (null), or a scalar to be assigned before it is read. `size`: an array or arena of so many
/// elements, all zero, that are there while the variable is; small, so that compilers may keep it in registers.
struct Declare { Var var; Expr init; std::int64_t size = 0; };
struct Assign { Var var; Expr value; };
/// `past_caches`: where this is true, nobody reads the element soon, so that it need not stay in a cache; undefined: it should.
struct Store { Var array; Expr index; std::optional<Member> member; StoreOp op; Expr value; bool atomic = false; Expr past_caches = Expr(); };
struct If { Expr condition; Stmt then_branch; Stmt else_branch; };  // else may be null
/// for (var = low; var < high; var += step). The bounds are evaluated once. Parallel: iterations may run in any order and at once;
/// `reductions` are private to each and combined after. Each thread that takes part in a parallel loop runs `setup` before its first
/// iteration and `teardown` after its last one (either may be null); what setup declares is the thread's own, and visible in body and
/// teardown. How many threads there are is not known, and a thread may get no iteration; without iterations there may be no thread.
/// Which threads of a device run an iteration of a parallel loop.
enum class DeviceUnit : std::uint8_t { Thread, Warp, Block };
struct For {
  Var var; Expr low, high; std::int64_t step = 1; Stmt body; LoopMode mode = LoopMode::Serial;
  std::vector<Reduction> reductions = {};
  Stmt setup = nullptr, teardown = nullptr;
  std::vector<OwnSum> sums = {};  // parallel loops: what is declared before the setup, and added up after the teardown
  int lanes = 0;           // vector loops: how many iterations are computed at once, all written out; 0: the compiler of the code chooses
  int unroll = 0;          // serial loops: how many copies of the body a turn of the machine code should hold; 0: the compiler chooses
  std::int64_t grain = 0;  // parallel loops: how many iterations a thread gets at a time; 0: the back end chooses
  bool fixed = false;      // parallel loops: which thread gets an iteration depends on numbers alone (pass partition)
  DeviceUnit unit = DeviceUnit::Thread;  // parallel loops
  bool ordered = false;    // parallel loops: threads run the teardown one after another (pass partition)
  std::shared_ptr<const Task> task = nullptr;  // parallel loops that are outlined
};
struct While { Expr condition; Stmt body; };
struct Block { std::vector<Stmt> statements; };  // a scope only where C needs one
struct Comment { std::string text; };            // one line, no markup
struct Allocate { Var array; Expr count; bool zeroed; };  // array was declared or is an Out parameter; failure ends the kernel; shelves are zeroed: empty
struct Resize { Var array; Expr count; };        // keeps the old elements; grows or shrinks
struct Release { Var array; };                   // a shelf must be empty
struct Keep { Var shelf; Expr index; Var array; };  // moves the array's memory to the shelf, where there is none, and leaves the array null
struct Take { Var array; Var shelf; Expr index; };  // moves it back and leaves the place of the shelf null
// Ascending, integers. With `marks`: they are the places of all marks in marks[0, places) that are not zero.
struct Sort { Var array; Expr low, high; std::optional<Var> marks; Expr places; };
struct Fill { Var array; Expr low, high, value; };
/// A part of an array of Float32 or Float64 as a matrix: element (r, c) is array[first + r*stride + c] or, transposed, array[first + c*stride + r].
struct Matrix { Var array; Expr first, stride; bool transposed = false; };
/// The functions of BLAS that change an array.
enum class Routine : std::uint8_t {
  Gemm,
  Gemv,  // of one column
  Ger,   // whose inner size is 1; it adds
  Axpy,  // of one column and inner size 1, without a matrix on the right; it adds
};
/// target = scalar left right or, if it adds, target += scalar left right, of rows x inner and inner x columns, in any order of the sums. The
/// target, which is not transposed, shares no element with the others; stored before it is read unless it adds. Vectors are matrices of one
/// column or, transposed, of one row, whose stride is that between their elements.
struct MatrixProduct {
  Matrix target, left; std::optional<Matrix> right; Expr rows, columns, inner; bool adds = false;
  Expr scalar = Expr();  // undefined: 1
  Routine routine = Routine::Gemm;
};
struct Prefetch { Var array; Expr index; };      // a hint that the element is read soon; it is there
struct Fence {};                                 // what this thread stored past the caches is there for all threads from now on
/// Runs the body on a device, once for each thread of `blocks` blocks of `threads` threads each, in any order and at once; no blocks run
/// nothing. In the body, `block` and `thread` say which one it is. It sees what is captured, in whose arrays it may store, and assigns no scalar of the host's.
struct Launch { std::string name; Var block, thread; Expr blocks; std::int64_t threads = 1; Stmt body; std::vector<Var> captured; };
struct ReadBack { Var var; Var array; Expr index; };  // the scalar becomes an element of an array that is on a device
/// In a launch: `var` becomes what another thread of the block has of `value`: the one whose number differs in the bits of `offset`, a power
/// of two. So do all of the `group` threads that begin at a multiple of it, which wait for each other here.
struct Exchange { Var var, value; std::int64_t offset, group; };
/// In a launch: the `group` threads that begin at a multiple of it wait here for each other. What they stored before is there for all of them after.
struct Barrier { std::int64_t group; };
struct Evaluate { Expr call; };
struct Return { Expr value; };                   // undefined in void functions
struct Break {};
// clang-format on

struct StmtNode {
  std::variant<Declare, Assign, Store, If, For, While, Block, Comment, Allocate, Resize, Release, Keep, Take, Sort,
               Fill, MatrixProduct, Prefetch, Fence, Launch, ReadBack, Exchange, Barrier, Evaluate, Return, Break>
      kind;
};

/// A statement of one of these kinds.
template <typename Kind>
Stmt make_stmt(Kind kind) {
  return std::make_shared<const StmtNode>(StmtNode{std::move(kind)});
}

/// A parameter of the kernel: a variable bound on entry from `place` of an argument descriptor (C text such as
/// "A->levels[1].pos.data", opaque here). `out`: written back to the place at the end (arrays that the kernel
/// allocated, counts). `written`: array elements are stored to.
struct Parameter {
  Var var;
  std::string place;
  bool out = false;
  bool written = false;
};

/// A helper function. Scalars and references are passed by value. Arrays and arenas are passed as pointers: their
/// elements may be stored to, but they cannot be allocated, resized or released inside.
struct Function {
  std::string name;
  std::vector<Var> parameters;
  IrType result;
  Stmt body;
};

struct Module {
  std::string name;                    // of the kernel, an identifier
  std::string description;             // one line: the statement that it computes
  std::vector<std::string> arguments;  // descriptor names, result first, identifiers
  std::vector<std::shared_ptr<const Record>> records;
  std::vector<Function> functions;  // in an order in which callees come first, or mutually recursive
  std::vector<Parameter> parameters;
  Stmt body;
};

/// Whether C, C++ or the headers of generated C have this name already, so that nothing else can have it.
bool is_name_of_c(const std::string& name);

/// Hands out names that are unique, valid C identifiers and no keywords, close to the wanted ones: i, i_2, …
class NameSupply {
 public:
  std::string unique(const std::string& wanted);
  void reserve(const std::string& name) { used_.push_back(name); }

 private:
  std::vector<std::string> used_;
};

}  // namespace lacuna::loop
