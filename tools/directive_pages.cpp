#include "tools/directive_pages.h"

namespace lacuna::tool {
namespace {

// The statements of the examples.
constexpr std::string_view spmv = "y(i) = A(i,j) * x(j)";
constexpr std::string_view product = "C(i,j) = A(i,k) * B(k,j)";
constexpr std::string_view sampled = "A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)";
constexpr std::string_view mttkrp = "A(i,l) = B(i,j,k) * D(k,l) * C(j,l)";

DirectivePage split() {
  return {
      "split",
      R"(The loop over i becomes two: io counts pieces, ii runs through the n iterations of a piece; the last piece may
be shorter. On its own that changes nothing. It makes loops for other directives: pieces to run on threads,
short inner loops to unroll or vectorize, blocks that fit a cache. Where the inner loop runs through values of i
one after the other, the loops that are printed call it i.)",
      R"(- i has a loop, and io and ii are new names
- n is at least 1)",
      {"64 rows are a task", spmv, {"A:csr"}, "", "split(i,io,ii,64)"}};
}

DirectivePage divide() {
  return {"divide",
          R"(As split, but n is the number of pieces: each has the extent of i divided by n, rounded up, iterations. The
last ones may be shorter, or empty.)",
          R"(- i has a loop, and io and ii are new names
- n is at least 1)",
          {"four tasks, however many rows there are", spmv, {"A:csr"}, "", "divide(i,io,ii,4)"}};
}

DirectivePage reorder() {
  return {
      "reorder",
      R"(The loops named take each other's places, so that they nest as they are written; loops that are not named stay
where they are. The sums and workspaces that the new order needs are put in by themselves.)",
      R"(- each variable has a loop and is named once
- the loops are directly inside one another in one nest: no other statement stands between them
- sparse operands can still be walked: the variable of a compressed or singleton level comes after those of the
  levels above it. Dense, bitmap and hashed levels are found at any coordinate. transpose(A,1,0) before it makes
  a copy of A that can be walked the other way
- positions (pos) are counted inside the loops that say whose positions they are)",
      {"a dense product in blocks of 32 x 32",
       product,
       {},
       "split(i,io,ii,32), split(k,ko,ki,32), split(j,jo,ji,32)",
       "reorder(io,ko,jo,ii,ki,ji)"}};
}

DirectivePage fuse() {
  return {"fuse",
          R"(The loop over i and the loop over j directly inside it become one loop f over the pairs (i,j), in the same
order; collapse is another name. On its own that changes nothing. What is gained is that f can be split across
rows: split(f,fo,fi,n) makes pieces of n pairs, and pos(f,fp,A) first makes them pieces of equally many non-zeros.)",
          R"(- i and j have loops, j's directly inside i's wherever either of them is, and f is a new name
- neither was told how to run before (parallelize, vectorize, unroll, mergeby): fuse first
- neither counts positions: fuse the variables, then apply pos to the pair
- there are fewer than 2^63 pairs)",
          {"pieces of the pairs of a row and a column of A",
           product,
           {},
           "reorder(i,k,j)",
           "fuse(i,k,f), split(f,fo,fi,1000)"}};
}

DirectivePage pos() {
  return {
      "pos",
      R"(ip counts the entries that A stores for i instead of i's coordinates; each entry tells its coordinate. Pieces
of ip then hold equally many non-zeros, not equally many coordinates; where a piece begins in the middle of a
row, a search finds the row. Where A is used with several lists of variables, name one: pos(j,jp,A(i,j)).)",
      R"(- i is a variable of the statement, or fused of such; pieces are made after pos, of the positions
- A is an operand, and i ranges over consecutive levels of A in the order in which they are stored
- the last of these levels is compressed or singleton, and none is a bitmap or hashed
- nothing is computed where A stores nothing: y(i) += A(i,j) * x(j) will do, A(i,j) + B(i,j) will not
- the positions of a row are counted inside the loop over rows, and pieces of positions run in order)",
      {"every task gets 10000 non-zeros; tasks that share a row add to it atomically",
       spmv,
       {"A:csr"},
       "fuse(i,j,f)",
       "pos(f,fp,A), split(fp,fo,fi,10000), parallelize(fo,CPUThread,Atomics)"}};
}

