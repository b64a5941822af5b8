// Formats whose levels are level files.

#include "lacuna/format/dynamic.h"

#include <unistd.h>

#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/dynamic/code/load.h"
#include "lacuna/support/error.h"
#include "support/message_of.h"

namespace lacuna::dynamic_format_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;

/// A list in no order, which can be filled but not searched.
constexpr const char* heap_text = R"(
def heap_head { first : heap }
def heap { e : elem nonempty  next : heap }
state { last : heap }
fn append_first(root : heap_head, c : coord, v : value) {
  let n = new heap;
  n.e = elem(c, v);
  root.first = n;
  state.last = n;
}
fn append_rest(c : coord, v : value) {
  let n = new heap;
  n.e = elem(c, v);
  state.last.next = n;
  state.last = n;
}
)";

class DynamicFormat : public ::testing::Test {
 protected:
  DynamicFormat()
      : folder_(fs::temp_directory_path() / fmt::format("lacuna-formats-{}-{}", getpid(), std::random_device()())) {
    fs::create_directory(folder_);
    write("heap.level", heap_text);
  }
  ~DynamicFormat() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::vector<fs::path> folders() const { return {folder_, LACUNA_LEVELS_FOLDER}; }
  Format parse(const std::string& text, int order) const { return parse_format(text, order, folders()); }
  std::string complaint(const std::string& text, int order) const {
    try {
      parse(text, order);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  const fs::path folder_;
};

TEST_F(DynamicFormat, FindsLevelFilesByName) {
  const Format format = parse("heap,btree", 2);
  EXPECT_EQ(format.level(0).kind, LevelKind::Dynamic);
  EXPECT_EQ(format.level(0).definition->path, folder_ / "heap.level");
  EXPECT_EQ(format.level(1).name(), "btree");
  EXPECT_TRUE(format.has_nodes());
  EXPECT_TRUE(format.has_values_in_nodes());
  EXPECT_FALSE(format.is_dense());
  EXPECT_FALSE(csr_format().has_nodes());
}

TEST_F(DynamicFormat, GoesWithLettersNamesAndModeOrders) {
  EXPECT_EQ(parse("d,btree", 2), parse("dense,btree", 2));
  EXPECT_EQ(parse("dense,heap:1,0", 2).map(), LevelMap({1, 0}));
  EXPECT_EQ(parse("btree", 1).order(), 1);
  EXPECT_FALSE(parse("btree,compressed", 2).has_values_in_nodes());
}

TEST_F(DynamicFormat, IsReadBackAsItIsPrinted) {
  for (const char* text : {"btree", "heap"}) EXPECT_EQ(parse(text, 1).to_string(), text);
  for (const char* text : {"dense,btree", "heap,compressed:1,0", "btree,btree", "heap,dense"})
    EXPECT_EQ(parse(text, 2).to_string(), text);
}

TEST_F(DynamicFormat, PropertiesFollowFromTheFile) {
  const LevelFormat tree = parse("btree", 1).level(0);
  EXPECT_TRUE(tree.ordered && tree.unique && tree.locates());
  EXPECT_FALSE(tree.full() || tree.branchless());
  const LevelFormat heap = parse("heap", 1).level(0);
  EXPECT_TRUE(heap.unique);
  EXPECT_FALSE(heap.ordered);
  EXPECT_FALSE(heap.locates());
}

TEST_F(DynamicFormat, LevelFilesTakeNoNameThatFormatsHave) {
  EXPECT_NO_THROW(check_name_is_free("heap"));
  for (const char* name : {"csr", "hashed"}) {
    write(std::string(name) + ".level", heap_text);
    const auto file =
        std::make_shared<const schema::LevelFile>(schema::load_level(folder_ / (std::string(name) + ".level")));
    EXPECT_THAT(message_of([&] { dynamic_level(file); }), HasSubstr("is a format or a level of arrays already"));
  }
  write("bus.level", heap_text);
  EXPECT_THAT(complaint("dense,bus", 2), HasSubstr("bus would be read as letters, one a level of arrays"));
}

TEST_F(DynamicFormat, ElementsLeadToRootsPositionsOrValues) {
  using schema::ElementTypes;
  const Format format = parse("btree,btree,compressed", 3);
  EXPECT_EQ(schema::element_types(format, 0, Type::Int32, Type::Float32), (ElementTypes{Type::Int32, Type::UInt32}));
  EXPECT_EQ(schema::element_types(format, 1, Type::Int64, Type::Float32), (ElementTypes{Type::Int64, Type::Int64}));
  const Format last = parse("dense,btree", 2);
  EXPECT_EQ(schema::element_types(last, 1, Type::Int32, Type::Complex64), (ElementTypes{Type::Int32, Type::Complex64}));
}

TEST_F(DynamicFormat, IsTheSameOnlyWithTheSameText) {
  const Format before = parse("heap", 1);
  EXPECT_EQ(before, parse("heap", 1));
  write("heap.level", std::string(heap_text) + "// changed\n");
  const Format after = parse("heap", 1);
  EXPECT_FALSE(before == after);
  EXPECT_NE(before.level(0).definition->hash, after.level(0).definition->hash);
  EXPECT_FALSE(before == csf_format(1));
}

TEST_F(DynamicFormat, HasArraysOfTheSameShape) {
  EXPECT_EQ(array_format_of(parse("dense,btree:1,0", 2)), csc_format());
  EXPECT_EQ(array_format_of(parse("heap,btree", 2)), dcsr_format());
  EXPECT_EQ(array_format_of(csr_format()), csr_format());
}

TEST_F(DynamicFormat, ASlipInANameIsAnsweredWithTheNearest) {
  EXPECT_THAT(complaint("dense,btre", 2), EndsWith("column 7: unknown format or level \"btre\"; did you mean btree?"));
  EXPECT_THAT(complaint("dens,btree", 2), HasSubstr("did you mean dense?"));
  EXPECT_THAT(complaint("xyzzy", 1), EndsWith("unknown format or level \"xyzzy\"; 'lacuna help formats' lists formats "
                                              "and levels, 'lacuna levels' the level files"));
}

TEST_F(DynamicFormat, RefusesWhatCannotNest) {
  EXPECT_THAT(complaint("btree,hashed", 2),
              HasSubstr("level 1 is hashed, but beside a dynamic level, here btree, only dense, compressed"));
  EXPECT_THAT(complaint("bitmap,btree", 2), HasSubstr("level 0 is bitmap"));
  EXPECT_THAT(complaint("btree,singleton", 2), HasSubstr("level 1 is singleton"));
  EXPECT_THAT(complaint("heap(unordered)", 1), HasSubstr("the level file of heap says what properties it has"));
  EXPECT_THAT(complaint("btree,btree", 3), HasSubstr("the format has 2 levels, but the tensor has 3 modes"));
}

TEST_F(DynamicFormat, AFileThatMakesNoSenseIsShownWhereItDoesNot) {
  write("broken.level", "def a { e : elme }\n");
  EXPECT_THAT(complaint("broken", 1), AllOf(HasSubstr("broken.level:1:13"), HasSubstr("did you mean elem?")));
}

TEST_F(DynamicFormat, TheEnvironmentSaysWhereFilesAre) {
  EXPECT_THROW(parse_format("dense,heap", 2), Error);
  setenv("LACUNA_LEVELS", folder_.c_str(), 1);
  EXPECT_EQ(parse_format("dense,heap", 2).level(1).definition->path, folder_ / "heap.level");
  EXPECT_EQ(parse_format("dense,btree", 2).level(1).name(), "btree");
  unsetenv("LACUNA_LEVELS");
}

TEST_F(DynamicFormat, ArrayFormatsNeedNoFolder) {
  EXPECT_EQ(parse_format("csr", 2, {}), csr_format());
  EXPECT_THROW(parse_format("btree", 1, {}), Error);
}

}  // namespace
}  // namespace lacuna::dynamic_format_test
