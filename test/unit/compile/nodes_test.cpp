// Results in formats with dynamic levels: every level file, nested in every way, filled by kernels that are interpreted
// and compiled.

#include "lacuna/compile/engine/stored_as.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/dynamic/code/load.h"
#include "lacuna/dynamic/memory/check_nodes.h"
#include "lacuna/dynamic/schema/head.h"
#include "lacuna/format/dynamic.h"
#include "lacuna/tensor/compare.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/nodes.h"
#include "support/random_request.h"
#include "unit/compile/interpreted.h"

namespace lacuna::nodes_test {
namespace {

using testing::HasSubstr;

std::vector<std::string> level_files() {
  const std::vector<std::filesystem::path> folders = {LACUNA_LEVELS_FOLDER};
  return schema::names_of_levels(folders);
}

class NodesTest : public testing::Test {
 protected:
  /// Runs a request both ways; each result is well made, has the format, and is what the definition says.
  void check(const Request& request, const std::string& what, bool compiled) {
    std::vector<Options> ways = {interpreted()};
    if (compiled) ways.emplace_back();
    for (const Options& options : ways) {
      const Storage result = engine_.run(request, options);
      EXPECT_EQ(result.format, *request.result_format) << what;
      EXPECT_EQ(complaint(result), "") << what;
      EXPECT_EQ(wrong(request, result, 1e-12).value_or(""), "") << what;
    }
  }
  static std::string complaint(const Storage& tensor) {
    try {
      validate(tensor, "the result");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  std::string refusal(const Request& request) {
    try {
      engine_.run(request, interpreted());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  Engine engine_{JitOptions{"cc", default_c_flags(), "", ""}};
};

Request copy(const std::string& format, const Storage& b) {
  return request_for(b.order() == 2 ? "A(i,j) = B(i,j)" : "A(i,j,k) = B(i,j,k)", {{"B", b}}, format);
}

TEST_F(NodesTest, EveryLevelStoresMatricesUnderEveryKindOfLevel) {
  const Storage b = build(generate_uniform({20, 40}, 150, 1), csr_format());
  for (const std::string& level : level_files())
    for (const char* format :
         {"dense,{0}", "compressed,{0}", "{0},compressed", "{0},dense", "{0},{0}", "bst,{0}:1,0"}) {
      const std::string text = fmt::format(fmt::runtime(format), level);
      check(copy(text, b), text, text.starts_with("dense") || text == level + "," + level);
    }
}

TEST_F(NodesTest, EveryLevelStoresTensorsOfThreeModes) {
  const Storage b = build(generate_uniform({6, 7, 9}, 60, 2), csf_format(3));
  for (const std::string& level : level_files())
    for (const char* format : {"{0},dense,{0}", "dense,{0},compressed", "compressed,{0},{0}", "{0},{0},dense",
                               "{0},compressed,{0}", "dense,dense,{0}", "{0},dense,compressed:2,0,1"}) {
      const std::string text = fmt::format(fmt::runtime(format), level);
      check(copy(text, b), text, false);
    }
}

TEST_F(NodesTest, OfSizesWithNothingInThem) {
  const std::vector<std::vector<std::int64_t>> shapes = {{0, 5}, {5, 0}, {0, 0}, {1, 1}, {1, 9}, {9, 1}, {5, 5}};
  for (const auto& shape : shapes)
    for (const std::int64_t stored : {0, 1})
      for (const char* format : {"dense,btree", "ctree,bst", "compressed,vblist", "blist,dense", "btree,compressed"}) {
        const std::int64_t cells = shape[0] * shape[1];
        const Storage b = build(generate_uniform(shape, std::min(stored, cells), 3), csr_format());
        check(copy(format, b), fmt::format("{} of {} x {}", format, shape[0], shape[1]), false);
      }
}

TEST_F(NodesTest, OfOtherTypes) {
  for (const Type type : {Type::Bool, Type::Int8, Type::Int64, Type::Float32, Type::Complex128})
    for (const char* format : {"bst,ctree", "dense,btree", "llist,dense", "vblist,compressed"})
      check(copy(format, build(generate_uniform({9, 9}, 30, 4, type), csr_format())),
            fmt::format("{} {}", format, type_name(type)), true);
}

TEST_F(NodesTest, GrowWithoutLosingAnything) {
  const Storage b = build(generate_uniform({300, 400}, 20'000, 5), csr_format());
  for (const std::string& level : level_files()) check(copy(level + "," + level, b), level, true);
}

TEST_F(NodesTest, OfSumsAndProducts) {
  const std::map<std::string, RandomOperand> operands = {
      {"B", {"csr", 60}}, {"C", {"csr", 50}}, {"D", {"dense"}}, {"x", {"dense"}}};
  const std::map<std::string, std::int64_t> extents = {{"i", 15}, {"j", 15}, {"k", 15}};
  const auto run = [&](const std::string& text, const std::string& format) {
    check(random_request(text, operands, extents, format), text + " in " + format, true);
  };
  run("y(i) = B(i,j) * x(j)", "bst");
  for (const char* format : {"dense,btree", "ctree,blist", "compressed,rbtree", "ttree,compressed", "vblist,dense"}) {
    run("A(i,j) = B(i,j) + C(i,j)", format);
    run("A(i,j) = B(i,j) * C(i,j)", format);
    run("A(i,j) = B(i,k) * C(k,j)", format);
    run("A(i,j) = B(i,j) * D(i,j) - C(i,j)", format);
  }
}

TEST_F(NodesTest, InAnotherOrderThanTheLoopsCome) {
  const Storage b = build(generate_uniform({12, 17}, 60, 6), csr_format());
  for (const char* format : {"bst,ctree", "dense,blist", "btree,dense", "ctree,compressed"})
    for (const char* text : {"A(i,j) = B(j,i)", "A(i,j) = B(k,i) * B(k,j)"}) {
      check(request_for(text, {{"B", b}}, format), fmt::format("{} in {}", text, format), true);
    }
  check(request_for("A(i,i) = B(i,j)", {{"B", b}}, "bst,ctree"), "a diagonal", false);
}

TEST_F(NodesTest, RandomOnes) {
  std::mt19937 random(7);
  std::vector<std::string> levels = level_files();
  for (const char* array : {"dense", "compressed"}) levels.insert(levels.end(), 4, array);
  for (int round = 0; round < 150; ++round) {
    const auto pick = [&] { return levels[random() % levels.size()]; };
    const auto extent = [&] { return static_cast<std::int64_t>(random() % 9); };
    const std::vector<std::int64_t> shape = {extent(), extent(), extent()};
    const std::int64_t cells = shape[0] * shape[1] * shape[2];
    const std::int64_t stored =
        cells == 0 ? 0 : static_cast<std::int64_t>(random()) % std::min<std::int64_t>(cells, 40);
    std::string format = pick() + "," + pick() + "," + pick();
    if (!parse_format(format, 3).has_nodes()) format = "bst,ctree,blist";
    if (random() % 3 == 0) format += ":1,2,0";
    check(copy(format, build(generate_uniform(shape, stored, random()), csf_format(3))), format, false);
  }
}

TEST_F(NodesTest, AreFilledByOneThread) {
  const Request request = copy("dense,btree", build(generate_uniform({50, 50}, 400, 8), csr_format()));
  Options options;
  options.target.threads = 4;
  Report report;
  const Storage result = engine_.run(request, options, &report);
  EXPECT_EQ(wrong(request, result).value_or(""), "");
  EXPECT_THAT(report.notes, testing::Contains("A is put into nodes by one thread"));
}

TEST_F(NodesTest, ResultsAreMadeAnewWhereTheyAreRunInto) {
  const Request request = copy("bst,ctree", build(generate_uniform({30, 30}, 90, 10), csr_format()));
  Prepared prepared = engine_.prepare(request);
  Storage result;
  for (int run = 0; run < 3; ++run) {
    prepared.run_into(result);
    EXPECT_EQ(wrong(request, result).value_or(""), "");
  }
}

TEST_F(NodesTest, TensorsAreConvertedThereAndBack) {
  for (const char* from : {"csr", "dense", "coo", "hashed", "csc"}) {
    const Storage b = build(generate_uniform({20, 30}, 100, 11), parse_format(from, 2));
    for (const char* to : {"bst,ctree", "dense,btree:1,0", "blist,dense"}) {
      const Storage nodes = stored_as(engine_, b, parse_format(to, 2));
      EXPECT_EQ(nodes.format, parse_format(to, 2));
      EXPECT_EQ(difference(b, nodes).value_or(""), "") << from << " to " << to;
      EXPECT_EQ(difference(b, convert(nodes, csr_format())).value_or(""), "") << from << " to " << to;
    }
  }
  const Storage b = build(generate_uniform({20, 30}, 100, 12), csr_format());
  EXPECT_EQ(stored_as(engine_, b, dcsr_format()).format, dcsr_format());
}

TEST_F(NodesTest, MemoryInUseIsKnown) {
  const Storage a = engine_.run(copy("dense,llist", build(generate_uniform({20, 30}, 100, 13), csr_format())));
  const std::vector<nodes::Usage> usage = nodes::usage_of(a, 1);
  ASSERT_EQ(usage.size(), 2U);
  EXPECT_EQ(usage[0].taken, 20);
  EXPECT_EQ(usage[1].taken, 100);
  EXPECT_GE(usage[1].reserved, 100);
  EXPECT_LT(usage[1].reserved, 300);
}

/// What is stored is looked at before anything is believed, whatever was done to it.
TEST_F(NodesTest, DamageNeverCrashes) {
  std::mt19937 random(14);
  int found = 0;
  for (const char* format : {"ctree,vblist", "btree,dense", "ttree,compressed", "rbtree,blist_gaps"}) {
    const Storage good = engine_.run(copy(format, build(generate_uniform({30, 30}, 200, 15), csr_format())));
    ASSERT_EQ(complaint(good), "");
    for (int round = 0; round < 400; ++round) {
      Storage bad = good;
      LevelStorage& level = bad.levels[good.format.level(1).is_dynamic() ? random() % 2 : 0];
      Array& array = level.nodes[random() % level.nodes.size()];
      Array spoiled = Array::allocate(array.type(), array.size(), true);
      std::memcpy(spoiled.mutable_data(), array.data(), static_cast<std::size_t>(array.bytes()));
      // Near the begin, where something is in use.
      const auto bytes = static_cast<std::size_t>(std::min<std::int64_t>(array.bytes(), 400));
      auto* at = static_cast<unsigned char*>(spoiled.mutable_data());
      if (bytes > 0) at[random() % bytes] ^= static_cast<unsigned char>(random() % 255 + 1);
      array = spoiled;
      found += complaint(bad).empty() ? 0 : 1;
    }
  }
  EXPECT_GT(found, 200);
}

TEST_F(NodesTest, PlansOfOneTextAreNotThoseOfAnother) {
  const auto level = [](const std::string& text) {
    auto file = std::make_shared<schema::LevelFile>();
    file->name = "mine";
    file->text = text;
    file->hash = std::hash<std::string>()(text);
    file->definition = schema::parse_level(text, "mine.level");
    file->nodes = schema::stored_nodes(file->definition.nodes);
    file->program = schema::read_program(file->definition, {"mine.level", file->text});
    return dynamic_level(file);
  };
  const std::string list =
      "def head { h : node }\ndef node { e : elem[B] nonempty  n : node  B : size in [0, 3]  seq = {e}, n }\n"
      "fn build(root : head, elems : elements) {\n"
      "  let k = 0;\n  let last : node = null;\n  let n : node = null;\n"
      "  while (k < elems.size) {\n"
      "    if (n == null || n.B == FULL) {\n      n = new node;\n"
      "      if (last == null) { root.h = n; } else { last.n = n; }\n      last = n;\n    }\n"
      "    n.e[n.B] = elems[k];\n    n.B += 1;\n    k += 1;\n  }\n}\n";
  const Storage b = build(generate_uniform({10, 30}, 100, 16), csr_format());
  std::vector<std::int64_t> nodes_used;
  for (const int full : {1, 3}) {
    Request request = copy("csr", b);
    request.result_format =
        Format({LevelFormat{LevelKind::Dense, true, true}, level(fmt::format("const FULL = {}\n", full) + list)});
    check(request, "a level of one's own", true);
    Report report;
    const Storage a = engine_.run(request, interpreted(), &report);
    EXPECT_TRUE(report.from_memory);
    nodes_used.push_back(nodes::usage_of(a, 1)[1].taken);
  }
  EXPECT_EQ(nodes_used[0], 100);
  EXPECT_LT(nodes_used[1], 60);
}

/// Only `insert`, so that each entry is inserted.
TEST_F(NodesTest, AFileInAFolderOfOnesOwnIsTheEqualOfOthers) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("lacuna-nodes-{}", std::random_device()());
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "stack.level") << R"(
def top { first : plate }
def plate { e : elem nonempty  next : plate }
fn insert(root : top, c : coord, v : value) -> place {
  let n = root.first;
  while (n != null) {
    if (n.ec == c) { return found(n.e); }
    n = n.next;
  }
  n = new plate;
  n.e = elem(c, v);
  n.next = root.first;
  root.first = n;
  return added(n.e);
}
)";
  const std::vector<std::filesystem::path> folders = {folder};
  const Storage b = build(generate_uniform({20, 30}, 150, 18), csr_format());
  for (const char* format : {"dense,stack", "stack,stack:1,0", "stack,compressed"}) {
    Request request = copy("csr", b);
    request.result_format = parse_format(format, 2, folders);
    check(request, format, true);
  }
  std::filesystem::remove_all(folder);
}

TEST_F(NodesTest, OfDimensionsBeyond32Bits) {
  constexpr std::int64_t huge = std::int64_t{1} << 40;
  const Storage b = tensor<double>("dcsr", {huge, huge},
                                   {{{0, huge - 1}, 1}, {{huge - 7, 3}, 2}, {{huge - 7, std::int64_t{1} << 33}, 3}});
  for (const char* format : {"ctree,bst", "btree,compressed", "compressed,vblist", "bst,ctree:1,0"})
    check(copy(format, b), format, true);
  EXPECT_THAT(refusal(copy("dense,bst", b)),
              HasSubstr("more than 32-bit references distinguish: make the level above it compressed"));
}

TEST_F(NodesTest, HoldSumsWithWhatWasInArrays) {
  for (const char* old : {"dense", "csr", "csc"}) {
    Request request = random_request("A(i,j) += B(i,j)", {{"A", {old, old[0] == 'd' ? -1 : 40}}, {"B", {"csr", 30}}},
                                     {{"i", 9}, {"j", 11}});
    request.result_format = parse_format("bst,ctree", 2);
    check(request, old, true);
  }
}

TEST_F(NodesTest, InAnotherTypeThanTheOperands) {
  Request request = copy("bst,ctree", build(generate_uniform({9, 9}, 30, 19), csr_format()));
  request.result_type = Type::Float32;
  const Storage result = engine_.run(request, interpreted());
  EXPECT_EQ(result.type, Type::Float32);
  EXPECT_EQ(complaint(result), "");
  EXPECT_EQ(wrong(request, result, 1e-6).value_or(""), "");
}

TEST_F(NodesTest, AFileThatCannotBeFilledIsRefused) {
  auto file = std::make_shared<schema::LevelFile>();
  file->name = "closed";
  file->text = "def a { e : elem[B]  B : size in [0, 4]  seq = {e} }\n";
  file->definition = schema::parse_level(file->text, "closed.level");
  file->nodes = schema::stored_nodes(file->definition.nodes);
  Request request = copy("csr", build(generate_uniform({5, 5}, 9, 17), csr_format()));
  request.result_format = Format({LevelFormat{LevelKind::Dense, true, true}, dynamic_level(file)});
  EXPECT_THAT(refusal(request),
              HasSubstr("A cannot be stored in the level closed, whose file has neither append_first"));
}

TEST(NodeChecksTest, AreDueEverTwiceAsManyResultsLaterAndOfLargerOnes) {
  NodeChecks checks;
  std::vector<int> due;
  for (int result = 1; result <= 20; ++result)
    if (checks.is_due(100)) due.push_back(result);
  EXPECT_EQ(due, (std::vector<int>{1, 2, 4, 8, 16}));
  EXPECT_FALSE(checks.is_due(201));
  EXPECT_TRUE(checks.is_due(202));
  EXPECT_FALSE(checks.is_due(202));
}

}  // namespace
}  // namespace lacuna::nodes_test
