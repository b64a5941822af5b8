// Tensors as boxes and arrows: all that is stored is drawn, once, and nothing over anything else.

#include <algorithm>
#include <filesystem>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/draw/picture.h"
#include "lacuna/draw/tensor/place.h"
#include "lacuna/dynamic/code/load.h"
#include "lacuna/engine/engine.h"
#include "lacuna/format/dynamic.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/nodes.h"

namespace lacuna::picture::tensor_picture_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::vector<std::filesystem::path> folders = {LACUNA_LEVELS_FOLDER};

/// Entry k is k + 0.5. Of order 2, rows are of different lengths, and one is empty.
Storage stored(const std::string& format, int order) {
  CoordinateList list;
  list.dimensions = std::vector<std::int64_t>(static_cast<std::size_t>(order), 12);
  std::vector<std::vector<std::int32_t>> coordinates(static_cast<std::size_t>(order));
  std::vector<double> values;
  for (std::int32_t i = 0; i < 12; ++i)
    for (std::int32_t j = 0; j < 12; ++j) {
      if (order == 1 ? j > 0 || i % 3 == 1 : i == 5 || (i * j) % (i + 3) != 0) continue;
      coordinates[0].push_back(i);
      if (order > 1) coordinates[1].push_back(j);
      if (order > 2) coordinates[2].push_back((i + j) % 12);
      values.push_back(static_cast<double>(values.size()) + 0.5);
    }
  for (const auto& mode : coordinates) list.coordinates.push_back(Array::of<std::int32_t>(mode));
  list.values = Array::of<double>(values);
  const Format wanted = parse_format(format, order, folders);
  const Storage arrays = build(list, array_format_of(wanted));
  if (!wanted.has_nodes()) return arrays;
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  Options options;
  options.target.backend = Target::Backend::Interpreter;
  return stored_as(engine, arrays, wanted, options);
}

/// Formats with each built-in level: alone, below and above arrays, and inside another.
std::vector<Storage> tensors() {
  std::vector<Storage> all;
  for (const std::string& level : schema::names_of_levels(folders)) {
    all.push_back(stored(level, 1));
    for (const char* format : {"dense,{}", "compressed,{}", "{},compressed", "bst,{}", "{},dense:1,0"})
      all.push_back(stored(fmt::format(fmt::runtime(format), level), 2));
    for (const char* format : {"dense,{},btree", "dense,dense,{}", "{},compressed,blist", "{},ctree,compressed"})
      all.push_back(stored(fmt::format(fmt::runtime(format), level), 3));
  }
  for (const char* arrays : {"csr", "dcsr", "coo", "bitmap", "hashed", "dense"}) all.push_back(stored(arrays, 2));
  return all;
}

constexpr std::int64_t enough = 100'000;

TEST(TensorPicture, HasEachElementAndEachNodeOnce) {
  for (const Storage& tensor : tensors()) {
    SCOPED_TRACE(tensor.format.to_string());
    const TensorModel model = model_of(tensor, enough);
    for (int k = 0; k < tensor.order(); ++k) {
      const LevelModel& level = model.levels[static_cast<std::size_t>(k)];
      if (!level.dynamic) continue;
      std::set<std::pair<std::string, std::int64_t>> nodes;
      std::set<std::int64_t> below;
      std::int64_t elements = 0;
      for (const DrawnNode& node : level.nodes) {
        EXPECT_TRUE(nodes.emplace(node.type, node.index).second) << node.type << " " << node.index;
        for (const Slot& slot : node.slots) {
          if (slot.kind != Slot::Kind::Element) continue;
          ++elements;
          const bool is_new = slot.leads_to < 0 || below.insert(slot.leads_to).second;
          EXPECT_TRUE(is_new) << slot.leads_to;
        }
      }
      EXPECT_EQ(elements, tensor.levels[static_cast<std::size_t>(k)].positions);
      std::int64_t in_use = 0;
      for (const nodes::Usage& each : nodes::usage_of(tensor, k)) in_use += each.pool ? 0 : each.in_use();
      EXPECT_EQ(static_cast<std::int64_t>(nodes.size()), in_use);
    }
  }
}

