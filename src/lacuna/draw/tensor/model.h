#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/tensor/storage.h"

// What the picture of a tensor shows, level by level, before anything has a place.
namespace lacuna::picture {

/// A slot of a node, or several of the same kind side by side that nothing is in.
struct Slot {
  enum class Kind : std::uint8_t {
    Element,
    Empty,      // an element slot in use that holds nothing
    Free,       // behind those in use
    Reference,  // to another node of the level
    Null,
    More,       // slots in use that there is no room for
    Elsewhere,  // a reference to a node that there is no room for
  };
  Kind kind = Kind::Element;
  std::string name;             // of the field, at its first slot; else empty
  std::int64_t coordinate = 0;  // of an element
  std::string value;            // of an element of the last level
  std::string label;            // of a reference: "left", "c[3]"
  std::int64_t count = 1;       // how many slots it stands for
  std::int64_t leads_to = -1;   // a reference to a node of LevelModel::nodes, an element to a position of its level
  bool beside = false;          // what a reference leads to goes on to the right, as in a list
};

struct DrawnNode {
  std::string type;
  std::int64_t index = 0;  // in the arena of its type
  std::string above;       // of a root: the coordinates that lead to it, "(2,·)"; else empty
  std::string facts;       // sizes and metadata
  std::vector<Slot> slots;
};

/// A root with what it leads to: nodes [first, first + count) of its level, each behind the one that refers to it. None
/// where no element that is shown leads to the root.
struct Structure {
  std::size_t first = 0;
  std::size_t count = 0;
  std::vector<std::int64_t> positions;  // of the elements, in the order of the schema
};

/// An array, or the one number of a dense level.
struct ArrayRow {
  std::string name;
  std::vector<std::string> cells;
  bool by_position = false;  // a cell for each position of the level; else by the level's parents
};

struct LevelModel {
  std::string title;
  bool dynamic = false;
  // A level of arrays. Above a dynamic level, the last row has a cell for each position.
  std::vector<ArrayRow> rows;
  int entered = -1;  // the row that parents lead to; -1: what lies below instead
  // Of a level with `pos`: the first position of each parent, and the end of the last one's.
  std::vector<std::int64_t> segments;
  std::int64_t spread = 1;  // a parent's first cell in that row, or position below, is the parent's times this
  // A dynamic level.
  std::vector<DrawnNode> nodes;
  std::vector<Structure> structures;  // by parent position
};

struct TensorModel {
  std::vector<LevelModel> levels;
  ArrayRow values;  // without cells where nodes hold the values
  /// Says that only the start of the tensor is shown; else empty.
  std::string caption;
};

/// The start of the tensor, if there is more to show than `most_boxes` nodes, elements and array entries.
TensorModel model_of(const Storage& tensor, std::int64_t most_boxes);

/// A value as boxes show it: short.
std::string value_text(const Scalar& value);

}  // namespace lacuna::picture
