#include "tools/topics.h"

#include <fmt/format.h>

#include "lacuna/support/environment.h"
#include "lacuna/support/functions.h"
#include "tools/schedule_help.h"

namespace lacuna::tool {
namespace {

std::string notation() {
  return R"(A statement computes one tensor from others:

  y(i) = A(i,j) * x(j)                 matrix times vector: j is not on the left, so it is summed over
  C(i,k) = A(i,j) * B(j,k)             matrix product
  A(i,j) = B(i,j) * C(i,k) * D(j,k)    sampled product: computed only where B stores something
  s = x(i) * x(i)                      a scalar has no indices
  y(i) += A(i,j) * x(j)                adds to the old y (give it with -i y=…)
  d(i) = A(i,i)                        the diagonal
  B(j,i) = A(i,j)                      a transpose

Operators are + - * / and unary minus; 'lacuna help functions' lists the functions; float32(e), or
cast(float32, e), converts.
Each term of a sum is summed over its own variables that the left side lacks: in y(i) = b(i) + A(i,j)*x(j)
only the product is. sum(j, e) says it explicitly, anywhere. An addition inside a product whose addends do not
all use a summed variable is refused, because it could mean two things: write sum(…).
A name without indices is a scalar tensor, or, if it is also used as an index, that index's value.
An entry that is not stored makes a product absent, whatever the other side holds.
)";
}

std::string formats() {
  return R"(A format says how each level of a tensor is stored, outermost first.

Names:    dense, csr, csc, dcsr, dcsc (order 2), coo, csf = sparse, bitmap, hashed
Lists:    dense,compressed      levels by name: dense, compressed, singleton, bitmap, hashed
          compressed(unordered), compressed(nonunique)      with properties
Letters:  ds = dense,compressed; d dense, s compressed, u compressed not unique, q singleton, c singleton not
          unique, b bitmap, h hashed
Order:    ds:1,0                columns outside, rows inside: the same as csc
Dynamic:  d,btree               lists and trees that level files define, for results: those in LACUNA_LEVELS, then the
                                built-in ones (blist, bst, btree, ctree, …)

  lacuna run 'y(i) = A(i,j) * x(j)' -i A=A.mtx -i x=dense -f A:dcsr
  lacuna run 'C(i,j) = A(i,j) + B(i,j)' -i A=A.mtx -i B=B.mtx -f C:dense,compressed

Without -f an operand takes the natural format of its file: csr for a coordinate .mtx, dense for an array .mtx,
csf for .tns, csc for .rb, dense for .npy, as saved for .npz; generated data are dense or csr or csf. A result's level is compressed where every term
has some sparse operand that binds its variable, else dense.
)";
}

std::string functions() {
  std::string text = "Functions of index notation:\n\n";
  for (const FunctionInfo& each : function_table()) {
    std::string call(each.name);
    for (int k = 0; k < each.arity; ++k) call += (k == 0 ? "(" : ",") + std::string(1, static_cast<char>('a' + k));
    text += fmt::format("  {:<18} {}\n", call + ")", each.meaning);
  }
  return text + "\nBesides these: sum(variable, e), and type(e) or cast(type, e).\n";
}

std::string generators() {
  return R"(Where -i NAME=SOURCE may take an operand from:

  A.mtx, B.tns.gz, …          a file: Matrix Market (.mtx, .ttx), FROSTT (.tns), Rutherford-Boeing (.rb, .hb, .rua, …),
                              NumPy (.npy), SciPy (.npz); or a pipe, as /dev/stdin
  2.5                         a number, for a tensor without indices
  dense                       random values everywhere
  random:0.01                 random values in one entry of a hundred
  uniform:100x200,nnz=500     that many entries at random; any order
  skewed:100x200x50,nnz=500,skew=1.5     the same with a power law in every mode
  rmat:1000x1000,nnz=8000     a power-law graph
  banded:1000x1000,band=2     every entry within 2 of the diagonal
  stencil2d:100x100           the 5-point Laplacian of a grid
  stencil3d:20x20x20          the 7-point Laplacian of a grid

A size may be left out where -d or another operand says it. --seed changes the data.
)";
}

std::string errors() {
  return R"(Messages go to stderr and begin with 'lacuna: error:'. The exit code says whose fault it is:

   0  all is well
   1  something outside failed: disk full, out of memory, no C compiler
   2  a mistake in the command line, a statement, a schedule or a file, or a file that is not there; the message names
      the place and the fix
  70  a bug of Lacuna, which it asks you to report

Warnings begin with 'lacuna: warning:' and change nothing about the result.
)";
}

std::string environment() {
  std::string text = "Environment variables:\n\n";
  for (const EnvironmentSwitch& each : environment_switches()) {
    text += fmt::format("  {:<18} {} (default: {})\n", each.name, each.meaning, each.default_value);
  }
  return text;
}

