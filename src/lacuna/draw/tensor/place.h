#pragma once

#include "lacuna/draw/canvas.h"
#include "lacuna/draw/tensor/model.h"

// Where everything in the picture of a tensor stands.
namespace lacuna::picture {

struct Rectangle {
  double x = 0, y = 0, width = 0, height = 0;
  double middle() const { return x + width / 2; }
  double centre() const { return y + height / 2; }
  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

struct Size {
  double width = 0, height = 0;
};

struct PlacedNode {
  Rectangle box;
  std::vector<Rectangle> slots;  // each two lines high
  double trunk = -1;             // of an indented child: where the line from its parent goes down; else -1
};

struct PlacedRow {
  bool column = false;
  std::vector<Rectangle> cells;
  std::vector<double> text_at;  // of a column: how far down, beside the root that a cell leads to
};

struct PlacedLevel {
  std::vector<PlacedRow> rows;
  std::vector<PlacedNode> nodes;
};

struct Label {
  double x = 0, y = 0;
  std::string text;
};

/// Of the same shape as the model. No two boxes overlap.
struct Placement {
  double width = 0, height = 0;
  std::vector<PlacedLevel> levels;
  PlacedRow values;
  std::vector<Label> titles;
  std::vector<Label> names;      // of the arrays in rows: they end there
  std::vector<Label> positions;  // above the first cells of lines and of segments
};

/// Levels of arrays above the first dynamic one are columns, at the left of its structures, each beside its entry. All
/// further ones are rows below, in as many lines as a page needs; arrays with a cell for each position of the same
/// level have it in the same column. Structures of a level right below another one's lie under their own. Nothing is
/// above `top`.
Placement place(const TensorModel& model, double top);

// How the parts of a node look, for who draws them.
inline constexpr double page_width = 900;
inline constexpr double margin = 24;
inline constexpr double line_height = 16;  // of a coordinate, a value, a cell
inline constexpr Letters level_letters{12, "#10243c", true};
inline constexpr Letters type_letters{9, "#5c6b7d"};
inline constexpr Letters field_letters{8, "#8595a8"};
inline constexpr Letters cell_letters{10.5, "#10243c"};
/// What stands in the first line of a slot, and what heads a node.
std::string slot_text(const Slot& slot);
std::string node_title(const DrawnNode& node);

}  // namespace lacuna::picture