DirectivePage bound() {
  return {
      "bound",
      R"(A promise that i has at least (min), at most (max) or exactly (exact) n values; from then on the loop is called
ib. The promise is checked against the operands whenever the statement is run, and refused where it is broken.)",
      R"(- i has a loop, and ib is a new name
- n is at least 1, and the promise holds
The words MinExact and MinConstraint (min), MaxConstraint (max) and MaxExact (exact) are understood, too.)",
      {"at least enough rows to be worth threads", spmv, {"A:csr"}, "", "bound(i,ib,500,min)"}};
}

DirectivePage unroll() {
  return {
      "unroll",
      R"(The body of the loop is written out n times, so that counters and branches are paid for once for n iterations.
It pays for short bodies; without it, the C compiler decides.)",
      R"(- i has a loop, which runs neither on threads nor in vector lanes: split it and unroll the inner piece
- n is at least 1 and at most 1024
- it runs over coordinates or through what one operand stores. A loop that merges several operands, or one that stores
  a coordinate several times, finds out in every step which of them move on, and by how much: each copy of its body
  would need the whole test of the loop again, and nothing would be saved)",
      {"four non-zeros at a time", spmv, {"A:csr"}, "", "unroll(j,4)"}};
}

DirectivePage prefetch() {
  return {"prefetch",
          R"(The loop visits the coordinates that one operand stores. In each iteration, the kernel prefetches what the
coordinate n iterations later refers to in dense operands: an entry, or the row under it. So it is in the cache
when it is needed. This pays if these operands are larger than the caches, if coordinates are irregular, and if an
iteration takes long enough that the processor does not prefetch that far by itself.)",
          R"(- i's loop runs through what one operand stores, each coordinate once: not a merge, nor all coordinates
- some dense operand is located by i, all other levels of it dense
- n is at least 1 and at most 1024)",
          {"rows of B, eight iterations ahead",
           product,
           {"A:csr", "B:dense", "C:dense"},
           "reorder(i,k,j)",
           "prefetch(k,8)"}};
}

DirectivePage substitute() {
  return {
      "substitute",
      R"(A function of BLAS, by OpenBLAS, takes the place of the loops i,…, which must do just what it does, directly inside
one another, in any order, around one assignment:

  BLAS.gemm   C(m,n) += a * A(m,k) * B(k,n)
  BLAS.gemv   y(m) += a * A(m,k) * x(k)
  BLAS.ger    A(m,n) += a * x(m) * y(n)
  BLAS.dot    s += a * x(k) * y(k)
  BLAS.axpy   y(m) += a * x(m)

Operands may be transposed, and vectors be rows or columns of matrices; a is all that the loops do not change. Where
m, n or k stands for several loops, they are run through as one. Loops outside are any: over batches, over pieces,
over what a sparse tensor stores, and over positions; on threads, too. What BLAS needs a temporary for can be computed
first with loopfuse or precompute. Rows that the temporary lacks count as zero, whatever they are multiplied with.
Floating-point sums may be rounded otherwise than without it, and where a is zero, nothing is multiplied.)",
      R"(- each loop's variable indexes two of the tensors, and they are those of an m, n or k above
- all tensors are float64, or all are float32, and dense from the first level on that one of the loops runs over
- a matrix keeps entries along one of the loops side by side
- several variables of one m, n or k are neighbouring levels of each tensor that has them, in one order, and the
  inner ones run through all of their levels
- the loops are not unrolled, vectorized, run on threads or asked to prefetch, nor fused, nor over positions
- where a temporary may lack rows, no loop outside visits the same entries of the result again)",
      {"a dense product", "C(i,j) = A(i,k) * B(k,j)", {"A:dense", "B:dense"}, "", "substitute({i,k,j},BLAS.gemm)"}};
}

DirectivePage vectorize() {
  return {
      "vectorize",
      R"(The iterations run in lanes of vector instructions; it is short for parallelize(i,CPUVector). Sums are kept lane
by lane and added up at the end, so floating-point sums may be rounded otherwise than without it.)",
      R"(- i's loop is an innermost one, without workspaces or sums of its own
- it runs over a dense level or through what one operand stores: iterations of merges cannot be counted
- iterations write different entries of the result, or all add to one sum
- it is not unrolled)",
      {"entries of a row of C side by side", product, {}, "reorder(i,k,j)", "vectorize(j)"}};
}