std::string explain_page() {
  return R"('lacuna explain' says what was chosen for a statement, why, and what it is expected to cost:

  for i: all 1000                      1000                       8.00 kB
  │ for j: what A stores               8000              40.0 kB
  │ │ for k: what B stores           64.0 k      66.0 k  1.42 MB   822 kB
  │ │ │ w(k) += A(i,j) * B(j,k)
  │ for k: what w collected, sorted  62.0 k               992 kB  1.05 MB
  │ │ C(i,k) = w(k)

Steps come in the order they are done. 'all 1000': every coordinate is visited; 'what A stores': only those that a
compressed level holds; 'what B or C stores', 'what both B and C store': several levels side by side. The lattice of
such a loop names the sets of levels that are walked together, {B2 C2} > {B2} > {C2}: B2 is level 2 of B.

'iterations' counts the iterations of a loop over the whole run. Operations, bytes read and bytes written are the loop's
own, without those of loops inside it. They are those of the code: caches are not considered. 'bytes to move' is what
must come from memory and go there whatever the loops are, each array once.

The numbers are expected from sizes and counts of entries, as if these were spread evenly. For operands without -i,
8 entries a row are assumed. 'lacuna run --interpret' counts what really happens.

'ways to compute it', of a product of three operands or more: one nest, and nests that branch as loopfuse would have
them, fastest first, with the time that each is expected to take on one thread from its operations, its loops and the
bytes it moves, by the caches of this machine. Good to compare, not to predict.

--svg FILE draws it: a box for each loop, and a line for each tensor down through the loops that bind its levels. A full
disc: the level is walked and decides which coordinates are visited; a ring: it is located at a known coordinate; an
outlined square: a level of the result; a full square: values. Bars compare the loops.
)";
}

std::string stream_page() {
  return R"('lacuna stream' changes an operand while a statement is evaluated again and again:

  lacuna stream 'y(i) = G(i,j) * x(j)' -f G:dense,btree -i G=graph.mtx -i x=dense -u updates.txt --every 1000

The file of updates has a line for each:

  + 3 7 0.5      adds 0.5 to the entry (3,7), which is made where there is none
  = 3 7 0.5      sets the entry, which is made where there is none
  - 3 7          erases the entry, where there is one

Coordinates begin with 1, as in .mtx and .tns files, one for each mode. Empty lines and those that begin with # or % are
passed over. After every N updates (--every) the statement is evaluated, and a line is printed: how many entries were
inserted and erased, how long that and the evaluation took, and the norm of the result. Kernels are compiled before that.

--incremental adds to the result what each batch changes, instead of evaluating in full: of the terms that read the
operand, with its change in its place. So each term may read it once at most, and outside functions, and the result is
dense, or stored in levels that change in place. Integers are as if evaluated in full; floating point is so within
rounding (--full-every N evaluates in full now and then, --check compares each time). Where the result is not dense, an
entry whose operands are erased stays, as 0.

An operand can be updated where all its levels are dense or dynamic, and at least one is dynamic: dense,btree; bst,ctree.
What is below a dense last level (btree,dense) cannot be erased; set it to 0.
Large batches are made by several threads (--threads) where the last level is dynamic and not the only one.
)";
}

std::string machines_page() {
  return R"(A statement runs on several processors when there is a machine, a grid of them:

  lacuna run 'a(i) = B(i,j) * c(j)' -f B:csr -i B=web.mtx -i c=dense --machine 'Grid(4)' \
      --place 'B: xy -> x' --place 'c: x -> *' --place 'a: x -> x' -s 'distribute({i},{io},{ii},M)'

Grid(4,4) has 16 processors in two dimensions; Grid(2,2),Grid(2), or Machine(Grid(2,2),Grid(2)), is four of which each
is a grid of two. --place gives a tensor a distribution: a letter for each of its dimensions, and behind the arrow
something for each dimension of the machine. 'xy -> x': blocks of rows; 'xy -> xy': tiles; '*': a copy on every
processor; a number: only on that one; '~(xy)': equal numbers of entries; 'x%64': blocks of 64, cyclically. A tensor
without --place is stored on every processor.

The schedule says which processor computes what: distribute, communicate and rotate ('lacuna help distribute'). The
other directives say what each processor does by itself. Without a schedule, the result's owners compute, or those of
the largest partitioned operand. Neither changes the result, but for the order in which floating-point numbers are
added up.

'lacuna show' prints the plan: loops over processors and steps, the statement that each computes, and what moves. This
process emulates all processors, or the ranks that mpirun starts run a block of them each:

  mpirun -n 4 lacuna run 'a(i) = B(i,j) * c(j)' -f B:csr -i B=web.mtx -i c=dense --machine 'Grid(8)'

where each computes with its processors' parts and sends what others need. Without --machine, each rank is a processor.
Every rank is given the same command; rank 0 prints and writes files. The file of an operand that is placed is read by
parts, and a generator makes one so: no rank has all of it. Results are written (-o) block by block, and put together
only where they are verified, or written as .rb.
Threads are divided among the ranks of a computer.
What goes wrong on one rank ends all, with one message.
)";
}

}  // namespace

const std::vector<Topic>& help_topics() {
  static const std::vector<Topic> topics = {
      {"notation", "what statements mean", notation},
      {"functions", "the functions that expressions may use", functions},
      {"formats", "how tensors are stored", formats},
      {"schedule", "how loops run: the directives of -s", schedule_page},
      {"explain", "how to read 'lacuna explain'", explain_page},
      {"machines", "how statements run on several processors", machines_page},
      {"distribution", "how tensors are distributed: the same page", machines_page},
      {"stream", "how operands are updated between evaluations", stream_page},
      {"generators", "where operands come from", generators},
      {"errors", "messages and exit codes", errors},
      {"environment", "environment variables", environment},
  };
  return topics;
}

}  // namespace lacuna::tool