TEST(TensorPicture, HasTheCoordinatesAndValuesThatAreStored) {
  for (const std::string& level : schema::names_of_levels(folders)) {
    const Storage tensor = stored(level, 1);
    std::map<std::int64_t, std::string> drawn;
    const TensorModel model = model_of(tensor, enough);
    for (const DrawnNode& node : model.levels[0].nodes)
      for (const Slot& slot : node.slots)
        if (slot.kind == Slot::Kind::Element) drawn[slot.coordinate] = slot.value;
    const std::map<std::int64_t, std::string> expected = {{0, "0.5"}, {2, "1.5"}, {3, "2.5"}, {5, "3.5"},
                                                          {6, "4.5"}, {8, "5.5"}, {9, "6.5"}, {11, "7.5"}};
    EXPECT_EQ(drawn, expected) << level;
  }
}

/// Whether two boxes share more than a border.
bool overlap(const Rectangle& a, const Rectangle& b) {
  constexpr double touch = 0.01;
  return a.x + touch < b.right() && b.x + touch < a.right() && a.y + touch < b.bottom() && b.y + touch < a.bottom();
}

bool inside(const Rectangle& inner, const Rectangle& outer) {
  constexpr double touch = 0.01;
  return inner.x > outer.x - touch && inner.y > outer.y - touch && inner.right() < outer.right() + touch &&
         inner.bottom() < outer.bottom() + touch;
}

TEST(TensorPicture, BoxesDoNotOverlap) {
  for (const Storage& tensor : tensors()) {
    SCOPED_TRACE(tensor.format.to_string());
    const Placement placement = place(model_of(tensor, enough), 50);
    std::vector<Rectangle> boxes = placement.values.cells;
    for (const PlacedLevel& level : placement.levels) {
      for (const PlacedRow& row : level.rows) boxes.insert(boxes.end(), row.cells.begin(), row.cells.end());
      for (const PlacedNode& node : level.nodes) {
        boxes.push_back(node.box);
        for (std::size_t s = 0; s < node.slots.size(); ++s) {
          EXPECT_TRUE(inside(node.slots[s], node.box));
          EXPECT_FALSE(s > 0 && overlap(node.slots[s - 1], node.slots[s]));
        }
      }
    }
    int overlaps = 0;
    for (std::size_t a = 0; a < boxes.size(); ++a) {
      EXPECT_TRUE(inside(boxes[a], {0, 50, placement.width, placement.height - 50}));
      for (std::size_t b = a + 1; b < boxes.size(); ++b) overlaps += overlap(boxes[a], boxes[b]) ? 1 : 0;
    }
    EXPECT_EQ(overlaps, 0);
  }
}

TEST(TensorPicture, ChildrenOfTreesAreBelowAndNodesOfListsBeside) {
  for (const char* level : {"bst", "btree", "ctree", "llist", "vblist"}) {
    const Storage tensor = stored(level, 1);
    const bool list = std::string(level).ends_with("list");
    const TensorModel model = model_of(tensor, enough);
    const Placement placement = place(model, 0);
    for (std::size_t n = 0; n < model.levels[0].nodes.size(); ++n)
      for (const Slot& slot : model.levels[0].nodes[n].slots) {
        if (slot.kind != Slot::Kind::Reference) continue;
        const Rectangle& from = placement.levels[0].nodes[n].box;
        const Rectangle& to = placement.levels[0].nodes[static_cast<std::size_t>(slot.leads_to)].box;
        EXPECT_TRUE(list ? to.x > from.right() : to.y > from.bottom()) << level;
      }
  }
}

std::vector<std::string> row_names(const TensorModel& model) {
  std::vector<std::string> names;
  for (const LevelModel& level : model.levels)
    for (const ArrayRow& row : level.rows) names.push_back(row.name);
  return names;
}

