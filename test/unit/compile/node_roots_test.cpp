// Levels whose roots are nodes like others: filled, read and changed wherever a level can be.

#include <filesystem>

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/dynamic/code/load.h"
#include "lacuna/format/dynamic.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"
#include "support/random_request.h"
#include "unit/compile/interpreted.h"
#include "unit/dynamic/update/update_history.h"

namespace lacuna::node_roots_test {
namespace {

std::vector<std::filesystem::path> folders() { return {LACUNA_TEST_LEVELS, LACUNA_LEVELS_FOLDER}; }

std::vector<std::string> names() {
  return schema::names_of_levels(std::vector<std::filesystem::path>{LACUNA_TEST_LEVELS});
}

class NodeRoots : public testing::TestWithParam<std::string> {
 protected:
  /// `format`: {0} stands for the level.
  Format format(const std::string& text, int order) const {
    return parse_format(fmt::format(fmt::runtime(text), GetParam()), order, folders());
  }
  void check(Request request, const Format& wanted, bool compiled) {
    request.result_format = wanted;
    std::vector<Options> ways = {interpreted()};
    if (compiled) ways.emplace_back();
    for (const Options& options : ways) {
      const Storage result = engine_.run(request, options);
      EXPECT_EQ(result.format, wanted);
      EXPECT_NO_THROW(validate(result, "the result")) << wanted.to_string();
      EXPECT_EQ(wrong(request, result, 1e-12).value_or(""), "") << wanted.to_string();
    }
  }
  Engine engine_{JitOptions{"cc", default_c_flags(), "", ""}};
};

TEST_P(NodeRoots, StoreMatricesUnderAndOverEveryKindOfLevel) {
  const Storage b = build(generate_uniform({20, 40}, 150, 1), csr_format());
  for (const char* text : {"dense,{0}", "compressed,{0}", "{0},compressed", "{0},dense", "{0},{0}", "bst,{0}:1,0",
                           "{0},btree", "blist,{0}"})
    check(request_for("A(i,j) = B(i,j)", {{"B", b}}, "csr"), format(text, 2), text == std::string("{0},{0}"));
}

TEST_P(NodeRoots, StoreTensorsOfThreeModes) {
  const Storage b = build(generate_uniform({6, 7, 9}, 60, 2), csf_format(3));
  for (const char* text : {"{0},dense,{0}", "dense,{0},compressed", "compressed,{0},{0}", "dense,dense,{0}"})
    check(request_for("A(i,j,k) = B(i,j,k)", {{"B", b}}, "csf"), format(text, 3), false);
}

TEST_P(NodeRoots, GrowWithoutLosingAnything) {
  const Storage b = build(generate_uniform({300, 400}, 20'000, 5), csr_format());
  check(request_for("A(i,j) = B(i,j)", {{"B", b}}, "csr"), format("{0},{0}", 2), true);
}

TEST_P(NodeRoots, AreRead) {
  const Storage b = build(generate_uniform({20, 40}, 150, 7), csr_format());
  const Storage x = build(generate_uniform({40}, 40, 8), dense_format(1));
  for (const char* text : {"dense,{0}", "{0},{0}", "{0},dense"}) {
    const Storage stored = stored_as(engine_, b, format(text, 2), interpreted());
    check(request_for("y(i) = B(i,j) * x(j)", {{"B", stored}, {"x", x}}, "dense"), dense_format(1), true);
    check(request_for("A(i,j) = B(i,j) + C(i,j)", {{"B", stored}, {"C", b}}, "csr"), csr_format(), false);
    check(request_for("A(j,i) = B(i,j)", {{"B", stored}}, "csr"), csr_format(), false);
  }
}

INSTANTIATE_TEST_SUITE_P(OfTests, NodeRoots, testing::ValuesIn(names()), [](const auto& each) { return each.param; });

TEST(NodeRootsThatChange, AgreeWithAMap) {
  Engine engine{JitOptions{"cc", default_c_flags(), "", ""}};
  int levels = 0;
  for (const schema::LevelFile& file : schema::load_levels(LACUNA_TEST_LEVELS)) {
    if (find_function(file.program, "erase") == nullptr) continue;
    ++levels;
    const auto of = [&](const std::string& text, int order) { return parse_format(text, order, folders()); };
    SCOPED_TRACE(file.name);
    UpdateHistory(engine, of(file.name, 1), {50}, {.options = interpreted()}).run(80);
    UpdateHistory(engine, of("dense," + file.name, 2), {6, 40}, {.options = interpreted()}).run(60);
    UpdateHistory(engine, of(file.name + "," + file.name, 2), {9, 20}, {.options = interpreted()}).run(60);
    UpdateHistory(engine, of("bst," + file.name + ":1,0", 2), {40, 300}, {.check_each = false}).run(400);
  }
  EXPECT_EQ(levels, 4);
}

}  // namespace
}  // namespace lacuna::node_roots_test