DirectivePage parallelize() {
  return {
      "parallelize",
      R"(UNIT says who runs the iterations: CPUThread (threads, as many as --threads says), CPUVector (vector lanes, see
vectorize), GPUBlock, GPUWarp or GPUThread (with --target cuda or opencl: a block, a warp or a thread of the device
each) or NotParallel. RACE says what keeps iterations apart that add to the same place:

  NoRaces            nothing: it is proved that there is no such place (this is what is meant without RACE)
  Atomics            each addition to the result is atomic
  Temporary          each thread adds to a result, or a workspace, of its own; these are added up at the end
  ParallelReduction  each thread adds to a scalar of its own; these are added up at the end
  IgnoreRaces        another word for NoRaces: nothing proves that racing writes agree

Threads can also append to a sparse result: what each iteration makes is put together in order after the loop.)",
      R"(- i has a loop; to be parallel, it is not unrolled
- each iteration has the workspaces that it adds to for itself, because they are made inside the loop; or RACE is
  Temporary and they are dense or bitmaps; or they are dense and iterations add to different entries
- iterations write different entries of the result; or RACE is Atomics and the numbers are real, or Temporary and
  the result is dense
- a scalar that all iterations add to takes ParallelReduction or Temporary, and real numbers
- a sparse result that is made in order is shared out by the outermost loop only, over its first level
- no bitmap level of the result is above the level that tells the iterations apart)",
      {"rows on threads", spmv, {"A:csr"}, "", "parallelize(i,CPUThread)"}};
}

DirectivePage precompute() {
  return {
      "precompute",
      R"(A part e of the right side is computed first, into a workspace over the variables i,…, by loops over iw,… (which
may have the same names); then the rest reads the workspace. What only e is summed over is summed there, once.
The braces may be left out around one variable. NAME is what the workspace is called, FORMAT how it is stored:
dense if loops over it visit every coordinate, bitmap or hashed if they visit those that were touched. Without FORMAT
it is dense if e has a value everywhere, else bitmap, or hashed if a bitmap would be very large.
e may be the result as the statement writes it, C(i,j): then all that is assigned to it is added up in the workspace.)",
      R"(- e is the result, or stands in one place of the right side, as the statement has it: products group from the left, so
  that b * c is a part of b * c * d, and c * d is one only of b * (c * d)
- the variables i,… are used by e, each has a loop and is named once; none of them counts positions
- there are as many iw,…, each a new name or that of its variable
- the loops around e are directly inside one another, and those of i,… are inside the loops that both sides need
- what only e is summed over can be summed first: the rest only multiplies e, negates it, or divides it as
  numbers that are not integers
- the workspace is dense, bitmap or hashed, has a level for each of i,…, and a name that no other tensor has
- where e is the result, its other variables have loops outside all sums and terms)",
      {"each C(j,l) is multiplied once by a sum, not by every term of it",
       mttkrp,
       {"A:dense", "B:csf"},
       "",
       "precompute(B(i,j,k) * D(k,l),{l},{lw},w)"}};
}

DirectivePage loopfuse() {
  return {
      "loopfuse",
      R"(A product is split in two: the producer multiplies some of its operands, and sums over what only they use, into a
temporary; the consumer multiplies the others with it. Both stand below the outermost loops that both need, and the
temporary is over the variables that both use below: a scalar if there are none. The producer's loops over these
have names of their own, lw for l, so that later directives can say which branch they mean.

  loopfuse(n)        n times, the operands at the end of a product are left for the consumer, as few as have an
                     index of the result for themselves; each time goes on with what the last one made first
  loopfuse(k,left)   the first k operands are computed first; with right, the others are
  loopfuse({B,C},left)
                     the operands named are computed first, wherever they stand; with right, the others are

After that may come the path to a branch, as {producer,consumer}: which side to take wherever the nest branches, and
the number of a term where several stand side by side. Last, how many of the common loops to share, where all would
be too many. Terms of a sum get nests of their own below the loops that are shared.)",
      R"(- the product has at least two operands; numbers are none
- for loopfuse(n), some operands at the end use an index of the result that none before them uses, and what comes
  before is worth keeping: several operands, or a sum of its own
- what is computed first is not only divided by
- loops that are not shared belong to one side, or to both as a whole: fused pairs and positions (pos) come after
- the path goes to an assignment; it says producer or consumer wherever the nest branches on its way
- products of integers have the type that they are added up in, if what is computed first is summed over)",
      {"K + L operations for each entry of B, instead of K * L",
       sampled,
       {"A:dense", "B:csr"},
       "reorder(i,j,k,l)",
       "loopfuse(1)"}};
}