TEST(TensorPicture, ArraysAreRowsAsThePaperDrawsThem) {
  const TensorModel csr = model_of(stored("csr", 2), enough);
  EXPECT_THAT(row_names(csr), ElementsAre("N", "pos", "crd"));
  EXPECT_THAT(csr.levels[0].rows[0].cells, ElementsAre("12"));
  EXPECT_EQ(csr.levels[1].rows[0].cells.size(), 13U);
  EXPECT_EQ(csr.values.cells.size(), csr.levels[1].rows[1].cells.size());
  // Above nodes, each entry has a cell that its arrow begins at.
  EXPECT_THAT(model_of(stored("dense,bst", 2), enough).levels[0].rows[0].cells,
              ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"));
}

std::vector<Slot> slots_of(const std::string& level, const std::string& node) {
  const TensorModel model = model_of(stored(level, 1), enough);
  for (const DrawnNode& each : model.levels[0].nodes)
    if (each.type == node) return each.slots;
  return {};
}

TEST(TensorPicture, SlotsThatHoldNothingAreTold) {
  const std::vector<Slot> block = slots_of("blist", "blist");  // 8 of 32, and null
  ASSERT_EQ(block.size(), 10U);
  EXPECT_EQ(block[0].name, "e");
  EXPECT_EQ(block[8].kind, Slot::Kind::Free);
  EXPECT_EQ(block[8].count, 24);
  EXPECT_EQ(block[9].kind, Slot::Kind::Null);
  const std::vector<Slot> gaps = slots_of("blist_gaps", "blist_gaps");
  ASSERT_EQ(gaps.size(), 10U);
  EXPECT_EQ(gaps[8].kind, Slot::Kind::Empty);
  EXPECT_EQ(gaps[8].count, 24);
}

TEST(TensorPicture, SizesMetadataAndParentsAreShown) {
  const TensorModel model = model_of(stored("dense,rbtree", 2), enough);
  std::set<std::string> facts;
  for (const DrawnNode& node : model.levels[1].nodes) facts.insert(node.facts);
  EXPECT_THAT(facts, ElementsAre("", "p = above, c = false", "p = above, c = true", "p = null, c = false"));
  EXPECT_EQ(model.levels[1].nodes[model.levels[1].structures[2].first].above, "(2,·)");
}

TEST(TensorPicture, PathsAreInTheOrderOfModes) {
  const TensorModel model = model_of(stored("dense,llist:1,0", 2), enough);
  EXPECT_EQ(model.levels[1].nodes[model.levels[1].structures[2].first].above, "(·,2)");
  EXPECT_EQ(model.levels[0].title, "level 1: dense of mode 1");
}

int count(const std::string& text, const std::string& piece) {
  int found = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++found;
  return found;
}

/// Nodes, elements and array cells, without sizes of dense levels.
std::int64_t boxes_of(const TensorModel& model) {
  auto boxes = std::ssize(model.values.cells);
  for (const LevelModel& level : model.levels) {
    boxes += std::ssize(level.nodes);
    for (const ArrayRow& row : level.rows) boxes += row.name == "N" ? 0 : std::ssize(row.cells);
    for (const DrawnNode& node : level.nodes)
      boxes += std::count_if(node.slots.begin(), node.slots.end(),
                             [](const Slot& slot) { return slot.kind == Slot::Kind::Element; });
  }
  return boxes;
}

TEST(TensorPicture, IsWholeWhereThereIsRoomForEachBox) {
  const Storage tensor = stored("dense,bst", 2);
  const std::int64_t boxes = 12 + 12 + 2 * tensor.stored();  // rows, roots, and for each element a node
  EXPECT_EQ(boxes_of(model_of(tensor, boxes)), boxes);
  EXPECT_EQ(model_of(tensor, boxes).caption, "");
  EXPECT_LT(boxes_of(model_of(tensor, boxes - 1)), boxes);
  EXPECT_THAT(model_of(tensor, boxes - 1).caption,
              HasSubstr(fmt::format("of {} stored values; all would take {} boxes", tensor.stored(), boxes)));
}

TEST(TensorPicture, OfALargeTensorIsOfItsStart) {
  for (const Storage& tensor : tensors()) {
    SCOPED_TRACE(tensor.format.to_string());
    const std::int64_t all = boxes_of(model_of(tensor, enough));
    for (const std::int64_t most : {1, 8, 15, 40}) {
      SCOPED_TRACE(most);
      const TensorModel model = model_of(tensor, most);
      const std::int64_t boxes = boxes_of(model);
      EXPECT_EQ(model.caption.empty(), most >= all);
      // A level shows at least one position, a node its first element, a parent where its positions begin and end.
      EXPECT_LE(boxes, std::max<std::int64_t>(most, 8) + 10 * tensor.order());
      EXPECT_GE(boxes, std::min(all, most / 3));
      place(model, 50);
    }
  }
}

TEST(TensorPicture, OfALargeTensorHasAllThatIsStoredBelowTheFirstRows) {
  const TensorModel csr = model_of(stored("csr", 2), 40);
  const std::vector<std::string>& pos = csr.levels[1].rows[0].cells;
  ASSERT_GT(pos.size(), 3U);
  EXPECT_EQ(std::stoul(pos.back()), csr.levels[1].rows[1].cells.size());
  EXPECT_EQ(std::stoul(pos.back()), csr.values.cells.size());
  const TensorModel trees = model_of(stored("dense,bst", 2), 60);
  EXPECT_EQ(trees.levels[0].rows[0].cells.size(), trees.levels[1].structures.size());
  for (const DrawnNode& node : trees.levels[1].nodes)
    for (const Slot& slot : node.slots) EXPECT_NE(slot.kind, Slot::Kind::Elsewhere);
}

TEST(TensorPicture, OfOneLargeStructureSaysWhereItGoesOn) {
  const auto has = [](const TensorModel& model, Slot::Kind kind) {
    for (const DrawnNode& node : model.levels[0].nodes)
      for (const Slot& slot : node.slots)
        if (slot.kind == kind) return true;
    return false;
  };
  EXPECT_TRUE(has(model_of(stored("bst", 1), 9), Slot::Kind::Elsewhere));
  EXPECT_TRUE(has(model_of(stored("blist", 1), 8), Slot::Kind::More));
}

TEST(TensorPicture, IsAboutAPageWide) {
  for (const Storage& tensor : tensors()) {
    SCOPED_TRACE(tensor.format.to_string());
    EXPECT_LE(place(model_of(tensor, enough), 50).width, 1.25 * page_width);
  }
}

TEST(TensorPicture, RowsOfADenseMatrixAreLines) {
  const Placement placement = place(model_of(stored("dense", 2), enough), 50);
  const std::vector<Rectangle>& cells = placement.values.cells;
  ASSERT_EQ(cells.size(), 144U);
  for (std::size_t k = 1; k < cells.size(); ++k) EXPECT_EQ(cells[k].y > cells[k - 1].y, k % 12 == 0) << k;
}

TEST(TensorPicture, CoordinatesStandAboveTheirValues) {
  const Placement placement = place(model_of(stored("csr", 2), enough), 50);
  const std::vector<Rectangle>& coordinates = placement.levels[1].rows[1].cells;
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    EXPECT_EQ(coordinates[k].x, placement.values.cells[k].x);
    EXPECT_EQ(coordinates[k].bottom(), placement.values.cells[k].y);
  }
}

