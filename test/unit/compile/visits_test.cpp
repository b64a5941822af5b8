// Statements that read tensors with dynamic levels: every level file and some odd ones, come to in the order of the
// nodes and of the coordinates, interpreted and compiled.

#include <filesystem>
#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/dynamic/code/load.h"
#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/format/dynamic.h"
#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"
#include "support/random_request.h"
#include "unit/compile/interpreted.h"

namespace lacuna::visits_test {
namespace {

using testing::IsEmpty;
using testing::Not;

using Operands = std::map<std::string, Storage>;

class VisitsTest : public testing::Test {
 protected:
  Storage nodes(const Storage& tensor, const std::string& format) {
    return stored_as(engine_, tensor, parse_format(format, tensor.order(), folders_));
  }

  /// Runs a statement both ways, on one thread and on two, and compares with the definition. Hands back the notes.
  std::vector<std::string> check(const std::string& text, const Operands& operands, const std::string& format,
                                 const std::string& schedule = {}) {
    Request request = request_for(text, operands, format);
    request.schedule = parse_schedule(schedule);
    std::vector<std::string> notes;
    for (const bool compiled : compiled_ ? std::vector{false, true} : std::vector{false})
      for (const int threads : {1, 2}) {
        Options options = compiled ? Options() : interpreted();
        options.target.threads = threads;
        Report report;
        const Storage result = engine_.run(request, options, &report);
        EXPECT_EQ(wrong(request, result, 1e-12).value_or(""), "") << text << " " << compiled << " " << threads;
        notes = report.notes;
      }
    return notes;
  }

  static std::vector<std::string> level_files() {
    const std::vector<std::filesystem::path> folders = {LACUNA_LEVELS_FOLDER};
    return schema::names_of_levels(folders);
  }