DirectivePage assemble() {
  return {
      "assemble",
      R"(Append requires that the loops visit the entries of the result in order, so that they are appended. Without it,
loops in another order make a stream of coordinates and values, which is sorted and added up after the loops. With it,
they are refused. Insert runs the loops twice: first to count the entries under each coordinate of the dense levels,
then to store each entry at its final position. So threads have nothing to join afterwards.)",
      R"(- T is the result
- T's format is not one that is stored at any coordinate (dense, bitmap)
- the loops visit each coordinate once and in the order of T's levels, sums of a row going through a workspace
- for Insert, T has one compressed level, below dense ones)",
      {"rows of a product, counted before they are filled in",
       product,
       {"A:csr", "B:csr", "C:csr"},
       "",
       "assemble(C,Insert)"}};
}

DirectivePage mergeby() {
  return {
      "mergeby",
      R"(Where a loop runs through what several sparse operands store, TwoFinger advances in each of them one entry at a
time, and Gallop skips ahead, in steps that double, to the coordinate that another one is at. Galloping pays for
products of operands of which one stores far less than the others.)",
      R"(- i has a loop)",
      {"few entries of a have a partner in b",
       "z(i) = a(i) * b(i)",
       {"a:compressed", "b:compressed", "z:compressed"},
       "",
       "mergeby(i,Gallop)"}};
}

constexpr std::string_view tiles = "distribute({i,j},{io,jo},{ii,ji},M)";

DirectivePage distribute() {
  return {
      "distribute",
      R"(The iterations of the loops run on different processors of the machine (--machine, 'lacuna help machines'), which
all compute at once, each a part of the statement. Loops that sums run over can be distributed, too: then what
processors computed of an entry is added up. distribute({i},{io},{ii},M) divides i by the machine, as
divide(i,io,ii,M.x) does, puts io outside, and distributes it; M[1] is the machine within each processor.
What processors do not share is scheduled like any other statement, by the names that are left: ii.)",
      R"(- the variables have loops; the compound form takes as many of each as the machine has dimensions
- positions (pos) are divided before they are distributed, and then every term has the operand as a factor
- no function is applied to a sum over what is distributed)",
      {"rows on four processors", spmv, {"A:csr"}, "", "distribute({i},{io},{ii},M)", "Grid(4)"}};
}

DirectivePage communicate() {
  return {
      "communicate",
      R"(What an iteration of the loop needs of the tensors is fetched from its owners when the iteration begins. At an
inner loop, less memory is needed and more messages are sent. A loop that is not distributed becomes steps, which all
processors take together. A tensor without this directive is fetched as soon as the part that is needed is known.)",
      R"(- some loop is distributed, and the variable has a loop
- the tensors are tensors of the statement, each named once)",
      {"operands come in pieces of 256 (SUMMA)",
       product,
       {},
       "distribute({i,j},{io,jo},{ii,ji},M), split(k,ko,ki,256)",
       "communicate({A,B},ko)",
       "Grid(2,2)"}};
}

DirectivePage rotate() {
  return {
      "rotate",
      R"(The loop runs through the same iterations, but each processor begins as many of them later as the values of the
variables in braces add up to, and goes round. No two processors of a row or column then need the same part at
once: each hands on what it used to its neighbour, as in Cannon's algorithm.)",
      R"(- something is communicated in the new loop
- the loops over the variables in braces are outside of it)",
      {"neighbours hand on their tiles (Cannon)",
       product,
       {},
       "distribute({i,j},{io,jo},{ii,ji},M), divide(k,ko,ki,2)",
       "rotate(ko,{io,jo},kos), communicate({A,B},kos)",
       "Grid(2,2)"}};
}

DirectivePage transpose() {
  return {
      "transpose",
      R"(T is read from a copy whose levels store the modes in the order m0,m1,…, counted from 0; it is made before the
kernel and called T_transposed. Loops can then run through T in an order that T itself cannot be walked in. The
copy costs time and memory, and is made again whenever T changes.)",
      R"(- T is an operand that has indices
- each mode of T is named once
- positions of T are not counted yet: transpose comes before pos)",
      {"outer products: column by column of A",
       product,
       {"A:csr", "B:csr", "C:dense"},
       "",
       "transpose(A,1,0), reorder(k,i,j)"}};
}

}  // namespace

const std::vector<DirectivePage>& directive_pages() {
  static const std::vector<DirectivePage> pages = {
      split(),    divide(),     reorder(),     fuse(),       pos(),      bound(),      unroll(),
      prefetch(), vectorize(),  parallelize(), precompute(), loopfuse(), substitute(), assemble(),
      mergeby(),  distribute(), communicate(), rotate(),     transpose()};
  return pages;
}

}  // namespace lacuna::tool