TEST(TensorPicture, LongTitlesTakeSeveralLines) {
  const std::string svg = draw_tensor(stored("csr", 2), std::string(300, 'x'), enough);
  EXPECT_EQ(count(svg, "font-size=\"15\""), 4);
}

TEST(TensorPicture, ValuesAreShort) {
  EXPECT_EQ(value_text(Scalar(1.0 / 3)), "0.3333");
  EXPECT_EQ(value_text(Scalar(2.5)), "2.5");
  EXPECT_EQ(value_text(Scalar(std::int64_t{123456789})), "123456789");
  EXPECT_EQ(value_text(Scalar(std::complex<double>(1.0 / 3, -2))), "0.333-2i");
}

TEST(TensorPicture, IsADocumentWithAGroupForEachNode) {
  const Storage tensor = stored("dense,ctree", 2);
  const std::string svg = draw_tensor(tensor, "A & B", enough);
  EXPECT_THAT(svg, AllOf(StartsWith("<svg xmlns="), HasSubstr("A &amp; B"), HasSubstr("level 2: ctree")));
  EXPECT_EQ(count(svg, "<g class=\"node\">"), static_cast<int>(model_of(tensor, enough).levels[1].nodes.size()));
  EXPECT_EQ(count(svg, "<g "), count(svg, "</g>"));
}

}  // namespace
}  // namespace lacuna::picture::tensor_picture_test