  std::vector<std::filesystem::path> folders_ = {LACUNA_LEVELS_FOLDER};
  bool compiled_ = true;  // whether `check` also compiles, which takes long beside the interpreter
  Engine engine_{JitOptions{"cc", default_c_flags(), "", ""}};
};

const Storage& matrix() {
  static const Storage b = build(generate_uniform({30, 90}, 600, 1), csr_format());
  return b;
}
const Storage& vector() {
  static const Storage x = generate_dense({90}, 2);
  return x;
}

TEST_F(VisitsTest, ComeToEveryElementOfEveryLevel) {
  for (const std::string& level : level_files()) {
    const Storage b = nodes(matrix(), "dense," + level);
    EXPECT_THAT(check("y(i) = B(i,j) * x(j)", {{"B", b}, {"x", vector()}}, "dense"), IsEmpty()) << level;
    check("A(i,j) = B(i,j) * x(j)", {{"B", nodes(matrix(), level + "," + level)}, {"x", vector()}}, "csr");
  }
}

TEST_F(VisitsTest, NestInEveryWay) {
  const Storage b = build(generate_uniform({6, 7, 9}, 80, 3), csf_format(3));
  const Operands factors = {{"C", generate_dense({7, 4}, 4)}, {"D", generate_dense({9, 4}, 5)}};
  for (const char* format : {"bst,ctree,btree", "dense,ttree,compressed", "compressed,dense,vblist",
                             "btree,dense,rbtree", "ctree,compressed,dense"}) {
    Operands operands = factors;
    operands["B"] = nodes(b, format);
    check("A(i,l) = B(i,k,j) * C(k,l) * D(j,l)", operands, "dense");
    check("A(i,k) = B(i,k,j)", {{"B", operands["B"]}}, "csr");
  }
}

TEST_F(VisitsTest, AreSharedOutToThreads) {
  const Storage b = nodes(matrix(), "bst,ctree");
  for (const char* schedule :
       {"parallelize(i,CPUThread,NoRaces)", "split(i,io,ii,4), parallelize(io,CPUThread,NoRaces)",
        "split(j,jo,ji,16), reorder(jo,i,ji)"})
    check("y(i) = B(i,j) * x(j)", {{"B", b}, {"x", vector()}}, "dense", schedule);
  check("s = B(i,j)", {{"B", b}}, "", "parallelize(i,CPUThread,ParallelReduction)");
}

/// Where other operands decide, too, nodes are walked beside them, whatever they are.
TEST_F(VisitsTest, AreWalkedWhereOtherOperandsDecide) {
  compiled_ = false;
  const Storage c = build(generate_uniform({30, 90}, 500, 6), dcsr_format());
  for (const std::string& level : level_files()) {
    const Storage b = nodes(matrix(), "dense," + level);
    if (!b.format.level(1).ordered) continue;
    for (const Storage& other : {c, nodes(c, "bst,btree")}) {
      const Operands operands = {{"B", b}, {"C", other}};
      EXPECT_THAT(check("A(i,j) = B(i,j) + C(i,j)", operands, "csr"), IsEmpty()) << level;
      EXPECT_THAT(check("A(i,j) = B(i,j) * C(i,j)", operands, "csr"), IsEmpty()) << level;
    }
  }
}

TEST_F(VisitsTest, AreWalkedInEveryKindOfMerge) {
  const Storage b = nodes(matrix(), "bst,ctree"),
                c = nodes(build(generate_uniform({30, 90}, 500, 6), csr_format()), "dense,btree");
  const Storage d = build(generate_uniform({30, 90}, 400, 7), coo_format(2)), e = generate_dense({30, 90}, 8);
  const Operands operands = {{"B", b}, {"C", c}, {"D", d}, {"E", e}};
  for (const char* text : {"A(i,j) = B(i,j) + C(i,j) * D(i,j)", "A(i,j) = (B(i,j) + C(i,j)) * D(i,j)",
                           "A(i,j) = B(i,j) + C(i,j) + D(i,j)", "A(i,j) = B(i,j) * E(i,j) - C(i,j) * E(i,j)",
                           "A(i,j) = B(i,j) / C(i,j)", "A(i,j) = B(i,j) * C(i,j) * D(i,j)"}) {
    Operands used;
    for (const auto& [name, tensor] : operands)
      if (std::string(text).find(name + "(") != std::string::npos) used.emplace(name, tensor);
    EXPECT_THAT(check(text, used, "csr"), IsEmpty()) << text;
    check(text, used, "dense,btree");
    check(text, used, "dense");
  }
  check("y(i) += B(i,j) * x(j)", {{"B", b}, {"x", vector()}, {"y", generate_dense({30}, 7)}}, "dense");
  EXPECT_THAT(check("A(j,i) = B(i,j)", {{"B", b}}, "csr"), Not(IsEmpty()));
}

/// A result with an operand's entries and format is a copy of its nodes with other values, whatever links them, made by
/// as many threads as there are.
TEST_F(VisitsTest, LeaveCopiesOfTheirNodesWithOtherValues) {
  compiled_ = false;
  for (const std::string& level : level_files())
    for (const char* format : {"dense,{0}", "{0},{0}", "{0},dense", "compressed,{0}"}) {
      const std::string text = fmt::format(fmt::runtime(format), level);
      const Storage b = nodes(matrix(), text);
      const Operands operands = {{"B", b}, {"x", vector()}};
      EXPECT_THAT(check("A(i,j) = B(i,j) * x(j)", operands, text), IsEmpty()) << text;
      Request request = request_for("A(i,j) = B(i,j) * x(j)", operands, text);
      const Storage a = engine_.run(request, interpreted());
      for (std::size_t k = 0; k < b.levels[1].nodes.size(); ++k)
        EXPECT_EQ(a.levels[1].nodes[k].size(), b.levels[1].nodes[k].size()) << text;
    }
  const Storage c = build(generate_uniform({30, 90}, 500, 6), csr_format());
  for (const char* format : {"dense,btree", "bst,ctree", "dense,llist"})
    for (const char* text : {"A(i,j) = B(i,j) / C(i,j)", "A(i,j) = B(i,j) * x(j) + B(i,j)"}) {
      Operands operands = {{"B", nodes(matrix(), format)}};
      operands.emplace(std::string(text).find('C') == std::string::npos ? "x" : "C",
                       std::string(text).find('C') == std::string::npos ? vector() : c);
      check(text, operands, format);
    }
  const Storage b = nodes(build(generate_uniform({90}, 40, 3), csf_format(1)), "ctree");
  compiled_ = true;
  EXPECT_THAT(check("a(i) = b(i) * x(i)", {{"b", b}, {"x", vector()}}, "ctree"), IsEmpty());
}

/// Threads take subtrees: of no node, of one, of a few and of many.
TEST_F(VisitsTest, AreSharedBySubtrees) {
  compiled_ = false;
  for (const std::string& level : level_files()) {
    SCOPED_TRACE(level);
    for (const std::int64_t stored : {0, 1, 40, 700}) {
      const Storage b = nodes(build(generate_uniform({1000}, stored, 1), csf_format(1)), level);
      const Operands operands = {{"b", b}, {"x", build(generate_uniform({1000}, 1000, 2), dense_format(1))}};
      check("s = b(i) * x(i)", operands, "", "parallelize(i,CPUThread,ParallelReduction)");
      check("a(i) = b(i) * x(i)", operands, "dense", "parallelize(i,CPUThread)");
      check("a(i) = b(i) * x(i)", operands, level, "parallelize(i,CPUThread)");
    }
    const Storage A = nodes(build(generate_uniform({90, 80}, 900, 3), csr_format()), level + "," + level);
    const Operands rows = {{"A", A}, {"x", build(generate_uniform({80}, 80, 4), dense_format(1))}};
    check("y(i) = A(i,j) * x(j)", rows, "dense", "parallelize(i,CPUThread)");
    check("y(i) = A(i,j) * x(j)", rows, "dense", "reorder(i,j), parallelize(j,CPUThread,ParallelReduction)");
  }
}

/// Compiled, threads are started only where they have enough to do.
TEST_F(VisitsTest, AreSharedBySubtreesOfLargeTrees) {
  for (const char* level : {"bst", "ctree"}) {
    const Storage b = nodes(build(generate_uniform({50'000}, 20'000, 1), csf_format(1)), level);
    check("s = b(i) * x(i)", {{"b", b}, {"x", generate_dense({50'000}, 2)}}, "",
          "parallelize(i,CPUThread,ParallelReduction)");
  }
}

/// The level alone decides where its loop goes, and nothing is put together in its order.
TEST_F(VisitsTest, NeedNoOrderWhereTheStatementNeedsNone) {
  compiled_ = false;
  const std::string level = "blist_unsorted";
  const Storage b = nodes(matrix(), "dense," + level), bb = nodes(matrix(), level + "," + level);
  const Storage dense = generate_dense({90, 8}, 3), sparse = build(generate_uniform({90, 8}, 200, 4), csr_format());
  for (const Storage& B : {b, bb}) {
    EXPECT_THAT(check("y(i) = B(i,j) * x(j)", {{"B", B}, {"x", vector()}}, "dense"), IsEmpty());
    EXPECT_THAT(check("y(j) = B(i,j)", {{"B", B}}, "dense"), IsEmpty());
    EXPECT_THAT(check("s = B(i,j) * B(i,j)", {{"B", B}}, ""), IsEmpty());
    EXPECT_THAT(check("A(i,k) = B(i,j) * C(j,k)", {{"B", B}, {"C", dense}}, "dense"), IsEmpty());
  }
  EXPECT_THAT(check("A(i,k) = B(i,j) * C(j,k)", {{"B", b}, {"C", sparse}}, "csr"), IsEmpty());
  EXPECT_THAT(check("y(i) = B(i,j) * x(j) + B(i,j)", {{"B", b}, {"x", vector()}}, "dense"), IsEmpty());
  EXPECT_THAT(check("d(i) = D(i,i)",
                    {{"D", nodes(build(generate_uniform({20, 20}, 90, 6), csr_format()), "dense," + level)}}, "dense"),
              IsEmpty());
}

TEST_F(VisitsTest, AreReadFromACopyWhereTheStatementNeedsOrder) {
  compiled_ = false;
  const std::string level = "blist_unsorted";
  const Storage b = nodes(matrix(), "dense," + level), bb = nodes(matrix(), level + "," + level);
  const Storage c = build(generate_uniform({30, 90}, 500, 6), csr_format());
  for (const Storage& B : {b, bb}) {
    EXPECT_THAT(check("A(i,j) = B(i,j) + C(i,j)", {{"B", B}, {"C", c}}, "csr"), Not(IsEmpty()));
    EXPECT_THAT(check("y(i) = B(i,j) * C(i,j)", {{"B", B}, {"C", c}}, "dense"), Not(IsEmpty()));
    for (const char* format : {"csr", "dcsr", "bst,btree", "dense,blist", "coo"}) {
      check("A(i,j) = B(i,j) * x(j)", {{"B", B}, {"x", vector()}}, format);
      check("A(i,j) = B(i,j) + B(i,j)", {{"B", B}}, format);
    }
    check("A(j,i) = B(i,j)", {{"B", B}}, "csr");
    check("y(j) = B(i,j)", {{"B", B}}, "sparse");
    check("y(i) = B(i,j)", {{"B", B}}, "bst");
  }
}

/// Steps are counted over all threads. Where a share of a list is found from its head, there are no more shares than
/// threads.
TEST_F(VisitsTest, OfListsTakeHardlyMoreStepsOnThreadsThanAlone) {
  const std::int64_t size = 60'000;
  const Storage entries = build(generate_uniform({size}, 20'000, 1), csf_format(1));
  const Operands others = {{"x", generate_dense({size}, 2)},
                           {"c", build(generate_uniform({size}, 20'000, 3), csf_format(1))}};
  const auto steps = [&](const Request& request, int threads) {
    Options options = interpreted();
    options.target.threads = threads;
    Report report;
    engine_.run(request, options, &report);
    return static_cast<double>(report.counters.operations + report.counters.bytes_loaded);
  };
  for (const std::string& level : level_files()) {
    SCOPED_TRACE(level);
    Operands operands = others;
    operands["b"] = nodes(entries, level);
    const LevelFormat& stored = operands["b"].format.level(0);
    if (schema::recursion_of(stored.definition->nodes) != schema::Recursion::OneChild) continue;
    for (const char* text : {"s = b(i) * x(i)", "s = b(i) * c(i)"}) {
      Request request = request_for(text, operands, "");
      const double alone = steps(request, 1);
      EXPECT_LE(steps(request, 2), 1.3 * alone) << text;
      request.schedule = parse_schedule("parallelize(i,CPUThread,ParallelReduction)");
      EXPECT_LE(steps(request, 1), 1.05 * alone) << text;
      EXPECT_LE(steps(request, 2), 2.2 * alone) << text;
    }
  }
}

/// Walks leap over what is before the other operands' coordinates.
TEST_F(VisitsTest, AreGallopedThrough) {
  compiled_ = false;
  const Storage few = build(generate_uniform({4000}, 9, 1), csf_format(1));
  const Storage many = build(generate_uniform({4000}, 3000, 2), csf_format(1));
  for (const std::string& level : level_files()) {
    const Storage b = nodes(many, level);
    if (!b.format.level(0).ordered) continue;
    check("a(i) = b(i) * c(i)", {{"b", b}, {"c", few}}, "sparse", "mergeby(i,gallop)");
    check("a(i) = b(i) * c(i)", {{"b", nodes(few, level)}, {"c", b}}, "bst", "mergeby(i,gallop)");
  }
}

/// Coordinates that are 3, 100 and 20000 apart: their differences take one, two and four bytes.
TEST_F(VisitsTest, AddUpDifferencesOfEveryWidth) {
  compiled_ = false;
  for (const std::int64_t gap : {3, 100, 20'000}) {
    SCOPED_TRACE(gap);
    const Storage b = nodes(build(generate_uniform({500 * gap}, 500, 1), csf_format(1)), "ctree_diff");
    const Storage c = build(generate_uniform({500 * gap}, 300, 2), csf_format(1));
    const Operands both = {{"b", b}, {"c", c}};
    check("s = b(i)", {{"b", b}}, "");
    check("s = b(i)", {{"b", b}}, "", "parallelize(i,CPUThread,ParallelReduction)");
    check("a(i) = b(i) + c(i)", both, "sparse");
    check("a(i) = b(i) * c(i)", both, "sparse", "mergeby(i,gallop)");
    check("a(i) = 2 * b(i)", {{"b", b}}, "ctree_diff");
    check("a(i) = b(i) + c(i)", both, "ctree_diff");
  }
}

/// Where a loop outside decides the coordinate, a level is searched.
TEST_F(VisitsTest, AreSearchedWhereTheCoordinateIsKnown) {
  compiled_ = false;
  const Storage square = build(generate_uniform({40, 40}, 500, 1), csr_format());
  for (const std::string& level : level_files()) {
    const Storage b = nodes(square, "dense," + level);
    check("d(i) = B(i,i)", {{"B", b}}, "dense");
    check("d(i) = B(i,i)", {{"B", nodes(square, level + "," + level)}}, "sparse");
    if (b.format.level(1).ordered)
      check("y(i) = B(i,j) * x(j)", {{"B", b}, {"x", generate_dense({40}, 2)}}, "dense", "reorder(j,i)");
  }
}

/// A level of one's own that has something to say about order, references and slots.
struct OddLevel {
  const char* name;
  const char* text;
};

const OddLevel odd_levels[] = {{"pingpong", R"(   // two types of nodes that lead to each other
def top { a : ping }
def ping { e : elem nonempty  n : pong  seq = e, n }
def pong { f : elem nonempty  h : elem  n : ping  seq = f, h, n }
fn pings(elems : elements, begin : int, end : int) -> ping {
  if (begin >= end) { return null; }
  let p = new ping;
  p.e = elems[begin];
  p.n = pongs(elems, begin + 1, end);
  return p;
}
fn pongs(elems : elements, begin : int, end : int) -> pong {
  if (begin >= end) { return null; }
  let p = new pong;
  p.f = elems[begin];
  if (begin + 1 < end) { p.h = elems[begin + 1]; }
  p.n = pings(elems, begin + 2, end);
  return p;
}
fn build(root : top, elems : elements) { root.a = pings(elems, 0, elems.size); }
)"},
                               {"tri", R"(   // elements between children
def top { r : tri }
def tri { a : tri  x : elem nonempty  b : tri  y : elem  c : tri  seq = a, x, b, y, c }
fn tree(elems : elements, begin : int, end : int) -> tri {
  if (begin >= end) { return null; }
  let n = new tri;
  let third = (end - begin) / 3;
  n.a = tree(elems, begin, begin + third);
  n.x = elems[begin + third];
  let second = begin + third + 1 + third;
  if (second < end) {
    n.b = tree(elems, begin + third + 1, second);
    n.y = elems[second];
    n.c = tree(elems, second + 1, end);
  } else {
    n.b = tree(elems, begin + third + 1, end);
  }
  return n;
}
fn build(root : top, elems : elements) { root.r = tree(elems, 0, elems.size); }
)"},
                               {"paired", R"(   // arrays that lie elsewhere and whose slots take turns
def top { r : pair }
def pair { p : elem[N] nonempty  q : elem[N]  n : pair  N : size  seq = {p, q}, n }
fn pairs(elems : elements, begin : int) -> pair {
  if (begin >= elems.size) { return null; }
  let n = new pair;
  let count = 3;
  if (elems.size - begin < 6) { count = (elems.size - begin + 1) / 2; }
  n.N = count;
  let k = 0;
  while (k < count) {
    n.p[k] = elems[begin + 2 * k];
    if (begin + 2 * k + 1 < elems.size) { n.q[k] = elems[begin + 2 * k + 1]; } else { n.qc[k] = -1; }
    k = k + 1;
  }
  n.n = pairs(elems, begin + 2 * count);
  return n;
}
fn build(root : top, elems : elements) { root.r = pairs(elems, 0); }
)"},
                               {"fan", R"(   // each element before what is below it
def top { r : fan }
def fan { e : elem[B] nonempty  c : fan[B]  B : size in [0, 4]  seq = {e, c} }
fn fans(elems : elements, begin : int, end : int) -> fan {
  if (begin >= end) { return null; }
  let n = new fan;
  let all = end - begin;
  let count = 4;
  if (all < 4) { count = all; }
  n.B = count;
  let k = 0;
  while (k < count) {
    let from = begin + all * k / count;
    n.e[k] = elems[from];
    n.c[k] = fans(elems, from + 1, begin + all * (k + 1) / count);
    k = k + 1;
  }
  return n;
}
fn build(root : top, elems : elements) { root.r = fans(elems, 0, elems.size); }
)"},
                               {"spine", R"(   // as deep as it is large: each new element is the root of all before
def top { r : spine }
def spine { l : spine  e : elem nonempty  r : spine  seq = l, e, r }
state { root : top }
fn append_first(root : top, c : coord, v : value) {
  let n = new spine;
  n.e = elem(c, v);
  root.r = n;
  state.root = root;
}
fn append_rest(c : coord, v : value) {
  let n = new spine;
  n.e = elem(c, v);
  n.l = state.root.r;
  state.root.r = n;
}
)"}};

class OddLevels : public VisitsTest {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / fmt::format("lacuna-visits-{}", std::random_device()());
    std::filesystem::create_directory(folder_);
    for (const OddLevel& level : odd_levels) std::ofstream(folder_ / fmt::format("{}.level", level.name)) << level.text;
    folders_.push_back(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

 private:
  std::filesystem::path folder_;
};

TEST_F(OddLevels, AreComeToInBothOrders) {
  for (const OddLevel& level : odd_levels)
    for (const char* format : {"dense,{0}", "{0},{0}", "{0},dense"}) {
      const std::string text = fmt::format(fmt::runtime(format), level.name);
      const Storage b = nodes(matrix(), text);
      EXPECT_EQ(difference(matrix(), convert(b, csr_format())).value_or(""), "") << text;
      EXPECT_THAT(check("y(i) = B(i,j) * x(j)", {{"B", b}, {"x", vector()}}, "dense"), IsEmpty()) << text;
      EXPECT_THAT(check("A(i,j) = B(i,j)", {{"B", b}}, "csr"), IsEmpty()) << text;
    }
}

TEST_F(OddLevels, AreWalkedBesideOthers) {
  compiled_ = false;
  const Storage c = build(generate_uniform({30, 90}, 500, 6), dcsr_format());
  for (const OddLevel& level : odd_levels) {
    const Storage b = nodes(matrix(), fmt::format("dense,{}", level.name));
    EXPECT_THAT(check("A(i,j) = B(i,j) + C(i,j)", {{"B", b}, {"C", c}}, "csr"), IsEmpty()) << level.name;
    EXPECT_THAT(check("A(i,j) = B(i,j) * C(i,j)", {{"B", b}, {"C", c}}, "csr"), IsEmpty()) << level.name;
    check("A(i,j) = B(i,j) * C(i,j)", {{"B", b}, {"C", c}}, "csr", "mergeby(j,gallop)");
    check("d(i) = B(i,i)",
          {{"B", nodes(build(generate_uniform({40, 40}, 500, 1), csr_format()), fmt::format("dense,{}", level.name))}},
          "dense");
  }
}

TEST_F(OddLevels, MayBeAsDeepAsTheyAreLarge) {
  constexpr std::int64_t n = 1'000'000;
  const Storage x = generate_dense({n}, 8);
  for (const char* level : {"spine", "llist"}) {
    const Storage b = nodes(build(generate_uniform({n}, n / 2, 9), csf_format(1)), level);
    const Request sum = request_for("s = b(i) * x(i)", {{"b", b}, {"x", x}}, "");
    EXPECT_EQ(wrong(sum, engine_.run(sum), 1e-9).value_or(""), "") << level;
    const Request merge = request_for("s = b(i) + x(i)", {{"b", b}, {"x", x}}, "");
    EXPECT_EQ(wrong(merge, engine_.run(merge), 1e-9).value_or(""), "") << level;
    const Request copy = request_for("a(i) = b(i)", {{"b", b}}, "sparse");
    EXPECT_EQ(wrong(copy, engine_.run(copy)).value_or(""), "") << level;
  }
}

}  // namespace
}  // namespace lacuna::visits_test
