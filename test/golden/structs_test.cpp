// The structs of node schemas, beside the schemas: those of Figure 9, whose capacities are 4 and whose members are in
// the order of the fields, and every row of Table 1. structs/NAME.txt pins them.

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "golden/structs.h"
#include "lacuna/dynamic/schema/layout.h"
#include "lacuna/dynamic/schema/level.h"

namespace lacuna::golden {
namespace {

struct Figure {
  const char* name;
  const char* schema;
};

// Figures 9a (of Figure 5), 9b (of 6b) and 9c (of 6g).
constexpr Figure figures[] = {
    {"figure_9a", "def bst_root { r : bst }\ndef bst { e : elem nonempty  r : bst  l : bst  seq = l, e, r }"},
    {"figure_9b",
     "def blist { e : elem[B] nonempty  n : blist  B : size in [0, 4]  seq = {e}, n }\ndef blist_head { h : blist }"},
    {"figure_9c",
     "def supertype btree\n"
     "def btree_internal : btree {\n"
     "  e : elem[B] nonempty  c : btree[B] nonempty  cl : btree nonempty  B : size in [1, 4]  seq = {c, e}, cl\n}\n"
     "def btree_leaf : btree { e : elem[B] nonempty  B : size in [1, 4]  seq = {e} }\n"
     "def btree_root { r : btree }"},
    {"table_1",
     "def root { r : kind }\n"
     "def supertype kind\n"
     "def all : kind {\n"
     "  one : elem  fixed : elem[4]  counted : elem[B]  elsewhere : elem[N]\n"
     "  child : all  any : kind  children : kind[B]  more : all[N]\n"
     "  B : size in [0, 8]  N : size  up : parent\n"
     "  a : bool  b : int8  c : uint8  d : int16  f : uint16  g : int32  h : uint32  i : int64  j : uint64\n}"}};

class Structs final : public testing::Test {
 public:
  Structs(const Figure& figure, bool overwrite) : figure_(figure), overwrite_(overwrite) {}
  void TestBody() override {
    const schema::NodeSchema nodes = schema::parse_level(figure_.schema, figure_.name).nodes;
    std::string text = schema::to_string(nodes);
    for (const schema::Struct& each : schema::layout_of(nodes)) text += "\n" + schema::to_string(each);
    const std::string path = std::string(LACUNA_GOLDEN "/structs/") + figure_.name + ".txt";
    if (overwrite_) std::ofstream(path) << text;
    std::ostringstream pinned;
    pinned << std::ifstream(path).rdbuf();
    EXPECT_EQ(pinned.str(), text) << "if the new text is right, run test_golden --overwrite";
  }

 private:
  Figure figure_;
  bool overwrite_;
};

// Values of other tensors and coordinates of larger ones.
TEST(StructTypes, AreThoseOfTheTensor) {
  const schema::Struct node = schema::layout_of(schema::parse_level("def a { e : elem[2] n : a }", "a").nodes).front();
  EXPECT_EQ(schema::to_string(node, {Type::Int64, Type::Complex64}),
            "struct a {\n  int64_t ec[2];\n  std::complex<float> ev[2];\n  a* n;\n};\n");
}

}  // namespace

void register_struct_tests(bool overwrite) {
  for (const Figure& each : figures)
    testing::RegisterTest("Structs", (std::string(each.name) + "_HasTheseStructs").c_str(), nullptr, nullptr, __FILE__,
                          __LINE__, [each, overwrite]() -> testing::Test* { return new Structs(each, overwrite); });
}

}  // namespace lacuna::golden
