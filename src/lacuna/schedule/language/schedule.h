#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lacuna/concrete/execution.h"
#include "lacuna/format/format.h"
#include "lacuna/notation/expr.h"

namespace lacuna {

/// The directives of a schedule as values. Variables and tensors go by name: those of the statement, and those that
/// directives before made.
namespace directive {

/// A dimension of the machine that a statement runs on, where its size is meant: M.x, M.y, M.z, or M[1].x of the grids
/// within.
struct MachineAxis {
  int level = 0, dimension = 0;
  bool operator==(const MachineAxis&) const = default;
};
/// split(i,io,ii,n): i in pieces of n iterations; io counts the pieces. divide(i,io,ii,n): i in n pieces.
struct Split {
  std::string variable, outer, inner;
  std::int64_t size = 1;
  bool in_pieces = false;                // divide
  std::optional<MachineAxis> axis = {};  // the number is this dimension's size, and `size` is not known yet
};
/// reorder(i,j,…): the loops of these variables in this order, others stay where they are.
struct Reorder {
  std::vector<std::string> variables;
};
/// fuse(i,j,f), alias collapse: one loop over the pairs of two loops, j directly inside i.
struct Fuse {
  std::string outer, inner, fused;
};
/// pos(i,ip,A): the positions that A stores instead of coordinates. A is a tensor's name, or an access where it is
/// used with several lists of variables.
struct Pos {
  std::string variable, position;
  Expr access;  // A(i,j), or A without indices
};
/// bound(i,ib,n,min|max|exact): a promise about i's extent, checked when the kernel is run.
struct Bound {
  std::string variable, bounded;
  std::int64_t size = 0;
  concrete::BoundKind kind = concrete::BoundKind::Exact;
};
/// unroll(i,n): n iterations at a time.
struct Unroll {
  std::string variable;
  int factor = 1;
};
/// prefetch(i,n): what the coordinates of i lead to is asked for n turns ahead.
struct Prefetch {
  std::string variable;
  int turns = 1;
};
/// parallelize(i,UNIT,RACE), vectorize(i): who runs the iterations.
struct Parallelize {
  std::string variable;
  concrete::Unit unit = concrete::Unit::CpuThread;
  concrete::Race race = concrete::Race::NoRaces;
};
/// precompute(e,{i,…},{iw,…}[,name][,format]): e is computed first, into a workspace over i,…, by loops over iw,….
/// Where e is the result, what is assigned to it is collected there.
struct Precompute {
  Expr expr;
  std::vector<std::string> variables, producer_variables;
  std::optional<Format> format;  // none: dense where e has a value everywhere, else sparse
  std::string name;              // of the workspace; empty: a fresh one
};
/// loopfuse(n): n times, what the last operands of a product multiply is computed first, in loops of its own below
/// those that both need. loopfuse(k|{T,…},left|right[,{step,…}[,loops]]): one product, split where it is said.
struct LoopFuse {
  enum class Side : std::uint8_t { Left, Right };
  /// One step of a path through a branched nest: into a branch, or to the term of this number.
  struct Step {
    enum class Kind : std::uint8_t { Producer, Consumer, Term } kind = Kind::Producer;
    int term = 0;  // counted from 1
    bool operator==(const Step&) const = default;
  };
  int count = 1;                    // how many times; with a side, how many operands are left of the split
  std::vector<Expr> operands;       // left of the split, when they are named: A or A(i,j)
  std::optional<Side> producer;     // which side is computed first; none: n times, wherever it can be done
  std::vector<Step> path;           // from the outermost loop
  std::optional<int> shared_loops;  // how many; none: all that both sides have in common
};
/// substitute({i,j,k},BLAS.gemm): a call (concrete/leaf.h) takes the place of the nest of these loops.
struct Substitute {
  std::vector<std::string> variables;  // in any order
  concrete::Leaf leaf = concrete::Leaf::Gemm;
};
/// assemble(T,Append|Insert): how the result is made.
struct Assemble {
  enum class Strategy : std::uint8_t { Append, Insert } strategy = Strategy::Append;
  std::string tensor;
};
/// mergeby(i,TwoFinger|Gallop): how a loop over several operands finds common coordinates.
struct MergeBy {
  std::string variable;
  concrete::Merge merge = concrete::Merge::TwoFinger;
};
/// transpose(T,m0,m1,…): T is read from a copy whose levels store the modes in this order.
struct Transpose {
  std::string tensor;
  std::vector<int> mode_order;
};

/// distribute(io,jo): the iterations of these loops run on different processors (DISTAL, section 3.3).
/// distribute({i,j},{io,jo},{ii,jj},M): each target is divided by a dimension of the machine, those are reordered to
/// the outside, and distributed. With a tensor in the place of M, or a level of where it lies (B[1]), targets are cut
/// as the tensor is.
struct Distribute {
  std::vector<std::string> variables;     // what is distributed, or the targets
  std::vector<std::string> outer, inner;  // of the compound form; empty in the plain one
  std::vector<std::int64_t> pieces;       // of the compound form: one a target; empty while only the level is known
  int machine_level = 0;                  // of the compound form: 0 in M, 1 in M[1]
  std::string onto = {};                  // of the compound form: the tensor, if any
};
/// communicate({A,B},i): what an iteration of i needs of these tensors is fetched when it begins.
struct Communicate {
  std::vector<std::string> tensors;
  std::string variable;
};
/// rotate(t,{i,…},r): r runs through what t does, but begins as many iterations later as the values of i,… add up to.
struct Rotate {
  std::string variable;
  std::vector<std::string> by;
  std::string rotated;
};

}  // namespace directive

using DirectiveKind =
    std::variant<directive::Split, directive::Reorder, directive::Fuse, directive::Pos, directive::Bound,
                 directive::Unroll, directive::Parallelize, directive::Precompute, directive::LoopFuse,
                 directive::Assemble, directive::MergeBy, directive::Transpose, directive::Prefetch,
                 directive::Substitute, directive::Distribute, directive::Communicate, directive::Rotate>;

struct Directive {
  DirectiveKind kind;
  SourceRange where;  // in the schedule's text, when it was parsed
};

/// How a statement is to be run: directives, applied in order. Empty: everything is chosen automatically.
struct Schedule {
  std::vector<Directive> directives;
  std::string text;  // what the user wrote, when it was text: for carets
  bool empty() const { return directives.empty(); }
};

/// Parses "split(i,io,ii,32), parallelize(io,CPUThread,NoRaces)"; directives are separated by commas, semicolons or
/// newlines. Throws Error with a caret at what is wrong, naming the directive and its form.
Schedule parse_schedule(std::string_view text);

/// The text of a directive or schedule; parsing it gives an equal one.
std::string to_string(const Directive& d);
std::string to_string(const Schedule& s);

/// Every directive for `lacuna help` and for messages: its name, its form, and one line on what it does.
struct DirectiveHelp {
  std::string_view name, form, summary;
};
const std::vector<DirectiveHelp>& directive_help();
std::string_view name_of(const Directive& d);

}  // namespace lacuna
